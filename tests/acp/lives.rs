//! What outlives a prompt, a session or an editor.

use serde_json::{Value, json};

use crate::kit::{Answer, Home, until};

#[test]
fn a_turn_that_waits_comes_back() {
    let home = Home::new();
    let daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    let end = editor.prompt(&session, "wait 3600 the deploy").unwrap();
    assert_eq!(
        (&end["stopReason"], &end["_meta"]["fountain"]["waiting"]),
        (&json!("end_turn"), &json!(true))
    );
    assert!(end["_meta"]["fountain"]["deadline"].is_string(), "{end}");
    let ask = editor.comes("the question", |message| {
        message["method"] == "session/request_permission"
    });
    let picked = json!({"jsonrpc": "2.0", "id": ask["id"], "result": {"outcome": {"outcome": "selected", "optionId": "allow_once"}}});
    editor.line(&picked.to_string());
    editor.comes("the turn of the answer", |message| {
        message["params"]["update"]["content"]["text"] == "answered allow_once for the deploy"
    });
    assert_eq!(daemon.http().ended(&session)["status"], "completed");
}

#[test]
fn sessions_run_side_by_side() {
    let home = Home::new();
    let _daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo"]);
    editor.answers(Answer::Kind("allow_once"));
    let sessions: Vec<String> = (0..3).map(|_| editor.session()).collect();
    let prompts: Vec<i64> = sessions
        .iter()
        .map(|session| editor.begin(session, "flood 2000\nrun true\nflood 2000"))
        .collect();
    for prompt in prompts {
        assert_eq!(editor.wait(prompt).unwrap()["stopReason"], "end_turn");
    }
    for session in &sessions {
        let said = editor.said(session).replace("`true` printed nothing.", " ");
        let numbers = said
            .split_whitespace()
            .filter_map(|word| word.parse::<u32>().ok());
        assert!(
            numbers.eq((1..=2000).chain(1..=2000)),
            "{session}: {} bytes",
            said.len()
        );
    }
    let list = editor.ok("session/list", json!({}));
    let listed: Vec<&Value> = list["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["sessionId"])
        .collect();
    assert!(
        sessions
            .iter()
            .all(|session| listed.contains(&&json!(session))),
        "{list}"
    );
}

#[test]
fn an_editor_that_leaves_stops_nothing() {
    let home = Home::new();
    let daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    editor.begin(&session, "slow 3\nsay the end");
    editor.comes("it ticks", |message| {
        message["params"]["update"]["content"]["text"] == "tick 1 "
    });
    // The kit checks that it ends by itself, and well.
    let _ = editor.leave();
    assert_eq!(daemon.http().ended(&session)["status"], "completed");
    assert!(daemon.http().said(&session).ends_with("the end"));
}

#[test]
fn an_editor_that_leaves_a_question_behind_has_refused_it() {
    let home = Home::new();
    let daemon = home.daemon();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    editor.begin(&session, "run touch marker\nsay went on");
    editor.asked();
    drop(editor);
    assert_eq!(daemon.http().ended(&session)["status"], "completed");
    assert!(daemon.http().said(&session).contains("went on"));
    assert!(!home.workspace().join("marker").exists());
}

/// Some editors give their agents three variables and no more.
#[test]
fn a_bare_environment_is_enough() {
    let home = Home::new();
    let daemon = home.daemon();
    let script = "exec env -i HOME=\"$HOME\" PATH=\"$PATH\" USER=x \"$0\" acp --agent demo";
    let mut child = home
        .program("sh")
        .args(["-c", script, crate::kit::PROGRAM])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#;
    let new =
        r#"{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#;
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, format!("{hello}\n{new}\n").as_bytes()).unwrap();
    until(
        "the session is open",
        || daemon.http().get("/api/conversations"),
        |list| list.as_array().unwrap().len() == 1,
    );
    drop(stdin);
    let done = child.wait_with_output().unwrap();
    let lines = String::from_utf8(done.stdout).unwrap();
    assert_eq!(
        (done.status.code(), lines.lines().count()),
        (Some(0), 2),
        "{lines}"
    );
}

/// A harness that forgets its sessions lands back where it was.
#[test]
fn a_channel_is_found_again_and_rotated() {
    let home = Home::new();
    let _daemon = home.daemon();
    let on = |editor: &mut crate::kit::Editor, more: Value| {
        let mut meta = json!({"channelId": "ops"});
        meta.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let params = json!({"cwd": "/", "mcpServers": [], "_meta": meta});
        editor.ok("session/new", params)["sessionId"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let mut editor = home.editor(&["--agent", "demo"]);
    editor.initialize();
    let first = on(&mut editor, json!({}));
    editor.prompt(&first, "remember 42").unwrap();
    let _ = editor.leave();
    let mut editor = home.editor(&["--agent", "demo"]);
    editor.initialize();
    assert_eq!(on(&mut editor, json!({})), first);
    editor.prompt(&first, "recall").unwrap();
    assert!(editor.said(&first).contains("42"));
    let second = on(&mut editor, json!({"freshSession": true}));
    assert_ne!(second, first);
    assert_eq!(on(&mut editor, json!({})), second);
    let refused = editor.request(
        "session/new",
        json!({"cwd": "/", "mcpServers": [], "_meta": {"channelId": 5}}),
    );
    assert!(refused.is_err());
}

/// However many there are, every session is listed once.
#[test]
fn a_long_list_comes_page_by_page() {
    let home = Home::new();
    let daemon = home.daemon();
    let agent = daemon.http().get("/api/agents")[0]["id"].clone();
    for _ in 0..120 {
        let made = daemon
            .http()
            .post("/api/conversations", &json!({ "agent_id": agent }));
        let _ = made.ok();
    }
    let mut editor = home.editor(&["--agent", "demo"]);
    editor.initialize();
    let (mut seen, mut pages) = (std::collections::BTreeSet::new(), 0);
    let mut params = json!({});
    loop {
        let page = editor.ok("session/list", params);
        pages += 1;
        for session in page["sessions"].as_array().unwrap() {
            assert!(seen.insert(session["sessionId"].to_string()), "told twice");
        }
        match page.get("nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => break,
        }
    }
    assert_eq!((seen.len(), pages), (120, 3));
    let odd = editor.request("session/list", json!({"cursor": "odd"}));
    assert!(odd.is_err(), "{odd:?}");
}

/// Between two prompts the instance of this machine goes; the next prompt brings it back, and the session with it.
#[test]
fn an_instance_that_has_gone_is_started_again_by_the_next_prompt() {
    let home = Home::fresh();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    editor.prompt(&session, "remember 42").unwrap();
    for process in home.background() {
        rustix::process::kill_process(
            rustix::process::Pid::from_raw(process.pid).unwrap(),
            rustix::process::Signal::TERM,
        )
        .unwrap();
    }
    until("it is gone", || home.background().len(), |left| *left == 0);
    let end = editor.prompt(&session, "recall").unwrap();
    assert_eq!(end["stopReason"], "end_turn");
    assert!(editor.said(&session).contains("42"));
}
