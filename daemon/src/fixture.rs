//! The built-in ACP agent, `fountain fixture`: no model and no network; the words of the prompt decide what it does.
//! A session's id is random; everything else it writes follows from the prompts and from the answers it is given.
//! `fixture/help.md`, the answer to `help`, is the definition of its language:
//!
#![doc = include_str!("fixture/help.md")]

mod agent;
mod answer;
mod command;
mod desk;
mod execute;
mod files;
mod language;
mod permission;
mod session;
mod shared;
mod stream;
#[cfg(test)]
mod tests;
mod tools;
mod turn;
mod updates;
mod wire;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agent::Agent;
use wire::{Line, Out};

/// The longest line it takes from a client.
const LINE_LIMIT: u64 = 64 * 1024 * 1024;

/// How long running turns get to end once the client has gone.
const PARTING: Duration = Duration::from_secs(2);

/// Serves one client on stdin and stdout until stdin ends.
pub fn main() -> ExitCode {
    let (input, output) = match own_stdio() {
        Ok(pair) => pair,
        Err(error) => {
            // With stderr gone as well there is nobody left to tell.
            let _ = writeln!(
                io::stderr(),
                "fountain fixture: no stdin and stdout: {error}"
            );
            return ExitCode::FAILURE;
        }
    };
    let host = Host {
        home: std::env::var_os("HOME")
            .filter(|home| !home.is_empty())
            .map(PathBuf::from),
        stderr: Out::new(io::stderr()),
        exit: Box::new(|code| std::process::exit(code)),
    };
    serve(BufReader::with_capacity(64 * 1024, input), output, host);
    ExitCode::SUCCESS
}

/// What the agent is given of the process it lives in; a test gives something else.
struct Host {
    /// Where sessions are kept; without a home they last as long as the process.
    home: Option<PathBuf>,
    stderr: Out,
    /// Ends the process at once, for `crash`.
    exit: Box<dyn Fn(i32) + Send + Sync>,
}

/// The pipes themselves: std's handles would put a buffer of their own in between.
fn own_stdio() -> io::Result<(File, File)> {
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    Ok((File::from(input), File::from(output)))
}

/// Reads lines until the input ends, then stops what still runs.
fn serve(mut input: impl BufRead, output: impl Write + Send + 'static, host: Host) {
    // Nothing is ever sent here: the channel closes when the last thread of a turn has dropped its end.
    let (alive, ended) = mpsc::channel();
    let mut agent = Agent::new(Out::new(output), host, alive);
    let mut line = Vec::new();
    loop {
        match wire::read_line(&mut input, &mut line, LINE_LIMIT) {
            Ok(Line::Whole) => agent.handle(&line),
            Ok(Line::TooLong) => agent.too_long(LINE_LIMIT),
            Ok(Line::End) | Err(_) => break,
        }
    }
    agent.part();
    // A client that does not read its output any more must not keep the process; whatever is stuck ends with it.
    let _ = ended.recv_timeout(PARTING);
}

/// Locks, also after a panic elsewhere: no update of what is behind these locks stops halfway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
