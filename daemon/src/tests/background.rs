//! What an agent does when nobody asked: it describes itself, or it works on.

use serde_json::{Value, json};

use super::kit::{Daemon, until};

#[tokio::test]
async fn a_title_that_comes_after_the_end_opens_no_turn() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\nrespond end_turn\nsleep 30\nupdate {\"sessionUpdate\":\"session_info_update\",\"title\":\"Late\"}\nupdate {\"sessionUpdate\":\"available_commands_update\",\"availableCommands\":[]}\nupdate {\"sessionUpdate\":\"usage_update\",\"used\":1}";
    let chat = daemon.scripted(scenario, json!(null)).await;
    chat.say("x").await;
    until("the title is there", async || {
        chat.show().await["title"] == "Late"
    })
    .await;
    let before = chat.tags().await;
    assert_eq!(before.last().unwrap(), "turn/done");
    assert_eq!(
        (chat.turns().await.len(), chat.status().await.as_str()),
        (1, "idle")
    );
    chat.say("x").await;
    assert_eq!(chat.turns().await[1]["turn_number"], 2);
}

#[tokio::test]
async fn work_after_the_end_is_a_turn_of_its_own_and_asks_like_any_other() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\nrespond end_turn\nsleep 30\nchunk more\npost 1 execute a\npost 2 delete b\npost 3 read c\nawait 1\nawait 2\nawait 3\nchunk  done";
    let chat = daemon
        .scripted(scenario, json!({"execute": "ask", "delete": "auto_deny"}))
        .await;
    chat.say("x").await;
    let request = chat.request().await;
    assert_eq!(request["kind"], "execute");
    let turns = chat.turns().await;
    assert_eq!(
        (
            &turns[1]["origin"],
            &turns[1]["status"],
            &turns[1]["turn_number"]
        ),
        (&json!("autonomous"), &json!("running"), &json!(2))
    );
    assert_eq!(chat.status().await, "idle", "nobody's prompt runs");
    chat.pick(&request, "yes").await.is(200);
    until("the agent was answered", async || {
        chat.heard_times("\"outcome\":\"selected\"") == 3
    })
    .await;
    for (id, option) in [(1, "yes"), (2, "no"), (3, "yes")] {
        assert_eq!(
            chat.heard_times(&format!(
                r#""id":{id},"result":{{"outcome":{{"outcome":"selected","optionId":"{option}"}}}}"#
            )),
            1
        );
    }
    let turn = json!({"turn_id": turns[1]["id"]});
    until("its last words are there", async || {
        chat.text(&turn).await == "more done"
    })
    .await;
}

#[tokio::test]
async fn a_turn_of_the_agent_gives_way_to_a_prompt_and_can_be_stopped() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\nrespond end_turn\nchunk more\npost 1 execute a\non session/prompt\nchunk mine\nrespond end_turn\nchunk again";
    let chat = daemon.scripted(scenario, json!({"default": "ask"})).await;
    chat.say("x").await;
    let request = chat.request().await;
    let accepted = chat.prompt("y").await;
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert_eq!(chat.settled(&request).await["outcome"], "turn_ended");
    until("it works on again", async || chat.turns().await.len() == 4).await;
    assert_eq!(chat.interrupt().await.status, 204);
    let ends: Vec<(Value, Value)> = chat
        .turns()
        .await
        .iter()
        .map(|turn| (turn["origin"].clone(), turn["turn_number"].clone()))
        .collect();
    assert_eq!(
        ends,
        [
            ("user", 1),
            ("autonomous", 2),
            ("user", 3),
            ("autonomous", 4)
        ]
        .map(|(origin, number)| (json!(origin), json!(number)))
    );
    assert_eq!(chat.turns().await[1]["status"], "completed");
}

#[tokio::test]
async fn what_an_agent_still_writes_after_it_went_to_wait_is_not_heard() {
    let daemon = Daemon::new().await;
    let scenario =
        "on session/prompt\npost 1 execute x\nhold\nrespond waiting\nchunk late\nrelease\nhang";
    let chat = daemon.scripted(scenario, json!({"default": "ask"})).await;
    let end = chat.say("x").await;
    assert_eq!(
        (&end["state"], &end["waiting"]),
        (&json!("done"), &json!(true))
    );
    until("its process is gone and noticed", async || {
        chat.processes().await.is_empty() && chat.show().await["sandbox"]["status"] == "suspended"
    })
    .await;
    assert_eq!(
        chat.turns().await.len(),
        1,
        "a connection that is closed opens no turn"
    );
    assert_eq!(chat.tags().await.last().unwrap(), "turn/done");
}

#[tokio::test]
async fn an_agent_that_ends_in_a_turn_of_its_own_fails_it() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nrespond end_turn\nchunk more\nexit 4",
            json!(null),
        )
        .await;
    chat.say("x").await;
    until("its turn is over", async || {
        chat.turns().await.len() == 2 && chat.turns().await[1]["status"] == "failed"
    })
    .await;
    assert_eq!(chat.turns().await[1]["exit_code"], 4);
    assert_eq!(chat.status().await, "idle");
}
