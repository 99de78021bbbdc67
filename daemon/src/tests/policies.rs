//! Policies as they are written: wrong ones are refused by key, and the old one stays.

use serde_json::{Value, json};

use super::kit::Daemon;
use super::kit::chat::Chat;

async fn held(daemon: &Daemon, path: &str) -> Value {
    daemon.get(path).await.is(200)["data"]["permission_policy"].clone()
}

#[tokio::test]
async fn a_wrong_value_is_refused_by_its_key_and_the_old_policy_stays() {
    let daemon = Daemon::new().await;
    let old = json!({"execute": "ask"});
    let agent = daemon.agent("true", old.clone()).await;
    let path = format!("/api/agents/{agent}");
    let long = "k".repeat(10_000);
    for (policy, key) in [
        (json!({"execute": "allow"}), json!("execute")),
        (json!({"execute": null}), json!("execute")),
        (json!({"execute": true}), json!("execute")),
        (
            json!({"read": "auto_allow", "execute": "ASK"}),
            json!("execute"),
        ),
        (json!({"default": ["ask"]}), json!("default")),
        (json!({"ask_timeout": 0}), json!("ask_timeout")),
        (json!({"ask_timeout": -1}), json!("ask_timeout")),
        (json!({"ask_timeout": 1.5}), json!("ask_timeout")),
        (json!({"ask_timeout": "60"}), json!("ask_timeout")),
        (json!({"ask_timeout": 31_536_001}), json!("ask_timeout")),
        (json!({"ask_timeout": 1e15}), json!("ask_timeout")),
        (json!({"ask_timeout": "ask"}), json!("ask_timeout")),
        (json!({"ask_timeout": null}), json!("ask_timeout")),
        (json!({"": "ask"}), json!("")),
        (json!({ &long: "ask" }), json!(&long[..80])),
        (json!(["execute"]), json!(null)),
        (json!("ask"), json!(null)),
        (json!(5), json!(null)),
    ] {
        let body = daemon
            .patch(&path, json!({ "permission_policy": policy }))
            .await
            .refuses(422, "permission_policy_invalid");
        assert_eq!(body["key"], key, "{body}");
        let field = body["errors"]["permission_policy"][0].as_str().unwrap();
        assert_eq!(field, body["message"].as_str().unwrap());
        assert_eq!(held(&daemon, &path).await, old, "{policy}");
        let launch = json!({"agent_id": agent, "permission_policy": policy});
        let body = daemon
            .post("/api/conversations", launch)
            .await
            .refuses(422, "permission_policy_invalid");
        assert_eq!(body["key"], key, "{body}");
    }
    assert_eq!(
        daemon.get("/api/conversations").await.is(200)["data"],
        json!([])
    );
}

#[tokio::test]
async fn a_policy_is_replaced_whole_and_null_clears_it() {
    let daemon = Daemon::new().await;
    let agent = daemon
        .agent("true", json!({"execute": "ask", "read": "auto_allow"}))
        .await;
    let path = format!("/api/agents/{agent}");
    for policy in [
        json!({"edit": "auto_deny", "ask_timeout": 31_536_000}),
        json!({}),
        json!({"rm -rf /": "auto_deny", "漢字": "ask"}),
    ] {
        daemon
            .patch(&path, json!({ "permission_policy": policy }))
            .await
            .is(200);
        assert_eq!(held(&daemon, &path).await, policy);
    }
    daemon
        .patch(&path, json!({"description": "other"}))
        .await
        .is(200);
    assert_eq!(
        held(&daemon, &path).await,
        json!({"rm -rf /": "auto_deny", "漢字": "ask"}),
        "absent keeps"
    );
    daemon
        .patch(&path, json!({ "permission_policy": null }))
        .await
        .is(200);
    assert_eq!(held(&daemon, &path).await, json!(null));
}

