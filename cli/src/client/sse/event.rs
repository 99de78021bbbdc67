//! An event, borrowed from its frame.

use std::borrow::Cow;
use std::ops::Deref;

use serde::Deserialize;

/// Text that borrows from the frame where nothing in it is escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// One event of a conversation; what each field holds is told at `core::api::events::Event`.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Event<'a> {
    /// The position in the log; 0 for one that is not stored.
    #[serde(skip)]
    pub id: i64,
    /// The whole event as it came, one JSON object.
    #[serde(skip)]
    pub raw: &'a str,
    /// `output` or `stage`; empty for what could not be read.
    #[serde(borrow, default)]
    pub kind: Text<'a>,
    /// Of an output.
    #[serde(borrow, default)]
    pub stream: Option<Text<'a>>,
    /// The line of an output; the metadata of a stage, as JSON text.
    #[serde(borrow, default)]
    pub data: Option<Text<'a>>,
    /// The stage.
    #[serde(borrow, default)]
    pub stage: Option<Text<'a>>,
    /// Its state.
    #[serde(borrow, default)]
    pub state: Option<Text<'a>>,
    /// How long it took.
    #[serde(default)]
    pub duration_ms: Option<i64>,
    /// The turn.
    #[serde(borrow, default)]
    pub turn_id: Option<Text<'a>>,
}

impl<'a> Event<'a> {
    /// Reads the data of a frame. What is no event gives one of no kind, so that its id still counts.
    pub(super) fn read(id: Option<i64>, raw: &'a str) -> Self {
        let event: Self = serde_json::from_str(raw).unwrap_or_default();
        Self {
            id: id.unwrap_or_default(),
            raw,
            ..event
        }
    }

    /// The line of an `acp` output.
    pub(crate) fn acp(&self) -> Option<&str> {
        match (&*self.kind, self.stream.as_deref()) {
            ("output", Some("acp")) => self.data.as_deref(),
            _ => None,
        }
    }

    /// Stage, state and metadata of a stage event.
    pub(crate) fn stage(&self) -> Option<(&str, &str, &str)> {
        if &*self.kind != "stage" {
            return None;
        }
        Some((
            self.stage.as_deref()?,
            self.state.as_deref()?,
            self.data.as_deref().unwrap_or("{}"),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_read_whole_or_keeps_its_id() {
        let raw = r#"{"kind":"output","stream":"acp","data":"{\"a\":1}","stage":null,"state":null,"turn_id":"t","ts":"now","blocks":[1]}"#;
        let event = Event::read(Some(9), raw);
        assert_eq!(
            (event.id, event.acp(), event.turn_id.as_deref()),
            (9, Some(r#"{"a":1}"#), Some("t"))
        );
        assert!(matches!(
            event.turn_id.as_ref().unwrap().0,
            Cow::Borrowed("t")
        ));
        let odd = Event::read(Some(9), "nonsense");
        assert_eq!((odd.id, odd.acp(), odd.stage()), (9, None, None));
        let stage = Event::read(
            None,
            r#"{"kind":"stage","stage":"turn","state":"done","data":"{}"}"#,
        );
        assert_eq!(stage.stage(), Some(("turn", "done", "{}")));
    }
}
