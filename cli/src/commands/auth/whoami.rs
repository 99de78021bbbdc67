//! `fountain auth whoami`: its flags, its help and what it does.

use crate::context::Context;
use crate::failure::Failure;

/// Ask the instance whose key it is
///
/// Example: fountain auth whoami --json
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let me = client.me().await?;
    if args.json {
        return cx.ui.json(&me);
    }
    let resolved = cx.resolve()?;
    cx.ui.facts(&[
        ("instance", Some(client.base().to_owned())),
        ("owner", Some(me.email.clone())),
        ("role", Some(me.role.clone())),
        ("key", Some(format!("{}…", me.prefix))),
        ("scope", Some(me.scope.as_str().to_owned())),
        ("from", resolved.key_source()),
    ])
}
