//! Requests that nobody answers, and answers that come as the time is up.

use std::time::Duration;

use fountain_core::time::Timestamp;
use serde_json::{Value, json};

use super::kit::Daemon;
use super::kit::http::Reply;

const ASKS: &str = "on session/prompt\nask 1 execute x\nrespond end_turn";

fn ask() -> Value {
    json!({"default": "ask"})
}

#[tokio::test]
async fn without_an_answer_it_is_refused_and_the_turn_goes_on() {
    let daemon =
        Daemon::with(|settings| settings.limits.ask_ceiling = Duration::from_millis(150)).await;
    let chat = daemon.scripted(ASKS, ask()).await;
    let accepted = chat.prompt("x").await;
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert_eq!(chat.text(&accepted).await, "1: no\n");
    let done = chat.stages("request/done").await;
    assert_eq!(done.len(), 1);
    assert_eq!(
        (
            &done[0]["outcome"],
            &done[0]["option_id"],
            &done[0]["answered_by"]
        ),
        (&json!("timeout"), &json!("no"), &json!("deadline"))
    );
    let request = json!({"request_id": done[0]["request_id"]});
    let late = chat
        .pick(&request, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(late["outcome"], "timeout");
    assert_eq!(
        daemon.audit("conversation.permission_denied").await[0]["metadata"]["verdict"],
        "timeout"
    );
}

#[tokio::test]
async fn the_agent_and_the_policy_do_not_stretch_the_wait_inside_a_turn() {
    let daemon =
        Daemon::with(|settings| settings.limits.ask_ceiling = Duration::from_millis(150)).await;
    let scenario = r#"on session/prompt
line {"id":1,"method":"session/request_permission","params":{"sessionId":"s1","_meta":{"fountain":{"timeout":86400}},"options":[{"optionId":"no","kind":"reject_once"}]}}
await 1
respond end_turn"#;
    let chat = daemon
        .scripted(scenario, json!({"default": "ask", "ask_timeout": 86_400}))
        .await;
    chat.say("x").await;
    assert_eq!(chat.stages("request/done").await[0]["outcome"], "timeout");
    assert_eq!(chat.stages("request/started").await[0]["timeout_ms"], 150);
}

#[tokio::test]
async fn after_the_deadline_nobody_can_answer_also_before_the_timer_has_come_by() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted(ASKS, ask()).await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    daemon.clock.advance(Duration::from_secs(301));
    let late = chat
        .pick(&request, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(
        (&late["outcome"], &late["option_id"]),
        (&json!("timeout"), &json!("no"))
    );
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert_eq!(chat.text(&accepted).await, "1: no\n");
}

/// Whatever was answered is what happened, exactly once.
async fn one_outcome(
    chat: &super::kit::chat::Chat<'_>,
    accepted: &Value,
    request: &Value,
    reply: &Reply,
    round: &str,
) -> bool {
    assert_eq!(chat.end(accepted).await["state"], "done", "{round}");
    let settled = chat.settled(request).await;
    let done: Vec<Value> = chat
        .stages("request/done")
        .await
        .into_iter()
        .filter(|meta| meta["request_id"] == request["request_id"])
        .collect();
    assert_eq!(done.len(), 1, "{round}");
    assert_eq!(done[0]["outcome"], settled["outcome"], "{round}");
    let (outcome, option) = if reply.status == 200 {
        ("answered", "yes")
    } else {
        assert_eq!(
            reply.refuses(409, "permission_request_resolved")["outcome"],
            "timeout",
            "{round}"
        );
        ("timeout", "no")
    };
    assert_eq!(
        (&settled["outcome"], &settled["option_id"]),
        (&json!(outcome), &json!(option)),
        "{round}"
    );
    assert_eq!(
        chat.text(accepted).await,
        format!("1: {option}\n"),
        "{round}"
    );
    outcome == "answered"
}

#[tokio::test]
async fn an_answer_around_the_deadline_has_one_outcome() {
    let daemon =
        Daemon::with(|settings| settings.limits.ask_ceiling = Duration::from_millis(60)).await;
    let chat = daemon.scripted(ASKS, ask()).await;
    let seed = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .subsec_nanos();
    let mut random = seed;
    for round in 0..30 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let offset = i64::from(random >> 16) % 40 - 20;
        let accepted = chat.prompt("x").await;
        let started = chat.event(&accepted["after"], "request/started").await;
        let request = json!({"request_id": started["data"]["request_id"]});
        let asked: Timestamp = started["ts"].as_str().unwrap().parse().unwrap();
        let at = Timestamp(asked.0 + 60 + offset);
        tokio::time::sleep(at.since(daemon.app.now())).await;
        let reply = chat.pick(&request, "yes").await;
        one_outcome(
            &chat,
            &accepted,
            &request,
            &reply,
            &format!("seed {seed}, round {round}, {offset} ms"),
        )
        .await;
    }
}

#[tokio::test]
async fn an_answer_at_each_millisecond_around_the_deadline_has_one_outcome() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted(ASKS, ask()).await;
    let mut answered = 0;
    for before in 0..14 {
        let accepted = chat.prompt("x").await;
        let request = chat.request().await;
        let deadline: Timestamp = request["deadline"].as_str().unwrap().parse().unwrap();
        // Each look at the clock is a millisecond later than the one before: the deadline comes in between.
        daemon.clock.tick_from(deadline.0 - before);
        let reply = chat.pick(&request, "yes").await;
        daemon.clock.untick();
        let round = format!("{before} looks before the deadline");
        answered += i32::from(one_outcome(&chat, &accepted, &request, &reply, &round).await);
    }
    assert!(answered > 0 && answered < 14, "{answered} of them in time");
}
