//! What is promised of `client`, as tests.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fountain_core::api::events::END;
use serde_json::json;

use super::fake::{Call, Fake, Reply};
use super::*;

fn client(fake: &Fake) -> Client {
    settings(fake, |_| {})
}

fn settings(fake: &Fake, change: impl FnOnce(&mut Settings)) -> Client {
    let mut settings = Settings {
        base_url: fake.base.clone(),
        key: Some("ftn_k\n".into()),
        ..Settings::default()
    };
    change(&mut settings);
    Client::new(settings)
        .unwrap()
        .with_stream_pause(Duration::from_millis(1))
}

#[tokio::test]
async fn a_call_carries_the_key_and_the_parent() {
    let fake = Fake::start(|_| Reply::Json(200, json!({"data": []}))).await;
    let client = settings(&fake, |s| s.parent = Some("p1".into()));
    assert!(client.agents(Some("a b&c")).await.unwrap().is_empty());
    let call = &fake.calls()[0];
    assert_eq!(
        (call.line().as_str(), call.query.as_str()),
        ("GET /api/agents", "search=a%20b%26c")
    );
    assert_eq!(call.header("authorization"), Some("Bearer ftn_k"));
    assert_eq!(call.header("x-fountain-parent-conversation-id"), Some("p1"));
}

#[tokio::test]
async fn each_refusal_is_told_apart() {
    let fake = Fake::start(|call| match call.path.as_str() {
        "/api/auth/me" => Reply::Json(401, json!({"error": "No.", "reason": "api_key_revoked"})),
        "/api/agents/x" => Reply::Json(
            404,
            json!({"error": "not_found", "message": "There is none."}),
        ),
        "/health" => Reply::Bytes("text/html", b"<html>".to_vec()),
        "/health/ready" => Reply::Json(502, json!("a gateway")),
        "/api/agents/y" => Reply::Json(404, json!({"detail": "Not Found"})),
        _ => Reply::Json(200, json!({"data": 5})),
    })
    .await;
    let client = client(&fake);
    let rejected = client.me().await.unwrap_err();
    assert_eq!(
        rejected.to_string(),
        format!(
            "credentials for {} were rejected (api_key_revoked)",
            fake.base
        )
    );
    let missing = client.agent("x").await.unwrap_err();
    assert!(missing.is_not_found());
    assert_eq!(
        (missing.code(), missing.to_string().as_str()),
        ("not_found", "There is none.")
    );
    assert!(matches!(client.agents(None).await, Err(Error::Protocol(_))));
    let foreign = client.agent("y").await.unwrap_err();
    assert_eq!(
        foreign.to_string(),
        format!(
            "what answers at {} is no Fountain: it answered 404 Not Found",
            fake.base
        )
    );
    assert!(!foreign.is_not_found());
    assert!(matches!(client.health().await, Err(Error::Foreign { .. })));
    assert_eq!(client.ready().await.unwrap_err().status(), Some(502));
}

#[tokio::test]
async fn nothing_listening_is_told_at_once_with_its_cause() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let client = Client::new(Settings {
        base_url: base.clone(),
        ..Settings::default()
    })
    .unwrap();
    let Err(Error::Unreachable { base: told, cause }) = client.health().await else {
        panic!("it answered")
    };
    assert_eq!(told, base);
    assert!(cause.contains("refused"), "{cause}");
}

fn frame(id: i64) -> String {
    format!(
        "id: {id}\nevent: output\ndata: {}\n\n",
        json!({"kind": "output", "stream": "acp", "data": format!("line {id}")})
    )
}

const START: From<'static> = From {
    after: 0,
    streams: "",
    blocks: false,
    wait: true,
};

/// Id and line of the next event, or nothing at the end of a stream that does not wait.
async fn next(follow: &mut Follow) -> Result<Option<(i64, Option<String>)>, Error> {
    loop {
        if let Some(event) = follow.buffered() {
            return Ok(Some((event.id, event.acp().map(str::to_owned))));
        }
        if !follow.fill().await? {
            return Ok(None);
        }
    }
}

fn after(call: &Call) -> i64 {
    call.header("last-event-id").unwrap().parse().unwrap()
}

/// Follows until `last` was given, and gives the ids.
async fn ids(mut follow: Follow, last: i64) -> Vec<i64> {
    let mut ids = Vec::new();
    while let Some((id, line)) = next(&mut follow).await.unwrap() {
        assert_eq!(line, Some(format!("line {id}")));
        ids.push(id);
        if id == last {
            break;
        }
    }
    ids
}

#[tokio::test]
async fn a_stream_cut_at_every_byte_gives_each_event_once() {
    let whole: String = (1..=4).map(frame).collect::<String>() + ": heartbeat\n\n";
    let length = whole.len();
    let first = std::sync::Mutex::new(std::collections::HashSet::new());
    let fake = Fake::start(move |call| {
        // The conversation's name says where its first connection is cut, and how.
        let name = call.path.split('/').nth(3).unwrap();
        let (cut, clean) = name.split_once('-').unwrap();
        if first.lock().unwrap().insert(name.to_owned()) {
            Reply::events(&whole.as_bytes()[..cut.parse().unwrap()], clean == "cut")
        } else {
            Reply::events(
                ((after(call) + 1)..=4)
                    .map(frame)
                    .collect::<String>()
                    .as_bytes(),
                false,
            )
        }
    })
    .await;
    let client = client(&fake);
    for cut in 0..=length {
        for end in ["clean", "cut"] {
            let follow = client.follow(&format!("{cut}-{end}"), START);
            assert_eq!(ids(follow, 4).await, [1, 2, 3, 4], "{end} at {cut}");
        }
    }
}

