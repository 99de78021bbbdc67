//! Why a request is decided as it is: each layer's verdict, the key it came from, and a sentence. It decides
//! nothing that [`Effective::decide`] does not.

use super::{ASK_TIMEOUT, DEFAULT, Decision, Effective, Key, Policy, Tool, Verdict, is_kind};

/// One layer's part in a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// `agent`, `launch` or `parent`.
    pub name: &'static str,
    /// What it decides by itself.
    pub decision: Decision,
    /// Why, in a sentence.
    pub why: String,
}

/// A decision and what led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// What happens: the verdict of [`Effective::decide`].
    pub decision: Decision,
    /// The layer it comes from: the first of the strictest.
    pub by: &'static str,
    /// Every layer, in order.
    pub layers: Vec<Layer>,
    /// What the author of the policy should know.
    pub warnings: Vec<String>,
}

impl Effective {
    /// Explains the decision about one request. A launch or a parent that says nothing has no part in it.
    pub fn explain(&self, tool: Tool<'_>) -> Explained {
        let named = [("agent", &self.agent), ("launch", &self.launch)]
            .into_iter()
            .chain(self.parents.iter().map(|policy| ("parent", policy)))
            .filter(|(name, policy)| *name == "agent" || !policy.is_empty());
        let mut warnings = Vec::new();
        let layers: Vec<Layer> = named
            .map(|(name, policy)| {
                let decision = policy.decide(tool);
                warnings.extend(policy.warning(name, tool, &decision));
                let keys = policy.suspicious();
                warnings.extend(keys.iter().map(ToString::to_string));
                Layer {
                    name,
                    why: policy.why(tool, &decision),
                    decision,
                }
            })
            .collect();
        let decision = self.decide(tool);
        let by = layers
            .iter()
            .find(|layer| layer.decision == decision)
            .map_or("agent", |layer| layer.name);
        Explained {
            decision,
            by,
            layers,
            warnings,
        }
    }
}

impl Policy {
    fn why(&self, tool: Tool<'_>, decision: &Decision) -> String {
        let mut why = match (&decision.key, tool.kind) {
            (Key::Title, _) => "a key equals the title".to_owned(),
            (Key::Kind(kind), Some(_)) => format!("the key `{kind}` covers its kind"),
            (Key::Kind(_), None) => "it has no kind, which counts as `other`".to_owned(),
            (Key::Default, _) => format!("{}; `{DEFAULT}` covers the rest", no_key(tool.kind)),
            (Key::Nothing, _) => format!(
                "{} and there is no `{DEFAULT}`; what no key covers is permitted",
                no_key(tool.kind)
            ),
        };
        if let Some(title) = tool.title
            && decision.key != Key::Title
        {
            if title == DEFAULT || title == ASK_TIMEOUT {
                why.push_str(&format!("; a title `{title}` never counts as that key"));
            } else if is_kind(title) && self.named(title).is_some() {
                why.push_str("; its title is a kind word, which may only tighten");
            }
        }
        why
    }

    /// A title that loosens is the author's risk: the agent writes its titles itself.
    fn warning(&self, name: &str, tool: Tool<'_>, decision: &Decision) -> Option<String> {
        let without = self.decide(Tool {
            title: None,
            ..tool
        });
        (decision.key == Key::Title && decision.verdict < without.verdict).then(|| {
            format!(
                "the {name}'s policy permits more for this title ({}) than for its kind ({}), and an agent writes its \
                 titles itself: prefer a kind",
                decision.verdict, without.verdict
            )
        })
    }
}

fn no_key(kind: Option<&str>) -> String {
    match kind {
        None => "it has no kind, which counts as `other`, and no key names that".to_owned(),
        Some(kind) if is_kind(kind) => format!("no key names `{kind}`"),
        Some(kind) => {
            let shown: String = kind.chars().take(40).collect();
            format!("`{shown}` is no kind that a policy knows")
        }
    }
}

