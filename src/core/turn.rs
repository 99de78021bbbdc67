//! One prompt as a function: `step(input, policy, now) -> effects`. No IO and no clock; a refused input leaves
//! the turn as it was.

mod ending;
mod input;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::event::{self, Event, State};
use crate::id::{RequestId, TurnId};
use crate::outcome::Outcome;
use crate::policy::{Decision, Effective, Key, Tool, Verdict};
use crate::request::{Ask, Refused, Request, Settled};
use crate::time::Timestamp;

pub use ending::{Ending, Finish, Origin, Status};
pub use input::{Effect, Input};

/// One prompt, from accepted to ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Its id.
    pub id: TurnId,
    /// Its number in the conversation, from 1.
    pub number: i64,
    /// Who opened it.
    pub origin: Origin,
    /// Where it stands.
    pub phase: Phase,
}

/// Where a turn stands. Each phase owns what only it has.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// Accepted and stored; the runtime has not been given the prompt.
    Pending,
    /// The runtime works on it.
    Running(Running),
    /// Over.
    Ended(Ending),
}

/// What a running turn holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Running {
    /// When it started.
    pub since: Timestamp,
    /// Every open request, by its public id.
    pub held: BTreeMap<RequestId, Request>,
    /// Whether somebody stopped it; the agent has been told once and is given its grace.
    pub stopping: bool,
    /// Whether the agent was refused something: some runtimes then end their turn as `cancelled`.
    pub refused: bool,
}

/// The rules of this instance that are no policy.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest wait inside a turn.
    pub ask_ceiling: Duration,
}

