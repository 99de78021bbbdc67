//! Agents that die, never come up, or come up too late.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::kit::chat::Chat;
use super::kit::{Daemon, until};

/// The end of a turn whose agent died: told soon, although others wait for seconds and minutes.
async fn fails_soon(chat: &Chat<'_>, what: &str) -> Value {
    let before = Instant::now();
    let end = chat.say("x").await;
    assert!(
        before.elapsed() < Duration::from_secs(5),
        "{what}: {:?}",
        before.elapsed()
    );
    assert_eq!(end["state"], "failed", "{what}: {end}");
    assert_eq!(
        (
            chat.status().await.as_str(),
            chat.turns().await.last().unwrap()["status"].as_str()
        ),
        ("idle", Some("failed"))
    );
    end
}

const GOOD: &str = "\nprocess 2\non initialize\nrespond {\"protocolVersion\":1}\non session/new\nrespond {\"sessionId\":\"s1\"}\non session/prompt\nchunk back\nrespond end_turn";

#[tokio::test]
async fn an_agent_that_dies_on_the_way_fails_the_turn_and_the_next_prompt_works() {
    let daemon = Daemon::new().await;
    for (at, scenario, before) in [
        ("its start", "stderr oh no\nexit 7", true),
        ("the greeting", "on initialize\nstderr oh no\nexit 7", true),
        (
            "after the greeting",
            "on initialize\nstderr oh no\nrespond {\"protocolVersion\":1}\nexit 7",
            true,
        ),
        ("the session", "on session/new\nstderr oh no\nexit 7", true),
        (
            "after the session",
            "on session/new\nstderr oh no\nrespond {\"sessionId\":\"s1\"}\nexit 7",
            false,
        ),
        (
            "the prompt",
            "on session/prompt\nchunk half\nstderr oh no\nexit 7",
            false,
        ),
    ] {
        let chat = daemon
            .scripted(&format!("{scenario}{GOOD}"), json!(null))
            .await;
        let end = fails_soon(&chat, at).await;
        let reason = end["reason"].as_str().unwrap();
        assert_eq!(end["exit_code"], 7, "{at}: {end}");
        assert!(
            reason.contains("exit status 7") && reason.contains("oh no"),
            "{at}: {reason}"
        );
        // Whether it died before or after it was asked is a race in one case alone.
        if at != "after the session" {
            assert_eq!(
                reason.starts_with("the sandbox never started: "),
                before,
                "{at}: {reason}"
            );
            assert_eq!(
                chat.tags().await.contains(&"provision/failed".to_owned()),
                before,
                "{at}"
            );
        }
        assert_eq!(chat.turns().await[0]["exit_code"], 7, "{at}");
        let accepted = chat.prompt("x").await;
        assert_eq!(chat.end(&accepted).await["state"], "done", "{at}");
        assert_eq!(chat.text(&accepted).await, "back", "{at}");
    }
}

#[tokio::test]
async fn an_agent_that_greets_and_goes_is_noticed_every_time() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on initialize\nrespond {\"protocolVersion\":1}\nexit 3",
            json!(null),
        )
        .await;
    for round in 0..10 {
        let end = fails_soon(&chat, &format!("round {round}")).await;
        assert_eq!(end["exit_code"], 3, "{end}");
    }
    assert_eq!(chat.heard_times("start"), 10);
}

#[tokio::test]
async fn an_agent_that_dies_with_a_request_open_settles_it() {
    let daemon = Daemon::new().await;
    let scenario = format!("on session/prompt\npost 1 execute x\nsleep 100\nexit 6{GOOD}");
    let chat = daemon.scripted(&scenario, json!({"default": "ask"})).await;
    let end = fails_soon(&chat, "with a request open").await;
    assert_eq!(end["exit_code"], 6);
    let done = chat.stages("request/done").await;
    assert_eq!((done.len(), &done[0]["outcome"]), (1, &json!("turn_ended")));
    assert!(
        chat.show().await["pending_requests"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    assert_eq!(chat.say("x").await["state"], "done");
}

#[tokio::test]
async fn an_agent_that_is_killed_says_by_what() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            &format!("on session/prompt\nchunk half\nhang{GOOD}"),
            json!(null),
        )
        .await;
    let accepted = chat.prompt("x").await;
    chat.event(&accepted["after"], "acp").await;
    chat.kill_agent().await;
    let end = chat.end(&accepted).await;
    assert_eq!(
        (&end["state"], &end["exit_code"]),
        (&json!("failed"), &json!(null))
    );
    assert!(
        end["reason"]
            .as_str()
            .unwrap()
            .contains("signal 9 (SIGKILL)"),
        "{end}"
    );
    assert_eq!(chat.text(&accepted).await, "half");
    assert_eq!(chat.say("x").await["state"], "done");
}

#[tokio::test]
async fn an_agent_that_dies_between_turns_is_started_again() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            &format!("on session/prompt\nrespond end_turn\nexit 0{GOOD}"),
            json!(null),
        )
        .await;
    assert_eq!(chat.say("x").await["state"], "done");
    chat.until_asleep().await;
    assert_eq!(chat.say("x").await["state"], "done");
    assert_eq!(chat.turns().await.len(), 2);
    assert_eq!(chat.heard_times("start"), 2);
}

