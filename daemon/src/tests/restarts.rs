//! The daemon dies, or stops, in the middle of things; another one starts on what it left.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::kit::chat::Chat;
use super::kit::{Daemon, processes, tag, until};
use crate::conversations::{Message, Refusal};

/// The same conversation at another daemon.
fn again<'a>(daemon: &'a Daemon, id: &str, log: Option<&PathBuf>) -> Chat<'a> {
    let mut chat = Chat::of(daemon, id);
    chat.log = log.cloned();
    chat
}

fn parts(chat: &Chat<'_>) -> (String, Option<PathBuf>) {
    (chat.id.clone(), chat.log.clone())
}

#[tokio::test]
async fn a_turn_that_ran_is_interrupted_and_what_it_held_is_settled() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\nchunk half\npost 1 execute x\nhang\nprocess 2\non session/prompt\nchunk whole\nrespond end_turn";
    let chat = daemon.scripted(scenario, json!({"default": "ask"})).await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    let before = chat.events().await;
    let (id, log) = parts(&chat);
    let key = daemon.key.clone();
    let home = daemon.kill();
    let sandboxes = home.path().join("data").join("sandboxes");
    until("no process is left", async || {
        processes(&sandboxes).is_empty()
    })
    .await;

    let daemon = Daemon::on(home, |_| {}).await;
    assert_eq!(daemon.key, key, "the owner's key is the same");
    let chat = again(&daemon, &id, log.as_ref());
    let events = chat.events().await;
    assert_eq!(
        events[..before.len()],
        before[..],
        "nothing that was stored is lost"
    );
    let after: Vec<String> = events[before.len()..].iter().map(tag).collect();
    assert_eq!(
        after,
        ["reattach/interrupted", "request/done", "turn/interrupted"]
    );
    let reattach = &events[before.len()]["data"];
    assert_eq!(
        (
            &reattach["outcome"],
            &reattach["turn_id"],
            &reattach["turn_number"]
        ),
        (&json!("turn_orphaned"), &accepted["turn_id"], &json!(1))
    );
    let end = &events.last().unwrap()["data"];
    assert_eq!(
        (&end["turn_id"], &end["turn_number"], &end["reason"]),
        (&accepted["turn_id"], &json!(1), &json!("daemon_restarted"))
    );
    assert_eq!(chat.settled(&request).await["outcome"], "turn_ended");
    chat.pick(&request, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(
        (
            chat.status().await.as_str(),
            &chat.turns().await[0]["status"]
        ),
        ("idle", &json!("interrupted"))
    );
    assert_eq!(
        daemon.audit("conversation.permission_denied").await[0]["metadata"]["verdict"],
        "turn_ended"
    );

    let next = chat.prompt("y").await;
    assert_eq!(chat.end(&next).await["state"], "done");
    assert_eq!(chat.text(&next).await, "whole");
    assert_eq!(
        (&next["turn_number"], chat.heard_times("session/load")),
        (&json!(2), 1)
    );
    let ids: Vec<i64> = chat
        .events()
        .await
        .iter()
        .map(|event| event["id"].as_i64().unwrap())
        .collect();
    assert!(
        ids.is_sorted() && ids.windows(2).all(|pair| pair[0] != pair[1]),
        "{ids:?}"
    );
}

#[tokio::test]
async fn a_prompt_that_was_taken_and_not_started_is_started_once() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on initialize\nhang\nprocess 2\non session/prompt\nchunk yes\nrespond end_turn",
            json!(null),
        )
        .await;
    let accepted = chat.prompt("the prompt").await;
    until("its agent is being started", async || {
        chat.heard_times("initialize") == 1
    })
    .await;
    assert_eq!(chat.status().await, "pending");
    let (id, log) = parts(&chat);
    let home = daemon.kill();
    let daemon = Daemon::on(home, |_| {}).await;
    let chat = again(&daemon, &id, log.as_ref());
    let end = chat.end(&accepted).await;
    assert_eq!(end["state"], "done");
    assert_eq!(
        (chat.heard_times("the prompt"), chat.heard_times("start")),
        (1, 2)
    );
    assert_eq!(chat.turns().await.len(), 1);
    // And a third daemon has nothing to do about it.
    drop(chat);
    let daemon = Daemon::on(daemon.kill(), |_| {}).await;
    let chat = again(&daemon, &id, log.as_ref());
    assert_eq!(
        (chat.status().await.as_str(), chat.heard_times("the prompt")),
        ("idle", 1)
    );
}

