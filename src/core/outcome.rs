//! Which of the agent's options an answer picks: by kind, only among what was offered, never invented.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;

use crate::redact::Redactor;

/// What an option does, by ACP's four kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Permits this call.
    AllowOnce,
    /// Permits this call and others like it, for as long as the runtime decides.
    AllowAlways,
    /// Refuses this call.
    RejectOnce,
    /// Refuses this call and others like it.
    RejectAlways,
    /// A kind of a newer protocol; only a person picks it.
    Unknown,
}

impl OptionKind {
    fn parse(text: &str) -> Self {
        match text {
            "allow_once" => Self::AllowOnce,
            "allow_always" => Self::AllowAlways,
            "reject_once" => Self::RejectOnce,
            "reject_always" => Self::RejectAlways,
            _ => Self::Unknown,
        }
    }

    /// Whether the option refuses.
    pub fn rejects(self) -> bool {
        matches!(self, Self::RejectOnce | Self::RejectAlways)
    }
}

/// The options of one request, as the agent wrote them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    raw: Vec<Value>,
}

/// What is answered to the agent. Only this module makes a selection, and only of an offered option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One of the offered options.
    Selected(Selected),
    /// Nothing was selected: the turn was cancelled, or nothing that fits was offered.
    Cancelled,
}

/// The id of an option that was offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    id: String,
    kind: OptionKind,
}

/// A person picked an option that was not offered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the agent did not offer the option `{0}`")]
pub struct NotOffered(pub String);

impl Options {
    /// Takes the agent's list; items without a textual `optionId` cannot be picked and are dropped.
    pub fn new(raw: Vec<Value>) -> Self {
        Self {
            raw: raw
                .into_iter()
                .filter(|option| id(option).is_some())
                .collect(),
        }
    }

    /// Reads the list back from the store.
    pub fn stored(text: &str) -> Self {
        Self::new(serde_json::from_str(text).unwrap_or_default())
    }

    /// The same options without secrets in what they say. Their ids stay: an answer must name what was offered.
    #[must_use]
    pub fn redacted(self, redactor: &Redactor) -> Self {
        let clean = |option: Value| match option {
            Value::Object(map) => map
                .into_iter()
                .map(|(key, value)| match key.as_str() {
                    "optionId" => (key, value),
                    _ => (key, redactor.value(value)),
                })
                .collect(),
            other => other,
        };
        Self {
            raw: self.raw.into_iter().map(clean).collect(),
        }
    }

    /// The agent's own objects.
    pub fn raw(&self) -> &[Value] {
        &self.raw
    }

    /// For `auto_allow`: `allow_once` before `allow_always`, the first of its kind; an automatic verdict never
    /// makes a runtime stop asking while it can permit one call.
    pub fn allow(&self) -> Outcome {
        self.first(&[OptionKind::AllowOnce, OptionKind::AllowAlways])
    }

    /// For every refusal: `reject_once` before `reject_always`, the first of its kind.
    pub fn deny(&self) -> Outcome {
        self.first(&[OptionKind::RejectOnce, OptionKind::RejectAlways])
    }

    /// For a person: exactly the option named.
    ///
    /// # Errors
    /// When it was not offered.
    pub fn pick(&self, option: &str) -> Result<Outcome, NotOffered> {
        let offered = self.raw.iter().find(|offered| id(offered) == Some(option));
        match offered {
            Some(offered) => Ok(Outcome::Selected(Selected {
                id: option.to_owned(),
                kind: kind(offered),
            })),
            None => Err(NotOffered(option.chars().take(80).collect())),
        }
    }

    /// The first option of the first kind that has one. An id that is offered under two kinds is passed over: the
    /// agent reads the id alone, and must not read a permit in a refusal.
    fn first(&self, ladder: &[OptionKind]) -> Outcome {
        let plain = self.plain();
        for wanted in ladder {
            let mut of_kind = self.raw.iter().filter(|option| kind(option) == *wanted);
            let plain = |option| id(option).filter(|id| plain.get(id) == Some(&true));
            if let Some(id) = of_kind.find_map(plain) {
                return Outcome::Selected(Selected {
                    id: id.to_owned(),
                    kind: *wanted,
                });
            }
        }
        Outcome::Cancelled
    }

    /// Each id, and whether it is offered under one kind only. One pass: an agent may offer a great many.
    fn plain(&self) -> HashMap<&str, bool> {
        let mut kinds: HashMap<&str, OptionKind> = HashMap::new();
        let mut plain = HashMap::new();
        for option in &self.raw {
            if let Some(id) = id(option) {
                let first = *kinds.entry(id).or_insert_with(|| kind(option));
                *plain.entry(id).or_insert(true) &= first == kind(option);
            }
        }
        plain
    }
}

fn id(option: &Value) -> Option<&str> {
    option.get("optionId")?.as_str()
}

fn kind(option: &Value) -> OptionKind {
    option
        .get("kind")
        .and_then(Value::as_str)
        .map_or(OptionKind::Unknown, OptionKind::parse)
}

impl Outcome {
    /// The id of the selected option.
    pub fn option(&self) -> Option<&str> {
        match self {
            Self::Selected(selected) => Some(&selected.id),
            Self::Cancelled => None,
        }
    }

