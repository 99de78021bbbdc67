//! What whoever made or changed an agent should know about it, beside the result.

use fountain_core::api::agents::Agent;
use fountain_core::policy::ASK_TIMEOUT;

use crate::context::Context;

/// The runtimes that this version has names for and does not start.
const NOT_STARTED: [&str; 4] = ["claude", "codex", "gemini", "opencode"];
/// It never asks, so no policy can make it.
const NEVER_ASKS: &str = "opencode";

/// Says what there is to say.
pub(super) fn tell(agent: &Agent, cx: &Context) {
    for note in of(agent) {
        cx.ui.status(&format!("note: {note}"));
    }
}

fn of(agent: &Agent) -> Vec<String> {
    let mut notes = Vec::new();
    let runtime = agent.runtime.as_str();
    if NOT_STARTED.contains(&runtime) {
        notes.push(format!(
            "this version does not start the runtime `{runtime}`; give its command to an agent of the runtime `acp`"
        ));
    }
    let policy = agent
        .permission_policy
        .as_ref()
        .and_then(|policy| policy.as_object());
    let decides = policy.is_some_and(|policy| policy.keys().any(|key| key != ASK_TIMEOUT));
    if !decides && runtime != NEVER_ASKS {
        notes.push(
            "its policy is empty, so every tool runs; --permission ask makes it ask".to_owned(),
        );
    }
    notes
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn an_agent_that_never_asks_and_one_that_never_starts_are_told() {
        let notes = |runtime: &str, policy: Value| {
            let agent: Agent = serde_json::from_value(json!({
                "id": "a", "name": "n", "runtime": runtime, "permission_policy": policy, "conversation_count": 0,
                "inserted_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
            }))
            .unwrap();
            of(&agent)
        };
        for policy in [Value::Null, json!({}), json!({"ask_timeout": 60})] {
            let told = notes("acp", policy.clone());
            assert!(
                told.len() == 1 && told[0].contains("--permission ask"),
                "{policy}: {told:?}"
            );
        }
        assert!(notes("acp", json!({"execute": "ask", "ask_timeout": 60})).is_empty());
        assert_eq!(
            notes("claude", json!({"default": "ask"})),
            [
                "this version does not start the runtime `claude`; give its command to an agent of the runtime `acp`"
            ]
        );
        assert_eq!(
            (
                notes("claude", Value::Null).len(),
                notes("opencode", Value::Null).len()
            ),
            (2, 1)
        );
        assert!(notes("fountain-fixture", json!({"default": "ask"})).is_empty());
    }
}
