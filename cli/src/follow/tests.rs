//! What is promised of `follow`, as tests.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use fountain_core::api::events::END;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::*;
use crate::client::Settings;
use crate::client::fake::{Call, Fake, Reply};
use crate::ui::{Outputs, Screen, Ui};

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>, Arc<Notify>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        self.1.notify_waiters();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    async fn until(&self, fits: impl Fn(&str) -> bool) {
        loop {
            let mut more = std::pin::pin!(self.1.notified());
            more.as_mut().enable();
            if fits(&self.text()) {
                return;
            }
            more.await;
        }
    }
}

/// An instance whose stream the test writes.
struct Stage {
    fake: Fake,
    log: Log,
    out: Written,
    err: Written,
}

/// What is stored, and who reads it: as at an instance, a connection that breaks loses nothing.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Stored>>);

#[derive(Default)]
struct Stored {
    frames: Vec<Vec<u8>>,
    readers: Vec<UnboundedSender<Vec<u8>>>,
}

impl Log {
    fn send(&self, event: &Value) {
        let mut log = self.0.lock().unwrap();
        let (id, kind) = (log.frames.len() + 1, event["kind"].as_str().unwrap());
        let frame = format!("id: {id}\nevent: {kind}\ndata: {event}\n\n").into_bytes();
        log.frames.push(frame.clone());
        log.readers
            .retain(|reader| reader.send(frame.clone()).is_ok());
    }

    fn read(&self, call: &Call) -> Reply {
        let (send, stream) = unbounded_channel();
        let mut log = self.0.lock().unwrap();
        let after: usize = call.header("last-event-id").unwrap().parse().unwrap();
        for frame in &log.frames[after..] {
            send.send(frame.clone()).unwrap();
        }
        match call.query.contains("wait=false") {
            true => send.send(END.as_bytes().to_vec()).unwrap(),
            false => log.readers.push(send),
        }
        Reply::Stream(stream)
    }
}

impl Stage {
    async fn new(rest: impl Fn(&Call) -> Reply + Send + Sync + 'static) -> Self {
        let log = Log::default();
        let stored = log.clone();
        let fake = Fake::start(move |call| match call.path.ends_with("/stream") {
            true => stored.read(call),
            false => rest(call),
        })
        .await;
        Self {
            fake,
            log,
            out: Written::default(),
            err: Written::default(),
        }
    }

    fn send(&self, event: &Value) {
        self.log.send(event);
    }

    fn context(&self) -> Context {
        let screen = Screen::new(
            Outputs::default(),
            Box::new(self.out.clone()),
            Box::new(self.err.clone()),
        );
        Context::for_test(Ui::for_test(screen))
    }

    fn client(&self) -> Client {
        Client::new(Settings {
            base_url: self.fake.base.clone(),
            ..Settings::default()
        })
        .unwrap()
    }

    /// Follows to the end and gives the exit code and what is said last.
    async fn follow(&self, plan: Plan, signals: Signals) -> (u8, String, Vec<String>) {
        let cx = self.context();
        let (client, mut signals) = (self.client(), signals);
        let transcript = Transcript::new(look(&cx, false));
        let done = follow(&cx, &client, plan, transcript, &mut signals).await;
        match done {
            Ok(()) => (0, String::new(), Vec::new()),
            Err(failure) => (failure.kind.code(), failure.message, failure.hints),
        }
    }
}

fn plan() -> Plan {
    Plan::turn(
        "c".into(),
        0,
        Turn {
            id: Some("t1".into()),
            number: Some(1),
        },
    )
}

fn text(text: &str) -> Value {
    let update =
        json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}});
    let line = json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}});
    json!({"kind": "output", "stream": "acp", "data": line.to_string(), "turn_id": "t1"})
}

fn happened(stage: &str, state: &str, meta: &Value) -> Value {
    json!({"kind": "stage", "stage": stage, "state": state, "data": meta.to_string()})
}

fn turn(state: &str, number: i64, more: Value) -> Value {
    let mut meta = json!({"turn_id": format!("t{number}"), "turn_number": number});
    meta.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    happened("turn", state, &meta)
}

fn options() -> Value {
    json!([{"optionId": "yes", "name": "Allow", "kind": "allow_once"}])
}

fn open(id: &str) -> Value {
    happened(
        "request",
        "started",
        &json!({"request_id": id, "tool": "execute", "options": options(), "timeout_ms": 1000}),
    )
}

fn request(call: &Call, status: &str) -> Reply {
    let id = call.path.rsplit('/').next().unwrap();
    Reply::Json(
        200,
        json!({"data": {
            "request_id": id, "tool": "execute", "kind": "execute", "summary": "ls", "options": options(), "turn_id": "t1",
            "asked_at": "2026-01-01T00:00:00Z", "deadline": "2026-01-01T00:05:00Z", "conversation_id": "c", "status": status,
        }}),
    )
}

