//! What the adapter says on stderr: one line each, never a secret, never on stdout.

use std::fmt::Display;
use std::io::Write;
use std::sync::Mutex;

/// How important a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// An error that was answered.
    Error,
    /// Something was left out or lost.
    Warn,
    /// What happens.
    Info,
    /// Everything else.
    Debug,
}

impl Level {
    /// Reads the word of `--log-level`.
    fn parse(word: &str) -> Option<Self> {
        match word {
            "error" => Some(Self::Error),
            "warn" => Some(Self::Warn),
            "info" => Some(Self::Info),
            "debug" => Some(Self::Debug),
            _ => None,
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Self::Error => "error: ",
            Self::Warn => "warning: ",
            Self::Info => "",
            Self::Debug => "debug: ",
        }
    }
}

/// The way to stderr.
pub(crate) struct Log {
    level: Level,
    out: Mutex<Box<dyn Write + Send>>,
}

impl Log {
    /// A log down to the level that `--log-level` names. A word that is none is told, and counts as `info`.
    pub(crate) fn new(level: Option<&str>, out: Box<dyn Write + Send>) -> Self {
        let known = level.map_or(Some(Level::Info), Level::parse);
        let log = Self {
            level: known.unwrap_or(Level::Info),
            out: Mutex::new(out),
        };
        if known.is_none() {
            let word = level.unwrap_or_default();
            log.warn(format!(
                "--log-level {word:?} is none of debug, info, warn, error: info is used"
            ));
        }
        log
    }

    pub(crate) fn error(&self, text: impl Display) {
        self.line(Level::Error, &text);
    }

    pub(crate) fn warn(&self, text: impl Display) {
        self.line(Level::Warn, &text);
    }

    pub(crate) fn info(&self, text: impl Display) {
        self.line(Level::Info, &text);
    }

    pub(crate) fn debug(&self, text: impl Display) {
        self.line(Level::Debug, &text);
    }

    fn line(&self, level: Level, text: &dyn Display) {
        if level > self.level {
            return;
        }
        let text: String = text
            .to_string()
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let line = format!("fountain acp: {}{text}\n", level.mark());
        if let Ok(mut out) = self.out.lock() {
            // Nobody is left to be told that stderr is closed.
            let _ = out.write_all(line.as_bytes());
        }
    }
}
