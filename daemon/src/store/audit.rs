//! The audit trail: refusals, and what people and keys did. Never a value, an input, a path or a title.

use fountain_core::time::Timestamp;
use rusqlite::params;
use serde_json::Value;

use super::{Error, Tx};

const INSERT: &str = "INSERT INTO audit (at, actor, action, resource_type, resource_id, metadata)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

/// One row.
#[derive(Clone, Debug)]
pub struct Entry {
    /// `api`, `sandbox` or `system`.
    pub actor: &'static str,
    /// `conversation.permission_denied` …
    pub action: &'static str,
    /// The conversation, agent or key it is about.
    pub resource: (&'static str, String),
    /// Names and counts only.
    pub metadata: Value,
}

/// Adds a row, in the transaction of what it tells.
///
/// # Errors
/// SQLite's.
pub fn insert(tx: &Tx<'_>, entry: &Entry, now: Timestamp) -> Result<(), Error> {
    let (kind, id) = &entry.resource;
    tx.execute(
        INSERT,
        params![
            now.0,
            entry.actor,
            entry.action,
            kind,
            id,
            entry.metadata.to_string()
        ],
    )?;
    Ok(())
}
