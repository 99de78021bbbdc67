//! `fountain conv prompt`: its flags, its help and what it does.

use fountain_core::api::conversations::Prompt;

use crate::commands::run::{Following, Opened, patiently, tell_id};
use crate::context::Context;
use crate::failure::Failure;
use crate::follow::Turn;
use crate::signals::Signals;
use crate::{prompt, resolve};

/// Send a prompt to a conversation and follow its turn
///
/// Everything is as with `fountain run`.
///
/// Example: fountain conv prompt 019ad0b2 -p "and now the tests"
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The conversation
    conversation: String,
    #[command(flatten)]
    prompt: prompt::Args,
    /// A label of this submission, kept with its turn
    #[arg(long, value_name = "ID")]
    client_request_id: Option<String>,
    #[command(flatten)]
    following: Following,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let prompt = Prompt {
        prompt: args.prompt.text(cx)?,
        images: args.prompt.images()?,
        client_request_id: args.client_request_id,
    };
    let client = cx.client().await?;
    let id = resolve::conversation_id(&client, &args.conversation).await?;
    let mut signals = Signals::listen()?;
    let (accepted, early) = patiently(client.prompt(&id, &prompt), &mut signals).await?;
    let accepted = accepted.map_err(|error| resolve::absent_conversation(&id, error))?;
    if args.following.detach() {
        return match args.following.json() {
            true => cx.ui.json(&accepted),
            false => cx.ui.data(&id),
        };
    }
    tell_id(cx, &id);
    let opened = Opened {
        conversation: id,
        after: accepted.after.0,
        turn: Turn {
            id: Some(accepted.turn_id),
            number: Some(accepted.turn_number),
        },
        signals,
        early,
    };
    args.following.follow(cx, &client, opened).await
}
