//! API keys: only their hashes are stored.

use fountain_core::api::auth::Scope;
use fountain_core::id::{ConversationId, KeyId};
use fountain_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::{Error, Tx};

const INSERT: &str =
    "INSERT INTO keys (id, name, prefix, hash, scope, conversation, created_at, expires_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
const BY_HASH: &str = "SELECT id, name, prefix, scope, conversation, expires_at, revoked_at FROM keys WHERE hash = ?1";
const DELETE_OF: &str = "DELETE FROM keys WHERE conversation = ?1";
const DELETE_SANDBOX: &str = "DELETE FROM keys WHERE scope = 'sandbox'";

/// A key without its secret.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its id.
    pub id: KeyId,
    /// What its owner called it.
    pub name: String,
    /// The first characters; safe to show.
    pub prefix: String,
    /// What it may do.
    pub scope: Scope,
    /// The conversation whose sandbox holds it.
    pub conversation: Option<ConversationId>,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
    /// When it was taken back.
    pub revoked_at: Option<Timestamp>,
}

/// Stores a key by its hash.
///
/// # Errors
/// SQLite's.
pub fn insert(tx: &Tx<'_>, key: &Key, hash: &str, now: Timestamp) -> Result<(), Error> {
    tx.execute(
        INSERT,
        params![
            key.id.to_string(),
            key.name,
            key.prefix,
            hash,
            key.scope.as_str(),
            key.conversation.map(|id| id.to_string()),
            now.0,
            key.expires_at.map(|at| at.0),
        ],
    )?;
    Ok(())
}

/// Finds a key by its hash, revoked and expired ones too.
///
/// # Errors
/// SQLite's.
pub fn by_hash(connection: &Connection, hash: &str) -> Result<Option<Key>, Error> {
    let mut statement = connection.prepare_cached(BY_HASH)?;
    let found = statement.query_row([hash], |row| {
        Ok(Key {
            id: super::agents::id(row, 0).map(KeyId)?,
            name: row.get(1)?,
            prefix: row.get(2)?,
            // A scope nobody knows may do the least.
            scope: Scope::parse(&row.get::<_, String>(3)?).unwrap_or(Scope::Sandbox),
            conversation: row
                .get::<_, Option<String>>(4)?
                .and_then(|id| id.parse().ok()),
            expires_at: row.get::<_, Option<i64>>(5)?.map(Timestamp),
            revoked_at: row.get::<_, Option<i64>>(6)?.map(Timestamp),
        })
    });
    Ok(found.optional()?)
}

/// Takes back the key that a conversation's process held. The row goes: a conversation gets a new key each time its
/// runtime starts.
///
/// # Errors
/// SQLite's.
pub fn take_back(tx: &Tx<'_>, conversation: ConversationId) -> Result<(), Error> {
    tx.execute(DELETE_OF, [conversation.to_string()])?;
    Ok(())
}

/// Takes back the keys of every sandbox.
///
/// # Errors
/// SQLite's.
pub fn take_back_all(tx: &Tx<'_>) -> Result<(), Error> {
    tx.execute(DELETE_SANDBOX, [])?;
    Ok(())
}
