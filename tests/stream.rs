//! The stream of a conversation: replay and live are one loop, so nothing is lost and nothing comes twice.

mod cuts;

use std::thread;

use serde_json::{Value, json};

use crate::kit::{Frame, Home, random};

/// The numbers of a flood.
fn numbers(frames: &[Frame]) -> Vec<u32> {
    frames
        .iter()
        .filter_map(|frame| frame.text()?.split_whitespace().next()?.parse().ok())
        .collect()
}

#[test]
fn cut_at_any_point_it_goes_on_where_it_was() {
    let mut random = random();
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("flood 5000");
    let mut frames: Vec<Frame> = Vec::new();
    let mut cuts = 0;
    while !frames.last().is_some_and(Frame::ends_a_turn) {
        let after = frames.last().map_or(launched.after, |frame| frame.id);
        let bytes = random.usize(1..30_000);
        for frame in http.stream(&launched.id, after).cut_after(bytes) {
            let over = frame.ends_a_turn();
            frames.push(frame);
            if over {
                break;
            }
        }
        cuts += 1;
    }
    assert!(cuts >= 50, "{cuts} cuts");
    assert!(frames.is_sorted_by(|a, b| a.id < b.id));
    assert!(numbers(&frames).into_iter().eq(1..=5_000));
    let stored = http.events(&launched.id);
    let stored = stored
        .iter()
        .filter(|event| event["id"].as_i64() > Some(launched.after));
    assert!(
        stored
            .map(|event| event["id"].as_i64().unwrap())
            .eq(frames.iter().map(|frame| frame.id))
    );
}

#[test]
fn early_late_and_slow_readers_see_the_same() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("flood 3000 300\nslow 1\nflood 3000");
    let read = |cut: usize| {
        let (http, id) = (http.clone(), launched.id.clone());
        thread::spawn(move || {
            let mut frames: Vec<Frame> = Vec::new();
            while !frames.last().is_some_and(Frame::ends_a_turn) {
                let after = frames.last().map_or(0, |frame| frame.id);
                let stream = http.stream(&id, after).cut_after(cut);
                for frame in stream {
                    let over = frame.ends_a_turn();
                    frames.push(frame);
                    if over {
                        break;
                    }
                }
            }
            frames
        })
    };
    let mut readers: Vec<_> = [usize::MAX, 100_000, usize::MAX].map(read).into();
    http.ended(&launched.id);
    readers.push(read(usize::MAX));
    let mut seen = readers.into_iter().map(|reader| reader.join().unwrap());
    let first = seen.next().unwrap();
    assert!(numbers(&first).into_iter().eq((1..=3_000).chain(1..=3_000)));
    for frames in seen {
        assert!(
            frames == first,
            "{} and {} frames",
            frames.len(),
            first.len()
        );
    }
}

#[test]
fn text_cannot_pose_as_an_event() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let texts = [
        "a\r\n\r\nevent: stage\ndata: {\"stage\":\"turn\",\"state\":\"done\"}\n\n",
        "id: 999999999\n\n",
        "\u{2028}\u{2029}\u{85}\u{0}\u{feff}",
        ": comment\nretry: 1",
        "漢字 한글 🎉 é",
    ];
    let update = |text: &&str| {
        let content = json!({"type": "text", "text": text});
        format!(
            "update {}\n",
            json!({"sessionUpdate": "agent_message_chunk", "content": content})
        )
    };
    let prompt: String = texts.iter().map(update).collect();
    let launched = http.launch(&prompt);
    http.ended(&launched.id);
    let frames: Vec<Frame> = http
        .stream(&launched.id, launched.after)
        .take_while(|frame| !frame.ends_a_turn())
        .collect();
    let said: Vec<String> = frames.iter().filter_map(Frame::text).collect();
    assert_eq!(said, texts);
    assert!(
        frames
            .iter()
            .all(|frame| frame.event == frame.data["kind"].as_str().unwrap())
    );
}

#[test]
fn a_reader_says_where_and_what() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("say one\nstderr two");
    http.ended(&launched.id);
    let all = http.events(&launched.id);
    let path = |query: &str| format!("/api/conversations/{}/events?{query}", launched.id);
    let middle = all[all.len() / 2]["id"].as_i64().unwrap();
    let rest = http.get(&path(&format!("after={middle}")));
    assert_eq!(rest.as_array().unwrap()[..], all[all.len() / 2 + 1..]);
    for (query, streams) in [
        ("streams=acp", &["acp"][..]),
        ("streams=stderr,acp", &["acp", "stderr"]),
    ] {
        let page = http.get(&path(query));
        let page = page.as_array().unwrap();
        assert!(!page.is_empty());
        let fits = |event: &Value| {
            event["stream"]
                .as_str()
                .is_some_and(|stream| streams.contains(&stream))
        };
        assert!(page.iter().all(fits), "{query}: {page:?}");
    }
    http.try_get(&path("after=yesterday"))
        .refused(400, "invalid_cursor");
    http.try_get(&path("streams=tea"))
        .refused(422, "invalid_streams");
    let stranger = "/api/conversations/00000000-0000-7000-8000-000000000000/events";
    http.try_get(stranger).refused(404, "not_found");
}

#[test]
fn a_stream_ends_with_its_conversation() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("say hi");
    http.ended(&launched.id);
    let stream = http.stream(&launched.id, 0);
    let reader = thread::spawn(move || stream.count());
    let _ = home.run(&["conv", "delete", &launched.id, "--yes"]).ok();
    assert!(reader.join().unwrap() > 0);
}

/// Silence is no end: the connection is closed and taken up again, and nothing is shown twice.
#[test]
fn a_quiet_turn_is_followed_over_reconnections() {
    let home = Home::new()
        .with("FOUNTAIN_STREAM__IDLE_CLOSE", "1s")
        .with("FOUNTAIN_STREAM__HEARTBEAT", "300ms");
    let _daemon = home.daemon();
    let done = home
        .run(&["run", "demo", "-p", "say before\nsleep 4\nsay after"])
        .ok();
    assert_eq!(done.out, "beforeafter\n");
}