#[tokio::test]
async fn a_policy_that_a_runtime_cannot_enforce_is_refused() {
    let daemon = Daemon::new().await;
    let fields =
        |policy: Value| json!({"name": "o", "runtime": "opencode", "permission_policy": policy});
    for policy in [json!({"execute": "ask"}), json!({"default": "auto_deny"})] {
        let body = daemon
            .post("/api/agents", fields(policy))
            .await
            .refuses(422, "permission_policy_unenforceable");
        assert!(body["errors"]["permission_policy"][0].is_string(), "{body}");
    }
    let made = daemon
        .post("/api/agents", fields(json!({"default": "auto_allow"})))
        .await
        .is(201);
    let path = format!("/api/agents/{}", made["data"]["id"].as_str().unwrap());
    daemon
        .patch(&path, json!({"permission_policy": {"edit": "ask"}}))
        .await
        .refuses(422, "permission_policy_unenforceable");
    let launch = json!({"agent_id": made["data"]["id"], "permission_policy": {"edit": "ask"}});
    daemon
        .post("/api/conversations", launch)
        .await
        .refuses(422, "permission_policy_unenforceable");
    // Nor may an agent that holds one be moved to such a runtime.
    let strict = daemon.agent("true", json!({"execute": "auto_deny"})).await;
    let path = format!("/api/agents/{strict}");
    let moved = json!({"runtime": "opencode", "runtime_command": null});
    daemon
        .patch(&path, moved.clone())
        .await
        .refuses(422, "permission_policy_unenforceable");
    assert_eq!(daemon.get(&path).await.is(200)["data"]["runtime"], "acp");
    let mut both = moved;
    both["permission_policy"] = json!(null);
    assert_eq!(
        daemon.patch(&path, both).await.is(200)["data"]["runtime"],
        "opencode"
    );
}

#[tokio::test]
async fn a_launch_can_only_narrow() {
    let daemon = Daemon::new().await;
    let agent = daemon
        .agent(
            "true",
            json!({"execute": "ask", "delete": "auto_deny", "ask_timeout": 60}),
        )
        .await;
    let launch = |policy: Value| {
        daemon.post(
            "/api/conversations",
            json!({"agent_id": agent, "permission_policy": policy}),
        )
    };
    for (policy, key) in [
        (json!({"execute": "auto_allow"}), "execute"),
        (json!({"delete": "ask"}), "delete"),
        (json!({"default": "auto_allow"}), "execute"),
        (json!({"default": "ask"}), "delete"),
        (json!({"ask_timeout": 61}), "ask_timeout"),
    ] {
        let body = launch(policy)
            .await
            .refuses(422, "permission_policy_widens");
        assert_eq!(body["key"], key, "{body}");
    }
    assert_eq!(
        daemon.get("/api/conversations").await.is(200)["data"],
        json!([]),
        "nothing was created"
    );
    for (policy, shown) in [
        (json!(null), json!(null)),
        (json!({}), json!(null)),
        (
            json!({"execute": "auto_deny"}),
            json!({"execute": "auto_deny"}),
        ),
        (
            json!({"default": "auto_deny", "ask_timeout": 60}),
            json!({"default": "auto_deny", "ask_timeout": 60}),
        ),
    ] {
        let made = launch(policy).await.is(201);
        assert_eq!(made["data"]["permission_policy"], shown);
        assert_eq!(made["data"]["status"], "idle");
    }
    // Where the agent names no timeout, the ceiling is what a launch may only shorten.
    let agent = daemon.agent("true", json!(null)).await;
    let launch = |seconds: u32| {
        daemon.post(
            "/api/conversations",
            json!({"agent_id": agent, "permission_policy": {"ask_timeout": seconds}}),
        )
    };
    launch(301).await.refuses(422, "permission_policy_widens");
    launch(300).await.is(201);
}

#[tokio::test]
async fn a_damaged_policy_denies_wherever_it_stands() {
    let daemon = Daemon::new().await;
    for (table, column) in [
        ("agents", "permission_policy"),
        ("conversations", "permission_policy"),
        ("conversations", "parent_policies"),
    ] {
        for damage in ["{broken", "7", "\"\"", "[7]"] {
            let chat = daemon.built_in(json!(null)).await;
            let agent = chat.show().await["agent_id"].clone();
            chat.say("run touch marker").await;
            assert_eq!(chat.stages("policy/done").await.len(), 0);
            // It awakens nobody: the process that runs is under it from its next request on.
            let id = if table == "agents" {
                agent.clone()
            } else {
                json!(chat.id)
            };
            let sql = format!("UPDATE {table} SET {column} = ?1 WHERE id = ?2");
            let write = daemon
                .app
                .store
                .write(move |tx| Ok(tx.connection().execute(&sql, (damage, id.as_str()))?));
            assert_eq!(write.await.unwrap(), 1);
            chat.say("run touch marker").await;
            let told = chat.stages("policy/done").await;
            assert_eq!(told.len(), 1, "{table}.{column} {damage}");
            assert_eq!(told[0]["event"], "denied");
            // What is started beneath it is under it as well.
            let own = daemon.built_in(json!(null)).await.show().await["agent_id"].clone();
            let child = daemon
                .call("POST", "/api/conversations")
                .header("x-fountain-parent-conversation-id", &chat.id)
                .json(&json!({"agent_id": own}))
                .send()
                .await
                .is(201);
            let child = Chat::of(&daemon, child["data"]["id"].as_str().unwrap());
            child.say("run touch marker").await;
            assert_eq!(child.stages("policy/done").await.len(), 1);
        }
    }
}
