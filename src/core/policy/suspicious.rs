//! Keys that look like a misspelt kind. Such a key is taken as it is written, as the title of a tool card, so that it
//! covers nothing its author thinks of; this finds it and changes nothing.

use strsim::osa_distance;

use super::{ASK_TIMEOUT, DEFAULT, KINDS, Policy, is_kind};

/// Words that people use for a kind.
const MEANT: [(&str, &str); 18] = [
    ("bash", "execute"),
    ("cmd", "execute"),
    ("command", "execute"),
    ("run", "execute"),
    ("shell", "execute"),
    ("terminal", "execute"),
    ("modify", "edit"),
    ("patch", "edit"),
    ("write", "edit"),
    ("http", "fetch"),
    ("web", "fetch"),
    ("remove", "delete"),
    ("rm", "delete"),
    ("rename", "move"),
    ("grep", "search"),
    ("find", "search"),
    ("all", DEFAULT),
    ("*", DEFAULT),
];

/// A key that was probably meant as another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the key `{key}` is no kind and covers only a tool card with exactly that title; did you mean `{meant}`?"
)]
pub struct Suspicious {
    /// The key as it was written.
    pub key: String,
    /// The kind, or `default`.
    pub meant: &'static str,
}

impl Policy {
    /// The keys that resemble a kind, in their order.
    pub fn suspicious(&self) -> Vec<Suspicious> {
        self.keys()
            .filter(|key| !is_kind(key) && *key != DEFAULT)
            .filter_map(|key| {
                let key = key.to_owned();
                meant(&key).map(|meant| Suspicious { key, meant })
            })
            .collect()
    }
}

fn meant(key: &str) -> Option<&'static str> {
    // A title has several words, or is long.
    let word = key.trim().to_lowercase().replace(['-', ' '], "_");
    if word.len() > 12 {
        return None;
    }
    let by_use = MEANT.iter().find(|(said, _)| *said == word);
    if let Some((_, meant)) = by_use {
        return Some(meant);
    }
    let known = || KINDS.into_iter().chain([DEFAULT, ASK_TIMEOUT]);
    let begins = known().find(|kind| word.len() >= 3 && kind.starts_with(&word));
    begins.or_else(|| {
        let enough = if word.len() < 6 { 1 } else { 2 };
        known()
            .map(|kind| (osa_distance(&word, kind), kind))
            .min()
            .filter(|(far, _)| *far <= enough)
            .map(|(_, kind)| kind)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_misspelt_kind_is_found_and_a_title_is_not() {
        for (key, expect) in [
            ("Execute", Some("execute")),
            ("exec", Some("execute")),
            ("exceute", Some("execute")),
            ("run", Some("execute")),
            ("del", Some("delete")),
            ("Default", Some("default")),
            ("*", Some("default")),
            ("switch-mode", Some("switch_mode")),
            ("raed", Some("read")),
            ("make test", None),
            ("ls", None),
            ("rm -rf build", None),
            ("Write the report", None),
            ("git push", None),
        ] {
            let policy = Policy::parse(&json!({ key: "ask" })).unwrap();
            let found = policy.suspicious();
            assert_eq!(found.first().map(|found| found.meant), expect, "{key}");
        }
        let good: serde_json::Map<_, _> = KINDS
            .into_iter()
            .chain([DEFAULT])
            .map(|kind| (kind.to_owned(), json!("ask")))
            .collect();
        assert_eq!(Policy::parse(&json!(good)).unwrap().suspicious(), []);
    }
}
