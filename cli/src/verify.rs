//! `fountain verify`: the deterministic profile of an instance, through its public API and through `fountain acp`.
//! It judges nothing that a model decides, and leaves nothing behind.

mod editor;
mod instance;
mod play;
mod profile;

use std::time::{Duration, Instant};

pub(crate) use instance::Private;
pub(crate) use profile::Profile;

use fountain_core::settings::Secret;

use crate::client::Client;
use crate::signals::Signal;

/// The instance that is looked at.
pub(crate) struct Target {
    /// A client with its key.
    pub(crate) client: Client,
    /// The key, for `fountain acp`.
    pub(crate) key: Secret,
}

/// How a verification ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Everything is as it should be.
    Good,
    /// Something is not.
    Different,
    /// A signal came first.
    Stopped(Signal),
}

impl End {
    fn of(good: bool) -> Self {
        if good { Self::Good } else { Self::Different }
    }

    /// The end once one more thing was looked at; what was stopped stays so.
    pub(crate) fn and(self, good: bool) -> Self {
        match self {
            Self::Good => Self::of(good),
            ended => ended,
        }
    }
}

/// One check.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// What was looked at.
    pub(crate) check: &'static str,
    /// How long it took.
    pub(crate) took: Duration,
    /// What was found instead, when it is not as it should be.
    pub(crate) difference: Option<String>,
}

impl Checked {
    /// Makes one of what a check came to.
    pub(crate) fn of(check: &'static str, began: Instant, result: Result<(), String>) -> Self {
        Self {
            check,
            took: began.elapsed(),
            difference: result.err(),
        }
    }
}
