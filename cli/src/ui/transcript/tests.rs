//! What is promised of `transcript`, as tests.

use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::*;
use crate::client::sse::Event;
use crate::ui::Outputs;

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// Both outputs after these events: on one terminal they are one text.
fn shown(look: Look, terminal: bool, events: &[Value]) -> (String, String) {
    let outputs = Outputs {
        out_terminal: terminal,
        err_terminal: terminal,
        ..Outputs::default()
    };
    let out = Shared::default();
    let err = if terminal {
        out.clone()
    } else {
        Shared::default()
    };
    let mut screen = Screen::new(outputs, Box::new(out.clone()), Box::new(err.clone()));
    let mut transcript = Transcript::new(look);
    transcript.prompt("t1", "do\nit");
    for event in events {
        let raw = event.to_string();
        let event: Event<'_> = serde_json::from_str(&raw).unwrap();
        transcript
            .show(&reading::read(&event), &mut screen)
            .unwrap();
    }
    screen.finish().unwrap();
    (out.text(), err.text())
}

fn look() -> Look {
    Look {
        width: 100,
        ..Look::default()
    }
}

fn update(update: Value) -> Value {
    let line = json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}});
    json!({"kind": "output", "stream": "acp", "data": line.to_string(), "turn_id": "t1"})
}

fn text(text: &str) -> Value {
    update(
        json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}),
    )
}

fn stage(stage: &str, state: &str, meta: Value) -> Value {
    json!({"kind": "stage", "stage": stage, "state": state, "data": meta.to_string(), "duration_ms": 1234})
}

fn asked(id: &str, title: &str) -> Value {
    let options = json!([
        {"optionId": "yes", "name": "Allow once", "kind": "allow_once"},
        {"optionId": "no", "name": "Reject", "kind": "reject_once"},
    ]);
    let line = json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": {
        "toolCall": {"toolCallId": "c1", "title": title, "kind": "execute"}, "options": options,
    }});
    json!({"kind": "output", "stream": "acp", "data": line.to_string(), "turn_id": "t1"})
}

