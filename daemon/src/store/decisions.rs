//! Verdicts as rows: every request with what was decided, by which key and whom. Kept as long as the transcript, and
//! no part of the audit trail.

use fountain_core::id::{AgentId, RequestId, TurnId};
use fountain_core::time::Timestamp;
use rusqlite::{Connection, Row, params};

use super::{Error, Key, Tx};

const DECIDED: &str = "INSERT INTO decisions (conversation, request, turn, at, title, kind, tool, verdict, policy_key,
    source, option_id, latency_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
    ON CONFLICT DO NOTHING";
const CONVERSATIONS: &str = "SELECT key FROM conversations WHERE agent_id = ?1
    AND EXISTS (SELECT 1 FROM decisions d WHERE d.conversation = conversations.key AND d.at >= ?2) ORDER BY key DESC";
const SINCE: &str = "SELECT title, kind, verdict FROM decisions WHERE conversation = ?1 AND at >= ?2 ORDER BY at DESC";

/// A verdict to remember.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The request's public id.
    pub request: RequestId,
    /// Its turn.
    pub turn: TurnId,
    /// The title, redacted; for a replay of the policy, not for the trail.
    pub title: Option<String>,
    /// ACP's kind.
    pub kind: Option<String>,
    /// The tool.
    pub tool: String,
    /// The verdict's word.
    pub verdict: &'static str,
    /// The key's word.
    pub key: String,
    /// `policy`, or how and by whom it was settled.
    pub source: String,
    /// The option that was picked.
    pub option: Option<String>,
    /// Milliseconds from asked to decided.
    pub latency_ms: i64,
}

/// A verdict as it was recorded.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The title, redacted.
    pub title: Option<String>,
    /// ACP's kind.
    pub kind: Option<String>,
    /// The verdict's word.
    pub verdict: String,
}

/// Remembers a verdict.
///
/// # Errors
/// SQLite's.
pub fn decided(
    tx: &Tx<'_>,
    conversation: Key,
    decided: &Decided,
    now: Timestamp,
) -> Result<(), Error> {
    tx.execute(
        DECIDED,
        params![
            conversation,
            decided.request.as_str(),
            decided.turn.to_string(),
            now.0,
            decided.title,
            decided.kind,
            decided.tool,
            decided.verdict,
            decided.key,
            decided.source,
            decided.option,
            decided.latency_ms,
        ],
    )?;
    Ok(())
}

/// The conversations of an agent on which something was decided from a moment on, newest first.
///
/// # Errors
/// SQLite's.
pub fn conversations(
    connection: &Connection,
    agent: AgentId,
    since: Timestamp,
) -> Result<Vec<Key>, Error> {
    let mut statement = connection.prepare_cached(CONVERSATIONS)?;
    let found = statement.query_map(params![agent.to_string(), since.0], |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Hands every verdict on a conversation from a moment on to `take`, newest first: one after the other, as there
/// may be many.
///
/// # Errors
/// SQLite's.
pub fn since(
    connection: &Connection,
    conversation: Key,
    since: Timestamp,
    mut take: impl FnMut(&Recorded),
) -> Result<(), Error> {
    let mut statement = connection.prepare_cached(SINCE)?;
    let found = statement.query_map(params![conversation, since.0], recorded)?;
    for row in found {
        take(&row?);
    }
    Ok(())
}

fn recorded(row: &Row<'_>) -> rusqlite::Result<Recorded> {
    Ok(Recorded {
        title: row.get(0)?,
        kind: row.get(1)?,
        verdict: row.get(2)?,
    })
}
