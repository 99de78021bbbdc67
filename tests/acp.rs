//! `fountain acp`: what an editor gets. That every line on stdout is protocol is checked by the kit, in every test.

use std::fs;

use serde_json::{Value, json};

use crate::kit::{Answer, Home, until};

mod editors;
mod lives;

#[test]
fn the_handshake_needs_nobody() {
    let home = Home::new();
    let mut editor = home.editor(&["--agent", "demo"]);
    let hello = editor.initialize();
    assert_eq!(hello["protocolVersion"], 1);
    assert_eq!(hello["agentInfo"]["name"], "fountain");
    assert_eq!(hello["agentCapabilities"]["loadSession"], true);
    let prompts = &hello["agentCapabilities"]["promptCapabilities"];
    assert_eq!(
        *prompts,
        json!({"image": true, "audio": false, "embeddedContext": false})
    );
    // Without a key the one method that would help is named; nothing was written on the way.
    assert!(
        hello["authMethods"]
            .to_string()
            .contains("run fountain auth login"),
        "{hello}"
    );
    let refused = editor.request("session/new", json!({"cwd": "/", "mcpServers": []}));
    assert!(refused.is_err(), "{refused:?}");
    drop(editor);
    assert!(!home.data().exists() && !home.credentials().exists());
}

#[test]
fn the_first_session_starts_an_instance() {
    let home = Home::fresh();
    let mut editor = home.editor(&["--agent", "demo"]);
    editor.initialize();
    assert!(home.background().is_empty());
    let session = editor.session();
    assert_eq!(
        editor.prompt(&session, "say hello").unwrap()["stopReason"],
        "end_turn"
    );
    assert_eq!(editor.said(&session), "hello");
    assert_eq!(home.background().len(), 1);
}

#[test]
fn a_prompt_streams_and_ends() {
    let home = Home::new();
    let daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    let end = editor
        .prompt(&session, "think it over\nplan a; b\ntalk 20")
        .unwrap();
    assert_eq!(end["stopReason"], "end_turn");
    let words: Vec<String> = (1..=20).map(|number| format!("word {number} ")).collect();
    assert_eq!(editor.said(&session), words.concat());
    let kinds: Vec<Value> = editor
        .updates(&session)
        .iter()
        .map(|update| update["sessionUpdate"].clone())
        .collect();
    assert!(
        kinds.contains(&json!("agent_thought_chunk")) && kinds.contains(&json!("plan")),
        "{kinds:?}"
    );
    // The session is the conversation, and everything of it comes before the answer.
    assert_eq!(daemon.http().said(&session), words.concat());
    let answer = editor
        .seen
        .iter()
        .position(|message| message["result"]["stopReason"] == "end_turn");
    assert_eq!(answer, Some(editor.seen.len() - 1));
}

#[test]
fn a_question_is_put_to_the_editor() {
    let home = Home::new();
    let daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    let mut there = |answer: Answer, name: &str| {
        editor.answers(answer);
        let end = editor
            .prompt(&session, &format!("run touch {name}"))
            .unwrap();
        assert_eq!(end["stopReason"], "end_turn");
        home.workspace().join(name).exists()
    };
    assert!(there(Answer::Kind("allow_once"), "allowed"));
    assert!(!there(Answer::Kind("reject_once"), "refused"));
    assert!(!there(Answer::Dismiss, "dismissed"));
    // An option that the agent did not offer is a refusal, whatever it is called.
    assert!(!there(Answer::Option("allow_everything"), "invented"));
    let all = daemon.http().get("/api/requests?status=all");
    let options: Vec<&Value> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|request| &request["option_id"])
        .collect();
    let refused = options
        .iter()
        .filter(|option| **option == "reject_once")
        .count();
    assert_eq!((options.len(), refused), (4, 3), "{all}");
    let ask = editor.asked();
    let kinds: Vec<&Value> = ask["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| &option["kind"])
        .collect();
    assert_eq!(kinds, ["allow_once", "allow_always", "reject_once"]);
    assert_eq!(ask["sessionId"], session.as_str());
}

#[test]
fn a_launch_policy_narrows() {
    let home = Home::new();
    let daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo", "--permission", "execute=auto_deny"]);
    let session = editor.session();
    editor.prompt(&session, "run touch marker").unwrap();
    assert!(!home.workspace().join("marker").exists());
    let asked = editor
        .seen
        .iter()
        .any(|message| message["method"] == "session/request_permission");
    assert!(!asked, "it was asked all the same");
    assert_eq!(
        daemon.http().conversation(&session)["permission_policy"],
        json!({"execute": "auto_deny"})
    );
}

