//! The daemon's log on stderr: never a key, never a prompt.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

/// How it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Starts the log. `level` is a level, or levels by module (`info,fountain_daemon::http=debug`).
///
/// # Errors
/// When the level is none.
pub fn start(level: &str, format: Format) -> Result<(), ParseError> {
    let filter = EnvFilter::try_new(level)?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // A second start, as in tests, keeps the first log.
    let _ = match format {
        Format::Text => log.with_ansi(std::io::stderr().is_terminal()).try_init(),
        Format::Json => log.json().flatten_event(true).try_init(),
    };
    Ok(())
}
