//! Prompts over HTTP: what is taken, how it is labelled, what it may carry.

use base64::Engine as _;
use serde_json::{Value, json};

use super::kit::Daemon;
use super::kit::chat::Chat;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";

fn image(media_type: &str, data: &[u8]) -> Value {
    let data = base64::engine::general_purpose::STANDARD.encode(data);
    json!({"media_type": media_type, "data": data})
}

async fn send(chat: &Chat<'_>, body: Value) -> super::kit::http::Reply {
    chat.daemon.post(&chat.path("/prompts"), body).await
}

#[tokio::test]
async fn a_blank_prompt_opens_no_turn() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    for body in [
        json!({}),
        json!({"prompt": ""}),
        json!({"prompt": " \n\t\u{3000}"}),
        json!({"prompt": "", "images": []}),
    ] {
        send(&chat, body).await.refuses(422, "invalid_prompt");
    }
    assert_eq!(chat.turns().await, [] as [Value; 0]);
    let agent = chat.show().await["agent_id"].clone();
    let blank = json!({"agent_id": agent, "prompt": " "});
    daemon
        .post("/api/conversations", blank)
        .await
        .refuses(422, "invalid_prompt");
    assert_eq!(
        daemon.get("/api/conversations").await.is(200)["data"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn a_label_is_checked_kept_and_never_used_again() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted("", json!(null)).await;
    for label in [
        json!(""),
        json!("é".repeat(201)),
        json!("a\u{0}"),
        json!(5),
        json!({}),
    ] {
        let body = json!({"prompt": "x", "client_request_id": label});
        send(&chat, body).await.refuses(422, "validation_failed");
    }
    assert_eq!(chat.turns().await, [] as [Value; 0]);
    let longest = json!("é".repeat(200));
    for label in [&longest, &json!(null), &longest] {
        let accepted = send(&chat, json!({"prompt": "x", "client_request_id": label}))
            .await
            .is(200);
        assert_eq!(accepted["client_request_id"], *label);
        chat.end(&accepted).await;
    }
    chat.say("x").await;
    let kept: Vec<Value> = chat
        .turns()
        .await
        .iter()
        .map(|turn| turn["client_request_id"].clone())
        .collect();
    assert_eq!(
        kept,
        [longest.clone(), json!(null), longest.clone(), json!(null)]
    );
    let told: Vec<Value> = chat
        .stages("turn/started")
        .await
        .iter()
        .map(|meta| meta["client_request_id"].clone())
        .collect();
    assert_eq!(told, kept);
}

#[tokio::test]
async fn a_prompt_is_delivered_and_stored_as_it_was_typed() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted("", json!(null)).await;
    let typed = " a\u{0}b\u{1b}[2J\r\n漢字 🎉 \u{2028}\u{85} \"\\ \n";
    chat.say(typed).await;
    assert_eq!(chat.turns().await[0]["prompt"], typed);
    let lines = chat.heard();
    let line = lines
        .iter()
        .find(|line| line.contains("session/prompt"))
        .unwrap();
    let message: Value = serde_json::from_str(line).unwrap();
    assert_eq!(
        message["params"]["prompt"],
        json!([{"type": "text", "text": typed}])
    );
}

