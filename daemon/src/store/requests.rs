//! Permission requests and verdicts as rows. A row is settled once: the statement says so, whoever calls it.

use fountain_core::api::requests::{Pending, Request as Shown};
use fountain_core::id::{ConversationId, RequestId, TurnId};
use fountain_core::outcome::Options;
use fountain_core::request::{Request, Settled};
use fountain_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::agents::id;
use super::{Error, Key, Tx};

const INSERT: &str =
    "INSERT INTO requests (id, conversation, turn, rpc_id, tool, kind, summary, options, timeout,
    policy_key, asked_at, deadline) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
const SETTLE: &str =
    "UPDATE requests SET outcome = ?2, option_id = ?3, answered_by = ?4, resolved_at = ?5
    WHERE id = ?1 AND resolved_at IS NULL";
const DETACH: &str =
    "UPDATE requests SET detached = 1, deadline = ?2 WHERE id = ?1 AND resolved_at IS NULL";
const ROW: &str = "SELECT id, rpc_id, turn, kind, tool, summary, options, timeout, policy_key, asked_at, deadline,
    detached FROM requests";
const SHOWN: &str = "SELECT r.id, r.tool, r.kind, r.summary, r.options, r.asked_at, r.deadline, r.turn, r.detached,
    c.id, c.agent_id, a.name, r.outcome, r.option_id, r.answered_by, r.resolved_at
    FROM requests r JOIN conversations c ON c.key = r.conversation LEFT JOIN agents a ON a.id = c.agent_id";
pub(super) const DUE: &str = "SELECT r.id, c.id, r.deadline FROM requests r JOIN conversations c ON c.key = r.conversation
    WHERE r.resolved_at IS NULL AND r.detached = 1 AND r.deadline <= ?1 AND (r.deadline, r.id) > (?2, ?3)
    ORDER BY r.deadline, r.id LIMIT ?4";
pub(super) const NEXT_DUE: &str = "SELECT deadline FROM requests
    WHERE resolved_at IS NULL AND detached = 1 AND deadline > ?1 ORDER BY deadline LIMIT 1";

/// How a request that is known ended, for whoever lost the race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// `answered`, `timeout`, `turn_ended` or `cancelled`.
    pub outcome: String,
    /// The option that was picked.
    pub option: Option<String>,
    /// Who.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// Stores a request that waits.
///
/// # Errors
/// SQLite's.
pub fn insert(tx: &Tx<'_>, conversation: Key, request: &Request) -> Result<(), Error> {
    let options = serde_json::to_string(request.options.raw()).unwrap_or_else(|_| "[]".into());
    tx.execute(
        INSERT,
        params![
            request.id.as_str(),
            conversation,
            request.turn.to_string(),
            request.rpc_id,
            request.tool,
            request.kind,
            request.summary,
            options,
            request.timeout,
            request.key,
            request.asked_at.0,
            request.deadline.0,
        ],
    )?;
    Ok(())
}

/// Stores the end of a request. False when it had ended before: then nothing changes.
///
/// # Errors
/// SQLite's.
pub fn settle(tx: &Tx<'_>, request: &RequestId, settled: &Settled) -> Result<bool, Error> {
    let values = params![
        request.as_str(),
        settled.resolution.as_str(),
        settled.outcome.option(),
        settled.by,
        settled.at.0
    ];
    Ok(tx.execute(SETTLE, values)? == 1)
}

/// Lets a request outlive its turn, with its new deadline.
///
/// # Errors
/// SQLite's.
pub fn detach(tx: &Tx<'_>, request: &Request) -> Result<(), Error> {
    tx.execute(DETACH, params![request.id.as_str(), request.deadline.0])?;
    Ok(())
}

