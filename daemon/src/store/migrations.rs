//! The schema's history. It only grows: a file that was released is never edited.

use rusqlite::{Connection, TransactionBehavior};

/// Every step, in order; the database's `user_version` counts those it has.
const ALL: &[&str] = &[
    include_str!("migrations/0001_init.sql"),
    include_str!("migrations/0002_credits_and_lists.sql"),
];

/// A database that has more steps than we know.
pub(super) struct Newer {
    /// Its version.
    pub(super) found: i64,
    /// Ours.
    pub(super) known: i64,
}

/// Says whether a database has more steps than we know. It reads and changes nothing.
pub(super) fn newer(connection: &Connection) -> rusqlite::Result<Option<Newer>> {
    let known = i64::try_from(ALL.len()).unwrap_or(i64::MAX);
    let found = version(connection)?;
    Ok((found > known).then_some(Newer { found, known }))
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Applies the steps that are missing, each in a transaction of its own.
pub(super) fn apply(connection: &mut Connection) -> rusqlite::Result<()> {
    let found = version(connection)?;
    for (version, step) in (1_i64..).zip(ALL) {
        if version > found {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            tx.execute_batch(step)?;
            tx.pragma_update(None, "user_version", version)?;
            tx.commit()?;
        }
    }
    Ok(())
}
