//! `fountain status`: its flags, its help and what it does.

use std::collections::BTreeMap;

use serde_json::json;

use crate::client::Filter;
use crate::context::Context;
use crate::failure::Failure;
use crate::ui::{Table, when};

/// Show the instance and what waits there
///
/// Example: fountain status
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let me = client.me().await?;
    let ready = client.ready().await.is_ok();
    let agents = client.agents(None).await?;
    let conversations = client
        .conversations(&Filter {
            limit: Some(500),
            ..Filter::default()
        })
        .await?;
    let open = client.requests(None).await?;
    let mut states: BTreeMap<&str, usize> = BTreeMap::new();
    for conversation in &conversations {
        *states.entry(&conversation.status).or_default() += 1;
    }
    let version = env!("CARGO_PKG_VERSION");
    if args.json {
        return cx.ui.json(&json!({
            "instance": client.base(), "ready": ready, "client_version": version, "scope": me.scope,
            "agents": agents.len(), "conversations": states, "open_requests": open.len(),
        }));
    }
    let counts: Vec<String> = states
        .iter()
        .map(|(state, count)| format!("{count} {state}"))
        .collect();
    let resolved = cx.resolve()?;
    cx.ui.facts(&[
        (
            "instance",
            Some(format!(
                "{} ({})",
                client.base(),
                if ready { "ready" } else { "not ready" }
            )),
        ),
        (
            "key",
            Some(format!(
                "{}…, scope {}, from {}",
                me.prefix,
                me.scope.as_str(),
                resolved.key_source().unwrap_or_default()
            )),
        ),
        ("agents", Some(agents.len().to_string())),
        (
            "conversations",
            Some(if counts.is_empty() {
                "none".to_owned()
            } else {
                counts.join(", ")
            }),
        ),
        (
            "waiting",
            Some(if open.is_empty() {
                "nothing".to_owned()
            } else {
                format!("{} for an answer", open.len())
            }),
        ),
        ("client", Some(format!("fountain {version}"))),
    ])?;
    if open.is_empty() {
        return Ok(());
    }
    cx.ui.data("")?;
    let now = when::now();
    let mut table = Table::new(&["REQUEST", "AGENT", "LEFT", "SUMMARY"], &[0]);
    for request in open {
        let pending = request.pending;
        table.row([
            pending.request_id,
            request.agent_name.unwrap_or_else(|| "-".to_owned()),
            when::until(pending.deadline, now),
            pending.summary.unwrap_or_default(),
        ]);
    }
    cx.ui.table(table, "")
}
