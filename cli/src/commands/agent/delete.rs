//! `fountain agent delete`: its flags, its help and what it does.

use crate::context::Context;
use crate::failure::Failure;
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
    cx.ui.may_remove(args.yes)?;
    let client = cx.client().await?;
    let agent = resolve::agent(&client, &args.agent).await?;
    let name = safe::line(&agent.name);
    cx.ui
        .removes(args.yes, &format!("remove the agent {name}?"))?;
    client.delete_agent(&agent.id).await?;
    cx.ui.status(&format!("agent {name} is removed"));
    Ok(())
}
