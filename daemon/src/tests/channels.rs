//! Channels: one conversation for each and agent, found again, rotated, and never bound to what has ended.

use serde_json::{Value, json};

use super::kit::Daemon;
use super::kit::chat::Chat;

async fn agent(daemon: &Daemon, policy: Value) -> Value {
    let chat = daemon.built_in(policy).await;
    chat.show().await["agent_id"].clone()
}

/// Launches on a channel; gives the conversation and whether it was there before.
async fn on(daemon: &Daemon, agent: &Value, more: Value) -> (String, bool) {
    let mut body = json!({"agent_id": agent, "channel_id": "ops"});
    body.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    let reply = daemon.post("/api/conversations", body).await;
    let resumed = reply.status == 200;
    let made = reply.is(if resumed { 200 } else { 201 });
    assert_eq!(made["meta"]["resumed"], json!(resumed));
    assert_eq!(made["data"]["channel_id"], "ops");
    (made["data"]["id"].as_str().unwrap().to_owned(), resumed)
}

#[tokio::test]
async fn a_channel_finds_its_conversation_again() {
    let daemon = Daemon::new().await;
    let agent = agent(&daemon, json!(null)).await;
    let (id, resumed) = on(&daemon, &agent, json!({})).await;
    assert!(!resumed);
    let chat = Chat::of(&daemon, &id);
    assert_eq!(chat.show().await["title"], "ops");
    chat.say("remember 5\ntitle something else").await;
    assert_eq!(chat.show().await["title"], "ops", "its name is explicit");
    // The prompt of a launch that resumes is not sent.
    let (again, resumed) = on(&daemon, &agent, json!({"prompt": "say never"})).await;
    assert_eq!((again == id, resumed), (true, true));
    assert_eq!(chat.turns().await.len(), 1);
    // Another agent's channel of the same name is another one.
    let other = super::kit::chat::Chat::of(&daemon, &id).show().await["agent_id"].clone();
    assert_eq!(other, agent);
    let second = daemon.agent("exec fountain fixture", json!(null)).await;
    let (elsewhere, resumed) = on(&daemon, &json!(second), json!({})).await;
    assert!(elsewhere != id && !resumed);
    let listed = daemon
        .get("/api/conversations?channel_id=ops")
        .await
        .is(200);
    assert_eq!(listed["data"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn fresh_unbinds_what_was_bound_and_what_has_ended_is_not_resumed() {
    let daemon = Daemon::new().await;
    let agent = agent(&daemon, json!(null)).await;
    let (first, _) = on(&daemon, &agent, json!({})).await;
    let (second, resumed) = on(&daemon, &agent, json!({"fresh": true})).await;
    assert!(first != second && !resumed);
    let old = Chat::of(&daemon, &first);
    assert_eq!(old.show().await["channel_id"], json!(null));
    assert_eq!(old.say("say still here").await["state"], "done");
    assert_eq!(on(&daemon, &agent, json!({})).await, (second.clone(), true));
    daemon
        .call("POST", &Chat::of(&daemon, &second).path("/terminate"))
        .send()
        .await;
    let (third, resumed) = on(&daemon, &agent, json!({})).await;
    assert!(third != second && !resumed);
    // Without a channel it means nothing.
    let body = json!({"agent_id": agent, "fresh": true});
    daemon.post("/api/conversations", body).await.is(201);
}

#[tokio::test]
async fn two_launches_at_once_find_the_same() {
    let daemon = Daemon::new().await;
    let agent = agent(&daemon, json!(null)).await;
    let launches = (0..20).map(|_| on(&daemon, &agent, json!({})));
    let found = futures_util::future::join_all(launches).await;
    assert!(found.iter().all(|(id, _)| *id == found[0].0));
    assert_eq!(found.iter().filter(|(_, resumed)| !resumed).count(), 1);
}

#[tokio::test]
async fn a_launch_that_resumes_can_tighten_and_never_loosens() {
    let daemon = Daemon::new().await;
    let agent = agent(&daemon, json!({"read": "ask"})).await;
    let (id, _) = on(
        &daemon,
        &agent,
        json!({"permission_policy": {"execute": "ask"}}),
    )
    .await;
    let chat = Chat::of(&daemon, &id);
    let tighter = json!({"permission_policy": {"execute": "auto_deny"}});
    for _ in 0..2 {
        assert!(on(&daemon, &agent, tighter.clone()).await.1);
    }
    chat.say("run touch marker").await;
    assert_eq!(chat.stages("policy/done").await[0]["key"], "execute");
    // A later one that says less does not undo it; one that permits more than the agent is refused.
    on(
        &daemon,
        &agent,
        json!({"permission_policy": {"execute": "ask"}}),
    )
    .await;
    on(&daemon, &agent, json!({})).await;
    chat.say("run touch marker").await;
    assert_eq!(chat.stages("policy/done").await.len(), 2);
    let layers = daemon
        .count(
            "SELECT json_array_length(parent_policies) FROM conversations WHERE channel_id = 'ops'",
        )
        .await;
    assert_eq!(layers, 1, "the same launch again adds nothing");
    let body = json!({"agent_id": agent, "channel_id": "ops", "permission_policy": {"read": "auto_allow"}});
    daemon
        .post("/api/conversations", body)
        .await
        .refuses(422, "permission_policy_widens");
}

#[tokio::test]
async fn a_bad_name_is_refused() {
    let daemon = Daemon::new().await;
    let agent = agent(&daemon, json!(null)).await;
    for name in [
        json!(""),
        json!("  "),
        json!("a\0b"),
        json!("x".repeat(256)),
        json!(5),
    ] {
        let body = json!({"agent_id": agent, "channel_id": name});
        daemon
            .post("/api/conversations", body)
            .await
            .refuses(422, "validation_failed");
    }
    // A title is one line of so many characters, a name that it comes from as well.
    let body = json!({"agent_id": agent, "channel_id": format!("a\n b{}", "x".repeat(251))});
    let made = daemon.post("/api/conversations", body).await.is(201);
    let title = format!("a b{}", "x".repeat(117));
    assert_eq!(made["data"]["title"], json!(title));
}

#[tokio::test]
async fn launches_on_a_channel_add_so_many_policies_and_no_more() {
    let daemon = Daemon::new().await;
    let agent = agent(&daemon, json!(null)).await;
    on(&daemon, &agent, json!({})).await;
    let policy = |number: i32| json!({"permission_policy": {format!("title {number}"): "ask"}});
    for number in 0..16 {
        assert!(on(&daemon, &agent, policy(number)).await.1);
    }
    let mut body = json!({"agent_id": agent, "channel_id": "ops"});
    body["permission_policy"] = policy(16)["permission_policy"].clone();
    daemon
        .post("/api/conversations", body)
        .await
        .refuses(422, "too_many_policies");
    // One that is there already adds nothing, and each that did is in the trail.
    assert!(on(&daemon, &agent, policy(3)).await.1);
    assert_eq!(daemon.audit("conversation.narrowed").await.len(), 16);
    assert!(!on(&daemon, &agent, json!({"fresh": true})).await.1);
}
