//! `fountain conv turns`: its flags, its help and what it does.

use fountain_core::api::conversations::Turn;

use crate::context::Context;
use crate::failure::Failure;
use crate::resolve;
use crate::ui::{Table, transcript, when};

/// List the turns of a conversation
///
/// Example: fountain conv turns 019ad0b2 --json
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
    let id = resolve::conversation_id(&client, &args.conversation).await?;
    let turns = client
        .turns(&id)
        .await
        .map_err(|error| resolve::absent_conversation(&id, error))?;
    if args.json {
        return cx.ui.json(&turns);
    }
    cx.ui.table(table(&turns), "no turns yet")
}

/// The turns for people.
pub(super) fn table(turns: &[Turn]) -> Table {
    let mut table = Table::new(&["TURN", "STATUS", "TOOK", "PROMPT"], &[0, 1]);
    for turn in turns {
        let took = turn
            .started_at
            .zip(turn.ended_at)
            .map(|(from, to)| when::span(to.since(from)));
        table.row([
            turn.turn_number.to_string(),
            status(turn),
            took.unwrap_or_else(|| "-".to_owned()),
            transcript::told(&turn.prompt).into_owned(),
        ]);
    }
    table
}

fn status(turn: &Turn) -> String {
    let details = [
        turn.waiting.then(|| "waiting".to_owned()),
        turn.stop_reason
            .clone()
            .filter(|stop| !matches!(stop.as_str(), "end_turn" | "waiting" | "cancelled")),
        turn.exit_code
            .filter(|code| *code != 0)
            .map(|code| format!("exit {code}")),
    ];
    match details.into_iter().flatten().collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => turn.status.clone(),
        some => format!("{} ({some})", turn.status),
    }
}
