//! Keys in the system's keyring. A keyring may ask a question that nobody sees, so each call has a time limit.

use fountain_core::settings::Secret;

use crate::environment::Environment;

/// Why the keyring gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoKey {
    /// It is switched off, or there is none.
    #[error("{0}")]
    Unavailable(String),
    /// It answers, and has no such entry.
    #[error("the keyring has no such entry")]
    Absent,
}

/// One entry: the key of a profile for an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    account: String,
}

impl Entry {
    /// The entry of a profile. The instance is part of its name: a key is found only for the one it was saved for.
    pub(crate) fn new(profile: &str, base_url: &str) -> Self {
        Self {
            account: format!("{profile} {base_url}"),
        }
    }

    /// Reads the key.
    pub(crate) async fn read(&self, environment: &Environment) -> Result<Secret, NoKey> {
        let text = call(self, environment, real::read).await?;
        Ok(Secret::new(text))
    }

    /// Writes the key and reads it back through a fresh handle.
    pub(crate) async fn write(&self, environment: &Environment, key: &Secret) -> Result<(), NoKey> {
        let text = key.expose().to_owned();
        call(self, environment, move |account| {
            real::write(account, &text)
        })
        .await?;
        match self.read(environment).await {
            Ok(read) if read == *key => Ok(()),
            Ok(_) => Err(NoKey::Unavailable(
                "the keyring gave another key back than it was given".into(),
            )),
            Err(NoKey::Absent) => Err(NoKey::Unavailable(
                "the keyring took the key and does not have it".into(),
            )),
            Err(other) => Err(other),
        }
    }

    /// Removes the key; one that is not there is removed already.
    pub(crate) async fn remove(&self, environment: &Environment) -> Result<(), NoKey> {
        match call(self, environment, real::remove).await {
            Err(NoKey::Absent) => Ok(()),
            other => other,
        }
    }
}

async fn call<T: Send + 'static>(
    entry: &Entry,
    environment: &Environment,
    work: impl FnOnce(&str) -> Result<T, NoKey> + Send + 'static,
) -> Result<T, NoKey> {
    if environment.is_on("FOUNTAIN_NO_KEYRING") {
        return Err(NoKey::Unavailable("FOUNTAIN_NO_KEYRING is set".into()));
    }
    let account = entry.account.clone();
    let work = tokio::task::spawn_blocking(move || work(&account));
    match tokio::time::timeout(real::LIMIT, work).await {
        Ok(Ok(done)) => done,
        Ok(Err(_)) => Err(NoKey::Unavailable("the keyring call broke off".into())),
        Err(_) => Err(NoKey::Unavailable(format!(
            "the keyring did not answer within {} s",
            real::LIMIT.as_secs()
        ))),
    }
}

#[cfg(feature = "keyring")]
mod real {
    use std::time::Duration;

    use keyring::v1::{Entry, Error};

    use super::NoKey;

    pub(super) const LIMIT: Duration = Duration::from_secs(3);
    const SERVICE: &str = "fountain";

    pub(super) fn read(account: &str) -> Result<String, NoKey> {
        entry(account)?.get_password().map_err(told)
    }

    pub(super) fn write(account: &str, key: &str) -> Result<(), NoKey> {
        entry(account)?.set_password(key).map_err(told)
    }

    pub(super) fn remove(account: &str) -> Result<(), NoKey> {
        entry(account)?.delete_credential().map_err(told)
    }

    fn entry(account: &str) -> Result<Entry, NoKey> {
        Entry::new(SERVICE, account).map_err(told)
    }

    /// An error's text may hold what was stored, so only its kind is told.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is used as a function of an error"
    )]
    fn told(error: Error) -> NoKey {
        match error {
            Error::NoEntry => NoKey::Absent,
            Error::NoDefaultStore => {
                NoKey::Unavailable("this system has no keyring that answers".into())
            }
            Error::NoStorageAccess(_) => {
                NoKey::Unavailable("the keyring is locked or refuses access".into())
            }
            _ => NoKey::Unavailable("the keyring failed".into()),
        }
    }
}

#[cfg(not(feature = "keyring"))]
mod real {
    use std::time::Duration;

    use super::NoKey;

    pub(super) const LIMIT: Duration = Duration::from_secs(3);

    pub(super) fn read(_: &str) -> Result<String, NoKey> {
        Err(absent())
    }

    pub(super) fn write(_: &str, _: &str) -> Result<(), NoKey> {
        Err(absent())
    }

    pub(super) fn remove(_: &str) -> Result<(), NoKey> {
        Err(absent())
    }

    fn absent() -> NoKey {
        NoKey::Unavailable("this build of fountain has no keyring support".into())
    }
}
