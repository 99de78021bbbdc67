//! The runtime's own session over processes: taken up again, forgotten, put to sleep.

use std::time::Duration;

use serde_json::json;

use super::kit::{Daemon, until};

#[tokio::test]
async fn a_new_process_takes_up_the_session_and_its_replay_is_not_stored_again() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\nchunk one\nrespond end_turn\nexit 0\nprocess 2\non session/load\nchunk old one\nrespond {}\nchunk old two\non session/prompt\nchunk new\nrespond end_turn";
    let chat = daemon.scripted(scenario, json!(null)).await;
    chat.say("x").await;
    chat.until_asleep().await;
    let accepted = chat.prompt("y").await;
    chat.end(&accepted).await;
    assert_eq!(chat.text(&accepted).await, "new");
    assert_eq!(
        chat.tags().await.iter().filter(|tag| *tag == "acp").count(),
        2
    );
    assert_eq!(
        (
            chat.heard_times("session/new"),
            chat.heard_times("session/load")
        ),
        (1, 1)
    );
    let provisioned = chat.stages("provision/done").await;
    assert_eq!(
        (&provisioned[0]["session"], &provisioned[1]["session"]),
        (&json!("new"), &json!("resumed"))
    );
    assert_eq!(chat.show().await["runtime_session_id"], "s1");
}

#[tokio::test]
async fn a_session_that_is_forgotten_is_told_and_the_prompt_runs_once() {
    let daemon = Daemon::new().await;
    for answer in ["error -32603 internal", "error -32002 Resource not found"] {
        let scenario = format!(
            "on session/prompt\nrespond end_turn\nexit 0\nprocess 2\non session/load\n{answer}\non session/new\nrespond {{\"sessionId\":\"s1\"}}"
        );
        let chat = daemon.scripted(&scenario, json!(null)).await;
        chat.say("first").await;
        chat.until_asleep().await;
        let accepted = chat.prompt("second").await;
        assert_eq!(chat.end(&accepted).await["state"], "done");
        assert_eq!(
            (chat.heard_times("second"), chat.heard_times("session/new")),
            (1, 2)
        );
        let reset = chat.stages("session/done").await;
        assert_eq!(reset.len(), 1);
        assert_eq!(
            (&reset[0]["event"], &reset[0]["reason"]),
            (&json!("reset"), &json!("session_gone"))
        );
        assert_eq!(chat.stages("turn/started").await.len(), 2);
    }
}

#[tokio::test]
async fn a_runtime_that_keeps_no_sessions_says_that_memory_is_lost() {
    let daemon = Daemon::new().await;
    let scenario = "on initialize\nrespond {\"protocolVersion\":1}\non session/prompt\nrespond end_turn\nexit 0";
    let chat = daemon.scripted(scenario, json!(null)).await;
    chat.say("x").await;
    chat.until_asleep().await;
    assert_eq!(chat.say("y").await["state"], "done");
    assert_eq!(chat.stages("session/done").await[0]["event"], "reset");
    assert_eq!(chat.heard_times("session/load"), 0);
}

#[tokio::test]
async fn an_idle_sandbox_is_put_to_sleep_and_wakes_with_its_memory() {
    let daemon =
        Daemon::with(|settings| settings.sandbox.idle_timeout = Some(Duration::from_millis(200)))
            .await;
    let chat = daemon.built_in(json!(null)).await;
    chat.say("remember the word is blue").await;
    let last = chat.events().await.last().unwrap()["id"].clone();
    let asleep = chat.event(&last, "sandbox/done").await;
    assert_eq!(
        (&asleep["data"]["event"], &asleep["data"]["reason"]),
        (&json!("suspended"), &json!("idle"))
    );
    until("nothing runs", async || chat.processes().await.is_empty()).await;
    assert_eq!(chat.show().await["sandbox"]["status"], "suspended");
    let accepted = chat.prompt("recall").await;
    chat.end(&accepted).await;
    let said = chat.text(&accepted).await;
    assert!(said.contains("the word is blue"), "{said}");
}

#[tokio::test]
async fn a_sandbox_with_an_open_request_is_not_idle() {
    let daemon =
        Daemon::with(|settings| settings.sandbox.idle_timeout = Some(Duration::from_millis(100)))
            .await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 1 execute x\nrespond end_turn",
            json!({"default": "ask"}),
        )
        .await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    // Long past the bound; the request is what keeps it.
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert!(!chat.processes().await.is_empty());
    chat.pick(&request, "yes").await.is(200);
    assert_eq!(chat.end(&accepted).await["state"], "done");
}

#[tokio::test]
async fn the_model_of_an_agent_is_chosen_the_way_its_runtime_offers() {
    let daemon = Daemon::new().await;
    let option = r#"{"sessionId":"s1","configOptions":[{"id":"m","category":"model","options":[{"value":"big"}]}]}"#;
    for (session, expect) in [
        (
            option,
            r#""method":"session/set_config_option","params":{"sessionId":"s1","configId":"m","value":"big"}"#,
        ),
        (
            r#"{"sessionId":"s1","models":{"availableModels":[]}}"#,
            r#""method":"session/set_model","params":{"sessionId":"s1","modelId":"big"}"#,
        ),
    ] {
        let chat = daemon
            .scripted(&format!("on session/new\nrespond {session}"), json!(null))
            .await;
        let agent = format!(
            "/api/agents/{}",
            chat.show().await["agent_id"].as_str().unwrap()
        );
        daemon
            .patch(&agent, json!({"model": "lab/big"}))
            .await
            .is(200);
        assert_eq!(chat.say("x").await["state"], "done");
        assert_eq!(chat.heard_times(expect), 1, "{:?}", chat.heard());
    }
    // One that is refused, or cannot be chosen, fails the turn instead of running on another.
    for (session, also) in [
        (
            option,
            "\non session/set_config_option\nerror -32602 no such model",
        ),
        (r#"{"sessionId":"s1"}"#, ""),
    ] {
        let chat = daemon
            .scripted(
                &format!("on session/new\nrespond {session}{also}"),
                json!(null),
            )
            .await;
        let agent = format!(
            "/api/agents/{}",
            chat.show().await["agent_id"].as_str().unwrap()
        );
        daemon
            .patch(&agent, json!({"model": "lab/big"}))
            .await
            .is(200);
        let end = chat.say("x").await;
        assert_eq!(end["state"], "failed");
        assert!(end["reason"].as_str().unwrap().contains("lab/big"), "{end}");
        assert_eq!(chat.heard_times("session/prompt"), 0);
    }
}

#[tokio::test]
async fn tokens_are_added_up_and_a_wild_figure_is_dropped() {
    let daemon = Daemon::new().await;
    let respond = |usage: &str| {
        format!("on session/prompt\nrespond {{\"stopReason\":\"end_turn\",\"usage\":{usage}}}\n")
    };
    let scenario: String = [
        r#"{"inputTokens":3,"outputTokens":4}"#,
        r#"{"inputTokens":"12"}"#,
        r#"{"inputTokens":-1,"outputTokens":5}"#,
        r#"{"inputTokens":1e300}"#,
        "null",
        "[]",
    ]
    .map(respond)
    .concat();
    let chat = daemon.scripted(&scenario, json!(null)).await;
    for _ in 0..6 {
        assert_eq!(chat.say("x").await["state"], "done");
    }
    assert_eq!(
        chat.show().await["usage_total"],
        json!({"input": 3, "output": 9})
    );
    assert_eq!(chat.turns().await[1]["usage"], json!(null));
}
