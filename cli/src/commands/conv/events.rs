//! `fountain conv events`: its flags, its help and what it does.

use fountain_core::api::events::{Event, Query};

use crate::context::Context;
use crate::failure::Failure;
use crate::resolve;
use crate::ui::Table;

/// Print the stored events of a conversation, oldest first
///
/// Example: fountain conv events 019ad0b2 --streams stage --json
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The conversation
    conversation: String,
    /// Begin after this event
    #[arg(long, value_name = "EVENT", value_parser = super::stream::event)]
    after: Option<i64>,
    /// So many at most; without it all
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Only these: acp, stdout, stderr, stage
    #[arg(long, value_name = "STREAM,…", value_delimiter = ',', value_parser = STREAMS, hide_possible_values = true)]
    streams: Vec<String>,
    /// With rendered blocks
    #[arg(long, requires = "json")]
    blocks: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What an event can be of.
const STREAMS: [&str; 4] = ["acp", "stdout", "stderr", "stage"];
/// The most the instance gives at once.
const PAGE: usize = 1_000;

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let id = resolve::conversation_id(&client, &args.conversation).await?;
    let wanted = args.limit.unwrap_or(usize::MAX);
    let mut after = args.after;
    let mut all: Vec<Event> = Vec::new();
    while all.len() < wanted {
        let query = Query {
            after: after.map(|after| after.to_string()),
            limit: Some((wanted - all.len()).min(PAGE).to_string()),
            streams: (!args.streams.is_empty()).then(|| args.streams.join(",")),
            blocks: args.blocks.then(|| "true".to_owned()),
            wait: None,
        };
        let page = client
            .events(&id, &query)
            .await
            .map_err(|error| resolve::absent_conversation(&id, error))?;
        all.extend(page.data);
        match page.meta.next_cursor {
            Some(next) if page.meta.has_more => after = Some(next),
            _ => break,
        }
    }
    if args.json {
        return cx.ui.json(&all);
    }
    let mut table = Table::new(&["EVENT", "TIME", "WHAT", "DATA"], &[0, 1]);
    for event in &all {
        let what = match (&event.stage, &event.state) {
            (Some(stage), Some(state)) if event.kind == "stage" => format!("{stage} {state}"),
            _ => event.stream.clone().unwrap_or_else(|| event.kind.clone()),
        };
        table.row([
            event.id.to_string(),
            event.ts.clone(),
            what,
            event.data.clone().unwrap_or_default(),
        ]);
    }
    cx.ui.table(table, "no events")
}
