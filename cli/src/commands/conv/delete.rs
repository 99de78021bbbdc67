//! `fountain conv delete`: its flags, its help and what it does.

use crate::context::Context;
use crate::failure::Failure;
use crate::resolve;

/// Remove a conversation with everything it has: transcript, sandbox, processes
///
/// On a terminal it asks first; elsewhere it takes --yes.
///
/// Example: fountain conv delete 019ad0b2 --yes
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The conversation
    conversation: String,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    cx.ui.may_remove(args.yes)?;
    let client = cx.client().await?;
    let conversation = resolve::conversation(&client, &args.conversation).await?;
    let id = &conversation.id;
    let title = conversation
        .title
        .as_deref()
        .or(conversation.first_prompt.as_deref())
        .unwrap_or("no title");
    let turns = match conversation.turn_count {
        1 => "1 turn".to_owned(),
        count => format!("{count} turns"),
    };
    let question = format!("remove {id} ({title}, {turns}) for good?");
    cx.ui.removes(args.yes, &question)?;
    client
        .delete_conversation(id)
        .await
        .map_err(|error| resolve::absent_conversation(id, error))?;
    cx.ui.status(&format!("{id} is removed"));
    Ok(())
}
