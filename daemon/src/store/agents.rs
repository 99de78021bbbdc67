//! Agents as rows.

use fountain_core::api::agents::Agent;
use fountain_core::id::AgentId;
use fountain_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde_json::Value;
use uuid::Uuid;

use super::{Error, Tx};

const COLUMNS: &str =
    "id, name, description, system, model, runtime, runtime_command, sandbox_provider,
    sandbox_mode, metadata, permission_policy, inserted_at, updated_at,
    (SELECT count(*) FROM conversations c WHERE c.agent_id = agents.id)";
const INSERT: &str =
    "INSERT INTO agents (id, name, description, system, model, runtime, runtime_command,
    sandbox_provider, sandbox_mode, metadata, permission_policy, inserted_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
const UPDATE: &str = "UPDATE agents SET name = ?2, description = ?3, system = ?4, model = ?5, runtime = ?6,
    runtime_command = ?7, sandbox_provider = ?8, sandbox_mode = ?9, metadata = ?10, permission_policy = ?11,
    updated_at = ?12 WHERE id = ?1";
const POLICY: &str = "SELECT permission_policy FROM agents WHERE id = ?1";
const BY_NAME: &str = "SELECT id FROM agents WHERE name = ?1";

/// Every agent whose name or description has `search` in it, by name.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, search: &str) -> Result<Vec<Agent>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM agents WHERE ?1 = '' OR instr(lower(name), lower(?1)) > 0
         OR instr(lower(coalesce(description, '')), lower(?1)) > 0 ORDER BY name"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let agents = statement
        .query_map([search], agent)?
        .collect::<Result<_, _>>()?;
    Ok(agents)
}

/// One agent.
///
/// # Errors
/// SQLite's.
pub fn show(connection: &Connection, id: AgentId) -> Result<Option<Agent>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM agents WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_row([id.to_string()], agent).optional()?)
}

/// The policy of an agent as it is stored: `None` when the agent is gone.
///
/// # Errors
/// SQLite's.
pub fn policy(connection: &Connection, id: AgentId) -> Result<Option<Option<String>>, Error> {
    let mut statement = connection.prepare_cached(POLICY)?;
    Ok(statement
        .query_row([id.to_string()], |row| row.get(0))
        .optional()?)
}

/// Whether another agent has the name, without regard to case.
///
/// # Errors
/// SQLite's.
pub fn name_taken(
    connection: &Connection,
    name: &str,
    by_other_than: Option<&str>,
) -> Result<bool, Error> {
    let holder: Option<String> = connection
        .prepare_cached(BY_NAME)?
        .query_row([name], |row| row.get(0))
        .optional()?;
    Ok(holder.is_some_and(|holder| Some(holder.as_str()) != by_other_than))
}

/// Stores a new agent.
///
/// # Errors
/// SQLite's, a taken name among them.
pub fn insert(tx: &Tx<'_>, agent: &Agent) -> Result<(), Error> {
    tx.execute(
        INSERT,
        params![
            agent.id,
            agent.name,
            agent.description,
            agent.system,
            agent.model,
            agent.runtime,
            agent.runtime_command,
            agent.sandbox_provider,
            mode(agent),
            json(agent),
            policy_text(agent),
            agent.inserted_at.0,
            agent.updated_at.0,
        ],
    )?;
    Ok(())
}

/// Stores what an agent is now.
///
/// # Errors
/// SQLite's, a taken name among them.
pub fn update(tx: &Tx<'_>, agent: &Agent) -> Result<(), Error> {
    tx.execute(
        UPDATE,
        params![
            agent.id,
            agent.name,
            agent.description,
            agent.system,
            agent.model,
            agent.runtime,
            agent.runtime_command,
            agent.sandbox_provider,
            mode(agent),
            json(agent),
            policy_text(agent),
            agent.updated_at.0,
        ],
    )?;
    Ok(())
}

/// Removes an agent; its conversations stay, without it. False when there was none.
///
/// # Errors
/// SQLite's.
pub fn delete(tx: &Tx<'_>, id: AgentId) -> Result<bool, Error> {
    Ok(tx.execute("DELETE FROM agents WHERE id = ?1", [id.to_string()])? == 1)
}

fn mode(agent: &Agent) -> &str {
    agent.sandbox_mode.as_deref().unwrap_or("ephemeral")
}

fn json(agent: &Agent) -> String {
    serde_json::to_string(&agent.metadata).unwrap_or_else(|_| "{}".into())
}

fn policy_text(agent: &Agent) -> Option<String> {
    agent.permission_policy.as_ref().map(ToString::to_string)
}

fn agent(row: &Row<'_>) -> rusqlite::Result<Agent> {
    // What cannot be read is shown as it is: it denies, and is not the same as none.
    let shown = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
    let policy: Option<String> = row.get(10)?;
    Ok(Agent {
        id: row.get(0)?,
        name: row.get(1)?,
        description: row.get(2)?,
        system: row.get(3)?,
        model: row.get(4)?,
        runtime: row.get(5)?,
        runtime_command: row.get(6)?,
        acp: true,
        sandbox_provider: row.get(7)?,
        sandbox_mode: row.get(8)?,
        metadata: serde_json::from_str(&row.get::<_, String>(9)?).unwrap_or_default(),
        permission_policy: policy.map(shown),
        inserted_at: Timestamp(row.get(11)?),
        updated_at: Timestamp(row.get(12)?),
        conversation_count: row.get(13)?,
    })
}

/// Reads a UUID column.
pub(super) fn id(row: &Row<'_>, at: usize) -> rusqlite::Result<Uuid> {
    let text: String = row.get(at)?;
    Uuid::parse_str(&text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(at, rusqlite::types::Type::Text, Box::new(error))
    })
}