#[tokio::test]
async fn an_image_must_be_what_it_says_and_comes_back_as_it_was() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    let big = [PNG, &vec![0; 10 * 1024 * 1024][..]].concat();
    for bad in [
        image("image/png", b"GIF89a"),
        image("image/svg+xml", b"<svg/>"),
        image("text/plain", PNG),
        image("image/png", b""),
        image("image/png", &big),
        json!({"media_type": "image/png", "data": "***"}),
    ] {
        let reply = send(
            &chat,
            json!({"prompt": "x", "images": [image("image/gif", b"GIF89a"), bad]}),
        )
        .await;
        let body = reply.refuses(422, "invalid_images");
        assert!(
            body["message"].as_str().unwrap().contains("Image 2"),
            "{body}"
        );
    }
    let lonely =
        json!({"agent_id": chat.show().await["agent_id"], "images": [image("image/png", PNG)]});
    daemon
        .post("/api/conversations", lonely)
        .await
        .refuses(422, "invalid_images");
    assert_eq!(chat.turns().await, [] as [Value; 0]);
    let body = json!({"prompt": "echo image", "images": [image("image/png", PNG), image("image/gif", b"GIF89a")]});
    let accepted = send(&chat, body).await.is(200);
    chat.end(&accepted).await;
    let said = chat.text(&accepted).await;
    assert!(
        said.contains("image/png") && said.contains("image/gif"),
        "{said}"
    );
    assert_eq!(chat.turns().await[0]["image_count"], 2);
    let turn = accepted["turn_id"].as_str().unwrap();
    let reply = daemon
        .get(&chat.path(&format!("/turns/{turn}/images/0")))
        .await;
    assert_eq!(
        (reply.status, reply.header("content-type"), &reply.body[..]),
        (200, Some("image/png"), PNG)
    );
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    for position in ["2", "-1", "x", "99999999999999999999"] {
        daemon
            .get(&chat.path(&format!("/turns/{turn}/images/{position}")))
            .await
            .refuses(404, "not_found");
    }
}

#[tokio::test]
async fn an_image_alone_is_a_prompt_and_an_agent_without_eyes_says_so() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted("", json!(null)).await;
    let accepted = send(&chat, json!({"images": [image("image/png", PNG)]}))
        .await
        .is(200);
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert_eq!(chat.heard_times("\"mimeType\":\"image/png\""), 1);
    let blind = daemon
        .scripted(
            "on initialize\nrespond {\"protocolVersion\":1}",
            json!(null),
        )
        .await;
    let accepted = send(
        &blind,
        json!({"prompt": "x", "images": [image("image/png", PNG)]}),
    )
    .await
    .is(200);
    let end = blind.end(&accepted).await;
    assert_eq!(end["state"], "failed");
    assert!(
        end["reason"].as_str().unwrap().contains("takes no images"),
        "{end}"
    );
    assert_eq!(blind.heard_times("session/prompt"), 0);
    assert_eq!(blind.say("x").await["state"], "done", "the next one works");
}

#[tokio::test]
async fn a_conversation_that_cannot_take_a_prompt_says_why() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    chat.interrupt().await.refuses(409, "no_turn_running");
    chat.say("say hi").await;
    chat.interrupt().await.refuses(409, "no_turn_running");
    let terminate = || daemon.call("POST", &chat.path("/terminate")).send();
    assert_eq!(terminate().await.status, 204);
    chat.try_prompt("say more")
        .await
        .refuses(410, "conversation_terminated");
    chat.interrupt().await.refuses(409, "no_turn_running");
    assert_eq!(
        terminate().await.status,
        204,
        "it is what it was asked to be"
    );
    assert_eq!(chat.status().await, "terminated");
    assert_eq!(
        chat.tags()
            .await
            .iter()
            .filter(|tag| *tag == "terminate/done")
            .count(),
        1
    );
    assert!(chat.processes().await.is_empty());
}

#[tokio::test]
async fn a_suspended_account_takes_no_turn() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    let mut settings = (*daemon.app.settings()).clone();
    settings.account.suspended = true;
    daemon.app.configure(settings.clone());
    chat.try_prompt("say hi")
        .await
        .refuses(403, "account_suspended");
    settings.account.suspended = false;
    daemon.app.configure(settings);
    assert_eq!(chat.say("say hi").await["state"], "done");
}

