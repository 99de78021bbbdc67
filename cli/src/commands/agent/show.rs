//! `fountain agent show`: its flags, its help and what it does.

use fountain_core::api::agents::Agent;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::resolve;
use crate::ui::when;

/// Show an agent
///
/// Example: fountain agent show demo
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The agent
    agent: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let agent = resolve::agent(&client, &args.agent).await?;
    show(&agent, args.json, cx)
}

/// Prints an agent.
pub(super) fn show(agent: &Agent, json: bool, cx: &Context) -> Result<(), Failure> {
    if json {
        return cx.ui.json(agent);
    }
    let ago = |then| Some(format!("{} ago", when::ago(then, when::now())));
    cx.ui.facts(&[
        ("id", Some(agent.id.clone())),
        ("name", Some(agent.name.clone())),
        ("description", agent.description.clone()),
        ("runtime", Some(agent.runtime.clone())),
        ("command", agent.runtime_command.clone()),
        ("model", agent.model.clone()),
        (
            "policy",
            Some(
                agent
                    .permission_policy
                    .as_ref()
                    .map_or_else(|| "none: every tool runs".to_owned(), policy),
            ),
        ),
        ("sandbox mode", agent.sandbox_mode.clone()),
        ("sandbox kind", agent.sandbox_provider.clone()),
        (
            "system prompt",
            agent
                .system
                .as_ref()
                .map(|system| format!("{} characters", system.chars().count())),
        ),
        ("conversations", Some(agent.conversation_count.to_string())),
        ("made", ago(agent.inserted_at)),
        ("changed", ago(agent.updated_at)),
    ])
}

/// A policy as `--permission` takes it, where it can be written like that.
pub(super) fn policy(policy: &Value) -> String {
    let Some(map) = policy.as_object() else {
        return policy.to_string();
    };
    let plain = |key: &str| !key.contains([',', '{']) && key.trim() == key && !key.is_empty();
    if map.is_empty() || !map.keys().all(|key| plain(key)) {
        return policy.to_string();
    }
    let pair = |(key, value): (&String, &Value)| match value.as_str() {
        Some(verdict) => format!("{key}={verdict}"),
        None => format!("{key}={value}"),
    };
    map.iter().map(pair).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_policy_is_shown_as_it_is_typed() {
        for policy_of in [
            json!({"default": "ask"}),
            json!({"execute": "ask", "ask_timeout": 60}),
            json!({"a,b": "ask"}),
        ] {
            assert_eq!(crate::permission::parse(&policy(&policy_of)), Ok(policy_of));
        }
        assert_eq!(
            policy(&json!({"execute": "ask", "edit": "auto_deny"})),
            "execute=ask,edit=auto_deny"
        );
        assert_eq!(policy(&json!({})), "{}");
    }
}
