//! What is promised of `permission`, as tests.

use serde_json::{Value, json};

use super::daemon::{CONVERSATION, path};
use super::editor::demo;
use super::*;

/// A prompt whose turn asks; gives the prompt's id, the turn and the question.
async fn asked(
    daemon: &Daemon,
    editor: &mut Editor,
    times: usize,
    request: &str,
) -> (Value, String, Value) {
    let id = editor.prompt("x").await;
    let (turn, _) = daemon.prompted(times).await;
    daemon.stage("turn/started", &turn, json!({}));
    daemon.asks(&turn, request);
    let question = editor.question().await;
    (id, turn, question)
}

#[tokio::test]
async fn a_question_carries_the_agents_own_options() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let (id, turn, question) = asked(&daemon, &mut editor, 1, "7.a").await;
    assert_eq!(
        question,
        json!({"jsonrpc": "2.0", "id": 0, "method": "session/request_permission", "params": {
            "sessionId": CONVERSATION,
            "toolCall": {"toolCallId": "t", "title": "rm", "kind": "execute",
                "_meta": {"k": 1, "fountain.sandboxLocations": [{"path": "/w"}]}},
            "options": [
                {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
                {"optionId": "no", "name": "No", "kind": "reject_once"},
            ],
        }})
    );
    // Updates go on while it waits.
    daemon.says(&turn, "meanwhile");
    assert_eq!(super::editor::shown(&editor.next().await), "meanwhile");
    editor.pick(&question["id"], "yes").await;
    assert_eq!(daemon.answered("7.a").await, json!({"option_id": "yes"}));
    daemon.settled(&turn, "7.a");
    daemon.ends(&turn, "end_turn");
    let (texts, _) = editor.turn(&id).await;
    assert!(texts.is_empty());
    assert!(
        editor.stderr.text().contains("session/request_permission")
            || !editor.stderr.text().contains("error:")
    );
}

#[tokio::test]
async fn everything_but_an_offered_option_is_a_denial() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let answers = [
        json!({"result": {"outcome": {"outcome": "selected", "optionId": "maybe"}}}),
        json!({"result": {"outcome": {"outcome": "cancelled"}}}),
        json!({"result": null}),
        json!({"error": {"code": -32603, "message": "no"}}),
    ];
    for (at, mut answer) in answers.into_iter().enumerate() {
        let request = format!("7.{at}");
        let (id, turn, question) = asked(&daemon, &mut editor, at + 1, &request).await;
        answer["id"] = question["id"].clone();
        answer["jsonrpc"] = "2.0".into();
        editor.raw(&answer.to_string()).await;
        assert_eq!(
            daemon.answered(&request).await,
            json!({"deny": true}),
            "{answer}"
        );
        daemon.settled(&turn, &request);
        daemon.ends(&turn, "end_turn");
        editor.response(&id).await;
    }
}

#[tokio::test]
async fn a_question_that_others_settled_is_withdrawn_and_a_late_answer_is_nothing() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let (id, turn, question) = asked(&daemon, &mut editor, 1, "7.a").await;
    daemon.settled(&turn, "7.a");
    let withdrawn = editor.next().await;
    assert_eq!(
        withdrawn,
        json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": question["id"]}})
    );
    editor.raw(&json!({"jsonrpc": "2.0", "id": question["id"], "error": {"code": -32800, "message": "cancelled"}}).to_string()).await;
    editor.pick(&question["id"], "yes").await;
    daemon.ends(&turn, "end_turn");
    editor.response(&id).await;
    assert_eq!(daemon.fake.count(&path("POST", "/requests/7.a")), 0);
}

#[tokio::test]
async fn a_lost_race_is_no_error() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    daemon.instead(
        &path("POST", "/requests/7.a"),
        409,
        json!({"error": "permission_request_resolved", "message": "m"}),
    );
    let (id, turn, question) = asked(&daemon, &mut editor, 1, "7.a").await;
    editor.pick(&question["id"], "yes").await;
    daemon.answered("7.a").await;
    daemon.settled(&turn, "7.a");
    daemon.ends(&turn, "end_turn");
    editor.response(&id).await;
    assert!(
        !editor.stderr.text().contains("error:"),
        "{}",
        editor.stderr.text()
    );
}

