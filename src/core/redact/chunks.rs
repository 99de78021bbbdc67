//! Secrets that a runtime writes in pieces: a model streams a key in chunks of three letters. A chunk whose end may
//! be the beginning of a secret is held until the next one tells.

use std::collections::VecDeque;

use crate::object::Object;

use super::Redactor;

/// A shorter beginning of a secret is let through at once; if a secret follows, its rest is replaced all the same.
const SUSPICIOUS: usize = 3;

/// The text chunks of one turn on their way to the store.
#[derive(Clone, Debug, Default)]
pub struct Chunks {
    /// `agent_message_chunk` or `agent_thought_chunk`: only chunks of one kind continue each other.
    kind: String,
    /// The end of what was let through, as long as a secret may reach into it.
    before: String,
    held: VecDeque<(String, String)>,
}

impl Chunks {
    /// Takes a chunk's line; gives the lines that may be stored now, in order, the text in them redacted.
    pub fn push(&mut self, redactor: &Redactor, kind: &str, line: String) -> Vec<String> {
        let Some(text) = text(&line) else {
            let mut out = self.flush();
            out.push(line);
            return out;
        };
        let mut out = Vec::new();
        if self.kind != kind {
            out = self.flush();
            self.kind = kind.to_owned();
            self.before.clear();
        }
        self.held.push_back((line, text));
        self.redact(redactor);
        self.release(redactor, &mut out);
        out
    }

    /// Lets everything through: something else comes next, or the turn ends.
    pub fn flush(&mut self) -> Vec<String> {
        let held = self.held.drain(..);
        held.map(|(line, text)| {
            // A chunk of the same kind may still go on where this one ended.
            self.before.push_str(&text);
            line
        })
        .collect()
    }

    /// Replaces a secret that lies across the chunks that are held, and what was let through before them. The
    /// held chunks then become one.
    fn redact(&mut self, redactor: &Redactor) {
        let held: String = self.held.iter().map(|(_, text)| text.as_str()).collect();
        let whole = format!("{}{held}", self.before);
        let clean = redactor.text(&whole);
        if clean == whole {
            return;
        }
        // What was let through cannot be taken back: at most the first letters of the secret are in it.
        let common = whole
            .bytes()
            .zip(clean.bytes())
            .take_while(|(a, b)| a == b)
            .count()
            .min(self.before.len());
        let common = (0..=common)
            .rev()
            .find(|at| clean.is_char_boundary(*at))
            .unwrap_or(0);
        let rest = clean[common..].to_owned();
        let Some((line, _)) = self.held.pop_back() else {
            return;
        };
        self.held.clear();
        let line = with_text(&line, &rest);
        self.held.push_back((line, rest));
        self.before.clear();
    }

    /// Lets through what no secret can reach into any more.
    fn release(&mut self, redactor: &Redactor, out: &mut Vec<String>) {
        let held: usize = self.held.iter().map(|(_, text)| text.len()).sum();
        let whole: String = self
            .before
            .chars()
            .chain(self.held.iter().flat_map(|(_, text)| text.chars()))
            .collect();
        let begun = redactor.begun(&whole);
        let keep = if begun >= SUSPICIOUS { begun } else { 0 };
        let mut behind = held;
        while let Some((_, text)) = self.held.front() {
            if behind.saturating_sub(text.len()) < keep && keep > 0 {
                break;
            }
            behind -= text.len();
            out.extend(self.held.pop_front().map(|(line, _)| line));
        }
        let through = whole.len() - behind;
        let from = through.saturating_sub(begun.saturating_sub(behind));
        self.before = whole.get(from..through).unwrap_or("").to_owned();
    }
}

fn text(line: &str) -> Option<String> {
    let line = Object::parse(line)?;
    let params = Object::parse(line.get("params")?)?;
    let update = Object::parse(params.get("update")?)?;
    Object::parse(update.get("content")?)?.text("text")
}

