//! `sandbox.max_running`: more conversations than runtimes that may run at once.

use serde_json::json;

use super::kit::{Daemon, until};

async fn two_places() -> Daemon {
    Daemon::with(|settings| settings.sandbox.max_running = Some(2)).await
}

#[tokio::test]
async fn the_longest_idle_gives_its_place_and_remembers() {
    let daemon = two_places().await;
    let mut chats = Vec::new();
    for number in 0..3 {
        let chat = daemon.built_in(json!(null)).await;
        assert_eq!(
            chat.say(&format!("remember {number}")).await["state"],
            "done"
        );
        chats.push(chat);
    }
    until("the first was put to sleep", async || {
        chats[0].processes().await.is_empty()
    })
    .await;
    assert!(!chats[1].processes().await.is_empty());
    let told = chats[0].stages("sandbox/done").await;
    assert_eq!(told[0]["reason"], "capacity");
    // It comes back, and another one goes.
    assert_eq!(chats[0].say("recall").await["state"], "done");
    until("the second was put to sleep", async || {
        chats[1].processes().await.is_empty()
    })
    .await;
}

#[tokio::test]
async fn who_finds_no_place_waits_and_can_be_stopped() {
    let daemon = two_places().await;
    let scenario = "on session/prompt\nask 1 execute x\nrespond end_turn";
    let ask = || json!({"default": "ask"});
    let (one, two) = (
        daemon.scripted(scenario, ask()).await,
        daemon.scripted(scenario, ask()).await,
    );
    let (first, second) = (one.prompt("x").await, two.prompt("x").await);
    let (held, also) = (one.request().await, two.request().await);
    let waits = daemon.built_in(json!(null)).await;
    let stopped = daemon.built_in(json!(null)).await;
    let (later, never) = (waits.prompt("say hi").await, stopped.prompt("say hi").await);
    assert_eq!(waits.status().await, "pending");
    assert_eq!(stopped.interrupt().await.status, 204);
    assert_eq!(stopped.end(&never).await["state"], "interrupted");
    assert!(waits.processes().await.is_empty());
    one.pick(&held, "yes").await.is(200);
    one.end(&first).await;
    // Whoever has just finished gives up its place at once, as somebody waits.
    assert_eq!(waits.end(&later).await["state"], "done");
    assert!(one.processes().await.is_empty());
    two.pick(&also, "yes").await.is(200);
    two.end(&second).await;
    assert_eq!(stopped.say("say hi").await["state"], "done");
}

#[tokio::test]
async fn many_deadlines_at_once_are_all_told_two_at_a_time() {
    let daemon = two_places().await;
    let mut chats = Vec::new();
    for _ in 0..6 {
        let chat = daemon
            .built_in(json!({"default": "ask", "ask_timeout": 3_600}))
            .await;
        chat.say("wait execute x").await;
        chats.push(chat);
    }
    daemon.clock.advance(std::time::Duration::from_secs(3_601));
    for chat in &chats {
        until("its turn has told the agent", async || {
            chat.turns().await.len() == 2 && chat.status().await == "idle"
        })
        .await;
        assert_eq!(chat.turns().await[1]["status"], "completed");
    }
}
