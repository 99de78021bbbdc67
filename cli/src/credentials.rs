//! Which instance is talked to and with which key: flag, then environment, then profile, each with its source.
//! A key never goes to another instance than the one it was saved for.

pub(crate) mod file;
pub(crate) mod keyring;

use fountain_core::credentials::{Credentials, Profile};
use fountain_core::settings::Secret;

use crate::client;
use crate::environment::Environment;
use crate::failure::{Failure, Kind};

/// The instance when none is named.
pub(crate) const DEFAULT_URL: &str = "http://127.0.0.1:4780";

/// What the command line says about it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags {
    /// `--profile`.
    pub(crate) profile: Option<String>,
    /// `--base-url`.
    pub(crate) base_url: Option<String>,
}

/// Where something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The command line.
    Flag,
    /// This variable.
    Variable(&'static str),
    /// The profile.
    Profile,
    /// Nobody said anything.
    Default,
}

/// The key, or where it would have to come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// Here it is.
    Held(Secret, Source),
    /// The profile says that the system's keyring has it.
    Keyring,
    /// There is none.
    None,
    /// There is one, and it belongs to another instance.
    Elsewhere {
        /// That instance.
        saved_for: String,
        /// A profile whose key is for the instance that was named.
        instead: Option<String>,
    },
}

/// Everything that is known before anything is connected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// The instance, normalised.
    pub(crate) base_url: String,
    /// Where its address comes from.
    pub(crate) base_from: Source,
    /// The profile that was looked at, whether it exists or not.
    pub(crate) profile: String,
    /// The key.
    pub(crate) key: Key,
}

/// Finds instance and key.
///
/// # Errors
/// When a profile was named that does not exist, or when something that was found cannot be used.
pub(crate) fn resolve(
    flags: &Flags,
    environment: &Environment,
    file: &Credentials,
) -> Result<Resolved, Failure> {
    let named = named_profile(flags, environment);
    let name = named
        .map_or_else(|| file.selected(), |(name, _)| name)
        .to_owned();
    let profile = match (file.get(&name), named) {
        (Some(profile), _) => profile,
        (None, Some((_, from))) => return Err(unknown_profile(&name, from, file)),
        (None, None) => Profile::default(),
    };
    let saved = saved_for(&profile)?;
    let (base_url, base_from) = match (&flags.base_url, environment.get("FOUNTAIN_BASE_URL")) {
        (Some(url), _) => (client::base_url(url)?, Source::Flag),
        (None, Some(url)) => (
            client::base_url(url)?,
            Source::Variable("FOUNTAIN_BASE_URL"),
        ),
        (None, None) if profile.base_url.is_some() => (saved.clone(), Source::Profile),
        (None, None) => (DEFAULT_URL.to_owned(), Source::Default),
    };
    // `localhost` is this machine: the call goes to the very address the key was saved for.
    let base_url = if by_number(&base_url) == saved {
        saved.clone()
    } else {
        base_url
    };
    let key = if let Some((variable, key)) = environment.key() {
        let key =
            client::key(key).map_err(|why| Failure::credentials(format!("{variable}: {why}")))?;
        Key::Held(Secret::new(key), Source::Variable(variable))
    } else if profile.is_blank() {
        Key::None
    } else if base_url != saved {
        Key::Elsewhere {
            saved_for: saved,
            instead: other_profile(file, &base_url),
        }
    } else if profile.in_keyring() {
        Key::Keyring
    } else {
        let key = profile.api_key.as_ref().map_or("", Secret::expose);
        let key = client::key(key)
            .map_err(|why| Failure::credentials(format!("profile `{name}`: {why}")))?;
        Key::Held(Secret::new(key), Source::Profile)
    };
    Ok(Resolved {
        base_url,
        base_from,
        profile: name,
        key,
    })
}

