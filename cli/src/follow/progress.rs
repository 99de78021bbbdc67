//! How far a followed conversation is: which turn counts, what waits for a person, and when it is over. No IO.

use std::collections::BTreeSet;

use crate::failure::{Failure, Kind};
use crate::ui::transcript::reading::{Asked, Seen, Stage};

/// When following ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// At the end of the turn.
    TurnEnds,
    /// At the end of the turn, and of every turn that answers to its requests open.
    Answered,
    /// Never by itself, except with the conversation.
    Gone,
}

/// The turn that counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Its id, once it is known.
    pub(crate) id: Option<String>,
    /// Its number, once it is known.
    pub(crate) number: Option<i64>,
}

/// What an event means for whoever follows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum News {
    /// Nothing to do.
    None,
    /// A request waits.
    Opened,
    /// A request waits no more.
    Settled {
        /// Its public id.
        id: String,
        /// Whether a person answered it, as opposed to the clock or the end of its turn.
        elsewhere: bool,
    },
    /// It is over.
    Ended(Ending),
    /// Something broke that may have ended the conversation: look at it.
    Look,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It completed.
    Done {
        /// The runtime's exit status, when that is how it ended.
        exit_code: Option<i64>,
        /// Requests that wait beyond it.
        waiting: Vec<String>,
        /// Until when somebody can answer the first of them.
        deadline: Option<String>,
    },
    /// It failed, in words.
    Failed(String),
    /// It was stopped.
    Interrupted {
        /// Whether somebody meant it.
        meant: bool,
        /// The reason in words.
        why: String,
    },
}

/// A request that is open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Open {
    /// Its public id.
    pub(crate) id: String,
    /// The request line, when it came.
    pub(crate) asked: Option<Asked>,
    /// The tool and the agent's options, from the stage event.
    pub(crate) tool: String,
    pub(crate) options: Vec<serde_json::Value>,
}

/// How far it is.
pub(crate) struct Progress {
    until: Until,
    turn: Turn,
    /// Whether a turn is open, as far as was seen.
    in_turn: bool,
    open: Vec<Open>,
    /// Requests that outlived their turn.
    waiting: BTreeSet<String>,
    /// Why the sandbox did not start, when it did not.
    never_started: Option<String>,
}

impl Progress {
    /// Follows that turn, or, when none is named, the first that comes.
    pub(crate) fn new(until: Until, turn: Turn) -> Self {
        Self {
            until,
            in_turn: turn.id.is_some(),
            turn,
            open: Vec::new(),
            waiting: BTreeSet::new(),
            never_started: None,
        }
    }

    /// The requests that are open, in the order they came.
    pub(crate) fn open(&self) -> &[Open] {
        &self.open
    }

    /// Whether a turn runs, as far as was seen.
    pub(crate) fn in_turn(&self) -> bool {
        self.in_turn
    }

    /// Takes an event in.
    pub(crate) fn see(&mut self, seen: &Seen<'_>) -> News {
        match seen {
            Seen::Asked(asked) => {
                let open = self.entry(&asked.id);
                open.asked = Some((**asked).clone());
                News::None
            }
            Seen::Stage(stage) => self.stage(stage),
            _ => News::None,
        }
    }

    fn stage(&mut self, stage: &Stage) -> News {
        match (stage.name.as_str(), stage.state.as_str()) {
            ("turn", "started") => self.started(stage),
            ("turn", _) => self.ended(stage),
            ("request", "started") => self.opened(stage),
            ("request", _) => self.settled(stage),
            ("provision", "started") => {
                self.never_started = None;
                News::None
            }
            ("provision", "failed") => {
                self.never_started = Some(
                    stage
                        .text("reason")
                        .unwrap_or("no reason was given")
                        .to_owned(),
                );
                News::Look
            }
            (_, "failed") | ("terminate" | "sandbox", _) => News::Look,
            _ => News::None,
        }
    }

