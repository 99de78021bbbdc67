//! What is promised of `load`, as tests.

use serde_json::{Value, json};

use super::daemon::{CONVERSATION, path};
use super::editor::{demo, shown};
use super::*;

fn load() -> Value {
    json!({"sessionId": CONVERSATION, "cwd": "/elsewhere", "mcpServers": []})
}

#[tokio::test]
async fn the_replay_is_whole_in_order_and_before_the_answer() {
    let daemon = Daemon::start().await;
    let one = daemon.turn("Q1", json!({"image_count": 2}));
    daemon.stage("turn/started", &one, json!({}));
    daemon.update(
        &one,
        json!({"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "Q1"}}),
    );
    for n in 0..500 {
        daemon.says(&one, &n.to_string());
    }
    daemon.ends(&one, "end_turn");
    let two = daemon.turn("Q2", json!({}));
    daemon.stage("turn/started", &two, json!({}));
    daemon.update(
        &two,
        json!({"sessionUpdate": "tool_call", "locations": [{"path": "/w"}]}),
    );
    daemon.stage("turn/failed", &two, json!({"reason": "x"}));
    let mut editor = Editor::start(&daemon, demo()).await;
    let id = editor.send("session/load", load()).await;
    let (texts, response) = editor.turn(&id).await;
    let mut expect = vec![
        "user: Q1".to_owned(),
        "user: image/png Zm9v".into(),
        "user: image/png Zm9v".into(),
    ];
    expect.extend((0..500).map(|n| n.to_string()));
    expect.extend(["user: Q2".to_owned(), "tool_call".into()]);
    assert_eq!(texts, expect);
    assert_eq!(
        response["result"]["models"]["currentModelId"],
        "anthropic/x"
    );
    // It can be prompted, and gives text.
    let id = editor.prompt("Q3").await;
    let (turn, _) = daemon.prompted(1).await;
    daemon.says(&turn, "A3");
    daemon.ends(&turn, "end_turn");
    assert_eq!(editor.turn(&id).await.0, ["A3"]);
}

#[tokio::test]
async fn after_the_answer_the_running_turn_goes_on_live() {
    let daemon = Daemon::start().await;
    let turn = daemon.turn("Q1", json!({}));
    daemon.stage("turn/started", &turn, json!({}));
    daemon.says(&turn, "before");
    let mut editor = Editor::start(&daemon, demo()).await;
    let id = editor.send("session/load", load()).await;
    assert_eq!(editor.turn(&id).await.0, ["user: Q1", "before"]);
    daemon.says(&turn, "after");
    assert_eq!(shown(&editor.next().await), "after");
    daemon.instead(
        &path("POST", "/prompts"),
        400,
        json!({"error": "conversation_busy"}),
    );
    let ask = json!({"sessionId": CONVERSATION, "prompt": [{"type": "text", "text": "x"}]});
    assert!(
        editor
            .refused("session/prompt", ask)
            .await
            .1
            .contains("busy")
    );
}

#[tokio::test]
async fn a_running_prompt_survives_a_load_of_its_own_session() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let prompt = editor.prompt("Q1").await;
    let (turn, _) = daemon.prompted(1).await;
    daemon.says(&turn, "one");
    assert_eq!(shown(&editor.next().await), "one");
    let id = editor.send("session/load", load()).await;
    assert_eq!(editor.turn(&id).await.0, ["user: Q1", "one"]);
    daemon.says(&turn, "two");
    daemon.ends(&turn, "end_turn");
    assert_eq!(editor.turn(&prompt).await.0, ["two"]);
}

#[tokio::test]
async fn resume_shows_nothing_of_the_past_and_asks_what_is_open() {
    let daemon = Daemon::start().await;
    let turn = daemon.turn("Q1", json!({}));
    daemon.stage("turn/started", &turn, json!({}));
    daemon.says(&turn, "before");
    daemon.asks(&turn, "7.a");
    daemon.settled(&turn, "7.a");
    daemon.asks(&turn, "7.b");
    daemon.conversation("status", json!("running"));
    let mut editor = Editor::start(&daemon, demo()).await;
    let id = editor
        .send(
            "session/resume",
            json!({"sessionId": CONVERSATION, "cwd": "/"}),
        )
        .await;
    let answer = editor.next().await;
    assert_eq!(
        (&answer["id"], &answer["result"]["models"]["currentModelId"]),
        (&id, &json!("anthropic/x"))
    );
    let question = editor.next().await;
    assert_eq!(question["method"], "session/request_permission");
    editor.pick(&question["id"], "yes").await;
    assert_eq!(daemon.answered("7.b").await, json!({"option_id": "yes"}));
    daemon.says(&turn, "after");
    assert_eq!(shown(&editor.next().await), "after");
}

#[tokio::test]
async fn an_idle_conversation_is_resumed_without_reading_its_updates() {
    let daemon = Daemon::start().await;
    let turn = daemon.turn("Q1", json!({}));
    daemon.says(&turn, "before");
    daemon.ends(&turn, "end_turn");
    let mut editor = Editor::start(&daemon, demo()).await;
    editor
        .ok(
            "session/resume",
            json!({"sessionId": CONVERSATION, "cwd": "/"}),
        )
        .await;
    daemon.fake.called_times(&path("GET", "/stream"), 2).await;
    let queries: Vec<String> = daemon
        .fake
        .calls()
        .into_iter()
        .filter(|call| call.path.ends_with("/stream"))
        .map(|call| call.query)
        .collect();
    assert_eq!(queries, ["streams=stage&wait=false", "streams=acp%2Cstage"]);
    let turn = daemon.turn("Q2", json!({}));
    daemon.says(&turn, "new");
    assert_eq!(shown(&editor.next().await), "user: Q2");
    assert_eq!(shown(&editor.next().await), "new");
}

#[tokio::test]
async fn a_channel_that_was_bound_is_followed_from_its_end() {
    let daemon = Daemon::start().await;
    daemon.resumes_channels();
    let turn = daemon.turn("Q1", json!({}));
    daemon.says(&turn, "before");
    daemon.ends(&turn, "end_turn");
    let mut editor = Editor::start(&daemon, demo()).await;
    editor
        .ok(
            "session/new",
            json!({"cwd": "/", "mcpServers": [], "_meta": {"channelId": "c"}}),
        )
        .await;
    let id = editor.prompt("Q2").await;
    let (turn, _) = daemon.prompted(1).await;
    daemon.says(&turn, "A2");
    daemon.ends(&turn, "end_turn");
    assert_eq!(editor.turn(&id).await.0, ["A2"]);
}

#[tokio::test]
async fn what_cannot_be_loaded_says_why() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::start(&daemon, demo()).await;
    assert_eq!(
        editor.refused("session/load", json!({"cwd": "/"})).await.0,
        -32602
    );
    let (code, message) = editor
        .refused(
            "session/load",
            json!({"sessionId": "nope", "cwd": "/", "mcpServers": []}),
        )
        .await;
    assert_eq!(code, -32602);
    assert!(message.starts_with("unknown session \"nope\""), "{message}");
    daemon.conversation("acp", json!(false));
    assert_eq!(editor.refused("session/load", load()).await.0, -32602);
    daemon.conversation("acp", json!(true));
    daemon.instead(&path("GET", "/stream"), 404, json!({"error": "not_found"}));
    let (code, message) = editor.refused("session/load", load()).await;
    assert_eq!(code, -32603);
    assert!(message.starts_with("the replay failed"), "{message}");
    // A load that failed opened nothing.
    let ask = json!({"sessionId": CONVERSATION, "prompt": [{"type": "text", "text": "x"}]});
    assert_eq!(editor.refused("session/prompt", ask).await.0, -32602);
}
