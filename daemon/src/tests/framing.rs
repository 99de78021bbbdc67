//! Lines of an agent that are odd, endless, or not for us.

use std::time::Duration;

use serde_json::{Value, json};

use super::kit::{Daemon, until};

const CHUNK: &str = r#"{"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}}}"#;

#[tokio::test]
async fn text_for_people_before_and_between_messages_is_passed_over() {
    let daemon = Daemon::new().await;
    let scenario = r#"raw Welcome back\n\n"a json string"\n42\n[]\n{}\nnull\n
on session/prompt
chunk a
line [tool] thinking…
line {"half":
chunk b
respond end_turn"#;
    let chat = daemon.scripted(scenario, json!(null)).await;
    let accepted = chat.prompt("x").await;
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert_eq!(chat.text(&accepted).await, "ab");
    assert_eq!(
        chat.tags().await.iter().filter(|tag| *tag == "acp").count(),
        2,
        "nothing of it is stored"
    );
}

#[tokio::test]
async fn an_escape_glued_to_a_message_is_cut_off() {
    let daemon = Daemon::new().await;
    let scenario = r#"on initialize
line \e[1 q{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":1}}"#;
    let chat = daemon.scripted(scenario, json!(null)).await;
    assert_eq!(chat.say("x").await["state"], "done");
}

#[tokio::test]
async fn a_line_that_never_ends_fails_the_turn_at_the_cap_and_disturbs_nobody() {
    let daemon = Daemon::with(|settings| settings.limits.max_frame = 256 * 1024).await;
    let chat = daemon.scripted("on session/prompt\nchunk half\nfill 200000000\nhang\nprocess 2\non session/prompt\nrespond end_turn", json!(null)).await;
    let other = daemon.built_in(json!(null)).await;
    let (end, beside) = tokio::join!(chat.say("x"), other.say("slow 0.3"));
    assert_eq!(end["state"], "failed");
    let reason = end["reason"].as_str().unwrap();
    assert!(
        reason.contains("262144 bytes") && reason.contains("limits.max_frame"),
        "{reason}"
    );
    assert_eq!(beside["state"], "done");
    until("nothing is left running", async || {
        chat.processes().await.is_empty()
    })
    .await;
    assert_eq!(chat.say("x").await["state"], "done");
}

#[tokio::test]
async fn a_long_line_below_the_cap_passes_whole() {
    let daemon = Daemon::new().await;
    let long = "é".repeat(4 * 1024 * 1024);
    let scenario = format!("on session/prompt\nchunk {long}\nrespond end_turn");
    let chat = daemon.scripted(&scenario, json!(null)).await;
    let accepted = chat.prompt("x").await;
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert!(chat.text(&accepted).await == long);
    let frames = daemon
        .stream(&chat.path("/stream?streams=acp&wait=false"))
        .await
        .rest()
        .await;
    assert!(frames[0].data.len() > 8 * 1024 * 1024);
}

#[tokio::test]
async fn lines_that_end_in_cr_lf_and_a_last_one_without_an_end_count() {
    let daemon = Daemon::new().await;
    let scenario = r#"crlf
on session/prompt
chunk hi
raw {"jsonrpc":"2.0","id":$ID,"result":{"stopReason":"end_turn"}}
exit 0"#;
    let chat = daemon.scripted(scenario, json!(null)).await;
    let accepted = chat.prompt("x").await;
    let end = chat.end(&accepted).await;
    assert_eq!(
        (&end["state"], &end["stop_reason"]),
        (&json!("done"), &json!("end_turn"))
    );
    assert_eq!(chat.text(&accepted).await, "hi");
    let events = chat.events().await;
    let line = events
        .iter()
        .find(|event| event["stream"] == "acp")
        .unwrap();
    assert!(line["data"].as_str().unwrap().ends_with('}'), "{line}");
}

#[tokio::test]
async fn a_flood_on_stderr_blocks_nobody_and_its_end_explains_a_failure() {
    let daemon = Daemon::new().await;
    let chat = daemon.scripted("fill stderr 1000000\non session/prompt\nfill stderr 1000000\nchunk hi\nfill stderr 1000000\nrespond end_turn", json!(null)).await;
    assert_eq!(chat.say("x").await["state"], "done");
    let chat = daemon
        .scripted(
            "on session/prompt\nfill stderr 300000\nstderr \nstderr invalid api key\nexit 1",
            json!(null),
        )
        .await;
    let end = chat.say("x").await;
    let reason = end["reason"].as_str().unwrap();
    assert!(
        reason.ends_with("invalid api key") && reason.len() < 8_000,
        "{reason}"
    );
}

#[tokio::test]
async fn what_a_newer_agent_says_is_kept_as_it_is() {
    let daemon = Daemon::new().await;
    let odd = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"x_future","n":1.10,"big":12345678901234567890,"a":{"b":[]}},"extra":true},"more":1}"#;
    let call = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"t","kind":"quantum","title":"x"}}}"#;
    let scenario =
        format!("on session/prompt\nline {odd}\nline {call}\nask 1 quantum x\nrespond error");
    let chat = daemon
        .scripted(
            &scenario,
            json!({"default": "auto_deny", "other": "auto_allow"}),
        )
        .await;
    let accepted = chat.prompt("x").await;
    let end = chat.end(&accepted).await;
    assert_eq!(
        (&end["state"], &end["stop_reason"]),
        (&json!("failed"), &json!("error"))
    );
    let events = chat.events().await;
    let lines: Vec<&str> = events
        .iter()
        .filter(|event| event["stream"] == "acp")
        .map(|event| event["data"].as_str().unwrap())
        .collect();
    assert_eq!(lines[..2], [odd, call]);
    assert_eq!(
        chat.text(&accepted).await,
        "1: no\n",
        "a kind nobody knows falls to the default"
    );
}

