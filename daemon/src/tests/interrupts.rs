//! Stopping a turn: told to the agent once, over within its grace, and nothing is left running.

use std::time::{Duration, Instant};

use serde_json::json;

use super::kit::{Daemon, until};

#[tokio::test]
async fn a_stop_is_a_stop_whatever_the_agent_answers() {
    let daemon = Daemon::new().await;
    for answer in [
        "respond end_turn",
        "respond cancelled",
        "respond refusal",
        "error -32800 Request cancelled",
        "error -32603 crash",
    ] {
        let scenario = format!(
            "on session/prompt\nchunk half\nwait cancel\n{answer}\non session/prompt\nrespond end_turn"
        );
        let chat = daemon.scripted(&scenario, json!(null)).await;
        let accepted = chat.prompt("x").await;
        chat.event(&accepted["after"], "acp").await;
        assert_eq!(chat.interrupt().await.status, 204);
        let end = chat.end(&accepted).await;
        assert_eq!(
            (&end["state"], &end["stop_reason"], &end["reason"]),
            (
                &json!("interrupted"),
                &json!("cancelled"),
                &json!("interrupted")
            ),
            "{answer}"
        );
        assert_eq!(chat.turns().await[0]["status"], "interrupted");
        assert_eq!(chat.status().await, "idle");
        // The connection and the runtime's session live on.
        assert_eq!(chat.say("x").await["state"], "done", "{answer}");
        assert_eq!(
            (
                chat.heard_times("start"),
                chat.heard_times("session/cancel")
            ),
            (1, 1)
        );
    }
}

#[tokio::test]
async fn two_stops_at_once_tell_the_agent_once() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\nchunk half\nwait cancel\nsleep 50\nrespond cancelled\non session/prompt\nask 1 execute x\nrespond end_turn";
    let chat = daemon.scripted(scenario, json!({"default": "ask"})).await;
    let accepted = chat.prompt("x").await;
    chat.event(&accepted["after"], "acp").await;
    let replies = futures_util::future::join_all((0..4).map(|_| chat.interrupt())).await;
    assert!(
        replies.iter().all(|reply| reply.status == 204),
        "{replies:?}"
    );
    chat.interrupt().await;
    assert_eq!(chat.end(&accepted).await["state"], "interrupted");
    // The next turn is clean.
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    chat.pick(&request, "yes").await.is(200);
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert_eq!(chat.text(&accepted).await, "1: yes\n");
    assert_eq!(chat.heard_times("session/cancel"), 1);
}

#[tokio::test]
async fn an_open_request_is_cancelled_after_the_agent_was_told_to_stop() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\npost 1 execute x\npost 2 execute y\nawait 1\nawait 2\nask 3 execute z\nrespond cancelled";
    let chat = daemon.scripted(scenario, json!({"default": "ask"})).await;
    let accepted = chat.prompt("x").await;
    let open = chat.requests(2).await;
    assert_eq!(chat.interrupt().await.status, 204);
    assert_eq!(chat.end(&accepted).await["state"], "interrupted");
    for request in &open {
        assert_eq!(chat.settled(request).await["outcome"], "turn_ended");
    }
    let heard = chat.heard();
    let at = |words: &str| {
        heard
            .iter()
            .position(|line| line.contains(words))
            .unwrap_or_else(|| panic!("{words}: {heard:?}"))
    };
    let told = at("session/cancel");
    for id in 1..=3 {
        let reply = at(&format!(
            r#""id":{id},"result":{{"outcome":{{"outcome":"cancelled"}}}}"#
        ));
        assert!(told < reply, "{id}: {heard:?}");
    }
    assert_eq!(
        chat.stages("request/done").await.len(),
        2,
        "the one asked after the stop was never open"
    );
}

#[tokio::test]
async fn a_stop_before_the_agent_is_up_keeps_the_prompt_from_it() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on initialize\nhang\nprocess 2\non initialize\nrespond {\"protocolVersion\":1}",
            json!(null),
        )
        .await;
    let accepted = chat.prompt("the first").await;
    until("the agent was greeted", async || {
        chat.heard_times("initialize") == 1
    })
    .await;
    assert_eq!(chat.status().await, "pending");
    assert_eq!(chat.interrupt().await.status, 204);
    let end = chat.end(&accepted).await;
    assert_eq!(end["state"], "interrupted");
    assert_eq!(
        (
            chat.status().await.as_str(),
            chat.turns().await[0]["status"].as_str()
        ),
        ("idle", Some("interrupted"))
    );
    until("nothing is left running", async || {
        chat.processes().await.is_empty()
    })
    .await;
    assert_eq!(chat.say("the second").await["state"], "done");
    assert_eq!(
        (
            chat.heard_times("the first"),
            chat.heard_times("the second")
        ),
        (0, 1)
    );
}

