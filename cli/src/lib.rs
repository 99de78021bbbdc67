//! Everything on the user's side of HTTP: the commands, the ACP adapter, the terminal.
//!
//! Code map: [`Command`] is the table of commands, and `commands/` holds one verb a file: its flags, its help and
//! what it does. `context` finds the instance and the key (`credentials`, `local`, `autostart`), `client` talks HTTP,
//! `follow` follows a turn to its end, `ui` prints, `failure` decides the exit code, `adapter` is `fountain acp`,
//! `guides` is what `fountain help` shows.
//!
//! Invariants: only `client` names the HTTP library; only `ui` prints; standard output is the result and nothing
//! else; a saved key goes only to the instance it was saved for; no command touches the network, TLS or the
//! keyring unless it needs them.

#![expect(
    rustdoc::bare_urls,
    reason = "a help text is a doc comment, and is shown as it is written"
)]

mod adapter;
mod autostart;
mod client;
mod commands;
mod context;
mod credentials;
mod environment;
mod failure;
mod follow;
pub mod generate;
mod guides;
mod local;
mod permission;
mod prompt;
mod resolve;
mod signals;
mod ui;
mod verify;

use std::env::ArgsOs;
use std::ffi::OsString;
use std::iter::Skip;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory as _, FromArgMatches as _, Parser};

use context::Context;
use failure::{Failure, Kind};
use ui::{Color, Ui};

pub use commands::Command;
pub use commands::serve::{LogFormat, Serve};

/// What follows `serve` on the command line of a daemon that is to have a session of its own.
pub(crate) const BACKGROUND: &str = "--background";

/// Which program this process is.
pub enum Side {
    /// A command that talks to an instance.
    Client(Box<Cli>),
    /// The instance itself.
    Serve(Serve),
    /// The built-in agent on stdio.
    Fixture,
    /// The first process in a sandbox, with its own arguments.
    SandboxInit(Skip<ArgsOs>),
    /// Everything is said already: a help text, a version, a mistake.
    Done(ExitCode),
}

/// One policy for every coding agent and every editor: it stands between an agent and its tools.
///
/// The first command that needs it starts an instance on this machine in the background.
///
///   fountain run demo -p "run echo hello"
#[derive(Parser)]
#[command(
    name = "fountain",
    version,
    verbatim_doc_comment,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = after_help(),
)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The saved profile to use (FOUNTAIN_PROFILE)
    #[arg(long, global = true, value_name = "NAME")]
    profile: Option<String>,
    /// The instance to talk to (FOUNTAIN_BASE_URL)
    #[arg(long, global = true, value_name = "URL")]
    base_url: Option<String>,
    /// When to use colour
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        hide_default_value = true
    )]
    color: Color,
    /// Print the result, questions and errors, nothing else
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Tell more; twice for still more
    #[arg(short, long, global = true, action = clap::ArgAction::Count, conflicts_with = "quiet")]
    verbose: u8,
    /// Never start an instance (FOUNTAIN_NO_AUTOSTART)
    #[arg(long, global = true)]
    no_autostart: bool,
}

/// Reads the command line of this process and says which side is meant. It touches nothing else: no runtime, no
/// file, no network. The one exception is a daemon that was started in the background, which leaves the terminal
/// of whoever started it.
pub fn parse() -> Side {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    match args.get(1).and_then(|first| first.to_str()) {
        // Both are started by the daemon, often, and in places where nothing else may happen before.
        Some("sandbox-init") => return Side::SandboxInit(std::env::args_os().skip(2)),
        Some("fixture") => return Side::Fixture,
        _ => {}
    }
    color_of(&args).choose();
    let background = take_background(&mut args);
    let cli = command()
        .try_get_matches_from(&args)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    match cli {
        Ok(Cli {
            command: Command::Serve(serve),
            ..
        }) => Side::Serve(Serve {
            background,
            ..serve
        }),
        Ok(cli) => Side::Client(Box::new(cli)),
        Err(error) => Side::Done(told(&error)),
    }
}

/// The command line as a description, for completions, manual pages and tests.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Does what was asked for.
pub fn run(cli: Box<Cli>) -> ExitCode {
    let Cli { global, command } = *cli;
    let (quiet, verbose) = (global.quiet, global.verbose);
    let ui = match &command {
        Command::Acp(_) => Ui::protocol(quiet, verbose),
        _ => Ui::new(quiet, verbose),
    };
    let cx = Arc::new(Context::new(global, ui));
    let at_once = commands::at_once(&command, &cx);
    let done = at_once.unwrap_or_else(|| in_runtime(command, &cx));
    exit(&cx.ui, done.map_err(|failure| cx.explain(failure)))
}

/// Runs a command that waits for something.
fn in_runtime(command: Command, cx: &Arc<Context>) -> Result<(), Failure> {
    // The command itself runs on this thread; connections and signals on the other, so that a second Ctrl-C
    // counts even while nobody reads what is written.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|error| Failure::failed(format!("cannot start: {error}")))?;
    let done = runtime.block_on(commands::run(command, cx));
    // A keyring that never answers is not waited for.
    runtime.shutdown_background();
    done
}

fn exit(ui: &Ui, done: Result<(), Failure>) -> ExitCode {
    let done = done.and_then(|()| ui.screen().finish().map_err(ui::output));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = ui.screen().finish();
            ui.failure(&failure);
            ExitCode::from(failure.kind.code())
        }
    }
}

/// Prints what clap has to say, and its exit code.
fn told(error: &clap::Error) -> ExitCode {
    match error.print() {
        _ if error.use_stderr() => ExitCode::from(Kind::Usage.code()),
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => exit(&Ui::new(false, 0), Err(ui::output(failed))),
    }
}

/// Leaves the terminal of whoever started this daemon in the background. It is no flag that people are shown.
fn take_background(args: &mut Vec<OsString>) -> bool {
    let is = |at: usize, word: &str| args.get(at).is_some_and(|arg| arg == word);
    let background = is(1, "serve") && is(2, BACKGROUND);
    if background {
        args.remove(2);
        // It fails where this process leads a session already, which is what is wanted.
        let _ = rustix::process::setsid();
    }
    background
}

/// The choice of colour also counts for what clap prints about a command line it does not understand.
fn color_of(args: &[OsString]) -> Color {
    let mut color = Color::Auto;
    for (at, arg) in args.iter().enumerate().skip(1) {
        let value = match arg.to_str() {
            Some("--") => break,
            Some("--color") => args.get(at + 1).and_then(|value| value.to_str()),
            Some(other) => other.strip_prefix("--color="),
            None => None,
        };
        if let Some(known) = value.and_then(|value| clap::ValueEnum::from_str(value, true).ok()) {
            color = known;
        }
    }
    color
}

fn after_help() -> String {
    use std::fmt::Write as _;
    let mut text = String::from("Exit codes:\n");
    for (code, meaning) in failure::EXIT_CODES {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {code:>3}  {meaning}");
    }
    text.push_str("\n`fountain COMMAND --help` tells more about a command, and `fountain help` lists the guides.");
    text
}

#[cfg(test)]
mod tests;
