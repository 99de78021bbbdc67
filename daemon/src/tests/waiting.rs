//! Requests that outlive their turns.

use std::time::Duration;

use fountain_core::time::Timestamp;
use serde_json::{Value, json};

use super::kit::chat::Chat;
use super::kit::{Daemon, until};

pub(super) const WAITS: &str = "on session/prompt\npost 1 execute x\nrespond waiting";

fn ask() -> Value {
    json!({"default": "ask"})
}

/// Seconds from when a request was raised to its deadline.
pub(super) fn span(request: &Value) -> i64 {
    let time = |name: &str| {
        request[name]
            .as_str()
            .unwrap()
            .parse::<Timestamp>()
            .unwrap()
            .0
    };
    (time("deadline") - time("asked_at")) / 1_000
}

/// The prompts that told the agent how it went on.
pub(super) fn resumed(chat: &Chat<'_>) -> Vec<Value> {
    let lines = chat
        .heard()
        .into_iter()
        .filter(|line| line.contains("fountain/permission_answer"));
    let prompts = lines.map(|line| {
        let message: Value = serde_json::from_str(&line).unwrap();
        let text = message["params"]["prompt"][0]["text"].as_str().unwrap();
        assert!(!text.contains('\n'), "one line: {text}");
        serde_json::from_str(text).unwrap()
    });
    prompts.collect()
}

#[tokio::test]
async fn a_turn_that_waits_is_over_and_its_request_stays() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted(WAITS, ask()).await;
    let end = chat.say("x").await;
    let request = chat.request().await;
    assert_eq!(
        (&end["state"], &end["stop_reason"], &end["waiting"]),
        (&json!("done"), &json!("waiting"), &json!(true))
    );
    assert_eq!(end["waiting_request_id"], request["request_id"]);
    assert_eq!(end["waiting_request_ids"], json!([request["request_id"]]));
    assert_eq!(end["waiting_deadline"], request["deadline"]);
    assert_eq!((&request["detached"], span(&request)), (&json!(true), 300));
    let turn = chat.turns().await.remove(0);
    assert_eq!(
        (&turn["status"], &turn["waiting"]),
        (&json!("completed"), &json!(true))
    );
    assert_eq!(chat.status().await, "idle");
    until("its connection is closed", async || {
        chat.processes().await.is_empty()
    })
    .await;
    assert!(chat.stages("request/done").await.is_empty());
}

