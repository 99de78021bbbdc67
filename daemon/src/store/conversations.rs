//! Conversations as rows.

use fountain_core::api::conversations::{Conversation, Sandbox, Usage};
use fountain_core::conversation::Status;
use fountain_core::id::{AgentId, ConversationId, SandboxId};
use fountain_core::policy::Policy;
use fountain_core::time::Timestamp;
use fountain_core::title::Origin;
use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter};
use serde_json::Value;

use super::agents::id;
use super::{Error, Key, Tx, policies};

const INSERT: &str = "INSERT INTO conversations (id, agent_id, runtime, status, title, title_origin, first_prompt,
    permission_policy, parent_policies, parent_id, source, sandbox_id, sandbox_mode, sandbox_provider, last_active_at,
    inserted_at, updated_at)
    VALUES (?1, ?2, ?3, 'idle', ?4, ?5, NULL, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, ?13)";
const ROW: &str =
    "SELECT key, id, agent_id, runtime, status, title, title_origin, sandbox_id, sandbox_status,
    runtime_session_id, stored_bytes, sandbox_mode FROM conversations";
const STATUS: &str = "UPDATE conversations SET status = ?2, updated_at = ?3 WHERE key = ?1";
const SESSION: &str = "UPDATE conversations SET runtime_session_id = ?2 WHERE key = ?1";
const SANDBOX: &str =
    "UPDATE conversations SET sandbox_status = ?2, updated_at = ?3 WHERE key = ?1";
const WITHIN: &str = "WITH RECURSIVE up (id) AS (
        SELECT parent_id FROM conversations WHERE id = ?1
        UNION SELECT c.parent_id FROM conversations c JOIN up ON c.id = up.id)
    SELECT 1 FROM up WHERE id = ?2";
const ALL_SUSPENDED: &str = "UPDATE conversations SET sandbox_status = 'suspended', updated_at = ?1
    WHERE sandbox_status IN ('starting', 'ready')
    AND id IN (SELECT conversation FROM keys WHERE scope = 'sandbox')";
const TITLE: &str =
    "UPDATE conversations SET title = ?2, title_origin = ?3, updated_at = ?4 WHERE key = ?1";
const ACTIVE: &str =
    "UPDATE conversations SET last_active_at = ?2, stored_bytes = stored_bytes + ?3 WHERE key = ?1";
const USAGE: &str = "UPDATE conversations SET usage_input = usage_input + ?2, usage_output = usage_output + ?3 WHERE key = ?1";
const OPENED: &str = "UPDATE conversations SET turn_count = turn_count + 1,
    first_prompt = coalesce(first_prompt, ?2) WHERE key = ?1";
const SHOWN: &str = "c.id, c.title, c.first_prompt, c.agent_id, a.name, a.model, c.sandbox_id, c.sandbox_status,
    c.sandbox_provider, c.sandbox_mode, c.permission_policy, c.runtime, c.status, c.runtime_session_id, c.source,
    c.parent_id, c.channel_id, c.turn_count, c.last_active_at, c.last_read_at, c.usage_input, c.usage_output,
    c.labels, c.inserted_at, c.updated_at, c.key";
/// Where the row's key is in it.
const KEY_OF_SHOWN: usize = 25;

/// How much of a first prompt is shown in a list, in characters.
const FIRST_PROMPT: usize = 400;

/// A conversation as the daemon works with it.
#[derive(Clone, Debug)]
pub struct Live {
    /// Its row's key.
    pub key: Key,
    /// Its id.
    pub id: ConversationId,
    /// Its agent; none once that was deleted.
    pub agent: Option<AgentId>,
    /// Its runtime.
    pub runtime: String,
    /// Where it stands.
    pub status: Status,
    /// Its title, and who gave it.
    pub title: Option<(String, Origin)>,
    /// Its sandbox.
    pub sandbox: SandboxId,
    /// Whether the sandbox has a disk.
    pub sandbox_status: String,
    /// `ephemeral` or `persistent`.
    pub sandbox_mode: String,
    /// The runtime's own session.
    pub session: Option<String>,
    /// Bytes of output stored so far.
    pub stored_bytes: i64,
}

