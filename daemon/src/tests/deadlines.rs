//! Deadlines of requests that outlive their turns: which one counts, and what happens when it comes.

use std::time::Duration;

use serde_json::json;

use super::kit::{Daemon, until};
use super::waiting::{WAITS, resumed, span};

#[tokio::test]
async fn the_shorter_of_what_the_agent_and_the_policy_want_counts() {
    let daemon = Daemon::new().await;
    for (policy, asked, seconds) in [
        (json!({"default": "ask"}), "", 300),
        (json!({"default": "ask"}), "86400", 86_400),
        (json!({"default": "ask", "ask_timeout": 3_600}), "", 3_600),
        (
            json!({"default": "ask", "ask_timeout": 3_600}),
            "86400",
            3_600,
        ),
        (json!({"default": "ask", "ask_timeout": 3_600}), "60", 60),
        (json!({"default": "ask"}), "timeout=1e15", 300),
        (json!({"default": "ask"}), "timeout=31536001", 300),
        (json!({"default": "ask"}), "timeout=-5", 300),
        (json!({"default": "ask"}), "timeout=0", 300),
        (json!({"default": "ask"}), "timeout=1.5", 300),
        (json!({"default": "ask"}), "timeout=\"3600\"", 300),
        (
            json!({"default": "ask", "ask_timeout": 10}),
            "timeout=true",
            10,
        ),
        (
            json!({"default": "ask", "ask_timeout": 10}),
            "timeout=null",
            10,
        ),
        (
            json!({"default": "ask", "ask_timeout": 10}),
            "timeout={}",
            10,
        ),
    ] {
        let chat = daemon.built_in(policy.clone()).await;
        chat.say(&format!("wait {asked} execute x")).await;
        assert_eq!(span(&chat.request().await), seconds, "{policy} {asked}");
    }
}

#[tokio::test]
async fn a_launch_may_shorten_the_wait() {
    let daemon = Daemon::new().await;
    let built_in = daemon
        .built_in(json!({"default": "ask", "ask_timeout": 3_600}))
        .await;
    let agent_of = built_in.show().await["agent_id"].clone();
    let launched = daemon
        .launch(json!({"agent_id": agent_of, "permission_policy": {"ask_timeout": 60}}))
        .await;
    launched.say("wait 86400 execute x").await;
    assert_eq!(span(&launched.request().await), 60);
    assert_eq!(
        launched.show().await["permission_policy"],
        json!({"ask_timeout": 60})
    );
}

