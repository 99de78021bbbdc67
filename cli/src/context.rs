//! What every command is given: the terminal, the environment, and the way to the instance.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use fountain_core::credentials::Credentials;
use fountain_core::settings::Secret;

use crate::Global;
use crate::autostart::{self, Start, There};
use crate::client::{self, Client};
use crate::credentials::keyring::{Entry, NoKey};
use crate::credentials::{self, Flags, Key, Resolved, Source, file};
use crate::environment::Environment;
use crate::failure::{Failure, Kind};
use crate::local::Local;
use crate::ui::Ui;

/// What every command is given.
pub(crate) struct Context {
    /// The only printing.
    pub(crate) ui: Ui,
    /// Which profile and instance were named.
    pub(crate) flags: Flags,
    /// The variables that count.
    pub(crate) environment: Environment,
    autostart: bool,
    /// Warnings about the credentials were given.
    warned: AtomicBool,
}

impl Context {
    /// For one command of this process.
    pub(crate) fn new(global: Global, ui: Ui) -> Self {
        let environment = Environment::of_process();
        Self {
            ui,
            flags: Flags {
                profile: global.profile,
                base_url: global.base_url,
            },
            autostart: !global.no_autostart && !environment.is_on("FOUNTAIN_NO_AUTOSTART"),
            environment,
            warned: AtomicBool::new(false),
        }
    }

    /// For a test, without an environment.
    #[cfg(test)]
    pub(crate) fn for_test(ui: Ui) -> Self {
        let environment = Environment::default();
        Self {
            ui,
            flags: Flags::default(),
            environment,
            autostart: false,
            warned: AtomicBool::new(false),
        }
    }

    /// The credentials file.
    pub(crate) fn credentials_file(&self) -> Result<PathBuf, Failure> {
        self.environment.credentials_file()
    }

    /// Instance and key, without asking the keyring or the network.
    pub(crate) fn resolve(&self) -> Result<Resolved, Failure> {
        let has_address =
            self.flags.base_url.is_some() || self.environment.get("FOUNTAIN_BASE_URL").is_some();
        let named = credentials::named_profile(&self.flags, &self.environment);
        // With everything named, a broken file is in nobody's way.
        if named.is_none() && has_address && self.environment.key().is_some() {
            return credentials::resolve(&self.flags, &self.environment, &Credentials::default());
        }
        let path = self.credentials_file()?;
        let credentials = file::read(&path)?;
        self.warn_of_readers(&path);
        let resolved = credentials::resolve(&self.flags, &self.environment, &credentials)?;
        if resolved.base_from == Source::Default
            && !matches!(resolved.key, Key::Held(_, Source::Profile) | Key::Keyring)
        {
            // Nobody says where: then it is where a daemon of this environment listens.
            let base_url = Local::of(&self.environment).url();
            return Ok(Resolved {
                base_url,
                ..resolved
            });
        }
        Ok(resolved)
    }

    /// Starts the local instance when it is the one that is meant and none is there; afterwards its owner has a
    /// profile.
    pub(crate) async fn wake(&self, resolved: Resolved) -> Result<Resolved, Failure> {
        let local = Local::of(&self.environment);
        let Some(address) = local.own(&resolved.base_url).filter(|_| self.autostart) else {
            return Ok(resolved);
        };
        let from = resolved.base_from;
        let fixed = matches!(from, Source::Flag | Source::Variable(_));
        let is_known = from != Source::Default || local.address().port() != 0;
        // Another address was named since, and whoever is at the old one is not the daemon of this environment.
        let moves = from == Source::Profile && local.listens_elsewhere(address);
        let there = if !is_known {
            There::Nobody
        } else if resolved.key != Key::None && local.runs_at(address) && autostart::listens(address)
        {
            // The usual case costs no more than this.
            There::Fountain
        } else {
            autostart::look(address, &local).await?
        };
        let listen = match there {
            There::Fountain if !moves || local.address().port() == 0 || local.is_held() => {
                // It may have written the profile just now.
                return match resolved.key {
                    Key::None => self.resolve(),
                    _ => Ok(resolved),
                };
            }
            There::Other if fixed => {
                return Err(Failure::from(client::Error::Foreign {
                    base: resolved.base_url,
                    how: "it does not answer like one".to_owned(),
                }));
            }
            There::Other if !moves => return Err(autostart::taken(address)),
            There::Nobody if is_known => local.listen_for(address, fixed),
            _ => None,
        };
        let left = (there != There::Nobody).then(|| resolved.base_url.clone());
        let instance = || {
            let resolved = self.resolve().ok()?;
            let known = is_known || resolved.base_from != Source::Default;
            let there = known && Some(&resolved.base_url) != left.as_ref();
            there.then_some(resolved.base_url)
        };
        let start = Start::new(&self.environment, &local, listen)?;
        autostart::ensure(&start, &instance, &|what| self.ui.status(what)).await?;
        self.resolve()
    }

    /// Whether the command line itself names an instance.
    pub(crate) fn names_instance(&self) -> bool {
        self.flags.base_url.is_some() || self.flags.profile.is_some()
    }

    /// A client with its key; a local instance that is not there is started.
    pub(crate) async fn client(&self) -> Result<Client, Failure> {
        self.client_and_key().await.map(|(client, _)| client)
    }

