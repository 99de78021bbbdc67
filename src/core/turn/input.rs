//! What can happen to a turn, and what a turn wants done. Both are closed lists.

use serde_json::Value;

use super::{Ending, Finish};
use crate::event::Event;
use crate::id::RequestId;
use crate::outcome::Outcome;
use crate::policy::Decision;
use crate::request::{Ask, Pick, Request, Settled};

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The runtime is being given the prompt; `more` goes into the stage event.
    Started {
        /// `mode`, `connection`, `client_request_id`, `origin`.
        more: Value,
    },
    /// The agent asks before a tool runs.
    Asked(Ask),
    /// A person answered.
    Answered {
        /// Which request.
        id: RequestId,
        /// What.
        pick: Pick,
        /// Who, by name.
        by: String,
    },
    /// A deadline came.
    DeadlinePassed {
        /// Whose.
        id: RequestId,
    },
    /// The agent took its request back.
    Withdrawn {
        /// Its own JSON-RPC id, as JSON text.
        rpc_id: String,
    },
    /// Somebody stops the turn.
    Interrupt,
    /// The prompt came to an end, one way or another.
    Finished(Finish),
}

/// Something to do. Those above the line are committed together; those below happen after the commit.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Append to the log.
    Record(Event),
    /// Store a request that now waits.
    Hold {
        /// It.
        request: Request,
    },
    /// Store the end of a request that waited.
    Settle {
        /// It.
        request: Request,
        /// How it ended.
        settled: Settled,
    },
    /// Store that a request outlives its turn, with its new deadline.
    Detach {
        /// It.
        request: Request,
    },
    /// Store an automatic verdict, outside the audit trail.
    Decided {
        /// What was asked.
        ask: Ask,
        /// By which key, and how.
        decision: Decision,
        /// What the agent reads.
        outcome: Outcome,
    },
    /// Store a refusal in the audit trail: never a title, an input or a path.
    Audit {
        /// The tool's name.
        tool: String,
        /// `auto_deny`, `timeout`, `turn_ended` or `person`.
        verdict: &'static str,
        /// The key that made it so.
        key: String,
    },
    /// Store the end of the turn, and the conversation's status with it.
    End(Ending),
    // ---- after the commit ----
    /// Answer the agent's request.
    Reply {
        /// Its own id, as JSON text.
        rpc_id: String,
        /// The answer.
        outcome: Outcome,
    },
    /// Tell the agent to stop: once per turn.
    Cancel,
    /// Close the connection to the agent.
    CloseLink,
}

impl Effect {
    /// Whether it happens after the commit.
    pub fn is_act(&self) -> bool {
        matches!(self, Self::Reply { .. } | Self::Cancel | Self::CloseLink)
    }
}
