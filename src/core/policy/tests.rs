//! What is promised of `policy`, as tests.

use proptest::prelude::*;
use serde_json::json;

use super::*;

use Verdict::{Ask, AutoAllow as Allow, AutoDeny as Deny};

fn tool<'a>(title: impl Into<Option<&'a str>>, kind: impl Into<Option<&'a str>>) -> Tool<'a> {
    Tool {
        title: title.into(),
        kind: kind.into(),
    }
}

fn policy(value: serde_json::Value) -> Policy {
    Policy::parse(&value).unwrap()
}

#[test]
fn stricter_is_greater() {
    assert!(Allow < Ask && Ask < Deny);
}

#[test]
fn the_title_is_read_first_then_the_kind_then_default() {
    let p = policy(json!({"default": "ask", "execute": "auto_deny", "git status": "auto_allow"}));
    for (title, kind, verdict, key) in [
        (Some("git status"), Some("execute"), Allow, "title"),
        (Some("git push"), Some("execute"), Deny, "execute"),
        (None, Some("execute"), Deny, "execute"),
        (Some("Git Status"), Some("execute"), Deny, "execute"),
        (None, Some("read"), Ask, "default"),
        (None, None, Ask, "default"),
        (Some(""), Some("edit"), Ask, "default"),
    ] {
        let decision = p.decide(tool(title, kind));
        assert_eq!(
            (decision.verdict, decision.key.word()),
            (verdict, key),
            "{title:?} {kind:?}"
        );
    }
}

#[test]
fn a_title_that_imitates_a_key_never_loosens() {
    let p = policy(json!({"default": "auto_deny", "read": "auto_allow"}));
    for (title, kind, verdict) in [
        (None, None, Deny),
        (None, Some("Execute"), Deny),
        (Some("read"), Some("delete"), Deny),
        (Some("default"), Some("read"), Allow),
        (Some("ask_timeout"), Some("delete"), Deny),
        (Some("read"), Some("read"), Allow),
        (None, Some("quantum"), Deny),
    ] {
        assert_eq!(
            p.decide(tool(title, kind)).verdict,
            verdict,
            "{title:?} {kind:?}"
        );
    }
    let p = policy(json!({"read": "auto_deny", "default": "auto_allow"}));
    assert_eq!(
        p.decide(tool("read", "delete")).verdict,
        Deny,
        "but it may tighten"
    );
    let p = policy(json!({"default": "auto_allow", "quantum": "auto_deny"}));
    assert_eq!(
        p.decide(tool(None, "quantum")).verdict,
        Allow,
        "an unknown kind matches no key"
    );
}

/// The words are ACP's own: one that is spelt otherwise here would be a key that no agent ever meets.
#[test]
fn each_kind_is_a_key_of_its_own() {
    let words = [
        "read",
        "edit",
        "delete",
        "move",
        "search",
        "execute",
        "think",
        "fetch",
        "switch_mode",
        "other",
    ];
    assert_eq!(KINDS, words);
    for word in words {
        let p = policy(json!({word: "auto_deny"}));
        for kind in words {
            let expect = if kind == word { Deny } else { Allow };
            assert_eq!(p.decide(tool(None, kind)).verdict, expect, "{word} {kind}");
        }
    }
}

#[test]
fn an_absent_kind_is_other() {
    let p = policy(json!({"other": "auto_deny"}));
    assert_eq!(p.decide(tool(None, None)).verdict, Deny);
    assert_eq!(p.decide(tool(None, "execute")).verdict, Allow);
}

#[test]
fn no_policy_permits() {
    assert_eq!(
        Policy::default().decide(tool("x", "execute")),
        Decision {
            verdict: Allow,
            key: Key::Nothing
        }
    );
}

#[test]
fn what_is_wrong_is_named() {
    for (value, key) in [
        (json!({"execute": "allow"}), Some("execute")),
        (json!({"execute": null}), Some("execute")),
        (json!({"execute": true}), Some("execute")),
        (json!({"ask_timeout": 0}), Some("ask_timeout")),
        (json!({"ask_timeout": -1}), Some("ask_timeout")),
        (json!({"ask_timeout": 1.5}), Some("ask_timeout")),
        (json!({"ask_timeout": 60.0}), Some("ask_timeout")),
        (json!({"ask_timeout": "60"}), Some("ask_timeout")),
        (json!({"ask_timeout": 31_536_001}), Some("ask_timeout")),
        (json!({"ask_timeout": 1e15}), Some("ask_timeout")),
        (json!({"default": "auto_allow", "": "ask"}), Some("")),
        (json!([]), None),
        (json!("ask"), None),
    ] {
        let invalid = Policy::parse(&value).unwrap_err();
        assert_eq!(invalid.key.as_deref(), key, "{value}");
    }
    assert!(
        Policy::parse(&json!({"k".repeat(10_000): "ask"}))
            .unwrap_err()
            .message
            .len()
            < 300
    );
    assert_eq!(policy(json!(null)), Policy::default());
    assert_eq!(
        policy(json!({"ask_timeout": 31_536_000})).ask_timeout(),
        Some(MAX_ASK_TIMEOUT)
    );
}

