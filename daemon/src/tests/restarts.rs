//! A daemon that was killed, and the one that starts on what it stored.

use serde_json::json;

use super::kit::chat::Chat;
use super::kit::{Daemon, processes};

fn ask() -> serde_json::Value {
    json!({"default": "ask"})
}

#[tokio::test]
async fn a_turn_that_ran_is_interrupted_and_its_request_settled_once() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(ask()).await;
    chat.prompt("remember blue\nrun sleep 1000").await;
    let request = chat.request().await;
    let (id, before) = (chat.id.clone(), chat.events().await);
    let home = daemon.kill();
    let daemon = Daemon::on(home, |_| {}).await;
    let chat = Chat::of(&daemon, &id);
    let after = chat.events().await;
    assert_eq!(after[..before.len()], before[..], "nothing stored is lost");
    let tags = chat.tags().await;
    assert_eq!(
        tags[before.len()..],
        ["reattach/interrupted", "request/done", "turn/interrupted"]
    );
    let turn = &chat.turns().await[0];
    assert_eq!(
        (&turn["status"], &turn["reason"]),
        (&json!("interrupted"), &json!("daemon_restarted"))
    );
    let reattach = &chat.stages("reattach/interrupted").await[0];
    assert_eq!(
        (&reattach["turn_id"], &reattach["turn_number"]),
        (&turn["id"], &json!(1))
    );
    assert_eq!(chat.settled(&request).await["outcome"], "turn_ended");
    assert_eq!(chat.status().await, "idle");
    let late = chat
        .pick(&request, "allow_once")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(late["outcome"], "turn_ended");
    let accepted = chat.prompt("recall").await;
    chat.end(&accepted).await;
    assert!(
        chat.text(&accepted).await.contains("blue"),
        "memory is kept"
    );
}

#[tokio::test]
async fn no_process_of_a_killed_daemon_is_left() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!({"default": "auto_allow"})).await;
    chat.prompt("fork sleep 1000\nslow 1000").await;
    super::kit::until("the agent works", async || {
        !chat.processes().await.is_empty()
    })
    .await;
    let home = daemon.kill();
    let left = || async { processes(home.path()) };
    super::kit::until("nothing of it runs", async || left().await.is_empty()).await;
}

#[tokio::test]
async fn a_request_that_outlived_its_turn_outlives_the_daemon() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(ask()).await;
    let accepted = chat.prompt("wait 3600 the deploy").await;
    chat.end(&accepted).await;
    let request = chat.request().await;
    let id = chat.id.clone();
    let home = daemon.stop().await;
    let daemon = Daemon::on(home, |_| {}).await;
    let chat = Chat::of(&daemon, &id);
    assert_eq!(chat.request().await["deadline"], request["deadline"]);
    assert_eq!(chat.pick(&request, "allow_once").await.status, 200);
    super::kit::until("the resume turn is over", async || {
        chat.turns().await.len() == 2 && chat.status().await == "idle"
    })
    .await;
    let turns = chat.turns().await;
    assert!(
        turns[1]["prompt"]
            .as_str()
            .unwrap()
            .starts_with(r#"{"fountain/permission_answer":{"#)
    );
    assert_eq!(turns[1]["origin"], "user");
}