fn nothing(_: &Call) -> Reply {
    Reply::Json(404, json!({"error": "not_found"}))
}

#[tokio::test]
async fn a_turn_is_text_and_an_exit_code() {
    let stage = Stage::new(nothing).await;
    for event in [
        turn("started", 1, json!({})),
        text("Hel"),
        text("lo"),
        turn("done", 1, json!({"stop_reason": "end_turn"})),
        text("not ours"),
    ] {
        stage.send(&event);
    }
    assert_eq!(
        stage.follow(plan(), Signals::none()).await,
        (0, String::new(), Vec::new())
    );
    assert_eq!(stage.out.text(), "Hello\n");
}

#[tokio::test]
async fn a_failed_turn_says_why() {
    let stage = Stage::new(nothing).await;
    stage.send(&text("half"));
    stage.send(&turn(
        "failed",
        1,
        json!({"reason": "it died", "exit_code": 3}),
    ));
    assert_eq!(
        stage.follow(plan(), Signals::none()).await.1,
        "the turn failed: it died"
    );
    assert_eq!(stage.out.text(), "half\n");
}

#[tokio::test]
async fn events_are_lines_of_json_with_their_position() {
    let stage = Stage::new(nothing).await;
    let events = [text("a"), turn("done", 1, json!({}))];
    events.iter().for_each(|event| stage.send(event));
    stage
        .follow(
            Plan {
                json: true,
                ..plan()
            },
            Signals::none(),
        )
        .await;
    let lines: Vec<Value> = stage
        .out
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (lines.len(), &lines[0]["id"], &lines[1]["stage"]),
        (2, &json!(1), &json!("turn"))
    );
}

#[tokio::test]
async fn off_a_terminal_it_says_how_to_answer_and_goes_on() {
    let stage = Stage::new(|call| request(call, "open")).await;
    stage.send(&open("0.ab"));
    let (err, log) = (stage.err.clone(), stage.log.clone());
    let answer = async {
        // Somebody else answers once it is said how.
        err.until(|text| text.contains("fountain requests answer 0.ab --option yes"))
            .await;
        let done = happened(
            "request",
            "done",
            &json!({"request_id": "0.ab", "outcome": "answered", "option_id": "yes"}),
        );
        log.send(&done);
        log.send(&turn("done", 1, json!({})));
    };
    let (done, ()) = tokio::join!(stage.follow(plan(), Signals::none()), answer);
    assert_eq!(done.0, 0);
    assert!(
        stage.err.text().contains("✓ allowed: ls (Allow)"),
        "{}",
        stage.err.text()
    );
}

#[tokio::test]
async fn a_turn_that_waits_exits_with_seven_when_that_is_wanted() {
    let waiting = json!({"stop_reason": "waiting", "waiting": true, "waiting_request_ids": ["0.ab"], "waiting_deadline": "2999-01-01T00:00:00Z"});
    for (exit_waiting, code) in [(true, 7), (false, 0)] {
        let stage = Stage::new(|call| request(call, "open")).await;
        stage.send(&open("0.ab"));
        stage.send(&turn("done", 1, waiting.clone()));
        assert_eq!(
            stage
                .follow(
                    Plan {
                        exit_waiting,
                        ..plan()
                    },
                    Signals::none()
                )
                .await
                .0,
            code
        );
        let err = stage.err.text();
        assert!(
            err.contains("waits for a person") && err.contains("--option yes"),
            "{err}"
        );
    }
}

#[tokio::test]
async fn waiting_follows_into_the_resume_turn() {
    let stage = Stage::new(|call| request(call, "open")).await;
    for event in [
        open("0.ab"),
        turn(
            "done",
            1,
            json!({"waiting": true, "waiting_request_ids": ["0.ab"]}),
        ),
        happened(
            "request",
            "done",
            &json!({"request_id": "0.ab", "outcome": "answered", "option_id": "yes"}),
        ),
        turn("started", 2, json!({})),
        text("resumed"),
        turn("failed", 2, json!({"reason": "no"})),
    ] {
        stage.send(&event);
    }
    let done = stage
        .follow(
            Plan {
                until: Until::Answered,
                ..plan()
            },
            Signals::none(),
        )
        .await;
    assert_eq!((done.0, done.1.as_str()), (1, "the turn failed: no"));
    assert_eq!(stage.out.text(), "resumed\n");
}

