//! Runtimes: how each is started and talked to. A runtime is one value in one table.

pub mod link;
pub mod session;
mod stderr;

/// Whether a runtime asks before a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// It does.
    Yes,
    /// It decides by itself and sends nothing.
    No,
    /// The command decides; it is taken at its word.
    Assumed,
}

/// One runtime.
#[derive(Debug)]
pub struct Runtime {
    /// Its name, everywhere.
    pub name: &'static str,
    /// Whether it asks.
    pub asks: Asks,
    /// How it is started; `None` when this version does not start it.
    pub start: Option<Start>,
}

/// How a runtime is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The agent's `runtime_command`, a shell line run by `sh -c` in the sandbox.
    Command,
}

/// Every runtime there is a name for.
pub const RUNTIMES: &[Runtime] = &[
    Runtime {
        name: "claude",
        asks: Asks::Yes,
        start: None,
    },
    Runtime {
        name: "codex",
        asks: Asks::Yes,
        start: None,
    },
    Runtime {
        name: "gemini",
        asks: Asks::Yes,
        start: None,
    },
    Runtime {
        name: "opencode",
        asks: Asks::No,
        start: None,
    },
    Runtime {
        name: "acp",
        asks: Asks::Assumed,
        start: Some(Start::Command),
    },
    Runtime {
        name: "fountain-fixture",
        asks: Asks::Yes,
        start: None,
    },
];

/// Finds a runtime by its name.
pub fn find(name: &str) -> Option<&'static Runtime> {
    RUNTIMES.iter().find(|runtime| runtime.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_know_the_same_names() {
        for runtime in RUNTIMES {
            assert!(
                fountain_core::settings::RUNTIMES.contains(&runtime.name),
                "{}",
                runtime.name
            );
        }
        assert_eq!(RUNTIMES.len(), fountain_core::settings::RUNTIMES.len());
    }

    #[test]
    fn opencode_never_asks() {
        assert_eq!(find("opencode").map(|runtime| runtime.asks), Some(Asks::No));
        assert!(find("Claude").is_none());
    }
}