fn with_text(line: &str, text: &str) -> String {
    let edited = || {
        let mut line = Object::parse(line)?;
        let mut params = Object::parse(line.get("params")?)?.to_string();
        let mut of_params = Object::parse(&params)?;
        let update = of_params.get("update")?.to_owned();
        let mut of_update = Object::parse(&update)?;
        let content = of_update.get("content")?.to_owned();
        let mut of_content = Object::parse(&content)?;
        of_content.set("text", serde_json::to_string(text).ok()?);
        of_update.set("content", of_content.to_string());
        of_params.set("update", of_update.to_string());
        params = of_params.to_string();
        line.set("params", params);
        Some(line.to_string())
    };
    edited().unwrap_or_else(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::redact::MARK;

    const SECRET: &str = "ftn_0123456789abcdef";

    fn line(text: &str) -> String {
        json!({"method": "session/update", "params": {"sessionId": "s", "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}}}).to_string()
    }

    fn stored(parts: &[&str]) -> Vec<String> {
        let redactor = Redactor::new([SECRET]);
        let mut chunks = Chunks::default();
        let mut out: Vec<String> = parts
            .iter()
            .flat_map(|part| chunks.push(&redactor, "agent_message_chunk", line(part)))
            .collect();
        out.extend(chunks.flush());
        out.iter().map(|line| text(line).unwrap()).collect()
    }

    #[test]
    fn a_secret_in_pieces_is_replaced() {
        assert_eq!(
            stored(&["key: ftn_0123", "456789abc", "def ok"]).concat(),
            "key: [REDACTED] ok"
        );
        assert_eq!(
            stored(&["key: f", "tn_0123456789abcdef"]).concat(),
            "key: f[REDACTED]"
        );
    }

    #[test]
    fn what_only_begins_like_a_secret_passes_unchanged() {
        assert_eq!(
            stored(&["see ftn_01", " and more"]),
            ["see ftn_01", " and more"]
        );
        assert_eq!(stored(&["ends in ftn_01"]), ["ends in ftn_01"]);
    }

    #[test]
    fn a_chunk_without_a_suspicious_end_does_not_wait() {
        let redactor = Redactor::new([SECRET]);
        let mut chunks = Chunks::default();
        let push = |chunks: &mut Chunks, text: &str| {
            chunks
                .push(&redactor, "agent_message_chunk", line(text))
                .len()
        };
        assert_eq!(
            push(&mut chunks, "half"),
            1,
            "one letter is not worth a wait"
        );
        assert_eq!(push(&mut chunks, "x ftn_"), 0);
        assert_eq!(push(&mut chunks, "y"), 2);
        let image = r#"{"params":{"update":{"content":{"type":"image"}}}}"#;
        assert_eq!(
            chunks.push(&redactor, "agent_message_chunk", image.into()),
            [image]
        );
    }

    proptest! {
        #[test]
        fn however_it_is_cut_no_secret_is_stored(before in "[a-z ftn_0]{0,8}", after in "[a-z ftn_0]{0,8}", cuts in prop::collection::vec(1usize..9, 0..40)) {
            let whole = format!("{before}{SECRET}{after}{SECRET}");
            let mut parts = Vec::new();
            let mut rest = whole.as_str();
            for cut in cuts {
                let (head, tail) = rest.split_at(cut.min(rest.len()));
                if !head.is_empty() {
                    parts.push(head);
                }
                rest = tail;
            }
            if !rest.is_empty() {
                parts.push(rest);
            }
            let got = stored(&parts).concat();
            prop_assert!(!got.contains(SECRET), "{}", got);
            prop_assert!(!got.contains(&SECRET[SUSPICIOUS..]), "{}", got);
            prop_assert_eq!(got.matches(MARK).count(), 2, "{}", got);
            prop_assert!(got.starts_with(&before) && got.len() <= before.len() + after.len() + 2 * (MARK.len() + SUSPICIOUS - 1));
        }

        #[test]
        fn text_without_a_secret_is_stored_as_it_came(parts in prop::collection::vec("[a-f tn_0-3é]{1,6}", 0..12)) {
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            prop_assert_eq!(stored(&parts), parts);
        }
    }
}
