//! `fountain policy` and `fountain audit`: looking at what is decided, would be, and was.

use serde_json::{Value, json};

use crate::kit::Home;

#[test]
fn a_policy_is_explained_key_by_key() {
    let home = Home::new();
    let _daemon = home.daemon();
    let table = home.run(&["policy", "explain", "--agent", "demo"]).ok();
    assert_eq!(table.out.lines().count(), 11, "ten kinds: {table}");
    let one = ["policy", "explain", "--agent", "demo", "--kind", "execute"];
    let _ = home
        .run(&one)
        .ok()
        .prints("no key names `execute`; `default` covers the rest");
    let explain = |more: &[&str]| home.run(&[&one, more].concat());
    let narrowed = explain(&["--permission", "execute=auto_deny", "--json"])
        .ok()
        .json();
    assert_eq!(
        (&narrowed["layer"], &narrowed["verdict"], &narrowed["key"]),
        (&json!("launch"), &json!("auto_deny"), &json!("execute"))
    );
    // What a launch may not ask for is refused here as it is there.
    let _ = explain(&["--permission", "execute=auto_allow"])
        .exits(5)
        .says("a launch can only narrow");
    let _ = explain(&["--permission", "execute=maybe"]).exits(2);
    let all = home
        .run(&["policy", "explain", "--agent", "demo", "--json"])
        .ok()
        .json();
    assert_eq!(all.as_array().unwrap().len(), 10);
}

#[test]
fn a_key_that_looks_like_a_misspelt_kind_is_warned_of_once() {
    let home = Home::new();
    let daemon = home.daemon();
    let body = json!({
        "name": "typo", "runtime": "acp", "runtime_command": "true",
        "permission_policy": {"exeucte": "auto_deny", "default": "ask"},
    });
    let _ = daemon.http().post("/api/agents", &body).ok();
    let table = home.run(&["policy", "explain", "--agent", "typo"]).ok();
    assert_eq!(table.err.matches("warning").count(), 1, "{table}");
    assert!(table.err.contains("`exeucte`"), "{table}");
}

#[test]
fn a_policy_is_tried_on_what_was_recorded() {
    let home = Home::new();
    let _daemon = home.daemon();
    let replay = |permission: &str, more: &[&str]| {
        let args = [
            "policy",
            "replay",
            "--agent",
            "demo",
            "--permission",
            permission,
        ];
        home.run(&[&args, more].concat())
    };
    let _ = replay("ask", &[]).ok().says("0 of 0");
    for command in ["touch one", "touch two"] {
        let prompt = format!("run {command}");
        let _ = home
            .run(&[
                "run",
                "demo",
                "--permission",
                "execute=auto_deny",
                "-p",
                &prompt,
            ])
            .ok();
    }
    // The launches denied by themselves: no policy of the agent's loosens that.
    let kept = replay("auto_allow", &["--json"]).ok().json();
    assert_eq!((&kept["count"], &kept["changed"]), (&json!(2), &json!(0)));
    let _ = home
        .run(&[
            "agent",
            "update",
            "demo",
            "--permission",
            "execute=auto_deny",
        ])
        .ok();
    let _ = home.run(&["run", "demo", "-p", "run touch three"]).ok();
    let table = replay("ask", &["--since", "1h"]).ok().says("1 of 3");
    let looser = table.out.lines().nth(1).unwrap();
    for part in ["auto_deny", "ask", "looser", "execute 1: touch three"] {
        assert!(looser.contains(part), "{part}: {table}");
    }
}

#[test]
fn the_trail_holds_refusals_and_nothing_that_was_asked_for() {
    let home = Home::new();
    let _daemon = home.daemon();
    let denied = [
        "--permission",
        "execute=auto_deny",
        "-p",
        "run touch a-secret-name",
    ];
    let _ = home.run(&[&["run", "demo"], &denied[..]].concat()).ok();
    let table = home
        .run(&["audit"])
        .ok()
        .prints("conversation.permission_denied");
    assert!(!table.out.contains("a-secret-name"), "{table}");
    let rows = home
        .run(&[
            "audit",
            "--action",
            "conversation.permission",
            "--since",
            "1h",
            "--json",
        ])
        .ok()
        .json();
    assert_eq!(rows.as_array().unwrap().len(), 1, "{rows}");
    assert_eq!(
        rows[0]["metadata"],
        json!({"tool": "execute", "verdict": "auto_deny", "key": "execute"})
    );
    let one = home.run(&["audit", "--limit", "1", "--json"]).ok().json();
    assert_eq!(one.as_array().map(Vec::len), Some(1));
    assert_eq!(
        home.run(&["audit", "--action", "nothing", "--json"])
            .ok()
            .json(),
        json!([])
    );
    let _ = home.run(&["audit", "--since", "soon"]).exits(2);
}

#[test]
fn a_misspelt_kind_is_told_of() {
    let home = Home::new();
    let _daemon = home.daemon();
    let create = [
        "agent",
        "create",
        "x",
        "--runtime",
        "acp",
        "--command",
        "true",
    ];
    let _ = home
        .run(&[&create[..], &["--permission", "del=auto_deny"]].concat())
        .ok()
        .says("did you mean `delete`?");
    let _ = home
        .run(&[
            "run",
            "demo",
            "--permission",
            "Execute=auto_deny",
            "-p",
            "say hi",
        ])
        .ok()
        .says("did you mean `execute`?");
    let quiet = home
        .run(&[
            "run",
            "demo",
            "--permission",
            "make test=auto_deny",
            "-p",
            "say hi",
        ])
        .ok();
    assert!(!quiet.err.contains("warning"), "{quiet}");
}

#[test]
fn at_zero_a_prompt_is_refused_with_what_to_change() {
    let home = Home::new()
        .with("CREDITS_ENABLED", "true")
        .with("CREDIT_TURN_HOUR_CENTS", "100");
    let _daemon = home.daemon();
    let refused = home
        .run(&["run", "demo", "-p", "say hi"])
        .exits(5)
        .says("he balance is spent")
        .says("credits.balance_cents");
    assert!(refused.out.is_empty());
    let none: Value = home.run(&["conv", "list", "--json"]).ok().json();
    assert_eq!(none, json!([]));
}
