//! What the log records. An event is stored as a tag and a body, so that an old reader shows a new kind
//! instead of failing on it.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::id::{RequestId, TurnId};
use crate::time::Timestamp;

/// Where an output line came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    /// A `session/update` or `session/request_permission` line of the runtime.
    Acp,
    /// A line of the runtime's stdout that is no message.
    Stdout,
    /// A line of the runtime's stderr.
    Stderr,
}

impl Stream {
    /// The tag.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Acp => "acp",
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }
}

/// How far a stage is. There are no other states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It began.
    Started,
    /// It went well.
    Done,
    /// It did not.
    Failed,
    /// Somebody or something stopped it.
    Interrupted,
}

impl State {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }
}

/// One entry of the log.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A line of the runtime, as it wrote it.
    Output {
        /// Its stream.
        stream: Stream,
        /// The line without its end.
        data: String,
    },
    /// Something the daemon did or saw.
    Stage {
        /// `turn`, `request`, `provision` …
        stage: &'static str,
        /// How far it is.
        state: State,
        /// What else is told.
        meta: Map<String, Value>,
        /// Milliseconds since the stage started, on closing states.
        duration_ms: Option<i64>,
    },
}

impl Event {
    /// A line of the runtime on the `acp` stream.
    pub fn acp(line: impl Into<String>) -> Self {
        Self::Output {
            stream: Stream::Acp,
            data: line.into(),
        }
    }

    /// A stage; `meta` is an object, and members that are null are left out.
    pub fn stage(stage: &'static str, state: State, meta: Value) -> Self {
        let meta = match meta {
            Value::Object(map) => map
                .into_iter()
                .filter(|(_, value)| !value.is_null())
                .collect(),
            _ => Map::new(),
        };
        Self::Stage {
            stage,
            state,
            meta,
            duration_ms: None,
        }
    }

    /// The same event with the time its stage took.
    #[must_use]
    pub fn took(mut self, started: Option<Timestamp>, now: Timestamp) -> Self {
        if let (Self::Stage { duration_ms, .. }, Some(started)) = (&mut self, started) {
            *duration_ms = Some(now.0.saturating_sub(started.0).max(0));
        }
        self
    }

    /// The tag it is stored under: `acp`, or `turn/started`.
    pub fn tag(&self) -> Cow<'static, str> {
        match self {
            Self::Output { stream, .. } => Cow::Borrowed(stream.as_str()),
            Self::Stage { stage, state, .. } => Cow::Owned(format!("{stage}/{}", state.as_str())),
        }
    }

    /// The body it is stored with: the line, or the metadata as JSON.
    pub fn body(&self) -> Cow<'_, str> {
        match self {
            Self::Output { data, .. } => Cow::Borrowed(data),
            Self::Stage { meta, .. } => {
                Cow::Owned(serde_json::to_string(meta).unwrap_or_else(|_| "{}".into()))
            }
        }
    }
}

/// The turn's own stage events. Each carries both ids: clients match on either.
pub mod turn {
    use super::{Event, State, TurnId, Value, json};

    /// Builds the event, with `more` members after the two ids.
    pub fn event(state: State, id: TurnId, number: i64, more: Value) -> Event {
        let mut meta = json!({ "turn_id": id, "turn_number": number });
        if let (Some(meta), Value::Object(more)) = (meta.as_object_mut(), more) {
            meta.extend(more);
        }
        Event::stage("turn", state, meta)
    }
}

/// What a policy did by itself.
pub mod policy {
    use super::{Event, State, json};
    use crate::request::Ask;

    /// A request that the policy refused: by which key, and what it wanted.
    pub fn denied(ask: &Ask, key: &str) -> Event {
        let meta = json!({
            "event": "denied", "request_id": ask.id, "tool": ask.tool, "summary": ask.summary, "key": key,
            "tool_call_id": ask.call,
        });
        Event::stage("policy", State::Done, meta)
    }
}

/// The request's own stage events.
pub mod request {
    use super::{Event, RequestId, State, Value, json};

    /// A request waits. `timeout_ms` is the time until nobody can answer.
    pub fn started(id: &RequestId, tool: &str, options: &[Value], timeout_ms: i64) -> Event {
        Event::stage(
            "request",
            State::Started,
            json!({ "request_id": id, "tool": tool, "options": options, "timeout_ms": timeout_ms }),
        )
    }

    /// A request is settled: exactly one per request. A null `option_id` is told, as clients read it.
    pub fn done(id: &RequestId, outcome: &str, option: Option<&str>, by: &str) -> Event {
        let mut event = Event::stage(
            "request",
            State::Done,
            json!({ "request_id": id, "outcome": outcome, "answered_by": by }),
        );
        if let Event::Stage { meta, .. } = &mut event {
            meta.insert("option_id".into(), option.map_or(Value::Null, Value::from));
        }
        event
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_a_tag_and_a_body() {
        let line = Event::acp(r#"{"a":1.10}"#);
        assert_eq!((&*line.tag(), &*line.body()), ("acp", r#"{"a":1.10}"#));
        let stage = Event::stage(
            "provision",
            State::Failed,
            json!({"reason": "no", "left_out": null}),
        );
        assert_eq!(
            (&*stage.tag(), &*stage.body()),
            ("provision/failed", r#"{"reason":"no"}"#)
        );
    }

    #[test]
    fn every_turn_event_carries_both_ids() {
        let id = "019ad0b2-6c00-7000-8000-0000000000ff".parse().unwrap();
        let event = turn::event(State::Failed, id, 3, json!({"reason": "x"}));
        assert_eq!(
            event.body(),
            r#"{"turn_id":"019ad0b2-6c00-7000-8000-0000000000ff","turn_number":3,"reason":"x"}"#
        );
    }

    #[test]
    fn a_settled_request_tells_its_option_also_when_there_is_none() {
        let event = request::done(&RequestId::from_text("1.0"), "timeout", None, "deadline");
        assert_eq!(
            event.body(),
            r#"{"request_id":"1.0","outcome":"timeout","answered_by":"deadline","option_id":null}"#
        );
    }
}
