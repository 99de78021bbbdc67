//! The few parts of ACP's messages that Fountain looks at. Everything else travels as raw JSON, unknown
//! fields and unknown kinds included.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::card::Card;
use crate::outcome::Options;
use crate::redact::Redactor;
use crate::rpc::Object;

/// The methods that Fountain sends or serves.
pub mod method {
    /// The handshake.
    pub const INITIALIZE: &str = "initialize";
    /// Login with what the agent already holds.
    pub const AUTHENTICATE: &str = "authenticate";
    /// A fresh session.
    pub const NEW: &str = "session/new";
    /// An old session, replayed.
    pub const LOAD: &str = "session/load";
    /// An old session, without its replay.
    pub const RESUME: &str = "session/resume";
    /// A prompt.
    pub const PROMPT: &str = "session/prompt";
    /// Stops the running prompt; a notification.
    pub const CANCEL: &str = "session/cancel";
    /// What the agent tells; a notification.
    pub const UPDATE: &str = "session/update";
    /// The agent asks before a tool runs.
    pub const PERMISSION: &str = "session/request_permission";
    /// Withdraws a request; a notification.
    pub const CANCEL_REQUEST: &str = "$/cancel_request";
    /// Sets a session's model, where the agent offers it this way.
    pub const SET_MODEL: &str = "session/set_model";
    /// Sets one of a session's options.
    pub const SET_CONFIG_OPTION: &str = "session/set_config_option";
}

/// The stop reasons that editors know. A runtime may send others; they never reach an editor as they are.
pub const STOP_REASONS: [&str; 5] = [
    "end_turn",
    "max_tokens",
    "max_turn_requests",
    "refusal",
    "cancelled",
];

/// The head of `session/update` params.
#[derive(Debug, Deserialize)]
pub struct Update<'a> {
    /// The session.
    #[serde(rename = "sessionId", borrow, default)]
    pub session: Cow<'a, str>,
    /// The update itself.
    #[serde(borrow)]
    pub update: UpdateHead<'a>,
}

/// The kind of an update.
#[derive(Debug, Deserialize)]
pub struct UpdateHead<'a> {
    /// `agent_message_chunk`, `tool_call` … or one we do not know.
    #[serde(rename = "sessionUpdate", borrow, default)]
    pub kind: Cow<'a, str>,
}

impl<'a> Update<'a> {
    /// Reads the head; `None` when the params are no update at all.
    pub fn parse(params: &'a RawValue) -> Option<Self> {
        serde_json::from_str(params.get()).ok()
    }

    /// The kind of a text chunk, which continues the chunk of that kind before it.
    pub fn chunk(&self) -> Option<&'static str> {
        ["agent_message_chunk", "agent_thought_chunk"]
            .into_iter()
            .find(|kind| *kind == self.update.kind)
    }

    /// Whether it opens or changes a tool's card.
    pub fn is_card(&self) -> bool {
        matches!(&*self.update.kind, "tool_call" | "tool_call_update")
    }

    /// Whether the update only describes the session: such an update opens no turn and keeps none open.
    pub fn is_metadata(&self) -> bool {
        matches!(
            &*self.update.kind,
            "session_info_update"
                | "available_commands_update"
                | "usage_update"
                | "current_mode_update"
                | "config_option_update"
        )
    }
}

/// The title of a `session_info_update`: absent keeps, `Some(None)` clears.
pub fn offered_title(params: &RawValue) -> Option<Option<String>> {
    let params = Object::parse(params.get())?;
    let update = Object::parse(params.get("update")?)?;
    match serde_json::from_str(update.get("title")?).ok()? {
        Value::Null => Some(None),
        Value::String(title) => Some(Some(title)),
        _ => None,
    }
}

