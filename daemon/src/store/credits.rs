//! What turns have cost, as one row. The rules of it are the core's.

use fountain_core::credits::cost;
use fountain_core::settings::Credits;
use fountain_core::time::Timestamp;
use rusqlite::Connection;

use super::{Error, Tx, instance};

const ADD: &str = "UPDATE credits SET spent = min(spent + ?1, 9223372036854775807)";
/// The fact that says when a daemon last lived.
const ALIVE: &str = "alive";
const SPENT: &str = "SELECT spent FROM credits";
// Both words, as the index of open turns has them: a turn that only waits has not started.
pub(super) const RUNNING: &str = "SELECT started_at FROM turns WHERE status IN ('pending', 'running') AND started_at IS NOT NULL";

/// Adds the cost of a turn that ended, in micro-cents.
///
/// # Errors
/// SQLite's.
pub fn spend(tx: &Tx<'_>, micro: u64) -> Result<(), Error> {
    if micro > 0 {
        tx.execute(ADD, [i64::try_from(micro).unwrap_or(i64::MAX)])?;
    }
    Ok(())
}

/// Micro-cents spent up to now: turns that ended, and those that run for as long as they have run.
///
/// # Errors
/// SQLite's.
pub fn spent(connection: &Connection, credits: &Credits, now: Timestamp) -> Result<u64, Error> {
    let ended: i64 = connection
        .prepare_cached(SPENT)?
        .query_row([], |row| row.get(0))?;
    let mut statement = connection.prepare_cached(RUNNING)?;
    let running = statement.query_map([], |row| Ok(Timestamp(row.get(0)?)))?;
    let mut sum = u64::try_from(ended).unwrap_or(0);
    for since in running {
        sum = sum.saturating_add(cost(credits, now.since(since?)));
    }
    Ok(sum)
}

/// Notes that the daemon lives, if any turn runs.
///
/// # Errors
/// SQLite's.
pub fn note_alive(tx: &Tx<'_>, now: Timestamp) -> Result<(), Error> {
    let runs = tx.statement(RUNNING)?.exists([])?;
    if runs {
        instance::set(tx, ALIVE, &now.0.to_string())?;
    }
    Ok(())
}

/// When a daemon last noted that it lives.
///
/// # Errors
/// SQLite's.
pub fn last_alive(connection: &Connection) -> Result<Option<Timestamp>, Error> {
    let noted = instance::get(connection, ALIVE)?;
    Ok(noted.and_then(|at| at.parse().ok()).map(Timestamp))
}
