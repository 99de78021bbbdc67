//! Errors in words for a reader inside an editor: what happened, and what to change.

use fountain_core::rpc::{Error, code};
use serde_json::Value;

use crate::client;
use crate::failure;

/// The parameters, or the flags of this process, cannot be used.
pub(super) fn params(sentence: impl Into<String>) -> Error {
    Error::new(code::INVALID_PARAMS, sentence)
}

/// Something went wrong on this side of the editor.
pub(super) fn failed(sentence: impl Into<String>) -> Error {
    Error::new(code::INTERNAL, sentence)
}

/// A session that this process does not serve.
pub(super) fn unknown_session(id: &str) -> Error {
    params(format!(
        "unknown session {id:?}: open it with session/load, or start one with session/new"
    ))
}

/// A call to the instance failed while something was being done: `what` is the beginning of the sentence.
pub(super) fn call(what: &str, error: &client::Error) -> Error {
    match error {
        client::Error::Rejected { .. } => Error::new(
            code::AUTH_REQUIRED,
            format!("{error}: run fountain auth login, then try again"),
        ),
        client::Error::Unreachable { .. } => failed(format!(
            "{what}: {error}; start the instance with fountain serve, or correct FOUNTAIN_BASE_URL"
        )),
        client::Error::Problem { problem, .. } => {
            let mut failed = failed(format!("{what}: {}", failure::in_flags(&error.to_string())));
            if let Some(Value::Object(data)) = &mut failed.data {
                data.insert("error".to_owned(), problem.error.clone().into());
                if let Some(key) = problem.more.get("key") {
                    data.insert("key".to_owned(), key.clone());
                }
            }
            failed
        }
        client::Error::Foreign { .. } | client::Error::Protocol(_) => {
            failed(format!("{what}: {error}"))
        }
    }
}
