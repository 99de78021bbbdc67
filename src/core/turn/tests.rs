//! What is promised of `turn`, as tests.

use super::*;
use crate::policy::Policy;
use crate::request::Pick;
use crate::request::tests::ask;

const LIMITS: Limits = Limits {
    ask_ceiling: Duration::from_secs(300),
};

fn turn() -> Turn {
    Turn::pending(
        "019ad0b2-6c00-7000-8000-0000000000ff".parse().unwrap(),
        1,
        Origin::User,
    )
}

fn under(verdict: Verdict) -> Effective {
    Effective {
        agent: Policy::of(&[("default", verdict)]),
        ..Effective::default()
    }
}

fn running(policy: &Effective, asks: &[&str]) -> Turn {
    let mut turn = turn();
    turn.step(
        Input::Started { more: json!({}) },
        policy,
        LIMITS,
        Timestamp(0),
    )
    .unwrap();
    for id in asks {
        turn.step(Input::Asked(ask(id)), policy, LIMITS, Timestamp(0))
            .unwrap();
    }
    turn
}

fn stopped(reason: &str) -> Input {
    Input::Finished(Finish::Stopped {
        reason: reason.into(),
        usage: None,
    })
}

fn tags(effects: &[Effect]) -> Vec<String> {
    effects
        .iter()
        .map(|effect| match effect {
            Effect::Record(event) => event.tag().into_owned(),
            Effect::Hold { .. } => "hold".into(),
            Effect::Settle { settled, .. } => format!("settle {}", settled.resolution.as_str()),
            Effect::Detach { .. } => "detach".into(),
            Effect::Decided { .. } => "decided".into(),
            Effect::Audit { verdict, .. } => format!("audit {verdict}"),
            Effect::End(ending) => format!("end {}", ending.status.as_str()),
            Effect::Reply { outcome, .. } => {
                format!("reply {}", outcome.option().unwrap_or("cancelled"))
            }
            Effect::Cancel => "cancel".into(),
            Effect::CloseLink => "close".into(),
        })
        .collect()
}

#[test]
fn each_verdict_does_its_own() {
    for (verdict, expect) in [
        (Verdict::AutoAllow, vec!["decided", "reply yes"]),
        (Verdict::Ask, vec!["hold", "request/started", "acp"]),
        (
            Verdict::AutoDeny,
            vec!["decided", "policy/done", "audit auto_deny", "reply no"],
        ),
    ] {
        let policy = under(verdict);
        let mut turn = running(&policy, &[]);
        let effects = turn
            .step(Input::Asked(ask("7.1")), &policy, LIMITS, Timestamp(5))
            .unwrap();
        assert_eq!(tags(&effects), expect);
    }
}

#[test]
fn an_answer_is_stored_announced_and_sent_once() {
    let policy = under(Verdict::Ask);
    let mut turn = running(&policy, &["7.1"]);
    let answer = |option: &str| Input::Answered {
        id: RequestId::from_text("7.1"),
        pick: Pick::Option(option.into()),
        by: "me".into(),
    };
    let before = turn.clone();
    assert!(
        turn.step(answer("maybe"), &policy, LIMITS, Timestamp(5))
            .is_err()
    );
    assert_eq!(turn, before, "a refused answer changes nothing");
    let effects = turn
        .step(answer("yes"), &policy, LIMITS, Timestamp(5))
        .unwrap();
    assert_eq!(
        tags(&effects),
        ["request/done", "settle answered", "reply yes"]
    );
    assert_eq!(
        turn.step(answer("no"), &policy, LIMITS, Timestamp(5)),
        Err(Refused::NotOpen)
    );
}

#[test]
fn a_person_who_rejects_is_audited_and_the_turn_goes_on() {
    let policy = under(Verdict::Ask);
    let mut turn = running(&policy, &["7.1"]);
    let deny = Input::Answered {
        id: RequestId::from_text("7.1"),
        pick: Pick::Deny,
        by: "me".into(),
    };
    let effects = turn.step(deny, &policy, LIMITS, Timestamp(5)).unwrap();
    assert_eq!(
        tags(&effects),
        [
            "request/done",
            "audit person",
            "settle answered",
            "reply no"
        ]
    );
    assert!(!turn.is_over());
}

#[test]
fn the_deadline_refuses_and_never_permits() {
    let policy = under(Verdict::Ask);
    let mut turn = running(&policy, &["7.1"]);
    let due = Input::DeadlinePassed {
        id: RequestId::from_text("7.1"),
    };
    assert_eq!(
        turn.step(due.clone(), &policy, LIMITS, Timestamp(299_999)),
        Err(Refused::NotDue)
    );
    let effects = turn.step(due, &policy, LIMITS, Timestamp(300_000)).unwrap();
    assert_eq!(
        tags(&effects),
        [
            "request/done",
            "audit timeout",
            "settle timeout",
            "reply no"
        ]
    );
}

#[test]
fn a_stop_is_told_once_and_answers_everything_open() {
    let policy = under(Verdict::Ask);
    let mut turn = running(&policy, &["1.1", "2.2"]);
    let effects = turn
        .step(Input::Interrupt, &policy, LIMITS, Timestamp(9))
        .unwrap();
    let one = ["request/done", "audit turn_ended", "settle turn_ended"];
    let acts = ["cancel", "reply cancelled", "reply cancelled"];
    assert_eq!(tags(&effects), [&one[..], &one, &acts].concat());
    assert_eq!(
        turn.step(Input::Interrupt, &policy, LIMITS, Timestamp(9)),
        Ok(vec![]),
        "one cancel per turn"
    );
    let late = turn
        .step(Input::Asked(ask("3.3")), &policy, LIMITS, Timestamp(9))
        .unwrap();
    assert_eq!(tags(&late), ["reply cancelled"]);
    let effects = turn
        .step(stopped("end_turn"), &policy, LIMITS, Timestamp(9))
        .unwrap();
    assert_eq!(tags(&effects), ["turn/interrupted", "end interrupted"]);
}

