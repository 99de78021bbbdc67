//! `fountain requests list`: its flags, its help and what it does.

use std::collections::HashSet;
use std::time::Duration;

use fountain_core::api::requests::Request;

use crate::client::Client;
use crate::context::Context;
use crate::failure::Failure;
use crate::resolve;
use crate::signals::Signals;
use crate::ui::{Table, when};

/// So often a watched list is read.
const PAUSE: Duration = Duration::from_secs(1);

/// List what waits for a person, the soonest deadline first
///
/// Example: fountain requests --watch
#[derive(clap::Args, Clone, Debug, Default)]
#[group(skip)]
pub(crate) struct Args {
    /// Only those of this conversation
    #[arg(long, value_name = "CONVERSATION")]
    conversation: Option<String>,
    /// Go on and print each new one as it comes
    #[arg(long)]
    watch: bool,
    /// Print JSON; with --watch one object a line
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let conversation = match &args.conversation {
        Some(conversation) => Some(resolve::conversation_id(&client, conversation).await?),
        None => None,
    };
    let conversation = conversation.as_deref();
    if args.watch {
        return watch(&client, conversation, args.json, cx).await;
    }
    let open = client.requests(conversation).await?;
    if args.json {
        return cx.ui.json(&open);
    }
    cx.ui.table(table(&open), "nothing waits")
}

async fn watch(
    client: &Client,
    conversation: Option<&str>,
    json: bool,
    cx: &Context,
) -> Result<(), Failure> {
    let mut signals = Signals::listen()?;
    let mut seen: HashSet<String> = HashSet::new();
    let mut pause = tokio::time::interval(PAUSE);
    loop {
        tokio::select! {
            signal = signals.next() => return Err(signal.failure()),
            _ = pause.tick() => {}
        }
        let mut open = client.requests(conversation).await?;
        let ids: HashSet<String> = open
            .iter()
            .map(|request| request.pending.request_id.clone())
            .collect();
        open.retain(|request| !seen.contains(&request.pending.request_id));
        seen = ids;
        if json {
            for request in &open {
                cx.ui.json_line(request)?;
            }
        } else if !open.is_empty() {
            cx.ui.table(table(&open), "")?;
        }
    }
}

fn table(open: &[Request]) -> Table {
    let now = when::now();
    let mut table = Table::new(
        &["REQUEST", "AGENT", "TOOL", "AGE", "LEFT", "SUMMARY"],
        &[0],
    );
    for request in open {
        let pending = &request.pending;
        table.row([
            pending.request_id.clone(),
            request.agent_name.clone().unwrap_or_else(|| "-".to_owned()),
            pending.tool.clone(),
            when::ago(pending.asked_at, now),
            when::until(pending.deadline, now),
            pending.summary.clone().unwrap_or_default(),
        ]);
    }
    table
}
