//! A conversation beside a model of it, whatever happens in whatever order at whatever time: what waited is settled
//! once and answered at most once, and nothing is permitted that nobody permitted.

mod happens;

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::*;
use crate::policy::Policy;
use crate::recover::{self, Plan};
use crate::request::tests::ask;
use crate::request::{Pick, Resolution};
use happens::{Happens, OFFERED, happens};

const LIMITS: Limits = Limits {
    ask_ceiling: Duration::from_secs(300),
};

/// Where a request stands, as the model sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    InTurn,
    Detached,
    Settled,
}

/// One request that waited once.
#[derive(Debug)]
struct Known {
    ask: Ask,
    offered: usize,
    asked_at: i64,
    deadline: i64,
    stands: Stands,
    /// How often it was told that it waits, and that it is settled.
    told: (u32, u32),
    /// How often its end was stored.
    settled: u32,
}

/// The conversation, and the model beside it.
struct Talk {
    now: i64,
    policy: Effective,
    /// The last turn, also when it is over.
    turn: Option<Turn>,
    detached: Vec<Request>,
    known: Vec<Known>,
    /// What was asked on this connection and what was answered there, by the agent's own id.
    asked: BTreeMap<String, i64>,
    replied: BTreeMap<String, i64>,
    minted: usize,
    /// Whether somebody stopped the turn, how often it was told so, and how often it ended.
    stopping: bool,
    cancels: u32,
    ends: u32,
    /// The option that may be selected by what happens now, because somebody or a policy permitted it.
    may: Option<&'static str>,
}

type Checked = Result<(), TestCaseError>;

/// The option of this id, if it permits by any reading of the list.
fn permit(offered: usize, id: &str) -> Option<&'static str> {
    let permits = |(known, kind): &&(&str, &str)| *known == id && kind.starts_with("allow");
    OFFERED[offered].iter().find(permits).map(|(id, _)| *id)
}

impl Talk {
    fn new() -> Self {
        Self {
            now: 0,
            policy: under(Verdict::Ask, None),
            turn: None,
            detached: Vec::new(),
            known: Vec::new(),
            asked: BTreeMap::new(),
            replied: BTreeMap::new(),
            minted: 0,
            stopping: false,
            cancels: 0,
            ends: 0,
            may: None,
        }
    }

    fn running(&self) -> Option<&Running> {
        match &self.turn.as_ref()?.phase {
            Phase::Running(running) => Some(running),
            _ => None,
        }
    }