    /// Whether the tool may run.
    pub fn permits(&self) -> bool {
        matches!(
            self,
            Self::Selected(Selected {
                kind: OptionKind::AllowOnce | OptionKind::AllowAlways,
                ..
            })
        )
    }

    /// Whether the agent reads a refusal: a rejection was selected, or nothing was.
    pub fn refuses(&self) -> bool {
        match self {
            Self::Selected(selected) => selected.kind.rejects(),
            Self::Cancelled => true,
        }
    }
}

impl Serialize for Outcome {
    /// The result of `session/request_permission`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let outcome = match self {
            Self::Selected(selected) => {
                serde_json::json!({"outcome": "selected", "optionId": selected.id})
            }
            Self::Cancelled => serde_json::json!({"outcome": "cancelled"}),
        };
        serde_json::json!({ "outcome": outcome }).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn options(kinds: &[&str]) -> Options {
        let raw = kinds
            .iter()
            .enumerate()
            .map(|(at, kind)| json!({"optionId": format!("{at}{kind}"), "kind": kind}))
            .collect();
        Options::new(raw)
    }

    #[test]
    fn the_ladders() {
        for (offered, allow, deny) in [
            (
                &["allow_always", "allow_once", "reject_always", "reject_once"][..],
                Some("1allow_once"),
                Some("3reject_once"),
            ),
            (
                &["allow_always", "reject_always"],
                Some("0allow_always"),
                Some("1reject_always"),
            ),
            (&["allow_once", "allow_once"], Some("0allow_once"), None),
            (&["reject_once"], None, Some("0reject_once")),
            (&["maybe", ""], None, None),
            (&[], None, None),
        ] {
            assert_eq!(options(offered).allow().option(), allow, "{offered:?}");
            assert_eq!(options(offered).deny().option(), deny, "{offered:?}");
        }
    }

    #[test]
    fn an_id_of_two_kinds_is_never_picked_by_itself() {
        let offered = |pairs: &[(&str, &str)]| {
            let raw = pairs
                .iter()
                .map(|(id, kind)| json!({"optionId": id, "kind": kind}));
            Options::new(raw.collect())
        };
        for kinds in [
            ["allow_once", "reject_once"],
            ["reject_once", "allow_always"],
            ["reject_always", "x"],
        ] {
            let twice = offered(&[("a", kinds[0]), ("a", kinds[1])]);
            assert_eq!(
                (twice.allow(), twice.deny()),
                (Outcome::Cancelled, Outcome::Cancelled)
            );
            assert_eq!(twice.pick("a").unwrap().option(), Some("a"));
        }
        let clear = offered(&[
            ("a", "allow_once"),
            ("a", "reject_once"),
            ("b", "reject_once"),
            ("b", "reject_once"),
            ("c", "allow_always"),
        ]);
        assert_eq!(clear.deny().option(), Some("b"));
        assert_eq!(clear.allow().option(), Some("c"));
    }

    #[test]
    fn a_person_gets_exactly_what_was_picked_or_an_error() {
        let offered = options(&["allow_once", "strange"]);
        assert_eq!(offered.pick("1strange").unwrap().option(), Some("1strange"));
        assert!(!offered.pick("1strange").unwrap().permits());
        assert_eq!(offered.pick("allow"), Err(NotOffered("allow".into())));
        assert_eq!(offered.pick(""), Err(NotOffered(String::new())));
    }

    #[test]
    fn an_option_without_an_id_is_not_there() {
        let offered = Options::new(vec![
            json!({"kind": "allow_once"}),
            json!({"optionId": 5, "kind": "allow_once"}),
            json!("x"),
        ]);
        assert_eq!(offered, Options::default());
        assert_eq!(offered.allow(), Outcome::Cancelled);
    }

    #[test]
    fn what_an_option_says_is_redacted_and_its_id_still_answers() {
        let redactor = Redactor::new(["topsecret1"]);
        let offered = Options::new(vec![
            json!({"optionId": "a", "kind": "allow_once", "name": "Use topsecret1", "_meta": {"x": "topsecret1"}}),
        ]);
        let clean = offered.redacted(&redactor);
        assert!(!json!(clean.raw()).to_string().contains("topsecret1"));
        assert!(clean.pick("a").unwrap().permits());
    }

    #[test]
    fn the_wire_form() {
        let offered = options(&["reject_once"]);
        assert_eq!(
            json!(offered.deny()),
            json!({"outcome": {"outcome": "selected", "optionId": "0reject_once"}})
        );
        assert_eq!(
            json!(offered.allow()),
            json!({"outcome": {"outcome": "cancelled"}})
        );
        assert!(offered.deny().refuses() && offered.allow().refuses() && !offered.deny().permits());
    }

    proptest::proptest! {
        #[test]
        fn nothing_is_ever_invented(kinds in proptest::collection::vec("allow_once|allow_always|reject_once|reject_always|x", 0..6)) {
            let kinds: Vec<_> = kinds.iter().map(String::as_str).collect();
            let offered = options(&kinds);
            for outcome in [offered.allow(), offered.deny()] {
                if let Some(picked) = outcome.option() {
                    proptest::prop_assert!(offered.pick(picked).is_ok());
                }
            }
            proptest::prop_assert!(!offered.deny().permits());
        }
    }
}
