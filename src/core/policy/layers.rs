//! The layers of a conversation as the store holds them, and as it hands them down. What cannot be read denies
//! everything: damage never loosens.

use serde_json::Value;

use super::{Effective, Policy};

impl Effective {
    /// What permits nothing: of a conversation that is gone, or cannot be read.
    pub fn denies() -> Self {
        Self {
            agent: Policy::deny_all(),
            ..Self::default()
        }
    }

    /// The layers that a conversation started here is under, beside those of its own agent and launch: all of
    /// these that say something.
    pub fn handed_down(self) -> Vec<Policy> {
        [self.agent, self.launch]
            .into_iter()
            .chain(self.parents)
            .filter(|policy| !policy.is_empty())
            .collect()
    }
}

/// Reads a stored JSON list of layers.
pub fn stored_layers(text: Option<&str>) -> Vec<Policy> {
    match text.map(serde_json::from_str::<Vec<Value>>) {
        None => Vec::new(),
        Some(Ok(layers)) => layers.iter().map(Policy::stored_value).collect(),
        Some(Err(_)) => vec![Policy::deny_all()],
    }
}

/// Writes layers as a JSON list for the store.
pub fn layers_text(layers: &[Policy]) -> String {
    layers
        .iter()
        .map(Policy::to_json)
        .collect::<Value>()
        .to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Tool, Verdict};
    use super::*;

    fn policy(value: &Value) -> Policy {
        Policy::parse(value).unwrap()
    }

    fn read(effective: &Effective) -> Verdict {
        let tool = Tool {
            kind: Some("read"),
            title: None,
        };
        effective.decide(tool).verdict
    }

    #[test]
    fn layers_come_back_as_they_were_written() {
        let layers = [
            policy(&json!({"execute": "ask", "make test": "auto_allow"})),
            policy(&json!({"default": "auto_deny", "ask_timeout": 60})),
        ];
        assert_eq!(stored_layers(Some(&layers_text(&layers))), layers);
        assert_eq!(stored_layers(None), []);
        assert_eq!(stored_layers(Some("[]")), []);
    }

    #[test]
    fn layers_that_cannot_be_read_deny() {
        for text in [
            "", "nonsense", "{}", "7", "\"[]\"", "[\"x\"]", "[[]]", "[7]", "[{}, 7]",
        ] {
            let effective = Effective {
                parents: stored_layers(Some(text)),
                ..Effective::default()
            };
            assert_eq!(read(&effective), Verdict::AutoDeny, "{text}");
        }
        assert_eq!(read(&Effective::denies()), Verdict::AutoDeny);
    }

    #[test]
    fn what_is_handed_down_is_every_layer_that_says_something() {
        let agent = policy(&json!({"execute": "ask"}));
        let older = policy(&json!({"fetch": "auto_deny"}));
        let effective = Effective {
            agent: agent.clone(),
            launch: Policy::default(),
            parents: vec![older.clone()],
        };
        assert_eq!(effective.handed_down(), [agent, older]);
        let denies = stored_layers(Some(&layers_text(&Effective::denies().handed_down())));
        assert_eq!(denies, [Policy::deny_all()]);
    }
}
