//! What is promised of `ending`, as tests.

use super::*;

fn told(stage: &str, meta: Value, cancelled: bool) -> String {
    let (stage, state) = stage.split_once('/').unwrap();
    match read(
        stage,
        state,
        &meta,
        Turn {
            conversation: "c-1",
            cancelled,
        },
        None,
    ) {
        Seen::Ended(Ok(result)) => result.to_string(),
        Seen::Ended(Err(error)) => format!("{} {}", error.code, error.message),
        Seen::Doomed(Ok(result)) => format!("doomed {result}"),
        Seen::Doomed(Err(error)) => format!("doomed {} {}", error.code, error.message),
        Seen::Nothing => "nothing".to_owned(),
    }
}

#[test]
fn each_row_of_the_table() {
    for (stage, meta, expect) in [
        ("turn/started", json!({}), "nothing"),
        ("turn/done", json!({}), r#"{"stopReason":"end_turn"}"#),
        (
            "turn/done",
            json!({"stop_reason": "end_turn"}),
            r#"{"stopReason":"end_turn"}"#,
        ),
        (
            "turn/done",
            json!({"stop_reason": "waiting"}),
            r#"{"stopReason":"end_turn"}"#,
        ),
        (
            "turn/done",
            json!({"stop_reason": "waiting", "waiting": true, "waiting_request_id": "1.a",
                "waiting_request_ids": ["1.a", "2.b"], "waiting_deadline": "2026-01-01T00:00:00.000Z"}),
            r#"{"stopReason":"end_turn","_meta":{"fountain":{"waiting":true,"requestIds":["1.a","2.b"],"deadline":"2026-01-01T00:00:00.000Z"}}}"#,
        ),
        (
            "turn/done",
            json!({"stop_reason": "cancelled"}),
            r#"{"stopReason":"end_turn","_meta":{"fountain":{"stopReason":"cancelled"}}}"#,
        ),
        (
            "turn/failed",
            json!({"stop_reason": "refusal"}),
            r#"{"stopReason":"refusal"}"#,
        ),
        (
            "turn/failed",
            json!({"stop_reason": "max_tokens"}),
            r#"{"stopReason":"max_tokens"}"#,
        ),
        (
            "turn/failed",
            json!({"stop_reason": "max_turn_requests"}),
            r#"{"stopReason":"max_turn_requests"}"#,
        ),
        (
            "turn/failed",
            json!({"stop_reason": "cancelled"}),
            "-32603 the turn failed: the runtime cancelled it, and nobody had asked for that; prompt again",
        ),
        (
            "turn/failed",
            json!({"stop_reason": "error", "reason": "boom"}),
            "-32603 the turn failed: the runtime ended it with the stop reason \"error\", which no editor knows: boom",
        ),
        (
            "turn/failed",
            json!({"reason": "boom", "exit_code": 3}),
            "-32603 the turn failed: boom",
        ),
        (
            "turn/failed",
            json!({"error": "bang"}),
            "-32603 the turn failed: bang",
        ),
        (
            "turn/failed",
            json!({"exit_code": 3}),
            "-32603 the turn failed: the agent ended with exit code 3",
        ),
        (
            "turn/failed",
            json!({}),
            "-32603 the turn failed: no reason given",
        ),
        (
            "turn/interrupted",
            json!({"reason": "interrupted"}),
            r#"{"stopReason":"cancelled"}"#,
        ),
        (
            "turn/interrupted",
            json!({}),
            r#"{"stopReason":"cancelled"}"#,
        ),
        (
            "turn/interrupted",
            json!({"reason": "daemon_restarted"}),
            "-32603 the turn was interrupted (daemon restarted) and nobody had asked for that; what it did is kept \
             in conversation c-1, prompt again to go on",
        ),
        (
            "turn/interrupted",
            json!({"reason": "terminated"}),
            "-32603 the conversation was terminated: start a new one",
        ),
        (
            "provision/failed",
            json!({"reason": "no disk"}),
            "doomed -32603 the sandbox never started: no disk",
        ),
        (
            "reattach/failed",
            json!({}),
            "doomed -32603 could not reattach to the sandbox, prompt again to provision a fresh one",
        ),
        ("reattach/interrupted", json!({}), "nothing"),
        (
            "terminate/done",
            json!({}),
            "doomed -32603 the conversation was terminated: start a new one",
        ),
        ("sandbox/done", json!({"event": "resumed"}), "nothing"),
        (
            "sandbox/done",
            json!({"event": "suspended"}),
            r#"doomed {"stopReason":"end_turn"}"#,
        ),
        (
            "sandbox/done",
            json!({"event": "reclaimed", "reason": "max_lifetime"}),
            "doomed -32603 the sandbox was reclaimed mid-turn (max_lifetime); prompt again to provision a fresh one",
        ),
        (
            "sandbox/done",
            json!({"event": "at_capacity"}),
            "doomed -32603 the prompt was not started: there is no room for its sandbox now; try again",
        ),
    ] {
        assert_eq!(told(stage, meta.clone(), false), expect, "{stage} {meta}");
    }
}

#[test]
fn an_end_the_editor_asked_for_is_cancelled_unless_the_turn_was_faster() {
    for (stage, meta, expect) in [
        (
            "turn/interrupted",
            json!({"reason": "daemon_restarted"}),
            r#"{"stopReason":"cancelled"}"#,
        ),
        (
            "turn/failed",
            json!({"stop_reason": "cancelled"}),
            r#"{"stopReason":"cancelled"}"#,
        ),
        (
            "turn/done",
            json!({"stop_reason": "cancelled"}),
            r#"{"stopReason":"cancelled"}"#,
        ),
        (
            "turn/done",
            json!({"stop_reason": "end_turn"}),
            r#"{"stopReason":"end_turn"}"#,
        ),
    ] {
        assert_eq!(told(stage, meta.clone(), true), expect, "{stage} {meta}");
    }
}

#[test]
fn what_doomed_a_turn_is_told_at_its_end() {
    let turn = Turn {
        conversation: "c",
        cancelled: false,
    };
    let Seen::Doomed(why) = read("provision", "failed", &json!({"reason": "x"}), turn, None) else {
        panic!()
    };
    assert_eq!(
        read("turn", "failed", &json!({"reason": "y"}), turn, Some(&why)),
        Seen::Ended(why.clone())
    );
    let refused = read(
        "turn",
        "failed",
        &json!({"stop_reason": "refusal"}),
        turn,
        Some(&why),
    );
    assert_eq!(refused, Seen::Ended(Ok(stopped("refusal"))));
}
