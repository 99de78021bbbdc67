//! What is promised of `stream`, as tests.

use serde_json::json;

use super::daemon::{CONVERSATION, path};
use super::editor::{Direct, demo};
use super::*;

const TEXTS: [&str; 4] = ["one", "two", "three", "four"];

#[tokio::test]
async fn a_replay_cut_at_every_byte_gives_each_update_once() {
    let daemon = Daemon::start().await;
    let turn = daemon.turn("Q", json!({}));
    TEXTS.iter().for_each(|text| daemon.says(&turn, text));
    let mut editor = Editor::start(&daemon, demo()).await;
    // Past the end of the second frame.
    for cut in 1..700 {
        daemon.cut_next_stream_after(cut);
        let id = editor
            .send(
                "session/load",
                json!({"sessionId": CONVERSATION, "cwd": "/", "mcpServers": []}),
            )
            .await;
        assert_eq!(
            editor.turn(&id).await.0,
            ["user: Q", "one", "two", "three", "four"],
            "cut at {cut}"
        );
    }
}

#[tokio::test]
async fn a_live_stream_cut_anywhere_gives_each_update_once_before_the_response() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    for n in 1..=60 {
        for cut in 0..3 {
            daemon.cut_next_stream_after(250 + n * 17 + cut * 90);
        }
        let id = editor.prompt("x").await;
        let (turn, _) = daemon.prompted(n).await;
        TEXTS.iter().for_each(|text| daemon.says(&turn, text));
        daemon.ends(&turn, "end_turn");
        let (texts, response) = editor.turn(&id).await;
        assert_eq!(
            (texts.as_slice(), &response["result"]["stopReason"]),
            (&TEXTS.map(str::to_owned)[..], &json!("end_turn"))
        );
        // Another connection for the next round.
        editor
            .ok("session/close", json!({"sessionId": CONVERSATION}))
            .await;
        editor
            .ok("session/new", json!({"cwd": "/", "mcpServers": []}))
            .await;
    }
}

#[tokio::test]
async fn a_key_that_was_revoked_ends_the_prompt_and_not_the_turn() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let stream = path("GET", "/stream");
    daemon.instead(
        &stream,
        401,
        json!({"error": "no", "reason": "api_key_revoked"}),
    );
    let id = editor.prompt("x").await;
    let (code, message) = editor.error(&id).await;
    assert_eq!(code, -32000);
    assert!(
        message.contains("api_key_revoked") && message.contains(CONVERSATION),
        "{message}"
    );
    assert_eq!(daemon.fake.count(&stream), 1);

    daemon.instead(&stream, 404, json!({"error": "not_found"}));
    let id = editor.prompt("x").await;
    let (code, message) = editor.error(&id).await;
    assert_eq!(code, -32603);
    assert!(message.contains("may still be running"), "{message}");

    // The stream is found again by the next prompt, and nothing in between is lost.
    daemon.usual(&stream);
    daemon.says(&super::daemon::turn_id(2), "unseen");
    let id = editor.prompt("x").await;
    let (turn, _) = daemon.prompted(3).await;
    daemon.ends(&turn, "end_turn");
    let (texts, _) = editor.turn(&id).await;
    assert_eq!(texts, ["user: x", "unseen"]);
}

#[tokio::test]
async fn an_editor_that_stops_reading_is_waited_for_and_its_cancel_is_heard() {
    let daemon = Daemon::start().await;
    let direct = Direct {
        base: daemon.fake.base.clone(),
        key: true,
    };
    let mut editor = Editor::with_room(demo(), direct, 4 * 1024);
    editor.ok("initialize", json!({})).await;
    editor
        .ok("session/new", json!({"cwd": "/", "mcpServers": []}))
        .await;
    let id = editor.prompt("x").await;
    let (turn, _) = daemon.prompted(1).await;
    let text = "y".repeat(64 * 1024);
    for _ in 0..320 {
        daemon.says(&turn, &text);
    }
    editor
        .notify("session/cancel", json!({"sessionId": CONVERSATION}))
        .await;
    daemon.fake.called(&path("POST", "/interrupt")).await;
    daemon.stage("turn/interrupted", &turn, json!({"reason": "interrupted"}));
    let (texts, response) = editor.turn(&id).await;
    assert_eq!(
        (texts.len(), &response["result"]["stopReason"]),
        (320, &json!("cancelled"))
    );
}
