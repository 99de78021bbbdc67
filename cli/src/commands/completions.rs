//! `fountain completions`: its flags, its help and what it does.

use clap_complete::Shell;

use crate::context::Context;
use crate::failure::Failure;
use crate::generate;

/// Print the completions of a shell
///
/// Example: fountain completions bash > ~/.local/share/bash-completion/completions/fountain
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command.
pub(crate) fn run(args: &Args, cx: &Context) -> Result<(), Failure> {
    cx.ui.bytes(&generate::completion(args.shell))
}
