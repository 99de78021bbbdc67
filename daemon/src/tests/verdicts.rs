//! The policy in force: what runs, what waits, what never runs.

use serde_json::{Value, json};

use super::kit::Daemon;
use super::kit::chat::Chat;

async fn marker(chat: &Chat<'_>, name: &str) -> bool {
    let sandbox = chat.show().await["sandbox_id"].as_str().unwrap().to_owned();
    let folder = chat
        .daemon
        .folder()
        .join("data")
        .join("sandboxes")
        .join(sandbox);
    folder.join("workspace").join(name).exists()
}

#[tokio::test]
async fn what_is_permitted_runs_and_nobody_is_asked() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .built_in(json!({"execute": "auto_allow", "default": "auto_deny"}))
        .await;
    let end = chat.say("run touch marker").await;
    assert_eq!(end["state"], "done");
    assert!(marker(&chat, "marker").await);
    assert!(
        !chat
            .tags()
            .await
            .iter()
            .any(|tag| tag.starts_with("request/"))
    );
    assert!(
        daemon
            .audit("conversation.permission_denied")
            .await
            .is_empty()
    );
    assert_eq!(daemon.count("SELECT count(*) FROM decisions WHERE verdict = 'auto_allow' AND policy_key = 'execute' AND option_id = 'allow_once'").await, 1);
}

#[tokio::test]
async fn what_is_refused_does_not_run_and_the_turn_goes_on() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!({"execute": "auto_deny"})).await;
    let accepted = chat.prompt("run touch marker\nsay after").await;
    let end = chat.end(&accepted).await;
    assert_eq!(
        (&end["state"], &end["stop_reason"]),
        (&json!("done"), &json!("end_turn"))
    );
    assert!(!marker(&chat, "marker").await);
    assert!(chat.text(&accepted).await.ends_with("after"));
    let trail = daemon.audit("conversation.permission_denied").await;
    assert_eq!(
        trail[0]["metadata"],
        json!({"tool": "execute", "verdict": "auto_deny", "key": "execute"})
    );
    assert_eq!((&trail[0]["id"], trail.len()), (&json!(chat.id), 1));
    let told = chat.stages("policy/done").await;
    assert_eq!(
        (
            &told[0]["event"],
            &told[0]["tool"],
            &told[0]["key"],
            told.len()
        ),
        (&json!("denied"), &json!("execute"), &json!("execute"), 1)
    );
    assert!(told[0]["tool_call_id"].is_string(), "{told:?}");
    assert_eq!(told[0]["summary"], "touch marker");
}