/// A proxy that knows no chunks ends a stream like any other, wherever it is.
#[tokio::test]
async fn a_replay_that_is_cut_off_is_no_whole_one() {
    let whole: String = (1..=4).map(frame).collect();
    let length = whole.len();
    let first = std::sync::Mutex::new(std::collections::HashSet::new());
    let fake = Fake::start(move |call| {
        let cut: usize = call.path.split('/').nth(3).unwrap().parse().unwrap();
        if first.lock().unwrap().insert(cut) {
            return Reply::events(&whole.as_bytes()[..cut], false);
        }
        let rest: String = ((after(call) + 1)..=4).map(frame).collect();
        Reply::events((rest + END).as_bytes(), false)
    })
    .await;
    let client = client(&fake);
    for cut in 1..=length {
        let from = From {
            wait: false,
            ..START
        };
        let mut follow = client.follow(&cut.to_string(), from);
        let mut seen = Vec::new();
        while let Some((id, _)) = next(&mut follow).await.unwrap() {
            seen.push(id);
        }
        assert_eq!(seen, [1, 2, 3, 4], "cut at {cut}");
    }
}

#[tokio::test]
async fn a_connection_that_never_gives_a_whole_event_is_given_up() {
    for wait in [true, false] {
        let fake = Fake::start(|_| Reply::events(&frame(1).as_bytes()[..9], false)).await;
        let mut follow = client(&fake).follow("c", From { wait, ..START });
        let error = next(&mut follow).await.unwrap_err().to_string();
        assert!(error.contains("in the middle of an event"), "{error}");
        assert_eq!(fake.calls().len(), 5);
    }
}

#[tokio::test]
async fn a_stream_that_does_not_wait_ends() {
    let fake = Fake::start(|call| {
        assert_eq!(call.query, "streams=acp%2Cstage&wait=false");
        assert_eq!(after(call), 7);
        Reply::events(format!("{}{}{END}", frame(8), frame(9)).as_bytes(), false)
    })
    .await;
    let from = From {
        after: 7,
        streams: "acp,stage",
        blocks: false,
        wait: false,
    };
    let mut follow = client(&fake).follow("c", from);
    let mut seen = Vec::new();
    while let Some((id, _)) = next(&mut follow).await.unwrap() {
        seen.push(id);
    }
    assert_eq!((seen, follow.cursor()), (vec![8, 9], 9));
}

#[tokio::test]
async fn five_failures_in_a_row_are_fatal_and_a_byte_starts_the_count_anew() {
    let calls = AtomicUsize::new(0);
    let fake = Fake::start(move |_| match calls.fetch_add(1, Ordering::SeqCst) {
        0..4 => Reply::Json(503, json!({"error": "provisioning"})),
        4 => Reply::events(frame(1).as_bytes(), true),
        _ => Reply::Json(500, json!({})),
    })
    .await;
    let mut follow = client(&fake).follow("c", START);
    assert_eq!(next(&mut follow).await.unwrap().unwrap().0, 1);
    assert_eq!(next(&mut follow).await.unwrap_err().status(), Some(500));
    assert_eq!(fake.count("GET /api/conversations/c/stream"), 9);
}

#[tokio::test]
async fn a_refused_stream_is_not_tried_again() {
    for status in [401, 403, 404, 400] {
        let fake = Fake::start(move |_| Reply::Json(status, json!({"error": "no"}))).await;
        let mut follow = client(&fake).follow("c", START);
        assert_eq!(next(&mut follow).await.unwrap_err().status(), Some(status));
        assert_eq!(fake.calls().len(), 1);
    }
}

#[tokio::test]
async fn silence_is_fatal_and_a_heartbeat_is_none() {
    let (send, pieces) = tokio::sync::mpsc::unbounded_channel();
    let pieces = std::sync::Mutex::new(Some(pieces));
    let fake = Fake::start(move |_| Reply::Stream(pieces.lock().unwrap().take().unwrap())).await;
    let client = settings(&fake, |s| s.stream_idle = Some(Duration::from_millis(300)));
    let mut follow = client.follow("c", START);
    let start = std::time::Instant::now();
    send.send(frame(1).into_bytes()).unwrap();
    assert_eq!(next(&mut follow).await.unwrap().unwrap().0, 1);
    let beats = tokio::spawn(async move {
        let mut beat = tokio::time::interval(Duration::from_millis(50));
        for _ in 0..10 {
            beat.tick().await;
            send.send(b": heartbeat\n\n".to_vec()).unwrap();
        }
        send
    });
    let error = next(&mut follow).await.unwrap_err().to_string();
    assert!(error.contains("not one byte"), "{error}");
    assert!(
        start.elapsed() > Duration::from_millis(600),
        "heartbeats did not count"
    );
    drop(beats.await.unwrap());
}

/// Not a bound that fails on a slow machine: it prints what one core does with a long stream.
#[tokio::test]
async fn a_long_stream_is_read_whole() {
    const EVENTS: i64 = 20_000;
    let text: String = (1..=EVENTS).map(frame).collect();
    let fake = Fake::start(move |_| Reply::events(text.as_bytes(), false)).await;
    let from = From {
        wait: false,
        ..START
    };
    let mut follow = client(&fake).follow("c", from);
    let mut count = 0;
    while follow.fill().await.unwrap() {
        while let Some(event) = follow.buffered() {
            count += 1;
            assert_eq!(event.id, count);
        }
    }
    assert_eq!(count, EVENTS);
}