#[tokio::test]
async fn an_answer_opens_the_turn_that_tells_the_agent() {
    let daemon = Daemon::new().await;
    let scenario = format!("{WAITS}\nprocess 2\non session/prompt\nchunk thanks\nrespond end_turn");
    let chat = daemon.scripted(&scenario, ask()).await;
    chat.say("x").await;
    let request = chat.request().await;
    let last = chat.events().await.last().unwrap()["id"].clone();
    chat.pick(&request, "maybe")
        .await
        .refuses(422, "unknown_option");
    chat.pick(&request, "yes").await.is(200);
    assert!(
        chat.show().await["pending_requests"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let end = chat.event(&last, "turn/done").await;
    let turns = chat.turns().await;
    assert_eq!(
        (&turns[1]["origin"], &turns[1]["status"], &turns[1]["id"]),
        (&json!("user"), &json!("completed"), &end["turn_id"])
    );
    let settled = chat.settled(&request).await;
    let expect = json!({"fountain/permission_answer": {
        "request_id": request["request_id"],
        "tool": "execute",
        "outcome": "answered",
        "option_id": "yes",
        "answered_at": settled["answered_at"],
    }});
    assert_eq!(resumed(&chat), std::slice::from_ref(&expect));
    assert_eq!(turns[1]["prompt"], expect.to_string());
    assert_eq!(
        chat.text(&json!({"turn_id": turns[1]["id"]})).await,
        "thanks"
    );
    assert_eq!(chat.heard_times("session/load"), 1, "with its memory");
    chat.pick(&request, "no")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(chat.stages("request/done").await.len(), 1);
}

#[tokio::test]
async fn a_refusal_is_an_answer_too() {
    let daemon = Daemon::new().await;
    let scenario = format!("{WAITS}\nprocess 2");
    let chat = daemon.scripted(&scenario, ask()).await;
    chat.say("x").await;
    let request = chat.request().await;
    chat.answer(&request, json!({"deny": true})).await.is(200);
    until("the agent was told", async || resumed(&chat).len() == 1).await;
    let told = &resumed(&chat)[0]["fountain/permission_answer"];
    assert_eq!(
        (&told["outcome"], &told["option_id"]),
        (&json!("answered"), &json!("no"))
    );
    assert_eq!(
        daemon.audit("conversation.permission_denied").await[0]["metadata"]["verdict"],
        "person"
    );
}

#[tokio::test]
async fn waiting_for_nothing_is_an_ordinary_end() {
    let daemon = Daemon::new().await;
    for scenario in [
        "on session/prompt\nrespond waiting",
        "on session/prompt\nask 1 execute x\nrespond waiting",
        "on session/prompt\npost 1 execute x\nwait cancel\nrespond waiting",
    ] {
        let chat = daemon.scripted(scenario, ask()).await;
        let accepted = chat.prompt("x").await;
        if scenario.contains("ask 1") {
            let request = chat.request().await;
            chat.pick(&request, "yes").await.is(200);
        } else if scenario.contains("post 1") {
            chat.request().await;
            chat.interrupt().await;
        }
        let end = chat.end(&accepted).await;
        assert_eq!(end["waiting"], json!(null), "{scenario}");
        assert_eq!(chat.turns().await[0]["waiting"], false, "{scenario}");
        assert!(
            chat.show().await["pending_requests"]
                .as_array()
                .unwrap()
                .is_empty(),
            "{scenario}"
        );
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_delivered_now_leaves_the_request_open() {
    let daemon = Daemon::new().await;
    let scenario = format!(
        "{WAITS}\nprocess 2\non session/prompt\nask 9 read y\nrespond end_turn\non session/prompt\nrespond end_turn"
    );
    let chat = daemon.scripted(&scenario, ask()).await;
    chat.say("x").await;
    let waiting = chat.request().await;
    let busy = chat.prompt("y").await;
    let open = chat.requests(2).await;
    chat.pick(&waiting, "yes")
        .await
        .refuses(400, "conversation_busy");
    assert_eq!(chat.settled(&waiting).await["status"], "open");
    // The account may be what is in the way, too.
    let in_turn = open
        .iter()
        .find(|request| request["kind"] == "read")
        .unwrap();
    chat.pick(in_turn, "yes").await.is(200);
    chat.end(&busy).await;
    let mut settings = (*daemon.app.settings()).clone();
    settings.account.suspended = true;
    daemon.app.configure(settings.clone());
    chat.pick(&waiting, "yes")
        .await
        .refuses(403, "account_suspended");
    assert_eq!(chat.settled(&waiting).await["status"], "open");
    settings.account.suspended = false;
    daemon.app.configure(settings);
    chat.pick(&waiting, "yes").await.is(200);
    until("the agent was told", async || resumed(&chat).len() == 1).await;
}

#[tokio::test]
async fn several_that_wait_are_answered_one_after_the_other() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted("on session/prompt\npost 1 execute a\npost 2 read b\npost 3 edit c\nrespond waiting\nprocess 2", ask()).await;
    let end = chat.say("x").await;
    let open = chat.requests(3).await;
    assert_eq!(end["waiting_request_ids"].as_array().unwrap().len(), 3);
    let answers = open.iter().map(|request| chat.pick(request, "yes"));
    let replies = futures_util::future::join_all(answers).await;
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 200).count(),
        1,
        "a resume turn each"
    );
    for _ in 0..2 {
        until("the turn is over", async || chat.status().await == "idle").await;
        let open = chat.show().await["pending_requests"]
            .as_array()
            .unwrap()
            .clone();
        chat.pick(&open[0], "no").await.is(200);
    }
    until("the agent was told of each", async || {
        resumed(&chat).len() == 3
    })
    .await;
    until("the turn is over", async || chat.status().await == "idle").await;
    assert_eq!(chat.turns().await.len(), 4);
}

#[tokio::test]
async fn ending_a_conversation_settles_what_waits_and_nothing_is_tried_again() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(WAITS, json!({"default": "ask", "ask_timeout": 60}))
        .await;
    chat.say("x").await;
    let request = chat.request().await;
    daemon.call("POST", &chat.path("/terminate")).send().await;
    assert_eq!(chat.settled(&request).await["outcome"], "turn_ended");
    assert_eq!(chat.stages("request/done").await.len(), 1);
    daemon.clock.advance(Duration::from_secs(61));
    chat.pick(&request, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    let gone = daemon
        .scripted(WAITS, json!({"default": "ask", "ask_timeout": 60}))
        .await;
    gone.say("x").await;
    let request = gone.request().await;
    assert_eq!(daemon.delete(&gone.path("")).await.status, 204);
    gone.pick(&request, "yes").await.refuses(404, "not_found");
    daemon.clock.advance(Duration::from_secs(61));
    assert_eq!(
        (
            chat.turns().await.len(),
            chat.heard_times("start"),
            gone.heard_times("start")
        ),
        (1, 1, 1)
    );
}

#[tokio::test]
async fn what_outlived_its_turn_is_listed_whole() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted(WAITS, ask()).await;
    chat.say("x").await;
    let listed = chat.request().await;
    assert_eq!(
        (&listed["tool"], &listed["kind"], &listed["detached"]),
        (&json!("execute"), &json!("execute"), &json!(true))
    );
    assert_eq!(listed["turn_id"], chat.turns().await[0]["id"]);
    let options: Vec<&Value> = listed["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| &option["optionId"])
        .collect();
    assert_eq!(options, ["yes", "no"]);
    let all = daemon.get("/api/requests").await.is(200);
    let row = all["data"][0].as_object().unwrap();
    for (name, value) in listed.as_object().unwrap() {
        assert_eq!(row.get(name), Some(value), "{name}");
    }
}

#[tokio::test]
async fn of_many_answers_to_what_waits_one_opens_a_turn() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted(&format!("{WAITS}\nprocess 2"), ask()).await;
    chat.say("x").await;
    let request = chat.request().await;
    let racing =
        (0..20).map(|number| chat.pick(&request, if number % 2 == 0 { "yes" } else { "no" }));
    let replies = futures_util::future::join_all(racing).await;
    let (won, lost): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!(won.len(), 1);
    let settled = chat.settled(&request).await;
    for reply in lost {
        let body = reply.refuses(409, "permission_request_resolved");
        assert_eq!(body["option_id"], settled["option_id"], "{body}");
    }
    until("the agent was told", async || resumed(&chat).len() == 1).await;
    until("the turn is over", async || chat.status().await == "idle").await;
    assert_eq!(chat.turns().await.len(), 2);
}