/// What a new conversation is made of.
#[derive(Clone, Debug)]
pub struct New {
    /// Its id.
    pub id: ConversationId,
    /// Its agent.
    pub agent: AgentId,
    /// The agent's runtime.
    pub runtime: String,
    /// An explicit title.
    pub title: Option<String>,
    /// The launch's own policy.
    pub launch: Policy,
    /// What it is under beside its agent's and its own: the layers of the conversation that starts it.
    pub parents: Vec<Policy>,
    /// The conversation that starts it.
    pub parent: Option<ConversationId>,
    /// Its sandbox.
    pub sandbox: SandboxId,
    /// `ephemeral` or `persistent`.
    pub sandbox_mode: String,
    /// The kind of sandbox.
    pub sandbox_provider: String,
}

/// Which conversations a list shows.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Of this agent.
    pub agent: Option<String>,
    /// In one of these states.
    pub statuses: Vec<Status>,
    /// Bound to this channel.
    pub channel: Option<String>,
    /// Not started by another conversation.
    pub roots_only: bool,
    /// Behind this one, in the list's order.
    pub after: Option<Place>,
    /// At most so many.
    pub limit: i64,
}

/// Where a conversation stands in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// When it last changed.
    pub at: Timestamp,
    /// Its row.
    pub key: Key,
}

/// Stores a new conversation, idle and without a turn.
///
/// # Errors
/// SQLite's.
pub fn insert(tx: &Tx<'_>, new: &New, now: Timestamp) -> Result<Key, Error> {
    tx.execute(
        INSERT,
        params![
            new.id.to_string(),
            new.agent.to_string(),
            new.runtime,
            new.title,
            new.title.as_ref().map(|_| "explicit"),
            policies::launch_text(&new.launch),
            policies::parents_text(&new.parents),
            new.parent.map(|id| id.to_string()),
            if new.parent.is_some() { "agent" } else { "api" },
            new.sandbox.to_string(),
            new.sandbox_mode,
            new.sandbox_provider,
            now.0,
        ],
    )?;
    Ok(tx.connection().last_insert_rowid())
}

/// Finds a conversation by its id.
///
/// # Errors
/// SQLite's.
pub fn find(connection: &Connection, id: ConversationId) -> Result<Option<Live>, Error> {
    let mut statement = connection.prepare_cached(&format!("{ROW} WHERE id = ?1"))?;
    Ok(statement.query_row([id.to_string()], live).optional()?)
}

/// Whether a conversation was started from another one, directly or by way of others.
///
/// # Errors
/// SQLite's.
pub fn is_within(
    connection: &Connection,
    conversation: ConversationId,
    above: ConversationId,
) -> Result<bool, Error> {
    let mut statement = connection.prepare_cached(WITHIN)?;
    let ids = [conversation.to_string(), above.to_string()];
    Ok(statement.exists(ids)?)
}

/// Every conversation with a turn that is not over: what a start has to look after.
///
/// # Errors
/// SQLite's.
pub fn unfinished(connection: &Connection) -> Result<Vec<Live>, Error> {
    let sql = format!(
        "{ROW} WHERE status IN ('pending', 'running')
         OR key IN (SELECT conversation FROM turns WHERE status IN ('pending', 'running'))"
    );
    let mut statement = connection.prepare(&sql)?;
    let found = statement.query_map([], live)?.collect::<Result<_, _>>()?;
    Ok(found)
}

