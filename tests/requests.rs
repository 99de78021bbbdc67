//! What waits for a person: answered from anywhere, once.

use std::thread;

use serde_json::{Value, json};

use crate::kit::{Answer, Frame, Home, Http, until};

mod terminal;

/// A conversation that asks whether it may touch `marker`, and the id of the request.
fn asks(http: &Http) -> (String, String) {
    let launched = http.launch("run touch marker\nsay over");
    let request = http.asked(&launched.id);
    let id = request["request_id"].as_str().unwrap().to_owned();
    (launched.id, id)
}

/// How a request was settled, by the log: exactly once.
#[track_caller]
fn settled(http: &Http, conversation: &str, request: &str) -> Value {
    let events = http.events(conversation);
    let mut done = events
        .iter()
        .filter(|event| event["stage"] == "request" && event["state"] == "done");
    let metas: Vec<Value> = done
        .by_ref()
        .map(|event| serde_json::from_str(event["data"].as_str().unwrap()).unwrap())
        .filter(|meta: &Value| meta["request_id"] == request)
        .collect();
    assert_eq!(metas.len(), 1, "{metas:?}");
    metas[0].clone()
}

#[test]
fn a_list_of_what_waits() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let _ = home.run(&["requests"]).ok().says("nothing waits");
    let (conversation, request) = asks(&http);
    let list = home.run(&["requests", "--json"]).ok().json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    let row = &list[0];
    assert_eq!(row["request_id"], request.as_str());
    assert_eq!(row["conversation_id"], conversation.as_str());
    assert_eq!(
        (&row["agent_name"], &row["status"]),
        (&json!("demo"), &json!("open"))
    );
    assert_eq!(
        (&row["tool"], &row["kind"]),
        (&json!("execute"), &json!("execute"))
    );
    let options: Vec<&Value> = row["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| &option["kind"])
        .collect();
    assert_eq!(options, ["allow_once", "allow_always", "reject_once"]);
    let _ = home
        .run(&["requests", "list", "--conversation", &conversation])
        .ok()
        .prints(&request);
    let _ = home
        .run(&["requests", "show", &request])
        .ok()
        .prints("allow_once");
    let _ = home.run(&["status"]).ok().prints(&request);
    let _ = home.run(&["requests", "answer", &request, "--deny"]).ok();
    assert_eq!(http.ended(&conversation)["status"], "completed");
    let shown = home
        .run(&["requests", "show", &request, "--json"])
        .ok()
        .json();
    assert_eq!(
        (&shown["status"], &shown["option_id"]),
        (&json!("settled"), &json!("reject_once"))
    );
    let _ = home.run(&["requests"]).ok().says("nothing waits");
    assert!(!home.workspace().join("marker").exists());
}

#[test]
fn a_watched_list_prints_what_comes() {
    let home = Home::new();
    let daemon = home.daemon();
    let watch = home.spawn(&["requests", "--watch", "--json"]);
    let (conversation, request) = asks(&daemon.http());
    watch.prints(&request);
    let answer = json!({"option_id": "reject_once"});
    daemon.http().answer(&conversation, &request, &answer).ok();
    watch.interrupt();
    let done = watch.finish().exits(130);
    assert_eq!(done.json_lines().len(), 1, "{done}");
}

#[test]
fn answered_over_http_while_a_terminal_asks() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let mut terminal = home.terminal(&["run", "demo", "-p", "run touch marker\nsay over"]);
    terminal.shows("    touch marker");
    let conversation = http.get("/api/conversations")[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let request = http.asked(&conversation)["request_id"]
        .as_str()
        .unwrap()
        .to_owned();
    http.answer(&conversation, &request, &json!({"option_id": "allow_once"}))
        .ok();
    terminal.shows("somebody else answered");
    terminal.shows("over");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    assert!(home.workspace().join("marker").exists());
}

#[test]
fn answered_elsewhere_while_an_editor_asks() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    let prompt = editor.begin(&session, "run touch marker");
    let asked = editor.comes("a question", |message| {
        message["method"] == "session/request_permission"
    });
    let request = http.asked(&session)["request_id"]
        .as_str()
        .unwrap()
        .to_owned();
    http.answer(&session, &request, &json!({"deny": true})).ok();
    // The question is taken back by its own id, and a late answer changes nothing.
    editor.comes("the question is withdrawn", |message| {
        message["method"] == "$/cancel_request" && message["params"]["requestId"] == asked["id"]
    });
    let late = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"outcome": {"outcome": "selected", "optionId": "allow_once"}}});
    editor.line(&late.to_string());
    assert_eq!(editor.wait(prompt).unwrap()["stopReason"], "end_turn");
    assert!(!home.workspace().join("marker").exists());
    assert_eq!(
        settled(&http, &session, &request)["option_id"],
        "reject_once"
    );
}

