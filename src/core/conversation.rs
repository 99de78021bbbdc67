//! A conversation's status, and what may be done to it now.

use crate::credits::Spent;
use crate::turn::{Origin, Phase, Turn};

/// Where a conversation stands. Idle is "no prompt of a person runs", also while its sandbox sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// A prompt is accepted and its sandbox is not ready.
    Pending,
    /// A prompt runs.
    Running,
    /// Ready for a prompt.
    Idle,
    /// It could not be set up.
    Failed,
    /// Ended for good.
    Terminated,
}

impl Status {
    /// All, in the order of a life.
    pub const ALL: [Self; 5] = [
        Self::Pending,
        Self::Running,
        Self::Idle,
        Self::Failed,
        Self::Terminated,
    ];

    /// The word on the wire and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Idle => "idle",
            Self::Failed => "failed",
            Self::Terminated => "terminated",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// The status that goes with the turn there is; only a turn of a person makes a conversation busy.
    pub fn with(turn: Option<&Turn>) -> Self {
        match turn {
            Some(Turn {
                origin: Origin::User,
                phase: Phase::Pending,
                ..
            }) => Self::Pending,
            Some(Turn {
                origin: Origin::User,
                phase: Phase::Running(_),
                ..
            }) => Self::Running,
            _ => Self::Idle,
        }
    }
}

/// Why a prompt, or an answer that opens a turn, is not taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A turn runs.
    #[error("a turn is running in this conversation; wait for its end, or interrupt it")]
    Busy,
    /// It has ended for good.
    #[error("this conversation was terminated; start a new one")]
    Terminated,
    /// The account is suspended.
    #[error("the account is suspended (`account.suspended` in the configuration)")]
    Suspended,
    /// Nothing is left to spend.
    #[error(transparent)]
    Spent(#[from] Spent),
}

/// Whether the account may open turns at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// `account.suspended`.
    pub suspended: bool,
    /// Set when the balance is spent.
    pub spent: Option<Spent>,
}

impl Account {
    /// Whether a new turn may begin, in whichever conversation.
    ///
    /// # Errors
    /// Says why not.
    pub fn may_begin(self) -> Result<(), Refused> {
        match self {
            Self {
                suspended: true, ..
            } => Err(Refused::Suspended),
            Self {
                spent: Some(spent), ..
            } => Err(spent.into()),
            _ => Ok(()),
        }
    }
}

/// Whether a prompt may open a turn now. A turn of the runtime's own gives way.
///
/// # Errors
/// Says why not.
pub fn may_prompt(status: Status, turn: Option<&Turn>, account: Account) -> Result<(), Refused> {
    if status == Status::Terminated {
        return Err(Refused::Terminated);
    }
    if matches!(Status::with(turn), Status::Pending | Status::Running) {
        return Err(Refused::Busy);
    }
    account.may_begin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::{Ending, Running};

    fn turn(origin: Origin, phase: Phase) -> Turn {
        let mut turn = Turn::pending(
            "019ad0b2-6c00-7000-8000-0000000000ff".parse().unwrap(),
            1,
            origin,
        );
        turn.phase = phase;
        turn
    }

    #[test]
    fn only_a_persons_turn_makes_it_busy() {
        let running = || Phase::Running(Running::default());
        for (turn, status, prompt) in [
            (None, Status::Idle, Ok(())),
            (
                Some(turn(Origin::User, Phase::Pending)),
                Status::Pending,
                Err(Refused::Busy),
            ),
            (
                Some(turn(Origin::User, running())),
                Status::Running,
                Err(Refused::Busy),
            ),
            (
                Some(turn(Origin::Autonomous, running())),
                Status::Idle,
                Ok(()),
            ),
            (
                Some(turn(Origin::User, Phase::Ended(Ending::interrupted("x")))),
                Status::Idle,
                Ok(()),
            ),
        ] {
            assert_eq!(Status::with(turn.as_ref()), status);
            assert_eq!(
                may_prompt(Status::Idle, turn.as_ref(), Account::default()),
                prompt
            );
        }
    }

    #[test]
    fn terminated_is_final_and_an_account_that_may_not_says_why() {
        let spent = Spent {
            spent: 5,
            balance: 0,
        };
        let suspended = Account {
            suspended: true,
            spent: Some(spent),
        };
        let broke = Account {
            suspended: false,
            spent: Some(spent),
        };
        for (status, account, expect) in [
            (Status::Terminated, suspended, Err(Refused::Terminated)),
            (Status::Idle, suspended, Err(Refused::Suspended)),
            (Status::Idle, broke, Err(Refused::Spent(spent))),
            (Status::Failed, Account::default(), Ok(())),
        ] {
            assert_eq!(may_prompt(status, None, account), expect);
        }
        for status in Status::ALL {
            assert_eq!(Status::parse(status.as_str()), Some(status));
        }
    }
}