    /// The same, with the key for another process.
    pub(crate) async fn client_and_key(&self) -> Result<(Client, Secret), Failure> {
        let resolved = self.resolve()?;
        let resolved = self.wake(resolved).await?;
        if resolved.key == Key::None
            && let Some(failure) = self.nobodys(&resolved).await?
        {
            return Err(failure);
        }
        let key = self.key(&resolved).await?;
        if let Some(mixed) = resolved.mixed()
            && !self.warned.swap(true, Ordering::Relaxed)
        {
            self.ui.status(&format!("note: {mixed}"));
        }
        self.ui.verbose(&format!(
            "instance {}, profile {}, key from {}",
            resolved.base_url,
            resolved.profile,
            resolved.key_source().unwrap_or_default()
        ));
        let client = self.client_for(&resolved.base_url, Some(&key))?;
        Ok((client, key))
    }

    /// Why there is no key for the local instance, where that is no question of a key.
    async fn nobodys(&self, resolved: &Resolved) -> Result<Option<Failure>, Failure> {
        let local = Local::of(&self.environment);
        let Some(address) = local.own(&resolved.base_url) else {
            return Ok(None);
        };
        let base_url = &resolved.base_url;
        Ok(match autostart::look(address, &local).await? {
            There::Nobody => {
                let without = match self.environment.is_on("FOUNTAIN_NO_AUTOSTART") {
                    true => "FOUNTAIN_NO_AUTOSTART",
                    false => "--no-autostart",
                };
                let failure =
                    Failure::new(Kind::Unreachable, format!("nothing listens at {base_url}"));
                Some(failure.hint(match self.autostart {
                    true => "`fountain serve` starts an instance".to_owned(),
                    false => format!(
                        "`fountain serve` starts an instance; so does any command without {without}"
                    ),
                }))
            }
            There::Other => Some(autostart::taken(address)),
            There::Fountain if resolved.base_from == Source::Default && !local.is_held() => {
                let failure = Failure::credentials(format!(
                    "the Fountain at {base_url} is somebody else's: there is no key for it"
                ));
                Some(
                    failure
                        .hint(autostart::elsewhere(address))
                        .hint("or save a key for that one: fountain auth login"),
                )
            }
            There::Fountain => None,
        })
    }

    /// A client for an instance, with or without a key.
    pub(crate) fn client_for(
        &self,
        base_url: &str,
        key: Option<&Secret>,
    ) -> Result<Client, Failure> {
        Ok(Client::new(client::Settings {
            base_url: base_url.to_owned(),
            key: key.map(|key| key.expose().to_owned()),
            parent: self
                .environment
                .get("FOUNTAIN_CONVERSATION_ID")
                .map(str::to_owned),
            stream_idle: self.environment.stream_idle()?,
        })?)
    }

    /// The key itself, from the keyring where the profile says so.
    pub(crate) async fn key(&self, resolved: &Resolved) -> Result<Secret, Failure> {
        match &resolved.key {
            Key::Held(key, _) => Ok(key.clone()),
            Key::None | Key::Elsewhere { .. } => Err(resolved.missing()),
            Key::Keyring => {
                let entry = Entry::new(&resolved.profile, &resolved.base_url);
                entry
                    .read(&self.environment)
                    .await
                    .map_err(|why| keyring_failed(resolved, &why))
            }
        }
    }

    /// Says more about a key that was rejected: where it came from, and which other one might be meant.
    pub(crate) fn explain(&self, failure: Failure) -> Failure {
        let Ok(resolved) = self.resolve() else {
            return failure;
        };
        if failure.kind != Kind::Rejected {
            return failure;
        }
        let Some(source) = resolved.key_source() else {
            return failure;
        };
        let failure = failure.hint(format!("the key came from {source}"));
        let local = Local::of(&self.environment);
        if let Some(address) = local.own(&resolved.base_url)
            && resolved.base_from == Source::Profile
            && !local.is_held()
        {
            let is = "the Fountain there may be somebody else's";
            return failure.hint(format!("{is}: {}", autostart::elsewhere(address)));
        }
        let file = self
            .credentials_file()
            .and_then(|path| file::read(&path))
            .unwrap_or_default();
        let other = credentials::other_profile(&file, &resolved.base_url);
        match other.filter(|other| *other != resolved.profile) {
            Some(other) => failure.hint(format!(
                "profile `{other}` is for that instance too: --profile {other}"
            )),
            None => failure,
        }
    }

    fn warn_of_readers(&self, path: &Path) {
        if file::is_open_to_others(path) && !self.warned.swap(true, Ordering::Relaxed) {
            let path = path.display();
            self.ui.warning(&format!(
                "others can read the keys in {path}: chmod 600 {path}"
            ));
        }
    }
}

fn keyring_failed(resolved: &Resolved, why: &NoKey) -> Failure {
    let Resolved {
        profile, base_url, ..
    } = resolved;
    Failure::credentials(format!(
        "the key of profile `{profile}` for {base_url} should be in the keyring: {why}"
    ))
    .hint(format!(
        "fountain auth login --profile {profile} --storage file saves it in the file instead"
    ))
}