/// What a policy would have done about a request that was recorded, beside what was done.
pub fn compare(before: Verdict, after: Verdict) -> &'static str {
    match before.cmp(&after) {
        std::cmp::Ordering::Less => "stricter",
        std::cmp::Ordering::Equal => "same",
        std::cmp::Ordering::Greater => "looser",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn effective(agent: &Value, launch: &Value) -> Effective {
        Effective {
            agent: Policy::parse(agent).unwrap(),
            launch: Policy::parse(launch).unwrap(),
            parents: Vec::new(),
        }
    }

    #[test]
    fn each_way_to_a_verdict_has_its_sentence() {
        let agent = json!({"default": "ask", "execute": "auto_deny", "read": "auto_allow", "ls": "auto_allow"});
        let none = json!(null);
        for (agent, title, kind, verdict, why) in [
            (
                &agent,
                Some("ls"),
                Some("execute"),
                Verdict::AutoAllow,
                "a key equals the title",
            ),
            (
                &agent,
                Some("x"),
                Some("execute"),
                Verdict::AutoDeny,
                "the key `execute` covers its kind",
            ),
            (
                &agent,
                None,
                Some("edit"),
                Verdict::Ask,
                "no key names `edit`; `default` covers the rest",
            ),
            (
                &agent,
                None,
                None,
                Verdict::Ask,
                "it has no kind, which counts as `other`, and no key names that; `default` covers the rest",
            ),
            (
                &agent,
                None,
                Some("quantum"),
                Verdict::Ask,
                "`quantum` is no kind that a policy knows; `default` covers the rest",
            ),
            (
                &agent,
                Some("read"),
                Some("execute"),
                Verdict::AutoDeny,
                "the key `execute` covers its kind; its title is a kind word, which may only tighten",
            ),
            (
                &agent,
                Some("execute"),
                Some("read"),
                Verdict::AutoDeny,
                "a key equals the title",
            ),
            (
                &agent,
                Some("default"),
                Some("read"),
                Verdict::AutoAllow,
                "the key `read` covers its kind; a title `default` never counts as that key",
            ),
            (
                &none,
                None,
                Some("edit"),
                Verdict::AutoAllow,
                "no key names `edit` and there is no `default`; what no key covers is permitted",
            ),
        ] {
            let explained = effective(agent, &none).explain(Tool { title, kind });
            assert_eq!(explained.decision.verdict, verdict, "{title:?} {kind:?}");
            assert_eq!(explained.layers[0].why, why, "{title:?} {kind:?}");
            assert_eq!((explained.by, explained.layers.len()), ("agent", 1));
        }
    }

    #[test]
    fn the_layer_that_decided_is_named_and_a_loose_title_is_warned_of() {
        let agent = json!({"execute": "ask", "make test": "auto_allow"});
        let launch = json!({"execute": "auto_deny"});
        let tool = Tool {
            title: Some("make test"),
            kind: Some("execute"),
        };
        let both = effective(&agent, &launch).explain(tool);
        assert_eq!(
            (both.by, both.decision.verdict),
            ("launch", Verdict::AutoDeny)
        );
        assert_eq!(both.layers[0].decision.key, Key::Title);
        assert!(
            both.warnings[0].contains("(auto_allow) than for its kind (ask)"),
            "{both:?}"
        );
        let alone = effective(&agent, &json!(null)).explain(Tool {
            kind: Some("execute"),
            title: None,
        });
        assert_eq!((alone.by, alone.warnings.len()), ("agent", 0));
    }

    proptest::proptest! {
        #[test]
        fn it_is_the_decision(
            keys in proptest::collection::vec(("default|execute|read|other|a title|ask_timeout", 0_usize..3), 0..6),
            launch in proptest::collection::vec(("default|execute|read|a title", 0_usize..3), 0..4),
            title in proptest::option::of("default|execute|read|a title|x"),
            kind in proptest::option::of("execute|read|other|quantum"),
        ) {
            let policy = |keys: &[(String, usize)]| {
                let map = keys.iter().filter(|(key, _)| key != ASK_TIMEOUT);
                let map = map.map(|(key, at)| (key.clone(), json!(Verdict::ALL[*at].as_str()))).collect();
                Value::Object(map)
            };
            let effective = effective(&policy(&keys), &policy(&launch));
            let tool = Tool { title: title.as_deref(), kind: kind.as_deref() };
            let explained = effective.explain(tool);
            proptest::prop_assert_eq!(&explained.decision, &effective.decide(tool));
            proptest::prop_assert!(explained.layers.iter().any(|layer| layer.name == explained.by && layer.decision == explained.decision));
        }
    }
}
