//! The owner's profile in the credentials file: written before the daemon is ready, so that the first command a
//! person types works.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write as _;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use fountain_core::api::auth::Scope;
use fountain_core::credentials::{Credentials, Profile};
use fountain_core::id::KeyId;
use fountain_core::time::Timestamp;
use uuid::Uuid;

use super::{NotStarted, base_url};
use crate::secret::Secret;
use crate::store::{Store, keys};

/// Makes sure that the credentials file has a profile whose key works here and whose address is ours. A key that
/// is there already is kept; else one is minted.
pub(super) async fn write_profile(
    store: &Store,
    path: Option<PathBuf>,
    address: SocketAddr,
    now: Timestamp,
) -> Result<(), NotStarted> {
    let Some(path) = path else {
        tracing::warn!(
            "there is no home directory, so no profile is written; make a key with another one"
        );
        return Ok(());
    };
    let failed = |error: &dyn std::fmt::Display| {
        NotStarted::new(format!("the credentials file {}: {error}", path.display()))
    };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(&error)),
    };
    let mut credentials = Credentials::parse(&text).map_err(|damaged| {
        failed(&damaged).hint(
            "correct that line, or move the file away and start again: a new key is then made",
        )
    })?;
    let url = base_url(address);
    let names: Vec<String> = credentials.names().into_iter().map(str::to_owned).collect();
    for name in names {
        let Some(profile) = credentials.get(&name) else {
            continue;
        };
        let Some(secret) = &profile.api_key else {
            continue;
        };
        let hash = Secret::received(secret.expose()).hash();
        let known = store
            .read(move |db| keys::by_hash(db, &hash))
            .await
            .map_err(|error| failed(&error))?;
        if !known.is_some_and(|key| key.scope == Scope::Full && key.revoked_at.is_none()) {
            continue;
        }
        if profile.base_url.as_deref() != Some(&url) {
            let moved = Profile {
                base_url: Some(url),
                ..profile
            };
            credentials
                .set(&name, &moved)
                .map_err(|error| failed(&error))?;
            write(&path, &credentials.render()).map_err(|error| failed(&error))?;
        }
        return Ok(());
    }
    let name = place(&credentials, &url);
    let secret = Secret::mint();
    let profile = Profile {
        api_key: Some(fountain_core::settings::Secret::new(secret.expose())),
        base_url: Some(url),
        ..Profile::default()
    };
    credentials
        .set(&name, &profile)
        .map_err(|error| failed(&error))?;
    let key = keys::Key {
        id: KeyId(Uuid::now_v7()),
        name: "owner".into(),
        prefix: secret.prefix(),
        scope: Scope::Full,
        conversation: None,
        expires_at: None,
        revoked_at: None,
    };
    let hash = secret.hash();
    store
        .write(move |tx| keys::insert(tx, &key, &hash, now))
        .await
        .map_err(|error| failed(&error))?;
    write(&path, &credentials.render()).map_err(|error| failed(&error))?;
    tracing::info!(profile = %name, "made the owner's key and saved it as a profile");
    Ok(())
}

/// The first free place; a profile that points to this very address is ours, with a key that is dead.
fn place(credentials: &Credentials, url: &str) -> String {
    let ours = |name: &str| {
        credentials.get(name).is_none_or(|profile| {
            profile.is_blank() || profile.base_url.as_deref() == Some(url) && !profile.in_keyring()
        })
    };
    let first = credentials.owners_place();
    let numbered = (2..).map(|number| format!("local-{number}"));
    [
        fountain_core::credentials::DEFAULT.to_owned(),
        first.to_owned(),
        fountain_core::credentials::LOCAL.to_owned(),
    ]
    .into_iter()
    .chain(numbered)
    .find(|name| ours(name))
    .unwrap_or_else(|| first.to_owned())
}

/// Where the profile is kept on this machine.
pub(super) fn file() -> Option<PathBuf> {
    match std::env::var_os("FOUNTAIN_CREDENTIALS_FILE").filter(|path| !path.is_empty()) {
        Some(path) => Some(path.into()),
        None => Some(
            directories::BaseDirs::new()?
                .home_dir()
                .join(".fountain")
                .join("credentials"),
        ),
    }
}

/// Whole or not at all: a new file beside the old one, readable by its owner alone, then renamed over it.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let fresh = folder.join(format!(".credentials.{}", Uuid::new_v4()));
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&fresh)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&fresh, path));
    written.inspect_err(|_| {
        let _ = fs::remove_file(&fresh);
    })
}
