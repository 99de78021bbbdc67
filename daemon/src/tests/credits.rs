//! The spending guard: turn time is metered, and at zero nothing new begins.

use std::time::Duration;

use fountain_core::settings::{Credits, Settings};
use serde_json::json;

use super::kit::{Daemon, until};

/// A cent a second.
fn a_cent_a_second(balance_cents: u64) -> Credits {
    Credits {
        enabled: true,
        turn_hour_cents: 3_600,
        balance_cents,
    }
}

fn set(daemon: &Daemon, change: impl FnOnce(&mut Settings)) {
    let mut settings = (*daemon.app.settings()).clone();
    change(&mut settings);
    daemon.app.configure(settings);
}

async fn spent_cents(daemon: &Daemon) -> i64 {
    daemon.count("SELECT spent / 1000000 FROM credits").await
}

const HELD: &str = "on session/prompt\nask 1 execute x\nrespond end_turn\non session/prompt\nrespond end_turn\non session/prompt\nrespond end_turn";

#[tokio::test]
async fn turn_time_is_metered_and_at_zero_no_turn_begins() {
    let daemon = Daemon::with(|settings| {
        settings.credits = a_cent_a_second(100);
        settings.limits.ask_ceiling = Duration::from_secs(1_000);
        settings.sandbox.idle_timeout = None;
    })
    .await;
    let chat = daemon.scripted(HELD, json!({"default": "ask"})).await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    daemon.clock.advance(Duration::from_secs(60));
    chat.pick(&request, "yes").await.is(200);
    chat.end(&accepted).await;
    assert_eq!(spent_cents(&daemon).await, 60);
    // Between turns nothing is spent.
    daemon.clock.advance(Duration::from_secs(10_000));
    chat.say("y").await;
    assert_eq!(spent_cents(&daemon).await, 60);
    set(&daemon, |settings| settings.credits.balance_cents = 60);
    let refused = chat
        .try_prompt("z")
        .await
        .refuses(402, "insufficient_credits");
    let told = refused["message"].as_str().unwrap();
    assert!(
        told.contains("(60 of 60 cents)") && told.contains("credits.balance_cents"),
        "{told}"
    );
    assert_eq!(chat.turns().await.len(), 2);
    // Nor is a conversation made for a prompt that is not taken.
    let agent = chat.show().await["agent_id"].clone();
    let launch = daemon.post(
        "/api/conversations",
        json!({"agent_id": agent, "prompt": "x"}),
    );
    launch.await.refuses(402, "insufficient_credits");
    assert_eq!(daemon.count("SELECT count(*) FROM conversations").await, 1);
    daemon
        .post("/api/conversations", json!({"agent_id": agent}))
        .await
        .is(201);
    set(&daemon, |settings| settings.credits.balance_cents = 100);
    assert_eq!(chat.say("z").await["state"], "done");
}

#[tokio::test]
async fn a_turn_that_runs_counts_before_it_ends_and_is_not_stopped() {
    let daemon = Daemon::with(|settings| {
        settings.credits = a_cent_a_second(30);
        settings.limits.ask_ceiling = Duration::from_secs(1_000);
        settings.sandbox.idle_timeout = None;
    })
    .await;
    let chat = daemon.scripted(HELD, json!({"default": "ask"})).await;
    let other = daemon.built_in(json!(null)).await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    daemon.clock.advance(Duration::from_secs(31));
    other
        .try_prompt("say hi")
        .await
        .refuses(402, "insufficient_credits");
    chat.pick(&request, "yes").await.is(200);
    assert_eq!(chat.end(&accepted).await["state"], "done");
}

