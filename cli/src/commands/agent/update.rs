//! `fountain agent update`: its flags, its help and what it does.

use serde_json::Value;

use super::fields::Fields;
use super::notes;
use crate::context::Context;
use crate::failure::Failure;
use crate::permission;
use crate::resolve;
use crate::ui::safe;

/// What can be taken away.
const CLEARED: [&str; 7] = [
    "command",
    "model",
    "description",
    "permission",
    "sandbox-mode",
    "sandbox-provider",
    "system",
];

/// Change an agent; what is not named stays
///
/// A policy is replaced whole. Conversations that already run obey it from their next request on.
///
/// Example: fountain agent update reviewer --permission default=ask --clear model
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The agent
    agent: String,
    /// A new name
    #[arg(long)]
    name: Option<String>,
    /// Another runtime
    #[arg(long)]
    runtime: Option<String>,
    #[command(flatten)]
    fields: Fields,
    /// Take a value away; repeatable
    #[arg(long, value_name = "FIELD", value_parser = CLEARED)]
    clear: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let agent = resolve::agent(&client, &args.agent).await?;
    let mut body = args.fields.body(agent.permission_policy.as_ref())?;
    for (field, value) in [("name", args.name), ("runtime", args.runtime)] {
        if let Some(value) = value {
            body.insert(field.into(), value.into());
        }
    }
    for field in &args.clear {
        let name = match field.as_str() {
            "command" => "runtime_command".to_owned(),
            "permission" => "permission_policy".to_owned(),
            other => other.replace('-', "_"),
        };
        if body.insert(name, Value::Null).is_some() {
            return Err(Failure::usage(format!(
                "{field} is given and cleared at once"
            )));
        }
    }
    permission::warn(body.get("permission_policy"), &cx.ui);
    if body.is_empty() {
        return Err(Failure::usage("nothing to change was named")
            .hint("`fountain agent update --help` shows what can be"));
    }
    let agent = client.update_agent(&agent.id, &body).await?;
    if args.json {
        cx.ui.json(&agent)?;
    } else {
        cx.ui
            .status(&format!("agent {} is changed", safe::line(&agent.name)));
    }
    notes::tell(&agent, cx);
    Ok(())
}