#[test]
fn the_first_answer_wins_and_the_others_are_told() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let (conversation, request) = asks(&http);
    let options = ["allow_once", "reject_once", "allow_always"];
    let outcomes: Vec<(u16, Value)> = thread::scope(|scope| {
        let answers: Vec<_> = (0..12)
            .map(|number| {
                let (http, conversation, request) = (http.clone(), &conversation, &request);
                scope.spawn(move || {
                    let answer = json!({"option_id": options[number % options.len()]});
                    let answered = http.answer(conversation, request, &answer);
                    (answered.status, answered.body)
                })
            })
            .collect();
        answers
            .into_iter()
            .map(|answer| answer.join().unwrap())
            .collect()
    });
    let won: Vec<usize> = (0..outcomes.len())
        .filter(|at| outcomes[*at].0 == 200)
        .collect();
    assert_eq!(won.len(), 1, "{outcomes:?}");
    let done = settled(&http, &conversation, &request);
    assert_eq!(done["option_id"], options[won[0] % options.len()]);
    for (status, body) in outcomes.iter().filter(|(status, _)| *status != 200) {
        assert_eq!(
            (*status, &body["error"]),
            (409, &json!("permission_request_resolved")),
            "{body}"
        );
        assert_eq!(
            (&body["answered_by"], &body["outcome"]),
            (&done["answered_by"], &json!("answered")),
            "{body}"
        );
    }
    let by = done["answered_by"].as_str().unwrap();
    let _ = home
        .run(&["requests", "answer", &request, "--option", "allow_once"])
        .exits(5)
        .says(by);
    let completed = http.ended(&conversation);
    let allowed = done["option_id"] != "reject_once";
    assert_eq!(
        home.workspace().join("marker").exists(),
        allowed,
        "{completed}"
    );
}

#[test]
fn an_option_that_was_not_offered_is_no_answer() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let (conversation, request) = asks(&http);
    let answer = |body: Value| http.answer(&conversation, &request, &body);
    answer(json!({"option_id": "proceed"})).refused(422, "unknown_option");
    answer(json!({})).refused(422, "option_id_required");
    answer(json!({"option_id": "allow_once", "deny": true})).refused(422, "option_id_required");
    http.answer(&conversation, "0.0123456789abcdef", &json!({"deny": true}))
        .refused(404, "not_found");
    let _ = home
        .run(&["requests", "answer", &request, "--option", "proceed"])
        .exits(5)
        .says("the agent offered allow_once");
    let _ = home
        .run(&["requests", "answer", &request])
        .exits(2)
        .says("--option");
    assert_eq!(http.asked(&conversation)["request_id"], request.as_str());
    answer(json!({"deny": true})).ok();
    assert_eq!(http.ended(&conversation)["status"], "completed");
}

#[test]
fn nobody_is_an_answer_too() {
    let home = Home::new().with("FOUNTAIN_LIMITS__ASK_CEILING", "1s");
    let daemon = home.daemon();
    let http = daemon.http();
    let done = home
        .run(&["run", "demo", "-p", "run touch marker\nsay over"])
        .ok();
    assert!(
        done.out.contains("over") && done.err.contains("nobody answered in time"),
        "{done}"
    );
    let all = http.get("/api/requests?status=all");
    assert_eq!(
        (&all[0]["outcome"], &all[0]["option_id"]),
        (&json!("timeout"), &json!("reject_once")),
        "{all}"
    );
    assert!(!home.workspace().join("marker").exists());
    let request = all[0]["request_id"].as_str().unwrap();
    let late = home.run(&["requests", "answer", request, "--option", "allow_once"]);
    let _ = late.exits(5).says("nobody answered");
}

#[test]
fn an_agent_cannot_answer_itself() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("run printf %s \"$FOUNTAIN_TOKEN\" > token\nrun touch marker");
    let first = http.asked(&launched.id)["request_id"]
        .as_str()
        .unwrap()
        .to_owned();
    http.answer(&launched.id, &first, &json!({"option_id": "allow_once"}))
        .ok();
    let second = until(
        "the second question",
        || http.asked(&launched.id),
        |ask| ask["request_id"] != first.as_str(),
    );
    let second = second["request_id"].as_str().unwrap();
    let token = std::fs::read_to_string(home.workspace().join("token")).unwrap();
    let agent = http.with_key(&token);
    for option in [
        json!({"option_id": "allow_once"}),
        json!({"option_id": "nonsense"}),
        json!({"deny": true}),
    ] {
        agent
            .answer(&launched.id, second, &option)
            .refused(403, "sandbox_may_not_answer");
    }
    // Nor can it look at what is not its own, or loosen what binds it.
    agent
        .try_get("/api/requests")
        .refused(403, "insufficient_scope");
    let path = format!("/api/agents/{}", http.agent("demo"));
    agent
        .patch(&path, &json!({"permission_policy": null}))
        .refused(403, "insufficient_scope");
    assert_eq!(http.asked(&launched.id)["request_id"], second);
    http.answer(&launched.id, second, &json!({"deny": true}))
        .ok();
    http.ended(&launched.id);
    assert!(!home.workspace().join("marker").exists());
}

