//! The store: one SQLite file, one writer thread that groups what is queued into one commit, readers beside it.
//! It knows rows and nothing of HTTP, runtimes or rules.

pub mod agents;
pub mod audit;
pub mod channels;
pub mod conversations;
pub mod credits;
pub mod decisions;
pub mod events;
pub mod instance;
pub mod keys;
mod migrations;
pub mod policies;
mod readers;
pub mod requests;
pub mod sandboxes;
pub mod turns;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fountain_core::id::Seq;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::oneshot;

use readers::Readers;
pub use writer::Tx;
use writer::Writer;

/// A connection that reads what is committed.
pub type Reading = Connection;

/// The key of a conversation's row: shorter than its id, for the rows that are many.
pub type Key = i64;

/// What can go wrong with the file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// SQLite says no: disk full, a damaged file, a constraint.
    #[error("the database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The commit of a group failed; nothing of it was stored.
    #[error("the database did not commit: {0}")]
    Commit(String),
    /// A fault of this program: the job's panic is in the log.
    #[error("the database: a job panicked; nothing of it was stored")]
    Panicked,
    /// The store is closed.
    #[error("the database is closed")]
    Closed,
}

/// Why the file could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A newer program wrote it.
    #[error(
        "{path} was written by a newer Fountain (database version {found}; this one knows {known}). \
         Upgrade this program; the file was not touched."
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest we know.
        known: i64,
    },
    /// SQLite says no.
    #[error("{path} could not be opened: {cause}")]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: rusqlite::Error,
    },
}

/// Is told after each commit which logs grew, and to where.
pub type Committed = dyn Fn(&[(Key, Seq)]) + Send;

/// The store; cheap to clone.
#[derive(Clone)]
pub struct Store {
    writer: Writer,
    readers: Arc<Readers>,
}

impl Store {
    /// Opens the file, makes it when it is not there, brings it up to date, and starts the writer thread.
    ///
    /// # Errors
    /// When the file is newer than this program, or SQLite cannot use it.
    pub fn open(path: &Path, committed: Box<Committed>) -> Result<Self, OpenError> {
        let failed = |cause| OpenError::Sqlite {
            path: path.to_owned(),
            cause,
        };
        // A connection that may write would fold a write-ahead log into the file, or change its mode, so the
        // first look is one that only reads.
        if path.exists() {
            let found = connect(path, true).and_then(|look| migrations::newer(&look));
            if let Some(migrations::Newer { found, known }) = found.map_err(failed)? {
                return Err(OpenError::Newer {
                    path: path.to_owned(),
                    found,
                    known,
                });
            }
        }
        let mut connection = connect(path, false).map_err(failed)?;
        migrations::apply(&mut connection).map_err(failed)?;
        let writer = Writer::start(connection, committed).map_err(failed)?;
        Ok(Self {
            writer,
            readers: Arc::new(Readers::new(path)),
        })
    }

    /// Runs a job on the writer thread and waits for the commit it is part of. Jobs run in the order in which
    /// they were given.
    ///
    /// # Errors
    /// The job's own error (nothing of it is then stored), or the commit's.
    pub async fn write<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.writer
            .submit(None, job)
            .await
            .unwrap_or(Err(Error::Closed))
    }

    /// Queues a job at once and gives the promise of its commit: for updates, which wait for none. When it is not
    /// stored, `lost` is set before any later job runs.
    pub fn submit<T: Send + 'static>(
        &self,
        lost: &Arc<AtomicBool>,
        job: impl FnOnce(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> oneshot::Receiver<Result<T, Error>> {
        self.writer.submit(Some(Arc::clone(lost)), job)
    }

    /// Reads what is committed, on a thread of its own.
    ///
    /// # Errors
    /// SQLite's.
    pub async fn read<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let readers = Arc::clone(&self.readers);
        tokio::task::spawn_blocking(move || readers.with(job))
            .await
            .unwrap_or(Err(Error::Closed))
    }

    /// Whether the file can be read, and written. A write is tried only after one that failed, so that asking costs
    /// the disk nothing.
    ///
    /// # Errors
    /// What does not work.
    pub async fn check(&self) -> Result<(), Error> {
        self.read(|db| Ok(db.query_row("SELECT last FROM sequence", [], |_| Ok(()))?))
            .await?;
        if self.writer.failing() {
            // More than a page: room for a row that fits where one was does not mean that the disk has any.
            self.write(|tx| {
                tx.execute(
                    "INSERT INTO instance VALUES ('check', hex(zeroblob(8192)))",
                    [],
                )?;
                tx.execute("DELETE FROM instance WHERE key = 'check'", [])
            })
            .await?;
        }
        Ok(())
    }

    /// Ends the writer after what is queued, and folds the write-ahead log into the file.
    pub async fn close(&self) {
        self.writer.close().await;
    }
}

fn connect(path: &Path, read_only: bool) -> rusqlite::Result<Connection> {
    let access = if read_only {
        OpenFlags::SQLITE_OPEN_READ_ONLY
    } else {
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE
    };
    let connection = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.pragma_update(None, "foreign_keys", true)?;
    if !read_only {
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // An answer that was accepted survives a power cut.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "wal_autocheckpoint", 4_000)?;
        connection.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)?;
    }
    connection.pragma_update(None, "cache_size", if read_only { -1_000 } else { -4_000 })?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

#[cfg(test)]
mod tests;
