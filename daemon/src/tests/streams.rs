//! Streams: replay and live are the same, nothing is lost, nothing is made up.

use std::time::Duration;

use serde_json::{Value, json};

use super::kit::stream::{Frame, Stream};
use super::kit::{Daemon, tag};

const BUSY: &str = "say one\nthink two\nplan a; b\nask execute three\ntitle four\nupdate {\"sessionUpdate\":\"x_future\",\"n\":1.10}\nsay last";

#[tokio::test]
async fn what_is_replayed_is_what_was_live_for_every_filter() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!({"execute": "auto_deny"})).await;
    let filters = [
        "",
        "?streams=",
        "?streams=acp",
        "?streams=stage",
        "?streams=stdout,stderr",
        "?streams=stage,acp",
        "?streams=acp,stderr",
    ];
    let mut live = Vec::new();
    for filter in filters {
        live.push(daemon.stream(&chat.path(&format!("/stream{filter}"))).await);
    }
    chat.say(BUSY).await;
    chat.say("say again").await;
    for (filter, mut stream) in filters.into_iter().zip(live) {
        let and = if filter.is_empty() { "?" } else { "&" };
        let path = chat.path(&format!("/stream{filter}{and}wait=false"));
        let replay = daemon.stream(&path).await.rest().await;
        let mut seen = Vec::new();
        for _ in 0..replay.len() {
            seen.push(stream.event().await.unwrap());
        }
        assert_eq!(seen, replay, "{filter}");
        let wanted = |frame: &Frame| {
            filter.is_empty()
                || filter.ends_with('=')
                || filter.contains(if frame.event == "stage" {
                    "stage"
                } else {
                    "acp"
                })
        };
        assert!(replay.iter().all(wanted), "{filter}");
        assert_eq!(replay.is_empty(), filter.contains("stdout"), "{filter}");
        // And both are the page.
        let page = daemon
            .get(&chat.path(&format!("/events{filter}{and}limit=1000")))
            .await
            .is(200);
        let rows = page["data"].as_array().unwrap();
        let ids: Vec<i64> = rows.iter().map(|row| row["id"].as_i64().unwrap()).collect();
        assert_eq!(
            replay
                .iter()
                .map(|frame| frame.id.unwrap())
                .collect::<Vec<_>>(),
            ids
        );
        for (frame, row) in replay.iter().zip(rows) {
            let mut row = row.clone();
            row.as_object_mut().unwrap().remove("id");
            assert_eq!(serde_json::from_str::<Value>(&frame.data).unwrap(), row);
        }
    }
    daemon
        .get(&chat.path("/stream?streams=nope"))
        .await
        .refuses(422, "invalid_streams");
}

#[tokio::test]
async fn a_line_that_looks_like_frames_is_one_frame() {
    let daemon = Daemon::new().await;
    let text = r"a\\r\\n\\nevent: stage\\ndata: {}\\n\\n\u2028\u0085\\u0000 b";
    let scenario = format!(
        "on session/prompt\nline {{\"method\":\"session/update\",\"params\":{{\"sessionId\":\"s1\",\"update\":{{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{{\"type\":\"text\",\"text\":\"{text}\"}}}}}}}}\nrespond end_turn"
    );
    let chat = daemon.scripted(&scenario, json!(null)).await;
    daemon
        .patch(&chat.path(""), json!({"title": "x\revent: y\n\ndata: z"}))
        .await
        .is(200);
    let accepted = chat.prompt("x").await;
    chat.end(&accepted).await;
    let said = chat.text(&accepted).await;
    assert!(
        said.contains("\r\n\nevent: stage\ndata: {}\n\n\u{2028}\u{85}"),
        "{said:?}"
    );
    let frames = daemon
        .stream(&chat.path("/stream?wait=false"))
        .await
        .rest()
        .await;
    assert_eq!(frames.len(), chat.events().await.len());
    assert_eq!(chat.show().await["title"], "x event: y data: z");
}

