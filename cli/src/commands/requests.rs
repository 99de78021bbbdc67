//! The table of `fountain requests`.

mod answer;
mod list;
mod show;

use clap::Subcommand;

use crate::context::Context;
use crate::failure::Failure;

/// Show and answer what waits for a person, on every conversation
///
/// Example: fountain requests answer 0.1f0c9a5e7d3b2a46 --option allow_once
#[derive(clap::Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    list: list::Args,
}

#[derive(Subcommand, Clone, Debug)]
enum Verb {
    List(list::Args),
    Show(show::Args),
    Answer(answer::Args),
}

/// Runs the command.
pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    match args.verb {
        None => list::run(args.list, cx).await,
        Some(Verb::List(args)) => list::run(args, cx).await,
        Some(Verb::Show(args)) => show::run(args, cx).await,
        Some(Verb::Answer(args)) => answer::run(args, cx).await,
    }
}