#[tokio::test]
async fn ctrl_c_stops_the_turn_once_and_then_leaves_it() {
    let stage = Stage::new(|_| Reply::Json(204, json!({}))).await;
    stage.send(&text("half a li"));
    let (send, signals) = Signals::scripted();
    let fake = stage.fake.clone();
    let out = stage.out.clone();
    let press = async {
        out.until(|text| text == "half a li").await;
        send.send(Signal::Interrupt).unwrap();
        fake.called("POST /api/conversations/c/interrupt").await;
        send.send(Signal::Interrupt).unwrap();
    };
    let (done, ()) = tokio::join!(stage.follow(plan(), signals), press);
    assert_eq!((done.0, done.1.as_str()), (130, ""));
    assert!(
        done.2[0].contains("fountain conv stream c --turn"),
        "{:?}",
        done.2
    );
    assert_eq!(stage.fake.count("POST /api/conversations/c/interrupt"), 1);
    assert_eq!(stage.out.text(), "half a li\n");
}

#[tokio::test]
async fn a_stopped_turn_exits_with_130() {
    let stage = Stage::new(|_| Reply::Json(204, json!({}))).await;
    let (send, signals) = Signals::scripted();
    send.send(Signal::Interrupt).unwrap();
    let (fake, log) = (stage.fake.clone(), stage.log.clone());
    stage.send(&turn("started", 1, json!({})));
    let end = async {
        fake.called("POST /api/conversations/c/interrupt").await;
        log.send(&turn("interrupted", 1, json!({"reason": "interrupted"})));
    };
    let (done, ()) = tokio::join!(stage.follow(plan(), signals), end);
    assert_eq!(done, (130, String::new(), Vec::new()));
}

#[tokio::test]
async fn a_signal_to_end_is_143_and_stops_nothing() {
    let stage = Stage::new(nothing).await;
    let (send, signals) = Signals::scripted();
    send.send(Signal::Terminate).unwrap();
    assert_eq!(stage.follow(plan(), signals).await.0, 143);
    assert!(stage.fake.calls().iter().all(|call| call.method == "GET"));
}

#[tokio::test]
async fn a_time_limit_bounds_the_waiting_and_not_the_turn() {
    let stage = Stage::new(nothing).await;
    let limited = Plan {
        timeout: Some(Duration::from_millis(50)),
        ..plan()
    };
    let (code, said, hints) = stage.follow(limited, Signals::none()).await;
    assert_eq!((code, hints.len()), (1, 1));
    assert!(said.starts_with("not over after"), "{said}");
    assert!(stage.fake.calls().iter().all(|call| call.method == "GET"));
}

#[tokio::test]
async fn a_conversation_that_is_gone_or_over_is_told() {
    let fake = Fake::start(nothing).await;
    let stage = Stage {
        fake,
        log: Log::default(),
        out: Written::default(),
        err: Written::default(),
    };
    let (code, said, _) = stage.follow(plan(), Signals::none()).await;
    assert_eq!((code, said.as_str()), (3, "the conversation c is gone"));

    let stage = Stage::new(|_| {
        let conversation: Value = serde_json::from_str(CONVERSATION).unwrap();
        Reply::Json(200, json!({ "data": conversation }))
    })
    .await;
    stage.send(&happened("terminate", "done", &json!({})));
    let (code, said, _) = stage.follow(plan(), Signals::none()).await;
    assert_eq!((code, said.as_str()), (1, "the conversation is terminated"));
}

const CONVERSATION: &str = r#"{"id": "c", "runtime": "acp", "status": "terminated", "source": "api", "turn_count": 1,
    "last_active_at": "2026-01-01T00:00:00Z", "inserted_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}"#;

#[tokio::test]
async fn a_replay_ends_with_what_is_stored_and_asks_nothing() {
    let stage = Stage::new(|call| panic!("nothing else is asked: {}", call.line())).await;
    for event in [open("0.ab"), text("old"), turn("done", 1, json!({}))] {
        stage.send(&event);
    }
    let replay = Plan {
        until: Until::Gone,
        turn: Turn::default(),
        wait: false,
        stops: false,
        ..plan()
    };
    assert_eq!(stage.follow(replay, Signals::none()).await.0, 0);
    assert_eq!(stage.out.text(), "old\n");
}

#[tokio::test]
async fn a_revoked_key_is_told_with_its_exit_code() {
    let fake = Fake::start(|_| Reply::Json(401, json!({"reason": "api_key_revoked"}))).await;
    let stage = Stage {
        fake,
        log: Log::default(),
        out: Written::default(),
        err: Written::default(),
    };
    let (code, said, _) = stage.follow(plan(), Signals::none()).await;
    assert_eq!(code, 4);
    assert!(said.contains("api_key_revoked"), "{said}");
}
