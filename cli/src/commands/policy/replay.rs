//! `fountain policy replay`: its flags, its help and what it does.

use std::time::Duration;

use fountain_core::api::policy::{Change, Replay};
use serde_json::Value;

use crate::commands::audit::{ago, span};
use crate::context::Context;
use crate::failure::Failure;
use crate::permission;
use crate::resolve;
use crate::ui::{Table, safe};

/// Tell what a policy would have decided about the requests recorded so far
///
/// It is tried in place of the agent's own policy; what each launch asked for still counts. Titles were redacted
/// before they were recorded, so a key that equals a title with a secret in it is not found.
///
/// Example: fountain policy replay --agent demo --permission execute=auto_allow --since 7d
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The agent, by name or id
    #[arg(long, value_name = "AGENT")]
    agent: String,
    /// The policy to try: a verdict (ask), or pairs (execute=ask,edit=auto_deny)
    #[arg(long, value_name = "POLICY", value_parser = permission::parse)]
    permission: Value,
    /// Only requests of this span up to now, such as 2h or 3d
    #[arg(long, value_name = "DURATION", value_parser = span)]
    since: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let agent = resolve::agent(&client, &args.agent).await?;
    let asked = Replay {
        agent_id: agent.id,
        permission_policy: args.permission,
        since: args.since.map(ago),
    };
    let replayed = client.replay(&asked).await?;
    if args.json {
        return cx.ui.json(&replayed);
    }
    let mut table = Table::new(
        &["BEFORE", "AFTER", "CHANGE", "COUNT", "EXAMPLES"],
        &[0, 1, 2, 3],
    );
    for row in &replayed.rows {
        table.row([
            row.before.clone(),
            row.after.clone(),
            row.change.clone(),
            row.count.to_string(),
            examples(row),
        ]);
    }
    cx.ui.table(table, "no request is recorded")?;
    cx.ui.status(&format!(
        "{} of {} would be decided otherwise",
        replayed.changed, replayed.count
    ));
    Ok(())
}

fn examples(row: &Change) -> String {
    let kinds = row.kinds.iter().map(|kind| {
        let titles: Vec<String> = kind
            .examples
            .iter()
            .map(|title| safe::line(title))
            .collect();
        if titles.is_empty() {
            format!("{} {}", kind.kind, kind.count)
        } else {
            format!("{} {}: {}", kind.kind, kind.count, titles.join(" · "))
        }
    });
    kinds.collect::<Vec<_>>().join("; ")
}