#[test]
fn flags_that_are_wrong_are_told_when_a_session_is_opened() {
    let home = Home::new();
    let daemon = home.daemon();
    for (flags, code, says) in [
        (&[][..], -32602, "no Fountain agent configured"),
        (
            &["--agent", "demo", "--permission", "execute=maybe"],
            -32602,
            "maybe",
        ),
        (
            &["--agent", "demo", "--permission", "execute=auto_allow"],
            -32603,
            "execute",
        ),
        (
            &["--agent", "demo", "--sandbox-mode", "heap"],
            -32602,
            "heap",
        ),
        (
            &["--agent", "nobody"],
            -32603,
            "could not resolve agent \"nobody\"",
        ),
    ] {
        let mut editor = home.editor(flags);
        editor.initialize();
        let refused = editor.request("session/new", json!({"cwd": "/", "mcpServers": []}));
        let refused = refused.unwrap_err();
        assert_eq!(refused["code"], code, "{refused}");
        assert!(
            refused["message"].as_str().unwrap().contains(says),
            "{refused}"
        );
        // Its stderr is another pipe, which may come later.
        until(
            "it is told on stderr too",
            || editor.stderr(),
            |told| told.contains(says),
        );
    }
    assert_eq!(daemon.http().get("/api/conversations"), json!([]));
}

#[test]
fn an_old_session_is_replayed_before_the_answer() {
    let home = Home::new();
    let _daemon = home.daemon();
    let mut first = home.editor(&["--agent", "demo"]);
    let session = first.session();
    first.answers(Answer::Kind("allow_once"));
    first.prompt(&session, "run echo one\nsay two").unwrap();
    first.prompt(&session, "remember blue").unwrap();
    let live = first.updates(&session);
    drop(first);

    let mut second = home.editor(&["--agent", "demo"]);
    second.initialize();
    let load = json!({"sessionId": session, "cwd": "/", "mcpServers": []});
    second.ok("session/load", load);
    let answered = second.seen.len() - 1;
    let replayed = second.updates(&session);
    assert!(
        second.seen[answered].get("result").is_some(),
        "{:?}",
        second.seen[answered]
    );
    let (mine, theirs): (Vec<Value>, Vec<Value>) = replayed
        .into_iter()
        .partition(|update| update["sessionUpdate"] == "user_message_chunk");
    assert_eq!(theirs, live);
    let mine: Vec<&Value> = mine
        .iter()
        .map(|update| &update["content"]["text"])
        .collect();
    assert_eq!(mine, ["run echo one\nsay two", "remember blue"]);
    // It goes on where it was, and the agent remembers.
    second.prompt(&session, "recall").unwrap();
    assert!(
        second.said(&session).ends_with("blue"),
        "{}",
        second.said(&session)
    );
    let missing = second.request(
        "session/load",
        json!({"sessionId": "00000000-0000-7000-8000-000000000000", "cwd": "/", "mcpServers": []}),
    );
    assert!(missing.is_err(), "{missing:?}");
}

#[test]
fn a_session_that_runs_is_shown_live_and_asked_about() {
    let home = Home::new();
    let daemon = home.daemon();
    let launched = daemon
        .http()
        .launch("say before\nrun touch marker\nsay after");
    daemon.http().asked(&launched.id);
    let mut editor = home.editor(&["--agent", "demo"]);
    editor.initialize();
    editor.answers(Answer::Kind("allow_once"));
    editor.ok(
        "session/load",
        json!({"sessionId": launched.id, "cwd": "/", "mcpServers": []}),
    );
    editor.asked();
    editor.comes("what it says afterwards", |message| {
        message["params"]["update"]["content"]["text"]
            .as_str()
            .is_some_and(|text| text.contains("after"))
    });
    assert_eq!(daemon.http().ended(&launched.id)["status"], "completed");
    assert!(home.workspace().join("marker").exists());
}

#[test]
fn a_cancel_ends_the_turn_and_nothing_else() {
    let home = Home::new();
    let _daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    // With nothing running it means nothing, now and later.
    editor.cancel(&session);
    let prompt = editor.begin(&session, "slow 600");
    editor.comes("it ticks", |message| {
        message["params"]["update"]["content"]["text"] == "tick 3 "
    });
    editor.cancel(&session);
    editor.cancel(&session);
    assert_eq!(editor.wait(prompt).unwrap()["stopReason"], "cancelled");
    let prompt = editor.begin(&session, "run touch marker");
    editor.asked();
    editor.cancel(&session);
    assert_eq!(editor.wait(prompt).unwrap()["stopReason"], "cancelled");
    assert!(!home.workspace().join("marker").exists());
    assert_eq!(
        editor.prompt(&session, "say fine").unwrap()["stopReason"],
        "end_turn"
    );
    assert!(editor.said(&session).ends_with("fine"));
}

