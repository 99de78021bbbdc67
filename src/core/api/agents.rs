//! Agents: what runs, how, and under which policy.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Route;
use crate::time::Timestamp;

/// `GET /api/agents?search=`: every agent, by name.
pub const LIST: Route = Route::get("/api/agents");
/// `POST /api/agents`.
pub const CREATE: Route = Route::post("/api/agents");
/// `GET /api/agents/{id}`.
pub const SHOW: Route = Route::get("/api/agents/{id}");
/// `PATCH /api/agents/{id}`: absent keeps, null clears; `permission_policy` is replaced whole.
pub const UPDATE: Route = Route::patch("/api/agents/{id}");
/// `PUT /api/agents/{id}`: the same as [`UPDATE`].
pub const REPLACE: Route = Route::put("/api/agents/{id}");
/// `DELETE /api/agents/{id}`: its conversations stay readable.
pub const DELETE: Route = Route::delete("/api/agents/{id}");

/// An agent as it is read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Agent {
    /// UUID.
    pub id: String,
    /// 1 to 200 characters, unique without regard to case.
    pub name: String,
    /// Free text.
    #[serde(default)]
    pub description: Option<String>,
    /// The system prompt.
    #[serde(default)]
    pub system: Option<String>,
    /// `provider/model`, or none.
    #[serde(default)]
    pub model: Option<String>,
    /// One of the runtimes.
    pub runtime: String,
    /// The shell line that runtime `acp` runs in the sandbox.
    #[serde(default)]
    pub runtime_command: Option<String>,
    /// Whether the runtime speaks ACP: every one does.
    #[serde(default)]
    pub acp: bool,
    /// The sandbox kind it asks for, or the instance's.
    #[serde(default)]
    pub sandbox_provider: Option<String>,
    /// `ephemeral` or `persistent`.
    #[serde(default)]
    pub sandbox_mode: Option<String>,
    /// Free.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// The policy as it was written; none permits everything.
    #[serde(default)]
    pub permission_policy: Option<Value>,
    /// How many conversations it has.
    #[serde(default)]
    pub conversation_count: i64,
    /// When it was made.
    pub inserted_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// The fields a create or an update may name. In an update an absent field keeps its value and null clears it.
pub const FIELDS: &[&str] = &[
    "name",
    "description",
    "system",
    "model",
    "runtime",
    "runtime_command",
    "sandbox_provider",
    "sandbox_mode",
    "metadata",
    "permission_policy",
];
