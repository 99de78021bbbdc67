//! `--permission` as people write it: a verdict, pairs of key and verdict, or the JSON map itself.

use std::time::Duration;

use fountain_core::duration;
use fountain_core::policy::{ASK_TIMEOUT, DEFAULT, Policy, Verdict};
use fountain_core::twice::named_twice;
use serde_json::{Map, Value};

use crate::ui::Ui;

/// Reads the text as the map that the API takes.
///
/// # Errors
/// With a sentence that says what is wrong and what would be right.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(format!("a permission policy is missing: {EXAMPLES}"));
    }
    let policy = if text.starts_with('{') {
        json(text)?
    } else {
        pairs(text)?
    };
    Policy::parse(&policy).map_err(|invalid| invalid.message)?;
    Ok(policy)
}

/// Warns the author of a policy of keys that cover nothing they think of.
pub(crate) fn warn(policy: Option<&Value>, ui: &Ui) {
    let policy = policy.and_then(|policy| Policy::parse(policy).ok());
    for found in policy.map(|policy| policy.suspicious()).unwrap_or_default() {
        ui.warning(&found.to_string());
    }
}

/// An `ask_timeout` as a number of seconds.
///
/// # Errors
/// When it is no duration of whole seconds.
pub(crate) fn seconds(text: &str) -> Result<u64, String> {
    let span = duration::parse(text).map_err(|why| why.to_string())?;
    if span.subsec_nanos() != 0 || span == Duration::ZERO {
        return Err("it takes whole seconds, at least one".to_owned());
    }
    Ok(span.as_secs())
}

const EXAMPLES: &str =
    "write a verdict such as `ask`, or pairs such as `execute=ask,edit=auto_deny`";

fn json(text: &str) -> Result<Value, String> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| format!("the JSON map cannot be read: {error}"))?;
    match value {
        Value::Object(_) => match named_twice(text.as_bytes()) {
            Some(key) => Err(format!("`{key}` is named twice")),
            None => Ok(value),
        },
        _ => Err(format!("the JSON is no map: {EXAMPLES}")),
    }
}

fn pairs(text: &str) -> Result<Value, String> {
    let mut map = Map::new();
    for part in text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let (key, value) = match part.rsplit_once('=') {
            Some((key, value)) => (key.trim(), value.trim()),
            None => (DEFAULT, part),
        };
        if key.is_empty() {
            return Err(format!(
                "there is no key before `=` in `{part}`: {EXAMPLES}"
            ));
        }
        let value = if key == ASK_TIMEOUT {
            seconds(value)
                .map(Value::from)
                .map_err(|why| format!("`{part}`: {why}"))?
        } else {
            let verdict = Verdict::parse(value).ok_or_else(|| {
                format!(
                    "`{value}` in `{part}` is no verdict: a verdict is auto_allow, ask or auto_deny"
                )
            })?;
            Value::from(verdict.as_str())
        };
        if map.insert(key.to_owned(), value).is_some() {
            return Err(format!("`{key}` is named twice"));
        }
    }
    Ok(Value::Object(map))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_spelling_is_read() {
        for (text, expect) in [
            ("ask", json!({"default": "ask"})),
            (" auto_deny ", json!({"default": "auto_deny"})),
            ("execute=ask", json!({"execute": "ask"})),
            (
                "execute=ask,edit=auto_deny",
                json!({"execute": "ask", "edit": "auto_deny"}),
            ),
            (
                "ask, execute = auto_deny ,",
                json!({"default": "ask", "execute": "auto_deny"}),
            ),
            ("make X=1=ask", json!({"make X=1": "ask"})),
            (
                "execute=ask,ask_timeout=2h",
                json!({"execute": "ask", "ask_timeout": 7200}),
            ),
            ("ask_timeout=90", json!({"ask_timeout": 90})),
            (
                r#" {"a,b=c": "ask", "ask_timeout": 5}"#,
                json!({"a,b=c": "ask", "ask_timeout": 5}),
            ),
            ("{}", json!({})),
        ] {
            assert_eq!(parse(text), Ok(expect), "{text}");
        }
    }

    #[test]
    fn a_mistake_is_named() {
        for (text, part) in [
            ("", "is missing"),
            ("maybe", "`maybe` in `maybe` is no verdict"),
            ("execute=allow", "`allow` in `execute=allow` is no verdict"),
            ("execute=", "`` in `execute=` is no verdict"),
            ("=ask", "no key"),
            ("execute=ask,execute=auto_deny", "`execute` is named twice"),
            ("ask_timeout=soon", "`ask_timeout=soon`"),
            ("ask_timeout=500ms", "whole seconds"),
            ("ask_timeout=0", "at least one"),
            ("ask_timeout=3650d", "31536000"),
            ("{\"a\": 5}", "no verdict"),
            ("{oops", "cannot be read"),
            (
                r#"{"execute":"auto_deny","execute":"auto_allow"}"#,
                "`execute` is named twice",
            ),
        ] {
            let told = parse(text).unwrap_err();
            assert!(told.contains(part), "{text}: {told}");
        }
    }
}