#[test]
fn several_wait_at_once_and_do_not_cross() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("ask both execute one | edit two");
    let open = until(
        "both are asked",
        || http.conversation(&launched.id)["pending_requests"].clone(),
        |open| open.as_array().unwrap().len() == 2,
    );
    for (at, option) in [(1, "allow_once"), (0, "reject_once")] {
        let request = open[at]["request_id"].as_str().unwrap();
        http.answer(&launched.id, request, &json!({"option_id": option}))
            .ok();
    }
    http.ended(&launched.id);
    let titles: Vec<&Value> = open
        .as_array()
        .unwrap()
        .iter()
        .map(|request| &request["kind"])
        .collect();
    let said = http.said(&launched.id);
    let expected = match titles[0] == "execute" {
        true => "answered reject_once for one\nanswered allow_once for two",
        false => "answered allow_once for one\nanswered reject_once for two",
    };
    assert_eq!(said, expected);
}

#[test]
fn a_stopped_turn_settles_what_it_asked() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let (conversation, request) = asks(&http);
    let _ = home.run(&["conv", "interrupt", &conversation]).ok();
    assert_eq!(http.ended(&conversation)["status"], "interrupted");
    assert_eq!(
        settled(&http, &conversation, &request)["outcome"],
        "turn_ended"
    );
    let answer = http.answer(&conversation, &request, &json!({"option_id": "allow_once"}));
    answer.refused(409, "permission_request_resolved");
    // The next turn's first request has the agent's same number, and is another one.
    http.prompt(&conversation, "run touch marker");
    let next = http.asked(&conversation)["request_id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_ne!(next, request);
    http.answer(&conversation, &next, &json!({"option_id": "allow_once"}))
        .ok();
    assert_eq!(http.ended(&conversation)["status"], "completed");
    assert!(home.workspace().join("marker").exists());
}

#[test]
fn a_request_that_outlives_its_turn_opens_another_one() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("wait 3600 the deploy\nwait 3600 the bill");
    let turn = http.ended(&launched.id);
    assert_eq!(
        (&turn["status"], &turn["waiting"]),
        (&json!("completed"), &json!(true))
    );
    let list = http.get("/api/requests");
    let open = list.as_array().unwrap();
    assert_eq!(open.len(), 2, "{open:?}");
    assert!(
        open.iter().all(|request| request["detached"] == true),
        "{open:?}"
    );
    // Another turn runs meanwhile: then the answer is refused, and the request stays.
    http.prompt(&launched.id, "slow 600");
    let first = open[0]["request_id"].as_str().unwrap();
    let allow = json!({"option_id": "allow_once"});
    http.answer(&launched.id, first, &allow)
        .refused(400, "conversation_busy");
    let _ = home.run(&["conv", "interrupt", &launched.id]).ok();
    http.ended(&launched.id);
    for request in open {
        let id = request["request_id"].as_str().unwrap();
        http.answer(&launched.id, id, &allow).ok();
        let turn = http.ended(&launched.id);
        assert_eq!(
            (&turn["status"], &turn["origin"]),
            (&json!("completed"), &json!("user"))
        );
        let prompt: Value = serde_json::from_str(turn["prompt"].as_str().unwrap()).unwrap();
        assert_eq!(
            prompt["fountain/permission_answer"]["request_id"], id,
            "{prompt}"
        );
    }
    let said = http.said(&launched.id);
    assert!(
        said.contains("for the deploy") && said.contains("for the bill"),
        "{said}"
    );
    assert_eq!(http.get("/api/requests"), json!([]));
}

#[test]
fn a_deadline_that_passes_opens_the_turn_as_well() {
    let home = Home::new().with("FOUNTAIN_LIMITS__SWEEP_INTERVAL", "1s");
    let daemon = home.daemon();
    let http = daemon.http();
    let launched = http.launch("wait 1 the deploy");
    until(
        "the answer's turn",
        || http.turns(&launched.id).len(),
        |turns| *turns == 2,
    );
    assert_eq!(http.ended(&launched.id)["status"], "completed");
    assert!(
        http.said(&launched.id)
            .contains("nobody answered; reject_once was chosen")
    );
    let all = http.get("/api/requests?status=all");
    assert_eq!(all[0]["outcome"], "timeout", "{all}");
}

/// Everybody who follows is told, in the same order.
#[test]
fn a_request_is_on_every_screen() {
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let mut editor = home.editor(&["--agent", "demo"]);
    let session = editor.session();
    editor.answers(Answer::Kind("allow_once"));
    let followers: Vec<_> = (0..3)
        .map(|_| {
            let stream = http.stream(&session, 0);
            thread::spawn(move || {
                let mut frames: Vec<Frame> = Vec::new();
                for frame in stream {
                    let over = frame.ends_a_turn();
                    frames.push(frame);
                    if over {
                        break;
                    }
                }
                frames
            })
        })
        .collect();
    editor.prompt(&session, "run touch marker").unwrap();
    let mut seen = followers
        .into_iter()
        .map(|follower| follower.join().unwrap());
    let first = seen.next().unwrap();
    for stage in ["request/started", "request/done", "turn/done"] {
        assert_eq!(
            first.iter().filter(|frame| frame.is(stage)).count(),
            1,
            "{stage}: {first:?}"
        );
    }
    assert!(seen.all(|frames| frames == first));
}