#[tokio::test]
async fn what_waits_is_announced_and_runs_when_a_person_says_so() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!({"default": "ask"})).await;
    let accepted = chat.prompt("run touch marker").await;
    let request = chat.request().await;
    assert_eq!(chat.status().await, "running");
    assert!(!marker(&chat, "marker").await);
    assert_eq!(
        (&request["tool"], &request["kind"], &request["summary"]),
        (&json!("execute"), &json!("execute"), &json!("touch marker"))
    );
    assert_eq!(
        (&request["turn_id"], &request["detached"]),
        (&accepted["turn_id"], &json!(false))
    );
    let options: Vec<&str> = request["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| option["kind"].as_str().unwrap())
        .collect();
    assert_eq!(options, ["allow_once", "allow_always", "reject_once"]);
    let started = chat.stages("request/started").await.remove(0);
    assert_eq!(started["request_id"], request["request_id"]);
    assert_eq!(started["options"], request["options"]);
    let left = started["timeout_ms"].as_i64().unwrap();
    assert!((299_000..=300_000).contains(&left), "{left}");
    // The line itself follows, with the public id.
    let events = chat.events().await;
    let line = events
        .iter()
        .filter(|event| event["stream"] == "acp")
        .map(|event| event["data"].as_str().unwrap())
        .find(|line| line.contains("session/request_permission"))
        .unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(line).unwrap()["id"],
        request["request_id"]
    );
    let all = daemon.get("/api/requests").await.is(200);
    assert_eq!(
        (
            &all["data"][0]["conversation_id"],
            &all["data"][0]["status"]
        ),
        (&json!(chat.id), &json!("open"))
    );
    chat.pick(&request, "allow_once").await.is(200);
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert!(marker(&chat, "marker").await);
    let done = chat.stages("request/done").await;
    assert_eq!(done.len(), 1);
    assert_eq!(
        (&done[0]["outcome"], &done[0]["option_id"]),
        (&json!("answered"), &json!("allow_once"))
    );
    assert!(
        done[0]["answered_by"]
            .as_str()
            .unwrap()
            .starts_with("owner (ftn_"),
        "{done:?}"
    );
    assert!(
        chat.show().await["pending_requests"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let settled = chat.settled(&request).await;
    assert_eq!(
        (&settled["status"], &settled["outcome"]),
        (&json!("settled"), &json!("answered"))
    );
    assert!(
        daemon
            .audit("conversation.permission_denied")
            .await
            .is_empty(),
        "a permit leaves no row"
    );
}

#[tokio::test]
async fn a_person_may_refuse() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!({"default": "ask"})).await;
    let accepted = chat.prompt("run touch marker\nsay after").await;
    let request = chat.request().await;
    chat.answer(&request, json!({"deny": true})).await.is(200);
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert!(!marker(&chat, "marker").await);
    let settled = chat.settled(&request).await;
    assert_eq!(
        (&settled["outcome"], &settled["option_id"]),
        (&json!("answered"), &json!("reject_once"))
    );
    assert_eq!(
        daemon.audit("conversation.permission_denied").await[0]["metadata"]["verdict"],
        "person"
    );
}

#[tokio::test]
async fn an_automatic_verdict_picks_only_what_was_offered() {
    let daemon = Daemon::new().await;
    for (verdict, offered, told) in [
        ("auto_allow", "always,once", "allow_once"),
        ("auto_allow", "always", "allow_always"),
        ("auto_allow", "reject", "dismissed"),
        ("auto_allow", "a=once,b=once", "a"),
        ("auto_deny", "never,reject", "reject_once"),
        ("auto_deny", "once,never", "reject_always"),
        ("auto_deny", "once,always", "dismissed"),
        ("auto_deny", "none", "dismissed"),
    ] {
        let chat = daemon.built_in(json!({ "default": verdict })).await;
        let accepted = chat.prompt(&format!("ask execute x with {offered}")).await;
        assert_eq!(chat.end(&accepted).await["state"], "done");
        let said = chat.text(&accepted).await;
        assert!(said.contains(told), "{verdict} of {offered}: {said}");
    }
}

#[tokio::test]
async fn a_policy_that_is_edited_counts_from_the_next_request_on() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\nask 0 execute one\nawait_file\nrespond end_turn";
    let scenario = scenario.replace("await_file", "ask 1 fetch two\nask 2 execute three");
    let chat = daemon
        .scripted(&scenario, json!({"fetch": "ask", "execute": "auto_allow"}))
        .await;
    let agent = format!(
        "/api/agents/{}",
        chat.show().await["agent_id"].as_str().unwrap()
    );
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    // The turn is in the middle: the next of the kind that was permitted is refused.
    daemon
        .patch(
            &agent,
            json!({"permission_policy": {"execute": "auto_deny", "fetch": "auto_deny"}}),
        )
        .await
        .is(200);
    chat.pick(&request, "yes").await.is(200);
    chat.end(&accepted).await;
    assert_eq!(chat.text(&accepted).await, "0: yes\n1: yes\n2: no\n");
    daemon
        .patch(&agent, json!({"permission_policy": null}))
        .await
        .is(200);
    let accepted = chat.prompt("x").await;
    chat.end(&accepted).await;
    assert_eq!(chat.text(&accepted).await, "0: yes\n1: yes\n2: yes\n");
}

