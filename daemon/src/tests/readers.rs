//! Readers of streams: slow, late, many, and left without a conversation.

use std::time::Duration;

use serde_json::json;

use super::kit::{Daemon, tag};

#[tokio::test]
async fn a_stream_ends_with_its_conversation_and_shows_no_other() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    chat.say("say one").await;
    let mut stream = daemon.stream(&chat.path("/stream")).await;
    stream.until(|event| tag(event) == "turn/done").await;
    assert_eq!(daemon.delete(&chat.path("")).await.status, 204);
    let next = daemon.built_in(json!(null)).await;
    next.say("say two").await;
    let rest = stream.rest().await;
    assert!(
        rest.iter()
            .all(|frame| tag(&frame.value()) == "terminate/done"),
        "{rest:?}"
    );
    daemon
        .get(&chat.path("/stream"))
        .await
        .refuses(404, "not_found");
}

#[tokio::test]
async fn a_slow_reader_learns_that_its_conversation_is_gone() {
    let daemon =
        Daemon::with(|settings| settings.stream.idle_close = Duration::from_secs(3_600)).await;
    let chat = daemon.built_in(json!(null)).await;
    // More than the buffers between take: the daemon is in the middle of sending when it is removed.
    chat.say("flood 2000 8000").await;
    let mut stream = daemon.stream(&chat.path("/stream")).await;
    stream.frame().await.unwrap();
    assert_eq!(daemon.delete(&chat.path("")).await.status, 204);
    let next = daemon.built_in(json!(null)).await;
    next.say("say other").await;
    for frame in stream.rest().await {
        assert!(!frame.data.contains("say other"), "{frame:?}");
        assert!(!frame.data.contains("\"text\":\"other\""), "{frame:?}");
    }
}

#[tokio::test]
async fn a_slow_reader_misses_nothing_and_holds_up_nobody() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    let mut slow = daemon.stream(&chat.path("/stream")).await;
    let mut fast = daemon.stream(&chat.path("/stream")).await;
    let accepted = chat.prompt("flood 20000 200").await;
    slow.event().await.unwrap();
    // The fast one is through while the slow one has read next to nothing.
    let mut seen = 0;
    loop {
        let frame = fast.event().await.unwrap();
        seen += 1;
        if frame.event == "stage" && tag(&frame.value()) == "turn/done" {
            break;
        }
    }
    chat.end(&accepted).await;
    let mut ids = vec![1];
    while ids.len() < seen {
        ids.push(slow.event().await.unwrap().id.unwrap());
    }
    assert_eq!(ids, (1..=i64::try_from(seen).unwrap()).collect::<Vec<_>>());
    assert!(seen >= 20_000);
}

#[tokio::test]
async fn many_readers_that_come_late_each_get_everything_once() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    let accepted = chat.prompt("flood 3000\nsleep 0.1\nflood 3000").await;
    let readers = (0..12).map(async |number: i64| {
        let mut stream = daemon
            .stream(&chat.path(&format!("/stream?after={}", number * 100)))
            .await;
        let mut ids = Vec::new();
        loop {
            let frame = stream.event().await.unwrap();
            ids.push(frame.id.unwrap());
            if frame.event == "stage" && tag(&frame.value()) == "turn/done" {
                return (number * 100, ids);
            }
        }
    });
    let all = futures_util::future::join_all(readers).await;
    chat.end(&accepted).await;
    let last = *all[0].1.last().unwrap();
    for (from, ids) in all {
        assert_eq!(ids, (from + 1..=last).collect::<Vec<_>>(), "from {from}");
    }
}

#[tokio::test]
async fn streams_end_when_the_daemon_stops() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    let accepted = chat.prompt("sleep 30").await;
    let mut streams = vec![
        daemon.stream(&chat.path("/stream")).await,
        daemon.stream(&chat.path("/stream")).await,
    ];
    for stream in &mut streams {
        stream.until(|event| tag(event) == "turn/started").await;
    }
    let _ = accepted;
    let stopping = daemon.stop();
    let reading = async {
        for mut stream in streams {
            let mut last = None;
            while let Some(frame) = stream.frame().await {
                last = Some(frame);
            }
            assert_eq!(last.unwrap().comment.as_deref(), Some("stopping"));
        }
    };
    tokio::join!(stopping, reading);
}
