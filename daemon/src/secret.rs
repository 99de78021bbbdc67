//! API keys as secrets: made here, shown once, compared by hash, never logged.

use std::fmt::{self, Write as _};

use sha2::{Digest as _, Sha256};

/// A key in clear: `ftn_` and 64 hex digits. `Debug` does not show it.
pub struct Secret(String);

impl Secret {
    /// Makes a key of 256 random bits.
    pub fn mint() -> Self {
        let mut bits = [0_u8; 32];
        // Without randomness there is no key to give: the system's source does not fail once it works.
        getrandom::fill(&mut bits).expect("the system gives randomness");
        Self(format!("ftn_{}", hex(&bits)))
    }

    /// Takes a key as somebody sent it.
    pub fn received(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The key itself, for the one place that hands it over.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The first characters, safe to show.
    pub fn prefix(&self) -> String {
        self.0.chars().take(8).collect()
    }

    /// What is stored and looked up: a key has 256 random bits, so a plain hash is enough and a lookup by it leaks
    /// nothing worth timing.
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(self.0.as_bytes()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_long_random_and_never_shown() {
        let (a, b) = (Secret::mint(), Secret::mint());
        assert_eq!(a.expose().len(), 68);
        assert_ne!(a.expose(), b.expose());
        assert_eq!(a.hash(), Secret::received(a.expose()).hash());
        assert!(!format!("{a:?}").contains(&a.expose()[4..]));
        assert_eq!(a.prefix(), a.expose()[..8]);
    }
}