    fn started(&mut self, stage: &Stage) -> News {
        self.in_turn = true;
        if self.turn == Turn::default() {
            self.turn = Turn {
                id: stage.text("turn_id").map(str::to_owned),
                number: stage.number("turn_number"),
            };
        }
        News::None
    }

    fn ended(&mut self, stage: &Stage) -> News {
        self.in_turn = false;
        if !self.is_ours(stage) {
            return News::None;
        }
        let ending = self.ending(stage);
        self.never_started = None;
        if let Ending::Done { waiting, .. } = &ending {
            self.waiting.extend(waiting.iter().cloned());
        }
        let over = match (self.until, &ending) {
            (Until::TurnEnds, _) => true,
            // What waits goes on in a turn of its own; a failure on the way there is a failure.
            (Until::Answered, Ending::Done { .. }) => self.waiting.is_empty(),
            (Until::Answered, _) => true,
            (Until::Gone, _) => false,
        };
        // The next one that counts is whichever comes.
        self.turn = Turn::default();
        if over {
            News::Ended(ending)
        } else {
            News::None
        }
    }

    fn ending(&self, stage: &Stage) -> Ending {
        match stage.state.as_str() {
            "done" => {
                let ids = stage.meta["waiting_request_ids"]
                    .as_array()
                    .map_or(&[][..], Vec::as_slice);
                let mut waiting: Vec<String> = ids
                    .iter()
                    .filter_map(|id| id.as_str().map(str::to_owned))
                    .collect();
                if waiting.is_empty() && stage.meta["waiting"] == true {
                    waiting.extend(stage.text("waiting_request_id").map(str::to_owned));
                }
                Ending::Done {
                    exit_code: stage.number("exit_code"),
                    waiting,
                    deadline: stage.text("waiting_deadline").map(str::to_owned),
                }
            }
            "interrupted" => {
                let why = stage.text("reason").unwrap_or("interrupted");
                Ending::Interrupted {
                    meant: matches!(why, "interrupted" | "terminated"),
                    why: why.replace('_', " "),
                }
            }
            _ => Ending::Failed(self.why(stage)),
        }
    }

    fn why(&self, stage: &Stage) -> String {
        if let Some(reason) = &self.never_started {
            return format!("the sandbox never started: {reason}");
        }
        let stop = || {
            stage
                .text("stop_reason")
                .map(|stop| format!("the agent stopped with {stop}"))
        };
        let code = || {
            stage
                .number("exit_code")
                .map(|code| format!("the agent exited with status {code}"))
        };
        let why = stage
            .text("reason")
            .or_else(|| stage.text("error"))
            .map(str::to_owned);
        let why = why
            .or_else(stop)
            .or_else(code)
            .unwrap_or_else(|| "no reason was given".to_owned());
        format!("the turn failed: {why}")
    }

    /// Whether the event is about the turn that counts; while none is known, any is.
    fn is_ours(&self, stage: &Stage) -> bool {
        match (&self.turn.id, self.turn.number) {
            (None, None) => true,
            (id, number) => {
                id.as_deref()
                    .is_some_and(|id| stage.text("turn_id") == Some(id))
                    || number.is_some_and(|number| stage.number("turn_number") == Some(number))
            }
        }
    }