/// A permission request as the core looks at it.
#[derive(Clone, Debug, PartialEq)]
pub struct Permission {
    /// The session.
    pub session: String,
    /// The agent's id of the tool call, good within its turn.
    pub call: Option<String>,
    /// The title on the tool card.
    pub title: Option<String>,
    /// ACP's kind, as written.
    pub kind: Option<String>,
    /// The tool's own name where the runtime gives one, else the kind, else `other`.
    pub tool: String,
    /// The first location.
    pub location: Option<String>,
    /// The tool's input, as it was written.
    pub input: Value,
    /// What the agent offers.
    pub options: Options,
    /// Seconds the agent asks for, when it is a positive whole number of at most a year.
    pub timeout: Option<u32>,
}

impl Permission {
    /// Reads the params. Whatever is missing or odd counts as absent: a request is decided, never dropped.
    pub fn parse(params: Option<&RawValue>) -> Self {
        let params: Value = params
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default();
        let call = &params["toolCall"];
        let text = |value: &Value| {
            value
                .as_str()
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        };
        let title = text(&call["title"]);
        let kind = text(&call["kind"]);
        let name = text(&call["name"]).or_else(|| text(&call["_meta"]["claudeCode"]["toolName"]));
        let tool = name
            .filter(|name| Some(name) != title.as_ref() && is_name(name))
            .or_else(|| kind.clone().filter(|kind| is_kind(kind)));
        Self {
            session: text(&params["sessionId"]).unwrap_or_default(),
            call: text(&call["toolCallId"]),
            location: text(&call["locations"][0]["path"]),
            input: call["rawInput"].clone(),
            tool: tool.unwrap_or_else(|| OTHER.to_owned()),
            title,
            kind,
            options: Options::new(params["options"].as_array().cloned().unwrap_or_default()),
            timeout: timeout(&params["_meta"]),
        }
    }

    /// Fills what the request leaves out from the card it is about: a request may name no more than the call.
    pub fn fill(&mut self, card: &Card) {
        self.title = self.title.take().or_else(|| card.title.clone());
        if self.kind.is_none() {
            self.kind.clone_from(&card.kind);
            let known = card.kind.clone().filter(|kind| is_kind(kind));
            if let Some(kind) = known.filter(|_| self.tool == OTHER) {
                self.tool = kind;
            }
        }
    }

    /// The tool's name for people, of at most 120 characters. Redacted whole, then cut.
    pub fn tool(&self, redactor: &Redactor) -> String {
        one_line(&redactor.text(&self.tool), 120)
    }

    /// One line on what it wants to do, of at most `longest` characters: the first location, else a preview of the
    /// input, else the title. Redacted whole, then cut: a cut may leave a piece of a secret that nobody finds.
    pub fn summary(&self, redactor: &Redactor, longest: usize) -> Option<String> {
        let location = self.location.clone();
        let said = location
            .or_else(|| preview(&redactor.value(self.input.clone())))
            .or_else(|| self.title.clone())?;
        Some(one_line(&redactor.text(&said), longest))
    }
}

/// The name of a tool that names none.
const OTHER: &str = "other";

fn is_kind(word: &str) -> bool {
    crate::policy::KINDS.contains(&word)
}

/// A tool's name is a word. What else an agent writes there may be a command or a path, and the trail keeps neither.
fn is_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    (1..=64).contains(&text.len()) && text.chars().all(plain)
}

fn timeout(meta: &Value) -> Option<u32> {
    let nested = &meta["fountain"]["timeout"];
    let value = if nested.is_null() {
        &meta["fountain.timeout"]
    } else {
        nested
    };
    let seconds = value.as_u64().filter(|_| value.is_u64())?;
    u32::try_from(seconds)
        .ok()
        .filter(|seconds| (1..=crate::policy::MAX_ASK_TIMEOUT).contains(seconds))
}

/// A short `key=value` preview of a tool's input; a lone `command` stands for itself.
pub fn preview(input: &Value) -> Option<String> {
    let map = input.as_object().filter(|map| !map.is_empty())?;
    if let Some(command) = map.get("command").and_then(Value::as_str) {
        return Some(command.to_owned());
    }
    let pairs = map.iter().map(|(key, value)| {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        format!("{key}={}", one_line(&value, 40))
    });
    Some(pairs.collect::<Vec<_>>().join(" "))
}

