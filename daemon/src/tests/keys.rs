//! Keys: which are taken, and what each may do.

use fountain_core::api::auth::Scope;
use fountain_core::id::{ConversationId, KeyId};
use fountain_core::time::Timestamp;
use serde_json::json;

use super::kit::{Daemon, until};
use crate::secret::Secret;
use crate::store::keys;

pub(super) async fn mint(
    daemon: &Daemon,
    scope: Scope,
    conversation: Option<&str>,
    expires_at: Option<Timestamp>,
) -> String {
    let secret = Secret::mint();
    let key = keys::Key {
        id: KeyId(uuid::Uuid::now_v7()),
        name: "test".into(),
        prefix: secret.prefix(),
        scope,
        conversation: conversation.map(|id| id.parse::<ConversationId>().unwrap()),
        expires_at,
        revoked_at: None,
    };
    let (hash, now) = (secret.hash(), daemon.app.now());
    daemon
        .app
        .store
        .write(move |tx| keys::insert(tx, &key, &hash, now))
        .await
        .unwrap();
    secret.expose().to_owned()
}

#[tokio::test]
async fn a_key_is_taken_only_as_a_bearer_and_as_it_was_made() {
    let daemon = Daemon::new().await;
    let me = |value: &str| {
        daemon
            .call("GET", "/api/auth/me")
            .set("authorization", value)
            .send()
    };
    let key = daemon.key.clone();
    for good in [
        format!("Bearer {key}"),
        format!("bearer {key}"),
        format!("BEARER   {key} "),
    ] {
        me(&good).await.is(200);
    }
    for bad in [
        String::new(),
        key.clone(),
        format!("Basic {key}"),
        "Bearer".into(),
        "Bearer ".into(),
        format!("Bearer {}", &key[..67]),
        format!("Bearer {key}x"),
        format!("Bearer {}", key.to_uppercase()),
        format!("Bearer {key} {key}"),
    ] {
        let body = me(&bad).await.refuses(401, "api_key_invalid");
        assert!(!body.to_string().contains(&key[4..]), "{body}");
    }
    // Never from the address.
    let path = format!("/api/auth/me?api_key={key}&token={key}&access_token={key}");
    daemon
        .call("GET", &path)
        .set("authorization", "")
        .send()
        .await
        .refuses(401, "api_key_invalid");
}

#[tokio::test]
async fn who_calls_is_told_flat_and_under_data() {
    let daemon = Daemon::new().await;
    let me = daemon.get("/api/auth/me").await.is(200);
    assert_eq!(me["data"]["id"], me["id"]);
    assert_eq!(
        (&me["role"], &me["scope"], &me["prefix"]),
        (&json!("owner"), &json!("full"), &json!(&daemon.key[..8]))
    );
}

#[tokio::test]
async fn a_key_that_expired_or_was_revoked_says_which() {
    let daemon = Daemon::new().await;
    let soon = daemon.app.now().plus(std::time::Duration::from_secs(60));
    let key = mint(&daemon, Scope::Full, None, Some(soon)).await;
    let me = || daemon.call("GET", "/api/auth/me").key(&key).send();
    me().await.is(200);
    daemon.clock.advance(std::time::Duration::from_secs(61));
    assert_eq!(
        me().await.refuses(401, "api_key_expired")["reason"],
        "api_key_expired"
    );
    let revoked = mint(&daemon, Scope::Full, None, None).await;
    let hash = Secret::received(&revoked).hash();
    let revoke = daemon.app.store.write(move |tx| {
        let sql = "UPDATE keys SET revoked_at = 1 WHERE hash = ?1";
        Ok(tx.connection().execute(sql, [hash])?)
    });
    revoke.await.unwrap();
    let refused = daemon
        .call("GET", "/api/auth/me")
        .key(&revoked)
        .send()
        .await;
    assert_eq!(
        refused.refuses(401, "api_key_revoked")["reason"],
        "api_key_revoked"
    );
}