#[test]
fn a_busy_session_says_so() {
    let home = Home::new();
    let _daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    let running = editor.begin(&session, "slow 600");
    editor.comes("it ticks", |message| {
        message["params"]["update"]["content"]["text"] == "tick 1 "
    });
    let busy = editor.prompt(&session, "say no").unwrap_err();
    assert!(busy["message"].as_str().unwrap().contains("busy"), "{busy}");
    editor.cancel(&session);
    assert_eq!(editor.wait(running).unwrap()["stopReason"], "cancelled");
}

#[test]
fn every_end_has_its_answer() {
    let home = Home::new();
    let _daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    for reason in ["end_turn", "max_tokens", "max_turn_requests", "refusal"] {
        let end = editor.prompt(&session, &format!("stop {reason}")).unwrap();
        assert_eq!(end["stopReason"], reason);
    }
    for (prompt, says) in [
        ("stop tired", "tired"),
        ("fail no tokens left", "no tokens left"),
        ("stderr out of paper\ncrash 3", "out of paper"),
    ] {
        let failed = editor.prompt(&session, prompt).unwrap_err();
        assert_eq!(failed["code"], -32603, "{failed}");
        assert!(
            failed["message"].as_str().unwrap().contains(says),
            "{failed}"
        );
    }
    // After all that it works.
    assert_eq!(
        editor.prompt(&session, "say fine").unwrap()["stopReason"],
        "end_turn"
    );
}

#[test]
fn what_is_no_message_is_answered_by_the_book() {
    let home = Home::new();
    let mut editor = home.editor(&["--agent", "demo"]);
    editor.line("{");
    let answer = editor.comes("an answer", |message| message["error"]["code"] == -32700);
    assert_eq!(answer.get("id"), Some(&Value::Null), "{answer}");
    editor.line("[]");
    editor.line("{\"jsonrpc\": \"2.0\", \"id\": 5}");
    editor.comes("an answer", |message| message["error"]["code"] == -32600);
    // Nothing that came before counts, and ids come back as they were written.
    for id in ["7", "0", "\"0\"", "\"a b\"", "9007199254740993"] {
        editor.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersion":1}}}}"#));
        let id: Value = serde_json::from_str(id).unwrap();
        editor.comes("the answer with this id", |message| {
            message.get("id") == Some(&id) && message.get("result").is_some()
        });
    }
    let unknown = editor.request("session/set_colour", json!({})).unwrap_err();
    assert_eq!(unknown["code"], -32601, "{unknown}");
    let early = home
        .editor(&["--agent", "demo"])
        .request("session/new", json!({}));
    assert!(early.is_err(), "{early:?}");
}

#[test]
fn updates_pass_as_the_agent_wrote_them() {
    let home = Home::new();
    let _daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    let odd = r#"{"sessionUpdate":"x_future","deep":[{"n":1.10,"m":12345678901234567890}],"text":"漢字\u0000"}"#;
    editor.prompt(&session, &format!("update {odd}")).unwrap();
    let odd: Value = serde_json::from_str(odd).unwrap();
    assert!(
        editor.updates(&session).contains(&odd),
        "{:?}",
        editor.updates(&session)
    );
    // Places in the sandbox are no places on this machine.
    editor.answers(Answer::Kind("allow_once"));
    editor.prompt(&session, "write notes.txt: hi").unwrap();
    assert_eq!(
        fs::read_to_string(home.workspace().join("notes.txt")).unwrap(),
        "hi"
    );
    let updates = editor.updates(&session);
    let call = updates
        .iter()
        .find(|update| update["title"] == "Write notes.txt")
        .unwrap();
    assert!(call.get("locations").is_none(), "{call}");
    assert!(
        call["_meta"]["fountain.sandboxLocations"][0]["path"].is_string(),
        "{call}"
    );
    let ask = editor.asked();
    assert!(ask["toolCall"].get("locations").is_none(), "{ask}");
}

#[test]
fn images_arrive() {
    let home = Home::new();
    let _daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    // A picture of one point.
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    let prompt = json!([
        {"type": "text", "text": "echo image"},
        {"type": "image", "data": png, "mimeType": "image/png"},
        {"type": "resource_link", "uri": "file:///etc/passwd", "name": "passwd"},
    ]);
    editor.ok(
        "session/prompt",
        json!({"sessionId": session, "prompt": prompt}),
    );
    assert_eq!(editor.said(&session), "image/png, 70 bytes");
    assert!(
        editor.stderr().contains("resource_link"),
        "{}",
        editor.stderr()
    );
    let nothing = json!([{"type": "resource_link", "uri": "file:///etc/passwd", "name": "passwd"}]);
    let refused = editor.request(
        "session/prompt",
        json!({"sessionId": session, "prompt": nothing}),
    );
    assert_eq!(refused.unwrap_err()["code"], -32602);
}
