//! The daemon dies, by force and by request. What was shown is stored, what ran is marked, and nothing is left.

use serde_json::{Value, json};

use crate::kit::{Daemon, Frame, Home, Http, random, until};

/// Reads a stream until a frame is good.
fn read_until(
    http: &Http,
    conversation: &str,
    after: i64,
    good: impl Fn(&Frame) -> bool,
) -> Vec<Frame> {
    let mut seen = Vec::new();
    for frame in http.stream(conversation, after) {
        let over = good(&frame);
        seen.push(frame);
        if over {
            return seen;
        }
    }
    panic!("the stream ended: {seen:?}");
}

/// Everything that was seen is there, as it was seen.
#[track_caller]
fn all_stored(http: &Http, conversation: &str, seen: &[Frame]) {
    let events = http.events(conversation);
    let ids: Vec<i64> = events
        .iter()
        .map(|event| event["id"].as_i64().unwrap())
        .collect();
    assert!(
        ids.is_sorted_by(|a, b| a < b),
        "the log is out of order: {ids:?}"
    );
    for frame in seen {
        let at = ids
            .binary_search(&frame.id)
            .unwrap_or_else(|_| panic!("lost: {frame:?}"));
        for field in ["kind", "stream", "data", "stage", "state", "turn_id", "ts"] {
            assert_eq!(events[at][field], frame.data[field], "{field} of {frame:?}");
        }
    }
}

/// Waits until nobody but the daemon runs.
#[track_caller]
fn nobody_else(home: &Home, daemon: &Daemon<'_>) {
    until(
        "nobody but the daemon runs",
        || home.processes(),
        |found| found.iter().all(|process| process.pid == daemon.pid()),
    );
}

