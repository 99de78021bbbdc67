//! The table of `fountain agent`.

mod create;
mod delete;
mod fields;
mod list;
mod notes;
mod show;
mod update;

use clap::Subcommand;

use crate::context::Context;
use crate::failure::Failure;

/// List, show, make, change and remove agents
///
/// An agent is a runtime, its settings and its permission policy. It is named by its id, its name, or the
/// beginning of either.
///
/// Example: fountain agent create reviewer --runtime acp --command "my-agent --acp" --permission execute=ask
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Clone, Debug)]
enum Verb {
    List(list::Args),
    Show(show::Args),
    Create(create::Args),
    Update(update::Args),
    Delete(delete::Args),
}

/// Runs the command.
pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    match args.verb {
        Verb::List(args) => list::run(args, cx).await,
        Verb::Show(args) => show::run(args, cx).await,
        Verb::Create(args) => create::run(args, cx).await,
        Verb::Update(args) => update::run(args, cx).await,
        Verb::Delete(args) => delete::run(args, cx).await,
    }
}