#[tokio::test]
async fn what_waits_goes_on_waiting() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\npost 1 execute x\nrespond waiting\nprocess 2",
            json!({"default": "ask"}),
        )
        .await;
    chat.say("x").await;
    let request = chat.request().await;
    let events = chat.events().await;
    let (id, log) = parts(&chat);
    let daemon = Daemon::on(daemon.kill(), |_| {}).await;
    let chat = again(&daemon, &id, log.as_ref());
    assert_eq!(chat.request().await, request);
    assert_eq!(chat.events().await, events, "nothing happened to it");
    chat.pick(&request, "yes").await.is(200);
    until("the agent was told", async || {
        chat.heard_times("fountain/permission_answer") == 1
    })
    .await;
}

#[tokio::test]
async fn a_deadline_that_passed_meanwhile_is_told_at_the_first_sweep() {
    let daemon =
        Daemon::with(|settings| settings.limits.sweep_interval = Duration::from_secs(3_600)).await;
    let chat = daemon
        .scripted(
            "on session/prompt\npost 1 execute x\nrespond waiting\nprocess 2",
            json!({"default": "ask", "ask_timeout": 60}),
        )
        .await;
    chat.say("x").await;
    let request = chat.request().await;
    let past = daemon.app.store.write(|tx| {
        Ok(tx
            .connection()
            .execute("UPDATE requests SET deadline = deadline - 61000", [])?)
    });
    assert_eq!(past.await.unwrap(), 1);
    let (id, log) = parts(&chat);
    let daemon = Daemon::on(daemon.kill(), |_| {}).await;
    let chat = again(&daemon, &id, log.as_ref());
    until("it is settled", async || {
        chat.settled(&request).await["outcome"] == "timeout"
    })
    .await;
    until("the turn is over", async || chat.status().await == "idle").await;
    assert_eq!(
        (
            chat.turns().await.len(),
            chat.heard_times("fountain/permission_answer")
        ),
        (2, 1)
    );
}

#[tokio::test]
async fn a_turn_of_the_agent_itself_is_interrupted_too() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nrespond end_turn\nchunk more",
            json!(null),
        )
        .await;
    chat.say("x").await;
    until("it works on", async || chat.turns().await.len() == 2).await;
    let (id, log) = parts(&chat);
    let daemon = Daemon::on(daemon.kill(), |_| {}).await;
    let chat = again(&daemon, &id, log.as_ref());
    let turns = chat.turns().await;
    assert_eq!(
        (&turns[1]["status"], &turns[1]["origin"]),
        (&json!("interrupted"), &json!("autonomous"))
    );
    assert_eq!(chat.say("y").await["state"], "done");
}

#[tokio::test]
async fn a_stop_in_order_ends_turns_and_keeps_what_is_pending() {
    let daemon = Daemon::new().await;
    let running = daemon
        .scripted(
            "on session/prompt\nchunk half\npost 1 execute x\nhang",
            json!({"default": "ask"}),
        )
        .await;
    let pending = daemon
        .scripted("on initialize\nhang\nprocess 2", json!(null))
        .await;
    running.prompt("x").await;
    running.request().await;
    let accepted = pending.prompt("y").await;
    until("its agent is being started", async || {
        pending.heard_times("initialize") == 1
    })
    .await;
    let (one, two) = (parts(&running), parts(&pending));
    let home = daemon.stop().await;
    let sandboxes = home.path().join("data").join("sandboxes");
    until("no process is left", async || {
        processes(&sandboxes).is_empty()
    })
    .await;
    let log = std::fs::metadata(home.path().join("data").join("fountain.db-wal"));
    assert!(
        log.is_err() || log.unwrap().len() == 0,
        "everything is folded into the file"
    );
    let daemon = Daemon::on(home, |_| {}).await;
    let running = again(&daemon, &one.0, one.1.as_ref());
    assert_eq!(running.tags().await.last().unwrap(), "turn/interrupted");
    assert_eq!(
        running.stages("turn/interrupted").await[0]["reason"],
        "daemon_stopped"
    );
    assert!(running.stages("reattach/interrupted").await.is_empty());
    assert!(
        running.show().await["pending_requests"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let pending = again(&daemon, &two.0, two.1.as_ref());
    assert_eq!(pending.end(&accepted).await["state"], "done");
    assert_eq!(pending.heard_times("session/prompt"), 1);
}

#[tokio::test]
async fn what_comes_in_the_moment_of_a_stop_is_told_so() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\npost 1 execute x\nhang",
            json!({"default": "ask"}),
        )
        .await;
    chat.prompt("x").await;
    chat.request().await;
    let (app, id) = (&daemon.app, chat.id.parse().unwrap());
    app.stopping.cancel();
    // It is heard after the stop, and the stop takes as long as the agent's end.
    let late = app
        .conversations
        .ask(app, id, |reply| Message::Interrupt { reply });
    let ((), refused) = tokio::join!(app.conversations.stop(), late);
    assert!(!matches!(refused, Err(Refusal::NotFound)), "{refused:?}");
}

