//! The daemon's settings: defaults, then the file's text, then the environment, then flags, to one checked value.
//! A pure function of its sources: reading the file and the environment is the caller's part.

mod checks;
mod choice;
mod environment;
mod file;
mod given;
mod invalid;
mod keys;
mod model;
mod nearest;
mod print;
mod rate;
mod read;
mod secret;
pub mod size;
mod slot;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::PathBuf;

// The same types as in the standard library's networking module, without the sockets.
use core::net::SocketAddr;

use given::Given;
use keys::Found;

pub use choice::{CodexMode, SandboxKind};
pub use invalid::{Invalid, Mistake, Place};
pub use keys::{KEYS, Key, RUNTIMES};
pub use model::{
    Account, Credits, Fixture, Limits, RuntimeSettings, Sandbox, Secrets, Settings, Stream,
    Telemetry, Webhooks,
};
pub use rate::Rate;
pub use read::address;
pub use secret::{MASK, Secret};

/// Where settings come from, the weakest first; what is left out here or there keeps its default.
/// No `Debug`, as it may hold secrets.
#[derive(Clone, Copy, Default)]
pub struct Sources<'a> {
    /// The configuration file, when there is one.
    pub file: Option<File<'a>>,
    /// The environment as names and values; what is not ours is passed over.
    pub environment: &'a [(String, String)],
    /// What the command line says.
    pub flags: Option<&'a Flags>,
}

/// A configuration file that was read already. No `Debug`, as it may hold secrets.
#[derive(Clone, Copy)]
pub struct File<'a> {
    /// What messages call it, usually its path.
    pub name: &'a str,
    /// Its TOML text.
    pub text: &'a str,
}

/// The settings that have a flag of their own; `None` is a flag that was not given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--listen`, read by [`address`].
    pub listen: Option<SocketAddr>,
    /// `--data-dir`.
    pub data_dir: Option<PathBuf>,
}

impl Settings {
    /// Joins the sources, the stronger over the weaker, and checks the whole; every mistake found is told at once.
    pub fn load(sources: &Sources<'_>) -> Result<Self, Invalid> {
        Draft::of(sources).finish()
    }
}

impl Flags {
    /// What the sources say of these settings, whatever else is wrong with them: for whoever looks for a daemon.
    pub fn of(sources: &Sources<'_>) -> Self {
        let draft = Draft::of(sources);
        let listens = draft.set.iter().any(|(key, _)| key == "listen");
        Self {
            listen: listens.then_some(draft.settings.listen),
            data_dir: draft.settings.data_dir,
        }
    }
}

/// Settings in the making.
#[derive(Default)]
struct Draft {
    settings: Settings,
    mistakes: Vec<Mistake>,
    /// Which keys were set and where, in the order of the sources.
    set: Vec<(String, Place)>,
    /// Keys whose value could not be read: checks over the whole leave them alone.
    unread: BTreeSet<String>,
    /// The file is no TOML, so what it wanted is not known.
    unknown: bool,
}

impl Draft {
    /// Everything the sources say, the stronger over the weaker.
    fn of(sources: &Sources<'_>) -> Self {
        let mut draft = Self::default();
        if let Some(file) = sources.file {
            file::read(&mut draft, file);
        }
        environment::read(&mut draft, sources.environment);
        if let Some(flags) = sources.flags {
            draft.flags(flags);
        }
        draft
    }

    /// Gives one key its value, or notes why that cannot be.
    fn set(&mut self, found: &Found, given: &Given, place: Place) {
        let path = found.path();
        match found.slot(&mut self.settings).read(given) {
            Ok(()) => {
                // A value that works replaces one that did not, but the mistake stays told.
                self.set.push((path, place));
            }
            Err(why) => {
                self.unread.insert(path.clone());
                self.mistake(place, format!("`{path}` {why}"));
            }
        }
    }

    fn flags(&mut self, flags: &Flags) {
        if let Some(listen) = flags.listen {
            self.settings.listen = listen;
            self.set
                .push(("listen".to_owned(), Place::Flag("--listen")));
        }
        if let Some(data_dir) = &flags.data_dir {
            self.settings.data_dir = Some(data_dir.clone());
            self.set
                .push(("data_dir".to_owned(), Place::Flag("--data-dir")));
        }
    }

    fn mistake(&mut self, place: Place, sentence: String) {
        self.mistakes.push(Mistake { place, sentence });
    }

    fn finish(mut self) -> Result<Settings, Invalid> {
        if !self.unknown {
            for broken in checks::broken(&self.settings) {
                if broken.keys.iter().any(|key| self.unread.contains(key)) {
                    continue;
                }
                // The strongest source that touched one of the keys is where the change is made.
                let set = self.set.iter().rev();
                let place = set
                    .filter(|(key, _)| broken.keys.contains(key))
                    .map(|(_, place)| place.clone())
                    .next();
                self.mistake(place.unwrap_or(Place::Defaults), broken.sentence);
            }
        }
        if self.mistakes.is_empty() {
            Ok(self.settings)
        } else {
            Err(Invalid {
                mistakes: self.mistakes,
            })
        }
    }
}
