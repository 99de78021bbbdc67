//! Looking at policies: why a request is decided as it is, and what another policy would have done.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Route;
use crate::time::Timestamp;

/// `POST /api/policy/explain` ([`Explain`]): changes nothing.
pub const EXPLAIN: Route = Route::post("/api/policy/explain");
/// `POST /api/policy/replay` ([`Replay`]): changes nothing.
pub const REPLAY: Route = Route::post("/api/policy/replay");

/// A request to explain.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Explain {
    /// The agent.
    #[serde(default)]
    pub agent_id: String,
    /// A launch policy beside the agent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_policy: Option<Value>,
    /// ACP's kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The title on the tool card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// Why a request is decided as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explained {
    /// ACP's kind, as it was asked about.
    #[serde(default)]
    pub kind: Option<String>,
    /// The title, as it was asked about.
    #[serde(default)]
    pub title: Option<String>,
    /// `auto_allow`, `ask` or `auto_deny`.
    pub verdict: String,
    /// The word of the key that decided: a kind, `default` or `title`.
    pub key: String,
    /// The layer that decided: `agent`, `launch` or `parent`.
    pub layer: String,
    /// Each layer by itself.
    pub layers: Vec<Layer>,
    /// What the author of the policy should know.
    pub warnings: Vec<String>,
}

/// One layer's part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// `agent`, `launch` or `parent`.
    pub layer: String,
    /// Its verdict.
    pub verdict: String,
    /// Its key's word.
    pub key: String,
    /// Why, in a sentence.
    pub why: String,
}

/// A policy to try on what was recorded.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Replay {
    /// The agent whose requests are looked at.
    #[serde(default)]
    pub agent_id: String,
    /// The policy, in place of the agent's own. What launches asked for still counts.
    #[serde(default)]
    pub permission_policy: Value,
    /// Only requests from this moment on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

/// What another policy would have done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replayed {
    /// How many requests were looked at.
    pub count: u64,
    /// For how many of them something changes.
    pub changed: u64,
    /// One row for each change there is, the looser ones first, what stays the same last.
    pub rows: Vec<Change>,
}

/// Requests that would go from one verdict to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The verdict that was recorded.
    pub before: String,
    /// The verdict that would be.
    pub after: String,
    /// `looser`, `stricter` or `same`.
    pub change: String,
    /// How many requests.
    pub count: u64,
    /// Which, by kind.
    pub kinds: Vec<Kind>,
}

/// Requests of one kind in a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// ACP's kind as the agent wrote it, else `other`.
    pub kind: String,
    /// How many.
    pub count: u64,
    /// The titles of some, redacted, the newest first.
    pub examples: Vec<String>,
}
