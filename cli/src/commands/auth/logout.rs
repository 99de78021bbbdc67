//! `fountain auth logout`: its flags, its help and what it does.

use crate::context::Context;
use crate::credentials::keyring::Entry;
use crate::credentials::{self, Source, file};
use crate::failure::{Failure, Kind};

/// Forget a profile and its key; the key stays good at its instance
///
/// Example: fountain auth logout --profile work
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {}

pub(crate) async fn run(_: Args, cx: &Context) -> Result<(), Failure> {
    let path = cx.credentials_file()?;
    let saved = file::read(&path)?;
    let named = credentials::named_profile(&cx.flags, &cx.environment);
    let name = named
        .map_or_else(|| saved.selected(), |(name, _)| name)
        .to_owned();
    let Some(profile) = saved.get(&name) else {
        let unknown = credentials::unknown_profile(&name, Source::Flag, &saved);
        return Err(Failure {
            kind: Kind::NotFound,
            ..unknown
        });
    };
    if profile.in_keyring() {
        let base_url = credentials::saved_for(&profile)?;
        Entry::new(&name, &base_url)
            .remove(&cx.environment)
            .await
            .map_err(|why| {
                Failure::failed(format!(
                    "the key of profile `{name}` cannot be taken out of the keyring: {why}"
                ))
            })?;
    }
    file::change(&path, |file| {
        file.remove(&name);
        Ok(())
    })?;
    cx.ui.status(&format!("profile `{name}` is forgotten"));
    Ok(())
}
