//! How far a followed conversation is: which turn counts, what waits for a person, and when it is over. No IO.

use std::collections::BTreeSet;

use super::ending::Ending;
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
        let ending = Ending::read(stage, self.never_started.as_deref());
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