#[tokio::test]
async fn a_launch_narrows_and_an_edit_of_the_agent_reaches_it_too() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 0 read a\nask 1 execute b\nrespond end_turn",
            json!(null),
        )
        .await;
    let agent = chat.show().await["agent_id"].as_str().unwrap().to_owned();
    let narrow = daemon
        .launch(json!({"agent_id": agent, "permission_policy": {"execute": "auto_deny"}}))
        .await;
    let accepted = narrow.prompt("x").await;
    narrow.end(&accepted).await;
    assert_eq!(narrow.text(&accepted).await, "0: yes\n1: no\n");
    let tight = json!({"permission_policy": {"read": "auto_deny", "execute": "auto_allow"}});
    daemon
        .patch(&format!("/api/agents/{agent}"), tight)
        .await
        .is(200);
    let accepted = narrow.prompt("x").await;
    narrow.end(&accepted).await;
    assert_eq!(narrow.text(&accepted).await, "0: no\n1: no\n");
}

#[tokio::test]
async fn without_its_agent_a_turn_that_runs_is_refused_everything() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 0 fetch a\nask 1 read b\nrespond end_turn",
            json!({"fetch": "ask"}),
        )
        .await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    let agent = chat.show().await["agent_id"].as_str().unwrap().to_owned();
    assert_eq!(
        daemon.delete(&format!("/api/agents/{agent}")).await.status,
        204
    );
    chat.pick(&request, "yes").await.is(200);
    chat.end(&accepted).await;
    assert_eq!(chat.text(&accepted).await, "0: yes\n1: no\n");
}

#[tokio::test]
async fn an_agent_does_not_choose_its_verdict_by_its_words() {
    let daemon = Daemon::new().await;
    let scenario = r#"on session/prompt
post 0 delete read
await 0
post 1 Execute x
await 1
post 2 delete default
await 2
post 3 delete ask_timeout
await 3
post 4 read x
await 4
line {"id":5,"method":"session/request_permission","params":{"sessionId":"s1","options":[{"optionId":"yes","kind":"allow_once"},{"optionId":"no","kind":"reject_once"}]}}
await 5
line {"id":6,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"title":null,"kind":7},"options":[{"optionId":"yes","kind":"allow_once"},{"optionId":"no","kind":"reject_once"}]}}
await 6
respond end_turn"#;
    let chat = daemon
        .scripted(
            scenario,
            json!({"default": "auto_deny", "read": "auto_allow"}),
        )
        .await;
    chat.say("x").await;
    for (id, option) in [
        (0, "no"),
        (1, "no"),
        (2, "no"),
        (3, "no"),
        (4, "yes"),
        (5, "no"),
        (6, "no"),
    ] {
        let reply = format!(
            r#""id":{id},"result":{{"outcome":{{"outcome":"selected","optionId":"{option}"}}}}"#
        );
        assert_eq!(chat.heard_times(&reply), 1, "{id}: {:?}", chat.heard());
    }
}