#[test]
fn killed_in_the_middle_of_a_turn() {
    let home = Home::new();
    let mut daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("remember blue");
    http.ended(&launched.id);
    let after = http.prompt(&launched.id, "slow 600");
    let mut seen = read_until(&http, &launched.id, launched.after, |frame| {
        frame.id > after + 1
    });
    seen.extend(read_until(&http, &launched.id, after, |frame| {
        frame.text().is_some_and(|text| text.contains("tick 10"))
    }));
    daemon.kill();
    daemon.start_again();
    nobody_else(&home, &daemon);
    all_stored(&http, &launched.id, &seen);
    let turns = http.turns(&launched.id);
    assert_eq!(turns[0]["status"], "completed");
    assert_eq!(
        (&turns[1]["status"], &turns[1]["reason"]),
        (&json!("interrupted"), &json!("daemon_restarted"))
    );
    assert_eq!(http.conversation(&launched.id)["status"], "idle");
    let stages: Vec<String> = http
        .events(&launched.id)
        .iter()
        .filter(|event| event["state"] == "interrupted")
        .map(|event| event["stage"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(stages, ["reattach", "turn"]);
    let after = http.prompt(&launched.id, "recall");
    assert_eq!(http.ended(&launched.id)["status"], "completed");
    let said: String = http
        .stream(&launched.id, after)
        .take_while(|frame| !frame.ends_a_turn())
        .filter_map(|frame| frame.text())
        .collect();
    assert_eq!(said, "blue");
}

/// Wherever the knife falls: what somebody saw is stored, every turn is over, every request is settled.
#[test]
fn killed_at_any_moment() {
    let mut random = random();
    let home = Home::new();
    let mut daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("remember blue");
    http.ended(&launched.id);
    for round in 0..8 {
        let prompt = format!(
            "flood {}\nask execute {round}\nslow 600",
            random.u32(1..4_000)
        );
        let after = http.prompt(&launched.id, &prompt);
        let wanted = random.usize(1..4_000);
        // Sometimes the question is what ends the looking.
        let mut left = wanted;
        let mut seen = Vec::new();
        for frame in http.stream(&launched.id, after) {
            left -= 1;
            let asked = frame.is("request/started");
            seen.push(frame);
            if left == 0 || asked {
                break;
            }
        }
        eprintln!(
            "round {round}: killed after {} frames of {wanted}",
            seen.len()
        );
        daemon.kill();
        daemon.start_again();
        all_stored(&http, &launched.id, &seen);
        let turn = http.ended(&launched.id);
        assert_eq!(turn["status"], "interrupted", "{turn}");
        assert_eq!(http.get("/api/requests"), json!([]));
        let events = http.events(&launched.id);
        for stage in ["started", "done"] {
            let of_turn = |event: &&Value| {
                event["turn_id"] == turn["id"]
                    && event["stage"] == "request"
                    && event["state"] == stage
            };
            assert!(events.iter().filter(of_turn).count() <= 1);
        }
        let settled = events
            .iter()
            .filter(|event| event["stage"] == "request" && event["state"] == "done")
            .count();
        let asked = events
            .iter()
            .filter(|event| event["stage"] == "request" && event["state"] == "started")
            .count();
        assert_eq!(settled, asked);
    }
    nobody_else(&home, &daemon);
    http.prompt(&launched.id, "recall");
    assert_eq!(http.ended(&launched.id)["status"], "completed");
    assert!(http.said(&launched.id).ends_with("blue"));
}

/// A 2xx is a promise: a prompt that was accepted runs, once, or is marked as interrupted.
#[test]
fn killed_right_after_a_prompt_was_accepted() {
    let home = Home::new();
    let mut daemon = home.daemon();
    let http = daemon.http();
    for _ in 0..5 {
        let launched = http.launch("say once");
        daemon.kill();
        daemon.start_again();
        let turn = http.ended(&launched.id);
        let said = http.said(&launched.id);
        let started = http
            .events(&launched.id)
            .iter()
            .filter(|event| event["stage"] == "turn" && event["state"] == "started")
            .count();
        match turn["status"].as_str().unwrap() {
            "completed" => assert_eq!((said.as_str(), started), ("once", 1)),
            "interrupted" => assert!(
                started <= 1 && (said.is_empty() || said == "once"),
                "{said}"
            ),
            other => panic!("{other}: {turn}"),
        }
        assert_eq!(http.turns(&launched.id).len(), 1);
    }
}

#[test]
fn what_waits_beyond_its_turn_survives() {
    let home = Home::new();
    let mut daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("remember blue\nwait 3600 the deploy");
    http.ended(&launched.id);
    let before = http.asked(&launched.id);
    daemon.kill();
    daemon.start_again();
    let after = http.asked(&launched.id);
    assert_eq!(before, after);
    let request = after["request_id"].as_str().unwrap();
    let _ = home
        .run(&["requests", "answer", request, "--option", "allow_once"])
        .ok();
    until(
        "the turn of the answer",
        || http.turns(&launched.id).len(),
        |turns| *turns == 2,
    );
    assert_eq!(http.ended(&launched.id)["status"], "completed");
    assert!(
        http.said(&launched.id)
            .contains("answered allow_once for the deploy")
    );
}

#[test]
fn a_deadline_that_passed_meanwhile_fires_once() {
    let home = Home::new().with("FOUNTAIN_LIMITS__SWEEP_INTERVAL", "1s");
    let mut daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("wait 2 the deploy");
    http.ended(&launched.id);
    let deadline = http.asked(&launched.id)["deadline"]
        .as_str()
        .unwrap()
        .to_owned();
    daemon.kill();
    until("the deadline is over", now, |now| *now > deadline);
    daemon.start_again();
    until(
        "the turn of the answer",
        || http.turns(&launched.id).len(),
        |turns| *turns == 2,
    );
    assert_eq!(http.ended(&launched.id)["status"], "completed");
    daemon.stop();
    daemon.start_again();
    assert_eq!(http.turns(&launched.id).len(), 2);
    let said = http.said(&launched.id);
    assert_eq!(said.matches("nobody answered").count(), 1, "{said}");
}

/// This moment, in the form the API uses.
fn now() -> String {
    let date = std::process::Command::new("date")
        .args(["-u", "+%Y-%m-%dT%H:%M:%S.000Z"])
        .output()
        .unwrap();
    String::from_utf8(date.stdout).unwrap().trim().to_owned()
}

#[test]
fn told_to_stop_with_streams_open_and_a_turn_running() {
    let home = Home::new();
    let mut daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("fork sleep 1000\nignore cancel\nslow 600");
    let request = http.asked(&launched.id)["request_id"]
        .as_str()
        .unwrap()
        .to_owned();
    http.answer(&launched.id, &request, &json!({"option_id": "allow_once"}))
        .ok();
    read_until(&http, &launched.id, launched.after, |frame| {
        frame.text().is_some_and(|text| text.contains("tick 3"))
    });
    let streams: Vec<_> = (0..2)
        .map(|_| {
            let mut stream = http.stream(&launched.id, launched.after);
            let first = stream.next().unwrap();
            std::thread::spawn(move || (first, stream.count()))
        })
        .collect();
    let status = daemon.stop();
    assert!(status.success(), "{status}");
    assert!(!daemon.log().contains("took too long"), "{}", daemon.log());
    for stream in streams {
        // It has ended, and not by a time limit of its reader.
        let (_, more) = stream.join().unwrap();
        assert!(more > 0);
    }
    until("nobody is left", || home.processes(), Vec::is_empty);
    daemon.start_again();
    let turn = http.turns(&launched.id).pop().unwrap();
    assert_eq!(turn["status"], "interrupted", "{turn}");
    http.prompt(&launched.id, "say fine");
    assert_eq!(http.ended(&launched.id)["status"], "completed");
}

#[test]
fn a_client_that_follows_is_told_the_truth() {
    let home = Home::new();
    let mut daemon = home.daemon();
    let run = home.spawn(&["run", "demo", "-p", "slow 600"]);
    run.prints("tick 3");
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    let prompt = editor.begin(&session, "slow 600");
    editor.comes("it ticks", |message| {
        message["params"]["update"]["content"]["text"] == "tick 3 "
    });
    daemon.kill();
    daemon.start_again();
    let _ = run.finish().exits(1).says("interrupted");
    let failed = editor.wait(prompt).unwrap_err();
    assert_eq!(failed["code"], -32603, "{failed}");
    assert!(
        failed["message"].as_str().unwrap().contains(&session),
        "{failed}"
    );
    assert_eq!(
        editor.prompt(&session, "say fine").unwrap()["stopReason"],
        "end_turn"
    );
}

#[test]
fn an_agent_that_is_killed_takes_only_its_turn_along() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("remember blue\nslow 600");
    read_until(&http, &launched.id, launched.after, |frame| {
        frame.text().is_some_and(|text| text.contains("tick 3"))
    });
    let agents = home.processes();
    let agent = agents
        .iter()
        .find(|process| process.command.contains("fixture"))
        .unwrap();
    agent.signal(rustix::process::Signal::KILL);
    let turn = http.ended(&launched.id);
    assert_eq!(turn["status"], "failed", "{turn}");
    http.prompt(&launched.id, "recall");
    assert_eq!(http.ended(&launched.id)["status"], "completed");
    assert!(http.said(&launched.id).ends_with("blue"));
}
