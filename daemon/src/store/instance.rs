//! Facts about this instance, by name.

use rusqlite::{Connection, OptionalExtension as _};

use super::{Error, Tx};

/// Reads a fact.
///
/// # Errors
/// SQLite's.
pub fn get(connection: &Connection, name: &str) -> Result<Option<String>, Error> {
    let mut statement = connection.prepare_cached("SELECT value FROM instance WHERE key = ?1")?;
    Ok(statement.query_row([name], |row| row.get(0)).optional()?)
}

/// Writes a fact, over one of the same name.
///
/// # Errors
/// SQLite's.
pub fn set(tx: &Tx<'_>, name: &str, value: &str) -> Result<(), Error> {
    tx.execute(
        "INSERT INTO instance VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
        [name, value],
    )?;
    Ok(())
}
