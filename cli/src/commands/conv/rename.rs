//! `fountain conv rename`: its flags, its help and what it does.

use serde_json::json;

use crate::context::Context;
use crate::failure::Failure;
use crate::resolve;

/// Give a conversation a title, which the agent's own titles do not replace
///
/// Example: fountain conv rename 019ad0b2 "Fix the login"
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The conversation
    conversation: String,
    /// The title
    title: String,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let id = resolve::conversation_id(&client, &args.conversation).await?;
    let renamed = client
        .update_conversation(&id, &json!({"title": args.title}))
        .await;
    let renamed = renamed.map_err(|error| resolve::absent_conversation(&id, error))?;
    cx.ui.status(&format!(
        "{id} is called {}",
        renamed.title.as_deref().unwrap_or("nothing")
    ));
    Ok(())
}