impl Resolved {
    /// Where the key comes from, for people; none when there is none.
    pub(crate) fn key_source(&self) -> Option<String> {
        match &self.key {
            Key::Held(_, Source::Variable(name)) => Some((*name).to_owned()),
            Key::Held(..) => Some(format!("profile `{}`", self.profile)),
            Key::Keyring => Some("the keyring".to_owned()),
            Key::None | Key::Elsewhere { .. } => None,
        }
    }

    /// A key and an address that come from different places are never used together without a word.
    pub(crate) fn mixed(&self) -> Option<String> {
        match (&self.key, self.base_from) {
            (Key::Held(_, Source::Variable(name)), Source::Profile) => Some(format!(
                "the key of {name} is used with the instance of profile `{}`, {}",
                self.profile, self.base_url
            )),
            _ => None,
        }
    }

    /// Why there is no key.
    pub(crate) fn missing(&self) -> Failure {
        let base_url = &self.base_url;
        match &self.key {
            Key::Elsewhere { saved_for, instead } => {
                let failure = Failure::credentials(format!(
                    "the key of profile `{}` was saved for {saved_for} and is not sent to {base_url}",
                    self.profile
                ));
                match instead {
                    Some(instead) => failure.hint(format!("profile `{instead}` is for that instance: --profile {instead}")),
                    None => failure.hint(format!(
                        "set FOUNTAIN_API_KEY, or save a key for it: fountain auth login --profile NAME --base-url {base_url}"
                    )),
                }
            }
            _ => Failure::credentials(format!(
                "there is no key for {base_url}: profile `{}` has none",
                self.profile
            ))
            .hint("run `fountain auth login`, or set FOUNTAIN_API_KEY"),
        }
    }
}

/// The profile that was asked for by name.
pub(crate) fn named_profile<'a>(
    flags: &'a Flags,
    environment: &'a Environment,
) -> Option<(&'a str, Source)> {
    let flag = flags.profile.as_deref().map(|name| (name, Source::Flag));
    let variable = || {
        Some((
            environment.get("FOUNTAIN_PROFILE")?,
            Source::Variable("FOUNTAIN_PROFILE"),
        ))
    };
    flag.or_else(variable)
        .map(|(name, from)| (name.trim(), from))
}

/// The instance that a profile's key was saved for.
///
/// # Errors
/// When what stands there is no address.
pub(crate) fn saved_for(profile: &Profile) -> Result<String, Failure> {
    match &profile.base_url {
        Some(url) => Ok(client::base_url(url)?),
        None => Ok(DEFAULT_URL.to_owned()),
    }
}

/// Another profile for the same instance.
pub(crate) fn other_profile(file: &Credentials, base_url: &str) -> Option<String> {
    let fits = |name: &&str| {
        let profile = file.get(name).filter(|profile| !profile.is_blank());
        profile.is_some_and(|profile| saved_for(&profile).is_ok_and(|saved| saved == base_url))
    };
    file.names().into_iter().find(fits).map(str::to_owned)
}

/// There is no profile of that name, but there are others.
pub(crate) fn unknown_profile(name: &str, from: Source, file: &Credentials) -> Failure {
    let from = match from {
        Source::Variable(variable) => format!(" ({variable})"),
        _ => String::new(),
    };
    let failure = Failure::new(
        Kind::Credentials,
        format!("there is no profile `{name}`{from}"),
    );
    match file.names().as_slice() {
        [] => failure.hint(format!(
            "no profile is saved yet: fountain auth login --profile {name}"
        )),
        names => failure.hint(format!("the saved profiles: {}", names.join(", "))),
    }
}

/// The address with `localhost` as the number it stands for here; only without TLS, where no name is checked.
fn by_number(base_url: &str) -> String {
    match base_url.strip_prefix("http://localhost") {
        Some(rest) if rest.is_empty() || rest.starts_with([':', '/']) => {
            format!("http://127.0.0.1{rest}")
        }
        _ => base_url.to_owned(),
    }
}

#[cfg(test)]
mod tests;
