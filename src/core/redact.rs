//! Secrets out of text. Only this module makes a [`Redacted`], and the store takes nothing else: the compiler
//! reminds whoever forgets.

mod chunks;

use std::borrow::Cow;

use memchr::memmem;
use serde_json::Value;

use crate::event::{Event, Stream};

pub use chunks::Chunks;

/// What stands in place of a secret.
pub const MARK: &str = "[REDACTED]";

/// Shorter values are left alone: replacing a common short word would destroy the transcript.
const SHORTEST: usize = 8;

/// A value without secrets in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Redacted<T>(T);

impl<T> Redacted<T> {
    /// The value.
    pub fn into_inner(self) -> T {
        self.0
    }

    /// The value.
    pub fn get(&self) -> &T {
        &self.0
    }
}

/// The secrets of one conversation.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Longest first, so that a secret inside a longer one does not leave a tail.
    needles: Vec<memmem::Finder<'static>>,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Redactor({} secrets)", self.needles.len())
    }
}

impl Redactor {
    /// Knows these secrets, each also in the form it has inside a JSON string.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut forms: Vec<String> = Vec::new();
        for secret in secrets
            .into_iter()
            .filter(|secret| secret.len() >= SHORTEST)
        {
            let escaped = serde_json::to_string(secret).unwrap_or_default();
            let inner = escaped
                .strip_prefix('"')
                .and_then(|text| text.strip_suffix('"'));
            forms.push(secret.to_owned());
            forms.extend(inner.map(str::to_owned));
        }
        forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup();
        Self {
            needles: forms
                .iter()
                .map(|form| memmem::Finder::new(form).into_owned())
                .collect(),
        }
    }

    /// Replaces each secret in a text. Redact the whole before cutting: a cut may leave a fragment.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut out = Cow::Borrowed(text);
        for needle in &self.needles {
            if let Some(first) = needle.find(out.as_bytes()) {
                out = Cow::Owned(replace(&out, needle, first));
            }
        }
        out
    }

    /// How many bytes at the end of a text are the beginning of a secret, at the most; less than a whole one.
    fn begun(&self, text: &str) -> usize {
        let begins = |needle: &[u8]| {
            (1..needle.len().min(text.len() + 1))
                .rev()
                .find(|length| text.as_bytes().ends_with(&needle[..*length]))
        };
        self.needles
            .iter()
            .filter_map(|needle| begins(needle.needle()))
            .max()
            .unwrap_or(0)
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.needles.is_empty()
    }

    /// An event that may be stored.
    pub fn event(&self, event: Event) -> Redacted<Event> {
        if self.needles.is_empty() {
            return Redacted(event);
        }
        Redacted(match event {
            Event::Output { stream, data } => {
                let data = match self.text(&data) {
                    Cow::Borrowed(_) => data,
                    Cow::Owned(clean) => self.still_json(stream, &data, clean),
                };
                Event::Output { stream, data }
            }
            Event::Stage {
                stage,
                state,
                meta,
                duration_ms,
            } => {
                let meta = meta
                    .into_iter()
                    .map(|(key, value)| (key, self.value(value)))
                    .collect();
                Event::Stage {
                    stage,
                    state,
                    meta,
                    duration_ms,
                }
            }
        })
    }

    /// A secret may begin with the letter of an escape (`\n`), and a replacement then leaves half an escape.
    /// Such a line is taken apart and redacted string by string.
    fn still_json(&self, stream: Stream, line: &str, clean: String) -> String {
        let is_json = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        if stream != Stream::Acp || is_json(&clean) {
            return clean;
        }
        match serde_json::from_str::<Value>(line) {
            Ok(value) => self.value(value).to_string(),
            Err(_) => clean,
        }
    }

    /// A text that may be stored.
    pub fn string(&self, text: &str) -> Redacted<String> {
        Redacted(self.text(text).into_owned())
    }

    /// Replaces each secret in the strings of a JSON value.
    pub fn value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text).into_owned()),
            Value::Array(items) => items.into_iter().map(|item| self.value(item)).collect(),
            Value::Object(map) => map
                .into_iter()
                .map(|(key, item)| (key, self.value(item)))
                .collect(),
            other => other,
        }
    }
}

fn replace(text: &str, needle: &memmem::Finder<'_>, first: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut found = Some(first);
    while let Some(start) = found {
        out.push_str(&text[at..start]);
        out.push_str(MARK);
        at = start + needle.needle().len();
        found = needle.find(&text.as_bytes()[at..]).map(|next| at + next);
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::event::State;

    #[test]
    fn secrets_go_also_in_their_json_form() {
        let redactor = Redactor::new(["pass\"word\n1", "ftn_0123456789"]);
        assert_eq!(
            redactor.text("a ftn_0123456789 b ftn_0123456789"),
            "a [REDACTED] b [REDACTED]"
        );
        assert_eq!(
            redactor.text(r#"{"t":"pass\"word\n1"}"#),
            r#"{"t":"[REDACTED]"}"#
        );
    }

    #[test]
    fn the_longest_goes_first_and_short_ones_stay() {
        let redactor = Redactor::new(["abcdefgh", "abcdefgh-and-more", "yes"]);
        assert_eq!(
            redactor.text("abcdefgh-and-more abcdefgh yes"),
            "[REDACTED] [REDACTED] yes"
        );
    }

    #[test]
    fn an_event_is_redacted_in_its_line_and_its_metadata() {
        let redactor = Redactor::new(["topsecret1"]);
        let line = redactor.event(Event::acp("x topsecret1"));
        assert_eq!(line.get().body(), "x [REDACTED]");
        let stage = redactor.event(Event::stage(
            "turn",
            State::Failed,
            json!({"reason": {"tail": ["topsecret1"]}}),
        ));
        assert_eq!(stage.get().body(), r#"{"reason":{"tail":["[REDACTED]"]}}"#);
        assert!(!format!("{redactor:?}").contains("topsecret1"));
    }

    #[test]
    fn a_line_stays_json_when_a_secret_begins_inside_an_escape() {
        let redactor = Redactor::new(["nabcdefgh"]);
        let line = redactor.event(Event::acp(r#"{"t":"\nabcdefgh"}"#));
        assert_eq!(line.get().body(), r#"{"t":"\nabcdefgh"}"#);
    }

    proptest::proptest! {
        #[test]
        fn no_secret_is_left(secret in "[a-z\"\\\\é\n]{8,12}", before in "[a-z ]{0,5}", after in "[a-z ]{0,5}") {
            let redactor = Redactor::new([secret.as_str()]);
            let plain = format!("{before}{secret}{after}{secret}");
            let line = serde_json::to_string(&plain).unwrap();
            let clean_plain = redactor.text(&plain);
            let clean_line = redactor.text(&line);
            proptest::prop_assert!(!clean_plain.contains(&secret));
            proptest::prop_assert!(!clean_line.contains(&secret));
            let read: Option<String> = serde_json::from_str(&clean_line).ok();
            proptest::prop_assert!(read.is_some_and(|read| !read.contains(&secret)));
        }
    }
}