#[test]
fn what_was_stored_wrong_never_permits() {
    for text in ["[]", "5", "{", "\"auto_allow\""] {
        for kind in KINDS {
            assert_eq!(
                Policy::stored(Some(text)).decide(tool(None, kind)).verdict,
                Deny,
                "{text}"
            );
        }
    }
    assert_eq!(
        Policy::stored(Some(r#"{"execute":"allow"}"#))
            .decide(tool(None, "execute"))
            .verdict,
        Deny
    );
    assert_eq!(
        Policy::stored(Some(r#"{"execute":5,"default":"ask"}"#))
            .decide(tool(None, "read"))
            .verdict,
        Ask
    );
    assert_eq!(Policy::stored(None), Policy::default());
}

#[test]
fn a_policy_reads_back_as_it_was_written() {
    let value = json!({"execute": "ask", "default": "auto_deny", "ask_timeout": 60});
    assert_eq!(policy(value.clone()).to_json(), value);
}

#[test]
fn a_launch_only_narrows_and_silence_is_no_opinion() {
    for (agent, launch, key) in [
        (
            json!({"execute": "ask"}),
            json!({"default": "auto_allow"}),
            Some("execute"),
        ),
        (json!({"default": "ask"}), json!({"execute": "ask"}), None),
        (
            json!({"default": "ask"}),
            json!({"execute": "auto_deny"}),
            None,
        ),
        (
            json!({"execute": "ask"}),
            json!({"default": "auto_deny"}),
            None,
        ),
        (json!({"execute": "ask"}), json!({}), None),
        (json!({"execute": "ask"}), json!(null), None),
        (json!({"execute": "ask"}), json!({"edit": "ask"}), None),
        (
            json!({"execute": "ask"}),
            json!({"execute": "auto_allow"}),
            Some("execute"),
        ),
        (
            json!({"default": "auto_deny"}),
            json!({"execute": "ask"}),
            Some("execute"),
        ),
        (
            json!({"default": "auto_deny", "read": "auto_allow"}),
            json!({"read": "ask"}),
            None,
        ),
        (
            json!({"a": "ask"}),
            json!({"b": "auto_allow", "default": "auto_allow"}),
            Some("a"),
        ),
        (
            json!({"default": "ask", "a": "ask"}),
            json!({"default": "auto_allow", "z": "auto_allow"}),
            Some("z"),
        ),
        (
            json!({"default": "ask", "a": "ask"}),
            json!({"default": "auto_allow"}),
            Some("default"),
        ),
        (json!({}), json!({"ask_timeout": 301}), Some("ask_timeout")),
        (json!({}), json!({"ask_timeout": 300}), None),
        (
            json!({"ask_timeout": 3600}),
            json!({"ask_timeout": 3601}),
            Some("ask_timeout"),
        ),
        (
            json!({"ask_timeout": 3600}),
            json!({"ask_timeout": 60}),
            None,
        ),
    ] {
        let found = narrows(&policy(agent.clone()), &policy(launch.clone()), 300).err();
        assert_eq!(
            found.as_ref().map(|widens| &*widens.key),
            key,
            "{agent} {launch}"
        );
    }
}

#[test]
fn a_refused_launch_is_told_a_spelling_that_works() {
    let agent = policy(json!({"execute": "ask"}));
    let widens = narrows(&agent, &policy(json!({"execute": "auto_allow"})), 300).unwrap_err();
    assert!(
        widens.message.contains("from ask to auto_allow"),
        "{}",
        widens.message
    );
    assert!(
        widens.message.contains("`execute=ask`"),
        "{}",
        widens.message
    );
    assert!(narrows(&agent, &policy(json!({"execute": "ask"})), 300).is_ok());
    let widens = narrows(&agent, &policy(json!({"default": "auto_allow"})), 300).unwrap_err();
    assert!(
        widens.message.contains("`execute=ask`"),
        "{}",
        widens.message
    );
    assert!(
        narrows(
            &agent,
            &policy(json!({"default": "auto_allow", "execute": "ask"})),
            300
        )
        .is_ok()
    );
}

#[test]
fn the_shorter_wait_counts() {
    let layer = |seconds: u32| Policy::default().with_ask_timeout((seconds > 0).then_some(seconds));
    for (agent, launch, expect) in [
        (0, 0, None),
        (3600, 0, Some(3600)),
        (3600, 60, Some(60)),
        (60, 3600, Some(60)),
        (0, 60, Some(60)),
        (0, 9000, Some(300)),
    ] {
        let effective = Effective {
            agent: layer(agent),
            launch: layer(launch),
            parents: vec![],
        };
        assert_eq!(effective.ask_timeout(300), expect, "{agent} {launch}");
    }
}

/// Every policy with up to two keys out of a small alphabet, against every request: the rule itself, not a
/// sample of it.
#[test]
fn no_launch_is_looser_than_its_agent_on_any_request() {
    let keys = ["default", "execute", "read", "git status"];
    let mut layers = vec![Policy::default()];
    for (at, a) in keys.iter().enumerate() {
        for va in Verdict::ALL {
            layers.push(Policy::of(&[(a, va)]));
            for b in &keys[at + 1..] {
                for vb in Verdict::ALL {
                    layers.push(Policy::of(&[(a, va), (b, vb)]));
                }
            }
        }
    }
    let titles = [
        None,
        Some("git status"),
        Some("read"),
        Some("default"),
        Some("other words"),
    ];
    let kinds = [
        None,
        Some("execute"),
        Some("read"),
        Some("delete"),
        Some("Execute"),
    ];
    let mut seen = 0;
    for agent in &layers {
        for launch in &layers {
            let alone = Effective {
                agent: agent.clone(),
                ..Effective::default()
            };
            let both = Effective {
                agent: agent.clone(),
                launch: launch.clone(),
                parents: vec![],
            };
            for title in titles {
                for kind in kinds {
                    let request = tool(title, kind);
                    assert!(
                        both.decide(request).verdict >= alone.decide(request).verdict,
                        "{agent:?} {launch:?} {request:?}"
                    );
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 100_000, "{seen}");
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop::sample::select(Verdict::ALL.to_vec())
}

fn layer() -> impl Strategy<Value = Policy> {
    let key = prop_oneof![
        prop::sample::select(KINDS.to_vec()).prop_map(str::to_owned),
        Just("default".to_owned()),
        "[a-c]{1,2}",
    ];
    (
        prop::collection::vec((key, verdict()), 0..6),
        prop::option::of(1..=MAX_ASK_TIMEOUT),
    )
        .prop_map(|(pairs, seconds)| {
            let mut map = serde_json::Map::new();
            for (key, verdict) in pairs {
                map.insert(key, verdict.as_str().into());
            }
            Policy::parse(&map.into())
                .unwrap()
                .with_ask_timeout(seconds)
        })
}

proptest! {
    #[test]
    fn layers_only_tighten(agent in layer(), launch in layer(), parent in layer(), title in prop::option::of("[a-c]{0,2}|read|default"), kind in prop::option::of(prop::sample::select(KINDS.to_vec()))) {
        let request = Tool { title: title.as_deref(), kind };
        let alone = Effective { agent: agent.clone(), ..Effective::default() };
        let strictest = [&agent, &launch, &parent].map(|layer| layer.decide(request).verdict).into_iter().max();
        let all = Effective { agent, launch, parents: vec![parent] };
        prop_assert!(all.decide(request).verdict >= alone.decide(request).verdict);
        prop_assert_eq!(Some(all.decide(request).verdict), strictest);
        let (bound, alone) = (all.ask_timeout(300), alone.ask_timeout(300));
        prop_assert!(bound.unwrap_or(300) <= alone.unwrap_or(300));
    }

    #[test]
    fn an_accepted_launch_says_nothing_looser_on_any_key(agent in layer(), launch in layer()) {
        if narrows(&agent, &launch, 300).is_ok() {
            for key in launch.keys() {
                prop_assert!(launch.resolved(key) >= agent.resolved(key));
            }
        }
    }

    /// An opinion is what happens, and silence changes nothing; what the agent says of a title may still be stricter.
    #[test]
    fn an_accepted_launch_is_the_verdict_where_it_has_an_opinion(agent in layer(), launch in layer(), title in prop::option::of("[a-c]{0,2}|read|default"), kind in prop::option::of(prop::sample::select(KINDS.to_vec()))) {
        prop_assume!(narrows(&agent, &launch, 300).is_ok());
        let both = Effective { agent: agent.clone(), launch: launch.clone(), parents: vec![] };
        let opinion = launch.named(kind.unwrap_or("other")).or(launch.named("default")).is_some();
        let says = if opinion { &launch } else { &agent };
        let untitled = Tool { title: None, kind };
        prop_assert_eq!(both.decide(untitled).verdict, says.decide(untitled).verdict);
        let titled = Tool { title: title.as_deref(), kind };
        prop_assert_eq!(both.decide(titled).verdict, agent.decide(titled).verdict.max(launch.decide(titled).verdict));
    }

    #[test]
    fn what_is_stored_reads_as_what_was_saved(policy in layer()) {
        prop_assert_eq!(Policy::stored(Some(&policy.to_json().to_string())), policy);
    }
}