#[test]
fn endings() {
    let refused = |mut turn: Turn| {
        if let Phase::Running(running) = &mut turn.phase {
            running.refused = true;
        }
        turn
    };
    let stopping = |mut turn: Turn| {
        if let Phase::Running(running) = &mut turn.phase {
            running.stopping = true;
        }
        turn
    };
    let plain = |turn: Turn| turn;
    let error = Finish::Error {
        code: -32800,
        message: "Request cancelled".into(),
    };
    let exited = Finish::Exited {
        code: Some(1),
        reason: "exit status 1".into(),
    };
    let stop = |reason: &str| Finish::Stopped {
        reason: reason.into(),
        usage: None,
    };
    type Prepare<'a> = &'a dyn Fn(Turn) -> Turn;
    let cases: Vec<(Prepare<'_>, Finish, Status, Option<&str>)> = vec![
        (
            &plain,
            stop("end_turn"),
            Status::Completed,
            Some("end_turn"),
        ),
        (&plain, stop("waiting"), Status::Completed, Some("waiting")),
        (&plain, stop("refusal"), Status::Failed, Some("refusal")),
        (
            &plain,
            stop("max_tokens"),
            Status::Failed,
            Some("max_tokens"),
        ),
        (
            &plain,
            stop("max_turn_requests"),
            Status::Failed,
            Some("max_turn_requests"),
        ),
        (&plain, stop("cancelled"), Status::Failed, Some("cancelled")),
        (&plain, stop("error"), Status::Failed, Some("error")),
        (
            &refused,
            stop("cancelled"),
            Status::Completed,
            Some("cancelled"),
        ),
        (
            &stopping,
            stop("end_turn"),
            Status::Interrupted,
            Some("cancelled"),
        ),
        (
            &stopping,
            error.clone(),
            Status::Interrupted,
            Some("cancelled"),
        ),
        (
            &stopping,
            exited.clone(),
            Status::Interrupted,
            Some("cancelled"),
        ),
        (&plain, error, Status::Failed, None),
        (&plain, exited, Status::Failed, None),
        (
            &plain,
            Finish::DaemonStopped {
                reason: "daemon_restarted",
            },
            Status::Interrupted,
            None,
        ),
        (&plain, Finish::Terminated, Status::Interrupted, None),
        (
            &plain,
            Finish::Failed {
                reason: "no".into(),
            },
            Status::Failed,
            None,
        ),
        (&plain, Finish::Quiet, Status::Completed, Some("end_turn")),
    ];
    for (prepare, finish, status, stop_reason) in cases {
        let policy = under(Verdict::Ask);
        let mut turn = prepare(running(&policy, &[]));
        turn.step(
            Input::Finished(finish.clone()),
            &policy,
            LIMITS,
            Timestamp(1),
        )
        .unwrap();
        let Phase::Ended(ending) = &turn.phase else {
            panic!("{finish:?}")
        };
        assert_eq!(
            (ending.status, ending.stop_reason.as_deref()),
            (status, stop_reason),
            "{finish:?}"
        );
        assert!(!ending.waiting);
    }
}

#[test]
fn waiting_hands_its_requests_on_with_their_deadlines() {
    let agent = Policy::of(&[("default", Verdict::Ask)]).with_ask_timeout(Some(3_600));
    let policy = Effective {
        agent,
        ..Effective::default()
    };
    let mut turn = running(&policy, &["1.1", "2.2"]);
    let effects = turn
        .step(stopped("waiting"), &policy, LIMITS, Timestamp(9))
        .unwrap();
    assert_eq!(
        tags(&effects),
        ["detach", "detach", "turn/done", "end completed", "close"]
    );
    let Phase::Ended(ending) = &turn.phase else {
        panic!()
    };
    assert!(ending.waiting);
    let meta = ending.meta();
    assert_eq!(meta["waiting_request_id"], "1.1");
    assert_eq!(meta["waiting_request_ids"], json!(["1.1", "2.2"]));
    assert_eq!(meta["waiting_deadline"], "1970-01-01T01:00:00.000Z");
    assert_eq!(meta["waiting"], true);
}

#[test]
fn a_pending_turn_that_is_stopped_never_starts() {
    let policy = Effective::default();
    let mut turn = turn();
    let effects = turn
        .step(Input::Interrupt, &policy, LIMITS, Timestamp(1))
        .unwrap();
    assert_eq!(tags(&effects), ["turn/interrupted", "end interrupted"]);
    assert_eq!(
        turn.step(
            Input::Started { more: json!({}) },
            &policy,
            LIMITS,
            Timestamp(1)
        ),
        Ok(vec![])
    );
    assert!(turn.is_over());
}

#[test]
fn a_request_that_reuses_an_id_in_flight_gets_its_own_answer() {
    let policy = under(Verdict::Ask);
    let mut turn = running(&policy, &["7.1", "7.2"]);
    let Phase::Running(held) = &turn.phase else {
        panic!()
    };
    assert_eq!(held.held.len(), 2);
    let answer = Input::Answered {
        id: RequestId::from_text("7.2"),
        pick: Pick::Option("yes".into()),
        by: "me".into(),
    };
    let effects = turn.step(answer, &policy, LIMITS, Timestamp(5)).unwrap();
    let settled: Vec<_> = effects
        .iter()
        .filter_map(|e| match e {
            Effect::Settle { request, .. } => Some(request.id.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(settled, ["7.2"]);
}
