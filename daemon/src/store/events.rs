//! The log: append and read forward. It is append only and knows nothing of what its bodies say.

use fountain_core::event::Event;
use fountain_core::id::{Seq, TurnId};
use fountain_core::redact::Redacted;
use fountain_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::{Error, Key, Tx};

const APPEND: &str = "INSERT INTO events (conversation, id, at, turn, tag, body, duration_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
pub(super) const AFTER: &str = "SELECT id, at, turn, tag, body, duration_ms FROM events
    WHERE conversation = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
const LAST_AT: &str = "SELECT at FROM events WHERE conversation = ?1 ORDER BY id DESC LIMIT 1";
const NEWEST: &str = "SELECT max(id) FROM events WHERE conversation = ?1";

/// A row as it is lent to whoever renders it.
#[derive(Debug)]
pub struct Row<'a> {
    /// Its id.
    pub id: Seq,
    /// When it was stored.
    pub at: Timestamp,
    /// The turn it belongs to.
    pub turn: Option<&'a str>,
    /// Its kind: `acp`, or `turn/started`.
    pub tag: &'a str,
    /// The line, or the metadata.
    pub body: &'a str,
    /// How long a stage took.
    pub duration_ms: Option<i64>,
}

/// Appends one event.
///
/// # Errors
/// SQLite's.
pub fn append(
    tx: &mut Tx<'_>,
    conversation: Key,
    turn: Option<TurnId>,
    event: &Redacted<Event>,
    at: Timestamp,
) -> Result<Seq, Error> {
    let id = tx.next(conversation);
    let event = event.get();
    let duration = match event {
        Event::Stage { duration_ms, .. } => *duration_ms,
        Event::Output { .. } => None,
    };
    let mut text = [0_u8; 36];
    let turn = turn.map(|turn| &*turn.0.hyphenated().encode_lower(&mut text));
    tx.execute(
        APPEND,
        params![
            conversation,
            id.0,
            at.0,
            turn,
            event.tag(),
            event.body(),
            duration
        ],
    )?;
    Ok(id)
}

/// Shows each row after a position, oldest first, until `limit` rows were shown or `show` says stop (false);
/// gives the last position that was shown.
///
/// # Errors
/// SQLite's.
pub fn after(
    connection: &Connection,
    conversation: Key,
    after: Seq,
    limit: i64,
    mut show: impl FnMut(&Row<'_>) -> bool,
) -> Result<Seq, Error> {
    let mut statement = connection.prepare_cached(AFTER)?;
    let mut rows = statement.query(params![conversation, after.0, limit])?;
    let mut last = after;
    while let Some(row) = rows.next()? {
        // A damaged row is shown as what it is; the rows around it are not lost.
        let text = |at: usize| row.get_ref(at).ok().and_then(|value| value.as_str().ok());
        let shown = Row {
            id: Seq(row.get(0)?),
            at: Timestamp(row.get(1)?),
            turn: text(2),
            tag: text(3).unwrap_or("unknown"),
            body: text(4).unwrap_or(""),
            duration_ms: row.get(5)?,
        };
        last = shown.id;
        if !show(&shown) {
            break;
        }
    }
    Ok(last)
}

/// When the newest event of a conversation was stored.
///
/// # Errors
/// SQLite's.
pub fn last_at(connection: &Connection, conversation: Key) -> Result<Option<Timestamp>, Error> {
    let at = connection
        .prepare_cached(LAST_AT)?
        .query_row([conversation], |row| row.get(0));
    Ok(at.optional()?.map(Timestamp))
}

/// The newest event of a conversation.
///
/// # Errors
/// SQLite's.
pub fn newest(connection: &Connection, conversation: Key) -> Result<Seq, Error> {
    let newest: Option<i64> = connection
        .prepare_cached(NEWEST)?
        .query_row([conversation], |row| row.get(0))?;
    Ok(Seq(newest.unwrap_or(0)))
}
