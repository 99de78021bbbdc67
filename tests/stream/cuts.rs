//! A proxy that cuts the stream all through a conversation: what is shown is what is stored, each once, in its order.

use serde_json::{Value, json};

use crate::kit::{Answer, Cut, Cutter, Daemon, Editor, Home};

/// Bytes between two cuts: at the end of an event, all over one, and now and then.
const EVERY: [usize; 5] = [1, 7, 61, 257, 4_099];

const PROMPT: &str =
    "think it over\nplan a; b\ntalk 20\nrun echo hi\nwrite notes.txt: hi\ntalk 20\nsay the end";

fn editor(home: &Home, cutter: &Cutter) -> Editor {
    let mut command = home.command(&["acp", "--agent", "demo"]);
    command.env("FOUNTAIN_BASE_URL", &cutter.base);
    command.env("FOUNTAIN_API_KEY", home.saved("api_key"));
    let mut editor = home.editor_of(command);
    editor.answers(Answer::Kind("allow_once"));
    editor
}

/// What is stored of the agent's updates, without their places in the sandbox, which the adapter moves.
fn stored(daemon: &Daemon<'_>, conversation: &str) -> Vec<Value> {
    let events = daemon.http().events(conversation);
    let lines = events
        .iter()
        .filter(|event| event["stream"] == "acp")
        .flat_map(|event| event["data"].as_str().unwrap().lines());
    let messages = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let updates = messages.filter(|message| message["method"] == "session/update");
    updates
        .map(|message| plain(&message["params"]["update"]))
        .collect()
}

fn plain(update: &Value) -> Value {
    let mut update = update.clone();
    let fields = update.as_object_mut().unwrap();
    fields.remove("locations");
    fields.remove("_meta");
    update
}

fn shown(editor: &Editor, session: &str) -> Vec<Value> {
    let updates = editor.updates(session);
    let theirs = updates
        .iter()
        .filter(|update| update["sessionUpdate"] != "user_message_chunk");
    theirs.map(plain).collect()
}

#[track_caller]
fn converses(home: &Home, daemon: &Daemon<'_>, cutter: &Cutter, prompt: &str, questions: usize) {
    let mut live = editor(home, cutter);
    let session = live.session();
    let end = live.prompt(&session, prompt).unwrap();
    assert_eq!(end["stopReason"], "end_turn");
    let stored = stored(daemon, &session);
    assert_eq!(shown(&live, &session), stored);
    // The answer came last, and each question once.
    assert_eq!(live.seen.last().unwrap()["result"], end);
    let asks = |editor: &Editor| {
        let asks = editor.seen.iter();
        asks.filter(|message| message["method"] == "session/request_permission")
            .count()
    };
    assert_eq!(asks(&live), questions);
    drop(live);
    // The same from the history, and before its answer.
    let mut later = editor(home, cutter);
    later.initialize();
    let before = cutter.cuts();
    let load = json!({"sessionId": session, "cwd": "/", "mcpServers": []});
    later.ok("session/load", load);
    assert_eq!(shown(&later, &session), stored);
    assert_eq!(asks(&later), 0);
    assert!(cutter.cuts() > before, "the replay was not cut");
}

#[test]
fn an_editor_sees_each_update_once_however_it_is_cut() {
    let home = Home::new();
    let daemon = home.daemon();
    for every in EVERY {
        let cutter = Cutter::start(&daemon, every, Cut::Clean);
        converses(&home, &daemon, &cutter, PROMPT, 2);
        eprintln!("every {every} bytes: {} cuts", cutter.cuts());
    }
}

/// A connection that breaks is waited for a second, so there are few.
#[test]
fn a_connection_that_breaks_is_taken_up() {
    let home = Home::new();
    let daemon = home.daemon();
    let cutter = Cutter::start(&daemon, 4_099, Cut::Broken);
    converses(&home, &daemon, &cutter, "talk 15\nsay the end", 0);
}

#[test]
fn run_prints_each_word_once_however_it_is_cut() {
    let home = Home::new();
    let daemon = home.daemon();
    let words: String = (1..=40).map(|number| format!("word {number} ")).collect();
    for every in EVERY {
        let cutter = Cutter::start(&daemon, every, Cut::Clean);
        let mut command = home.command(&["run", "demo", "-p", "talk 40\nsay the end"]);
        command.env("FOUNTAIN_BASE_URL", &cutter.base);
        command.env("FOUNTAIN_API_KEY", home.saved("api_key"));
        let done = crate::kit::Running::start(command).finish().ok();
        assert_eq!(done.out, format!("{words}the end\n"), "every {every} bytes");
        assert!(cutter.cuts() > 0, "every {every} bytes");
    }
}
