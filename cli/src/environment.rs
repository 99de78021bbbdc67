//! The variables of the environment that the client's side looks at, read once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fountain_core::duration;

use crate::failure::Failure;

const NAMES: [&str; 14] = [
    "HOME",
    "FOUNTAIN_API_KEY",
    "FOUNTAIN_TOKEN",
    "FOUNTAIN_BASE_URL",
    "FOUNTAIN_PROFILE",
    "FOUNTAIN_CREDENTIALS_FILE",
    "FOUNTAIN_NO_KEYRING",
    "FOUNTAIN_NO_AUTOSTART",
    "FOUNTAIN_STREAM_IDLE_TIMEOUT",
    "FOUNTAIN_CONVERSATION_ID",
    "FOUNTAIN_LISTEN",
    "FOUNTAIN_DATA_DIR",
    "FOUNTAIN_CONFIG",
    "XDG_DATA_HOME",
];

/// The variables that are set and not empty. No `Debug`: one of them is a key.
#[derive(Clone, Default)]
pub(crate) struct Environment(BTreeMap<&'static str, String>);

impl Environment {
    /// The process's own.
    pub(crate) fn of_process() -> Self {
        Self::from(|name| Some(std::env::var_os(name)?.to_string_lossy().into_owned()))
    }

    /// From any source.
    pub(crate) fn from(source: impl Fn(&str) -> Option<String>) -> Self {
        let set = NAMES
            .into_iter()
            .filter_map(|name| Some((name, source(name)?)));
        Self(set.filter(|(_, value)| !value.trim().is_empty()).collect())
    }

    /// The value of a variable.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The key and the variable it is in.
    pub(crate) fn key(&self) -> Option<(&'static str, &str)> {
        ["FOUNTAIN_API_KEY", "FOUNTAIN_TOKEN"]
            .into_iter()
            .find_map(|name| Some((name, self.get(name)?)))
    }

    /// Whether a switch is on: any value but a spelled no.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| {
            !matches!(
                value.trim().to_lowercase().as_str(),
                "0" | "false" | "no" | "off"
            )
        })
    }

    /// The credentials file.
    ///
    /// # Errors
    /// When neither it nor HOME is named.
    pub(crate) fn credentials_file(&self) -> Result<PathBuf, Failure> {
        if let Some(path) = self.get("FOUNTAIN_CREDENTIALS_FILE") {
            return Ok(PathBuf::from(path));
        }
        let home = self
            .get("HOME")
            .map(PathBuf::from)
            .or_else(std::env::home_dir);
        match home {
            Some(home) => Ok(home.join(".fountain").join("credentials")),
            None => Err(Failure::credentials("HOME is not set, so there is no credentials file")
                .hint("set HOME, or FOUNTAIN_CREDENTIALS_FILE, or FOUNTAIN_API_KEY and FOUNTAIN_BASE_URL")),
        }
    }

    /// The data directory a daemon of this environment uses, unless its configuration file names another.
    pub(crate) fn data_dir(&self) -> Option<PathBuf> {
        if let Some(dir) = self.get("FOUNTAIN_DATA_DIR") {
            return std::path::absolute(Path::new(dir)).ok();
        }
        Some(
            directories::ProjectDirs::from("", "", "fountain")?
                .data_dir()
                .to_owned(),
        )
    }

    /// The configuration file of a daemon of this environment, whether it is there or not.
    pub(crate) fn config_file(&self) -> Option<PathBuf> {
        if let Some(path) = self.get("FOUNTAIN_CONFIG") {
            return Some(PathBuf::from(path));
        }
        let dirs = directories::ProjectDirs::from("", "", "fountain")?;
        Some(dirs.config_dir().join("config.toml"))
    }

    /// How long a stream may be silent, in seconds or with a unit.
    ///
    /// # Errors
    /// When what is there is no duration.
    pub(crate) fn stream_idle(&self) -> Result<Option<Duration>, Failure> {
        let Some(text) = self.get("FOUNTAIN_STREAM_IDLE_TIMEOUT") else {
            return Ok(None);
        };
        match duration::parse(text) {
            Ok(Duration::ZERO) => Ok(None),
            Ok(idle) => Ok(Some(idle)),
            Err(why) => Err(Failure::usage(format!(
                "FOUNTAIN_STREAM_IDLE_TIMEOUT: {why}"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(set: &[(&str, &str)]) -> Environment {
        Environment::from(|name| Some(set.iter().find(|(known, _)| *known == name)?.1.to_owned()))
    }

    #[test]
    fn the_key_comes_before_the_token() {
        assert_eq!(
            environment(&[("FOUNTAIN_TOKEN", "t")]).key(),
            Some(("FOUNTAIN_TOKEN", "t"))
        );
        let both = environment(&[("FOUNTAIN_TOKEN", "t"), ("FOUNTAIN_API_KEY", "k")]);
        assert_eq!(both.key(), Some(("FOUNTAIN_API_KEY", "k")));
        assert_eq!(environment(&[("FOUNTAIN_API_KEY", " ")]).key(), None);
    }

    #[test]
    fn a_switch_is_on_unless_it_says_no() {
        for (value, on) in [
            ("1", true),
            ("true", true),
            ("yes", true),
            ("0", false),
            ("False", false),
            ("", false),
        ] {
            assert_eq!(
                environment(&[("FOUNTAIN_NO_KEYRING", value)]).is_on("FOUNTAIN_NO_KEYRING"),
                on,
                "{value:?}"
            );
        }
    }

    #[test]
    fn files_are_found_from_home_alone() {
        let home = environment(&[("HOME", "/h")]);
        assert_eq!(
            home.credentials_file().unwrap(),
            Path::new("/h/.fountain/credentials")
        );
        let named = environment(&[("HOME", "/h"), ("FOUNTAIN_CREDENTIALS_FILE", "/c")]);
        assert_eq!(named.credentials_file().unwrap(), Path::new("/c"));
        assert_eq!(
            environment(&[("FOUNTAIN_DATA_DIR", "/d")])
                .data_dir()
                .unwrap(),
            Path::new("/d")
        );
    }

    #[test]
    fn the_idle_time_of_streams() {
        let idle = |text| environment(&[("FOUNTAIN_STREAM_IDLE_TIMEOUT", text)]).stream_idle();
        assert_eq!(idle("90").unwrap(), Some(Duration::from_secs(90)));
        assert_eq!(idle("2m").unwrap(), Some(Duration::from_secs(120)));
        assert_eq!(idle("0").unwrap(), None);
        assert_eq!(idle("soon").unwrap_err().kind.code(), 2);
    }
}
