//! What is promised of `prompt`, as tests.

use serde_json::{Value, json};

use super::daemon::{CONVERSATION, path};
use super::editor::demo;
use super::*;

#[tokio::test]
async fn updates_come_in_order_and_before_the_response() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let id = editor.prompt("hello").await;
    let (turn, body) = daemon.prompted(1).await;
    assert_eq!(body, json!({"prompt": "hello", "images": []}));
    daemon.stage("turn/started", &turn, json!({}));
    for n in 0..300 {
        daemon.says(&turn, &n.to_string());
    }
    daemon.ends(&turn, "end_turn");
    let (texts, response) = editor.turn(&id).await;
    assert_eq!(texts, (0..300).map(|n| n.to_string()).collect::<Vec<_>>());
    assert_eq!(response["result"], json!({"stopReason": "end_turn"}));
}

#[tokio::test]
async fn what_is_unknown_passes_and_what_is_no_update_does_not() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let id = editor.prompt("hello").await;
    let (turn, _) = daemon.prompted(1).await;
    daemon.acp(&turn, &json!({"method": "session/update", "params": {"sessionId": "i", "x": 1, "update": {"sessionUpdate": "x_future", "y": [1.10]}}}));
    daemon.acp(
        &turn,
        &json!({"jsonrpc": "2.0", "id": 1, "method": "fs/read_text_file", "params": {}}),
    );
    daemon.acp(&turn, &json!("text"));
    daemon.update(&turn, json!({"sessionUpdate": "tool_call", "toolCallId": "t", "locations": [{"path": "/w"}], "_meta": {"k": 1}}));
    daemon.ends(&turn, "end_turn");
    let line = editor.next().await;
    assert_eq!(
        line,
        json!({"method": "session/update", "params": {"sessionId": CONVERSATION, "x": 1, "update": {"sessionUpdate": "x_future", "y": [1.10]}}})
    );
    let line = editor.next().await;
    assert_eq!(
        line["params"]["update"],
        json!({"sessionUpdate": "tool_call", "toolCallId": "t", "_meta": {"k": 1, "fountain.sandboxLocations": [{"path": "/w"}]}})
    );
    assert_eq!(editor.next().await["id"], id);
}

#[tokio::test]
async fn endings_are_told_in_the_editors_words() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let cases = [
        (
            "turn/failed",
            json!({"stop_reason": "refusal"}),
            Ok(json!({"stopReason": "refusal"})),
        ),
        (
            "turn/failed",
            json!({"reason": "boom"}),
            Err("the turn failed: boom".to_owned()),
        ),
        (
            "turn/interrupted",
            json!({"reason": "interrupted"}),
            Ok(json!({"stopReason": "cancelled"})),
        ),
        (
            "turn/interrupted",
            json!({"reason": "daemon_restarted"}),
            Err(format!(
                "the turn was interrupted (daemon restarted) and nobody had asked for that; what it did is kept in \
                 conversation {CONVERSATION}, prompt again to go on"
            )),
        ),
        (
            "turn/done",
            json!({"stop_reason": "waiting", "waiting": true, "waiting_request_ids": ["1.a"], "waiting_deadline": "d"}),
            Ok(
                json!({"stopReason": "end_turn", "_meta": {"fountain": {"waiting": true, "requestIds": ["1.a"], "deadline": "d"}}}),
            ),
        ),
    ];
    for (at, (stage, meta, expect)) in cases.into_iter().enumerate() {
        let id = editor.prompt("x").await;
        let (turn, _) = daemon.prompted(at + 1).await;
        daemon.stage(stage, &turn, meta);
        match expect {
            Ok(result) => assert_eq!(editor.response(&id).await["result"], result),
            Err(message) => assert_eq!(editor.error(&id).await, (-32603, message)),
        }
    }
    let id = editor.prompt("x").await;
    let (turn, _) = daemon.prompted(6).await;
    daemon.stage("provision/failed", &turn, json!({"reason": "no disk"}));
    daemon.stage("turn/failed", &turn, json!({"reason": "provision_failed"}));
    assert_eq!(
        editor.error(&id).await,
        (-32603, "the sandbox never started: no disk".to_owned())
    );
}

#[tokio::test]
async fn a_turn_that_was_told_to_be_lost_ends_without_its_end() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let id = editor.prompt("x").await;
    let (turn, _) = daemon.prompted(1).await;
    daemon.stage("reattach/failed", &turn, json!({}));
    let sentence = "could not reattach to the sandbox, prompt again to provision a fresh one";
    assert_eq!(editor.error(&id).await, (-32603, sentence.to_owned()));
}

