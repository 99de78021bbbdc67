//! The audit trail: refusals, and what people and keys did. Never a value, an input, a path or a title.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Route;
use crate::time::Timestamp;

/// `GET /api/audit?limit=&before=&action_prefix=&resource_type=&resource_id=&since=&until=`: a page, the newest
/// first.
pub const LIST: Route = Route::get("/api/audit");

/// One row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Its id: grows with time.
    pub id: i64,
    /// When it happened.
    pub inserted_at: Timestamp,
    /// `api`, `sandbox` or `system`.
    pub actor: String,
    /// `conversation.permission_denied` …
    pub action: String,
    /// `conversation`, `agent` …
    #[serde(default)]
    pub resource_type: Option<String>,
    /// The id of it.
    #[serde(default)]
    pub resource_id: Option<String>,
    /// Names and counts only.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// Not recorded by this version.
    #[serde(default)]
    pub request_ip: Option<String>,
}