#[tokio::test]
async fn the_turn_that_an_answer_opens_may_ask_by_the_same_number() {
    let daemon = Daemon::new().await;
    let scenario =
        format!("{WAITS}\nprocess 2\non session/prompt\nask 1 execute x\nrespond end_turn");
    let chat = daemon.scripted(&scenario, ask()).await;
    chat.say("x").await;
    let first = chat.request().await;
    chat.pick(&first, "yes").await.is(200);
    let second = chat.request().await;
    assert_ne!(first["request_id"], second["request_id"]);
    for request in [&first, &second] {
        assert!(
            request["request_id"].as_str().unwrap().starts_with("1."),
            "{request}"
        );
    }
    chat.pick(&first, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    chat.pick(&second, "no").await.is(200);
    until("the turn is over", async || chat.status().await == "idle").await;
    assert_eq!(chat.heard_times(r#""id":1,"result""#), 1, "not the old one");
}

#[tokio::test]
async fn what_nobody_can_be_told_of_can_still_be_refused() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(WAITS, json!({"default": "ask", "ask_timeout": 86_400}))
        .await;
    chat.say("x").await;
    let request = chat.request().await;
    let agent = chat.show().await["agent_id"].as_str().unwrap().to_owned();
    assert_eq!(
        daemon.delete(&format!("/api/agents/{agent}")).await.status,
        204
    );
    chat.pick(&request, "yes").await.refuses(422, "no_agent");
    chat.answer(&request, json!({"deny": true})).await.is(200);
    let settled = chat.settled(&request).await;
    assert_eq!(
        (&settled["outcome"], &settled["option_id"]),
        (&json!("answered"), &json!("no"))
    );
    assert_eq!(chat.turns().await.len(), 1);
}
