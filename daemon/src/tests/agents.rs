//! Agents: the rules of their fields.

use serde_json::{Value, json};

use super::kit::Daemon;

fn fields(more: Value) -> Value {
    let mut fields = json!({"name": "a", "runtime": "acp", "runtime_command": "true"});
    fields
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    fields
}

#[tokio::test]
async fn an_agent_is_made_changed_and_removed() {
    let daemon = Daemon::new().await;
    let made = daemon
        .post(
            "/api/agents",
            fields(json!({"description": "d", "metadata": {"k": [1]}})),
        )
        .await
        .is(201);
    let agent = &made["data"];
    assert_eq!(
        (&agent["acp"], &agent["permission_policy"]),
        (&json!(true), &json!(null))
    );
    let path = format!("/api/agents/{}", agent["id"].as_str().unwrap());
    assert_eq!(daemon.get(&path).await.is(200)["data"], *agent);
    // Absent keeps, null clears, and what the API shows may be sent back.
    let changed = daemon
        .patch(&path, json!({"description": null, "model": "a/b"}))
        .await
        .is(200);
    assert_eq!(
        (
            &changed["data"]["description"],
            &changed["data"]["metadata"]
        ),
        (&json!(null), &json!({"k": [1]}))
    );
    let same = daemon
        .call("PUT", &path)
        .json(&changed["data"])
        .send()
        .await
        .is(200);
    assert_eq!(
        same["data"], changed["data"],
        "nothing changed, so nothing is newer"
    );
    assert_eq!(daemon.delete(&path).await.status, 204);
    daemon.get(&path).await.refuses(404, "not_found");
    daemon.delete(&path).await.refuses(404, "not_found");
    let trail = daemon.audit("agent.updated").await;
    assert_eq!(
        trail.len(),
        1,
        "a change that changes nothing leaves no trace"
    );
}

#[tokio::test]
async fn a_field_that_is_wrong_is_named() {
    let daemon = Daemon::new().await;
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("  ")),
        ("name", json!("x".repeat(201))),
        ("name", json!(5)),
        ("name", json!(null)),
        ("name", json!("a\u{0}b")),
        ("runtime", json!("nope")),
        ("runtime", json!(null)),
        ("runtime", json!("fountain-fixture")),
        ("runtime", json!("claude")),
        ("runtime_command", json!("")),
        ("runtime_command", json!(null)),
        ("runtime_command", json!(["sh"])),
        ("model", json!("no-slash")),
        ("model", json!("Upper/case")),
        ("model", json!("a/b/c")),
        ("sandbox_mode", json!("persistent")),
        ("sandbox_mode", json!("x")),
        ("sandbox_provider", json!("docker")),
        ("metadata", json!([])),
        ("system", json!({})),
    ] {
        let reply = daemon
            .post("/api/agents", fields(json!({ field: value })))
            .await;
        let body = reply.refuses(422, "validation_failed");
        let expect = if value == "claude" {
            "runtime_command"
        } else {
            field
        };
        assert!(
            body["errors"][expect][0].is_string(),
            "{field} {value}: {body}"
        );
    }
    assert_eq!(
        daemon.get("/api/agents?search=a").await.is(200)["data"]
            .as_array()
            .unwrap()
            .len(),
        1,
        "the demo alone"
    );
}

#[tokio::test]
async fn a_field_nobody_knows_is_refused_by_name() {
    let daemon = Daemon::new().await;
    for field in ["permision_policy", "environment", "Name", ""] {
        let body = daemon
            .post("/api/agents", fields(json!({ field: 1 })))
            .await
            .refuses(422, "validation_failed");
        assert!(
            body["errors"][field][0]
                .as_str()
                .unwrap()
                .contains("no field of an agent"),
            "{body}"
        );
        assert!(
            body["message"]
                .as_str()
                .unwrap()
                .contains(&format!("`{field}`")),
            "{body}"
        );
    }
    let agent = daemon.agent("true", json!(null)).await;
    let path = format!("/api/agents/{agent}");
    daemon
        .patch(&path, json!({"nope": 1}))
        .await
        .refuses(422, "validation_failed");
}

#[tokio::test]
async fn two_agents_cannot_have_one_name() {
    let daemon = Daemon::new().await;
    daemon
        .post("/api/agents", fields(json!({"name": "Ada"})))
        .await
        .is(201);
    for name in ["Ada", "ada", "ADA"] {
        let body = daemon
            .post("/api/agents", fields(json!({ "name": name })))
            .await
            .refuses(422, "validation_failed");
        assert!(
            body["errors"]["name"][0]
                .as_str()
                .unwrap()
                .contains("taken"),
            "{body}"
        );
    }
    let other = daemon
        .post("/api/agents", fields(json!({"name": "Bob"})))
        .await
        .is(201);
    let path = format!("/api/agents/{}", other["data"]["id"].as_str().unwrap());
    daemon
        .patch(&path, json!({"name": "aDa"}))
        .await
        .refuses(422, "validation_failed");
    // Its own name in another case is no clash.
    assert_eq!(
        daemon.patch(&path, json!({"name": "BOB"})).await.is(200)["data"]["name"],
        "BOB"
    );
    let racing = (0..10).map(|_| daemon.post("/api/agents", fields(json!({"name": "Cy"}))));
    let replies = futures_util::future::join_all(racing).await;
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 201).count(),
        1
    );
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 422).count(),
        9
    );
}

#[tokio::test]
async fn a_runtime_that_this_version_does_not_start_is_refused_at_the_launch() {
    let daemon = Daemon::new().await;
    for runtime in ["claude", "codex", "gemini", "opencode"] {
        let made = daemon
            .post("/api/agents", json!({"name": runtime, "runtime": runtime}))
            .await
            .is(201);
        let launch = json!({"agent_id": made["data"]["id"], "prompt": "x"});
        daemon
            .post("/api/conversations", launch)
            .await
            .refuses(422, "runtime_unavailable");
    }
    assert_eq!(
        daemon.get("/api/conversations").await.is(200)["data"],
        json!([])
    );
}

#[tokio::test]
async fn agents_are_found_by_name_and_description() {
    let daemon = Daemon::new().await;
    for (name, description) in [("Alpha", "one"), ("Beta", "the second"), ("100%", "x")] {
        daemon
            .post(
                "/api/agents",
                fields(json!({"name": name, "description": description})),
            )
            .await
            .is(201);
    }
    for (search, expect) in [
        ("alp", vec!["Alpha"]),
        ("SECOND", vec!["Beta"]),
        ("%25", vec!["100%"]),
        ("_", vec![]),
        ("", vec!["100%", "Alpha", "Beta", "demo"]),
    ] {
        let found = daemon
            .get(&format!("/api/agents?search={search}"))
            .await
            .is(200);
        let names: Vec<&str> = found["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|agent| agent["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, expect, "{search}");
    }
}

#[tokio::test]
async fn the_conversations_of_an_agent_that_is_removed_stay() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    chat.say("say hi").await;
    let agent = chat.show().await["agent_id"].as_str().unwrap().to_owned();
    assert_eq!(
        daemon.delete(&format!("/api/agents/{agent}")).await.status,
        204
    );
    let shown = chat.show().await;
    assert_eq!(
        (&shown["agent_id"], &shown["agent_name"]),
        (&json!(null), &json!(null))
    );
    assert!(chat.tags().await.contains(&"turn/done".to_owned()));
    // Whoever permitted its tools is gone: nothing runs for it any more.
    let refused = chat.try_prompt("say more").await;
    refused.refuses(422, "no_agent");
}
