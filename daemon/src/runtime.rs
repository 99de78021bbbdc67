//! Runtimes: how each is started and talked to. A runtime is one value in one table.

pub mod link;
pub mod session;
mod stderr;

use fountain_core::settings::Fixture;

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
    /// The built-in agent, copied into the sandbox: a seam for tests of a deployed instance.
    Fixture,
}

/// The runtime that only a test instance offers.
pub const FIXTURE: &str = "fountain-fixture";

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
        name: FIXTURE,
        asks: Asks::Yes,
        start: Some(Start::Fixture),
    },
];

/// Finds a runtime by its name.
pub fn find(name: &str) -> Option<&'static Runtime> {
    RUNTIMES.iter().find(|runtime| runtime.name == name)
}

/// Whether an instance offers a runtime: all but the fixture's, and that one only to the user it is for.
pub fn is_offered(runtime: &Runtime, fixture: &Fixture, owner: &str) -> bool {
    runtime.name != FIXTURE || (fixture.enabled && fixture.user_id.as_deref() == Some(owner))
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
    fn the_fixture_is_for_one_user_alone() {
        let fixture = find(FIXTURE).unwrap();
        let set = |enabled, user: Option<&str>| Fixture {
            enabled,
            user_id: user.map(str::to_owned),
        };
        for (settings, offered) in [
            (set(true, Some("me")), true),
            (set(true, Some("other")), false),
            (set(true, None), false),
            (set(false, Some("me")), false),
        ] {
            assert_eq!(is_offered(fixture, &settings, "me"), offered);
            assert!(is_offered(find("acp").unwrap(), &settings, "me"));
        }
    }

    #[test]
    fn opencode_never_asks() {
        assert_eq!(find("opencode").map(|runtime| runtime.asks), Some(Asks::No));
        assert!(find("Claude").is_none());
    }
}
