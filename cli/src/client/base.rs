//! The two things a person pastes: the address of an instance and its key.

use std::net::IpAddr;

use url::{Host, Url};

/// What was pasted cannot be used, in words that say what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Invalid {
    /// The address.
    #[error("the base URL {url:?} {why}")]
    Url {
        /// As it was given.
        url: String,
        /// The rest of the sentence.
        why: String,
    },
    /// The key; it is never shown.
    #[error("the API key {0}")]
    Key(String),
}

/// The address of an instance without white space, a trailing `/` or a trailing `/api`.
pub(crate) fn base_url(text: &str) -> Result<String, Invalid> {
    let bad = |why: &str| Invalid::Url {
        url: text.trim().to_owned(),
        why: why.to_owned(),
    };
    let plain = trimmed(text);
    if plain.is_empty() {
        return Err(bad("is empty: write one such as http://127.0.0.1:4780"));
    }
    let Some((scheme, rest)) = plain.split_once("://") else {
        return Err(bad(&format!(
            "has no scheme: write http://{plain} or https://{plain}"
        )));
    };
    if !matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https") {
        return Err(bad(&format!(
            "has the scheme {scheme:?}: only http and https are spoken"
        )));
    }
    if rest.contains(['?', '#']) {
        return Err(bad(
            "has a query or a fragment: write only scheme, host, port and path",
        ));
    }
    let parsed = Url::parse(plain).map_err(|error| bad(&format!("cannot be read: {error}")))?;
    let mut base = parsed.as_str().trim_end_matches('/');
    base = base
        .strip_suffix("/api")
        .unwrap_or(base)
        .trim_end_matches('/');
    Ok(base.to_owned())
}

/// A key without the white space around it. What else cannot be in a header is refused by name.
pub(crate) fn key(text: &str) -> Result<String, Invalid> {
    let plain = trimmed(text);
    if plain.is_empty() {
        return Err(Invalid::Key("is empty".to_owned()));
    }
    if let Some((at, odd)) = plain
        .chars()
        .enumerate()
        .find(|(_, c)| !c.is_ascii_graphic())
    {
        let name = match odd {
            ' ' => "a space".to_owned(),
            '\t' => "a tab".to_owned(),
            '\n' | '\r' => "a line break".to_owned(),
            odd if odd.is_control() => format!("the control character U+{:04X}", u32::from(odd)),
            odd => format!("the character U+{:04X}, which no key has", u32::from(odd)),
        };
        return Err(Invalid::Key(format!(
            "holds {name} at position {}: paste it again",
            at + 1
        )));
    }
    Ok(plain.to_owned())
}

/// Whether an address is this very machine: those calls never go through a proxy.
pub(super) fn is_loopback(base: &str) -> bool {
    match Url::parse(base).as_ref().map(Url::host) {
        Ok(Some(Host::Domain(name))) => name == "localhost" || name.ends_with(".localhost"),
        Ok(Some(Host::Ipv4(ip))) => ip.is_loopback() || ip.is_unspecified(),
        Ok(Some(Host::Ipv6(ip))) => {
            IpAddr::V6(ip).to_canonical().is_loopback() || ip.is_unspecified()
        }
        _ => false,
    }
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_normalised() {
        for (given, expect) in [
            ("http://127.0.0.1:4780", "http://127.0.0.1:4780"),
            (" http://127.0.0.1:4780/\n", "http://127.0.0.1:4780"),
            ("http://localhost:4780/api", "http://localhost:4780"),
            ("http://localhost:4780/api/", "http://localhost:4780"),
            (
                "HTTPS://Fountain.example/sub//",
                "https://fountain.example/sub",
            ),
            ("\u{feff}http://[::1]:4780", "http://[::1]:4780"),
            ("http://h/apis", "http://h/apis"),
        ] {
            assert_eq!(base_url(given).as_deref(), Ok(expect), "{given:?}");
        }
    }

    #[test]
    fn a_bad_address_says_what_to_write() {
        for (given, part) in [
            ("", "is empty"),
            (
                "localhost:4780",
                "has no scheme: write http://localhost:4780",
            ),
            ("ftp://h", "only http and https"),
            ("http://", "cannot be read"),
            ("http://h/?q", "query"),
        ] {
            let told = base_url(given).unwrap_err().to_string();
            assert!(told.contains(part), "{given:?}: {told}");
        }
    }

    #[test]
    fn a_key_is_trimmed_and_its_odd_characters_are_named() {
        assert_eq!(key("ftn_1\r\n").as_deref(), Ok("ftn_1"));
        assert_eq!(key("\u{feff} ftn_1\t").as_deref(), Ok("ftn_1"));
        for (given, part) in [
            ("", "is empty"),
            (" \n", "is empty"),
            ("ftn 1", "a space at position 4"),
            ("ftn\n1", "a line break"),
            ("ftn\u{1}1", "U+0001"),
            ("ftñ", "U+00F1"),
        ] {
            let told = key(given).unwrap_err().to_string();
            assert!(
                told.contains(part) && !told.contains("ftn"),
                "{given:?}: {told}"
            );
        }
    }

    #[test]
    fn this_machine_is_told_from_others() {
        for (base, expect) in [
            ("http://127.0.0.1:1", true),
            ("http://127.9.9.9", true),
            ("http://localhost:1", true),
            ("http://a.localhost", true),
            ("http://[::1]:1", true),
            ("http://[::ffff:127.0.0.1]", true),
            ("http://192.168.1.1", false),
            ("https://localhost.example", false),
        ] {
            assert_eq!(is_loopback(base), expect, "{base}");
        }
    }
}