    fn opened(&mut self, stage: &Stage) -> News {
        let Some(id) = stage.text("request_id").map(str::to_owned) else {
            return News::None;
        };
        let open = self.entry(&id);
        stage
            .text("tool")
            .unwrap_or("other")
            .clone_into(&mut open.tool);
        open.options = stage.meta["options"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        News::Opened
    }

    fn settled(&mut self, stage: &Stage) -> News {
        let Some(id) = stage.text("request_id").map(str::to_owned) else {
            return News::None;
        };
        self.open.retain(|open| open.id != id);
        self.waiting.remove(&id);
        // A request that is settled without a turn of its own, because its conversation ended.
        if self.until == Until::Answered
            && !self.in_turn
            && self.waiting.is_empty()
            && stage.text("outcome") == Some("turn_ended")
        {
            return News::Ended(Ending::Interrupted {
                meant: false,
                why: "the conversation was terminated".into(),
            });
        }
        News::Settled {
            id,
            elsewhere: stage.text("outcome") == Some("answered"),
        }
    }

    fn entry(&mut self, id: &str) -> &mut Open {
        let at = self.open.iter().position(|open| open.id == id);
        let at = at.unwrap_or_else(|| {
            let fresh = Open {
                id: id.to_owned(),
                asked: None,
                tool: "other".into(),
                options: Vec::new(),
            };
            self.open.push(fresh);
            self.open.len() - 1
        });
        &mut self.open[at]
    }
}

/// What the command says and exits with. `stopped` tells that the user pressed Ctrl-C.
pub(crate) fn verdict(ending: &Ending, stopped: bool, exit_waiting: bool) -> Result<(), Failure> {
    if stopped {
        return Err(Failure::silent(Kind::Interrupted));
    }
    match ending {
        Ending::Done {
            exit_code: Some(code),
            ..
        } if *code != 0 => Err(Failure::failed(format!(
            "the agent exited with status {code}"
        ))),
        Ending::Done { waiting, .. } if exit_waiting && !waiting.is_empty() => {
            Err(Failure::silent(Kind::Waiting))
        }
        Ending::Done { .. } => Ok(()),
        Ending::Failed(why) => Err(Failure::failed(why.clone())),
        Ending::Interrupted { meant: true, why } => Err(Failure::new(
            Kind::Interrupted,
            format!("the turn was stopped: {why}"),
        )),
        Ending::Interrupted { meant: false, why } => {
            Err(Failure::failed(format!("the turn was interrupted: {why}")))
        }
    }
}

#[cfg(test)]
mod tests {
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
        let mut meta = json!({"turn_id": id, "turn_number": id.trim_start_matches('t').parse::<i64>().unwrap()});
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
    fn each_ending_has_its_exit_code() {
        let end = |state: &str, more: Value| {
            let news = Progress::new(Until::TurnEnds, first()).see(&turn(state, "t1", more));
            match news {
                News::Ended(ending) => ending,
                other => panic!("{other:?}"),
            }
        };
        for (ending, code, words) in [
            (end("done", json!({"stop_reason": "end_turn"})), 0, ""),
            (end("done", json!({"exit_code": 0})), 0, ""),
            (
                end("done", json!({"exit_code": 4})),
                1,
                "the agent exited with status 4",
            ),
            (
                end(
                    "done",
                    json!({"waiting": true, "waiting_request_id": "0.a"}),
                ),
                7,
                "",
            ),
            (
                end("failed", json!({"reason": "no"})),
                1,
                "the turn failed: no",
            ),
            (
                end("failed", json!({"stop_reason": "refusal"})),
                1,
                "the turn failed: the agent stopped with refusal",
            ),
            (
                end("failed", json!({"exit_code": 3})),
                1,
                "the turn failed: the agent exited with status 3",
            ),
            (
                end("failed", json!({})),
                1,
                "the turn failed: no reason was given",
            ),
            (
                end("interrupted", json!({"reason": "interrupted"})),
                130,
                "the turn was stopped: interrupted",
            ),
            (
                end("interrupted", json!({"reason": "daemon_restarted"})),
                1,
                "the turn was interrupted: daemon restarted",
            ),
        ] {
            let verdict = verdict(&ending, false, true);
            let (got, said) = verdict.map_or_else(
                |failure| (failure.kind.code(), failure.message),
                |()| (0, String::new()),
            );
            assert_eq!((got, said.as_str()), (code, words), "{ending:?}");
        }
        let waiting = end(
            "done",
            json!({"waiting": true, "waiting_request_ids": ["0.a"]}),
        );
        assert_eq!(verdict(&waiting, false, false), Ok(()));
        assert_eq!(verdict(&waiting, true, false).unwrap_err().kind.code(), 130);
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
        let News::Ended(ending) = progress.see(&turn("failed", "t1", json!({"reason": "x"})))
        else {
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
        assert_eq!(progress.see(&turn("done", "t1", waiting)), News::None);
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
}
