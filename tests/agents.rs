//! `fountain agent`: what runs, how, and under which policy.

use serde_json::json;

use crate::kit::Home;

#[test]
fn a_fresh_instance_has_the_demo_agent() {
    let home = Home::new();
    let _daemon = home.daemon();
    let list = home.run(&["agent", "list", "--json"]).ok().json();
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    assert_eq!(
        (&list[0]["name"], &list[0]["runtime"]),
        (&json!("demo"), &json!("acp"))
    );
    let _ = home
        .run(&["agent", "list"])
        .ok()
        .prints("demo")
        .prints("default=ask");
}

#[test]
fn an_agent_is_made_changed_and_removed() {
    let home = Home::new();
    let daemon = home.daemon();
    let command = "exec fountain fixture";
    let made = home
        .run(&[
            "agent",
            "create",
            "Reviewer",
            "--runtime",
            "acp",
            "--command",
            command,
            "--permission",
            "execute=ask,edit=auto_deny",
        ])
        .ok();
    let shown = home
        .run(&["agent", "show", "reviewer", "--json"])
        .ok()
        .json();
    assert_eq!(shown["id"], made.out.trim());
    assert_eq!(
        shown["permission_policy"],
        json!({"execute": "ask", "edit": "auto_deny"})
    );
    let done = home.run(&["run", "reviewer", "-p", "say works"]).ok();
    assert_eq!(done.out, "works\n");

    let update = |args: &[&str]| home.run(&[&["agent", "update", "reviewer"], args].concat());
    let _ = update(&["--permission", "auto_deny", "--description", "Looks only"]).ok();
    let shown = home
        .run(&["agent", "show", "Reviewer", "--json"])
        .ok()
        .json();
    assert_eq!(shown["permission_policy"], json!({"default": "auto_deny"}));
    assert_eq!(
        (&shown["description"], &shown["runtime_command"]),
        (&json!("Looks only"), &json!(command))
    );
    let _ = update(&["--clear", "description", "--name", "Auditor"]).ok();
    let _ = home.run(&["agent", "show", "reviewer"]).exits(3);
    let shown = home.run(&["agent", "show", "audit", "--json"]).ok().json();
    assert_eq!(shown["description"], json!(null));

    let _ = home.run(&["agent", "delete", "auditor", "--yes"]).ok();
    let _ = home.run(&["agent", "show", "auditor"]).exits(3);
    // Its conversation stays readable, and takes no prompt any more.
    let list = daemon.http().get("/api/conversations");
    let id = list[0]["id"].as_str().unwrap();
    assert_eq!(daemon.http().said(id), "works");
}

#[test]
fn what_is_wrong_with_an_agent_is_said_and_nothing_is_made() {
    let home = Home::new();
    let daemon = home.daemon();
    let create = |args: &[&str]| home.run(&[&["agent", "create"], args].concat());
    let acp = ["--runtime", "acp", "--command", "x"];
    let _ = create(&[&["DEMO"], &acp[..]].concat())
        .exits(5)
        .says("taken");
    let _ = create(&["new", "--runtime", "acp"])
        .exits(5)
        .says("`--command`");
    let _ = create(&["new", "--runtime", "cobol"])
        .exits(5)
        .says("claude");
    for (policy, says) in [
        ("sometimes", "sometimes"),
        ("execute=", "execute"),
        ("ask_timeout=-1", "ask_timeout"),
    ] {
        let _ = create(&[&["new", "--permission", policy], &acp[..]].concat())
            .exits(2)
            .says(says);
    }
    let _ = create(&["new", "--runtime", "opencode", "--permission", "ask"])
        .exits(5)
        .says("cannot be enforced");
    assert_eq!(
        daemon.http().get("/api/agents").as_array().unwrap().len(),
        1
    );
}

#[test]
fn what_an_agent_will_do_is_told_when_it_is_made() {
    let home = Home::new();
    let _daemon = home.daemon();
    let acp = ["--runtime", "acp", "--command", "x"];
    let open = home.run(&[&["agent", "create", "open"], &acp[..]].concat());
    let open = open.ok().says("every tool runs").says("--permission ask");
    assert_eq!(open.out.trim().len(), 36, "{open}");
    let list = home.run(&["agent", "list"]).ok();
    let row = list.out.lines().find(|line| line.starts_with("open"));
    assert!(row.unwrap().contains("none"), "{list}");
    let update = |args: &[&str]| home.run(&[&["agent", "update", "open"], args].concat());
    assert!(!update(&["--permission", "ask"]).ok().err.contains("note:"));
    let _ = update(&["--clear", "permission"])
        .ok()
        .says("every tool runs");
    let create = ["agent", "create", "later", "--runtime", "claude"];
    let _ = home
        .run(&create)
        .ok()
        .says("does not start the runtime `claude`");
}

#[test]
fn off_a_terminal_nothing_is_removed_without_a_word() {
    let home = Home::new();
    let daemon = home.daemon();
    let _ = home
        .run(&["agent", "delete", "demo"])
        .exits(2)
        .says("--yes");
    let launched = daemon.http().launch("say hi");
    daemon.http().ended(&launched.id);
    let _ = home
        .run(&["conv", "delete", &launched.id])
        .exits(2)
        .says("--yes");
    daemon
        .http()
        .get(&format!("/api/conversations/{}", launched.id));
    let _ = home.run(&["agent", "delete", "demo", "--yes"]).ok();
    let done = home.run(&["run", "demo", "-p", "x"]).exits(3);
    let _ = done.says("fountain agent create NAME");
}

#[test]
fn the_api_refuses_bad_policies_by_their_key() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let path = format!("/api/agents/{}", http.agent("demo"));
    for (policy, key) in [
        (json!({"execute": "perhaps"}), "execute"),
        (json!({"edit": true}), "edit"),
        (json!({"ask_timeout": 1.5}), "ask_timeout"),
        (json!({"ask_timeout": 0}), "ask_timeout"),
        (json!({"ask_timeout": 31_536_001}), "ask_timeout"),
    ] {
        let refused = http.patch(&path, &json!({"permission_policy": policy}));
        let body = refused.refused(422, "permission_policy_invalid");
        assert_eq!(body["key"], key, "{body}");
        assert!(body["errors"]["permission_policy"].is_array(), "{body}");
    }
    http.patch(&path, &json!({"permission_policy": "ask"}))
        .refused(422, "permission_policy_invalid");
    assert_eq!(
        http.get(&path)["permission_policy"],
        json!({"default": "ask"})
    );
}

/// An edit of the agent's policy reaches a conversation that runs already, from its next request on.
#[test]
fn a_tightened_policy_counts_at_once() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("run touch one\nrun touch two");
    let first = http.asked(&launched.id);
    let path = format!("/api/agents/{}", http.agent("demo"));
    http.patch(
        &path,
        &json!({"permission_policy": {"execute": "auto_deny"}}),
    )
    .ok();
    let request = first["request_id"].as_str().unwrap();
    http.answer(&launched.id, request, &json!({"option_id": "allow_once"}))
        .ok();
    assert_eq!(http.ended(&launched.id)["status"], "completed");
    let there = |name: &str| home.workspace().join(name).exists();
    assert_eq!((there("one"), there("two")), (true, false));
}