fn live(row: &Row<'_>) -> rusqlite::Result<Live> {
    let title: Option<String> = row.get(5)?;
    let origin = match row.get::<_, Option<String>>(6)?.as_deref() {
        Some("harness") => Origin::Harness,
        // Of unknown origin: somebody's own.
        _ => Origin::Explicit,
    };
    Ok(Live {
        key: row.get(0)?,
        id: ConversationId(id(row, 1)?),
        agent: row
            .get::<_, Option<String>>(2)?
            .and_then(|id| id.parse().ok()),
        runtime: row.get(3)?,
        status: Status::parse(&row.get::<_, String>(4)?).unwrap_or(Status::Failed),
        title: title.map(|title| (title, origin)),
        sandbox: SandboxId(id(row, 7)?),
        sandbox_status: row.get(8)?,
        session: row.get(9)?,
        stored_bytes: row.get(10)?,
        sandbox_mode: row.get(11)?,
    })
}

/// Sets the status.
///
/// # Errors
/// SQLite's.
pub fn set_status(tx: &Tx<'_>, key: Key, status: Status, now: Timestamp) -> Result<(), Error> {
    tx.execute(STATUS, params![key, status.as_str(), now.0])?;
    Ok(())
}

/// Sets or forgets the runtime's own session.
///
/// # Errors
/// SQLite's.
pub fn set_session(tx: &Tx<'_>, key: Key, session: Option<&str>) -> Result<(), Error> {
    tx.execute(SESSION, params![key, session])?;
    Ok(())
}

/// Sets the sandbox's status.
///
/// # Errors
/// SQLite's.
pub fn set_sandbox(tx: &Tx<'_>, key: Key, status: &str, now: Timestamp) -> Result<(), Error> {
    tx.execute(SANDBOX, params![key, status, now.0])?;
    Ok(())
}

/// Notes that a conversation's process has ended: the key that it held is taken back.
///
/// # Errors
/// SQLite's.
pub fn suspended(tx: &Tx<'_>, key: Key, id: ConversationId, now: Timestamp) -> Result<(), Error> {
    set_sandbox(tx, key, "suspended", now)?;
    super::keys::take_back(tx, id)
}

/// The same for all of them: no process lives longer than the daemon that started it.
///
/// # Errors
/// SQLite's.
pub fn all_suspended(tx: &Tx<'_>, now: Timestamp) -> Result<(), Error> {
    tx.execute(ALL_SUSPENDED, [now.0])?;
    super::keys::take_back_all(tx)
}

/// Sets or clears the title.
///
/// # Errors
/// SQLite's.
pub fn set_title(
    tx: &Tx<'_>,
    key: Key,
    title: Option<&str>,
    origin: Origin,
    now: Timestamp,
) -> Result<(), Error> {
    let origin = match origin {
        Origin::Explicit => "explicit",
        Origin::Harness => "harness",
    };
    tx.execute(TITLE, params![key, title, title.map(|_| origin), now.0])?;
    Ok(())
}

/// Notes that output was stored: when, and how many bytes.
///
/// # Errors
/// SQLite's.
pub fn stored(tx: &Tx<'_>, key: Key, bytes: i64, now: Timestamp) -> Result<(), Error> {
    tx.execute(ACTIVE, params![key, now.0, bytes])?;
    Ok(())
}

/// Adds a turn's tokens to the total.
///
/// # Errors
/// SQLite's.
pub fn add_usage(tx: &Tx<'_>, key: Key, (input, output): (i64, i64)) -> Result<(), Error> {
    tx.execute(USAGE, params![key, input, output])?;
    Ok(())
}

/// Notes that a turn was opened with this prompt.
///
/// # Errors
/// SQLite's.
pub fn opened(tx: &Tx<'_>, key: Key, prompt: &str) -> Result<(), Error> {
    let first: String = prompt.chars().take(FIRST_PROMPT).collect();
    tx.execute(OPENED, params![key, first])?;
    Ok(())
}

/// Removes a conversation and everything of it. False when there was none.
///
/// # Errors
/// SQLite's.
pub fn delete(tx: &Tx<'_>, id: ConversationId) -> Result<bool, Error> {
    Ok(tx.execute("DELETE FROM conversations WHERE id = ?1", [id.to_string()])? == 1)
}