/// A text on one line, of at most `longest` characters, without control characters.
pub fn one_line(text: &str, longest: usize) -> String {
    let line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= longest {
        return line;
    }
    let mut cut: String = line.chars().take(longest.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

/// Tokens a prompt's result tells, in whichever dialect: `(input, output)`. A figure that is no whole number
/// of a sane size is dropped, never the turn.
pub fn usage(result: &Value) -> Option<(i64, i64)> {
    let figure = |value: &Value| {
        value
            .as_i64()
            .filter(|n| (0..=1_000_000_000_000).contains(n))
    };
    let pair = |usage: &Value, input: &str, output: &str| {
        let (input, output) = (figure(&usage[input]), figure(&usage[output]));
        (input.is_some() || output.is_some()).then(|| (input.unwrap_or(0), output.unwrap_or(0)))
    };
    pair(&result["usage"], "inputTokens", "outputTokens").or_else(|| {
        pair(
            &result["_meta"]["quota"]["token_count"],
            "input_tokens",
            "output_tokens",
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn raw(value: &Value) -> Box<RawValue> {
        RawValue::from_string(value.to_string()).unwrap()
    }

    fn permission(value: Value) -> Permission {
        Permission::parse(Some(&raw(&value)))
    }

    #[test]
    fn a_request_is_read_whatever_is_missing() {
        let nothing = Permission::parse(None);
        assert_eq!(
            (nothing.tool.as_str(), nothing.title, nothing.kind),
            ("other", None, None)
        );
        let odd = permission(json!({"toolCall": {"title": 5, "kind": null}, "options": "x"}));
        assert_eq!(
            (odd.tool.as_str(), odd.title, odd.kind),
            ("other", None, None)
        );
        let codex = permission(
            json!({"sessionId": "s", "toolCall": {"kind": "execute"}, "options": [{"optionId": "a"}]}),
        );
        assert_eq!(
            (
                codex.tool.as_str(),
                codex.session.as_str(),
                codex.options.raw().len()
            ),
            ("execute", "s", 1)
        );
    }

    #[test]
    fn the_tool_is_never_the_title() {
        let claude = permission(
            json!({"toolCall": {"name": "Bash", "title": "rm -rf x", "kind": "execute"}}),
        );
        assert_eq!(claude.tool, "Bash");
        let same = permission(
            json!({"toolCall": {"name": "rm -rf x", "title": "rm -rf x", "kind": "execute"}}),
        );
        assert_eq!(same.tool, "execute");
    }

    #[test]
    fn the_summary_is_the_place_then_the_input_then_the_title() {
        let call = |extra: Value| {
            let mut call = json!({"title": "T", "kind": "edit"});
            call.as_object_mut()
                .unwrap()
                .extend(extra.as_object().unwrap().clone());
            permission(json!({"toolCall": call}))
                .summary(&Redactor::default(), 240)
                .unwrap()
        };
        assert_eq!(
            call(json!({"locations": [{"path": "/a"}], "rawInput": {"x": 1}})),
            "/a"
        );
        assert_eq!(call(json!({"rawInput": {"x": 1, "y": "two"}})), "x=1 y=two");
        assert_eq!(call(json!({"rawInput": {"command": "ls -la"}})), "ls -la");
        assert_eq!(call(json!({"rawInput": {}})), "T");
    }

    #[test]
    fn a_secret_is_gone_before_anything_is_cut() {
        let secret = format!("ftn_{}", "0123456789abcdef".repeat(4));
        let redactor = Redactor::new([secret.as_str()]);
        for call in [
            json!({"rawInput": {"c": secret}}),
            json!({"rawInput": {"c": format!("curl -H {secret}"), "d": [secret]}}),
            json!({"rawInput": {"command": format!("{} {secret}", "x".repeat(200))}}),
            json!({"title": secret, "name": format!("{}{secret}", "y".repeat(100))}),
            json!({"locations": [{"path": secret}]}),
        ] {
            let permission = permission(json!({ "toolCall": call }));
            let shown = [
                permission.summary(&redactor, 240).unwrap(),
                permission.tool(&redactor),
            ];
            assert!(!shown.concat().contains("ftn_"), "{shown:?}");
        }
    }

    #[test]
    fn only_a_sane_timeout_counts() {
        for (value, expect) in [
            (json!(60), Some(60)),
            (json!(31_536_000), Some(31_536_000)),
            (json!(31_536_001), None),
            (json!(1e15), None),
            (json!(-5), None),
            (json!(0), None),
            (json!(1.5), None),
            (json!("3600"), None),
            (json!(true), None),
            (json!(null), None),
            (json!({}), None),
        ] {
            assert_eq!(
                permission(json!({"_meta": {"fountain": {"timeout": value}}})).timeout,
                expect,
                "{value}"
            );
            assert_eq!(
                permission(json!({"_meta": {"fountain.timeout": value}})).timeout,
                expect,
                "{value}"
            );
        }
    }

    #[test]
    fn metadata_is_told_from_work() {
        for (kind, expect) in [
            ("session_info_update", true),
            ("usage_update", true),
            ("agent_message_chunk", false),
            ("x_future", false),
        ] {
            let params =
                raw(&json!({"sessionId": "s", "update": {"sessionUpdate": kind, "extra": 1}}));
            assert_eq!(
                Update::parse(&params).unwrap().is_metadata(),
                expect,
                "{kind}"
            );
        }
        assert!(Update::parse(&raw(&json!({"sessionId": "s"}))).is_none());
    }

    #[test]
    fn a_title_is_set_cleared_or_left() {
        let title = |update: Value| offered_title(&raw(&json!({"update": update})));
        assert_eq!(title(json!({"title": "x"})), Some(Some("x".into())));
        assert_eq!(title(json!({"title": null})), Some(None));
        assert_eq!(title(json!({})), None);
        assert_eq!(title(json!({"title": 5})), None);
    }

    #[test]
    fn a_wild_usage_figure_is_dropped() {
        assert_eq!(
            usage(&json!({"usage": {"inputTokens": 3, "outputTokens": 4}})),
            Some((3, 4))
        );
        assert_eq!(
            usage(&json!({"_meta": {"quota": {"token_count": {"input_tokens": 5}}}})),
            Some((5, 0))
        );
        for odd in [
            json!({"inputTokens": "12"}),
            json!({"inputTokens": -1}),
            json!({"inputTokens": 1e300}),
            json!(null),
            json!([]),
        ] {
            assert_eq!(usage(&json!({ "usage": odd })), None);
        }
    }

    #[test]
    fn one_line_is_one_line() {
        assert_eq!(one_line("a\u{1b}[2J\nb", 40), "a [2J b");
        assert_eq!(one_line("漢字漢字", 3), "漢字…");
    }

    #[test]
    fn a_tool_is_called_by_a_word_and_by_nothing_that_could_be_a_command() {
        for (call, tool) in [
            (json!({"name": "Bash"}), "Bash"),
            (
                json!({"_meta": {"claudeCode": {"toolName": "mcp__a:b.c-d"}}}),
                "mcp__a:b.c-d",
            ),
            (json!({"name": "rm -rf /", "kind": "execute"}), "execute"),
            (json!({"name": "/etc/passwd"}), "other"),
            (json!({"name": "x".repeat(65), "kind": "read"}), "read"),
            (json!({"kind": "SECRET /etc/passwd"}), "other"),
            (json!({}), "other"),
        ] {
            let params = raw(&json!({"toolCall": call}));
            assert_eq!(Permission::parse(Some(&params)).tool, tool, "{call}");
        }
    }
}
