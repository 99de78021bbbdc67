//! Answered by a person at a terminal, with `fountain requests answer`.

use serde_json::json;

use super::{asks, settled};
use crate::kit::Home;

#[test]
fn answered_on_a_terminal() {
    let home = Home::new();
    let daemon = home.daemon();
    let (conversation, request) = asks(&daemon.http());
    let mut terminal = home.terminal(&["requests", "answer", &request[..6]]);
    terminal.shows("? the agent asks before it does this (execute):");
    terminal.shows("    touch marker");
    terminal.shows("answer [1/2/3/d/q]: ");
    terminal.types("x\r");
    terminal.shows("none of the keys");
    // Everything that the agent sent, not the one line of the list.
    terminal.types("d\r");
    terminal.shows("\"command\": \"touch marker\"");
    terminal.types("1\r");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    daemon.http().ended(&conversation);
    assert!(home.workspace().join("marker").exists());
    let done = settled(&daemon.http(), &conversation, &request);
    assert_eq!(
        (&done["outcome"], &done["option_id"]),
        (&json!("answered"), &json!("allow_once"))
    );
}

#[test]
fn left_open_it_is_no_failure() {
    let home = Home::new();
    let daemon = home.daemon();
    let (conversation, request) = asks(&daemon.http());
    let mut terminal = home.terminal(&["requests", "answer", &request]);
    terminal.shows("answer [1/2/3/d/q]: ");
    terminal.types("q\r");
    terminal.shows("it was left open");
    let (code, screen) = terminal.finish();
    assert_eq!(
        (code, screen.contains("error")),
        (Some(0), false),
        "{screen}"
    );
    let open = home.run(&["requests", "--json"]).ok().json();
    assert_eq!(open[0]["conversation_id"], conversation.as_str());
    let _ = home.run(&["requests", "answer", &request, "--deny"]).ok();
    daemon.http().ended(&conversation);
}

#[test]
fn refused_without_a_rejection_to_pick_it_is_told_as_refused() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("ask execute touch it with once");
    let request = http.asked(&launched.id)["request_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let answer = || home.run(&["requests", "answer", &request, "--deny"]);
    let _ = answer().ok().says("is refused");
    http.ended(&launched.id);
    let shown = home.run(&["requests", "show", &request]).ok();
    let shown = shown.prints("refused");
    assert!(!shown.out.contains("  answered\n"), "{shown}");
    let _ = answer().exits(5).says("was refused by");
    let stream = home.run(&["conv", "stream", &launched.id, "--no-follow"]);
    let _ = stream.ok().says("✗ refused: touch it");
}