impl Turn {
    /// A turn that was just accepted.
    pub fn pending(id: TurnId, number: i64, origin: Origin) -> Self {
        Self {
            id,
            number,
            origin,
            phase: Phase::Pending,
        }
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ended(_))
    }

    /// The soonest deadline of what it holds.
    pub fn next_deadline(&self) -> Option<(Timestamp, RequestId)> {
        let Phase::Running(running) = &self.phase else {
            return None;
        };
        running
            .held
            .values()
            .map(|request| (request.deadline, request.id.clone()))
            .min()
    }

    /// Takes one input. The effects are in the order they must happen; what is committed comes before what is
    /// sent.
    ///
    /// # Errors
    /// [`Refused`] when the input does not apply; the turn is then unchanged.
    pub fn step(
        &mut self,
        input: Input,
        policy: &Effective,
        limits: Limits,
        now: Timestamp,
    ) -> Result<Vec<Effect>, Refused> {
        let mut effects = match input {
            Input::Started { more } => self.start(more, now),
            Input::Asked(ask) => self.asked(&ask, policy, limits, now),
            Input::Answered { id, pick, by } => {
                let settled = self.held(&id)?.answer(&pick, &by, now)?;
                self.settle(&id, settled)
            }
            Input::DeadlinePassed { id } => {
                let settled = self.held(&id)?.expire(now)?;
                self.settle(&id, settled)
            }
            Input::Withdrawn { rpc_id } => {
                let Phase::Running(running) = &self.phase else {
                    return Err(Refused::NotOpen);
                };
                let found = running
                    .held
                    .values()
                    .find(|request| request.rpc_id == rpc_id);
                let (id, settled) = found
                    .map(|request| (request.id.clone(), request.withdrawn(now)))
                    .ok_or(Refused::NotOpen)?;
                self.settle(&id, settled)
            }
            Input::Interrupt => self.interrupt(now)?,
            Input::Finished(finish) => self.finish(finish, policy, limits, now)?,
        };
        // Stable: several requests that end together are stored together, and then answered in their order.
        effects.sort_by_key(Effect::is_act);
        Ok(effects)
    }

    fn start(&mut self, more: Value, now: Timestamp) -> Vec<Effect> {
        if !matches!(self.phase, Phase::Pending) {
            return Vec::new();
        }
        self.phase = Phase::Running(Running {
            since: now,
            ..Running::default()
        });
        vec![Effect::Record(event::turn::event(
            State::Started,
            self.id,
            self.number,
            more,
        ))]
    }

    fn held(&self, id: &RequestId) -> Result<&Request, Refused> {
        match &self.phase {
            Phase::Running(running) => running.held.get(id).ok_or(Refused::NotOpen),
            _ => Err(Refused::NotOpen),
        }
    }

    fn asked(
        &mut self,
        ask: &Ask,
        policy: &Effective,
        limits: Limits,
        now: Timestamp,
    ) -> Vec<Effect> {
        let running = match &mut self.phase {
            Phase::Running(running) if !running.stopping => running,
            // Nothing may run any more; the agent still gets its answer.
            _ => {
                return vec![Effect::Reply {
                    rpc_id: ask.rpc_id.clone(),
                    outcome: Outcome::Cancelled,
                }];
            }
        };
        let decision = decide(policy, ask);
        let outcome = match decision.verdict {
            Verdict::Ask => return hold(running, ask, &decision.key, self.id, limits, now),
            Verdict::AutoAllow => ask.options.allow(),
            Verdict::AutoDeny => ask.options.deny(),
        };
        running.refused |= outcome.refuses();
        let mut effects = vec![Effect::Decided {
            ask: ask.clone(),
            decision: decision.clone(),
            outcome: outcome.clone(),
        }];
        if decision.verdict == Verdict::AutoDeny {
            let key = decision.key.word().to_owned();
            effects.push(Effect::Record(event::policy::denied(ask, &key)));
            effects.push(Effect::Audit {
                tool: ask.tool.clone(),
                verdict: "auto_deny",
                key,
            });
        }
        effects.push(Effect::Reply {
            rpc_id: ask.rpc_id.clone(),
            outcome,
        });
        effects
    }

    fn settle(&mut self, id: &RequestId, settled: Settled) -> Vec<Effect> {
        let Phase::Running(running) = &mut self.phase else {
            return Vec::new();
        };
        let Some(request) = running.held.remove(id) else {
            return Vec::new();
        };
        running.refused |= settled.outcome.refuses();
        settlement(request, settled)
    }

    fn interrupt(&mut self, now: Timestamp) -> Result<Vec<Effect>, Refused> {
        match &mut self.phase {
            Phase::Pending => Ok(self.end(Ending::interrupted("interrupted"), now)),
            Phase::Running(running) if running.stopping => Ok(Vec::new()),
            Phase::Running(running) => {
                running.stopping = true;
                // The notification goes first: an agent that reads a `cancelled` outcome before it would take
                // it for a dismissal and go on.
                let mut effects = vec![Effect::Cancel];
                effects.extend(release(running, now));
                Ok(effects)
            }
            Phase::Ended(_) => Err(Refused::NotOpen),
        }
    }

    fn finish(
        &mut self,
        finish: Finish,
        policy: &Effective,
        limits: Limits,
        now: Timestamp,
    ) -> Result<Vec<Effect>, Refused> {
        let (stopping, refused) = match &self.phase {
            Phase::Ended(_) => return Err(Refused::NotOpen),
            Phase::Pending => (false, false),
            Phase::Running(running) => (running.stopping, running.refused),
        };
        let mut effects = Vec::new();
        if let Phase::Running(running) = &mut self.phase {
            if finish.is_waiting() && !stopping && !running.held.is_empty() {
                return Ok(self.wait(&finish, policy, limits, now));
            }
            effects = release(running, now);
        }
        effects.extend(self.end(finish.ending(stopping, refused), now));
        Ok(effects)
    }

    /// Ends the turn with its requests still open: they go on without it.
    fn wait(
        &mut self,
        finish: &Finish,
        policy: &Effective,
        limits: Limits,
        now: Timestamp,
    ) -> Vec<Effect> {
        let Phase::Running(running) = &mut self.phase else {
            return Vec::new();
        };
        let bound = policy.ask_timeout(
            u32::try_from(limits.ask_ceiling.as_secs())
                .unwrap_or(u32::MAX)
                .max(1),
        );
        let mut open: Vec<Request> = std::mem::take(&mut running.held).into_values().collect();
        open.sort_by(|a, b| (a.asked_at, &a.id).cmp(&(b.asked_at, &b.id)));
        for request in &mut open {
            request.detach(bound, limits.ask_ceiling);
        }
        let ids: Vec<&RequestId> = open.iter().map(|request| &request.id).collect();
        let more = json!({
            "waiting_request_id": ids.first(),
            "waiting_request_ids": ids,
            "waiting_deadline": open.iter().map(|request| request.deadline).min(),
        });
        let mut ending = finish.ending(false, false);
        ending.waiting = true;
        ending.more = more;
        let mut effects: Vec<Effect> = open
            .into_iter()
            .map(|request| Effect::Detach { request })
            .collect();
        effects.extend(self.end(ending, now));
        // The old peer still holds the request; a reused connection would swallow the next turn's first one.
        effects.push(Effect::CloseLink);
        effects
    }

    fn end(&mut self, ending: Ending, now: Timestamp) -> Vec<Effect> {
        let since = match &self.phase {
            Phase::Running(running) => Some(running.since),
            _ => None,
        };
        let event = event::turn::event(ending.status.state(), self.id, self.number, ending.meta())
            .took(since, now);
        self.phase = Phase::Ended(ending.clone());
        vec![Effect::Record(event), Effect::End(ending)]
    }
}

