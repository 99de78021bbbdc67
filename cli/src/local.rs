//! The instance of this machine and this environment: where a daemon would listen, where the last one did, and
//! whether an address is its own. It reads files and connects to nothing.

use std::fs::{File, TryLockError};
use std::io::Read as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use fountain_core::settings::{self, Flags, Sources};

use crate::credentials::DEFAULT_URL;
use crate::environment::Environment;

/// The address of [`DEFAULT_URL`].
const DEFAULT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 4780);
/// More is no configuration, and no label of a lock.
const LONGEST: u64 = 1024 * 1024;

/// The daemon that this environment describes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Local {
    /// Where it listens, when somebody says so: FOUNTAIN_LISTEN, or the configuration.
    listen: Option<SocketAddr>,
    /// Where its data is.
    pub(crate) data_dir: Option<PathBuf>,
    /// Where the last daemon of that data listened; it may run or not.
    last: Option<SocketAddr>,
}

impl Local {
    /// Reads the configuration, and what the last daemon left.
    pub(crate) fn of(environment: &Environment) -> Self {
        let variables: Vec<(String, String)> = ["FOUNTAIN_LISTEN", "FOUNTAIN_DATA_DIR"]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), environment.get(name)?.to_owned())))
            .collect();
        let text = environment
            .config_file()
            .and_then(|path| read(File::open(path).ok()?));
        // What is wrong with it, the daemon tells when it is started.
        let flags = Flags::of(&Sources {
            file: text
                .as_deref()
                .map(|text| settings::File { name: "", text }),
            environment: &variables,
            flags: None,
        });
        let data_dir = flags
            .data_dir
            .filter(|dir| dir.is_absolute())
            .or_else(|| environment.data_dir());
        let label = data_dir
            .as_ref()
            .and_then(|dir| read(File::open(dir.join("lock")).ok()?));
        Self {
            listen: flags.listen,
            last: label.as_deref().and_then(labelled),
            data_dir,
        }
    }

    /// Where a daemon would listen; port 0 is anywhere.
    pub(crate) fn address(&self) -> SocketAddr {
        self.listen.unwrap_or(DEFAULT)
    }

    /// The address that a client uses for it; the default where that is not known before it listens.
    pub(crate) fn url(&self) -> String {
        match reachable(self.address()) {
            address if address.port() == 0 => DEFAULT_URL.to_owned(),
            address => format!("http://{address}"),
        }
    }

    /// The address in a base URL, when it is one of this environment's daemon.
    pub(crate) fn own(&self, base_url: &str) -> Option<SocketAddr> {
        let address = address_of(base_url)?;
        let known = [Some(DEFAULT), Some(self.address()), self.last];
        known
            .into_iter()
            .flatten()
            .any(|known| reachable(known) == address)
            .then_some(address)
    }

    /// What `--listen` has to say for a daemon that is to be found at this address; nothing where it listens there
    /// by itself, or where it was told to listen elsewhere. `fixed` tells that the address itself was asked for.
    pub(crate) fn listen_for(&self, address: SocketAddr, fixed: bool) -> Option<SocketAddr> {
        let elsewhere = self.listen.is_some_and(|listen| listen.port() != 0);
        let there = reachable(self.address()) == address;
        (!there && (fixed || !elsewhere)).then_some(address)
    }

    /// Whether the daemon of this environment runs, and has this address.
    pub(crate) fn runs_at(&self, address: SocketAddr) -> bool {
        self.last.map(reachable) == Some(address) && self.is_held()
    }

    /// Whether somebody says where to listen, and it is not here.
    pub(crate) fn listens_elsewhere(&self, address: SocketAddr) -> bool {
        self.listen
            .is_some_and(|listen| reachable(listen) != address)
    }

    /// Whether a daemon of this environment holds its data, ready or not.
    pub(crate) fn is_held(&self) -> bool {
        let lock = self
            .data_dir
            .as_ref()
            .and_then(|dir| File::open(dir.join("lock")).ok());
        // A daemon that starts at this very moment tries more than once.
        lock.is_some_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

/// A loopback address that an `http` URL consists of.
fn address_of(base_url: &str) -> Option<SocketAddr> {
    let address = settings::address(base_url.strip_prefix("http://")?).ok()?;
    address.ip().is_loopback().then_some(address)
}

/// Where a client finds who listens there.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// The address in what a daemon writes into its lock.
fn labelled(label: &str) -> Option<SocketAddr> {
    let (_, rest) = label.split_once("http://")?;
    rest.split([',', ' ', '\n']).next()?.parse().ok()
}

fn read(file: File) -> Option<String> {
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(set: &[(&str, &str)]) -> Environment {
        Environment::from(|name| Some(set.iter().find(|(known, _)| *known == name)?.1.to_owned()))
    }

    fn address(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_variable_goes_over_the_configuration_and_both_over_the_default() {
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join("config.toml");
        let set = |more: &[(&'static str, &'static str)]| {
            let data = dir.path().to_str().unwrap();
            let mut all = vec![
                ("FOUNTAIN_CONFIG", config.to_str().unwrap()),
                ("FOUNTAIN_DATA_DIR", data),
            ];
            all.extend(more);
            Local::of(&environment(&all))
        };
        assert_eq!(set(&[]).url(), DEFAULT_URL);
        std::fs::write(&config, "listen = \"127.0.0.1:5817\"\nodd = 1\n").unwrap();
        assert_eq!(set(&[]).url(), "http://127.0.0.1:5817");
        let variable = set(&[("FOUNTAIN_LISTEN", "0.0.0.0:5818")]);
        assert_eq!(variable.url(), "http://127.0.0.1:5818");
        assert_eq!(
            set(&[("FOUNTAIN_LISTEN", "127.0.0.1:0")]).url(),
            DEFAULT_URL
        );
    }

    #[test]
    fn its_own_are_the_default_the_configured_and_the_last() {
        let local = Local {
            listen: Some(address("127.0.0.1:5817")),
            last: Some(address("127.0.0.1:5820")),
            data_dir: None,
        };
        for (url, own) in [
            (DEFAULT_URL, true),
            ("http://localhost:4780", true),
            ("http://127.0.0.1:5817", true),
            ("http://127.0.0.1:5820", true),
            ("http://127.0.0.1:5821", false),
            ("https://127.0.0.1:4780", false),
            ("http://127.0.0.1:4780/sub", false),
            ("http://h:4780", false),
        ] {
            assert_eq!(local.own(url).is_some(), own, "{url}");
        }
    }

    #[test]
    fn it_is_told_where_to_listen_only_where_it_would_not_by_itself() {
        let last = address("127.0.0.1:5820");
        let local = |listen: Option<&str>| Local {
            listen: listen.map(address),
            last: Some(last),
            data_dir: None,
        };
        for (listen, fixed, expect) in [
            (None, false, Some(last)),
            (Some("127.0.0.1:0"), false, Some(last)),
            (Some("127.0.0.1:5820"), false, None),
            // Who says where to listen is heard, and the profile moves along.
            (Some("127.0.0.1:5817"), false, None),
            (Some("127.0.0.1:5817"), true, Some(last)),
        ] {
            assert_eq!(local(listen).listen_for(last, fixed), expect, "{listen:?}");
        }
        assert_eq!(local(None).listen_for(DEFAULT, false), None);
    }

    #[test]
    fn the_last_daemon_is_known_by_its_label_and_its_lock() {
        let dir = tempfile::tempdir().unwrap();
        let of = || {
            Local::of(&environment(&[(
                "FOUNTAIN_DATA_DIR",
                dir.path().to_str().unwrap(),
            )]))
        };
        assert!(!of().is_held());
        let path = dir.path().join("lock");
        let label = "the Fountain at http://127.0.0.1:5820, process 7\n";
        std::fs::write(&path, label).unwrap();
        assert_eq!(of().last, Some(address("127.0.0.1:5820")));
        assert!(!of().is_held());
        let lock = File::open(&path).unwrap();
        lock.lock().unwrap();
        assert!(of().is_held());
    }
}