#[tokio::test]
async fn broken_bytes_and_odd_characters_hurt_nobody() {
    let daemon = Daemon::new().await;
    let scenario = r#"on session/prompt
line {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a\\u0000b"}}}}
line {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"<\xFF\xFE>"}}}}
line {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\\ud83d"}}}}
chunk 漢字 한글 🎉 é
respond end_turn"#;
    let chat = daemon.scripted(scenario, json!(null)).await;
    let accepted = chat.prompt("x").await;
    assert_eq!(chat.end(&accepted).await["state"], "done");
    let said = chat.text(&accepted).await;
    assert!(
        said.starts_with("a\0b<") && said.ends_with("漢字 한글 🎉 é"),
        "{said:?}"
    );
}

#[tokio::test]
async fn a_character_in_pieces_arrives_whole() {
    let daemon = Daemon::new().await;
    let line = CHUNK.replace("hi", "漢字 한글 🎉 é");
    let bytes: Vec<String> = line
        .bytes()
        .map(|byte| format!("raw \\x{byte:02x}\nsleep 1"))
        .collect();
    let scenario = format!(
        "on session/prompt\n{}\nline \nrespond end_turn",
        bytes.join("\n")
    );
    let chat = daemon.scripted(&scenario, json!(null)).await;
    let accepted = chat.prompt("x").await;
    chat.end(&accepted).await;
    assert_eq!(chat.text(&accepted).await, "漢字 한글 🎉 é");
    for at in [4_096, 8_192, 65_536, 131_072] {
        let pad = "x".repeat(at - line.find("漢").unwrap() - 1);
        let scenario = format!("on session/prompt\nchunk {pad}漢字\nrespond end_turn");
        let chat = daemon.scripted(&scenario, json!(null)).await;
        let accepted = chat.prompt("x").await;
        chat.end(&accepted).await;
        assert!(chat.text(&accepted).await == format!("{pad}漢字"), "{at}");
    }
}

#[tokio::test]
async fn a_method_that_is_not_served_is_refused_by_its_number() {
    let daemon = Daemon::new().await;
    let scenario = r#"on session/prompt
line {"jsonrpc":"2.0","id":0,"method":"fs/read_text_file","params":{}}
line {"jsonrpc":"2.0","id":"a","method":"terminal/create","params":{}}
line {"jsonrpc":"2.0","id":7,"method":"_vendor/x"}
line {"jsonrpc":"2.0","method":"_vendor/y"}
line {"jsonrpc":"2.0","id":99,"result":{}}
chunk hi
sleep 50
respond end_turn"#;
    let chat = daemon.scripted(scenario, json!(null)).await;
    assert_eq!(chat.say("x").await["state"], "done");
    for id in ["0", "\"a\"", "7"] {
        assert_eq!(
            chat.heard_times(&format!("\"id\":{id},\"error\":{{\"code\":-32601")),
            1,
            "{:?}",
            chat.heard()
        );
    }
    assert_eq!(chat.heard_times("-32601"), 3);
    let hello = chat
        .heard()
        .into_iter()
        .find(|line| line.contains("initialize"))
        .unwrap();
    let hello: Value = serde_json::from_str(&hello).unwrap();
    assert_eq!(
        hello["params"]["clientCapabilities"],
        json!({"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false})
    );
}

#[tokio::test]
async fn the_last_words_are_stored_before_the_end_they_came_with() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nhold\nchunk one\nchunk two\nrespond end_turn\nrelease",
            json!(null),
        )
        .await;
    for _ in 0..50 {
        let accepted = chat.prompt("x").await;
        chat.end(&accepted).await;
    }
    let tags = chat.tags().await;
    let turns: Vec<&[String]> = tags[2..].chunks(4).collect();
    assert_eq!(turns.len(), 50);
    assert!(
        turns
            .iter()
            .all(|turn| *turn == ["turn/started", "acp", "acp", "turn/done"]),
        "{turns:?}"
    );
}

#[tokio::test]
async fn a_flood_is_stored_whole_and_in_order() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    chat.say("flood 5000 100").await;
    let frames = daemon
        .stream(&chat.path("/stream?streams=acp&wait=false"))
        .await
        .rest()
        .await;
    assert_eq!(frames.len(), 5_000);
    for (at, frame) in frames.iter().enumerate() {
        let line: Value = serde_json::from_str(frame.value()["data"].as_str().unwrap()).unwrap();
        let text = line["params"]["update"]["content"]["text"]
            .as_str()
            .unwrap()
            .to_owned();
        let number: String = text
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take_while(char::is_ascii_digit)
            .collect();
        assert_eq!(number.parse(), Ok(at + 1), "{text}");
    }
}

#[tokio::test]
async fn an_agent_that_asks_and_never_listens_is_ended() {
    let daemon = Daemon::new().await;
    // Its stdin is never read: the answers fill the pipe, then the queue.
    let request = r#"{"id":1,"method":"x/y"}"#;
    let script = format!("read -r hello; while :; do echo '{request}'; done");
    let agent = daemon.agent(&script, json!(null)).await;
    let chat = daemon.chat(&agent).await;
    let end = tokio::time::timeout(Duration::from_secs(25), chat.say("x"))
        .await
        .expect("it is noticed");
    assert_eq!(end["state"], "failed");
    until("nothing is left running", async || {
        chat.processes().await.is_empty()
    })
    .await;
}