#[tokio::test]
async fn a_read_key_reads_everything_and_changes_nothing() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 1 execute x\nrespond end_turn",
            json!({"default": "ask"}),
        )
        .await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    let key = mint(&daemon, Scope::Read, None, None).await;
    let read = |path: String| daemon.call("GET", &path).key(&key).send();
    for path in [
        "/api/agents".to_owned(),
        "/api/conversations".into(),
        "/api/requests".into(),
        chat.path(""),
        chat.path("/turns"),
        chat.path("/events"),
    ] {
        read(path).await.is(200);
    }
    let id = request["request_id"].as_str().unwrap();
    let agent = chat.show().await["agent_id"].as_str().unwrap().to_owned();
    for (method, path) in [
        ("POST", "/api/agents".to_owned()),
        ("PATCH", format!("/api/agents/{agent}")),
        ("DELETE", format!("/api/agents/{agent}")),
        ("POST", "/api/conversations".into()),
        ("PATCH", chat.path("")),
        ("DELETE", chat.path("")),
        ("POST", chat.path("/prompts")),
        ("POST", chat.path("/interrupt")),
        ("POST", chat.path("/terminate")),
        ("POST", chat.path(&format!("/requests/{id}"))),
    ] {
        let call = daemon
            .call(method, &path)
            .key(&key)
            .json(&json!({"option_id": "yes", "prompt": "x"}));
        let body = call.send().await.refuses(403, "insufficient_scope");
        assert_eq!(body["required_scope"], "full", "{method} {path}");
    }
    chat.pick(&request, "yes").await.is(200);
    chat.end(&accepted).await;
}

#[tokio::test]
async fn a_sandbox_sees_its_own_conversation_and_may_not_answer_itself() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 1 execute x\nrespond end_turn",
            json!({"default": "ask"}),
        )
        .await;
    let other = daemon.built_in(json!(null)).await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    // The key as the agent's own process has it.
    let key = token(&chat.processes().await);
    let call = |method: &str, path: &str| daemon.call(method, path).key(&key);
    for path in ["", "/turns", "/events", "/stream?wait=false"] {
        assert_eq!(
            call("GET", &chat.path(path)).send().await.status,
            200,
            "{path}"
        );
        call("GET", &other.path(path))
            .send()
            .await
            .refuses(404, "not_found");
    }
    let id = request["request_id"].as_str().unwrap();
    for path in [
        "/api/agents".to_owned(),
        "/api/conversations".into(),
        "/api/requests".into(),
        format!("/api/requests/{id}"),
    ] {
        call("GET", &path)
            .send()
            .await
            .refuses(403, "insufficient_scope");
    }
    for (method, path) in [
        ("POST", "/prompts"),
        ("POST", "/interrupt"),
        ("POST", "/terminate"),
        ("DELETE", ""),
        ("PATCH", ""),
    ] {
        call(method, &chat.path(path))
            .json(&json!({"prompt": "x"}))
            .send()
            .await
            .refuses(403, "insufficient_scope");
    }
    // Whichever conversation, whichever request: the agent cannot answer, and that it tried is remembered.
    let answer = |chat: &str, id: &str| {
        call("POST", &format!("/api/conversations/{chat}/requests/{id}"))
            .json(&json!({"option_id": "yes"}))
            .send()
    };
    for (of, id) in [
        (chat.id.as_str(), id),
        (&other.id, id),
        (&chat.id, "nonsense"),
        ("nonsense", id),
    ] {
        answer(of, id).await.refuses(403, "sandbox_may_not_answer");
    }
    assert_eq!(chat.settled(&request).await["status"], "open");
    let trail = daemon.audit("conversation.self_answer_refused").await;
    assert_eq!(trail.len(), 4, "{trail:?}");
    assert!(trail.iter().all(|row| row["id"] == json!(chat.id)));
    assert_eq!(trail[1]["metadata"]["at"], json!(other.id));
    assert_eq!(
        (&trail[0]["actor"], &trail[0]["id"]),
        (&json!("sandbox"), &json!(chat.id))
    );
    chat.pick(&request, "yes").await.is(200);
    chat.end(&accepted).await;
    // It ends with its conversation.
    daemon.call("POST", &chat.path("/terminate")).send().await;
    call("GET", &chat.path(""))
        .send()
        .await
        .refuses(401, "api_key_invalid");
}