/// Decides by what the request says, and by what its card said before: an agent that names the kind on the card alone,
/// or another one there, gets the stricter verdict.
fn decide(policy: &Effective, ask: &Ask) -> Decision {
    let tool = Tool {
        title: ask.title.as_deref(),
        kind: ask.kind.as_deref(),
    };
    let decision = policy.decide(tool);
    let Some(card) = &ask.card else {
        return decision;
    };
    let by_card = policy.decide(Tool {
        title: card.title.as_deref().or(tool.title),
        kind: card.kind.as_deref().or(tool.kind),
    });
    if by_card.verdict > decision.verdict {
        by_card
    } else {
        decision
    }
}

fn hold(
    running: &mut Running,
    ask: &Ask,
    key: &Key,
    turn: TurnId,
    limits: Limits,
    now: Timestamp,
) -> Vec<Effect> {
    let request = Request::open(ask, turn, key, limits.ask_ceiling, now);
    let timeout_ms = request.deadline.0.saturating_sub(now.0);
    let started = event::request::started(
        &request.id,
        &request.tool,
        request.options.raw(),
        timeout_ms,
    );
    running.held.insert(request.id.clone(), request.clone());
    vec![
        Effect::Hold { request },
        Effect::Record(started),
        Effect::Record(Event::acp(ask.line.clone())),
    ]
}

/// Settles everything a turn holds, because the turn ends.
fn release(running: &mut Running, now: Timestamp) -> Vec<Effect> {
    let held = std::mem::take(&mut running.held);
    held.into_values()
        .flat_map(|request| {
            let settled = request.turn_ended(now);
            settlement(request, settled)
        })
        .collect()
}

/// What settling one request does, inside a turn or after it.
pub fn settlement(request: Request, settled: Settled) -> Vec<Effect> {
    let option = settled.outcome.option();
    let mut effects = vec![Effect::Record(event::request::done(
        &request.id,
        settled.resolution.as_str(),
        option,
        &settled.by,
    ))];
    if let Some(verdict) = settled.refusal() {
        effects.push(Effect::Audit {
            tool: request.tool.clone(),
            verdict,
            key: request.key.clone(),
        });
    }
    let reply = (!request.detached).then(|| Effect::Reply {
        rpc_id: request.rpc_id.clone(),
        outcome: settled.outcome.clone(),
    });
    effects.push(Effect::Settle { request, settled });
    effects.extend(reply);
    effects
}

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
