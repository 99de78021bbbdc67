//! Everything at once, again and again: `FOUNTAIN_TEST_ROUNDS` says how often, once by default.

use std::thread;

use serde_json::{Value, json};

use crate::kit::{Answer, Frame, Home, Http, random, until};

/// What somebody does with a conversation.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Flood,
    Allow,
    Refuse,
    Interrupt,
    Crash,
    Fail,
    Edit,
}

const DEEDS: [Deed; 7] = [
    Deed::Flood,
    Deed::Allow,
    Deed::Refuse,
    Deed::Interrupt,
    Deed::Crash,
    Deed::Fail,
    Deed::Edit,
];

#[test]
fn many_conversations_at_once() {
    let rounds =
        std::env::var("FOUNTAIN_TEST_ROUNDS").map_or(1, |text| text.parse().expect("a number"));
    let mut random = random();
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    for _ in 0..rounds {
        thread::scope(|scope| {
            for number in 0..6 {
                let mut random = random.fork();
                let (home, http) = (&home, http.clone());
                let name = format!("conversation {number}");
                let work = move || {
                    let first = http.launch("remember blue");
                    for _ in 0..4 {
                        let deed = random.choice(DEEDS).unwrap();
                        http.ended(&first.id);
                        eprintln!("{number}: {deed:?}");
                        act(home, &http, &first.id, deed, random.u32(1..1_500));
                    }
                    http.ended(&first.id);
                    http.prompt(&first.id, "recall");
                    http.ended(&first.id);
                    assert!(http.said(&first.id).ends_with("blue"), "{number}");
                    consistent(&http, &first.id);
                };
                thread::Builder::new()
                    .name(name)
                    .spawn_scoped(scope, work)
                    .unwrap();
            }
        });
        assert_eq!(http.get("/api/requests"), json!([]));
        let list = http.get("/api/conversations?status=running,pending");
        assert_eq!(list, json!([]));
        for conversation in http.get("/api/conversations").as_array().unwrap() {
            let id = conversation["id"].as_str().unwrap();
            let _ = home.run(&["conv", "delete", id, "--yes"]).ok();
        }
        until(
            "nobody but the daemon runs",
            || home.processes(),
            |found| found.iter().all(|process| process.pid == daemon.pid()),
        );
    }
}

fn act(home: &Home, http: &Http, id: &str, deed: Deed, size: u32) {
    match deed {
        Deed::Flood => {
            let after = http.prompt(id, &format!("flood {size}"));
            let frames: Vec<Frame> = http
                .stream(id, after)
                .take_while(|frame| !frame.ends_a_turn())
                .collect();
            let numbers = frames
                .iter()
                .filter_map(|frame| frame.text()?.trim().parse::<u32>().ok());
            assert!(numbers.eq(1..=size));
        }
        Deed::Allow | Deed::Refuse => {
            http.prompt(id, &format!("flood {size}\nrun true"));
            let request = http.asked(id)["request_id"].as_str().unwrap().to_owned();
            let option = if matches!(deed, Deed::Allow) {
                "allow_once"
            } else {
                "reject_once"
            };
            let _ = home
                .run(&["requests", "answer", &request, "--option", option])
                .ok();
            assert_eq!(http.ended(id)["status"], "completed");
        }
        Deed::Interrupt => {
            http.prompt(id, &format!("flood {size}\nslow 600"));
            until(
                "it ticks",
                || http.said(id),
                |said| said.trim_end().rsplit_once("tick").is_some(),
            );
            let _ = home.run(&["conv", "interrupt", id]);
            assert_eq!(http.ended(id)["status"], "interrupted");
        }
        Deed::Crash => {
            http.prompt(id, &format!("flood {size}\ncrash 9"));
            assert_eq!(http.ended(id)["status"], "failed");
        }
        Deed::Fail => {
            let _ = home
                .run(&["conv", "prompt", id, "-p", "fail on purpose"])
                .exits(1);
        }
        Deed::Edit => {
            let mut editor = home.editor(&["--agent", "demo"]);
            editor.initialize();
            editor.answers(Answer::Kind("allow_once"));
            editor.ok(
                "session/load",
                json!({"sessionId": id, "cwd": "/", "mcpServers": []}),
            );
            let end = editor.prompt(id, &format!("flood {size}\nrun true"));
            assert_eq!(end.unwrap()["stopReason"], "end_turn");
        }
    }
}

/// The log of a conversation tells one story: in order, each turn with one end, each request settled once.
#[track_caller]
fn consistent(http: &Http, id: &str) {
    let events = http.events(id);
    assert!(events.is_sorted_by(|a, b| a["id"].as_i64() < b["id"].as_i64()));
    let count = |stage: &str, states: &[&str], turn: &Value| {
        let fits = |event: &&Value| {
            event["stage"] == stage
                && states.iter().any(|state| event["state"] == *state)
                && event["turn_id"] == *turn
        };
        events.iter().filter(fits).count()
    };
    let ends = ["done", "failed", "interrupted"];
    for turn in http.turns(id) {
        assert_eq!(count("turn", &["started"], &turn["id"]), 1, "{turn}");
        assert_eq!(count("turn", &ends, &turn["id"]), 1, "{turn}");
        assert_eq!(
            count("request", &["started"], &turn["id"]),
            count("request", &["done"], &turn["id"]),
            "{turn}"
        );
    }
}
