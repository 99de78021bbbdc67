//! The table of `fountain policy`.

mod explain;
mod replay;

use clap::Subcommand;

use crate::context::Context;
use crate::failure::Failure;

/// Look at a policy: why something is asked, and what another policy would have done
///
/// Neither changes anything. `fountain help policies` tells what a policy is.
///
/// Example: fountain policy explain --agent demo --kind execute
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Clone, Debug)]
enum Verb {
    Explain(explain::Args),
    Replay(replay::Args),
}

/// Runs the command.
pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    match args.verb {
        Verb::Explain(args) => explain::run(args, cx).await,
        Verb::Replay(args) => replay::run(args, cx).await,
    }
}