#[tokio::test]
async fn an_agent_cannot_answer_what_it_left_waiting() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\npost 1 execute x\nrespond waiting\nprocess 2\non session/prompt\nask 9 read y\nrespond end_turn";
    let chat = daemon.scripted(scenario, json!({"default": "ask"})).await;
    chat.say("x").await;
    let waiting = chat.request().await;
    // Another turn runs, so there is a sandbox with a key again.
    let accepted = chat.prompt("y").await;
    let open = chat.requests(2).await;
    let key = token(&chat.processes().await);
    let id = waiting["request_id"].as_str().unwrap();
    for answer in [json!({"option_id": "yes"}), json!({"deny": true})] {
        daemon
            .call("POST", &chat.path(&format!("/requests/{id}")))
            .key(&key)
            .json(&answer)
            .send()
            .await
            .refuses(403, "sandbox_may_not_answer");
    }
    assert_eq!(chat.settled(&waiting).await["status"], "open");
    let in_turn = open.iter().find(|request| request["kind"] == "read");
    chat.pick(in_turn.unwrap(), "no").await.is(200);
    chat.end(&accepted).await;
}

/// The key in the environment of a process.
fn token(processes: &[i32]) -> String {
    let found = processes.iter().find_map(|process| {
        let environment = std::fs::read(format!("/proc/{process}/environ")).ok()?;
        let text = String::from_utf8(environment).ok()?;
        let pair = text
            .split('\0')
            .find_map(|pair| pair.strip_prefix("FOUNTAIN_TOKEN="));
        pair.map(str::to_owned)
    });
    found.expect("the agent has a key")
}

#[tokio::test]
async fn a_new_process_has_a_new_key_and_the_old_one_is_dead() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nchunk x\nrespond end_turn\non session/prompt\nexit 0",
            json!(null),
        )
        .await;
    chat.say("x").await;
    let me = async |key: &str| daemon.call("GET", "/api/auth/me").key(key).send().await;
    let old = token(&chat.processes().await);
    assert_eq!(me(&old).await.is(200)["scope"], "sandbox");
    chat.say("x").await;
    // The end of the turn is told after the key is gone.
    me(&old).await.refuses(401, "api_key_invalid");
    chat.say("x").await;
    let new = token(&chat.processes().await);
    assert_ne!(old, new);
    me(&new).await.is(200);
    me(&old).await.refuses(401, "api_key_invalid");
}

#[tokio::test]
async fn a_key_goes_with_its_process_whatever_ended_it() {
    let daemon = Daemon::with(|settings| {
        settings.sandbox.idle_timeout = Some(std::time::Duration::from_secs(2));
        settings.limits.ask_ceiling = std::time::Duration::from_secs(1);
    })
    .await;
    let talks = "on session/prompt\nchunk x\nrespond end_turn";
    let chat = daemon.scripted(talks, json!(null)).await;
    chat.say("x").await;
    let key = token(&chat.processes().await);
    chat.until_asleep().await;
    daemon
        .call("GET", "/api/auth/me")
        .key(&key)
        .send()
        .await
        .refuses(401, "api_key_invalid");
    // Killed, the daemon takes nothing back: the next one does, before it listens.
    let chat = daemon.scripted(talks, json!(null)).await;
    chat.say("x").await;
    let key = token(&chat.processes().await);
    let id = chat.id.clone();
    let again = Daemon::on(daemon.kill(), |_| {}).await;
    again
        .call("GET", "/api/auth/me")
        .key(&key)
        .send()
        .await
        .refuses(401, "api_key_invalid");
    assert_eq!(
        again
            .count("SELECT count(*) FROM keys WHERE scope = 'sandbox'")
            .await,
        0
    );
    let shown = again.get(&format!("/api/conversations/{id}")).await.is(200);
    assert_eq!(shown["data"]["sandbox"]["status"], "suspended");
}

