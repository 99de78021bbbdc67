//! `fountain conv show`: its flags, its help and what it does.

use crate::context::Context;
use crate::failure::Failure;
use crate::resolve;
use crate::ui::{Table, when};

use super::turns;

/// Show a conversation, its turns and what waits
///
/// Example: fountain conv show 019ad0b2
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The conversation
    conversation: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let conversation = resolve::conversation(&client, &args.conversation).await?;
    if args.json {
        return cx.ui.json(&conversation);
    }
    let turns = client.turns(&conversation.id).await?;
    let now = when::now();
    let ago = |then| format!("{} ago", when::ago(then, now));
    let sandbox = conversation.sandbox.as_ref();
    let usage = conversation.usage_total;
    cx.ui.facts(&[
        ("id", Some(conversation.id.clone())),
        ("title", conversation.title.clone()),
        ("status", Some(conversation.status.clone())),
        (
            "agent",
            conversation
                .agent_name
                .clone()
                .or(conversation.agent_id.clone()),
        ),
        ("runtime", Some(conversation.runtime.clone())),
        ("model", conversation.model.clone()),
        (
            "policy",
            conversation
                .permission_policy
                .as_ref()
                .map(ToString::to_string),
        ),
        (
            "sandbox",
            sandbox.map(|sandbox| {
                format!(
                    "{} ({}, {}, {})",
                    sandbox.id, sandbox.provider, sandbox.mode, sandbox.status
                )
            }),
        ),
        ("channel", conversation.channel_id.clone()),
        ("parent", conversation.parent_conversation_id.clone()),
        ("started", Some(ago(conversation.inserted_at))),
        ("active", Some(ago(conversation.last_active_at))),
        (
            "tokens",
            (usage.input + usage.output > 0)
                .then(|| format!("{} read, {} written", usage.input, usage.output)),
        ),
    ])?;
    if !turns.is_empty() {
        cx.ui.data("")?;
        cx.ui.table(turns::table(&turns), "")?;
    }
    if !conversation.pending_requests.is_empty() {
        cx.ui.data("")?;
        let mut table = Table::new(&["REQUEST", "TOOL", "LEFT", "SUMMARY"], &[0]);
        for pending in &conversation.pending_requests {
            table.row([
                pending.request_id.clone(),
                pending.tool.clone(),
                when::until(pending.deadline, now),
                pending.summary.clone().unwrap_or_default(),
            ]);
        }
        cx.ui.table(table, "")?;
    }
    Ok(())
}
