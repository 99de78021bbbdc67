//! The flags that `create` and `update` share, and the body they make.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use fountain_core::policy::ASK_TIMEOUT;
use serde_json::{Map, Value};

use crate::commands::run::SandboxMode;
use crate::failure::Failure;
use crate::permission;

/// More text is no system prompt.
const LIMIT: u64 = 4 * 1024 * 1024;

#[derive(clap::Args, Clone, Debug, Default)]
#[group(skip)]
pub(super) struct Fields {
    /// The shell line that runtime acp runs in the sandbox
    #[arg(long, value_name = "LINE", allow_hyphen_values = true)]
    command: Option<String>,
    /// The model, as provider/model
    #[arg(long)]
    model: Option<String>,
    /// What it is for
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// What happens before a tool runs: a verdict (ask), or pairs (execute=ask,edit=auto_deny)
    #[arg(long, value_name = "POLICY", value_parser = permission::parse)]
    permission: Option<Value>,
    /// How long a request may wait beyond its turn
    #[arg(long, value_name = "DURATION", value_parser = permission::seconds)]
    ask_timeout: Option<u64>,
    /// Where its sandboxes live
    #[arg(long, value_enum, value_name = "MODE")]
    sandbox_mode: Option<SandboxMode>,
    /// The kind of its sandboxes: directory
    #[arg(long, value_name = "KIND")]
    sandbox_provider: Option<String>,
    /// A file with its system prompt; `-` is stdin
    #[arg(long, value_name = "FILE")]
    system: Option<PathBuf>,
}

impl Fields {
    /// What was said, as the body of a call. `policy` is the agent's policy of now, for a flag that changes only
    /// a part of it.
    pub(super) fn body(&self, policy: Option<&Value>) -> Result<Map<String, Value>, Failure> {
        let mut body = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                body.insert(name.to_owned(), value);
            }
        };
        let text = |text: &Option<String>| text.clone().map(Value::from);
        put("runtime_command", text(&self.command));
        put("model", text(&self.model));
        put("description", text(&self.description));
        put(
            "sandbox_mode",
            self.sandbox_mode.map(|mode| mode.as_str().into()),
        );
        put("sandbox_provider", text(&self.sandbox_provider));
        put("permission_policy", self.policy(policy));
        if let Some(path) = &self.system {
            put("system", Some(system(path)?.into()));
        }
        Ok(body)
    }

    fn policy(&self, now: Option<&Value>) -> Option<Value> {
        let Some(seconds) = self.ask_timeout else {
            return self.permission.clone();
        };
        let base = self.permission.as_ref().or(now);
        let mut policy = base.and_then(Value::as_object).cloned().unwrap_or_default();
        policy.insert(ASK_TIMEOUT.to_owned(), seconds.into());
        Some(Value::Object(policy))
    }
}

fn system(path: &Path) -> Result<String, Failure> {
    let told = |why: &str| Failure::usage(format!("the system prompt {}: {why}", path.display()));
    let mut text = String::new();
    let read = if path.as_os_str() == "-" {
        std::io::stdin()
            .lock()
            .take(LIMIT)
            .read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(LIMIT).read_to_string(&mut text))
    };
    read.map_err(|error| told(&error.to_string()))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_was_said_is_sent() {
        let fields = Fields {
            model: Some("a/b".into()),
            sandbox_mode: Some(SandboxMode::Persistent),
            ..Fields::default()
        };
        assert_eq!(
            Value::Object(fields.body(None).unwrap()),
            json!({"model": "a/b", "sandbox_mode": "persistent"})
        );
        assert!(
            Fields::default()
                .body(Some(&json!({"execute": "ask"})))
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn an_ask_timeout_alone_keeps_the_verdicts() {
        let fields = Fields {
            ask_timeout: Some(60),
            ..Fields::default()
        };
        let policy = |fields: &Fields, now: Option<Value>| {
            fields.body(now.as_ref()).unwrap()["permission_policy"].clone()
        };
        assert_eq!(
            policy(&fields, Some(json!({"execute": "ask"}))),
            json!({"execute": "ask", "ask_timeout": 60})
        );
        assert_eq!(policy(&fields, None), json!({"ask_timeout": 60}));
        let both = Fields {
            permission: Some(json!({"default": "ask"})),
            ..fields
        };
        assert_eq!(
            policy(&both, Some(json!({"execute": "ask"}))),
            json!({"default": "ask", "ask_timeout": 60})
        );
    }
}
