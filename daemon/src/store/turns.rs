//! Turns and the images of their prompts as rows.

use fountain_core::api::conversations::{self, Usage};
use fountain_core::id::{ConversationId, TurnId};
use fountain_core::time::Timestamp;
use fountain_core::turn::{Ending, Origin, Phase, Running, Turn};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::agents::id;
use super::{Error, Key, Tx};

const INSERT: &str =
    "INSERT INTO turns (id, conversation, number, origin, status, prompt, client_request_id,
    image_count, inserted_at) VALUES (?1, ?2, ?3, ?4, 'pending', ?5, ?6, ?7, ?8)";
const IMAGE: &str = "INSERT INTO images (turn, position, media_type, data) VALUES (?1, ?2, ?3, ?4)";
const NEXT: &str = "SELECT coalesce(max(number), 0) + 1 FROM turns WHERE conversation = ?1";
const START: &str = "UPDATE turns SET status = 'running', started_at = ?2, attempt = ?3 WHERE id = ?1 AND status = 'pending'";
const END: &str = "UPDATE turns SET status = ?2, waiting = ?3, stop_reason = ?4, reason = ?5, exit_code = ?6,
    usage_input = ?7, usage_output = ?8, ended_at = ?9 WHERE id = ?1 AND status IN ('pending', 'running')
    RETURNING started_at";
const OPEN: &str = "SELECT id, number, origin, status, started_at FROM turns
    WHERE conversation = ?1 AND status IN ('pending', 'running') ORDER BY number";
const PROMPT: &str = "SELECT prompt, client_request_id FROM turns WHERE id = ?1";
const IMAGES: &str = "SELECT media_type, data FROM images WHERE turn = ?1 ORDER BY position";
const LIST: &str = "SELECT t.id, number, prompt, t.status, client_request_id, origin, waiting, exit_code, stop_reason,
    reason, started_at, ended_at, t.inserted_at, image_count, t.usage_input, t.usage_output
    FROM turns t JOIN conversations c ON c.key = t.conversation WHERE c.id = ?1 ORDER BY number";
const ONE_IMAGE: &str = "SELECT i.media_type, i.data FROM images i JOIN turns t ON t.id = i.turn
    JOIN conversations c ON c.key = t.conversation WHERE c.id = ?1 AND t.id = ?2 AND i.position = ?3";

/// A prompt as it was accepted: delivered and stored as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Submission {
    /// The text.
    pub prompt: String,
    /// The images, in their order.
    pub images: Vec<Picture>,
    /// The caller's label.
    pub client_request_id: Option<String>,
}

/// An image of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its media type.
    pub media_type: String,
    /// Its bytes.
    pub data: Vec<u8>,
}

/// The number the next turn of a conversation gets.
///
/// # Errors
/// SQLite's.
pub fn next_number(connection: &Connection, conversation: Key) -> Result<i64, Error> {
    Ok(connection
        .prepare_cached(NEXT)?
        .query_row([conversation], |row| row.get(0))?)
}

/// Stores a turn that was accepted, with its prompt.
///
/// # Errors
/// SQLite's.
pub fn insert(
    tx: &Tx<'_>,
    conversation: Key,
    turn: &Turn,
    submission: &Submission,
    now: Timestamp,
) -> Result<(), Error> {
    let id = turn.id.to_string();
    let count = i64::try_from(submission.images.len()).unwrap_or(i64::MAX);
    tx.execute(
        INSERT,
        params![
            id,
            conversation,
            turn.number,
            turn.origin.as_str(),
            submission.prompt,
            submission.client_request_id,
            count,
            now.0
        ],
    )?;
    for (position, image) in (0_i64..).zip(&submission.images) {
        tx.execute(IMAGE, params![id, position, image.media_type, image.data])?;
    }
    super::conversations::opened(tx, conversation, &submission.prompt)
}

/// Notes that the runtime is given the prompt, by this attempt.
///
/// # Errors
/// SQLite's.
pub fn start(tx: &Tx<'_>, turn: TurnId, attempt: i64, now: Timestamp) -> Result<(), Error> {
    tx.execute(START, params![turn.to_string(), now.0, attempt])?;
    Ok(())
}

