//! Answers: the first one wins, a bad one costs nothing, and each reaches the call it is for.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::kit::chat::Chat;
use super::kit::{Daemon, rounds, until};

#[tokio::test]
async fn of_fifty_answers_at_once_one_wins_and_the_others_are_told_who_was_faster() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 1 execute x\nrespond end_turn",
            json!({"default": "ask"}),
        )
        .await;
    for round in 1..=rounds(2) {
        fifty_answers(&chat, round as usize).await;
    }
}

async fn fifty_answers(chat: &Chat<'_>, round: usize) {
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    let racing =
        (0..50).map(|number| chat.pick(&request, if number % 2 == 0 { "yes" } else { "no" }));
    let replies = join_all(racing).await;
    let won: Vec<usize> = (0..50).filter(|at| replies[*at].status == 200).collect();
    assert_eq!(won.len(), 1);
    let option = if won[0].is_multiple_of(2) {
        "yes"
    } else {
        "no"
    };
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        let body = reply.refuses(409, "permission_request_resolved");
        assert_eq!(
            (&body["outcome"], &body["option_id"]),
            (&json!("answered"), &json!(option))
        );
        assert!(
            body["answered_by"].as_str().unwrap().starts_with("owner ("),
            "{body}"
        );
        assert!(
            body["answered_at"].as_str().unwrap().ends_with('Z'),
            "{body}"
        );
    }
    chat.end(&accepted).await;
    assert_eq!(chat.text(&accepted).await, format!("1: {option}\n"));
    assert_eq!(chat.stages("request/done").await.len(), round);
    assert_eq!(chat.heard_times(r#""id":1,"result""#), round);
    chat.pick(&request, "yes")
        .await
        .refuses(409, "permission_request_resolved");
}

#[tokio::test]
async fn an_answer_that_cannot_be_meant_leaves_the_request_open() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 1 execute x\nrespond end_turn",
            json!({"default": "ask"}),
        )
        .await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    for option in ["allow", "", "YES", "yes "] {
        chat.pick(&request, option)
            .await
            .refuses(422, "unknown_option");
    }
    for body in [
        json!({}),
        json!(null),
        json!([]),
        json!("yes"),
        json!({"option_id": null}),
        json!({"option_id": 1}),
        json!({"option_id": ["yes", "no"]}),
        json!({"deny": false}),
        json!({"deny": "yes"}),
        json!({"option_id": "yes", "deny": true}),
    ] {
        chat.answer(&request, body)
            .await
            .refuses(422, "option_id_required");
    }
    let nothing = daemon.call(
        "POST",
        &chat.path(&format!(
            "/requests/{}",
            request["request_id"].as_str().unwrap()
        )),
    );
    nothing.send().await.refuses(422, "option_id_required");
    assert_eq!(chat.request().await, request);
    chat.pick(&request, "yes").await.is(200);
    chat.end(&accepted).await;
    // What is settled says so, whatever is sent.
    chat.pick(&request, "allow")
        .await
        .refuses(409, "permission_request_resolved");
}

#[tokio::test]
async fn several_requests_are_answered_each_for_itself() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted("on session/prompt\npost 7 execute a\npost 8 read b\npost \"x\" edit c\nawait 7\nawait 8\nawait \"x\"\nrespond end_turn", json!({"default": "ask"})).await;
    let accepted = chat.prompt("x").await;
    let open = chat.requests(3).await;
    let kinds: Vec<&str> = open
        .iter()
        .map(|request| request["kind"].as_str().unwrap())
        .collect();
    for (kind, option) in [("edit", "yes"), ("execute", "no"), ("read", "yes")] {
        let at = kinds.iter().position(|known| *known == kind).unwrap();
        chat.pick(&open[at], option).await.is(200);
    }
    assert_eq!(chat.end(&accepted).await["state"], "done");
    for (id, option) in [("7", "no"), ("8", "yes"), ("\"x\"", "yes")] {
        let reply = format!(
            r#""id":{id},"result":{{"outcome":{{"outcome":"selected","optionId":"{option}"}}}}"#
        );
        assert_eq!(chat.heard_times(&reply), 1, "{:?}", chat.heard());
    }
    assert_eq!(chat.stages("request/done").await.len(), 3);
}

#[tokio::test]
async fn two_requests_with_one_number_are_two_requests() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted("on session/prompt\npost 5 execute a\npost 5 read b\nawait 5\nsleep 50\nrespond end_turn", json!({"default": "ask"})).await;
    let accepted = chat.prompt("x").await;
    let open = chat.requests(2).await;
    assert_ne!(open[0]["request_id"], open[1]["request_id"]);
    for request in &open {
        assert!(
            request["request_id"].as_str().unwrap().starts_with("5."),
            "{request}"
        );
    }
    let at = open
        .iter()
        .position(|request| request["kind"] == "execute")
        .unwrap();
    chat.pick(&open[at], "no").await.is(200);
    chat.pick(&open[1 - at], "yes").await.is(200);
    chat.end(&accepted).await;
    let replies: Vec<String> = chat
        .heard()
        .into_iter()
        .filter(|line| line.contains(r#""id":5,"result""#))
        .collect();
    assert_eq!(replies.len(), 2);
    assert!(
        replies[0].contains("\"no\"") && replies[1].contains("\"yes\""),
        "{replies:?}"
    );
}

#[tokio::test]
async fn the_number_of_a_turn_before_answers_nothing() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 0 execute x\nrespond end_turn",
            json!({"default": "ask"}),
        )
        .await;
    let first = chat.prompt("x").await;
    let one = chat.request().await;
    chat.pick(&one, "yes").await.is(200);
    chat.end(&first).await;
    let second = chat.prompt("x").await;
    let two = chat.request().await;
    assert_ne!(one["request_id"], two["request_id"]);
    chat.pick(&one, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(chat.request().await, two);
    chat.pick(&two, "no").await.is(200);
    chat.end(&second).await;
    assert_eq!(chat.text(&second).await, "0: no\n");
}

