//! What a person said. The log holds only what the runtime wrote; prompts are on turns, and become
//! `user_message_chunk` lines at the start of their turn. A runtime that repeats the prompt is not heard twice.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fountain_core::api::conversations::Turn;
use fountain_core::rpc::Object;
use serde_json::{Value, json};

use super::paths;
use crate::client::{self, Client};

/// The turns of one conversation, asked for when an unknown one appears.
#[derive(Default)]
pub(super) struct Turns {
    known: HashMap<String, Turn>,
}

impl Turns {
    /// Appends the prompt of a turn, where a person wrote it, and gives what its runtime may repeat.
    pub(super) async fn prompt(
        &mut self,
        client: &Client,
        session: (&str, &str),
        turn: &str,
        out: &mut Vec<u8>,
    ) -> Result<Echo, client::Error> {
        let (conversation, quoted) = session;
        if !self.known.contains_key(turn) {
            let turns = client.turns(conversation).await?;
            self.known = turns
                .into_iter()
                .map(|turn| (turn.id.clone(), turn))
                .collect();
        }
        let Some(turn) = self.known.get(turn) else {
            return Ok(Echo::default());
        };
        if turn.origin != "user" || is_resume(&turn.prompt) {
            return Ok(Echo::default());
        }
        if !turn.prompt.is_empty() {
            chunk(quoted, &json!({"type": "text", "text": turn.prompt}), out);
        }
        let images = usize::try_from(turn.image_count).unwrap_or(0);
        for position in 0..images {
            let (media_type, bytes) = client.image(conversation, &turn.id, position).await?;
            chunk(
                quoted,
                &json!({"type": "image", "mimeType": media_type, "data": STANDARD.encode(&bytes)}),
                out,
            );
        }
        Ok(Echo::of(&turn.prompt, images))
    }
}

fn chunk(session: &str, content: &Value, out: &mut Vec<u8>) {
    let line = json!({
        "jsonrpc": "2.0",
        "method": "session/update",
        "params": {"sessionId": "", "update": {"sessionUpdate": "user_message_chunk", "content": content}},
    });
    paths::update(&line.to_string(), session, out);
}

/// A prompt that carries the answer to a request: no person wrote it.
fn is_resume(prompt: &str) -> bool {
    prompt.starts_with(r#"{"fountain/permission_answer""#)
        && serde_json::from_str::<serde_json::Map<String, Value>>(prompt)
            .is_ok_and(|map| map.len() == 1)
}

/// What of a prompt a runtime has not repeated yet.
#[derive(Debug, Default)]
pub(super) struct Echo {
    text: String,
    images: usize,
}

impl Echo {
    pub(super) fn of(text: &str, images: usize) -> Self {
        Self {
            text: text.to_owned(),
            images,
        }
    }

    /// Whether a line only repeats the prompt, or the next part of it.
    pub(super) fn repeats(&mut self, line: &str) -> bool {
        if memchr::memmem::find(line.as_bytes(), b"user_message_chunk").is_none() {
            return false;
        }
        let content = || {
            let params = Object::parse(line)?.get("params").map(str::to_owned)?;
            let update: Value =
                serde_json::from_str(Object::parse(&params)?.get("update")?).ok()?;
            (update["sessionUpdate"] == "user_message_chunk").then(|| update["content"].clone())
        };
        let Some(content) = content() else {
            return false;
        };
        match (content["type"].as_str(), content["text"].as_str()) {
            (Some("text"), Some(text)) if !text.is_empty() => {
                // Blocks are joined by a line end that no block holds.
                let rest = self.text.strip_prefix(text);
                let rest = rest
                    .or_else(|| self.text.strip_prefix('\n')?.strip_prefix(text))
                    .map(str::to_owned);
                let repeats = rest.is_some();
                self.text = rest.unwrap_or_else(|| std::mem::take(&mut self.text));
                repeats
            }
            (Some("image"), _) if self.images > 0 => {
                self.images -= 1;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn echo(kind: &str, content: Value) -> String {
        json!({"method": "session/update", "params": {"update": {"sessionUpdate": kind, "content": content}}}).to_string()
    }

    #[test]
    fn a_prompt_is_heard_once_and_another_message_is_heard() {
        let mut prompt = Echo::of("one\ntwo", 1);
        let text = |text: &str| json!({"type": "text", "text": text});
        assert!(!prompt.repeats(&echo("agent_message_chunk", text("one"))));
        assert!(!prompt.repeats(&echo("agent_message_chunk", text("user_message_chunk"))));
        assert!(prompt.repeats(&echo("user_message_chunk", text("on"))));
        assert!(prompt.repeats(&echo("user_message_chunk", text("e"))));
        assert!(!prompt.repeats(&echo("user_message_chunk", text("other"))));
        assert!(prompt.repeats(&echo(
            "user_message_chunk",
            json!({"type": "image", "data": ""})
        )));
        assert!(!prompt.repeats(&echo(
            "user_message_chunk",
            json!({"type": "image", "data": ""})
        )));
        assert!(prompt.repeats(&echo("user_message_chunk", text("two"))));
        assert!(!prompt.repeats(&echo("user_message_chunk", text("two"))));
    }

    #[test]
    fn an_answer_to_a_request_is_no_message_of_a_person() {
        assert!(is_resume(
            r#"{"fountain/permission_answer":{"request_id":"7.1"}}"#
        ));
        assert!(!is_resume(r#"{"fountain/permission_answer":{},"x":1}"#));
        assert!(!is_resume("hello"));
    }
}