#[tokio::test]
async fn a_cursor_goes_on_behind_it_and_nonsense_is_refused() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    let other = daemon.built_in(json!(null)).await;
    chat.say("say one\nsay two").await;
    other.say("say three").await;
    chat.say("say four").await;
    let path = chat.path("/stream?wait=false");
    let open = async |header: &str| {
        Stream::open(daemon.call("GET", &path).header("last-event-id", header)).await
    };
    let all: Vec<i64> = daemon
        .stream(&path)
        .await
        .rest()
        .await
        .iter()
        .map(|frame| frame.id.unwrap())
        .collect();
    let foreign: Vec<i64> = other
        .events()
        .await
        .iter()
        .map(|event| event["id"].as_i64().unwrap())
        .collect();
    // From each of its own ids, and from each of another's: the rest of its own, and never another's.
    for from in all.iter().chain(&foreign) {
        let rest: Vec<i64> = open(&from.to_string())
            .await
            .rest()
            .await
            .iter()
            .map(|frame| frame.id.unwrap())
            .collect();
        let expect: Vec<i64> = all.iter().copied().filter(|id| id > from).collect();
        assert_eq!(rest, expect, "from {from}");
    }
    for start in ["", "0", " 0 ", "000"] {
        assert_eq!(open(start).await.rest().await.len(), all.len(), "{start:?}");
    }
    assert_eq!(open("99999999").await.rest().await, []);
    for nonsense in [
        "abc",
        "-1",
        "1e3",
        "1.5",
        "0x1",
        "+1",
        "99999999999999999999",
        "1,2",
    ] {
        let call = daemon.call("GET", &path).header("last-event-id", nonsense);
        call.send().await.refuses(400, "invalid_cursor");
        daemon
            .get(&chat.path(&format!(
                "/stream?wait=false&after={}",
                nonsense.replace('+', "%2b")
            )))
            .await
            .refuses(400, "invalid_cursor");
    }
    let two = daemon
        .call("GET", &path)
        .header("last-event-id", "1")
        .header("last-event-id", "2");
    two.send().await.refuses(400, "invalid_cursor");
    // The header is the newer of the two: a client that comes back keeps its address.
    let both = daemon
        .call("GET", &format!("{path}&after=0"))
        .header("last-event-id", &all.last().unwrap().to_string());
    assert_eq!(Stream::open(both).await.rest().await, []);
}

#[tokio::test]
async fn a_cursor_past_the_end_waits_for_what_comes_after_it() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    chat.say("say one").await;
    let last = chat.events().await.last().unwrap()["id"].as_i64().unwrap();
    let mut ahead = daemon
        .stream(&chat.path(&format!("/stream?after={}", last + 2)))
        .await;
    chat.say("say two").await;
    assert_eq!(ahead.event().await.unwrap().id, Some(last + 3));
}

#[tokio::test]
async fn the_head_says_what_intermediaries_must_not_do() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    let stream = Stream::open(
        daemon
            .call("GET", &chat.path("/stream"))
            .header("accept-encoding", "gzip, br"),
    )
    .await;
    let header = |name: &str| {
        stream
            .headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    };
    assert_eq!(header("content-type"), Some("text/event-stream"));
    assert_eq!(header("cache-control"), Some("no-cache, no-transform"));
    assert_eq!(header("x-accel-buffering"), Some("no"));
    assert_eq!(header("content-encoding"), None);
}

#[tokio::test]
async fn a_heartbeat_is_a_comment_of_its_own_and_every_id_is_stored() {
    let daemon =
        Daemon::with(|settings| settings.stream.heartbeat = Duration::from_millis(20)).await;
    let chat = daemon.built_in(json!(null)).await;
    let mut stream = daemon.stream(&chat.path("/stream")).await;
    let accepted = chat
        .prompt("say one\nsleep 0.2\nsay two\nsleep 0.2\nsay three")
        .await;
    let (mut beats, mut ids) = (0, Vec::new());
    loop {
        let frame = stream.frame().await.unwrap();
        match &frame.comment {
            Some(comment) => {
                assert_eq!(comment, "heartbeat");
                beats += 1;
            }
            None => ids.push(frame.id.unwrap()),
        }
        if frame.event == "stage" && tag(&frame.value()) == "turn/done" {
            break;
        }
    }
    assert!(beats >= 4, "{beats}");
    chat.end(&accepted).await;
    let stored: Vec<i64> = chat
        .events()
        .await
        .iter()
        .map(|event| event["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids, stored);
}

#[tokio::test]
async fn a_stream_without_events_is_closed_after_a_while() {
    let daemon = Daemon::with(|settings| {
        settings.stream.heartbeat = Duration::from_millis(200);
        settings.stream.idle_close = Duration::from_millis(700);
    })
    .await;
    let chat = daemon.built_in(json!(null)).await;
    let mut stream = daemon.stream(&chat.path("/stream")).await;
    let mut comments = Vec::new();
    while let Some(frame) = stream.frame().await {
        comments.push(frame.comment.expect("nothing happened"));
    }
    assert_eq!(comments.pop().as_deref(), Some("idle"));
    assert!(
        !comments.is_empty() && comments.iter().all(|comment| comment == "heartbeat"),
        "{comments:?}"
    );
    // Events keep it open: what counts is the time since the last of them.
    chat.say("say one").await;
    let mut stream = daemon.stream(&chat.path("/stream")).await;
    chat.say("slow 1.2").await;
    let end = |event: &Value| tag(event) == "turn/done" && event["data"]["turn_number"] == 2;
    stream.until(end).await;
}

#[tokio::test]
async fn without_waiting_it_ends_where_the_log_does() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    for word in ["false", "0"] {
        let stream = daemon
            .stream(&chat.path(&format!("/stream?wait={word}")))
            .await;
        assert_eq!(stream.rest().await, []);
    }
    let accepted = chat.prompt("say one\nsleep 30").await;
    chat.event(&accepted["after"], "acp").await;
    let frames = daemon
        .stream(&chat.path("/stream?wait=false"))
        .await
        .rest()
        .await;
    assert_eq!(frames.last().unwrap().event, "output");
}