#[tokio::test]
async fn closing_questions_for_a_cancel_is_no_denial() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let (id, turn, question) = asked(&daemon, &mut editor, 1, "7.a").await;
    editor
        .notify("session/cancel", json!({"sessionId": CONVERSATION}))
        .await;
    editor
        .reply(
            &question["id"],
            json!({"outcome": {"outcome": "cancelled"}}),
        )
        .await;
    daemon.fake.called(&path("POST", "/interrupt")).await;
    daemon.settled(&turn, "7.a");
    daemon.stage("turn/interrupted", &turn, json!({"reason": "interrupted"}));
    assert_eq!(
        editor.response(&id).await["result"]["stopReason"],
        "cancelled"
    );
    assert_eq!(daemon.fake.count(&path("POST", "/requests/7.a")), 0);
    // The next turn's questions are whole again.
    let (_, _, question) = asked(&daemon, &mut editor, 2, "7.b").await;
    editor
        .reply(
            &question["id"],
            json!({"outcome": {"outcome": "cancelled"}}),
        )
        .await;
    assert_eq!(daemon.answered("7.b").await, json!({"deny": true}));
}

#[tokio::test]
async fn a_request_that_outlived_its_turn_is_settled_only_by_a_choice() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let (id, turn, question) = asked(&daemon, &mut editor, 1, "7.a").await;
    daemon.asks(&turn, "7.b");
    let second = editor.question().await;
    let waiting = json!({"stop_reason": "waiting", "waiting": true, "waiting_request_id": "7.a",
        "waiting_request_ids": ["7.a", "7.b"], "waiting_deadline": "d"});
    daemon.stage("turn/done", &turn, waiting);
    let response = editor.response(&id).await;
    assert_eq!(
        response["result"]["_meta"]["fountain"]["requestIds"],
        json!(["7.a", "7.b"])
    );
    editor
        .reply(
            &question["id"],
            json!({"outcome": {"outcome": "cancelled"}}),
        )
        .await;
    editor.pick(&second["id"], "yes").await;
    assert_eq!(daemon.answered("7.b").await, json!({"option_id": "yes"}));
    assert_eq!(daemon.fake.count(&path("POST", "/requests/7.a")), 0);
    // The turn that the answer opens is seen.
    daemon.settled(&turn, "7.b");
    let resume = daemon.turn(r#"{"fountain/permission_answer":{}}"#, json!({}));
    daemon.says(&resume, "on it goes");
    assert_eq!(super::editor::shown(&editor.next().await), "on it goes");
}

#[tokio::test]
async fn a_second_editor_is_asked_what_is_open_and_not_what_was() {
    let daemon = Daemon::start().await;
    let mut one = Editor::with_session(&daemon).await;
    let (id, turn, question) = asked(&daemon, &mut one, 1, "7.a").await;
    daemon.settled(&turn, "7.a");
    one.find(|line| {
        line["method"] == "$/cancel_request" && line["params"]["requestId"] == question["id"]
    })
    .await;
    daemon.asks(&turn, "7.b");
    let first = one.question().await;

    let mut two = Editor::start(&daemon, demo()).await;
    let load = two
        .send(
            "session/load",
            json!({"sessionId": CONVERSATION, "cwd": "/", "mcpServers": []}),
        )
        .await;
    let (shown, _) = two.turn(&load).await;
    assert_eq!(shown, ["user: x"]);
    let second = two.next().await;
    assert_eq!(second["method"], "session/request_permission");
    two.pick(&second["id"], "no").await;
    assert_eq!(daemon.answered("7.b").await, json!({"option_id": "no"}));
    daemon.settled(&turn, "7.b");
    one.find(|line| {
        line["method"] == "$/cancel_request" && line["params"]["requestId"] == first["id"]
    })
    .await;
    daemon.ends(&turn, "end_turn");
    one.response(&id).await;
}

#[tokio::test]
async fn sessions_ask_in_one_space_of_ids() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let (_, turn, first) = asked(&daemon, &mut editor, 1, "0.a").await;
    daemon.asks(&turn, "0.b");
    let second = editor.question().await;
    assert_ne!(first["id"], second["id"]);
    editor.pick(&second["id"], "no").await;
    editor.pick(&first["id"], "yes").await;
    assert_eq!(daemon.answered("0.a").await, json!({"option_id": "yes"}));
    assert_eq!(daemon.answered("0.b").await, json!({"option_id": "no"}));
}
