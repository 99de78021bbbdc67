//! Prompts, answered.

use serde_json::json;

use super::kit::Daemon;

#[tokio::test]
async fn a_prompt_is_answered_and_the_connection_is_kept() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    let accepted = chat.prompt("say Hello").await;
    let end = chat.end(&accepted).await;
    assert_eq!(
        (&end["state"], &end["stop_reason"]),
        (&json!("done"), &json!("end_turn"))
    );
    assert_eq!(chat.text(&accepted).await, "Hello");
    assert_eq!(
        chat.tags().await,
        [
            "provision/started",
            "provision/done",
            "turn/started",
            "acp",
            "turn/done"
        ]
    );
    let second = chat.prompt("say again").await;
    chat.end(&second).await;
    assert_eq!(second["turn_number"], 2);
    let started = chat.stages("turn/started").await;
    assert_eq!(
        (&started[0]["connection"], &started[1]["connection"]),
        (&json!("new"), &json!("reused"))
    );
}

#[tokio::test]
async fn a_scripted_agent_talks_too() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted("", json!(null)).await;
    let accepted = chat.prompt("x").await;
    chat.end(&accepted).await;
    assert_eq!(chat.text(&accepted).await, "ok");
    assert_eq!(chat.heard_times("start"), 1);
}
