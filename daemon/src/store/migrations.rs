//! The schema's history. It only grows: a file that was released is never edited.

use rusqlite::{Connection, TransactionBehavior};

/// Every step, in order; the database's `user_version` counts those it has.
const ALL: &[&str] = &[include_str!("migrations/0001_init.sql")];

/// What came of it.
pub(super) enum Applied {
    /// The database has every step.
    UpToDate,
    /// It has more steps than we know; it was not touched.
    Newer {
        /// Its version.
        found: i64,
        /// Ours.
        known: i64,
    },
}

/// Applies the steps that are missing, each in a transaction of its own.
pub(super) fn apply(connection: &mut Connection) -> rusqlite::Result<Applied> {
    let known = i64::try_from(ALL.len()).unwrap_or(i64::MAX);
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > known {
        return Ok(Applied::Newer { found, known });
    }
    for (version, step) in (1_i64..).zip(ALL) {
        if version > found {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            tx.execute_batch(step)?;
            tx.pragma_update(None, "user_version", version)?;
            tx.commit()?;
        }
    }
    Ok(Applied::UpToDate)
}