#[tokio::test]
async fn a_deadline_that_passes_is_told_by_the_sweep_once() {
    let daemon = Daemon::new().await;
    let scenario = format!("{WAITS}\nprocess 2");
    let chat = daemon
        .scripted(&scenario, json!({"default": "ask", "ask_timeout": 60}))
        .await;
    chat.say("x").await;
    let request = chat.request().await;
    daemon.clock.advance(Duration::from_secs(61));
    until("the agent was told", async || resumed(&chat).len() == 1).await;
    let told = &resumed(&chat)[0]["fountain/permission_answer"];
    assert_eq!(
        (&told["outcome"], &told["option_id"]),
        (&json!("timeout"), &json!("no"))
    );
    let late = chat
        .pick(&request, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(late["outcome"], "timeout");
    until("the turn is over", async || chat.status().await == "idle").await;
    assert_eq!(
        (
            chat.turns().await.len(),
            chat.stages("request/done").await.len()
        ),
        (2, 1)
    );
    assert_eq!(
        daemon.audit("conversation.permission_denied").await[0]["metadata"]["verdict"],
        "timeout"
    );
}

#[tokio::test]
async fn a_deadline_does_not_wait_for_the_next_sweep() {
    let daemon =
        Daemon::with(|settings| settings.limits.sweep_interval = Duration::from_secs(3_600)).await;
    // Another that waits longer is no reason to sleep longer.
    let long = daemon
        .built_in(json!({"default": "ask", "ask_timeout": 600}))
        .await;
    long.say("wait execute x").await;
    let chat = daemon
        .scripted(
            &format!("{WAITS}\nprocess 2"),
            json!({"default": "ask", "ask_timeout": 1}),
        )
        .await;
    chat.say("x").await;
    until("the agent was told", async || resumed(&chat).len() == 1).await;
    assert_eq!(
        resumed(&chat)[0]["fountain/permission_answer"]["outcome"],
        "timeout"
    );
    assert_eq!(long.requests(1).await.len(), 1);
}

#[tokio::test]
async fn whoever_answers_after_the_deadline_settles_it_as_what_it_is() {
    // The sweep does not come by in this test.
    let daemon =
        Daemon::with(|settings| settings.limits.sweep_interval = Duration::from_secs(3_600)).await;
    let chat = daemon
        .scripted(
            &format!("{WAITS}\nprocess 2"),
            json!({"default": "ask", "ask_timeout": 60}),
        )
        .await;
    chat.say("x").await;
    let request = chat.request().await;
    daemon.clock.advance(Duration::from_secs(61));
    let late = chat
        .pick(&request, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(
        (&late["outcome"], &late["option_id"]),
        (&json!("timeout"), &json!("no"))
    );
    assert_eq!(chat.settled(&request).await["outcome"], "timeout");
    until("the agent was told", async || resumed(&chat).len() == 1).await;
}

#[tokio::test]
async fn a_deadline_that_passes_in_another_turn_waits_for_its_end() {
    let daemon = Daemon::new().await;
    let scenario = format!(
        "{WAITS}\nprocess 2\non session/prompt\nask 9 read y\nrespond end_turn\non session/prompt\nrespond end_turn"
    );
    let chat = daemon
        .scripted(&scenario, json!({"default": "ask", "ask_timeout": 60}))
        .await;
    chat.say("x").await;
    let waiting = chat.request().await;
    let busy = chat.prompt("y").await;
    let open = chat.requests(2).await;
    daemon.clock.advance(Duration::from_secs(61));
    // Nobody can answer any more, and nothing is lost: the row is left as it is.
    chat.pick(&waiting, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(chat.settled(&waiting).await["status"], "open");
    let in_turn = open
        .iter()
        .find(|request| request["kind"] == "read")
        .unwrap();
    chat.pick(in_turn, "yes").await.is(200);
    chat.end(&busy).await;
    until("the agent was told", async || resumed(&chat).len() == 1).await;
    assert_eq!(chat.settled(&waiting).await["outcome"], "timeout");
}

#[tokio::test]
async fn a_deadline_that_passed_stays_one_when_the_conversation_ends() {
    let daemon = Daemon::new().await;
    let scenario = format!("{WAITS}\nprocess 2\non session/prompt\nask 9 read y\nrespond end_turn");
    let chat = daemon
        .scripted(&scenario, json!({"default": "ask", "ask_timeout": 60}))
        .await;
    chat.say("x").await;
    let waiting = chat.request().await;
    chat.prompt("y").await;
    chat.requests(2).await;
    daemon.clock.advance(Duration::from_secs(61));
    let told = chat
        .pick(&waiting, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(told["outcome"], "timeout");
    daemon.call("POST", &chat.path("/terminate")).send().await;
    let settled = chat.settled(&waiting).await;
    for member in ["outcome", "option_id", "answered_by"] {
        assert_eq!(settled[member], told[member], "{settled}");
    }
    let trail = daemon.audit("conversation.permission_denied").await;
    let verdicts: Vec<_> = trail
        .iter()
        .map(|row| &row["metadata"]["verdict"])
        .collect();
    assert_eq!(
        verdicts,
        ["turn_ended", "timeout"],
        "what the turn held, and what waited"
    );
    assert_eq!(
        chat.turns().await.len(),
        2,
        "nobody is left who could be told"
    );
}

#[tokio::test]
async fn what_waits_for_an_agent_that_was_removed_is_settled_when_its_time_is_up() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(WAITS, json!({"default": "ask", "ask_timeout": 60}))
        .await;
    chat.say("x").await;
    let request = chat.request().await;
    let agent = chat.show().await["agent_id"].as_str().unwrap().to_owned();
    assert_eq!(
        daemon.delete(&format!("/api/agents/{agent}")).await.status,
        204
    );
    chat.pick(&request, "yes").await.refuses(422, "no_agent");
    daemon.clock.advance(Duration::from_secs(61));
    until("it is settled", async || {
        chat.settled(&request).await["outcome"] == "timeout"
    })
    .await;
    assert_eq!(
        (
            chat.turns().await.len(),
            chat.stages("request/done").await.len()
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn a_clock_that_is_set_back_hurts_nobody() {
    let daemon = Daemon::new().await;
    let policy = json!({"default": "ask", "ask_timeout": 60});
    let scenario = format!("{WAITS}\nprocess 2\non session/prompt\nask 9 read y\nrespond end_turn");
    let chat = daemon.scripted(&scenario, policy).await;
    chat.say("x").await;
    let waiting = chat.request().await;
    daemon.clock.set_back(Duration::from_secs(3_600));
    chat.pick(&waiting, "yes").await.is(200);
    let request = chat.request().await;
    assert_eq!(request["detached"], false);
    daemon.clock.set_back(Duration::from_secs(3_600));
    chat.pick(&request, "yes").await.is(200);
    until("the turn is over", async || chat.status().await == "idle").await;
    let durations = chat.events().await;
    let negative = durations
        .iter()
        .filter(|event| event["duration_ms"].as_i64().is_some_and(|took| took < 0));
    assert_eq!(negative.count(), 0);
}
