//! The environment an agent is given, built from nothing. Of the daemon's own only the absolute entries of PATH are kept.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::PathBuf;

use super::Disk;

const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What an agent's environment says beyond the folders of its disk. It has no `Debug`: it holds secrets.
pub struct Environment {
    /// Where the agent reaches the API.
    pub base_url: String,
    /// Its key, if it is given one.
    pub token: Option<String>,
    /// The conversation it works for.
    pub conversation_id: String,
    /// What the user adds, in order: a later pair replaces an earlier one, and any of ours.
    pub extra: Vec<(OsString, OsString)>,
}

impl Environment {
    /// Builds the whole environment for an agent on this disk.
    pub fn build(self, disk: &Disk) -> Vec<(OsString, OsString)> {
        self.build_from(disk, std::env::var_os("PATH").as_deref(), user())
    }

    fn build_from(
        self,
        disk: &Disk,
        daemon_path: Option<&OsStr>,
        user: OsString,
    ) -> Vec<(OsString, OsString)> {
        let mut pairs: Vec<(OsString, OsString)> = Vec::new();
        let mut set =
            |name: OsString, value: OsString| match pairs.iter_mut().find(|pair| pair.0 == name) {
                Some(pair) => pair.1 = value,
                None => pairs.push((name, value)),
            };
        set("PATH".into(), search_path(disk.bin(), daemon_path));
        set("HOME".into(), disk.home().into());
        set("LANG".into(), "C.UTF-8".into());
        set("TERM".into(), "dumb".into());
        set("TMPDIR".into(), disk.tmp().into());
        set("USER".into(), user);
        set("FOUNTAIN_BASE_URL".into(), self.base_url.into());
        if let Some(token) = self.token {
            set("FOUNTAIN_TOKEN".into(), token.into());
        }
        set(
            "FOUNTAIN_CONVERSATION_ID".into(),
            self.conversation_id.into(),
        );
        for (name, value) in self.extra {
            set(name, value);
        }
        pairs
    }
}

/// Puts the sandbox's own folder before what the daemon searches. A relative entry would mean another folder there.
fn search_path(bin: PathBuf, daemon_path: Option<&OsStr>) -> OsString {
    let entries = |path: &OsStr| {
        std::env::split_paths(path)
            .filter(|entry| entry.is_absolute())
            .collect::<Vec<_>>()
    };
    let mut rest = daemon_path.map(entries).unwrap_or_default();
    if rest.is_empty() {
        rest = entries(OsStr::new(DEFAULT_PATH));
    }
    let without_bin = std::env::join_paths(&rest);
    // A data folder with a colon in its name cannot be put on a search path at all.
    std::env::join_paths(std::iter::once(&bin).chain(&rest))
        .or(without_bin)
        .unwrap_or_else(|_| DEFAULT_PATH.into())
}

/// Finds the user's name: the user database knows who we are, a variable may be someone else's.
fn user() -> OsString {
    let uid = rustix::process::geteuid().as_raw();
    fs::read_to_string("/etc/passwd")
        .ok()
        .and_then(|database| name_of(uid, &database))
        .map(OsString::from)
        .or_else(|| std::env::var_os("USER").filter(|name| !name.is_empty()))
        .unwrap_or_else(|| "fountain".into())
}

fn name_of(uid: u32, database: &str) -> Option<String> {
    database.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use uuid::Uuid;

    use super::*;

    fn build(daemon_path: Option<&str>, extra: &[(&str, &str)]) -> Vec<(String, String)> {
        let environment = Environment {
            base_url: "http://127.0.0.1:7878".to_owned(),
            token: Some("key".to_owned()),
            conversation_id: "c1".to_owned(),
            extra: extra
                .iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        };
        let disk = Disk::new(Path::new("/data/My Data ü"), Uuid::nil());
        let text = |part: OsString| part.into_string().expect("the test uses text only");
        environment
            .build_from(&disk, daemon_path.map(OsStr::new), "ada".into())
            .into_iter()
            .map(|(name, value)| (text(name), text(value)))
            .collect()
    }

    fn value(pairs: &[(String, String)], name: &str) -> String {
        let mut found = pairs.iter().filter(|pair| pair.0 == name);
        let value = found
            .next()
            .unwrap_or_else(|| panic!("{name} is missing"))
            .1
            .clone();
        assert!(found.next().is_none(), "{name} is there twice");
        value
    }

    const ROOT: &str = "/data/My Data ü/00000000-0000-0000-0000-000000000000";

    #[test]
    fn is_exactly_this() {
        let expected = [
            ("PATH", format!("{ROOT}/bin:/opt/tools/bin:/usr/bin")),
            ("HOME", format!("{ROOT}/home")),
            ("LANG", "C.UTF-8".to_owned()),
            ("TERM", "dumb".to_owned()),
            ("TMPDIR", format!("{ROOT}/tmp")),
            ("USER", "ada".to_owned()),
            ("FOUNTAIN_BASE_URL", "http://127.0.0.1:7878".to_owned()),
            ("FOUNTAIN_TOKEN", "key".to_owned()),
            ("FOUNTAIN_CONVERSATION_ID", "c1".to_owned()),
            ("ODD", "a=b\n\"c\"".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value));
        let built = build(Some("/opt/tools/bin:/usr/bin"), &[("ODD", "a=b\n\"c\"")]);
        assert_eq!(built, expected);
    }

    #[test]
    fn later_pairs_win() {
        let pairs = build(
            None,
            &[
                ("LANG", "de_DE.UTF-8"),
                ("A", "1"),
                ("A", "2"),
                ("FOUNTAIN_TOKEN", ""),
            ],
        );
        assert_eq!(value(&pairs, "LANG"), "de_DE.UTF-8");
        assert_eq!(value(&pairs, "A"), "2");
        assert_eq!(value(&pairs, "FOUNTAIN_TOKEN"), "");
    }

    #[test]
    fn relative_entries_of_the_path_are_dropped() {
        let check = |daemon: Option<&str>, rest: &str| {
            assert_eq!(
                value(&build(daemon, &[]), "PATH"),
                format!("{ROOT}/bin:{rest}")
            );
        };
        check(Some("node_modules/.bin:/usr/bin:.::/bin"), "/usr/bin:/bin");
        check(Some("."), DEFAULT_PATH);
        check(Some(""), DEFAULT_PATH);
        check(None, DEFAULT_PATH);
    }

    #[test]
    fn a_folder_that_cannot_be_on_a_path_costs_only_itself() {
        let path = search_path(PathBuf::from("/a:b/bin"), Some(OsStr::new("/usr/bin")));
        assert_eq!(path, "/usr/bin");
    }

    #[test]
    fn the_user_is_found_by_number() {
        let database =
            "root:x:0:0:root:/root:/bin/sh\nbroken\nada:x:1000:1000::/home/ada:/bin/sh\n";
        assert_eq!(name_of(1000, database).as_deref(), Some("ada"));
        assert_eq!(name_of(100, database), None);
    }
}
