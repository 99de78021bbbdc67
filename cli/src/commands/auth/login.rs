//! `fountain auth login`: its flags, its help and what it does.

use std::io::{self, Read as _};

use clap::ValueEnum;
use fountain_core::credentials::{KEYRING, Profile, check_name};
use fountain_core::settings::Secret;

use crate::client;
use crate::context::Context;
use crate::credentials::keyring::{Entry, NoKey};
use crate::credentials::{self, file};
use crate::failure::Failure;

/// Check a key with its instance and save it as a profile
///
/// The key is typed without an echo, or read from stdin; it is never an argument, which others could see. It goes
/// to the system's keyring when one answers, else to the credentials file, and it is said which.
///
/// Example: fountain auth login --profile work --base-url https://fountain.example
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// Read the key from stdin
    #[arg(long)]
    api_key_stdin: bool,
    /// Where to keep the key; without it the keyring when one answers
    #[arg(long, value_enum, value_name = "PLACE")]
    storage: Option<Storage>,
}

/// Where a key is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Storage {
    /// The system's keyring
    Keyring,
    /// The credentials file, readable by its owner alone
    File,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let (name, base_url) = target(cx)?;
    let key = key(&args, &name, &base_url, cx)?;
    let client = cx.client_for(&base_url, Some(&key))?;
    // A hint to log in would be of no use here.
    let me = client.me().await.map_err(|error| Failure {
        hints: Vec::new(),
        ..Failure::from(error)
    })?;
    let path = cx.credentials_file()?;
    let before = file::read(&path)?.get(&name);
    let in_keyring = keep_in_keyring(&args, &name, &base_url, &key, cx).await?;
    let profile = Profile {
        api_key: (!in_keyring).then(|| key.clone()),
        base_url: Some(base_url.clone()),
        storage: in_keyring.then(|| KEYRING.to_owned()),
        selected: before.as_ref().is_some_and(|before| before.selected),
    };
    file::change(&path, |file| Ok(file.set(&name, &profile)?))?;
    // By a fresh look: what says that it is saved is saved.
    if file::read(&path)?.get(&name).as_ref() != Some(&profile) {
        return Err(Failure::failed(format!(
            "{} does not hold what was written to it",
            path.display()
        )));
    }
    forget_old(before.as_ref(), &profile, &name, cx).await;
    let place = if in_keyring {
        "the keyring".to_owned()
    } else {
        path.display().to_string()
    };
    cx.ui.status(&format!(
        "logged in to {base_url} as {} with a key of scope {}; profile `{name}`, key in {place}",
        me.email,
        me.scope.as_str()
    ));
    let saved = file::read(&path)?;
    let by_variable = cx.environment.get("FOUNTAIN_PROFILE").map(str::trim) == Some(&*name);
    if saved.selected() != name && !by_variable && !cx.ui.quiet {
        cx.ui.hint(&format!(
            "commands without --profile still use `{}`: fountain auth use {name}",
            saved.selected()
        ));
    }
    Ok(())
}

/// Which profile, and for which instance: that of the profile, unless one is named.
fn target(cx: &Context) -> Result<(String, String), Failure> {
    let file = file::read(&cx.credentials_file()?)?;
    let named = credentials::named_profile(&cx.flags, &cx.environment);
    let name = named.map_or_else(|| file.selected().to_owned(), |(name, _)| name.to_owned());
    check_name(&name)?;
    let known = file.get(&name);
    let given = cx
        .flags
        .base_url
        .as_deref()
        .or_else(|| cx.environment.get("FOUNTAIN_BASE_URL"));
    let base_url = match given {
        Some(url) => client::base_url(url)?,
        None => credentials::saved_for(&known.unwrap_or_default())?,
    };
    Ok((name, base_url))
}

fn key(args: &Args, name: &str, base_url: &str, cx: &Context) -> Result<Secret, Failure> {
    let text = if args.api_key_stdin {
        let mut text = String::new();
        io::stdin()
            .lock()
            .take(64 * 1024)
            .read_to_string(&mut text)
            .map_err(|error| Failure::usage(format!("cannot read the key from stdin: {error}")))?;
        text
    } else if cx.ui.asks() {
        cx.ui
            .secret(&format!("API key for {base_url} (profile {name})"))?
    } else {
        return Err(Failure::usage(
            "without a terminal the key is read from stdin: --api-key-stdin",
        ));
    };
    let key = client::key(&text).map_err(|why| Failure::usage(why.to_string()))?;
    Ok(Secret::new(key))
}

/// Puts the key into the keyring; tells whether it is there. Only where the keyring was asked for by name is it
/// a failure that there is none.
async fn keep_in_keyring(
    args: &Args,
    name: &str,
    base_url: &str,
    key: &Secret,
    cx: &Context,
) -> Result<bool, Failure> {
    if args.storage == Some(Storage::File) {
        return Ok(false);
    }
    match Entry::new(name, base_url).write(&cx.environment, key).await {
        Ok(()) => Ok(true),
        Err(why) if args.storage == Some(Storage::Keyring) => {
            Err(Failure::failed(format!("the key is not saved: {why}"))
                .hint("--storage file keeps it in the credentials file"))
        }
        Err(NoKey::Unavailable(why)) => {
            cx.ui
                .status(&format!("{why}: the key goes to the credentials file"));
            Ok(false)
        }
        Err(why) => Err(Failure::failed(format!("the key is not saved: {why}"))),
    }
}

/// A key that the profile had in the keyring and has no longer.
async fn forget_old(before: Option<&Profile>, now: &Profile, name: &str, cx: &Context) {
    let Some(before) = before.filter(|before| before.in_keyring()) else {
        return;
    };
    let Ok(old) = credentials::saved_for(before) else {
        return;
    };
    let moved = !now.in_keyring() || now.base_url.as_deref() != Some(&old);
    if moved && let Err(why) = Entry::new(name, &old).remove(&cx.environment).await {
        cx.ui.warning(&format!(
            "the old key of profile `{name}` stays in the keyring: {why}"
        ));
    }
}
