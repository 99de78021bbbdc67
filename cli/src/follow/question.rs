//! A permission request as a question on the terminal: the agent's own options, a key each.

use fountain_core::acp::preview;
use fountain_core::api::requests::Request;
use fountain_core::time::Timestamp;
use serde_json::Value;

use super::progress::Open;
use crate::ui::{Paint, safe, style, when};

/// The keys of the options, in their order; `d` and `q` mean something else.
const KEYS: &str = "123456789abcefghijklmnoprstuvwxyz";
/// A call is shown whole up to so many lines; the rest is one key away, and said to be there.
const LINES: usize = 12;
const DETAIL_LINES: usize = 400;

/// One of the agent's options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The agent's id for it.
    pub(crate) id: String,
    /// The agent's words.
    name: String,
    kind: String,
}

/// What a key means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Press {
    /// Nothing.
    Nothing,
    /// Show everything that is known.
    Details,
    /// Leave it to somebody else.
    Leave,
    /// This option, by its id.
    Pick(String),
}

/// A question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    /// The request's public id.
    pub(crate) id: String,
    tool: String,
    kind: Option<String>,
    /// What is to run, whole.
    what: String,
    call: Value,
    choices: Vec<Choice>,
    deadline: Option<Timestamp>,
}

impl Question {
    /// From what the stream told, and what the instance says about it when it was asked.
    pub(crate) fn new(open: &Open, request: Option<&Request>) -> Self {
        let pending = request.map(|request| &request.pending);
        let asked = open.asked.as_ref();
        let permission = asked.map(|asked| &asked.permission);
        let call = asked.map_or(Value::Null, |asked| asked.call.clone());
        let title = permission.and_then(|permission| permission.title.clone());
        let what = title.or_else(|| preview(&call["rawInput"]));
        let what = what.or_else(|| pending.and_then(|pending| pending.summary.clone()));
        let tool = pending.map_or_else(|| open.tool.clone(), |pending| pending.tool.clone());
        let options = pending
            .map(|pending| &pending.options)
            .filter(|options| !options.is_empty());
        let options = options.unwrap_or(&open.options);
        Self {
            id: open.id.clone(),
            what: what.unwrap_or_else(|| tool.clone()),
            tool,
            kind: permission
                .and_then(|permission| permission.kind.clone())
                .or_else(|| pending.and_then(|pending| pending.kind.clone())),
            call,
            choices: choices(options),
            deadline: pending.map(|pending| pending.deadline),
        }
    }

    /// From what the instance says alone.
    pub(crate) fn of_request(request: &Request) -> Self {
        let open = Open {
            id: request.pending.request_id.clone(),
            asked: None,
            tool: request.pending.tool.clone(),
            options: request.pending.options.clone(),
        };
        Self::new(&open, Some(request))
    }

    /// The same with the whole tool call, as the agent sent it.
    #[must_use]
    pub(crate) fn with_call(self, call: Value) -> Self {
        Self { call, ..self }
    }

    /// The agent's options.
    pub(crate) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// What is awaited: every key that means something.
    pub(crate) fn prompt(&self) -> String {
        let keys = KEYS.chars().take(self.choices.len());
        let keys: Vec<String> = keys.chain(['d', 'q']).map(String::from).collect();
        format!("answer [{}]: ", keys.join("/"))
    }

    /// What is asked, with the options; [`Question::prompt`] comes after it.
    pub(crate) fn ask(&self, paint: Paint, now: Timestamp) -> Vec<String> {
        let mut lines = self.heading(paint);
        for (choice, key) in self.choices.iter().zip(KEYS.chars()) {
            let note = match choice.kind.as_str() {
                "allow_always" | "reject_always" => {
                    "  the agent's program keeps this, Fountain does not"
                }
                _ => "",
            };
            lines.push(format!(
                "  {}  {}{}",
                paint.with(style::PICK, &key.to_string()),
                safe::line(&choice.name),
                paint.with(style::DIM, note)
            ));
        }
        lines.push(format!(
            "  {}  details    {}  leave it open",
            paint.with(style::PICK, "d"),
            paint.with(style::PICK, "q")
        ));
        if let Some(left) = self.left(now) {
            lines.push(paint.with(style::DIM, &format!("  refused by itself in {left}")));
        }
        lines
    }