#[tokio::test]
async fn a_request_for_a_session_that_is_not_its_own_is_cancelled_and_not_stored() {
    let daemon = Daemon::new().await;
    let scenario = r#"on session/prompt
line {"id":9,"method":"session/request_permission","params":{"sessionId":"other","options":[{"optionId":"yes","kind":"allow_once"}]}}
await 9
respond end_turn"#;
    let chat = daemon.scripted(scenario, json!({"default": "ask"})).await;
    assert_eq!(chat.say("x").await["state"], "done");
    assert_eq!(
        chat.heard_times(r#""id":9,"result":{"outcome":{"outcome":"cancelled"}}"#),
        1
    );
    assert_eq!(daemon.count("SELECT count(*) FROM requests").await, 0);
    assert_eq!(
        chat.tags().await,
        [
            "provision/started",
            "provision/done",
            "turn/started",
            "turn/done"
        ]
    );
}

#[tokio::test]
async fn what_is_never_asked_is_never_decided() {
    let daemon = Daemon::new().await;
    let scenario = r#"on session/prompt
update {"sessionUpdate":"tool_call","toolCallId":"t","title":"rm x","kind":"execute","status":"in_progress"}
update {"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed"}
respond end_turn"#;
    let chat = daemon
        .scripted(scenario, json!({"default": "auto_deny"}))
        .await;
    assert_eq!(chat.say("x").await["state"], "done");
    let tags = chat.tags().await;
    let told = |kind: &str| tags.iter().any(|tag| tag.starts_with(kind));
    assert!(!told("request/") && !told("policy/"), "{tags:?}");
    assert_eq!(daemon.count("SELECT count(*) FROM decisions").await, 0);
    assert!(
        daemon
            .audit("conversation.permission_denied")
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn an_always_answer_is_handed_on_and_not_kept() {
    let daemon = Daemon::new().await;
    let ask = |id: u8| {
        format!(
            r#"line {{"id":{id},"method":"session/request_permission","params":{{"sessionId":"s1","toolCall":{{"title":"x","kind":"execute"}},"options":[{{"optionId":"forever","kind":"allow_always"}},{{"optionId":"no","kind":"reject_once"}}]}}}}
await {id}
"#
        )
    };
    let scenario = format!("on session/prompt\n{}{}respond end_turn", ask(1), ask(2));
    let chat = daemon.scripted(&scenario, json!({"default": "ask"})).await;
    let accepted = chat.prompt("x").await;
    let first = chat.request().await;
    chat.pick(&first, "forever").await.is(200);
    // The same call again: a runtime that goes on asking is asked about again, and may be refused.
    let second = chat.request().await;
    assert_ne!(first["request_id"], second["request_id"]);
    chat.pick(&second, "no").await.is(200);
    assert_eq!(chat.end(&accepted).await["state"], "done");
    for (id, option) in [(1, "forever"), (2, "no")] {
        let reply = format!(
            r#""id":{id},"result":{{"outcome":{{"outcome":"selected","optionId":"{option}"}}}}"#
        );
        assert_eq!(chat.heard_times(&reply), 1, "{id}: {:?}", chat.heard());
    }
}

#[tokio::test]
async fn a_request_is_judged_by_its_card_too() {
    let daemon = Daemon::new().await;
    let card = r#"line {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"T","title":"rm -rf /","kind":"execute"}}}"#;
    let ask = |id: i32, call: &str| {
        format!(
            r#"line {{"jsonrpc":"2.0","id":{id},"method":"session/request_permission","params":{{"sessionId":"s1","toolCall":{call},"options":[{{"optionId":"yes","kind":"allow_once","name":"Yes"}},{{"optionId":"no","kind":"reject_once","name":"No"}}]}}}}"#
        )
    };
    let scenario = [
        "on session/prompt".to_owned(),
        card.to_owned(),
        // It names no more than the call; then another kind than the card; then another call.
        ask(1, r#"{"toolCallId":"T"}"#),
        ask(2, r#"{"toolCallId":"T","kind":"read"}"#),
        ask(3, r#"{"toolCallId":"U"}"#),
        "wait".to_owned(),
        "respond end_turn".to_owned(),
    ];
    let scenario: Vec<String> = scenario.into_iter().filter(|line| line != "wait").collect();
    let chat = daemon
        .scripted(&scenario.join("\n"), json!({"execute": "auto_deny"}))
        .await;
    chat.say("x").await;
    let denied = chat.stages("policy/done").await;
    assert_eq!(denied.len(), 2, "{denied:?}");
    assert!(denied.iter().all(|event| event["key"] == "execute"));
    assert_eq!(
        (&denied[0]["tool"], &denied[0]["summary"]),
        (&json!("execute"), &json!("rm -rf /"))
    );
    assert_eq!(
        daemon
            .count("SELECT count(*) FROM decisions WHERE verdict = 'auto_allow'")
            .await,
        1
    );
}
