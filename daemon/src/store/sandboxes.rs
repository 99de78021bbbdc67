//! Sandboxes as the rows of their conversations: this version has one conversation on each.

use fountain_core::api::sandboxes::{Conversation, Sandbox};
use fountain_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::Error;

const SHOWN: &str = "SELECT sandbox_id, sandbox_status, sandbox_provider, sandbox_mode, agent_id, id, title, status,
    inserted_at, updated_at FROM conversations";

/// The sandboxes with one of these statuses, all of them when none is named, the newest change first.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    statuses: &[String],
    limit: i64,
) -> Result<Vec<Sandbox>, Error> {
    let wanted = serde_json::to_string(statuses).unwrap_or_else(|_| "[]".into());
    let sql = format!(
        "{SHOWN} WHERE ?1 = '[]' OR sandbox_status IN (SELECT value FROM json_each(?1))
         ORDER BY updated_at DESC, key DESC LIMIT ?2"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map(params![wanted, limit], shown)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// One sandbox.
///
/// # Errors
/// SQLite's.
pub fn show(connection: &Connection, id: &str) -> Result<Option<Sandbox>, Error> {
    let mut statement = connection.prepare_cached(&format!("{SHOWN} WHERE sandbox_id = ?1"))?;
    Ok(statement.query_row([id], shown).optional()?)
}

fn shown(row: &Row<'_>) -> rusqlite::Result<Sandbox> {
    let id: String = row.get(0)?;
    Ok(Sandbox {
        sprite_name: id.clone(),
        id,
        status: row.get(1)?,
        provider: row.get(2)?,
        mode: row.get(3)?,
        agent_id: row.get(4)?,
        url: None,
        runner: None,
        conversations: vec![Conversation {
            id: row.get(5)?,
            title: row.get(6)?,
            status: row.get(7)?,
        }],
        inserted_at: Timestamp(row.get(8)?),
        updated_at: Timestamp(row.get(9)?),
    })
}
