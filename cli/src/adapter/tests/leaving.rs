//! What is promised of `leaving`, as tests.

use std::time::{Duration, Instant};

use serde_json::json;

use super::daemon::{CONVERSATION, path};
use super::editor::{Direct, demo};
use super::*;

#[tokio::test]
async fn what_was_accepted_is_answered_and_then_it_is_over() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::bare(
        demo(),
        Direct {
            base: daemon.fake.base.clone(),
            key: true,
        },
    );
    let first = editor
        .send("initialize", json!({"protocolVersion": 1}))
        .await;
    let second = editor
        .send("session/new", json!({"cwd": "/", "mcpServers": []}))
        .await;
    let lines = editor.close().await;
    let ids: Vec<_> = lines.iter().map(|line| line["id"].clone()).collect();
    assert_eq!(ids, [first, second]);
    assert_eq!(lines[1]["result"]["sessionId"], CONVERSATION);
}

#[tokio::test]
async fn a_prompt_is_sent_and_not_waited_for() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    editor.prompt("x").await;
    let since = Instant::now();
    assert!(editor.close().await.is_empty());
    assert!(
        since.elapsed() < Duration::from_millis(900),
        "it waited for the turn"
    );
    daemon.prompted(1).await;
    assert_eq!(daemon.fake.count(&path("POST", "/interrupt")), 0);
}

#[tokio::test]
async fn an_instance_that_hangs_is_not_waited_for() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let _never = daemon.gate("GET /api/conversations");
    editor.send("session/list", json!({})).await;
    daemon.fake.called("GET /api/agents").await;
    let since = Instant::now();
    assert!(editor.close().await.is_empty());
    assert!(since.elapsed() < Duration::from_millis(1500));
}

#[tokio::test]
async fn going_away_denies_what_the_own_turn_asked_and_nothing_else() {
    let daemon = Daemon::start().await;
    let mut one = Editor::with_session(&daemon).await;
    one.prompt("x").await;
    let (turn, _) = daemon.prompted(1).await;
    daemon.asks(&turn, "7.a");
    one.question().await;
    // Another editor that only watches says nothing by leaving.
    let mut two = Editor::start(&daemon, demo()).await;
    two.ok(
        "session/load",
        json!({"sessionId": CONVERSATION, "cwd": "/", "mcpServers": []}),
    )
    .await;
    two.question().await;
    two.close().await;
    assert_eq!(daemon.fake.count(&path("POST", "/requests/7.a")), 0);
    one.close().await;
    assert_eq!(daemon.answered("7.a").await, json!({"deny": true}));
}

#[tokio::test]
async fn going_away_leaves_a_request_open_that_outlived_its_turn() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let id = editor.prompt("x").await;
    let (turn, _) = daemon.prompted(1).await;
    daemon.asks(&turn, "7.a");
    editor.question().await;
    daemon.stage(
        "turn/done",
        &turn,
        json!({"stop_reason": "waiting", "waiting": true, "waiting_request_id": "7.a"}),
    );
    editor.response(&id).await;
    editor.close().await;
    assert_eq!(daemon.fake.count(&path("POST", "/requests/7.a")), 0);
}

#[tokio::test]
async fn an_editor_that_only_closes_its_input_pipe_ends_it_too() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    editor.deafen();
    editor.send("session/list", json!({})).await;
    let deadline = Instant::now() + Duration::from_secs(5);
    while !editor.is_over() {
        assert!(Instant::now() < deadline, "it goes on");
        tokio::task::yield_now().await;
    }
}