/// Stores the end of a turn, and gives when it started, if it did. A turn that is over stays as it ended.
///
/// # Errors
/// SQLite's.
pub fn end(
    tx: &Tx<'_>,
    conversation: Key,
    turn: TurnId,
    ending: &Ending,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<Option<Timestamp>, Error> {
    let ended = tx.statement(END)?.query_row(
        params![
            turn.to_string(),
            ending.status.as_str(),
            ending.waiting,
            ending.stop_reason,
            reason,
            ending.exit_code,
            ending.usage.map(|(input, _)| input),
            ending.usage.map(|(_, output)| output),
            now.0,
        ],
        |row| row.get::<_, Option<i64>>(0),
    );
    let Some(started) = ended.optional()? else {
        return Ok(None);
    };
    if let Some(usage) = ending.usage {
        super::conversations::add_usage(tx, conversation, usage)?;
    }
    Ok(started.map(Timestamp))
}

/// The turns of a conversation that are not over, without what they hold.
///
/// # Errors
/// SQLite's.
pub fn open(connection: &Connection, conversation: Key) -> Result<Vec<Turn>, Error> {
    let mut statement = connection.prepare_cached(OPEN)?;
    let turns = statement.query_map([conversation], |row| {
        let origin = if row.get::<_, String>(2)? == "autonomous" {
            Origin::Autonomous
        } else {
            Origin::User
        };
        let mut turn = Turn::pending(TurnId(id(row, 0)?), row.get(1)?, origin);
        if row.get::<_, String>(3)? == "running" {
            let since = Timestamp(row.get::<_, Option<i64>>(4)?.unwrap_or(0));
            turn.phase = Phase::Running(Running {
                since,
                ..Running::default()
            });
        }
        Ok(turn)
    })?;
    Ok(turns.collect::<Result<_, _>>()?)
}

/// The prompt of a turn.
///
/// # Errors
/// SQLite's.
pub fn submission(connection: &Connection, turn: TurnId) -> Result<Submission, Error> {
    let turn = turn.to_string();
    let (prompt, client_request_id) = connection
        .prepare_cached(PROMPT)?
        .query_row([&turn], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut statement = connection.prepare_cached(IMAGES)?;
    let images = statement
        .query_map([&turn], picture)?
        .collect::<Result<_, _>>()?;
    Ok(Submission {
        prompt,
        images,
        client_request_id,
    })
}

/// Every turn of a conversation as clients read it, the first first.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    conversation: ConversationId,
) -> Result<Vec<conversations::Turn>, Error> {
    let mut statement = connection.prepare_cached(LIST)?;
    let turns = statement
        .query_map([conversation.to_string()], shown)?
        .collect::<Result<_, _>>()?;
    Ok(turns)
}

/// One image of a prompt.
///
/// # Errors
/// SQLite's.
pub fn image(
    connection: &Connection,
    conversation: ConversationId,
    turn: TurnId,
    position: i64,
) -> Result<Option<Picture>, Error> {
    let mut statement = connection.prepare_cached(ONE_IMAGE)?;
    let found = statement.query_row(
        params![conversation.to_string(), turn.to_string(), position],
        picture,
    );
    Ok(found.optional()?)
}

fn picture(row: &Row<'_>) -> rusqlite::Result<Picture> {
    Ok(Picture {
        media_type: row.get(0)?,
        data: row.get(1)?,
    })
}

fn shown(row: &Row<'_>) -> rusqlite::Result<conversations::Turn> {
    let tokens: (Option<i64>, Option<i64>) = (row.get(14)?, row.get(15)?);
    let usage = match tokens {
        (None, None) => None,
        (input, output) => Some(Usage {
            input: input.unwrap_or(0),
            output: output.unwrap_or(0),
        }),
    };
    let time = |at: usize| {
        row.get::<_, Option<i64>>(at)
            .map(|time| time.map(Timestamp))
    };
    Ok(conversations::Turn {
        id: row.get(0)?,
        turn_number: row.get(1)?,
        prompt: row.get(2)?,
        status: row.get(3)?,
        client_request_id: row.get(4)?,
        origin: row.get(5)?,
        waiting: row.get(6)?,
        exit_code: row.get(7)?,
        stop_reason: row.get(8)?,
        reason: row.get(9)?,
        started_at: time(10)?,
        ended_at: time(11)?,
        inserted_at: Timestamp(row.get(12)?),
        image_count: row.get(13)?,
        usage,
    })
}
