//! JSON-RPC 2.0 on lines, as ACP uses it: bytes in, messages out, and back. It survives anything a peer
//! writes: text that is no JSON, half characters, CR LF, a missing last newline, a line without an end.

mod lines;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use crate::object::Object;
pub use lines::{Lines, TooLong};

/// The error codes of JSON-RPC and ACP that Fountain sends.
pub mod code {
    /// The line is no JSON.
    pub const PARSE: i64 = -32700;
    /// The message has the wrong shape, or is not allowed now.
    pub const INVALID_REQUEST: i64 = -32600;
    /// The method is not served.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The parameters cannot be used.
    pub const INVALID_PARAMS: i64 = -32602;
    /// Anything that went wrong on this side.
    pub const INTERNAL: i64 = -32603;
    /// ACP: a login is needed first.
    pub const AUTH_REQUIRED: i64 = -32000;
    /// ACP: an unknown session.
    pub const NOT_FOUND: i64 = -32002;
    /// The request was cancelled by `$/cancel_request`.
    pub const CANCELLED: i64 = -32800;
}

/// One message of a peer, borrowed from its line. What it is depends on `method` alone: both sides number
/// their requests from 0, so an id says nothing about the direction.
#[derive(Debug)]
pub enum Message<'a> {
    /// Has a method and an id, and wants exactly one answer.
    Request {
        /// The id exactly as it was written.
        id: &'a RawValue,
        /// The method.
        method: Cow<'a, str>,
        /// The parameters, absent or raw.
        params: Option<&'a RawValue>,
    },
    /// Has a method and no id, and is never answered.
    Notification {
        /// The method.
        method: Cow<'a, str>,
        /// The parameters, absent or raw.
        params: Option<&'a RawValue>,
    },
    /// Answers a request of ours.
    Response {
        /// The id exactly as it was written.
        id: &'a RawValue,
        /// The result, or the error.
        result: Result<&'a RawValue, Error>,
    },
}

/// Why a line is no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The line is no JSON at all.
    NotJson,
    /// JSON, but no JSON-RPC message (a string, a number, a batch, an object without method or id).
    NotRpc,
}

/// A JSON-RPC error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Error {
    /// One of [`code`], or the peer's own.
    #[serde(default)]
    pub code: i64,
    /// A sentence.
    #[serde(default)]
    pub message: String,
    /// Whatever the peer adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<serde_json::Value>,
}

impl Error {
    /// An error with the sentence in `message` and, for editors that show only that, in `data.details`.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        let message = message.into();
        let data = Some(serde_json::json!({ "details": message }));
        Self {
            code,
            message,
            data,
        }
    }

    /// The message, with the details a runtime puts beside it when they say more.
    pub fn sentence(&self) -> String {
        let detail = self.data.as_ref().and_then(|data| match data {
            serde_json::Value::String(text) => Some(text.clone()),
            serde_json::Value::Object(map) => ["details", "reason", "error", "message"]
                .iter()
                .find_map(|key| map.get(*key)?.as_str().map(str::to_owned)),
            _ => None,
        });
        match detail {
            Some(detail) if !detail.is_empty() && !self.message.contains(&detail) => {
                format!("{}: {detail}", self.message)
            }
            _ if self.message.is_empty() => format!("error {}", self.code),
            _ => self.message.clone(),
        }
    }
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<&'a RawValue>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// The message of a line: white space around it and a terminal's escapes glued in front of it are no part of it.
pub fn frame(line: &str) -> &str {
    let line = line.trim();
    match line.find('{') {
        Some(at) if line[..at].contains('\u{1b}') => &line[at..],
        _ => line,
    }
}

/// Reads one line, as far as it is a message ([`frame`]); everything else is told apart as [`Malformed`].
pub fn parse(line: &str) -> Result<Message<'_>, Malformed> {
    parse_exact(frame(line))
}

fn parse_exact(line: &str) -> Result<Message<'_>, Malformed> {
    if !line.starts_with('{') {
        let json = serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok();
        return Err(if json {
            Malformed::NotRpc
        } else {
            Malformed::NotJson
        });
    }
    let envelope: Envelope<'_> = serde_json::from_str(line).map_err(|error| {
        if error.is_data() {
            Malformed::NotRpc
        } else {
            Malformed::NotJson
        }
    })?;
    if let Some(method) = envelope.method {
        let method = text(method).ok_or(Malformed::NotRpc)?;
        let params = envelope.params;
        return Ok(match envelope.id {
            Some(id) if is_id(id) => Message::Request { id, method, params },
            Some(_) => return Err(Malformed::NotRpc),
            None if line_has_null_id(line) => return Err(Malformed::NotRpc),
            None => Message::Notification { method, params },
        });
    }
    let id = envelope
        .id
        .filter(|id| is_id(id))
        .ok_or(Malformed::NotRpc)?;
    if let Some(error) = envelope.error {
        let error = serde_json::from_str(error.get()).unwrap_or_else(|_| Error {
            code: code::INTERNAL,
            message: error.get().to_owned(),
            data: None,
        });
        return Ok(Message::Response {
            id,
            result: Err(error),
        });
    }
    let result = match envelope.result {
        Some(result) => result,
        None => RawValue::NULL,
    };
    Ok(Message::Response {
        id,
        result: Ok(result),
    })
}

