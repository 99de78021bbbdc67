//! `fountain conv`: conversations that last longer than a command.

use serde_json::json;

use crate::kit::{Home, until};

#[test]
fn a_conversation_from_its_first_prompt_to_its_end() {
    let home = Home::new();
    let daemon = home.daemon();
    let prompt = |text: &str| home.run(&["conv", "prompt", "list of things", "-p", text]);
    let title = "List of things";
    let _ = home
        .run(&["run", "demo", "--title", title, "-p", "remember milk"])
        .ok();
    let _ = prompt("remember bread").ok();
    assert_eq!(prompt("recall").ok().out, "milk\nbread\n");

    let list = home.run(&["conv", "list", "--json"]).ok().json();
    let id = list[0]["id"].as_str().unwrap();
    assert_eq!(
        (&list[0]["title"], &list[0]["turn_count"]),
        (&json!(title), &json!(3))
    );
    let shown = home.run(&["conv", "show", id, "--json"]).ok().json();
    assert_eq!(shown["status"], "idle");
    let _ = home
        .run(&["conv", "show", &id[..20]])
        .ok()
        .prints(title)
        .prints("recall");
    let turns = home.run(&["conv", "turns", id, "--json"]).ok().json();
    let prompts: Vec<&str> = turns
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| turn["prompt"].as_str().unwrap())
        .collect();
    assert_eq!(prompts, ["remember milk", "remember bread", "recall"]);

    let replay = home.run(&["conv", "stream", id, "--no-follow"]).ok();
    assert!(
        replay.out.contains("I remember: milk") && replay.out.contains("milk\nbread"),
        "{replay}"
    );
    let events = home
        .run(&["conv", "stream", id, "--no-follow", "--json"])
        .ok()
        .json_lines();
    assert_eq!(events.len(), daemon.http().events(id).len());
    let last = events.last().unwrap()["id"].to_string();
    let rest = home
        .run(&[
            "conv",
            "stream",
            id,
            "--no-follow",
            "--json",
            "--after",
            &last,
        ])
        .ok();
    assert_eq!(rest.out, "");

    let _ = home.run(&["conv", "rename", id, "Shopping"]).ok();
    let _ = home.run(&["conv", "terminate", "shopping"]).ok();
    let _ = prompt("recall").exits(3);
    let _ = home
        .run(&["conv", "prompt", id, "-p", "recall"])
        .exits(5)
        .says("terminated");
    let _ = home.run(&["conv", "show", id]).ok().prints("terminated");
    let _ = home.run(&["conv", "delete", id, "--yes"]).ok();
    let _ = home.run(&["conv", "show", id]).exits(3);
    assert_eq!(home.run(&["conv", "list", "--json"]).ok().json(), json!([]));
}

#[test]
fn a_delete_takes_everything_along() {
    let home = Home::new();
    let daemon = home.daemon();
    let launched = daemon.http().launch_under(
        "fork sleep 1000\nwrite notes.txt: hi\nsay here\nslow 600",
        json!(null),
    );
    for _ in 0..2 {
        let ask = daemon.http().asked(&launched.id);
        let request = ask["request_id"].as_str().unwrap();
        daemon
            .http()
            .answer(&launched.id, request, &json!({"option_id": "allow_once"}))
            .ok();
        until(
            "the next one is asked, or none",
            || daemon.http().conversation(&launched.id)["pending_requests"].clone(),
            |open| open[0]["request_id"] != request,
        );
    }
    until(
        "it is under way",
        || daemon.http().said(&launched.id),
        |said| said.contains("tick"),
    );
    let workspace = home.workspace();
    assert!(workspace.join("notes.txt").exists());
    let sleeps = || {
        home.processes()
            .iter()
            .any(|process| process.command.contains("sleep 1000"))
    };
    assert!(sleeps(), "{:?}", home.processes());
    let _ = home.run(&["conv", "delete", &launched.id, "--yes"]).ok();
    until("its processes are gone", sleeps, |sleeps| !sleeps);
    until("its disk is gone", || workspace.exists(), |exists| !exists);
    daemon
        .http()
        .try_get(&format!("/api/conversations/{}", launched.id))
        .refused(404, "not_found");
}

#[test]
fn an_interrupt_from_another_process() {
    let home = Home::new();
    let daemon = home.daemon();
    let run = home.spawn(&["run", "demo", "-p", "slow 600"]);
    run.prints("tick 2");
    let list = daemon.http().get("/api/conversations");
    let id = list[0]["id"].as_str().unwrap();
    let _ = home
        .run(&["conv", "prompt", id, "-p", "say no"])
        .exits(5)
        .says("A turn is running");
    let _ = home.run(&["conv", "interrupt", id]).ok();
    let _ = run.finish().exits(130);
    let _ = home
        .run(&["conv", "interrupt", id])
        .exits(5)
        .says("no turn is running");
    let done = home.run(&["conv", "prompt", id, "-p", "say again"]).ok();
    assert_eq!(done.out, "again\n");
}

#[test]
fn a_stream_follows_what_others_do() {
    let home = Home::new();
    let daemon = home.daemon();
    let launched = daemon.http().launch("say one");
    daemon.http().ended(&launched.id);
    let stream = home.spawn(&["conv", "stream", &launched.id]);
    stream.prints("one");
    daemon.http().prompt(&launched.id, "say two");
    stream.prints("two");
    daemon.http().ended(&launched.id);
    // Ctrl-C ends the following, and stops nothing.
    daemon.http().prompt(&launched.id, "slow 600");
    stream.prints("tick");
    stream.interrupt();
    let _ = stream.finish().exits(130);
    assert_eq!(
        daemon.http().conversation(&launched.id)["status"],
        "running"
    );
}

#[test]
fn a_name_that_fits_several_or_none_is_told() {
    let home = Home::new();
    let _daemon = home.daemon();
    for title in ["Fix the login", "Fix the logout"] {
        let _ = home
            .run(&["run", "demo", "--title", title, "-p", "say hi"])
            .ok();
    }
    let show = |name: &str| home.run(&["conv", "show", name]);
    let _ = show("fix the login").ok().prints("Fix the login");
    let _ = show("fix the")
        .exits(3)
        .says("Fix the login")
        .says("Fix the logout");
    // Ids of one minute begin alike: what they are about tells them apart, and their first prompts name them.
    let _ = home.run(&["run", "demo", "-p", "say untitled"]).ok();
    let list = home.run(&["conv", "list", "--json"]).ok().json();
    let begin = &list[0]["id"].as_str().unwrap()[..7];
    let _ = show(begin)
        .exits(3)
        .says("Fix the login (idle, ")
        .says("say untitled (idle, ");
    let _ = show("say untitled").ok().prints("say untitled");
    let _ = show("fix the logon").exits(3).says("did you mean");
    let _ = show("00000000-0000-7000-8000-000000000000")
        .exits(3)
        .says("hint: ");
}

#[test]
fn the_agents_own_titles_name_it() {
    let home = Home::new();
    let daemon = home.daemon();
    let launched = daemon.http().launch("title   Fix\nsay x");
    daemon.http().ended(&launched.id);
    assert_eq!(daemon.http().conversation(&launched.id)["title"], "Fix");
    let _ = home.run(&["conv", "rename", &launched.id, "Mine"]).ok();
    let _ = home
        .run(&["conv", "prompt", &launched.id, "-p", "title Theirs"])
        .ok();
    assert_eq!(daemon.http().conversation(&launched.id)["title"], "Mine");
}
