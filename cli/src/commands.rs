//! The table of commands: one variant and one arm each.

pub(crate) mod acp;
pub(crate) mod agent;
pub(crate) mod audit;
pub(crate) mod auth;
pub(crate) mod completions;
pub(crate) mod conv;
pub(crate) mod help;
pub(crate) mod man;
pub(crate) mod policy;
pub(crate) mod requests;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod status;
pub(crate) mod verify;

use std::sync::Arc;

use clap::Subcommand;

use crate::context::Context;
use crate::failure::Failure;

/// What can be asked for.
#[derive(Subcommand)]
pub enum Command {
    Run(run::Args),
    Conv(conv::Args),
    Requests(requests::Args),
    Agent(agent::Args),
    Policy(policy::Args),
    Audit(audit::Args),
    Acp(acp::Args),
    Serve(serve::Serve),
    Auth(auth::Args),
    Status(status::Args),
    Verify(verify::Args),
    Completions(completions::Args),
    Man(man::Args),
    Help(help::Args),
}

/// Does what needs neither a network nor anything to wait for; nothing else.
pub(crate) fn at_once(command: &Command, cx: &Context) -> Option<Result<(), Failure>> {
    match command {
        Command::Completions(args) => Some(completions::run(args, cx)),
        Command::Man(args) => Some(man::run(args, cx)),
        Command::Help(args) => Some(help::run(args, cx)),
        _ => None,
    }
}

/// Does the others.
pub(crate) async fn run(command: Command, cx: &Arc<Context>) -> Result<(), Failure> {
    match command {
        Command::Run(args) => run::run(args, cx).await,
        Command::Conv(args) => conv::run(args, cx).await,
        Command::Requests(args) => requests::run(args, cx).await,
        Command::Agent(args) => agent::run(args, cx).await,
        Command::Policy(args) => policy::run(args, cx).await,
        Command::Audit(args) => audit::run(args, cx).await,
        Command::Acp(args) => acp::run(args, cx).await,
        Command::Auth(args) => auth::run(args, cx).await,
        Command::Status(args) => status::run(args, cx).await,
        Command::Verify(args) => verify::run(args, cx).await,
        // Handed over or done before.
        Command::Serve(_) | Command::Completions(_) | Command::Man(_) | Command::Help(_) => Ok(()),
    }
}