/// An id of null is discouraged by JSON-RPC and cannot be told from none by the envelope; it is rare, so
/// the second look costs nothing.
fn line_has_null_id(line: &str) -> bool {
    Object::parse(line).is_some_and(|object| object.get("id").is_some())
}

fn is_id(id: &RawValue) -> bool {
    matches!(id.get().as_bytes().first(), Some(b'"' | b'-' | b'0'..=b'9'))
}

fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get();
    let plain = inner.strip_prefix('"')?.strip_suffix('"')?;
    if plain.contains('\\') {
        serde_json::from_str(inner).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(plain))
    }
}

/// The text of a raw JSON string; `None` for any other value. Borrows where nothing is escaped.
pub fn raw_text(raw: &RawValue) -> Option<Cow<'_, str>> {
    text(raw)
}

/// A request line, without its newline.
pub fn request(id: i64, method: &str, params: &impl Serialize) -> String {
    line(&Out {
        jsonrpc: "2.0",
        id: Some(id),
        method: Some(method),
        params: Some(params),
    })
}

/// A notification line, without its newline.
pub fn notification(method: &str, params: &impl Serialize) -> String {
    line(&Out {
        jsonrpc: "2.0",
        id: None,
        method: Some(method),
        params: Some(params),
    })
}

/// A response line with a result; the id is echoed as it came.
pub fn result(id: &RawValue, result: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Done<'a, R> {
        jsonrpc: &'static str,
        id: &'a RawValue,
        result: &'a R,
    }
    line(&Done {
        jsonrpc: "2.0",
        id,
        result,
    })
}

/// A response line with an error; without an id it says `null`, as JSON-RPC wants for what could not be read.
pub fn error(id: Option<&RawValue>, error: &Error) -> String {
    #[derive(Serialize)]
    struct Failed<'a> {
        jsonrpc: &'static str,
        id: Option<&'a RawValue>,
        error: &'a Error,
    }
    line(&Failed {
        jsonrpc: "2.0",
        id,
        error,
    })
}

#[derive(Serialize)]
struct Out<'a, P> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'a P>,
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| String::from("{}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> &'static str {
        match parse(line) {
            Ok(Message::Request { .. }) => "request",
            Ok(Message::Notification { .. }) => "notification",
            Ok(Message::Response { result: Ok(_), .. }) => "result",
            Ok(Message::Response { result: Err(_), .. }) => "error",
            Err(Malformed::NotJson) => "not json",
            Err(Malformed::NotRpc) => "not rpc",
        }
    }

    #[test]
    fn each_line_is_told_for_what_it_is() {
        for (line, expect) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#, "request"),
            (r#"{"id":"x","method":"a","params":[1]}"#, "request"),
            (r#"{"method":"a","params":{}}"#, "notification"),
            (r#"{"id":1,"result":null}"#, "result"),
            (r#"{"id":1}"#, "result"),
            (r#"{"id":1,"error":{"code":-1,"message":"m"}}"#, "error"),
            (r#"{"id":1,"error":"odd"}"#, "error"),
            ("Welcome back", "not json"),
            ("", "not json"),
            ("{", "not json"),
            (r#""a json string""#, "not rpc"),
            ("42", "not rpc"),
            ("[]", "not rpc"),
            (r#"[{"id":1,"method":"a"}]"#, "not rpc"),
            ("{}", "not rpc"),
            (r#"{"id":null,"method":"a"}"#, "not rpc"),
            (r#"{"id":{},"method":"a"}"#, "not rpc"),
            (r#"{"id":1,"method":5}"#, "not rpc"),
            ("\u{1b}[1 q{\"id\":1,\"result\":{}}", "result"),
            ("tool> {\"id\":1,\"result\":{}}", "not json"),
            (" {\"id\":1,\"result\":{}}\r", "result"),
        ] {
            assert_eq!(kind(line), expect, "{line}");
        }
    }

    #[test]
    fn an_id_comes_back_as_it_was_written() {
        for id in ["0", "\"0\"", "-5", "9007199254740993", "\"\\u00e9\""] {
            let line = format!(r#"{{"id":{id},"method":"m"}}"#);
            let Ok(Message::Request { id: read, .. }) = parse(&line) else {
                panic!("{line}")
            };
            assert_eq!(
                result(read, &serde_json::json!({})),
                format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
            );
        }
        assert_eq!(
            error(
                None,
                &Error {
                    code: -1,
                    message: "m".into(),
                    data: None
                }
            ),
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}}"#
        );
    }

    #[test]
    fn an_error_tells_what_its_data_adds() {
        let error = |data| Error {
            code: -32603,
            message: "Internal error".into(),
            data,
        };
        assert_eq!(error(None).sentence(), "Internal error");
        assert_eq!(
            error(Some(serde_json::json!({"details": "no key"}))).sentence(),
            "Internal error: no key"
        );
        assert_eq!(
            error(Some(serde_json::json!("no key"))).sentence(),
            "Internal error: no key"
        );
        assert_eq!(
            error(Some(serde_json::json!([1]))).sentence(),
            "Internal error"
        );
    }

    proptest::proptest! {
        #[test]
        fn no_line_panics(line in "\\PC*") {
            let _ = parse(&line);
        }
    }
}
