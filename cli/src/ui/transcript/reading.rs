//! An event of a conversation, as far as it is shown or acted on. What is not known is nothing, and does no harm.

use std::borrow::Cow;

use fountain_core::acp::{Permission, method, preview};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::client::sse::{Event, Text};

/// What an event says.
#[derive(Debug, PartialEq)]
pub(crate) enum Seen<'a> {
    /// A piece of the answer.
    Text(Cow<'a, str>),
    /// A piece of a thought.
    Thought(Cow<'a, str>),
    /// A tool card, or news of one.
    Tool(Tool),
    /// The plan, whole.
    Plan(Vec<Entry>),
    /// A name for the conversation; none takes it away.
    Title(Option<String>),
    /// A kind of update that is not shown.
    Update(String),
    /// The agent asks before a tool runs.
    Asked(Box<Asked>),
    /// Something the instance did or saw.
    Stage(Stage),
    /// A line that is no message.
    Output {
        /// Of stderr.
        error: bool,
        /// What wrote it, such as `setup`.
        stage: Option<&'a str>,
        /// The line.
        line: &'a str,
    },
    /// Nothing that is known.
    Nothing,
}

/// A tool call, or what changed about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tool {
    /// The agent's id for it, good within its turn.
    pub(crate) id: String,
    /// The title on the card.
    pub(crate) title: Option<String>,
    /// ACP's kind.
    pub(crate) kind: Option<String>,
    /// `pending`, `in_progress`, `completed`, `failed` …
    pub(crate) status: Option<String>,
    /// The first text it shows: of a failed one it says why.
    pub(crate) says: Option<String>,
}

/// An entry of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What is to be done.
    pub(crate) what: String,
    /// `pending`, `in_progress` or `completed`.
    pub(crate) status: String,
}

/// A permission request as the agent put it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    /// The public id.
    pub(crate) id: String,
    /// What the core makes of it.
    pub(crate) permission: Permission,
    /// The whole tool call.
    pub(crate) call: Value,
}

/// A stage event.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stage {
    /// `turn`, `request`, `provision` …
    pub(crate) name: String,
    /// `started`, `done`, `failed` or `interrupted`.
    pub(crate) state: String,
    /// What else is told.
    pub(crate) meta: Value,
    /// How long it took.
    pub(crate) duration_ms: Option<i64>,
}

impl Stage {
    /// A textual member of what else is told.
    pub(crate) fn text(&self, member: &str) -> Option<&str> {
        self.meta[member].as_str().filter(|text| !text.is_empty())
    }

    /// A numeric member.
    pub(crate) fn number(&self, member: &str) -> Option<i64> {
        self.meta[member].as_i64()
    }
}

/// Reads an event.
pub(crate) fn read<'a>(event: &'a Event<'_>) -> Seen<'a> {
    if let Some((name, state, meta)) = event.stage() {
        let stage = Stage {
            name: name.to_owned(),
            state: state.to_owned(),
            meta: serde_json::from_str(meta).unwrap_or_default(),
            duration_ms: event.duration_ms,
        };
        return Seen::Stage(stage);
    }
    match (&*event.kind, event.stream.as_deref(), event.data.as_deref()) {
        ("output", Some("acp"), Some(line)) => chunk(line)
            .or_else(|| message(line))
            .unwrap_or(Seen::Nothing),
        ("output", Some(stream), Some(line)) => Seen::Output {
            error: stream == "stderr",
            stage: event.stage.as_deref(),
            line,
        },
        _ => Seen::Nothing,
    }
}