#[tokio::test]
async fn killed_at_any_moment_nothing_told_is_lost_and_it_goes_on() {
    let seed = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .subsec_nanos();
    let mut random = seed;
    let mut daemon = Daemon::new().await;
    let chat = daemon.built_in(json!({"execute": "ask"})).await;
    let id = chat.id.clone();
    drop(chat);
    for round in 0..8 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let delay = u64::from(random >> 16) % 120;
        let what = format!("seed {seed}, round {round}, killed after {delay} ms");
        let chat = Chat::of(&daemon, &id);
        let accepted = chat.prompt("flood 300\nask execute x").await;
        tokio::time::sleep(Duration::from_millis(delay)).await;
        let told = chat
            .events()
            .await
            .into_iter()
            .rev()
            .take(100)
            .rev()
            .collect::<Vec<_>>();
        drop(chat);
        daemon = Daemon::on(daemon.kill(), |_| {}).await;
        let chat = Chat::of(&daemon, &id);
        let path = |rest: &str| chat.path(rest);
        let after = told
            .first()
            .map_or(0, |event| event["id"].as_i64().unwrap() - 1);
        let page = daemon
            .get(&path(&format!("/events?limit=1000&after={after}")))
            .await
            .is(200);
        for (was, is) in told.iter().zip(page["data"].as_array().unwrap()) {
            assert_eq!(was["id"], is["id"], "{what}");
        }
        // A turn that had not begun runs now, until it asks; one that had is over.
        let turn = chat
            .turns()
            .await
            .into_iter()
            .find(|turn| turn["id"] == accepted["turn_id"])
            .unwrap();
        if turn["status"] == "interrupted" {
            let end = chat.end(&accepted).await;
            assert_eq!(end["reason"], "daemon_restarted", "{what}");
        } else {
            until("it asks", async || {
                !chat.show().await["pending_requests"]
                    .as_array()
                    .unwrap()
                    .is_empty()
            })
            .await;
            chat.interrupt().await;
            assert_eq!(chat.end(&accepted).await["state"], "interrupted", "{what}");
        }
        assert_eq!(chat.status().await, "idle", "{what}");
        assert_eq!(chat.show().await["pending_requests"], json!([]), "{what}");
        drop(chat);
        // Short logs are read in one page.
        let fresh = daemon
            .app
            .store
            .write(|tx| Ok(tx.connection().execute("DELETE FROM events", [])?));
        fresh.await.unwrap();
    }
    assert_eq!(Chat::of(&daemon, &id).say("say hi").await["state"], "done");
}

#[tokio::test]
async fn two_daemons_do_not_share_a_directory() {
    let daemon = Daemon::new().await;
    let host = crate::boot::Host {
        sandboxes: std::sync::Arc::clone(&daemon.app.sandboxes),
        clock: std::sync::Arc::clone(&daemon.app.clock),
        credentials: None,
    };
    let mut settings = super::kit::quick();
    settings.data_dir = Some(daemon.folder().join("data"));
    let refused = crate::boot::boot_on(settings, host).await.err().unwrap();
    assert!(
        refused.sentence.contains(&daemon.address.to_string()),
        "{refused}"
    );
    daemon.get("/health/ready").await.is(200);
    let chat = daemon.built_in(json!(null)).await;
    assert_eq!(chat.say("say hi").await["state"], "done");
}

#[tokio::test]
async fn a_daemon_whose_address_moved_moves_its_profile_and_keeps_its_key() {
    let daemon = Daemon::new().await;
    let (key, address) = (daemon.key.clone(), daemon.address);
    let daemon = Daemon::on(daemon.kill(), |_| {}).await;
    let text = std::fs::read_to_string(daemon.folder().join("credentials")).unwrap();
    assert_eq!(daemon.key, key);
    assert_eq!(text.matches("ftn_").count(), 1, "{text}");
    assert!(
        text.contains(&format!("http://{}", daemon.address)),
        "{text}"
    );
    assert!(
        daemon.address == address || !text.contains(&address.to_string()),
        "{text}"
    );
    let shown: Value = daemon.get("/api/agents?search=demo").await.is(200)["data"].clone();
    assert_eq!(shown.as_array().unwrap().len(), 1, "seeded once");
}