#[tokio::test]
async fn a_command_that_does_not_exist_is_told_and_tried_once_a_prompt() {
    let daemon = Daemon::new().await;
    let agent = daemon
        .agent("no-such-command-anywhere --acp", json!(null))
        .await;
    let chat = daemon.chat(&agent).await;
    for round in 1..=2 {
        let end = fails_soon(&chat, "no such command").await;
        let reason = end["reason"].as_str().unwrap();
        assert!(
            reason.starts_with("the sandbox never started: ")
                && reason.contains("no-such-command-anywhere")
                && reason.contains("not found"),
            "{reason}"
        );
        assert_eq!(end["exit_code"], 127);
        let failed = chat.stages("provision/failed").await;
        assert_eq!(failed.len(), round);
        assert!(
            failed[0]["reason"].as_str().unwrap().contains("not found"),
            "{failed:?}"
        );
    }
    assert_eq!(
        chat.tags().await[..4],
        [
            "provision/started",
            "provision/failed",
            "turn/failed",
            "provision/started"
        ]
    );
    let failed = chat.stages("turn/failed").await;
    assert!(
        failed[0]["turn_id"].is_string() && failed[0]["turn_number"] == 1,
        "{failed:?}"
    );
}

#[tokio::test]
async fn a_crash_loop_is_one_start_a_prompt() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted("exit 0", json!(null)).await;
    for round in 1..=3 {
        let end = fails_soon(&chat, "a command that ends").await;
        assert!(
            end["reason"].as_str().unwrap().contains("exit status 0"),
            "{end}"
        );
        assert_eq!(chat.heard_times("start"), round);
    }
    assert!(chat.processes().await.is_empty());
}

#[tokio::test]
async fn an_agent_that_never_answers_its_greeting_is_given_up_by_name() {
    let daemon =
        Daemon::with(|settings| settings.limits.handshake = Duration::from_millis(300)).await;
    for (scenario, step) in [
        ("on initialize\nstderr still thinking\nhang", "initialize"),
        ("on session/new\nstderr still thinking\nhang", "session/new"),
    ] {
        let chat = daemon.scripted(scenario, json!(null)).await;
        let end = fails_soon(&chat, step).await;
        let reason = end["reason"].as_str().unwrap();
        for words in [
            "the sandbox never started: ",
            step,
            "limits.handshake",
            "still thinking",
            "fountain",
        ] {
            assert!(reason.contains(words), "{words}: {reason}");
        }
        assert_eq!(end["exit_code"], json!(null), "we ended it: {end}");
        until("nothing is left running", async || {
            chat.processes().await.is_empty()
        })
        .await;
    }
}

#[tokio::test]
async fn an_agent_that_takes_its_time_to_start_is_waited_for() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "sleep 400\non initialize\nsleep 400\nrespond {\"protocolVersion\":1}",
            json!(null),
        )
        .await;
    assert_eq!(chat.say("x").await["state"], "done");
}

#[tokio::test]
async fn an_agent_that_closes_its_stdout_and_lives_on_is_ended() {
    let daemon = Daemon::new().await;
    let agent = daemon
        .agent("read -r hello; exec >&-; exec sleep 1000", json!(null))
        .await;
    let chat = daemon.chat(&agent).await;
    fails_soon(&chat, "a closed stdout").await;
    until("nothing is left running", async || {
        chat.processes().await.is_empty()
    })
    .await;
}

#[tokio::test]
async fn a_plain_program_that_talks_to_people_is_no_agent() {
    let daemon =
        Daemon::with(|settings| settings.limits.handshake = Duration::from_millis(300)).await;
    let agent = daemon.agent("echo 'Welcome! What is your name?'; while read -r line; do echo \"You said: $line\"; done", json!(null)).await;
    let chat = daemon.chat(&agent).await;
    let end = fails_soon(&chat, "a program for people").await;
    assert!(
        end["reason"].as_str().unwrap().contains("initialize"),
        "{end}"
    );
}

#[tokio::test]
async fn an_agent_that_speaks_another_version_or_wants_a_login_says_so() {
    let daemon = Daemon::new().await;
    for version in ["2", "0", "\"0.1.0\"", "1.5"] {
        let chat = daemon
            .scripted(
                &format!("on initialize\nrespond {{\"protocolVersion\":{version}}}"),
                json!(null),
            )
            .await;
        let end = fails_soon(&chat, version).await;
        assert!(
            end["reason"]
                .as_str()
                .unwrap()
                .contains(&format!("version {version}")),
            "{end}"
        );
    }
    let methods = r#"[{"id":"oauth-browser","name":"Browser"},{"id":"api-key","name":"Key","_meta":{"api-key":{}}}]"#;
    let login =
        format!("on initialize\nrespond {{\"protocolVersion\":1,\"authMethods\":{methods}}}");
    let chat = daemon
        .scripted(
            &format!("{login}\non authenticate\nrespond {{}}"),
            json!(null),
        )
        .await;
    assert_eq!(chat.say("x").await["state"], "done");
    assert_eq!(
        (
            chat.heard_times("\"methodId\":\"api-key\""),
            chat.heard_times("oauth")
        ),
        (1, 0),
        "only by a key"
    );
    let methods = r#"[{"id":"oauth-browser","name":"Browser"}]"#;
    let chat = daemon.scripted(&format!("on initialize\nrespond {{\"protocolVersion\":1,\"authMethods\":{methods}}}\non session/new\nerror -32000 Authentication required"), json!(null)).await;
    let end = fails_soon(&chat, "a login").await;
    let reason = end["reason"].as_str().unwrap();
    assert!(
        reason.contains("oauth-browser") && reason.contains("runtimes."),
        "{reason}"
    );
    assert_eq!(chat.heard_times("authenticate"), 0);
}