    /// Everything that is known about the call.
    pub(crate) fn details(&self, paint: Paint) -> Vec<String> {
        let mut lines = vec![paint.with(
            style::DIM,
            &format!(
                "  request {}, tool {}",
                safe::line(&self.id),
                safe::line(&self.tool)
            ),
        )];
        let call = match &self.call {
            Value::Null => self.what.clone(),
            call => serde_json::to_string_pretty(call).unwrap_or_default(),
        };
        let all = safe::lines(&call);
        lines.extend(
            all.iter()
                .take(DETAIL_LINES)
                .map(|line| format!("  {line}")),
        );
        if all.len() > DETAIL_LINES {
            lines.push(format!(
                "  … and {} lines more: fountain requests show {} --json",
                all.len() - DETAIL_LINES,
                safe::line(&self.id)
            ));
        }
        lines
    }

    /// How it is answered from elsewhere, for a place where nobody can be asked.
    pub(crate) fn elsewhere(&self, paint: Paint, now: Timestamp) -> Vec<String> {
        let mut lines = self.heading(paint);
        let id = shell(&self.id);
        for choice in &self.choices {
            let command = format!(
                "fountain requests answer {id} --option {}",
                shell(&choice.id)
            );
            lines.push(format!(
                "  {command}  {}",
                paint.with(style::DIM, &format!("# {}", safe::line(&choice.name)))
            ));
        }
        if self.choices.is_empty() {
            lines.push(format!("  fountain requests answer {id} --deny"));
        }
        if let Some(left) = self.left(now) {
            lines.push(paint.with(style::DIM, &format!("  refused by itself in {left}")));
        }
        lines
    }

    /// What a key means.
    pub(crate) fn press(&self, key: char) -> Press {
        let key = key.to_ascii_lowercase();
        match key {
            'd' | '?' => Press::Details,
            'q' | '\u{4}' => Press::Leave,
            key => {
                let choice = KEYS
                    .chars()
                    .position(|known| known == key)
                    .and_then(|at| self.choices.get(at));
                choice.map_or(Press::Nothing, |choice| Press::Pick(choice.id.clone()))
            }
        }
    }

    fn heading(&self, paint: Paint) -> Vec<String> {
        let mark = paint.with(style::CARE, "?");
        let kind = self.kind.as_deref().filter(|kind| *kind != "other");
        let kind = kind.map_or_else(String::new, |kind| format!(" ({})", safe::line(kind)));
        let mut what = safe::lines(self.what.trim());
        let more = what.len().saturating_sub(LINES);
        what.truncate(LINES);
        if what.is_empty() {
            what.push(safe::line(&self.tool));
        }
        let mut lines = vec![format!("{mark} the agent asks before it does this{kind}:")];
        lines.extend(
            what.iter()
                .map(|line| format!("    {}", paint.with(style::BOLD, line))),
        );
        if more > 0 {
            lines.push(paint.with(
                style::CARE,
                &format!("    … and {more} lines more, which would run too: press d"),
            ));
        }
        lines
    }

    fn left(&self, now: Timestamp) -> Option<String> {
        Some(when::span(self.deadline?.since(now)))
    }
}

fn choices(options: &[Value]) -> Vec<Choice> {
    let text =
        |option: &Value, member: &str| option[member].as_str().unwrap_or_default().to_owned();
    let choice = |option: &Value| {
        let id = option["optionId"].as_str()?.to_owned();
        let name = Some(text(option, "name")).filter(|name| !name.trim().is_empty());
        Some(Choice {
            name: name.unwrap_or_else(|| id.clone()),
            id,
            kind: text(option, "kind"),
        })
    };
    options.iter().filter_map(choice).collect()
}

