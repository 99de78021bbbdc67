//! The events page: shapes, limits, cursors, filters.

use serde_json::{Value, json};

use super::kit::Daemon;

#[tokio::test]
async fn an_event_has_the_shape_that_clients_read() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    let accepted = chat.prompt("say hi").await;
    chat.end(&accepted).await;
    let page = daemon.get(&chat.path("/events")).await.is(200);
    let events = page["data"].as_array().unwrap();
    for event in events {
        assert!(event["id"].is_i64() && event["data"].is_string(), "{event}");
        assert!(event["ts"].as_str().unwrap().ends_with('Z'), "{event}");
        assert_eq!(event["turn_id"], accepted["turn_id"], "{event}");
        let stage = event["kind"] == "stage";
        assert_eq!(event["stream"].is_null(), stage, "{event}");
        assert_eq!(
            event["stage"].is_string() && event["state"].is_string(),
            stage,
            "{event}"
        );
        assert!(
            !stage
                || serde_json::from_str::<Value>(event["data"].as_str().unwrap())
                    .unwrap()
                    .is_object()
        );
        let closing = stage && event["state"] != "started";
        assert_eq!(event["duration_ms"].is_i64(), closing, "{event}");
    }
    assert_eq!(
        page["meta"],
        json!({"limit": 100, "has_more": false, "next_cursor": events.last().unwrap()["id"]})
    );
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    chat.say("flood 25").await;
    let all = chat.events().await;
    let total = all.len();
    for limit in [1, 7, total - 1, total, total + 1] {
        let (mut after, mut seen) = (json!(0), Vec::new());
        loop {
            let path = chat.path(&format!("/events?after={after}&limit={limit}"));
            let page = daemon.get(&path).await.is(200);
            let rows = page["data"].as_array().unwrap();
            seen.extend(rows.iter().map(|row| row["id"].clone()));
            assert_eq!(page["meta"]["next_cursor"], *seen.last().unwrap());
            if page["meta"]["has_more"] == false {
                break;
            }
            assert_eq!(rows.len(), limit);
            after = page["meta"]["next_cursor"].clone();
        }
        let expect: Vec<Value> = all.iter().map(|event| event["id"].clone()).collect();
        assert_eq!(seen, expect, "by {limit}");
    }
    let end = daemon
        .get(&chat.path("/events?after=9223372036854775807"))
        .await
        .is(200);
    assert_eq!(
        end,
        json!({"data": [], "meta": {"limit": 100, "has_more": false, "next_cursor": null}})
    );
}

#[tokio::test]
async fn a_filter_has_more_only_when_it_lets_more_through() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    chat.say("flood 5").await;
    let page = async |query: &str| {
        daemon
            .get(&chat.path(&format!("/events?{query}")))
            .await
            .is(200)
    };
    let acp = page("streams=acp&limit=5").await;
    assert_eq!(
        (
            acp["data"].as_array().unwrap().len(),
            &acp["meta"]["has_more"]
        ),
        (5, &json!(false))
    );
    assert_eq!(page("streams=acp&limit=4").await["meta"]["has_more"], true);
    let stages = page("streams=stage").await;
    assert!(
        stages["data"]
            .as_array()
            .unwrap()
            .iter()
            .all(|event| event["kind"] == "stage")
    );
    assert_eq!(page("streams=stdout,stderr").await["data"], json!([]));
    assert_eq!(
        page("streams=acp,%20stage").await["data"],
        page("").await["data"]
    );
    for unknown in ["nope", "acp,nope", "acp,,stage", "ACP"] {
        daemon
            .get(&chat.path(&format!("/events?streams={unknown}")))
            .await
            .refuses(422, "invalid_streams");
    }
}

#[tokio::test]
async fn limits_and_cursors_that_are_none_are_refused() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    for limit in ["0", "-1", "x", "1.5", "", "99999999999999999999"] {
        daemon
            .get(&chat.path(&format!("/events?limit={limit}")))
            .await
            .refuses(400, "invalid_limit");
    }
    let capped = daemon.get(&chat.path("/events?limit=5000")).await.is(200);
    assert_eq!(capped["meta"]["limit"], 1000);
    for after in [
        "abc",
        "-1",
        "1e3",
        "1.5",
        "0x1",
        "99999999999999999999",
        "%2b1",
    ] {
        daemon
            .get(&chat.path(&format!("/events?after={after}")))
            .await
            .refuses(400, "invalid_cursor");
    }
    daemon.get(&chat.path("/events?after=")).await.is(200);
}

#[tokio::test]
async fn a_damaged_event_is_shown_and_the_conversation_goes_on() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    chat.say("flood 20").await;
    let before = chat.tags().await.len();
    let damage = daemon.app.store.write(|tx| {
        let sql = "UPDATE events SET body = '{broken' WHERE id = (SELECT max(id) - 5 FROM events)";
        Ok(tx.connection().execute(sql, [])?)
    });
    assert_eq!(damage.await.unwrap(), 1);
    let page = daemon.get(&chat.path("/events?limit=1000")).await.is(200);
    let events = page["data"].as_array().unwrap();
    assert_eq!(events.len(), before);
    assert_eq!(
        events
            .iter()
            .filter(|event| event["data"] == "{broken")
            .count(),
        1
    );
    let stream = daemon.stream(&chat.path("/stream?wait=false")).await;
    assert_eq!(stream.rest().await.len(), before);
    assert_eq!(chat.say("say on").await["state"], "done");
}
