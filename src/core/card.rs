//! A tool's card, as far as a verdict looks at it: what an agent said of a tool call before it asks about it.

use serde_json::value::RawValue;

use crate::object::Object;

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
    let card = Card {
        title: text("title"),
        kind: text("kind"),
    };
    Some((text("toolCallId")?, card))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::acp::Permission;

    fn raw(value: &Value) -> Box<RawValue> {
        RawValue::from_string(value.to_string()).unwrap()
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