/// A chunk of text, read in one go: there may be a hundred thousand of them.
fn chunk(line: &str) -> Option<Seen<'_>> {
    #[derive(Deserialize)]
    struct Line<'a> {
        #[serde(borrow)]
        params: Params<'a>,
    }
    #[derive(Deserialize)]
    struct Params<'a> {
        #[serde(borrow)]
        update: Update<'a>,
    }
    #[derive(Deserialize)]
    struct Update<'a> {
        #[serde(borrow, rename = "sessionUpdate")]
        kind: Text<'a>,
        #[serde(borrow)]
        content: Content<'a>,
    }
    #[derive(Deserialize)]
    struct Content<'a> {
        #[serde(borrow)]
        r#type: Text<'a>,
        #[serde(borrow)]
        text: Text<'a>,
    }
    let Line {
        params: Params { update },
    } = serde_json::from_str(line).ok()?;
    match (&*update.kind, &*update.content.r#type) {
        ("agent_message_chunk", "text") => Some(Seen::Text(update.content.text.0)),
        ("agent_thought_chunk", "text") => Some(Seen::Thought(update.content.text.0)),
        _ => None,
    }
}

/// Any other message.
fn message(line: &str) -> Option<Seen<'_>> {
    #[derive(Deserialize)]
    struct Line<'a> {
        #[serde(borrow)]
        method: Text<'a>,
        #[serde(borrow, default)]
        id: Option<&'a RawValue>,
        #[serde(borrow)]
        params: &'a RawValue,
    }
    let line: Line<'_> = serde_json::from_str(line).ok()?;
    match &*line.method {
        method::UPDATE => {
            let params: Value = serde_json::from_str(line.params.get()).ok()?;
            Some(update(&params["update"]))
        }
        method::PERMISSION => {
            let params: Value = serde_json::from_str(line.params.get()).ok()?;
            let id: Value = serde_json::from_str(line.id?.get()).ok()?;
            let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
            let permission = Permission::parse(Some(line.params));
            Some(Seen::Asked(Box::new(Asked {
                id,
                permission,
                call: params["toolCall"].clone(),
            })))
        }
        _ => None,
    }
}

fn update(update: &Value) -> Seen<'static> {
    let kind = update["sessionUpdate"].as_str().unwrap_or_default();
    match kind {
        "agent_message_chunk" => {
            block(&update["content"]).map_or(Seen::Nothing, |text| Seen::Text(Cow::Owned(text)))
        }
        "agent_thought_chunk" => {
            block(&update["content"]).map_or(Seen::Nothing, |text| Seen::Thought(Cow::Owned(text)))
        }
        "tool_call" | "tool_call_update" => tool(update).map_or(Seen::Nothing, Seen::Tool),
        "plan" => Seen::Plan(plan(&update["entries"])),
        "session_info_update" => match update.get("title") {
            Some(Value::Null) => Seen::Title(None),
            Some(Value::String(title)) => {
                Seen::Title(Some(title.clone()).filter(|title| !title.trim().is_empty()))
            }
            _ => Seen::Update(kind.to_owned()),
        },
        "" => Seen::Nothing,
        other => Seen::Update(other.to_owned()),
    }
}

/// What stands for a block of content that is no text.
fn block(content: &Value) -> Option<String> {
    match content["type"].as_str()? {
        "text" => content["text"].as_str().map(str::to_owned),
        "resource_link" => content["uri"].as_str().map(str::to_owned),
        "resource" => content["resource"]["text"]
            .as_str()
            .or(content["resource"]["uri"].as_str())
            .map(str::to_owned),
        other => Some(format!("[{other}]")),
    }
}

