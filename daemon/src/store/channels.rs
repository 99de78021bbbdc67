//! Channels: which conversation is bound to one, for an agent. A conversation that has ended is bound no more.

use fountain_core::id::{AgentId, ConversationId};
use fountain_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::agents::id;
use super::{Error, Key, Tx};

const BOUND: &str = "SELECT key, id FROM conversations
    WHERE channel_id = ?1 AND agent_id = ?2 AND status NOT IN ('terminated', 'failed')
    AND sandbox_status NOT IN ('terminated', 'failed') ORDER BY key DESC LIMIT 1";
const BIND: &str = "UPDATE conversations SET channel_id = ?2, updated_at = ?3 WHERE key = ?1";

/// What is bound to a channel.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Its row.
    pub key: Key,
    /// It.
    pub id: ConversationId,
}

/// The conversation of this agent that is bound to a channel.
///
/// # Errors
/// SQLite's.
pub fn bound(
    connection: &Connection,
    agent: AgentId,
    channel: &str,
) -> Result<Option<Bound>, Error> {
    let mut statement = connection.prepare_cached(BOUND)?;
    let found = statement.query_row(params![channel, agent.to_string()], |row| {
        Ok(Bound {
            key: row.get(0)?,
            id: ConversationId(id(row, 1)?),
        })
    });
    Ok(found.optional()?)
}

/// Binds a conversation to a channel, or to none.
///
/// # Errors
/// SQLite's.
pub fn bind(tx: &Tx<'_>, key: Key, channel: Option<&str>, now: Timestamp) -> Result<(), Error> {
    tx.execute(BIND, params![key, channel, now.0])?;
    Ok(())
}