#[tokio::test]
async fn a_launch_field_that_is_not_served_is_refused_by_name() {
    let daemon = Daemon::new().await;
    let agent = daemon.agent("true", json!(null)).await;
    for field in [
        "vault_id",
        "environment_id",
        "sandbox_id",
        "workspace",
        "sprite_name",
    ] {
        let body = json!({"agent_id": agent, "prompt": "x", field: "y"});
        let refused = daemon
            .post("/api/conversations", body)
            .await
            .refuses(422, "validation_failed");
        assert!(refused["errors"][field].is_array(), "{refused}");
    }
    let mode = |mode: &str| json!({"agent_id": agent, "sandbox_mode": mode});
    for word in ["persistent", "x", ""] {
        daemon
            .post("/api/conversations", mode(word))
            .await
            .refuses(422, "invalid_sandbox_mode");
    }
    for label in ["", "a\0b", &"x".repeat(201)] {
        let body = json!({"agent_id": agent, "client_request_id": label});
        let refused = daemon
            .post("/api/conversations", body)
            .await
            .refuses(422, "validation_failed");
        assert!(refused["errors"]["client_request_id"].is_array());
    }
    for title in ["", " ", &"x".repeat(121)] {
        let body = json!({"agent_id": agent, "title": title});
        daemon
            .post("/api/conversations", body)
            .await
            .refuses(422, "validation_failed");
    }
    assert_eq!(
        daemon.get("/api/conversations").await.is(200)["data"],
        json!([])
    );
    let ignored = json!({"agent_id": agent, "vault_id": null, "x_future": 1, "fresh": true});
    daemon.post("/api/conversations", ignored).await.is(201);
}

#[tokio::test]
async fn a_launch_with_a_prompt_tells_its_turn() {
    let daemon = Daemon::new().await;
    let command = super::kit::entries::command("built_in", &[]);
    let agent = daemon.agent(&command, json!(null)).await;
    let body = json!({"agent_id": agent, "prompt": "say hi", "title": " A  title\n", "client_request_id": "label"});
    let made = daemon.post("/api/conversations", body).await.is(201);
    assert_eq!(
        (&made["meta"]["resumed"], &made["meta"]["turn_number"]),
        (&json!(false), &json!(1))
    );
    assert_eq!(made["data"]["title"], "A title");
    let chat = Chat::of(&daemon, made["data"]["id"].as_str().unwrap());
    assert_eq!(chat.end(&made["meta"]).await["state"], "done");
    let shown = chat.show().await;
    assert_eq!(
        (
            &shown["first_prompt"],
            &shown["turn_count"],
            &shown["status"]
        ),
        (&json!("say hi"), &json!(1), &json!("idle"))
    );
    assert_eq!(chat.turns().await[0]["client_request_id"], "label");
}

#[tokio::test]
async fn conversations_are_listed_the_newest_change_first() {
    let daemon = Daemon::new().await;
    let first = daemon.built_in(json!(null)).await;
    let second = daemon.built_in(json!(null)).await;
    first.say("say hi").await;
    let ids = async |query: &str| {
        let found = daemon
            .get(&format!("/api/conversations{query}"))
            .await
            .is(200);
        let rows = found["data"].as_array().unwrap().clone();
        rows.iter()
            .map(|row| row["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids("").await, [first.id.clone(), second.id.clone()]);
    assert_eq!(ids("?limit=1").await, std::slice::from_ref(&first.id));
    assert_eq!(ids("?status=idle,%20terminated").await.len(), 2);
    assert_eq!(ids("?status=running").await, [] as [String; 0]);
    let agent = second.show().await["agent_id"].as_str().unwrap().to_owned();
    assert_eq!(
        ids(&format!("?agent_id={agent}")).await,
        std::slice::from_ref(&second.id)
    );
    assert_eq!(ids("?agent_id=x'%20OR%201=1--").await, [] as [String; 0]);
    daemon
        .get("/api/conversations?status=busy")
        .await
        .refuses(400, "invalid_status");
    for limit in ["0", "501", "-1", "x", "1.5", ""] {
        daemon
            .get(&format!("/api/conversations?limit={limit}"))
            .await
            .refuses(400, "invalid_limit");
    }
}