/// One turn with everything an agent shows.
fn a_turn() -> Vec<Value> {
    vec![
        stage("provision", "started", json!({"provider": "directory"})),
        stage("provision", "done", json!({})),
        stage(
            "turn",
            "started",
            json!({"turn_id": "t1", "turn_number": 1}),
        ),
        update(
            json!({"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": "Let me "}}),
        ),
        update(
            json!({"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": "think."}}),
        ),
        text("I will "),
        text("look."),
        update(json!({"sessionUpdate": "plan", "entries": [
            {"content": "look", "status": "in_progress", "priority": "high"}, {"content": "tell", "status": "pending"},
        ]})),
        update(
            json!({"sessionUpdate": "tool_call", "toolCallId": "c1", "title": "touch marker", "kind": "execute", "status": "pending"}),
        ),
        stage(
            "request",
            "started",
            json!({"request_id": "0.ab", "tool": "execute", "options": [], "timeout_ms": 1}),
        ),
        asked("0.ab", "touch marker"),
        stage(
            "request",
            "done",
            json!({"request_id": "0.ab", "outcome": "answered", "option_id": "yes", "answered_by": "owner"}),
        ),
        update(
            json!({"sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "in_progress"}),
        ),
        update(
            json!({"sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "completed"}),
        ),
        update(
            json!({"sessionUpdate": "tool_call", "toolCallId": "c2", "title": "rm x", "kind": "delete"}),
        ),
        update(
            json!({"sessionUpdate": "tool_call_update", "toolCallId": "c2", "status": "failed",
            "content": [{"type": "content", "content": {"type": "text", "text": "\nno permission\nmore"}}]}),
        ),
        update(json!({"sessionUpdate": "from_the_future", "x": 1})),
        update(json!({"sessionUpdate": "session_info_update", "title": "A title"})),
        update(json!({"sessionUpdate": "tool_call", "toolCallId": "c3", "title": "never ends"})),
        text("Done."),
        stage(
            "turn",
            "done",
            json!({"turn_id": "t1", "turn_number": 1, "stop_reason": "end_turn"}),
        ),
    ]
}

#[test]
fn a_turn_on_a_terminal() {
    insta::assert_snapshot!(shown(look(), true, &a_turn()).0, @r"
    ▸ provision: done (1.2 s)
    Let me think.
    I will look.
    ▸ plan 0/2: look
    ✓ allowed: touch marker (Allow once)
    ✓ touch marker (execute)
    ✗ rm x (delete): no permission
    ▸ title: A title
    Done.
    · never ends (not finished)
    ");
}

#[test]
fn what_the_policy_denies_has_one_line_and_ends_its_card() {
    let denied = |call: Option<&str>| {
        stage(
            "policy",
            "done",
            json!({"event": "denied", "request_id": "0.ab", "tool": "execute", "summary": "rm y", "key": "default", "tool_call_id": call}),
        )
    };
    let events = [
        update(
            json!({"sessionUpdate": "tool_call", "toolCallId": "c1", "title": "rm x", "kind": "delete"}),
        ),
        denied(Some("c1")),
        update(
            json!({"sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "failed"}),
        ),
        denied(Some("never seen")),
        denied(None),
        stage(
            "turn",
            "done",
            json!({"turn_id": "t1", "stop_reason": "end_turn"}),
        ),
    ];
    insta::assert_snapshot!(shown(look(), false, &events).1, @r"
    ✗ denied by the policy (default): rm x (delete)
    ✗ denied by the policy (default): rm y
    ✗ denied by the policy (default): rm y
    ");
}

#[test]
fn what_a_person_refuses_has_one_line_unless_it_ran_all_the_same() {
    let events = |status: &str| {
        [
            update(
                json!({"sessionUpdate": "tool_call", "toolCallId": "c1", "title": "ls", "kind": "execute"}),
            ),
            asked("0.ab", "ls"),
            stage(
                "request",
                "done",
                json!({"request_id": "0.ab", "outcome": "answered", "option_id": "no"}),
            ),
            update(
                json!({"sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "in_progress"}),
            ),
            update(
                json!({"sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": status}),
            ),
            stage(
                "turn",
                "done",
                json!({"turn_id": "t1", "stop_reason": "end_turn"}),
            ),
        ]
    };
    let refused = "✗ refused: ls (Reject)\n";
    assert_eq!(shown(look(), false, &events("failed")).1, refused);
    assert_eq!(
        shown(look(), false, &events("completed")).1,
        format!("{refused}✓ ls (execute)\n")
    );
}

#[test]
fn a_turn_that_an_answer_opened_is_told_in_its_words() {
    let answer = json!({"fountain/permission_answer": {"request_id": "0.ab", "tool": "deploy", "outcome": "answered",
        "option_id": "allow_once", "answered_at": "2026-01-01T00:00:00Z"}});
    assert_eq!(told(&answer.to_string()), "answer: allow_once (deploy)");
    assert_eq!(told("{\"a\": 1}"), "{\"a\": 1}");
}

#[test]
fn a_turn_in_a_pipe() {
    let (out, err) = shown(look(), false, &a_turn());
    assert_eq!(out, "I will look.\n\nDone.\n");
    insta::assert_snapshot!(err, @r"
    ▸ provision: done (1.2 s)
    Let me think.
    ▸ plan 0/2: look
    ✓ allowed: touch marker (Allow once)
    ✓ touch marker (execute)
    ✗ rm x (delete): no permission
    ▸ title: A title
    · never ends (not finished)
    ");
}

#[test]
fn quiet_is_the_answer_alone() {
    let quiet = Look {
        quiet: true,
        ..look()
    };
    assert_eq!(
        shown(quiet, false, &a_turn()),
        ("I will look.\n\nDone.\n".into(), String::new())
    );
    assert_eq!(shown(quiet, true, &a_turn()).0, "I will look.\nDone.\n");
}

#[test]
fn a_conversation_shows_its_turns() {
    let turns = Look {
        turns: true,
        ..look()
    };
    let events = [
        stage(
            "turn",
            "started",
            json!({"turn_id": "t1", "turn_number": 1}),
        ),
        text("one"),
        stage(
            "turn",
            "done",
            json!({"turn_id": "t1", "turn_number": 1, "stop_reason": "waiting", "waiting": true}),
        ),
        stage(
            "turn",
            "started",
            json!({"turn_id": "t2", "turn_number": 2}),
        ),
        stage(
            "turn",
            "failed",
            json!({"turn_id": "t2", "turn_number": 2, "reason": "it died", "exit_code": 3}),
        ),
        stage(
            "sandbox",
            "done",
            json!({"event": "suspended", "reason": "idle"}),
        ),
        stage("tomorrow", "odd", json!({})),
        stage("session", "failed", json!({"reason": "no"})),
    ];
    insta::assert_snapshot!(shown(turns, true, &events).0, @r"
    ▸ turn 1: do it
    one
    ▸ turn 1: done (waiting)
    ▸ turn 2
    ✗ turn 2: failed (it died, exit status 3)
    ▸ sandbox: done (suspended, idle, 1.2 s)
    ▸ tomorrow: odd (1.2 s)
    ✗ session: failed (no, 1.2 s)
    ");
}

#[test]
fn each_way_a_question_ends() {
    let done = |outcome: &str, option: Value| {
        stage(
            "request",
            "done",
            json!({"request_id": "0.ab", "outcome": outcome, "option_id": option}),
        )
    };
    for (event, expect) in [
        (
            done("answered", json!("yes")),
            "✓ allowed: ls (Allow once)\n",
        ),
        (done("answered", json!("no")), "✗ refused: ls (Reject)\n"),
        (done("answered", json!("odd")), "✓ answered: ls (odd)\n"),
        (done("answered", json!(null)), "✗ refused: ls\n"),
        (
            done("timeout", json!("no")),
            "✗ refused, as nobody answered in time: ls\n",
        ),
        (
            done("turn_ended", json!(null)),
            "✗ refused, as its turn ended: ls\n",
        ),
        (
            done("cancelled", json!(null)),
            "✗ the agent took its question back: ls\n",
        ),
    ] {
        assert_eq!(shown(look(), true, &[asked("0.ab", "ls"), event]).0, expect);
    }
}

#[test]
fn an_agent_cannot_write_to_the_terminal() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2Jrm\r\u{202e}x";
    let events = [
        text("a\u{1b}[31mb\u{1b}]52;c;"),
        text("AAAA\u{7}c"),
        update(
            json!({"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": evil}}),
        ),
        update(
            json!({"sessionUpdate": "tool_call", "toolCallId": "c1", "title": evil, "kind": evil, "status": "failed"}),
        ),
        update(json!({"sessionUpdate": "session_info_update", "title": evil})),
        update(
            json!({"sessionUpdate": "plan", "entries": [{"content": evil, "status": "pending"}]}),
        ),
        stage(evil, evil, json!({"reason": evil})),
        json!({"kind": "output", "stream": "stderr", "stage": "setup", "data": evil}),
        asked("0.ab", evil),
        stage(
            "request",
            "done",
            json!({"request_id": "0.ab", "outcome": "answered", "option_id": "yes"}),
        ),
    ];
    let (all, _) = shown(look(), true, &events);
    assert!(!all.chars().any(|c| c.is_control() && c != '\n'), "{all:?}");
    assert!(all.starts_with("abc\n"), "{all:?}");
    // Where no terminal is, the answer is what the agent said.
    assert_eq!(
        shown(look(), false, &events[..2]).0,
        "a\u{1b}[31mb\u{1b}]52;c;AAAA\u{7}c\n"
    );
}

#[test]
fn colour_is_ours_alone() {
    let painted = Look {
        paint: Paint { on: true },
        ..look()
    };
    let (_, err) = shown(painted, false, &a_turn());
    assert!(
        err.contains("\u{1b}[32m✓\u{1b}[0m touch marker (execute)"),
        "{err:?}"
    );
}
