//! The table of `fountain auth`.

mod list;
mod login;
mod logout;
mod select;
mod token;
mod whoami;

use clap::Subcommand;

use crate::context::Context;
use crate::failure::Failure;

/// Save keys, and choose between them
///
/// A profile is an instance and a key for it. An instance on this machine makes its own profile when it starts
/// for the first time, so you need this for other instances only.
///
/// Example: fountain auth login --profile work --base-url https://fountain.example
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Clone, Debug)]
enum Verb {
    Login(login::Args),
    Logout(logout::Args),
    Whoami(whoami::Args),
    List(list::Args),
    Use(select::Args),
    Token(token::Args),
}

/// Runs the command.
pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    match args.verb {
        Verb::Login(args) => login::run(args, cx).await,
        Verb::Logout(args) => logout::run(args, cx).await,
        Verb::Whoami(args) => whoami::run(args, cx).await,
        Verb::List(args) => list::run(args, cx),
        Verb::Use(args) => select::run(&args, cx),
        Verb::Token(args) => token::run(args, cx).await,
    }
}