fn tool(update: &Value) -> Option<Tool> {
    let text = |member: &str| {
        update[member]
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let says = update["content"]
        .as_array()
        .and_then(|items| items.iter().find_map(|item| block(&item["content"])));
    let title = text("title")
        .or_else(|| text("name"))
        .or_else(|| preview(&update["rawInput"]));
    Some(Tool {
        id: text("toolCallId")?,
        title,
        kind: text("kind"),
        status: text("status"),
        says,
    })
}

fn plan(entries: &Value) -> Vec<Entry> {
    let entries = entries.as_array().map_or(&[][..], Vec::as_slice);
    let entry = |entry: &Value| {
        Some(Entry {
            what: entry["content"].as_str()?.to_owned(),
            status: entry["status"].as_str().unwrap_or("pending").to_owned(),
        })
    };
    entries.iter().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn raw(line: &Value) -> String {
        json!({"kind": "output", "stream": "acp", "data": line.to_string(), "turn_id": "t"})
            .to_string()
    }

    /// Reads one update and shows what was made of it.
    fn seen(update: Value) -> String {
        let line = json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}});
        let raw = raw(&line);
        let event: Event<'_> = serde_json::from_str(&raw).unwrap();
        format!("{:?}", read(&event))
    }

    #[test]
    fn text_and_thoughts() {
        let text = |kind: &str, content: Value| {
            seen(json!({"sessionUpdate": kind, "content": content, "messageId": "m"}))
        };
        assert_eq!(
            text(
                "agent_message_chunk",
                json!({"type": "text", "text": "a\"\nb"})
            ),
            r#"Text("a\"\nb")"#
        );
        assert_eq!(
            text("agent_thought_chunk", json!({"type": "text", "text": "x"})),
            r#"Thought("x")"#
        );
        assert_eq!(
            text("agent_message_chunk", json!({"type": "image", "data": "…"})),
            r#"Text("[image]")"#
        );
        assert_eq!(
            text(
                "agent_message_chunk",
                json!({"type": "resource_link", "uri": "f:///x"})
            ),
            r#"Text("f:///x")"#
        );
        assert_eq!(text("agent_message_chunk", json!(5)), "Nothing");
        assert_eq!(
            text("user_message_chunk", json!({"type": "text", "text": "x"})),
            r#"Update("user_message_chunk")"#
        );
    }

    #[test]
    fn a_tool_is_read_from_what_there_is() {
        let call = json!({
            "sessionUpdate": "tool_call", "toolCallId": "t1", "title": "ls", "kind": "execute", "status": "pending",
            "content": [{"type": "content", "content": {"type": "text", "text": "out"}}],
        });
        insta::assert_snapshot!(seen(call), @r#"Tool(Tool { id: "t1", title: Some("ls"), kind: Some("execute"), status: Some("pending"), says: Some("out") })"#);
        let bare = json!({"sessionUpdate": "tool_call_update", "toolCallId": "t1", "rawInput": {"path": "/a"}});
        insta::assert_snapshot!(seen(bare), @r#"Tool(Tool { id: "t1", title: Some("path=/a"), kind: None, status: None, says: None })"#);
        assert_eq!(seen(json!({"sessionUpdate": "tool_call"})), "Nothing");
    }

    #[test]
    fn the_rest_does_no_harm() {
        assert_eq!(
            seen(json!({"sessionUpdate": "from_the_future", "x": [1]})),
            r#"Update("from_the_future")"#
        );
        assert_eq!(seen(json!({"sessionUpdate": 5})), "Nothing");
        assert_eq!(seen(json!("x")), "Nothing");
        for line in [
            "",
            "nonsense",
            "[]",
            r#"{"method":5}"#,
            r#"{"method":"session/request_permission","params":{}}"#,
        ] {
            let raw = json!({"kind": "output", "stream": "acp", "data": line}).to_string();
            let event: Event<'_> = serde_json::from_str(&raw).unwrap();
            assert_eq!(read(&event), Seen::Nothing, "{line}");
        }
    }

    #[test]
    fn a_question_keeps_its_call() {
        let line = json!({"jsonrpc": "2.0", "id": "0.ab", "method": "session/request_permission", "params": {
            "sessionId": "s", "toolCall": {"title": "ls", "kind": "execute"}, "options": [{"optionId": "a", "name": "Yes", "kind": "allow_once"}],
        }});
        let raw = raw(&line);
        let event: Event<'_> = serde_json::from_str(&raw).unwrap();
        let Seen::Asked(asked) = read(&event) else {
            panic!("it was not read")
        };
        assert_eq!(
            (asked.id.as_str(), asked.permission.options.raw().len()),
            ("0.ab", 1)
        );
        assert_eq!(asked.call["title"], "ls");
    }
}