#[tokio::test]
async fn waiting_costs_nothing_and_a_resume_turn_at_zero_is_refused_until_there_is_more() {
    let daemon = Daemon::with(|settings| settings.credits = a_cent_a_second(500)).await;
    let scenario = "on session/prompt\npost 1 execute x\nrespond waiting\nprocess 2\non session/prompt\nrespond end_turn";
    let policy = json!({"default": "ask", "ask_timeout": 86_400});
    let chat = daemon.scripted(scenario, policy.clone()).await;
    let late = daemon.scripted(scenario, policy).await;
    chat.say("x").await;
    late.say("x").await;
    let (request, unanswered) = (chat.request().await, late.request().await);
    daemon.clock.advance(Duration::from_secs(80_000));
    // The turns themselves cost what they took, which is not eighty thousand seconds.
    assert!(spent_cents(&daemon).await < 100);
    set(&daemon, |settings| settings.credits.balance_cents = 0);
    chat.pick(&request, "yes")
        .await
        .refuses(402, "insufficient_credits");
    assert_eq!(chat.settled(&request).await["status"], "open");
    assert_eq!(chat.turns().await.len(), 1);
    // There is credit again: the answer counts.
    set(&daemon, |settings| settings.credits.balance_cents = 500);
    chat.pick(&request, "yes").await.is(200);
    until("the agent was told", async || {
        chat.heard_times("fountain/permission_answer") == 1
    })
    .await;
    // Its turn ends before the clock moves: what runs while it moves is charged for all of it.
    until("its turn is over", async || {
        chat.turns()
            .await
            .iter()
            .all(|turn| turn["status"] == "completed")
    })
    .await;
    // The other's deadline passes at zero: the sweep tries until there is credit.
    set(&daemon, |settings| settings.credits.balance_cents = 0);
    daemon.clock.advance(Duration::from_secs(10_000));
    late.pick(&unanswered, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(late.turns().await.len(), 1);
    set(&daemon, |settings| settings.credits.balance_cents = 500);
    until("the sweep has told the agent", async || {
        late.heard_times(r#"\"outcome\":\"timeout\""#) == 1
    })
    .await;
    assert_eq!(late.settled(&unanswered).await["outcome"], "timeout");
}

#[tokio::test]
async fn what_a_daemon_that_was_killed_left_running_costs_what_it_was_seen_to_run() {
    let daemon = Daemon::with(|settings| settings.credits = a_cent_a_second(1_000)).await;
    let chat = daemon
        .scripted("on session/prompt\nchunk x\nhang", json!(null))
        .await;
    let accepted = chat.prompt("x").await;
    chat.event(&accepted["after"], "acp").await;
    let id = chat.id.clone();
    let again = Daemon::on(daemon.kill(), |settings| {
        settings.credits = a_cent_a_second(1_000);
    })
    .await;
    again.clock.advance(Duration::from_secs(500));
    let turns = again
        .get(&format!("/api/conversations/{id}/turns"))
        .await
        .is(200);
    assert_eq!(turns["data"][0]["status"], "interrupted");
    assert!(spent_cents(&again).await < 100);
}

#[tokio::test]
async fn the_turn_that_an_answer_opens_costs_what_any_turn_costs() {
    let daemon = Daemon::with(|settings| {
        settings.credits = a_cent_a_second(1_000);
        settings.limits.ask_ceiling = Duration::from_secs(1_000);
        settings.sandbox.idle_timeout = None;
    })
    .await;
    // What the deadline opens, and what a person opens: each holds a request of its own for a while.
    for answered in [true, false] {
        let before = spent_cents(&daemon).await;
        let scenario = "on session/prompt\npost 1 execute x\nrespond waiting\nprocess 2\non session/prompt\nask 2 read y\nrespond end_turn";
        let policy = json!({"default": "ask", "ask_timeout": 600});
        let chat = daemon.scripted(scenario, policy).await;
        chat.say("x").await;
        let waiting = chat.request().await;
        if answered {
            chat.pick(&waiting, "yes").await.is(200);
        } else {
            daemon.clock.advance(Duration::from_secs(601));
        }
        until("the turn asks", async || {
            let open = chat.show().await["pending_requests"].clone();
            open[0]["kind"] == "read"
        })
        .await;
        let asked = chat.request().await;
        daemon.clock.advance(Duration::from_secs(40));
        chat.pick(&asked, "no").await.is(200);
        until("the turn is over", async || chat.status().await == "idle").await;
        // The rest is the time the test itself takes; what passed while it waited would be six hundred more.
        let cost = spent_cents(&daemon).await - before;
        assert!((40..600).contains(&cost), "{answered}: {cost}");
    }
}

#[tokio::test]
async fn at_zero_an_agent_does_not_go_on_by_itself() {
    let daemon = Daemon::with(|settings| settings.credits = a_cent_a_second(100)).await;
    let scenario = "on session/prompt\nrespond end_turn\ngate on\nask 1 execute x\nhang";
    let chat = daemon.scripted(scenario, json!(null)).await;
    chat.say("x").await;
    set(&daemon, |settings| settings.credits.balance_cents = 0);
    chat.open_gate("on");
    chat.until_asleep().await;
    assert_eq!(chat.turns().await.len(), 1);
    assert_eq!(
        chat.heard_times(r#""outcome":"selected""#),
        0,
        "nothing was permitted"
    );
}

#[tokio::test]
async fn a_kill_makes_no_more_than_one_sweep_free() {
    let daemon = Daemon::with(|settings| {
        settings.credits = a_cent_a_second(100_000);
        settings.limits.ask_ceiling = Duration::from_secs(10_000);
        settings.sandbox.idle_timeout = None;
    })
    .await;
    let chat = daemon.scripted(HELD, json!({"default": "ask"})).await;
    chat.prompt("x").await;
    chat.request().await;
    daemon.clock.advance(Duration::from_secs(500));
    until("a sweep has noted it", async || {
        let noted = daemon
            .count("SELECT count(*) FROM instance WHERE key = 'alive' AND CAST(value AS INTEGER) > (SELECT max(at) FROM events) + 499000")
            .await;
        noted == 1
    })
    .await;
    let again = Daemon::on(daemon.kill(), |settings| {
        settings.credits = a_cent_a_second(100_000);
    })
    .await;
    assert!(spent_cents(&again).await >= 499);
}