/// One conversation as clients read it, without its open requests.
///
/// # Errors
/// SQLite's.
pub fn show(connection: &Connection, id: ConversationId) -> Result<Option<Conversation>, Error> {
    let sql = format!(
        "SELECT {SHOWN} FROM conversations c LEFT JOIN agents a ON a.id = c.agent_id WHERE c.id = ?1"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_row([id.to_string()], shown).optional()?)
}

/// The conversations a filter lets through, the newest change first, each with its place.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, filter: &Filter) -> Result<Vec<(Conversation, Place)>, Error> {
    let mut sql = format!(
        "SELECT {SHOWN} FROM conversations c LEFT JOIN agents a ON a.id = c.agent_id WHERE 1"
    );
    let mut values: Vec<rusqlite::types::Value> = Vec::new();
    let mut also = |sql: &mut String, column: &str, value: String| {
        values.push(value.into());
        sql.push_str(&format!(" AND {column} = ?{}", values.len()));
    };
    if let Some(agent) = &filter.agent {
        also(&mut sql, "c.agent_id", agent.clone());
    }
    if let Some(channel) = &filter.channel {
        also(&mut sql, "c.channel_id", channel.clone());
    }
    if !filter.statuses.is_empty() {
        let words: Vec<String> = filter
            .statuses
            .iter()
            .map(|status| format!("'{}'", status.as_str()))
            .collect();
        sql.push_str(&format!(" AND c.status IN ({})", words.join(", ")));
    }
    if filter.roots_only {
        sql.push_str(" AND c.parent_id IS NULL");
    }
    if let Some(Place { at, key }) = filter.after {
        sql.push_str(&format!(" AND (c.updated_at, c.key) < ({}, {key})", at.0));
    }
    sql.push_str(&format!(
        " ORDER BY c.updated_at DESC, c.key DESC LIMIT {}",
        filter.limit
    ));
    let mut statement = connection.prepare(&sql)?;
    let found = statement.query_map(params_from_iter(values), |row| {
        let key = row.get(KEY_OF_SHOWN)?;
        let shown = shown(row)?;
        let at = shown.updated_at;
        Ok((shown, Place { at, key }))
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn shown(row: &Row<'_>) -> rusqlite::Result<Conversation> {
    let json =
        |text: Option<String>| text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let sandbox: String = row.get(6)?;
    let last_active_at = Timestamp(row.get(18)?);
    let last_read_at = row.get::<_, Option<i64>>(19)?.map(Timestamp);
    Ok(Conversation {
        id: row.get(0)?,
        title: row.get(1)?,
        first_prompt: row.get(2)?,
        agent_id: row.get(3)?,
        agent_name: row.get(4)?,
        model: row.get(5)?,
        sandbox_id: Some(sandbox.clone()),
        sandbox: Some(Sandbox {
            sprite_name: sandbox.clone(),
            id: sandbox,
            status: row.get(7)?,
            provider: row.get(8)?,
            mode: row.get(9)?,
        }),
        permission_policy: json(row.get(10)?),
        runtime: row.get(11)?,
        acp: true,
        status: row.get(12)?,
        runtime_session_id: row.get(13)?,
        source: row.get(14)?,
        parent_conversation_id: row.get(15)?,
        channel_id: row.get(16)?,
        turn_count: row.get(17)?,
        last_active_at,
        last_read_at,
        unread: last_read_at.is_none_or(|read| last_active_at > read),
        usage_total: Usage {
            input: row.get(20)?,
            output: row.get(21)?,
        },
        labels: serde_json::from_str(&row.get::<_, String>(22)?).unwrap_or_default(),
        pending_requests: Vec::new(),
        inserted_at: Timestamp(row.get(23)?),
        updated_at: Timestamp(row.get(24)?),
    })
}

/// Whether a conversation's row is still there.
///
/// # Errors
/// SQLite's.
pub fn exists(connection: &Connection, key: Key) -> Result<bool, Error> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM conversations WHERE key = ?1")?;
    Ok(statement.exists([key])?)
}
