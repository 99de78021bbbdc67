//! Where a turn stands, by the events that were seen.

use serde_json::{Value, json};

use super::*;

fn stage(name: &str, state: &str, meta: Value) -> Seen<'static> {
    Seen::Stage(Stage {
        name: name.into(),
        state: state.into(),
        meta,
        duration_ms: None,
    })
}

fn turn(state: &str, id: &str, more: Value) -> Seen<'static> {
    let mut meta =
        json!({"turn_id": id, "turn_number": id.trim_start_matches('t').parse::<i64>().unwrap()});
    meta.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    stage("turn", state, meta)
}

fn first() -> Turn {
    Turn {
        id: Some("t1".into()),
        number: Some(1),
    }
}

fn done(news: &News) -> bool {
    matches!(news, News::Ended(Ending::Done { .. }))
}

#[test]
fn only_the_turn_that_counts_ends_it() {
    let mut progress = Progress::new(
        Until::TurnEnds,
        Turn {
            id: Some("t2".into()),
            number: Some(2),
        },
    );
    assert_eq!(progress.see(&turn("done", "t1", json!({}))), News::None);
    assert_eq!(progress.see(&turn("started", "t2", json!({}))), News::None);
    assert!(progress.in_turn());
    assert!(done(&progress.see(&turn(
        "done",
        "t2",
        json!({"stop_reason": "end_turn"})
    ))));
}

#[test]
fn without_a_turn_the_first_that_comes_counts() {
    let mut progress = Progress::new(Until::TurnEnds, Turn::default());
    progress.see(&turn("started", "t5", json!({})));
    assert_eq!(progress.see(&turn("done", "t4", json!({}))), News::None);
    assert!(done(&progress.see(&turn("done", "t5", json!({})))));
}

#[test]
fn a_sandbox_that_did_not_start_is_told_as_that() {
    let mut progress = Progress::new(Until::TurnEnds, first());
    assert_eq!(
        progress.see(&stage(
            "provision",
            "failed",
            json!({"reason": "`nope` was not found"})
        )),
        News::Look
    );
    let News::Ended(ending) = progress.see(&turn("failed", "t1", json!({"reason": "x"}))) else {
        panic!()
    };
    assert_eq!(
        ending,
        Ending::Failed("the sandbox never started: `nope` was not found".into())
    );
}

#[test]
fn what_waits_is_followed_into_its_own_turns() {
    let mut progress = Progress::new(Until::Answered, first());
    let open = |id: &str| {
        stage(
            "request",
            "started",
            json!({"request_id": id, "tool": "execute", "options": []}),
        )
    };
    let settled = |id: &str| {
        stage(
            "request",
            "done",
            json!({"request_id": id, "outcome": "answered"}),
        )
    };
    assert_eq!(progress.see(&open("0.a")), News::Opened);
    progress.see(&open("1.b"));
    let waiting = json!({"waiting": true, "waiting_request_ids": ["0.a", "1.b"]});
    assert_eq!(
        progress.see(&turn("done", "t1", waiting)),
        News::Waits { deadline: None }
    );
    assert_eq!(progress.open().len(), 2);
    assert_eq!(
        progress.see(&settled("0.a")),
        News::Settled {
            id: "0.a".into(),
            elsewhere: true
        }
    );
    progress.see(&turn("started", "t2", json!({})));
    // One still waits, so the first resume turn is not the end.
    assert_eq!(progress.see(&turn("done", "t2", json!({}))), News::None);
    progress.see(&settled("1.b"));
    progress.see(&turn("started", "t3", json!({})));
    assert!(done(&progress.see(&turn("done", "t3", json!({})))));
}

#[test]
fn waiting_ends_with_the_conversation() {
    let mut progress = Progress::new(Until::Answered, first());
    progress.see(&turn(
        "done",
        "t1",
        json!({"waiting": true, "waiting_request_ids": ["0.a"]}),
    ));
    let news = progress.see(&stage(
        "request",
        "done",
        json!({"request_id": "0.a", "outcome": "turn_ended"}),
    ));
    assert!(
        matches!(news, News::Ended(Ending::Interrupted { meant: false, .. })),
        "{news:?}"
    );
}

#[test]
fn a_failed_stage_is_looked_at() {
    let mut progress = Progress::new(Until::Gone, Turn::default());
    for (name, state, expect) in [
        ("clone", "failed", News::Look),
        ("terminate", "done", News::Look),
        ("sandbox", "done", News::Look),
        ("packages", "done", News::None),
    ] {
        assert_eq!(
            progress.see(&stage(name, state, json!({}))),
            expect,
            "{name}"
        );
    }
    assert_eq!(progress.see(&turn("done", "t1", json!({}))), News::None);
}