#[tokio::test]
async fn what_an_agent_starts_is_beneath_it_and_under_its_policy_too() {
    let daemon = Daemon::new().await;
    let strict = daemon
        .scripted(
            "on session/prompt\nchunk x\nrespond end_turn",
            json!({"execute": "auto_deny"}),
        )
        .await;
    let loose = daemon.built_in(json!(null)).await;
    let agent = loose.show().await["agent_id"].clone();
    strict.say("x").await;
    let key = token(&strict.processes().await);
    let call = |method: &str, path: &str| daemon.call(method, path).key(&key);
    let made = call("POST", "/api/conversations")
        .json(&json!({"agent_id": agent, "prompt": "run touch marker"}))
        .send()
        .await
        .is(201);
    let id = made["data"]["id"].as_str().unwrap().to_owned();
    assert_eq!(
        (
            &made["data"]["source"],
            &made["data"]["parent_conversation_id"]
        ),
        (&json!("agent"), &json!(strict.id))
    );
    let child = super::kit::chat::Chat::of(&daemon, &id);
    until("its turn is over", async || {
        child.turns().await[0]["status"] == "completed"
    })
    .await;
    assert_eq!(child.stages("policy/done").await[0]["key"], "execute");
    // It may read what it started, and nothing else of anybody's; what it started it may not drive.
    for path in ["", "/turns", "/events"] {
        assert_eq!(call("GET", &child.path(path)).send().await.status, 200);
    }
    call("GET", &loose.path(""))
        .send()
        .await
        .refuses(404, "not_found");
    for path in ["/prompts", "/interrupt", "/terminate"] {
        call("POST", &child.path(path))
            .json(&json!({"prompt": "x"}))
            .send()
            .await
            .refuses(403, "insufficient_scope");
    }
    // The child's own child is under both.
    let grandchild_key = token(&child.processes().await);
    let grandchild = daemon
        .call("POST", "/api/conversations")
        .key(&grandchild_key)
        .json(&json!({"agent_id": agent, "prompt": "run touch marker"}))
        .send()
        .await
        .is(201);
    let grandchild =
        super::kit::chat::Chat::of(&daemon, grandchild["data"]["id"].as_str().unwrap());
    until("its turn is over", async || {
        grandchild.turns().await[0]["status"] == "completed"
    })
    .await;
    assert_eq!(grandchild.stages("policy/done").await.len(), 1);
    assert_eq!(call("GET", &grandchild.path("")).send().await.status, 200);
    // A channel may be anybody's: none is for a sandbox.
    let channel = json!({"agent_id": agent, "channel_id": "ops"});
    daemon
        .post("/api/conversations", channel.clone())
        .await
        .is(201);
    for body in [
        channel,
        json!({"agent_id": agent, "channel_id": "ops", "fresh": true}),
    ] {
        call("POST", "/api/conversations")
            .json(&body)
            .send()
            .await
            .refuses(403, "insufficient_scope");
    }
    // Nobody starts beneath what is not theirs.
    let beneath = |key: &str, parent: &str| {
        daemon
            .call("POST", "/api/conversations")
            .key(key)
            .header("x-fountain-parent-conversation-id", parent)
            .json(&json!({"agent_id": agent}))
            .send()
    };
    for parent in [
        loose.id.as_str(),
        "nonsense",
        &uuid::Uuid::new_v4().to_string(),
    ] {
        beneath(&key, parent)
            .await
            .refuses(404, "parent_conversation_not_found");
    }
    for parent in ["nonsense", &uuid::Uuid::new_v4().to_string()] {
        beneath(&daemon.key, parent)
            .await
            .refuses(404, "parent_conversation_not_found");
    }
    let own = beneath(&daemon.key, &strict.id).await.is(201);
    assert_eq!(own["data"]["parent_conversation_id"], json!(strict.id));
}