    fn is_busy(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| !turn.is_over())
    }

    fn happen(&mut self, what: Happens) -> Checked {
        self.may = None;
        match what {
            Happens::Edit(verdict, timeout) => self.policy = under(verdict, timeout),
            Happens::Pass(span) => self.now += span,
            Happens::Prompt if self.is_busy() => {}
            Happens::Prompt => self.open(),
            Happens::Start => self.step(Input::Started { more: json!({}) })?,
            Happens::Ask {
                rpc,
                offered,
                timeout,
            } => self.ask(rpc, offered, timeout)?,
            Happens::Answer(at, pick) => self.answer(at, pick)?,
            Happens::Due(at) => {
                let id = self.id(at);
                self.step(Input::DeadlinePassed { id })?;
            }
            Happens::Sweep => {
                for request in self.detached.clone() {
                    if let Ok(settled) = request.expire(Timestamp(self.now)) {
                        self.resume(request, settled)?;
                    }
                }
            }
            Happens::Withdraw(rpc) => self.step(Input::Withdrawn {
                rpc_id: rpc.to_string(),
            })?,
            Happens::Interrupt => {
                self.stopping = self.running().is_some();
                self.step(Input::Interrupt)?;
            }
            Happens::Finish(finish) => {
                let gone = matches!(finish, Finish::Exited { .. } | Finish::GraceOver);
                let held = self.running().map_or(0, |running| running.held.len());
                let handed = if finish.is_waiting() { held } else { 0 };
                let open = self.detached.len() + handed;
                self.step(Input::Finished(finish))?;
                prop_assert_eq!(
                    self.detached.len(),
                    open,
                    "only `waiting` hands on, and all"
                );
                if gone {
                    self.disconnect()?;
                }
            }
            Happens::Restart => self.restart()?,
        }
        self.check()
    }

    fn open(&mut self) {
        self.turn = Some(Turn {
            number: self.turn.as_ref().map_or(1, |turn| turn.number + 1),
            ..turn()
        });
        (self.stopping, self.cancels, self.ends) = (false, 0, 0);
    }

    /// The id of one that waited, or one that nobody knows.
    fn id(&self, at: usize) -> RequestId {
        match self.known.get(at % (self.known.len() + 1)) {
            Some(known) => known.ask.id.clone(),
            None => RequestId::from_text("9.unknown"),
        }
    }

    fn ask(&mut self, rpc: usize, offered: usize, timeout: Option<u32>) -> Checked {
        if self.turn.is_none() {
            return Ok(());
        }
        self.minted += 1;
        let options = OFFERED[offered].iter();
        let asked = Ask {
            rpc_id: rpc.to_string(),
            options: crate::outcome::Options::new(
                options
                    .map(|(id, kind)| json!({"optionId": id, "kind": kind}))
                    .collect(),
            ),
            timeout,
            ..ask(&format!("{rpc}.{}", self.minted))
        };
        *self.asked.entry(asked.rpc_id.clone()).or_default() += 1;
        let decides = self.running().is_some() && !self.stopping;
        let verdict = self.policy.agent.named("default");
        if decides && verdict == Some(Verdict::AutoAllow) {
            self.may = permit(offered, "yes").or(permit(offered, "no"));
        }
        let held = self.running().map_or(0, |running| running.held.len());
        self.step(Input::Asked(asked))?;
        if decides && verdict == Some(Verdict::Ask) {
            self.known.last_mut().unwrap().offered = offered;
        } else {
            let now = self.running().map_or(0, |running| running.held.len());
            prop_assert_eq!(now, held, "nothing waits that need not");
        }
        Ok(())
    }

    fn answer(&mut self, at: usize, pick: Pick) -> Checked {
        let id = self.id(at);
        let now = self.now;
        let known = self.known.iter().find(|known| known.ask.id == id);
        let (stands, before) = known.map_or((Stands::Settled, 0), |known| {
            let in_time = now < known.deadline && known.stands != Stands::Settled;
            if let (Pick::Option(option), true) = (&pick, in_time) {
                self.may = permit(known.offered, option);
            }
            (known.stands, known.settled)
        });
        let offered = known.is_some_and(|known| match &pick {
            Pick::Option(option) => OFFERED[known.offered].iter().any(|(id, _)| id == option),
            Pick::Deny => true,
        });
        let late = known.is_some_and(|known| now >= known.deadline);
        let takes = match stands {
            Stands::Settled => false,
            Stands::InTurn => late || offered,
            Stands::Detached => (late || offered) && !self.is_busy(),
        };
        let found = self.detached.iter().find(|request| request.id == id);
        match found.cloned() {
            Some(request) => match request.answer(&pick, "me", Timestamp(now)) {
                Ok(settled) => self.resume(request, settled)?,
                Err(refused) => {
                    prop_assert!(matches!(refused, Refused::NotOffered(_)) && !late && !offered);
                }
            },
            None => self.step(Input::Answered {
                id: id.clone(),
                pick,
                by: "me".into(),
            })?,
        }
        if let Some(known) = self.known.iter().find(|known| known.ask.id == id) {
            prop_assert_eq!(known.settled, before + u32::from(takes));
        }
        Ok(())
    }

    /// The end of a request that outlived its turn, as the daemon tells it: it opens a turn, or waits for its chance.
    fn resume(&mut self, request: Request, settled: Settled) -> Checked {
        if self.is_busy() {
            return Ok(());
        }
        self.detached.retain(|open| open.id != request.id);
        let effects = settlement(request, settled);
        prop_assert!(
            !effects.iter().any(Effect::is_act),
            "who asked is gone: {effects:?}"
        );
        self.done(effects)?;
        self.open();
        Ok(())
    }

    fn restart(&mut self) -> Checked {
        if let Some(mut turn) = self.turn.take_if(|turn| !turn.is_over()) {
            match recover::plan(&mut turn, &self.policy, LIMITS, Timestamp(self.now)) {
                Plan::Start => prop_assert_eq!(&turn.phase, &Phase::Pending),
                Plan::Interrupt(effects) => {
                    prop_assert!(!effects.iter().any(Effect::is_act));
                    prop_assert!(turn.is_over());
                    self.done(effects)?;
                }
            }
            self.turn = Some(turn);
        }
        // Nobody is left who could read an answer.
        self.asked.clear();
        self.replied.clear();
        Ok(())
    }

    fn step(&mut self, input: Input) -> Checked {
        let Some(mut turn) = self.turn.clone() else {
            return Ok(());
        };
        match turn.step(input, &self.policy, LIMITS, Timestamp(self.now)) {
            Err(_) => prop_assert_eq!(Some(&turn), self.turn.as_ref(), "refused and changed"),
            Ok(effects) => {
                self.turn = Some(turn);
                self.done(effects)?;
            }
        }
        Ok(())
    }

    /// Takes the effects as the daemon does, and notes what they did.
    fn done(&mut self, effects: Vec<Effect>) -> Checked {
        let acts: Vec<bool> = effects.iter().map(Effect::is_act).collect();
        prop_assert!(acts.is_sorted(), "sent before it is stored: {effects:?}");
        let first = acts.iter().position(|act| *act).unwrap_or(0);
        for (at, effect) in effects.into_iter().enumerate() {
            match effect {
                Effect::Hold { request } => self.hold(request)?,
                Effect::Record(event) => self.told(&event)?,
                Effect::Settle { request, settled } => self.settled(&request, &settled)?,
                Effect::Detach { request } => {
                    let bound = self.policy.agent.ask_timeout();
                    let known = self.known(request.id.as_str())?;
                    prop_assert_eq!(known.stands, Stands::InTurn);
                    let shorter = [known.ask.timeout, bound].into_iter().flatten().min();
                    known.deadline = known.asked_at + i64::from(shorter.unwrap_or(300)) * 1_000;
                    known.stands = Stands::Detached;
                    prop_assert_eq!(request.deadline, Timestamp(known.deadline));
                    self.detached.push(request);
                }
                Effect::Reply { rpc_id, outcome } => {
                    let option = outcome.option();
                    if let Some(option) = option.filter(|_| outcome.permits()) {
                        prop_assert_eq!(Some(option), self.may, "nobody permitted it");
                    }
                    *self.replied.entry(rpc_id).or_default() += 1;
                }
                Effect::End(_) => self.ends += 1,
                Effect::Cancel => {
                    prop_assert_eq!(at, first, "who is stopped hears that first");
                    self.cancels += 1;
                }
                Effect::CloseLink => self.disconnect()?,
                Effect::Decided { .. } | Effect::Audit { .. } => {}
            }
        }
        Ok(())
    }

    fn known(&mut self, id: &str) -> Result<&mut Known, TestCaseError> {
        let found = self
            .known
            .iter_mut()
            .find(|known| known.ask.id.as_str() == id);
        found.ok_or_else(|| TestCaseError::fail(format!("nobody knows {id}")))
    }

    fn hold(&mut self, request: Request) -> Checked {
        prop_assert!(!self.stopping, "nothing waits in a turn that is stopped");
        self.known.push(Known {
            ask: Ask {
                rpc_id: request.rpc_id,
                timeout: request.timeout,
                ..ask(request.id.as_str())
            },
            offered: 0,
            asked_at: self.now,
            deadline: self.now + 300_000,
            stands: Stands::InTurn,
            told: (0, 0),
            settled: 0,
        });
        Ok(())
    }

    fn told(&mut self, event: &Event) -> Checked {
        let Event::Stage {
            stage: "request",
            state,
            meta,
            ..
        } = event
        else {
            return Ok(());
        };
        let known = self.known(meta["request_id"].as_str().unwrap())?;
        prop_assert_ne!(known.stands, Stands::Settled);
        match state {
            State::Started => known.told.0 += 1,
            _ => known.told.1 += 1,
        }
        Ok(())
    }

    fn settled(&mut self, request: &Request, settled: &Settled) -> Checked {
        let (now, may) = (self.now, self.may);
        let known = self.known(request.id.as_str())?;
        prop_assert_eq!(request.detached, known.stands == Stands::Detached);
        prop_assert_ne!(known.stands, Stands::Settled, "settled twice");
        known.stands = Stands::Settled;
        known.settled += 1;
        let late = now >= known.deadline;
        match settled.resolution {
            Resolution::Answered => prop_assert!(!late),
            Resolution::Timeout => prop_assert!(late),
            Resolution::TurnEnded | Resolution::Cancelled => {
                prop_assert_eq!(&settled.outcome, &Outcome::Cancelled);
            }
        }
        let option = settled.outcome.option();
        if let Some(option) = option.and_then(|option| permit(known.offered, option)) {
            prop_assert_eq!(Some(option), may, "nobody permitted it");
        }
        Ok(())
    }

    /// The connection is gone. What it asked was answered, or goes on without it.
    fn disconnect(&mut self) -> Checked {
        prop_assert!(self.running().is_none());
        self.asked.clear();
        self.replied.clear();
        Ok(())
    }

    /// What holds whenever nothing happens.
    fn check(&self) -> Checked {
        let mut open = BTreeMap::<&str, i64>::new();
        for known in &self.known {
            let settled = u32::from(known.stands == Stands::Settled);
            prop_assert_eq!((known.told, known.settled), ((1, settled), settled));
            let held = self.running().map(|running| &running.held);
            let held = held.is_some_and(|held| held.contains_key(&known.ask.id));
            prop_assert_eq!(held, known.stands == Stands::InTurn);
            let handed = self.detached.iter().any(|open| open.id == known.ask.id);
            prop_assert_eq!(handed, known.stands == Stands::Detached);
            if held {
                *open.entry(&known.ask.rpc_id).or_default() += 1;
            }
        }
        for (rpc, asked) in &self.asked {
            let waits = open.get(rpc.as_str()).copied().unwrap_or_default();
            let replied = self.replied.get(rpc).copied().unwrap_or_default();
            prop_assert_eq!(*asked, replied + waits, "one answer each, of {}", rpc);
        }
        let over = self.turn.as_ref().is_some_and(Turn::is_over);
        prop_assert_eq!(self.ends, u32::from(over));
        prop_assert!(self.cancels <= 1);
        Ok(())
    }

    /// Ends the conversation for good, as the daemon does.
    fn terminate(&mut self) -> Checked {
        self.may = None;
        self.step(Input::Finished(Finish::Terminated))?;
        for request in std::mem::take(&mut self.detached) {
            let settled = request.conversation_ended(Timestamp(self.now));
            self.done(settlement(request, settled))?;
        }
        self.check()?;
        let open = self.known.iter().filter(|known| known.settled != 1);
        prop_assert_eq!(open.count(), 0);
        Ok(())
    }
}

fn under(verdict: Verdict, timeout: Option<u32>) -> Effective {
    Effective {
        agent: Policy::of(&[("default", verdict)]).with_ask_timeout(timeout),
        ..Effective::default()
    }
}

fn turn() -> Turn {
    let id = "019ad0b2-6c00-7000-8000-0000000000ff".parse().unwrap();
    Turn::pending(id, 1, Origin::User)
}

proptest! {
    #[test]
    fn whatever_happens_each_request_is_settled_once(things in prop::collection::vec(happens(), 0..120)) {
        let mut talk = Talk::new();
        for what in things {
            talk.happen(what)?;
        }
        talk.terminate()?;
    }
}
