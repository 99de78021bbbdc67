//! `fountain audit`: its flags, its help and what it does.

use std::time::Duration;

use fountain_core::api::audit::Entry;
use fountain_core::duration;
use fountain_core::time::Timestamp;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::ui::{Table, when};

/// Show the audit trail: what was refused, and what people and keys did
///
/// The newest comes last. It holds names and counts: never a command, a path, a title or a value. What was
/// permitted is not in it.
///
/// Example: fountain audit --since 1d --action conversation.permission
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Only what happened in this span up to now, such as 2h or 3d
    #[arg(long, value_name = "DURATION", value_parser = span)]
    since: Option<Duration>,
    /// Only actions that begin so
    #[arg(long, value_name = "PREFIX")]
    action: Option<String>,
    /// The most rows, the newest ones
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn span(text: &str) -> Result<Duration, String> {
    duration::parse(text).map_err(|why| why.to_string())
}

/// The moment that long ago, as the API reads it.
pub(super) fn ago(span: Duration) -> Timestamp {
    let millis = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
    Timestamp(when::now().0.saturating_sub(millis).max(0))
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let since = args.since.map(|span| ago(span).to_string());
    let mut entries = client
        .audit(since.as_deref(), args.action.as_deref(), args.limit)
        .await?;
    if args.json {
        return cx.ui.json(&entries);
    }
    entries.reverse();
    let mut table = Table::new(&["TIME", "ACTOR", "ACTION", "ABOUT", "DETAILS"], &[0, 2]);
    for entry in &entries {
        table.row([
            entry.inserted_at.to_string(),
            entry.actor.clone(),
            entry.action.clone(),
            about(entry),
            details(entry),
        ]);
    }
    cx.ui.table(table, "nothing is recorded")
}

fn about(entry: &Entry) -> String {
    match (&entry.resource_type, &entry.resource_id) {
        (Some(kind), Some(id)) => format!("{kind} {id}"),
        (Some(only), None) | (None, Some(only)) => only.clone(),
        (None, None) => "-".to_owned(),
    }
}

fn details(entry: &Entry) -> String {
    let pairs = entry.metadata.iter().map(|(name, value)| match value {
        Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    });
    pairs.collect::<Vec<_>>().join(" ")
}
