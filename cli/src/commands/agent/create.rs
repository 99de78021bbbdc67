//! `fountain agent create`: its flags, its help and what it does.

use super::fields::Fields;
use super::notes;
use crate::context::Context;
use crate::failure::Failure;
use crate::permission;
use crate::ui::safe;

/// Make an agent
///
/// Example: fountain agent create reviewer --runtime acp --command "my-agent --acp" --permission execute=ask
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// Its name
    name: String,
    /// What runs: acp runs any command that speaks ACP
    #[arg(long)]
    runtime: String,
    #[command(flatten)]
    fields: Fields,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let mut body = args.fields.body(None)?;
    body.insert("name".into(), args.name.into());
    body.insert("runtime".into(), args.runtime.into());
    permission::warn(body.get("permission_policy"), &cx.ui);
    let agent = cx.client().await?.create_agent(&body).await?;
    if args.json {
        cx.ui.json(&agent)?;
    } else {
        cx.ui.data(&agent.id)?;
        cx.ui
            .status(&format!("agent {} is made", safe::line(&agent.name)));
    }
    notes::tell(&agent, cx);
    Ok(())
}