#[tokio::test]
async fn what_cannot_be_sent_is_left_out_with_one_warning() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let send = |blocks: Value, meta: Value| json!({"sessionId": CONVERSATION, "prompt": blocks, "_meta": meta});
    let blocks = json!([{"type": "text", "text": "a"}, {"type": "audio", "data": ""}, {"type": "resource_link", "uri": "x"},
        {"type": "image", "mimeType": "image/png", "data": "AAAA"}, {"type": "text", "text": "b"}]);
    let id = editor
        .send(
            "session/prompt",
            send(blocks, json!({"clientRequestId": "é".repeat(200)})),
        )
        .await;
    let (turn, body) = daemon.prompted(1).await;
    assert_eq!(
        body,
        json!({"prompt": "a\nb", "images": [{"data": "AAAA", "media_type": "image/png"}], "client_request_id": "é".repeat(200)})
    );
    daemon.ends(&turn, "end_turn");
    editor.response(&id).await;
    assert_eq!(
        editor
            .stderr
            .text()
            .matches("left out of the prompt: audio, resource_link")
            .count(),
        1
    );

    let (code, message) = editor
        .refused(
            "session/prompt",
            send(json!([{"type": "resource", "resource": {}}]), json!({})),
        )
        .await;
    assert_eq!(code, -32602);
    assert!(message.contains("resource"), "{message}");
    let text = json!([{"type": "text", "text": "x"}]);
    assert_eq!(
        editor
            .refused(
                "session/prompt",
                send(text.clone(), json!({"clientRequestId": 5}))
            )
            .await
            .0,
        -32602
    );
    assert_eq!(daemon.fake.count(&path("POST", "/prompts")), 1);

    let (_, body) = {
        editor
            .send(
                "session/prompt",
                send(text, json!({"clientRequestId": null, "other": "x"})),
            )
            .await;
        daemon.prompted(2).await
    };
    assert_eq!(body, json!({"prompt": "x", "images": []}));
}

#[tokio::test]
async fn prompts_that_cannot_run_say_why() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let prompts = path("POST", "/prompts");
    let ask = json!({"sessionId": CONVERSATION, "prompt": [{"type": "text", "text": "x"}]});
    daemon.instead(
        &prompts,
        400,
        json!({"error": "conversation_busy", "message": "m"}),
    );
    let (code, message) = editor.refused("session/prompt", ask.clone()).await;
    assert_eq!(code, -32603);
    assert!(message.contains("busy"), "{message}");
    daemon.instead(&prompts, 410, json!({"error": "conversation_terminated"}));
    let (_, message) = editor.refused("session/prompt", ask.clone()).await;
    assert!(
        message.starts_with("the conversation was terminated"),
        "{message}"
    );
    daemon.instead(
        &prompts,
        422,
        json!({"errors": {"client_request_id": ["is too long"]}}),
    );
    let (_, message) = editor.refused("session/prompt", ask.clone()).await;
    assert_eq!(
        message,
        "the prompt was not accepted: client_request_id: is too long"
    );
    daemon.usual(&prompts);
    let unknown = json!({"sessionId": "nope", "prompt": [{"type": "text", "text": "x"}]});
    assert_eq!(
        editor.refused("session/prompt", unknown).await,
        (
            -32602,
            "unknown session \"nope\": open it with session/load, or start one with session/new"
                .to_owned()
        )
    );
}

#[tokio::test]
async fn the_next_prompt_follows_the_response_at_once() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    for n in 1..=100 {
        let id = editor.prompt("x").await;
        let (turn, _) = daemon.prompted(n).await;
        daemon.stage("turn/started", &turn, json!({}));
        daemon.says(&turn, &n.to_string());
        daemon.ends(&turn, "end_turn");
        let (texts, _) = editor.turn(&id).await;
        assert_eq!(texts, [n.to_string()]);
    }
}

#[tokio::test]
async fn a_turn_that_runs_before_its_prompt_is_acknowledged_is_still_the_editors_own() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let id = editor.prompt("one").await;
    let (turn, _) = daemon.prompted(1).await;
    daemon.ends(&turn, "end_turn");
    editor.response(&id).await;
    // The stream is followed; the second prompt's answer comes after its whole turn.
    let open = daemon.gate(&path("POST", "/prompts"));
    let id = editor.prompt("two").await;
    let (turn, _) = daemon.prompted(2).await;
    daemon.stage("turn/started", &turn, json!({}));
    daemon.says(&turn, "early");
    daemon.ends(&turn, "end_turn");
    open.send_replace(true);
    let (texts, response) = editor.turn(&id).await;
    assert_eq!(
        (texts, &response["result"]["stopReason"]),
        (vec!["early".to_owned()], &json!("end_turn"))
    );
}