#[tokio::test]
async fn both_sides_may_use_the_same_number_at_the_same_time() {
    let daemon = Daemon::new().await;
    let scenario = r#"on session/prompt
line {"id":$ID,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"kind":"execute"},"options":[{"optionId":"yes","kind":"allow_once"}]}}
await $ID
respond end_turn"#;
    // The daemon numbers its own calls from 1: initialize, session/new, session/prompt.
    let chat = daemon
        .scripted(
            &scenario.replace("await $ID", "await 3"),
            json!({"default": "ask"}),
        )
        .await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    chat.pick(&request, "yes").await.is(200);
    assert_eq!(chat.end(&accepted).await["state"], "done");
}

#[tokio::test]
async fn a_request_that_the_agent_takes_back_is_settled_once() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\npost 4 execute x\nwait cancel\nrespond end_turn\non x";
    let chat = daemon.scripted(&scenario.replace("wait cancel", "sleep 100\nline {\"method\":\"$/cancel_request\",\"params\":{\"requestId\":4}}\nline {\"method\":\"$/cancel_request\",\"params\":{\"requestId\":99}}\nchunk on"), json!({"default": "ask"})).await;
    let accepted = chat.prompt("x").await;
    let started = chat.event(&accepted["after"], "request/started").await;
    assert_eq!(chat.end(&accepted).await["state"], "done");
    let done = chat.stages("request/done").await;
    assert_eq!(done.len(), 1);
    assert_eq!(
        (
            &done[0]["outcome"],
            &done[0]["option_id"],
            &done[0]["answered_by"]
        ),
        (&json!("cancelled"), &json!(null), &json!("agent"))
    );
    let request = json!({"request_id": started["data"]["request_id"]});
    let late = chat
        .pick(&request, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(late["outcome"], "cancelled");
    assert!(
        daemon
            .audit("conversation.permission_denied")
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn what_a_turn_holds_ends_with_it() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\npost 1 execute a\npost 2 read b\nsleep 50\nrespond end_turn",
            json!({"default": "ask"}),
        )
        .await;
    let accepted = chat.prompt("x").await;
    assert_eq!(chat.end(&accepted).await["state"], "done");
    let done = chat.stages("request/done").await;
    assert_eq!(done.len(), 2);
    assert!(
        done.iter().all(|meta| meta["outcome"] == "turn_ended"),
        "{done:?}"
    );
    // All of it was told before the turn's own end, and the agent got its answers.
    assert_eq!(chat.tags().await.last().unwrap(), "turn/done");
    until("the agent was answered", async || {
        chat.heard_times("\"outcome\":\"cancelled\"") == 2
    })
    .await;
    let late = chat
        .pick(&json!({"request_id": done[0]["request_id"]}), "yes")
        .await;
    assert_eq!(
        late.refuses(409, "permission_request_resolved")["outcome"],
        "turn_ended"
    );
    let words: Vec<Value> = daemon
        .audit("conversation.permission_denied")
        .await
        .iter()
        .map(|row| row["metadata"]["verdict"].clone())
        .collect();
    assert_eq!(words, ["turn_ended", "turn_ended"]);
}

#[tokio::test]
async fn requests_are_listed_by_deadline_and_by_conversation() {
    let daemon = Daemon::new().await;
    let policy = json!({"default": "ask"});
    let scenario = "on session/prompt\nask 1 execute x\nrespond end_turn";
    let (a, b) = (
        daemon.scripted(scenario, policy.clone()).await,
        daemon.scripted(scenario, policy).await,
    );
    let (turn_a, turn_b) = (a.prompt("x").await, b.prompt("x").await);
    let (one, two) = (a.request().await, b.request().await);
    let all = daemon.get("/api/requests?status=open").await.is(200);
    let deadlines: Vec<&str> = all["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["deadline"].as_str().unwrap())
        .collect();
    assert_eq!(deadlines.len(), 2);
    assert!(deadlines.is_sorted(), "{deadlines:?}");
    let of_a = daemon
        .get(&format!("/api/requests?conversation_id={}", a.id))
        .await
        .is(200);
    assert_eq!(of_a["data"][0]["request_id"], one["request_id"]);
    a.pick(&one, "yes").await.is(200);
    a.end(&turn_a).await;
    let count = async |query: &str| {
        daemon.get(&format!("/api/requests{query}")).await.is(200)["data"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!((count("").await, count("?status=all").await), (1, 2));
    daemon
        .get("/api/requests?status=closed")
        .await
        .refuses(400, "invalid_status");
    daemon
        .get("/api/requests?limit=0")
        .await
        .refuses(400, "invalid_limit");
    b.pick(&two, "yes").await.is(200);
    b.end(&turn_b).await;
}
