//! `fountain conv stream`: its flags, its help and what it does.

use crate::client::Client;
use crate::context::Context;
use crate::failure::Failure;
use crate::follow::{self, Plan, Turn, Until};
use crate::resolve;
use crate::signals::Signals;
use crate::ui::transcript::Transcript;

/// Replay a conversation and follow it
///
/// It goes on until the conversation is terminated or Ctrl-C is pressed, which stops nothing. On a terminal, what
/// waits for a person can be answered.
///
/// Example: fountain conv stream 019ad0b2 --turn
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The conversation
    conversation: String,
    /// End with what is stored
    #[arg(long)]
    no_follow: bool,
    /// End with the turn that runs, or the next one, and exit as `run` does
    #[arg(long, conflicts_with = "no_follow")]
    turn: bool,
    /// Begin after this event
    #[arg(long, value_name = "EVENT", default_value_t = 0, hide_default_value = true, value_parser = event)]
    after: i64,
    /// Print the events as they are, one JSON object a line
    #[arg(long)]
    json: bool,
}

/// The position of an event, as a flag.
pub(super) fn event(text: &str) -> Result<i64, String> {
    let position = text.trim().parse().ok().filter(|position| *position >= 0);
    position.ok_or_else(|| "it takes the number of an event, from 0 on".to_owned())
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let id = resolve::conversation_id(&client, &args.conversation).await?;
    let mut signals = Signals::listen()?;
    let mut transcript = Transcript::new(follow::look(cx, true));
    let turn = turns(&client, &id, &mut transcript).await?;
    let plan = Plan {
        until: if args.turn {
            Until::TurnEnds
        } else {
            Until::Gone
        },
        turn: if args.turn { turn } else { Turn::default() },
        wait: !args.no_follow,
        stops: false,
        json: args.json,
        ..Plan::turn(id, args.after, Turn::default())
    };
    follow::follow(cx, &client, plan, transcript, &mut signals).await
}

/// Learns the prompts, and which turn runs or comes next.
async fn turns(client: &Client, id: &str, transcript: &mut Transcript) -> Result<Turn, Failure> {
    let turns = client
        .turns(id)
        .await
        .map_err(|error| resolve::absent_conversation(id, error))?;
    for turn in &turns {
        transcript.prompt(&turn.id, &turn.prompt);
    }
    let last = turns.last();
    let runs = last.filter(|turn| matches!(&*turn.status, "pending" | "running"));
    Ok(match runs {
        Some(turn) => Turn {
            id: Some(turn.id.clone()),
            number: Some(turn.turn_number),
        },
        None => Turn {
            id: None,
            number: Some(last.map_or(0, |turn| turn.turn_number) + 1),
        },
    })
}
