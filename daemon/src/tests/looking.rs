//! Looking at policies and at the trail: explained, replayed, read page by page. Nothing of it changes anything.

use std::time::Duration;

use serde_json::{Value, json};

use super::kit::Daemon;
use super::kit::chat::Chat;

async fn agent_of(chat: &Chat<'_>) -> Value {
    chat.show().await["agent_id"].clone()
}

#[tokio::test]
async fn a_request_is_explained_by_key_and_layer() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .built_in(json!({"default": "ask", "execute": "auto_deny", "make test": "auto_allow"}))
        .await;
    let agent = agent_of(&chat).await;
    let explain = async |more: Value| {
        let mut body = json!({"agent_id": agent});
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        daemon.post("/api/policy/explain", body).await
    };
    let told = explain(json!({"kind": "execute", "title": "ls"}))
        .await
        .is(200)["data"]
        .clone();
    assert_eq!(
        (&told["verdict"], &told["key"], &told["layer"]),
        (&json!("auto_deny"), &json!("execute"), &json!("agent"))
    );
    assert_eq!(
        told["layers"][0]["why"],
        "the key `execute` covers its kind"
    );
    let title = explain(json!({"kind": "execute", "title": "make test"}))
        .await
        .is(200)["data"]
        .clone();
    assert_eq!(title["key"], "title");
    assert_eq!(title["warnings"].as_array().unwrap().len(), 1);
    let launch = explain(json!({"kind": "read", "permission_policy": {"read": "auto_deny"}}))
        .await
        .is(200)["data"]
        .clone();
    assert_eq!(
        (
            &launch["layer"],
            &launch["verdict"],
            launch["layers"].as_array().unwrap().len()
        ),
        (&json!("launch"), &json!("auto_deny"), 2)
    );
    // What a launch could not ask for cannot be explained either.
    let widens = explain(json!({"permission_policy": {"execute": "auto_allow"}})).await;
    assert_eq!(
        widens.refuses(422, "permission_policy_widens")["key"],
        "execute"
    );
    let wrong = explain(json!({"permission_policy": {"execute": "maybe"}})).await;
    wrong.refuses(422, "permission_policy_invalid");
    let nobody = json!({"agent_id": uuid::Uuid::new_v4().to_string()});
    daemon
        .post("/api/policy/explain", nobody)
        .await
        .refuses(404, "not_found");
}

#[tokio::test]
async fn a_policy_is_tried_on_what_was_recorded() {
    let daemon = Daemon::new().await;
    let agent_policy = json!({"execute": "auto_deny", "edit": "ask"});
    let scenario = "on session/prompt\nask 1 execute ls\nask 2 execute touch\nask 3 read z\nask 4 edit w\nrespond end_turn";
    let chat = daemon.scripted(scenario, agent_policy).await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    chat.pick(&request, "yes").await.is(200);
    chat.end(&accepted).await;
    let agent = agent_of(&chat).await;
    let replay = async |policy: Value, since: Value| {
        let mut body = json!({"agent_id": agent, "permission_policy": policy});
        if !since.is_null() {
            body["since"] = since;
        }
        daemon.post("/api/policy/replay", body).await
    };
    let told = replay(json!({"execute": "ask", "read": "auto_deny"}), json!(null))
        .await
        .is(200)["data"]
        .clone();
    assert_eq!((&told["count"], &told["changed"]), (&json!(4), &json!(4)));
    let rows: Vec<Value> = told["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            json!([
                row["before"],
                row["after"],
                row["change"],
                row["count"],
                row["kinds"][0]["kind"]
            ])
        })
        .collect();
    assert_eq!(
        rows,
        [
            json!(["auto_deny", "ask", "looser", 2, "execute"]),
            json!(["ask", "auto_allow", "looser", 1, "edit"]),
            json!(["auto_allow", "auto_deny", "stricter", 1, "read"]),
        ]
    );
    let mut examples: Vec<&str> = told["rows"][0]["kinds"][0]["examples"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    examples.sort_unstable();
    assert_eq!(examples, ["ls", "touch"]);
    // Nothing has changed by looking.
    let same = replay(json!({"execute": "auto_deny", "edit": "ask"}), json!(null))
        .await
        .is(200)["data"]
        .clone();
    assert_eq!((&same["count"], &same["changed"]), (&json!(4), &json!(0)));
    let later = daemon.app.now().plus(Duration::from_secs(1)).to_string();
    let none = replay(json!(null), json!(later)).await.is(200)["data"].clone();
    assert_eq!(none, json!({"count": 0, "changed": 0, "rows": []}));
    replay(json!({"execute": 5}), json!(null))
        .await
        .refuses(422, "permission_policy_invalid");
}

