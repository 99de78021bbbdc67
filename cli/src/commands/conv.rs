//! The table of `fountain conv`.

mod delete;
mod events;
mod list;
mod prompt;
mod rename;
mod show;
mod stop;
mod stream;
mod turns;

use clap::Subcommand;

use crate::context::Context;
use crate::failure::Failure;

/// List, show, follow, prompt and end conversations
///
/// A conversation is named by its id, its title, or the beginning of either.
///
/// Example: fountain conv list --status running,idle
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Clone, Debug)]
enum Verb {
    List(list::Args),
    Show(show::Args),
    Stream(stream::Args),
    Prompt(prompt::Args),
    /// Stop the turn that runs
    ///
    /// Example: fountain conv interrupt 019ad0b2
    Interrupt(stop::Args),
    /// End a conversation for good; it stays readable
    ///
    /// Example: fountain conv terminate 019ad0b2
    Terminate(stop::Args),
    Rename(rename::Args),
    Delete(delete::Args),
    Turns(turns::Args),
    Events(events::Args),
}

/// Runs the command.
pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    match args.verb {
        Verb::List(args) => list::run(args, cx).await,
        Verb::Show(args) => show::run(args, cx).await,
        Verb::Stream(args) => stream::run(args, cx).await,
        Verb::Prompt(args) => prompt::run(args, cx).await,
        Verb::Interrupt(args) => stop::interrupt(args, cx).await,
        Verb::Terminate(args) => stop::terminate(args, cx).await,
        Verb::Rename(args) => rename::run(args, cx).await,
        Verb::Delete(args) => delete::run(args, cx).await,
        Verb::Turns(args) => turns::run(args, cx).await,
        Verb::Events(args) => events::run(args, cx).await,
    }
}
