//! What a daemon that starts does with a turn it finds running: its runtime died with the daemon before, so the
//! turn is interrupted and its in-turn requests are settled. A turn that was only accepted is started, once.

use serde_json::json;

use crate::event::{Event, State};
use crate::policy::Effective;
use crate::time::Timestamp;
use crate::turn::{Effect, Finish, Input, Limits, Phase, Turn};

/// What to do with one turn that is not over.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Start it: it was accepted and never given to a runtime.
    Start,
    /// Store these; nothing is sent, for nobody is left to read it.
    Interrupt(Vec<Effect>),
}

/// Plans one turn as it was read from the store, its open in-turn requests held.
pub fn plan(turn: &mut Turn, policy: &Effective, limits: Limits, now: Timestamp) -> Plan {
    if matches!(turn.phase, Phase::Pending) {
        return Plan::Start;
    }
    let reattach = Event::stage(
        "reattach",
        State::Interrupted,
        json!({"outcome": "turn_orphaned", "turn_id": turn.id, "turn_number": turn.number, "reason": "daemon_restarted"}),
    );
    let mut effects = vec![Effect::Record(reattach)];
    let ended = turn.step(
        Input::Finished(Finish::DaemonStopped {
            reason: "daemon_restarted",
        }),
        policy,
        limits,
        now,
    );
    effects.extend(
        ended
            .unwrap_or_default()
            .into_iter()
            .filter(|effect| !effect.is_act()),
    );
    Plan::Interrupt(effects)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::policy::{Policy, Verdict};
    use crate::request::tests::ask;
    use crate::turn::Origin;

    const LIMITS: Limits = Limits {
        ask_ceiling: Duration::from_secs(300),
    };

    #[test]
    fn a_running_turn_is_interrupted_and_lets_go_of_what_it_holds() {
        let policy = Effective {
            agent: Policy::of(&[("default", Verdict::Ask)]),
            ..Effective::default()
        };
        let mut turn = Turn::pending(
            "019ad0b2-6c00-7000-8000-0000000000ff".parse().unwrap(),
            4,
            Origin::User,
        );
        assert_eq!(plan(&mut turn, &policy, LIMITS, Timestamp(1)), Plan::Start);
        turn.step(
            Input::Started { more: json!({}) },
            &policy,
            LIMITS,
            Timestamp(1),
        )
        .unwrap();
        turn.step(Input::Asked(ask("7.1")), &policy, LIMITS, Timestamp(1))
            .unwrap();
        let Plan::Interrupt(effects) = plan(&mut turn, &policy, LIMITS, Timestamp(9)) else {
            panic!()
        };
        let tags: Vec<_> = effects
            .iter()
            .filter_map(|e| match e {
                Effect::Record(event) => Some(event.tag()),
                _ => None,
            })
            .collect();
        assert_eq!(
            tags,
            ["reattach/interrupted", "request/done", "turn/interrupted"]
        );
        assert!(effects.iter().all(|effect| !effect.is_act()));
        assert!(turn.is_over());
    }
}
