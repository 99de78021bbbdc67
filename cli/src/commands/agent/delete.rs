//! `fountain agent delete`: its flags, its help and what it does.

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::resolve;
use crate::ui::safe;

/// Remove an agent; its conversations stay readable
///
/// On a terminal it asks first; elsewhere it takes --yes.
///
/// Example: fountain agent delete reviewer --yes
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The agent
    agent: String,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    if !args.yes && !cx.ui.asks() {
        return Err(Failure::usage(
            "without a terminal to ask at, --yes is needed to remove something",
        ));
    }
    let client = cx.client().await?;
    let agent = resolve::agent(&client, &args.agent).await?;
    let name = safe::line(&agent.name);
    if !args.yes && !cx.ui.confirm(&format!("remove the agent {name}?"))? {
        cx.ui.status("nothing was removed");
        return Err(Failure::silent(Kind::Failed));
    }
    client.delete_agent(&agent.id).await?;
    cx.ui.status(&format!("agent {name} is removed"));
    Ok(())
}
