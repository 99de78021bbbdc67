//! What a launch may ask for: it can only narrow. Silence is no opinion; what it does say must be at least as
//! strict as the agent's verdict, or the launch is refused by name.

use super::{ASK_TIMEOUT, DEFAULT, Policy, Verdict};

/// Why a launch policy is refused: `permission_policy_widens`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Widens {
    /// The first key that would be loosened.
    pub key: String,
    /// Both verdicts, and a spelling that would be accepted.
    pub message: String,
}

/// Checks a launch policy against its agent's. `ceiling` is the in-turn limit in seconds, which bounds a
/// launch's `ask_timeout` where the agent names none.
///
/// # Errors
/// Names the first offending key: the launch's own in their order, then `default`, then the agent's.
pub fn narrows(agent: &Policy, launch: &Policy, ceiling: u32) -> Result<(), Widens> {
    let launch_names_default = launch.named(DEFAULT).is_some();
    let named = launch.keys().filter(|key| *key != DEFAULT);
    let covered = agent
        .keys()
        .filter(|key| launch_names_default && launch.named(key).is_none());
    let default = launch_names_default.then_some(DEFAULT);
    for key in named.chain(default).chain(covered) {
        let (wants, holds) = (launch.resolved(key), agent.resolved(key));
        if wants < holds {
            return Err(widens(key, wants, holds, launch));
        }
    }
    match (launch.ask_timeout(), agent.ask_timeout()) {
        (Some(wants), Some(holds)) if wants > holds => {
            Err(longer(wants, holds, "the agent's `ask_timeout`"))
        }
        (Some(wants), None) if wants > ceiling => Err(longer(
            wants,
            ceiling,
            "the limit of a request where the agent names no `ask_timeout`",
        )),
        _ => Ok(()),
    }
}

fn widens(key: &str, wants: Verdict, holds: Verdict, launch: &Policy) -> Widens {
    let shown: String = key.chars().take(80).collect();
    let by_default = launch.named(key).is_none();
    let message = if by_default {
        format!(
            "The launch would loosen `{shown}`: its `default` is {wants}, and the agent's verdict is {holds}. \
             Add `{shown}={holds}`, or leave `default` out: a launch can only narrow."
        )
    } else {
        format!(
            "The launch would loosen `{shown}` from {holds} to {wants}, and a launch can only narrow. \
             Use `{shown}={holds}`, or leave `{shown}` out."
        )
    };
    Widens {
        key: key.to_owned(),
        message,
    }
}

fn longer(wants: u32, holds: u32, what: &str) -> Widens {
    Widens {
        key: ASK_TIMEOUT.to_owned(),
        message: format!(
            "The launch would lengthen `ask_timeout` to {wants} s; {what} is {holds} s, and a launch can only \
             shorten it. Use `ask_timeout={holds}` or less, or leave it out."
        ),
    }
}
