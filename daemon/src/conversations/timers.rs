//! What a conversation does when nothing happens: deadlines, the grace of a stop, quiet, idleness, sleep.

use std::ops::ControlFlow;
use std::time::Duration;

use fountain_core::event::{Event, State};
use fountain_core::time::Timestamp;
use fountain_core::turn::{Effect, Finish, Input, Turn};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::actor::{Actor, After, StepError};
use super::mailbox::Message;

/// How long a turn of the runtime's own may say nothing before it is over.
pub(super) const QUIET: Duration = Duration::from_secs(600);
/// How long a conversation without a runtime stays in memory.
const LINGER: Duration = Duration::from_secs(20);
/// Long enough for what only a message ends.
const NEVER: Duration = Duration::from_secs(24 * 3600);
/// The longest wait for a wall-clock deadline before the clock is looked at again: it may have been set.
const LOOK: Duration = Duration::from_secs(20);

/// When the next thing is due.
pub(super) struct Timers {
    /// When an agent that was told to stop has had its grace.
    pub(super) grace: Option<Instant>,
    /// When a turn of the runtime's own is over.
    pub(super) quiet: Option<Instant>,
    /// When to try again to store an ending, and what went wrong.
    pub(super) broken: Option<(Instant, String)>,
    /// When the runtime began to start.
    pub(super) opening: Option<Timestamp>,
    /// When something last happened.
    active: Instant,
}

impl Timers {
    pub(super) fn new() -> Self {
        Self {
            grace: None,
            quiet: None,
            broken: None,
            opening: None,
            active: Instant::now(),
        }
    }

    pub(super) fn touch(&mut self) {
        self.active = Instant::now();
    }

    /// The soonest moment to look again. `idle` is how long nothing may happen before something is due.
    pub(super) fn due(
        &self,
        turn: Option<&Turn>,
        now: Timestamp,
        idle: Option<Duration>,
    ) -> Instant {
        let deadline = turn.and_then(Turn::next_deadline).map(|(deadline, _)| {
            // One millisecond more, so that a deadline has passed when it is looked at.
            Instant::now() + (deadline.since(now) + Duration::from_millis(1)).min(LOOK)
        });
        let broken = self.broken.as_ref().map(|(at, _)| *at);
        let idle = idle.map(|idle| self.active + idle);
        [deadline, self.grace, self.quiet, broken, idle]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or_else(|| Instant::now() + NEVER)
    }
}

impl Actor {
    /// How long nothing may happen: until the runtime is put to sleep, or until the conversation is. A turn is
    /// never idle.
    pub(super) fn may_idle(&self) -> Option<Duration> {
        if self.turn.is_some() || self.timers.broken.is_some() {
            None
        } else if self.agent.is_asleep() {
            Some(LINGER)
        } else if self.yields {
            Some(Duration::ZERO)
        } else {
            self.app.settings().sandbox.idle_timeout
        }
    }

    pub(super) async fn timer(
        &mut self,
        inbox: &mpsc::UnboundedReceiver<Message>,
    ) -> ControlFlow<After> {
        let now = Instant::now();
        if let Some((at, reason)) = self.timers.broken.clone()
            && at <= now
        {
            self.mend(reason).await;
        }
        if self.timers.grace.is_some_and(|at| at <= now) {
            self.timers.grace = None;
            // It did not stop: the turn is over all the same, and its process tree with it.
            self.finish(Finish::GraceOver).await;
            self.close_link();
        }
        if self.timers.quiet.is_some_and(|at| at <= now) {
            self.timers.quiet = None;
            self.finish(Finish::Quiet).await;
        }
        while let Some((deadline, id)) = self.turn.as_ref().and_then(Turn::next_deadline)
            && deadline <= self.app.now()
        {
            match self.step(Input::DeadlinePassed { id }).await {
                Ok(()) => {}
                Err(StepError::Store(error)) => {
                    self.storage_failed(&error);
                    break;
                }
                Err(StepError::Refused(_)) => break,
            }
        }
        let idle = now.saturating_duration_since(self.timers.active);
        match self.may_idle() {
            Some(limit) if idle >= limit && !self.agent.is_asleep() => self.suspend().await,
            Some(limit) if idle >= limit && inbox.is_empty() => {
                return ControlFlow::Break(After::Sleep);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Ends the processes; the disk and the runtime's session stay.
    async fn suspend(&mut self) {
        self.timers.touch();
        let reason = if self.yields { "capacity" } else { "idle" };
        self.close_link();
        let event = Event::stage(
            "sandbox",
            State::Done,
            json!({"event": "suspended", "reason": reason}),
        );
        let stored = self
            .commit(None, vec![Effect::Record(event)], |_| Ok(()))
            .await;
        if let Err(error) = stored {
            tracing::error!(%error, "the suspension could not be stored");
        }
    }

    /// Tries again to store how the turn ended.
    async fn mend(&mut self, reason: String) {
        self.timers.broken = None;
        self.close_link();
        if self.turn.is_none() {
            return;
        }
        let finish = Finish::Failed {
            reason: format!("the transcript could not be stored: {reason}"),
        };
        if let Err(StepError::Store(error)) = self.step(Input::Finished(finish)).await {
            self.timers.broken = Some((Instant::now() + Duration::from_secs(1), error.to_string()));
        }
    }
}