/// A word as a shell takes it back.
pub(crate) fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:/@+=%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", safe::line(word).replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ui::transcript::reading::Asked;

    fn open(title: &str) -> Open {
        let options = vec![
            json!({"optionId": "yes once", "name": "Allow once", "kind": "allow_once"}),
            json!({"optionId": "always", "name": "Always\u{1b}[2J allow", "kind": "allow_always"}),
            json!({"optionId": "no", "kind": "reject_once"}),
            json!({"name": "has no id"}),
        ];
        let call =
            json!({"title": title, "kind": "execute", "rawInput": {"command": title, "cwd": "/w"}});
        let params = json!({"toolCall": call, "options": options});
        let raw = serde_json::value::to_raw_value(&params).unwrap();
        let permission = fountain_core::acp::Permission::parse(Some(&raw));
        let asked = Asked {
            id: "0.ab".into(),
            permission,
            call,
        };
        Open {
            id: "0.ab".into(),
            asked: Some(asked),
            tool: "execute".into(),
            options,
        }
    }

    fn plain(lines: &[String]) -> String {
        lines.join("\n")
    }

    #[test]
    fn a_question_on_a_terminal() {
        let question = Question::new(&open("touch marker"), None);
        insta::assert_snapshot!(plain(&question.ask(Paint::default(), Timestamp(0))), @r"
        ? the agent asks before it does this (execute):
            touch marker
          1  Allow once
          2  Always allow  the agent's program keeps this, Fountain does not
          3  no
          d  details    q  leave it open
        ");
        assert_eq!(question.prompt(), "answer [1/2/3/d/q]: ");
        for (key, expect) in [
            ('1', Press::Pick("yes once".into())),
            ('3', Press::Pick("no".into())),
            ('4', Press::Nothing),
            ('\n', Press::Nothing),
            ('0', Press::Nothing),
            ('D', Press::Details),
            ('q', Press::Leave),
            ('\u{4}', Press::Leave),
        ] {
            assert_eq!(question.press(key), expect, "{key:?}");
        }
    }

    #[test]
    fn off_a_terminal_it_says_how_to_answer() {
        let question = Question::new(&open("touch marker"), None);
        insta::assert_snapshot!(plain(&question.elsewhere(Paint::default(), Timestamp(0))), @r"
        ? the agent asks before it does this (execute):
            touch marker
          fountain requests answer 0.ab --option 'yes once'  # Allow once
          fountain requests answer 0.ab --option always  # Always allow
          fountain requests answer 0.ab --option no  # no
        ");
    }

    #[test]
    fn a_long_command_is_never_hidden_without_a_word() {
        let long: Vec<String> = (1..=20).map(|n| format!("line {n}\u{202e}")).collect();
        let question = Question::new(&open(&long.join("\n")), None);
        let asked = plain(&question.ask(Paint::default(), Timestamp(0)));
        assert!(
            asked.contains("line 12<U+202E>") && !asked.contains("line 13"),
            "{asked}"
        );
        assert!(
            asked.contains("and 8 lines more, which would run too"),
            "{asked}"
        );
        assert!(plain(&question.details(Paint::default())).contains("line 20"));
    }

    #[test]
    fn the_instance_knows_the_deadline() {
        let request: Request = serde_json::from_value(json!({
            "request_id": "0.ab", "tool": "Bash", "kind": "execute", "summary": "ls", "options": [{"optionId": "a", "name": "A"}],
            "asked_at": "1970-01-01T00:00:00Z", "deadline": "1970-01-01T00:05:00Z", "turn_id": "t", "conversation_id": "c", "status": "open",
        }))
        .unwrap();
        let question = Question::of_request(&request);
        insta::assert_snapshot!(plain(&question.ask(Paint::default(), Timestamp(1_500))), @r"
        ? the agent asks before it does this (execute):
            ls
          1  A
          d  details    q  leave it open
          refused by itself in 4m58s
        ");
        insta::assert_snapshot!(plain(&question.details(Paint::default())), @r"
          request 0.ab, tool Bash
          ls
        ");
        let whole = question.with_call(json!({"title": "ls", "rawInput": {"command": "ls"}}));
        let details = plain(&whole.details(Paint::default()));
        assert!(details.contains("\"command\": \"ls\""), "{details}");
    }

    #[test]
    fn a_shell_takes_every_id_back() {
        for (word, expect) in [
            ("0.ab", "0.ab"),
            ("a b", "'a b'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
            ("$(x)", "'$(x)'"),
        ] {
            assert_eq!(shell(word), expect);
        }
    }
}
