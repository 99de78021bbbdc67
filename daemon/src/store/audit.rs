//! The audit trail: refusals, and what people and keys did. Never a value, an input, a path or a title.

use fountain_core::api::audit::Entry as Shown;
use fountain_core::time::Timestamp;
use rusqlite::{Connection, params};
use serde_json::Value;

use super::{Error, Tx};

const INSERT: &str = "INSERT INTO audit (at, actor, action, resource_type, resource_id, metadata)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

const LIST: &str = "SELECT id, at, actor, action, resource_type, resource_id, metadata FROM audit
    WHERE (?1 IS NULL OR id < ?1) AND (?2 IS NULL OR substr(action, 1, length(?2)) = ?2)
    AND (?3 IS NULL OR resource_type = ?3) AND (?4 IS NULL OR resource_id = ?4)
    AND (?5 IS NULL OR at >= ?5) AND (?6 IS NULL OR at < ?6) ORDER BY id DESC LIMIT ?7";

/// Which rows.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Those before this id.
    pub before: Option<i64>,
    /// Whose action begins so, letter by letter.
    pub action_prefix: Option<String>,
    /// About a thing of this type.
    pub resource_type: Option<String>,
    /// About this thing.
    pub resource_id: Option<String>,
    /// At this moment or later.
    pub since: Option<Timestamp>,
    /// Before this moment.
    pub until: Option<Timestamp>,
    /// How many.
    pub limit: i64,
}

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

/// Rows of the trail, the newest first.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, filter: &Filter) -> Result<Vec<Shown>, Error> {
    let mut statement = connection.prepare_cached(LIST)?;
    let values = params![
        filter.before,
        filter.action_prefix,
        filter.resource_type,
        filter.resource_id,
        filter.since.map(|at| at.0),
        filter.until.map(|at| at.0),
        filter.limit,
    ];
    let found = statement.query_map(values, |row| {
        Ok(Shown {
            id: row.get(0)?,
            inserted_at: Timestamp(row.get(1)?),
            actor: row.get(2)?,
            action: row.get(3)?,
            resource_type: row.get(4)?,
            resource_id: row.get(5)?,
            metadata: serde_json::from_str(&row.get::<_, String>(6)?).unwrap_or_default(),
            request_ip: None,
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}