/// The open requests of a conversation, the oldest first.
///
/// # Errors
/// SQLite's.
pub fn open(connection: &Connection, conversation: Key) -> Result<Vec<Request>, Error> {
    let sql =
        format!("{ROW} WHERE conversation = ?1 AND resolved_at IS NULL ORDER BY asked_at, id");
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement
        .query_map([conversation], request)?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// How a request of a conversation ended: `None` when the id is unknown there, `Some(None)` while it is open.
///
/// # Errors
/// SQLite's.
pub fn ended(
    connection: &Connection,
    conversation: ConversationId,
    request: &RequestId,
) -> Result<Option<Option<Ended>>, Error> {
    Ok(show(connection, request)?
        .filter(|shown| shown.conversation_id == conversation.to_string())
        .map(|shown| {
            shown.outcome.map(|outcome| Ended {
                outcome,
                option: shown.option_id,
                by: shown.answered_by.unwrap_or_default(),
                at: shown.answered_at.unwrap_or_default(),
            })
        }))
}

/// A request whose deadline has come.
#[derive(Clone, Debug)]
pub struct Due {
    /// It.
    pub request: RequestId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// When its time was up.
    pub deadline: Timestamp,
}

/// Detached requests whose deadline has come, the soonest first, behind one that was read before.
///
/// # Errors
/// SQLite's.
pub fn due(
    connection: &Connection,
    now: Timestamp,
    after: Option<&(Timestamp, RequestId)>,
    limit: i64,
) -> Result<Vec<Due>, Error> {
    let mut statement = connection.prepare_cached(DUE)?;
    let (at, last) = after.map_or((i64::MIN, ""), |(at, id)| (at.0, id.as_str()));
    let found = statement.query_map(params![now.0, at, last, limit], |row| {
        Ok(Due {
            request: RequestId::from_text(row.get::<_, String>(0)?),
            conversation: ConversationId(id(row, 1)?),
            deadline: Timestamp(row.get(2)?),
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The soonest deadline of a detached request after this moment.
///
/// # Errors
/// SQLite's.
pub fn next_due(connection: &Connection, now: Timestamp) -> Result<Option<Timestamp>, Error> {
    let mut statement = connection.prepare_cached(NEXT_DUE)?;
    let next = statement.query_row([now.0], |row| row.get(0));
    Ok(next.optional()?.map(Timestamp))
}

/// One request, settled or not.
///
/// # Errors
/// SQLite's.
pub fn show(connection: &Connection, request: &RequestId) -> Result<Option<Shown>, Error> {
    let mut statement = connection.prepare_cached(&format!("{SHOWN} WHERE r.id = ?1"))?;
    Ok(statement.query_row([request.as_str()], shown).optional()?)
}

/// Which requests, and from where on.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only those that wait, by deadline; else all by age, the newest first.
    pub only_open: bool,
    /// Only those of this conversation.
    pub conversation: Option<String>,
    /// Those behind this moment and id, in the list's order.
    pub after: Option<(Timestamp, String)>,
    /// How many; none is all of them.
    pub limit: Option<i64>,
}

/// Requests across conversations, or of one.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, filter: &Filter) -> Result<Vec<Shown>, Error> {
    let conversation = match filter.conversation {
        Some(_) => "r.conversation = (SELECT key FROM conversations WHERE id = ?1)",
        None => "?1 IS NULL",
    };
    let (wanted, from, order) = if filter.only_open {
        (
            "r.resolved_at IS NULL",
            "(r.deadline, r.id) > (?2, ?3)",
            "r.deadline, r.id",
        )
    } else {
        (
            "1",
            "(r.asked_at, r.id) < (?2, ?3)",
            "r.asked_at DESC, r.id DESC",
        )
    };
    let from = match filter.after {
        Some(_) => from,
        None => "?2 IS NULL AND ?3 IS NULL",
    };
    let sql =
        format!("{SHOWN} WHERE {conversation} AND {wanted} AND {from} ORDER BY {order} LIMIT ?4");
    let mut statement = connection.prepare_cached(&sql)?;
    let values = params![
        filter.conversation,
        filter.after.as_ref().map(|(at, _)| at.0),
        filter.after.as_ref().map(|(_, id)| id),
        // SQLite reads a negative limit as none.
        filter.limit.unwrap_or(-1),
    ];
    let found = statement
        .query_map(values, shown)?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

fn request(row: &Row<'_>) -> rusqlite::Result<Request> {
    Ok(Request {
        id: RequestId::from_text(row.get::<_, String>(0)?),
        rpc_id: row.get(1)?,
        turn: TurnId(id(row, 2)?),
        kind: row.get(3)?,
        tool: row.get(4)?,
        summary: row.get(5)?,
        options: Options::stored(&row.get::<_, String>(6)?),
        timeout: row.get(7)?,
        key: row.get(8)?,
        asked_at: Timestamp(row.get(9)?),
        deadline: Timestamp(row.get(10)?),
        detached: row.get(11)?,
    })
}

fn shown(row: &Row<'_>) -> rusqlite::Result<Shown> {
    let outcome: Option<String> = row.get(12)?;
    Ok(Shown {
        pending: Pending {
            request_id: row.get(0)?,
            tool: row.get(1)?,
            kind: row.get(2)?,
            summary: row.get(3)?,
            options: serde_json::from_str(&row.get::<_, String>(4)?).unwrap_or_default(),
            asked_at: Timestamp(row.get(5)?),
            deadline: Timestamp(row.get(6)?),
            turn_id: row.get(7)?,
            detached: row.get(8)?,
        },
        conversation_id: row.get(9)?,
        agent_id: row.get(10)?,
        agent_name: row.get(11)?,
        status: if outcome.is_some() { "settled" } else { "open" }.to_owned(),
        outcome,
        option_id: row.get(13)?,
        answered_by: row.get(14)?,
        answered_at: row.get::<_, Option<i64>>(15)?.map(Timestamp),
    })
}
