//! What may be asked of a conversation, and how it refuses.

use fountain_core::api::conversations::Accepted;
use fountain_core::conversation;
use fountain_core::id::RequestId;
use fountain_core::outcome::NotOffered;
use fountain_core::request::{Pick, Settled};
use tokio::sync::oneshot;

use crate::store::{self, turns::Submission};

type Reply<T> = oneshot::Sender<Result<T, Refusal>>;

/// A message to a conversation.
pub enum Message {
    /// Open a turn with this prompt.
    Prompt {
        /// The prompt.
        submission: Submission,
        /// Told once it is stored.
        reply: Reply<Accepted>,
    },
    /// Settle a request.
    Answer {
        /// Which.
        request: RequestId,
        /// How.
        pick: Pick,
        /// Who answers, by name.
        by: String,
        /// Told once it is stored.
        reply: Reply<Answered>,
    },
    /// Stop the turn that runs.
    Interrupt {
        /// Told once the agent was told.
        reply: Reply<()>,
    },
    /// End the conversation for good; `delete` removes it.
    Terminate {
        /// Whether its rows go too.
        delete: bool,
        /// Told once nothing of it runs.
        reply: Reply<()>,
    },
    /// Give it a title that the harness must not change.
    Rename {
        /// The title.
        title: String,
        /// Told once it is stored.
        reply: Reply<()>,
    },
    /// The deadline of a request that outlived its turn has come.
    Due(RequestId),
    /// Another conversation needs the place of the runtime here, if it does nothing.
    Yield,
    /// Start the turn that was accepted before a restart.
    Resume,
    /// The daemon stops.
    Stop {
        /// Told once everything is stored and nothing runs.
        done: oneshot::Sender<()>,
    },
}

/// What an answer did.
#[derive(Clone, Debug, PartialEq)]
pub enum Answered {
    /// It settled the request.
    Won,
    /// It came at or after the deadline, which settled it.
    Late(Settled),
}

/// Why a conversation does not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no such conversation.
    #[error("there is no such conversation")]
    NotFound,
    /// It cannot take a turn now.
    #[error(transparent)]
    Conversation(#[from] conversation::Refused),
    /// Nothing runs that could be stopped.
    #[error("no turn is running in this conversation")]
    NoTurn,
    /// The request is not open here; the store knows whether it ever was.
    #[error("no open request has this id")]
    RequestNotOpen,
    /// The option was not offered.
    #[error(transparent)]
    NotOffered(#[from] NotOffered),
    /// Its agent was deleted.
    #[error(
        "the agent of this conversation was deleted; start a new conversation on another agent"
    )]
    NoAgent,
    /// The daemon stops.
    #[error("the daemon is stopping; try again in a moment")]
    Stopping,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}
