//! `fountain conv interrupt` and `fountain conv terminate`: their flags, their help and what they do.

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::resolve;

/// Which one.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The conversation
    conversation: String,
}

/// Stops the turn that runs.
pub(crate) async fn interrupt(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let id = resolve::conversation_id(&client, &args.conversation).await?;
    match client.interrupt(&id).await {
        Ok(()) => {
            cx.ui.status(&format!("the turn of {id} is being stopped"));
            Ok(())
        }
        Err(error) if error.status() == Some(409) => Err(Failure::new(
            Kind::Refused,
            format!("no turn is running in {id}"),
        )),
        Err(error) => Err(resolve::absent_conversation(&id, error)),
    }
}

/// Ends the conversation.
pub(crate) async fn terminate(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let id = resolve::conversation_id(&client, &args.conversation).await?;
    client
        .terminate(&id)
        .await
        .map_err(|error| resolve::absent_conversation(&id, error))?;
    cx.ui
        .status(&format!("{id} is terminated; it stays readable"));
    Ok(())
}