#[tokio::test]
async fn a_stop_right_after_the_prompt_stops_it_and_starts_nothing_more() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted("", json!(null)).await;
    for round in 0..6 {
        let accepted = chat.prompt("x").await;
        let stopped = chat.interrupt().await.status;
        let end = chat.end(&accepted).await;
        assert!(stopped == 204 || stopped == 409, "{stopped}");
        assert!(
            end["state"] == "interrupted" || end["state"] == "done",
            "{round}: {end}"
        );
        assert_eq!(chat.status().await, "idle");
    }
    assert_eq!(chat.say("x").await["state"], "done");
}

#[tokio::test]
async fn an_agent_that_ignores_the_stop_is_ended_within_its_grace() {
    let daemon =
        Daemon::with(|settings| settings.limits.cancel_grace = Duration::from_millis(150)).await;
    let chat = daemon
        .scripted(
            "on session/prompt\nchunk half\nhang\nprocess 2\non session/prompt\nrespond end_turn",
            json!(null),
        )
        .await;
    let accepted = chat.prompt("x").await;
    chat.event(&accepted["after"], "acp").await;
    assert!(!chat.processes().await.is_empty());
    chat.interrupt().await;
    let end = chat.end(&accepted).await;
    assert_eq!(
        (&end["state"], &end["stop_reason"]),
        (&json!("interrupted"), &json!("cancelled"))
    );
    until("nothing is left running", async || {
        chat.processes().await.is_empty()
    })
    .await;
    assert_eq!(chat.say("x").await["state"], "done");
    assert_eq!(chat.heard_times("start"), 2);
}

#[tokio::test]
async fn an_agent_that_ignores_every_signal_it_can_is_killed() {
    let daemon =
        Daemon::with(|settings| settings.limits.cancel_grace = Duration::from_millis(50)).await;
    let chat = daemon
        .scripted_by(
            "trap '' TERM INT HUP; sleep 1000 & ",
            "on session/prompt\nchunk half\nhang",
            json!(null),
        )
        .await;
    let accepted = chat.prompt("x").await;
    chat.event(&accepted["after"], "acp").await;
    let before = Instant::now();
    chat.interrupt().await;
    assert_eq!(chat.end(&accepted).await["state"], "interrupted");
    assert!(
        before.elapsed() < Duration::from_secs(2),
        "the turn does not wait for the process"
    );
    until("nothing is left running", async || {
        chat.processes().await.is_empty()
    })
    .await;
}

#[tokio::test]
async fn what_an_agent_says_after_its_grace_is_not_heard() {
    let daemon =
        Daemon::with(|settings| settings.limits.cancel_grace = Duration::from_millis(50)).await;
    let chat = daemon
        .scripted_by(
            "trap '' TERM; ",
            "on session/prompt\nchunk half\nwait cancel\nsleep 300\nchunk late\nrespond end_turn",
            json!(null),
        )
        .await;
    let accepted = chat.prompt("x").await;
    chat.event(&accepted["after"], "acp").await;
    chat.interrupt().await;
    chat.end(&accepted).await;
    until("nothing is left running", async || {
        chat.processes().await.is_empty()
    })
    .await;
    assert_eq!(chat.text(&accepted).await, "half");
    assert_eq!(chat.turns().await.len(), 1);
    assert_eq!(chat.tags().await.last().unwrap(), "turn/interrupted");
}

#[tokio::test]
async fn the_five_reasons_and_others_are_told_as_the_agent_said_them() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    for (reason, state, status) in [
        ("end_turn", "done", "completed"),
        ("max_tokens", "failed", "failed"),
        ("max_turn_requests", "failed", "failed"),
        ("refusal", "failed", "failed"),
        ("cancelled", "failed", "failed"),
        ("error", "failed", "failed"),
        ("x_future", "failed", "failed"),
    ] {
        let end = chat.say(&format!("stop {reason}")).await;
        assert_eq!(
            (&end["state"], &end["stop_reason"]),
            (&json!(state), &json!(reason))
        );
        let turn = chat.turns().await.pop().unwrap();
        assert_eq!(turn["status"], status, "{reason}");
        let why = (status == "failed").then(|| format!("the agent stopped with `{reason}`"));
        assert_eq!(
            (&turn["reason"], &end["reason"]),
            (&json!(why), &json!(why))
        );
        assert_eq!(chat.status().await, "idle", "{reason}");
    }
}
