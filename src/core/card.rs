//! A tool's card, as far as a verdict looks at it: what an agent said of a tool call before it asks about it.

use serde_json::value::RawValue;

use crate::object::Object;
use crate::policy::MAX_KEY;

/// The longest title that is kept, in characters: one longer than any key of a policy, so that a cut one equals none.
const TITLE: usize = MAX_KEY + 1;
/// The longest kind that is kept, in characters: longer than every kind.
const KIND: usize = 64;
/// The longest id of a tool call whose card is kept, in bytes.
const CALL: usize = 1_024;

/// A tool's card: what the agent has said of a tool call before it asks about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The title.
    pub title: Option<String>,
    /// ACP's kind, as written.
    pub kind: Option<String>,
}

impl Card {
    /// Takes news of the card: what is not told stays.
    pub fn update(&mut self, news: Self) {
        self.title = news.title.or(self.title.take());
        self.kind = news.kind.or(self.kind.take());
    }
}

/// The card that the params of a `session/update` open or change, with the agent's id of the tool call.
pub fn read(params: &RawValue) -> Option<(String, Card)> {
    let params = Object::parse(params.get())?;
    let update = Object::parse(params.get("update")?)?;
    let text = |member: &str| update.text(member).filter(|text| !text.is_empty());
    let call = text("toolCallId").filter(|call| call.len() <= CALL)?;
    let card = Card {
        title: text("title").map(|title| cut(title, TITLE)),
        kind: text("kind").map(|kind| cut(kind, KIND)),
    };
    Some((call, card))
}

/// The first `most` characters, holding no more memory than they need.
fn cut(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.shrink_to_fit();
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::acp::Permission;
    use crate::policy::{Policy, Tool, Verdict};

    fn raw(value: &Value) -> Box<RawValue> {
        RawValue::from_string(value.to_string()).unwrap()
    }

    #[test]
    fn what_an_agent_says_of_a_call_is_kept_within_bounds() {
        let long = "é".repeat(50_000);
        let update = |call: &str| {
            read(&raw(
                &json!({"update": {"toolCallId": call, "title": long, "kind": long}}),
            ))
        };
        let (_, card) = update("T").unwrap();
        let (title, kind) = (card.title.unwrap(), card.kind.unwrap());
        assert_eq!(title.chars().count(), MAX_KEY + 1);
        assert!(title.capacity() <= 2 * TITLE && kind.capacity() <= 2 * KIND);
        assert!(update(&"T".repeat(CALL)).is_some());
        assert!(update(&"T".repeat(CALL + 1)).is_none());
    }

    #[test]
    fn a_title_that_was_cut_equals_no_key() {
        let key = "k".repeat(MAX_KEY);
        let policy = Policy::parse(&json!({key.as_str(): "auto_allow", "default": "ask"})).unwrap();
        for (title, verdict) in [
            (key.clone(), Verdict::AutoAllow),
            (key.clone() + "!", Verdict::Ask),
            (key + "!!", Verdict::Ask),
        ] {
            let update = json!({"update": {"toolCallId": "T", "title": title, "kind": "execute"}});
            let (_, card) = read(&raw(&update)).unwrap();
            let tool = Tool {
                title: card.title.as_deref(),
                kind: card.kind.as_deref(),
            };
            assert_eq!(policy.decide(tool).verdict, verdict);
        }
    }

    #[test]
    fn a_card_fills_what_a_request_leaves_out() {
        let update = |update: Value| read(&raw(&json!({"update": update})));
        let (call, mut known) =
            update(json!({"toolCallId": "T", "title": "ls", "kind": "read"})).unwrap();
        let (_, news) = update(json!({"toolCallId": "T", "kind": "execute", "title": 5})).unwrap();
        known.update(news);
        assert_eq!(
            (call.as_str(), known.title.as_deref(), known.kind.as_deref()),
            ("T", Some("ls"), Some("execute"))
        );
        assert!(update(json!({"title": "ls"})).is_none());
        let mut asked = Permission::parse(Some(&raw(&json!({"toolCall": {"toolCallId": "T"}}))));
        asked.fill(&known);
        assert_eq!(
            (
                asked.title.as_deref(),
                asked.kind.as_deref(),
                asked.tool.as_str()
            ),
            (Some("ls"), Some("execute"), "execute")
        );
    }
}