#[tokio::test]
async fn a_replay_keeps_what_the_launch_asked_for() {
    let daemon = Daemon::new().await;
    let held = daemon
        .scripted(
            "on session/prompt\nask 1 execute ls\nrespond end_turn",
            json!({"execute": "ask"}),
        )
        .await;
    let agent = agent_of(&held).await;
    let launched = daemon
        .launch(json!({"agent_id": agent, "permission_policy": {"execute": "auto_deny"}}))
        .await;
    launched.say("x").await;
    let body = json!({"agent_id": agent, "permission_policy": {"execute": "auto_allow"}});
    let told = daemon.post("/api/policy/replay", body).await.is(200)["data"].clone();
    assert_eq!(
        (&told["count"], &told["changed"]),
        (&json!(1), &json!(0)),
        "{told}"
    );
}

#[tokio::test]
async fn the_trail_is_read_page_by_page_and_by_filter() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!({"execute": "auto_deny"})).await;
    chat.say("run touch secret-name").await;
    chat.say("run touch other").await;
    let page = async |query: &str| daemon.get(&format!("/api/audit{query}")).await.is(200);
    let all = page("").await;
    let ids: Vec<i64> = all["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["id"].as_i64().unwrap())
        .collect();
    assert!(ids.is_sorted_by(|a, b| a > b) && ids.len() >= 4, "{all}");
    assert_eq!(
        all["meta"],
        json!({"limit": 100, "has_more": false, "next_cursor": null})
    );
    assert!(!all.to_string().contains("secret-name"));
    let denied = page("?action_prefix=conversation.permission_denied").await;
    assert_eq!(denied["data"].as_array().unwrap().len(), 2);
    assert_eq!(
        denied["data"][0]["metadata"],
        json!({"tool": "execute", "verdict": "auto_deny", "key": "execute"})
    );
    assert_eq!(
        (
            &denied["data"][0]["resource_type"],
            &denied["data"][0]["resource_id"]
        ),
        (&json!("conversation"), &json!(chat.id))
    );
    // A prefix is letters, not a pattern.
    for query in [
        "?action_prefix=conversation%25",
        "?action_prefix=_onversation",
        "?resource_type=sandbox",
    ] {
        assert_eq!(page(query).await["data"], json!([]), "{query}");
    }
    // Every row once, however small the pages.
    let mut seen = Vec::new();
    let mut query = "?limit=2".to_owned();
    loop {
        let part = page(&query).await;
        seen.extend(
            part["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row["id"].as_i64().unwrap()),
        );
        match part["meta"]["next_cursor"].as_str() {
            Some(cursor) => query = format!("?limit=2&before={cursor}"),
            None => break,
        }
    }
    assert_eq!(seen, ids);
    let now = daemon.app.now().plus(Duration::from_secs(1)).to_string();
    assert_eq!(page(&format!("?since={now}")).await["data"], json!([]));
    assert_eq!(
        page(&format!("?until={now}")).await["data"]
            .as_array()
            .unwrap()
            .len(),
        ids.len()
    );
    for (query, code) in [
        ("?since=yesterday", "invalid_time"),
        ("?until=5", "invalid_time"),
        ("?before=x", "invalid_cursor"),
        ("?limit=0", "invalid_limit"),
        ("?limit=501", "invalid_limit"),
    ] {
        daemon
            .get(&format!("/api/audit{query}"))
            .await
            .refuses(400, code);
    }
}

#[tokio::test]
async fn what_waits_is_listed_page_by_page() {
    let daemon = Daemon::new().await;
    let asks: String = (1..=7).map(|n| format!("post {n} execute {n}\n")).collect();
    let scenario = format!("on session/prompt\n{asks}respond waiting");
    let chat = daemon
        .scripted(&scenario, json!({"default": "ask", "ask_timeout": 600}))
        .await;
    chat.say("x").await;
    let all = daemon.get("/api/requests").await.is(200);
    assert_eq!(all["data"].as_array().unwrap().len(), 7);
    assert_eq!(all["meta"]["has_more"], false);
    for status in ["open", "all"] {
        let mut seen = Vec::new();
        let mut query = format!("?status={status}&limit=3");
        loop {
            let part = daemon.get(&format!("/api/requests{query}")).await.is(200);
            seen.extend(
                part["data"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|row| row["request_id"].to_string()),
            );
            match part["meta"]["next_cursor"].as_str() {
                Some(cursor) => query = format!("?status={status}&limit=3&after={cursor}"),
                None => break,
            }
        }
        let distinct: std::collections::HashSet<_> = seen.iter().collect();
        assert_eq!((seen.len(), distinct.len()), (7, 7), "{status}");
    }
    daemon
        .get("/api/requests?after=x")
        .await
        .refuses(400, "invalid_cursor");
    let other = uuid::Uuid::new_v4();
    assert_eq!(
        daemon
            .get(&format!("/api/requests?conversation_id={other}"))
            .await
            .is(200)["data"],
        json!([])
    );
    let own = daemon
        .get(&format!("/api/requests?conversation_id={}", chat.id))
        .await
        .is(200);
    assert_eq!(own["data"].as_array().unwrap().len(), 7);
}
