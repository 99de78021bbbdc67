//! Verdicts as rows: every request with what was decided, by which key and whom. Kept as long as the transcript, and
//! no part of the audit trail.

use fountain_core::id::{AgentId, RequestId, TurnId};
use fountain_core::time::Timestamp;
use rusqlite::{Connection, Row, params};

use super::{Error, Key, Tx};

const DECIDED: &str = "INSERT INTO decisions (conversation, request, turn, at, title, kind, tool, verdict, policy_key,
    source, option_id, latency_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
    ON CONFLICT DO NOTHING";
const OF_AGENT: &str = "SELECT d.title, d.kind, d.verdict, c.permission_policy, c.parent_policies
    FROM conversations c JOIN decisions d ON d.conversation = c.key
    WHERE c.agent_id = ?1 AND d.at >= ?2 ORDER BY c.key DESC, d.at DESC";

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

/// A verdict as it was recorded, with what its conversation was launched under.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The title, redacted.
    pub title: Option<String>,
    /// ACP's kind.
    pub kind: Option<String>,
    /// The verdict's word.
    pub verdict: String,
    /// The launch's policy, as JSON.
    pub launch_policy: Option<String>,
    /// The policies of the conversations above it, as JSON.
    pub parent_policies: Option<String>,
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

/// Hands every recorded verdict on an agent's conversations to `take`, from a moment on: one after the other, as
/// there may be many.
///
/// # Errors
/// SQLite's.
pub fn of_agent(
    connection: &Connection,
    agent: AgentId,
    since: Timestamp,
    mut take: impl FnMut(&Recorded),
) -> Result<(), Error> {
    let mut statement = connection.prepare_cached(OF_AGENT)?;
    let found = statement.query_map(params![agent.to_string(), since.0], recorded)?;
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
        launch_policy: row.get(3)?,
        parent_policies: row.get(4)?,
    })
}
