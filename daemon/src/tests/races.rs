//! Prompts that come at the same time, or in the same moment as an end.

use futures_util::future::join_all;
use serde_json::json;

use super::kit::Daemon;
use super::kit::tag;

#[tokio::test]
async fn a_prompt_right_after_the_end_is_never_refused() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    let mut stream = daemon.stream(&chat.path("/stream?streams=stage")).await;
    for round in 1..=300 {
        chat.prompt("say x").await;
        stream
            .until(|event| tag(event) == "turn/done" && event["data"]["turn_number"] == round)
            .await;
    }
    assert_eq!(chat.turns().await.len(), 300);
}

#[tokio::test]
async fn of_five_prompts_at_once_one_runs_and_none_that_was_taken_is_lost() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\nask 1 execute x\nrespond end_turn";
    for round in 0..6 {
        let chat = daemon.scripted(scenario, json!({"default": "ask"})).await;
        // Once with an agent that must be started, once with one that is up.
        for prefix in ["cold", "warm"] {
            let prompt = async |number| {
                let text = format!("{prefix} {number}");
                let reply = chat.try_prompt(&text).await;
                (text, reply)
            };
            let replies = join_all((0..5).map(prompt)).await;
            let (taken, refused): (Vec<_>, Vec<_>) = replies
                .into_iter()
                .partition(|(_, reply)| reply.status == 200);
            assert_eq!(taken.len(), 1, "round {round}, {prefix}");
            for (_, reply) in refused {
                reply.refuses(400, "conversation_busy");
            }
            let request = chat.request().await;
            chat.pick(&request, "yes").await.is(200);
            let (text, reply) = &taken[0];
            assert_eq!(chat.end(&reply.is(200)).await["state"], "done");
            assert_eq!((chat.heard_times(prefix), chat.heard_times(text)), (1, 1));
        }
        assert_eq!(chat.heard_times("start"), 1);
    }
}

#[tokio::test]
async fn a_second_prompt_leaves_the_turn_that_runs_alone() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 1 execute x\nrespond end_turn",
            json!({"default": "ask"}),
        )
        .await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    chat.try_prompt("y").await.refuses(400, "conversation_busy");
    assert_eq!(chat.request().await, request);
    chat.pick(&request, "yes").await.is(200);
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert_eq!(
        (chat.turns().await.len(), chat.heard_times("session/prompt")),
        (1, 1)
    );
}

#[tokio::test]
async fn a_prompt_beside_a_terminate_is_told_the_truth() {
    let daemon = Daemon::new().await;
    for _ in 0..6 {
        let chat = daemon.scripted("", json!(null)).await;
        let terminate = daemon.call("POST", &chat.path("/terminate")).send();
        let prompts = join_all((0..4).map(|_| chat.try_prompt("x")));
        let (ended, replies) = tokio::join!(terminate, prompts);
        assert_eq!(ended.status, 204);
        let mut taken = 0;
        for reply in replies {
            match reply.status {
                200 => taken += 1,
                400 => _ = reply.refuses(400, "conversation_busy"),
                _ => _ = reply.refuses(410, "conversation_terminated"),
            }
        }
        assert_eq!(chat.turns().await.len(), taken);
        assert_eq!(chat.status().await, "terminated");
        chat.try_prompt("x")
            .await
            .refuses(410, "conversation_terminated");
    }
}

#[tokio::test]
async fn conversations_do_not_wait_for_each_other() {
    let daemon = Daemon::new().await;
    let held = daemon
        .scripted(
            "on session/prompt\nask 1 execute x\nrespond end_turn",
            json!({"default": "ask"}),
        )
        .await;
    let accepted = held.prompt("x").await;
    let request = held.request().await;
    let others = join_all((0..6).map(|_| daemon.built_in(json!(null)))).await;
    let ends = join_all(others.iter().map(|chat| chat.say("flood 200"))).await;
    assert!(ends.iter().all(|end| end["state"] == "done"));
    held.pick(&request, "yes").await.is(200);
    assert_eq!(held.end(&accepted).await["state"], "done");
}
