//! The policies that a conversation is under, read in one moment. Nothing is decided here.

use fountain_core::policy::{Effective, Policy, layers_text, stored_layers};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{Error, Key, Tx};

const UNDER: &str =
    "SELECT a.id IS NOT NULL, a.permission_policy, c.permission_policy, c.parent_policies
    FROM conversations c LEFT JOIN agents a ON a.id = c.agent_id WHERE c.key = ?1";
const PARENTS: &str = "UPDATE conversations SET parent_policies = ?2 WHERE key = ?1";

/// What a conversation is under as things stand. One that is not there, or whose agent is gone, permits nothing.
///
/// # Errors
/// SQLite's.
pub fn of(connection: &Connection, key: Key) -> Result<Effective, Error> {
    let mut statement = connection.prepare_cached(UNDER)?;
    let found = statement.query_row([key], effective).optional()?;
    Ok(found.unwrap_or_else(Effective::denies))
}

/// Replaces the layers that a conversation is under beside its agent's and its launch's.
///
/// # Errors
/// SQLite's.
pub fn set_parents(tx: &Tx<'_>, key: Key, parents: &[Policy]) -> Result<(), Error> {
    tx.execute(PARENTS, params![key, parents_text(parents)])?;
    Ok(())
}

/// A launch's policy as its column holds it: none when it says nothing.
pub(super) fn launch_text(launch: &Policy) -> Option<String> {
    (!launch.is_empty()).then(|| launch.to_json().to_string())
}

/// Inherited layers as their column holds them: none when there are none.
pub(super) fn parents_text(parents: &[Policy]) -> Option<String> {
    (!parents.is_empty()).then(|| layers_text(parents))
}

fn effective(row: &Row<'_>) -> rusqlite::Result<Effective> {
    let text = |at| row.get::<_, Option<String>>(at);
    Ok(Effective {
        agent: if row.get(0)? {
            Policy::stored(text(1)?.as_deref())
        } else {
            Policy::deny_all()
        },
        launch: Policy::stored(text(2)?.as_deref()),
        parents: stored_layers(text(3)?.as_deref()),
    })
}
