//! A disk that is full in the middle of a turn.

use serde_json::{Value, json};

use super::kit::chat::Chat;
use super::kit::{Daemon, until};

/// Lets the database grow by this many pages; none is any number.
async fn room(daemon: &Daemon, pages: Option<i64>) {
    let set = daemon.app.store.write(move |tx| {
        let db = tx.connection();
        let now: i64 = db.query_row("PRAGMA page_count", [], |row| row.get(0))?;
        let most = pages.map_or(1_000_000_000, |more| now + more);
        Ok(
            db.query_row(&format!("PRAGMA max_page_count = {most}"), [], |row| {
                row.get::<_, i64>(0)
            })?,
        )
    });
    set.await.unwrap();
}

/// The numbers of a flood that were stored.
async fn stored(chat: &Chat<'_>, turn: &Value) -> Vec<usize> {
    let said = chat.text(turn).await;
    let words = said.split_whitespace().map(|word| word.trim_matches('.'));
    words.filter_map(|word| word.parse().ok()).collect()
}

#[tokio::test]
async fn the_turn_fails_in_words_and_it_works_again_once_there_is_room() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted(&flood(), json!(null)).await;
    let other = daemon.built_in(json!(null)).await;
    chat.say("x").await;
    other.say("say hi").await;
    room(&daemon, Some(20)).await;
    let accepted = chat.prompt("y").await;
    until("its agent was stopped", async || {
        chat.processes().await.is_empty()
    })
    .await;
    // The daemon lives, and says what is wrong.
    daemon.get("/health").await.is(200);
    daemon.get(&chat.path("/events")).await.is(200);
    let refused = other.try_prompt(&"x".repeat(100_000)).await;
    assert!(
        refused.refuses(500, "store_failed")["message"]
            .as_str()
            .unwrap()
            .contains("full")
    );
    room(&daemon, None).await;
    let end = chat.end(&accepted).await;
    assert_eq!(end["state"], "failed");
    assert!(
        end["reason"]
            .as_str()
            .unwrap()
            .contains("could not be stored"),
        "{end}"
    );
    assert_eq!(
        (
            chat.status().await.as_str(),
            &chat.turns().await[1]["status"]
        ),
        ("idle", &json!("failed"))
    );
    // What is there is what was said, up to a point, and nothing after it.
    let numbers = stored(&chat, &accepted).await;
    assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>());
    assert!(numbers.len() < 400);
    assert_eq!(chat.say("x").await["state"], "done");
    assert_eq!(other.say("say hi").await["state"], "done");
}

/// The second prompt is answered with more than there is room for, in many small writes.
fn flood() -> String {
    let padding = "x".repeat(900);
    let chunks: String = (1..=400)
        .map(|number| {
            format!(
                "chunk  {number} {padding}\n{}",
                if number % 20 == 0 { "sleep 2\n" } else { "" }
            )
        })
        .collect();
    format!(
        "on session/prompt\nrespond end_turn\non session/prompt\n{chunks}respond end_turn\nprocess 2"
    )
}

#[tokio::test]
async fn an_agent_that_dies_while_the_disk_is_full_does_not_wedge_its_conversation() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nrespond end_turn\non session/prompt\nwait cancel\nprocess 2",
            json!(null),
        )
        .await;
    chat.say("x").await;
    let accepted = chat.prompt("y").await;
    chat.event(&accepted["after"], "turn/started").await;
    refuse(&daemon, true).await;
    chat.kill_agent().await;
    until("its agent is gone", async || {
        chat.processes().await.is_empty()
    })
    .await;
    // It is tried again and again, and each time it is as it was.
    tokio::time::sleep(std::time::Duration::from_millis(1_200)).await;
    assert_eq!(chat.turns().await[1]["status"], "running");
    chat.try_prompt("z").await.refuses(400, "conversation_busy");
    refuse(&daemon, false).await;
    assert_eq!(chat.end(&accepted).await["state"], "failed");
    assert_eq!(chat.say("z").await["state"], "done");
}

/// Refuses every event from now on, or takes them again.
async fn refuse(daemon: &Daemon, refused: bool) {
    let sql = if refused {
        "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no room'); END"
    } else {
        "DROP TRIGGER full"
    };
    let set = daemon
        .app
        .store
        .write(move |tx| Ok(tx.connection().execute(sql, [])?));
    set.await.unwrap();
}

#[tokio::test]
async fn an_end_that_cannot_be_stored_is_no_end() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\npost 1 execute x\nrespond waiting\nprocess 2";
    let chat = daemon.scripted(scenario, json!({"default": "ask"})).await;
    chat.say("x").await;
    let request = chat.request().await;
    refuse(&daemon, true).await;
    let ended = daemon.call("POST", &chat.path("/terminate")).send().await;
    ended.refuses(500, "store_failed");
    chat.pick(&request, "yes")
        .await
        .refuses(500, "store_failed");
    assert_eq!(chat.status().await, "idle");
    assert_eq!(chat.request().await, request);
    refuse(&daemon, false).await;
    chat.pick(&request, "yes").await.is(200);
    until("the agent was told", async || {
        chat.heard_times("fountain/permission_answer") == 1
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_cannot_be_stored_is_not_given() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\nask 1 execute x\nrespond end_turn";
    let chat = daemon.scripted(scenario, json!({"default": "ask"})).await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    refuse(&daemon, true).await;
    chat.pick(&request, "yes")
        .await
        .refuses(500, "store_failed");
    chat.interrupt().await.refuses(500, "store_failed");
    assert_eq!(chat.request().await, request);
    assert_eq!(
        (
            chat.heard_times("outcome"),
            chat.heard_times("session/cancel")
        ),
        (0, 0)
    );
    refuse(&daemon, false).await;
    chat.pick(&request, "no").await.is(200);
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert_eq!(chat.text(&accepted).await, "1: no\n");
}

#[tokio::test]
async fn a_request_that_cannot_be_stored_is_not_held() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\nchunk half\ngate asks\nask 1 execute x\nhang";
    let chat = daemon.scripted(scenario, json!({"default": "ask"})).await;
    let accepted = chat.prompt("x").await;
    chat.event(&accepted["after"], "acp").await;
    refuse(&daemon, true).await;
    chat.open_gate("asks");
    until("its agent was stopped", async || {
        chat.processes().await.is_empty()
    })
    .await;
    assert_eq!(chat.show().await["pending_requests"], json!([]));
    assert_eq!(
        chat.heard_times("\"outcome\":\"selected\""),
        0,
        "nothing was permitted"
    );
    refuse(&daemon, false).await;
    let end = chat.end(&accepted).await;
    assert_eq!(end["state"], "failed");
    assert!(end["reason"].as_str().unwrap().contains("no room"), "{end}");
    assert!(chat.stages("request/started").await.is_empty());
}

#[tokio::test]
async fn a_daemon_that_cannot_store_is_not_ready_until_it_can() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    room(&daemon, Some(0)).await;
    chat.try_prompt(&"x".repeat(100_000))
        .await
        .refuses(500, "store_failed");
    let unready = daemon.get("/health/ready").await.is(503);
    assert_eq!(unready["checks"]["database"], "failed");
    daemon.get("/health").await.is(200);
    room(&daemon, None).await;
    daemon.get("/health/ready").await.is(200);
}
