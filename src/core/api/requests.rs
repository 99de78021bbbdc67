//! Permission requests: what waits for a person, and the answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Route;
use crate::time::Timestamp;

/// `GET /api/requests?status=open`: of every conversation, the soonest deadline first.
pub const LIST: Route = Route::get("/api/requests");
/// `GET /api/requests/{request_id}`: settled ones too.
pub const SHOW: Route = Route::get("/api/requests/{request_id}");
/// `POST /api/conversations/{id}/requests/{request_id}` ([`Answer`]): 200 `{"ok":true}`; the first answer wins,
/// the others get 409 `permission_request_resolved`.
pub const ANSWER: Route = Route::post("/api/conversations/{id}/requests/{request_id}");

/// The body of an answer: one of the two.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Answer {
    /// An option the agent offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option_id: Option<String>,
    /// Refuse with whatever rejection the agent offered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deny: bool,
}

/// An open request as a conversation lists it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pending {
    /// The public id.
    pub request_id: String,
    /// The tool's own name, else its kind.
    pub tool: String,
    /// ACP's kind, as the agent wrote it.
    #[serde(default)]
    pub kind: Option<String>,
    /// One line on what it wants to do.
    #[serde(default)]
    pub summary: Option<String>,
    /// The agent's own option objects.
    pub options: Vec<Value>,
    /// When it was raised.
    pub asked_at: Timestamp,
    /// When nobody can answer any more.
    pub deadline: Timestamp,
    /// The turn that raised it.
    pub turn_id: String,
    /// Whether it outlived its turn.
    #[serde(default)]
    pub detached: bool,
}

/// A request of the account's list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// What an open one shows.
    #[serde(flatten)]
    pub pending: Pending,
    /// The conversation.
    pub conversation_id: String,
    /// Its agent.
    #[serde(default)]
    pub agent_id: Option<String>,
    /// Its agent's name.
    #[serde(default)]
    pub agent_name: Option<String>,
    /// `open` or `settled`.
    pub status: String,
    /// `answered`, `timeout`, `turn_ended` or `cancelled`.
    #[serde(default)]
    pub outcome: Option<String>,
    /// The option that was picked.
    #[serde(default)]
    pub option_id: Option<String>,
    /// Who picked it.
    #[serde(default)]
    pub answered_by: Option<String>,
    /// When it was settled.
    #[serde(default)]
    pub answered_at: Option<Timestamp>,
}