#[tokio::test]
async fn a_cancel_stops_the_turn_and_only_that() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let interrupt = path("POST", "/interrupt");
    let id = editor.prompt("x").await;
    let (turn, _) = daemon.prompted(1).await;
    editor
        .notify("session/cancel", json!({"sessionId": CONVERSATION}))
        .await;
    daemon.fake.called(&interrupt).await;
    daemon.stage(
        "turn/interrupted",
        &turn,
        json!({"reason": "interrupted", "stop_reason": "cancelled"}),
    );
    assert_eq!(
        editor.response(&id).await["result"]["stopReason"],
        "cancelled"
    );

    // Nothing runs: no answer, and the next prompt waits for the cancel before it.
    daemon.instead(&interrupt, 409, json!({"error": "no_turn_running"}));
    let open = daemon.gate(&interrupt);
    editor
        .notify("session/cancel", json!({"sessionId": CONVERSATION}))
        .await;
    editor
        .notify("session/cancel", json!({"sessionId": "unknown"}))
        .await;
    daemon.fake.called_times(&interrupt, 2).await;
    let id = editor.prompt("y").await;
    editor
        .ok(
            "session/set_config_option",
            json!({"sessionId": CONVERSATION, "configId": "x", "value": "y"}),
        )
        .await;
    assert_eq!(daemon.fake.count(&path("POST", "/prompts")), 1);
    open.send_replace(true);
    let (turn, _) = daemon.prompted(2).await;
    daemon.ends(&turn, "end_turn");
    assert_eq!(
        editor.response(&id).await["result"]["stopReason"],
        "end_turn"
    );
}

#[tokio::test]
async fn a_cancel_right_after_the_prompt_comes_after_it() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let open = daemon.gate(&path("POST", "/prompts"));
    let id = editor.prompt("x").await;
    editor
        .notify("$/cancel_request", json!({"requestId": "other"}))
        .await;
    editor
        .notify("$/cancel_request", json!({"requestId": id}))
        .await;
    let (turn, _) = daemon.prompted(1).await;
    editor.ok("session/list", json!({})).await;
    assert_eq!(daemon.fake.count(&path("POST", "/interrupt")), 0);
    open.send_replace(true);
    daemon.fake.called(&path("POST", "/interrupt")).await;
    daemon.stage(
        "turn/interrupted",
        &turn,
        json!({"reason": "daemon_restarted"}),
    );
    assert_eq!(
        editor.response(&id).await["result"]["stopReason"],
        "cancelled"
    );
}

#[tokio::test]
async fn a_closed_session_stops_only_its_own_prompt() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let id = editor.prompt("x").await;
    let (turn, _) = daemon.prompted(1).await;
    let close = editor
        .send("session/close", json!({"sessionId": CONVERSATION}))
        .await;
    daemon.fake.called(&path("POST", "/interrupt")).await;
    daemon.stage("turn/interrupted", &turn, json!({"reason": "interrupted"}));
    assert_eq!(
        editor.response(&id).await["result"]["stopReason"],
        "cancelled"
    );
    assert_eq!(editor.response(&close).await["result"], json!({}));
    let params = json!({"sessionId": CONVERSATION});
    assert_eq!(
        editor.refused("session/close", params.clone()).await.0,
        -32602
    );
    // Closing it again changes nothing; loading opens it anew, and without a prompt nothing is stopped.
    editor
        .ok(
            "session/load",
            json!({"sessionId": CONVERSATION, "cwd": "/", "mcpServers": []}),
        )
        .await;
    editor.ok("session/close", params).await;
    assert_eq!(daemon.fake.count(&path("POST", "/interrupt")), 1);
}

#[tokio::test]
async fn turns_of_others_are_shown_with_their_prompt() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let id = editor.prompt("mine").await;
    let (turn, _) = daemon.prompted(1).await;
    daemon.update(
        &turn,
        json!({"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "mine"}}),
    );
    daemon.says(&turn, "to me");
    daemon.ends(&turn, "end_turn");
    let (texts, _) = editor.turn(&id).await;
    assert_eq!(
        texts,
        ["to me"],
        "an echo of the editor's own prompt is not shown"
    );
    let other = daemon.turn("theirs", json!({}));
    daemon.stage("turn/started", &other, json!({}));
    daemon.says(&other, "to them");
    daemon.ends(&other, "end_turn");
    let resume = daemon.turn(r#"{"fountain/permission_answer":{}}"#, json!({}));
    daemon.says(&resume, "resumed");
    let background = daemon.turn("(background)", json!({"origin": "autonomous"}));
    daemon.says(&background, "behind");
    for expect in ["user: theirs", "to them", "resumed", "behind"] {
        assert_eq!(super::editor::shown(&editor.next().await), expect);
    }
}

#[tokio::test]
async fn two_processes_do_not_disturb_each_other() {
    let daemon = Daemon::start().await;
    let mut one = Editor::with_session(&daemon).await;
    let mut two = Editor::start(&daemon, demo()).await;
    let id = one.prompt("x").await;
    let (turn, _) = daemon.prompted(1).await;
    two.ok(
        "session/load",
        json!({"sessionId": CONVERSATION, "cwd": "/", "mcpServers": []}),
    )
    .await;
    two.notify("session/cancel", json!({"sessionId": CONVERSATION}))
        .await;
    daemon.fake.called(&path("POST", "/interrupt")).await;
    daemon.stage(
        "turn/interrupted",
        &turn,
        json!({"reason": "interrupted", "stop_reason": "cancelled"}),
    );
    assert_eq!(one.response(&id).await["result"]["stopReason"], "cancelled");
}
