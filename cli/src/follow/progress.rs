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
    /// The turn ended, and what waits goes on.
    Waits {
        /// Until when somebody can answer the first of it.
        deadline: Option<String>,
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
        match ending {
            ending if over => News::Ended(ending),
            Ending::Done {
                waiting, deadline, ..
            } if self.until == Until::Answered && !waiting.is_empty() => News::Waits { deadline },
            _ => News::None,
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
mod tests;
