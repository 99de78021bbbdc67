//! `initialize`, from what the process holds, and `authenticate`, which asks the instance.

use fountain_core::rpc::{Error, code};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Adapter, refusal};

const LOGIN: &str = "fountain-cli-login";
/// The one version of the protocol that is spoken.
const VERSION: u64 = 1;

/// The answer to `initialize`.
pub(super) fn initialize(adapter: &Adapter, params: &str) -> Result<Value, Error> {
    let params: Value = serde_json::from_str(params).unwrap_or_default();
    let Value::Object(params) = params else {
        return Err(refusal::params(
            "the parameters of initialize are no object",
        ));
    };
    let version = version(params.get("protocolVersion"))?;
    let shown = |key: &str| {
        params
            .get(key)
            .map_or_else(|| "none".to_owned(), Value::to_string)
    };
    adapter.log.debug(format!(
        "client {}, capabilities {}",
        shown("clientInfo"),
        shown("clientCapabilities")
    ));
    let methods = match adapter.link.instance().key_source {
        Some(_) => json!([]),
        None => json!([{
            "id": LOGIN,
            "name": "Log in with the Fountain CLI",
            "description": "run fountain auth login",
        }]),
    };
    Ok(json!({
        "protocolVersion": version,
        "agentInfo": {"name": "fountain", "title": "Fountain", "version": env!("CARGO_PKG_VERSION")},
        "agentCapabilities": {
            "loadSession": true,
            "promptCapabilities": {"image": true, "audio": false, "embeddedContext": false},
            "sessionCapabilities": {"list": {}, "resume": {}, "close": {}},
        },
        "authMethods": methods,
    }))
}

/// The smaller of ours and the client's, for whole numbers and texts of one.
fn version(asked: Option<&Value>) -> Result<u64, Error> {
    let number = match asked {
        None => return Ok(VERSION),
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(text)) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.parse::<f64>().ok()
        }
        Some(_) => None,
    };
    match number {
        Some(number) if number >= 1.0 && number.fract() == 0.0 => Ok(VERSION),
        Some(0.0) => Ok(0),
        _ => Err(refusal::params(format!(
            "protocolVersion must be a whole number such as {VERSION}, not {}",
            asked.unwrap_or(&Value::Null)
        ))),
    }
}

/// The answer to `authenticate`: whether the credentials of the CLI count.
pub(super) async fn authenticate(adapter: &Adapter, params: &str) -> Result<Value, Error> {
    #[derive(Default, Deserialize)]
    struct Params {
        #[serde(default, rename = "methodId")]
        method: Option<String>,
    }
    let params: Params =
        serde_json::from_str(params).map_err(|_| refusal::params("methodId must be a string"))?;
    match params.method.as_deref() {
        None | Some("" | LOGIN) => {}
        Some(other) => {
            return Err(refusal::params(format!(
                "unknown method {other:?}: the only one is {LOGIN}"
            )));
        }
    }
    // Somebody may have logged in since.
    adapter.link.forget().await;
    let client = adapter.link.client().await?;
    match client.me().await {
        Ok(_) => Ok(json!({})),
        Err(error) => {
            let told = adapter
                .link
                .failed("the credentials could not be checked", &error)
                .await;
            Err(told)
        }
    }
}

/// What a method answers that came before `initialize`.
pub(super) fn too_early(method: &str) -> Error {
    Error::new(
        code::INVALID_REQUEST,
        format!("{method} came before initialize: send initialize first"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_version_counts() {
        for (asked, expect) in [
            (json!(1), Some(1)),
            (json!(2), Some(1)),
            (json!(1.0), Some(1)),
            (json!("1"), Some(1)),
            (json!("99"), Some(1)),
            (
                serde_json::from_str("99999999999999999999999").unwrap(),
                Some(1),
            ),
            (json!(0), Some(0)),
            (json!("0"), Some(0)),
            (json!(-1), None),
            (json!(1.5), None),
            (json!("0.1.0"), None),
            (json!(""), None),
            (json!("one"), None),
            (json!(null), None),
            (json!({}), None),
            (json!(true), None),
        ] {
            assert_eq!(version(Some(&asked)).ok(), expect, "{asked}");
        }
        assert_eq!(version(None).ok(), Some(1));
    }
}
