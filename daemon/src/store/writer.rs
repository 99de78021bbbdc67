//! The one thread that writes. What is queued while a commit runs becomes the next commit, so many small writes
//! cost one disk flush.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use fountain_core::id::Seq;
use rusqlite::{CachedStatement, Connection, Params};
use tokio::sync::oneshot;

use super::{Committed, Error, Key};

/// The most jobs in one commit: bounds the time until the first of them is told.
const GROUP: usize = 512;

/// What a job does inside the transaction, if there is one, and what it does once the commit is decided.
type Done = Box<dyn FnOnce(Result<(), &str>) + Send>;
type Job = Box<dyn FnOnce(Option<&mut Tx<'_>>) -> Done + Send>;

enum Order {
    Job(Job),
    Close(oneshot::Sender<()>),
}

#[derive(Clone)]
pub(super) struct Writer {
    orders: mpsc::Sender<Order>,
    /// Whether anything of the newest group was not stored.
    failing: Arc<AtomicBool>,
}

/// A job's view of the open transaction.
pub struct Tx<'a> {
    connection: &'a Connection,
    last: &'a mut i64,
    grown: &'a mut Vec<(Key, Seq)>,
    /// Why the whole transaction is gone, when it is: SQLite takes it back by itself when the disk is full or fails.
    gone: &'a mut Option<String>,
    /// Set when a job of this transaction failed.
    failed: &'a mut bool,
}

impl Tx<'_> {
    /// The connection, for reading inside the transaction.
    pub fn connection(&self) -> &Connection {
        self.connection
    }

    /// Runs one statement.
    pub(super) fn execute(&self, sql: &str, params: impl Params) -> Result<usize, Error> {
        Ok(self.statement(sql)?.execute(params)?)
    }

    pub(super) fn statement(&self, sql: &str) -> Result<CachedStatement<'_>, Error> {
        Ok(self.connection.prepare_cached(sql)?)
    }

    /// The newest event of the database.
    pub fn last(&self) -> Seq {
        Seq(*self.last)
    }

    /// Takes the next event id, for the log of one conversation.
    pub(super) fn next(&mut self, conversation: Key) -> Seq {
        *self.last += 1;
        let seq = Seq(*self.last);
        match self.grown.iter_mut().find(|(key, _)| *key == conversation) {
            Some((_, newest)) => *newest = seq,
            None => self.grown.push((conversation, seq)),
        }
        seq
    }
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        committed: Box<Committed>,
    ) -> rusqlite::Result<Self> {
        let last = connection.query_row("SELECT last FROM sequence", [], |row| row.get(0))?;
        let (orders, inbox) = mpsc::channel();
        let failing = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&failing);
        thread::Builder::new()
            .name("store".into())
            .spawn(move || write(connection, last, &inbox, &committed, &told))
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        Ok(Self { orders, failing })
    }

    pub(super) fn failing(&self) -> bool {
        self.failing.load(Ordering::Acquire)
    }

    pub(super) fn submit<T: Send + 'static>(
        &self,
        lost: Option<Arc<AtomicBool>>,
        job: impl FnOnce(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> oneshot::Receiver<Result<T, Error>> {
        let (answer, promise) = oneshot::channel();
        let job: Job = Box::new(move |tx| {
            // A job that fails takes back what it did and leaves the others alone.
            let result = tx.map(|tx| savepoint(tx, job));
            // Set on this thread, before the next job runs: whatever follows knows.
            let lose = move || {
                if let Some(lost) = &lost {
                    lost.store(true, Ordering::Release);
                }
            };
            if !matches!(result, Some(Ok(_))) {
                lose();
            }
            Box::new(move |commit| {
                let result = match (commit, result) {
                    (Ok(()), Some(result)) => result,
                    (Ok(()), None) => Err(Error::Closed),
                    (Err(cause), _) => {
                        lose();
                        Err(Error::Commit(cause.to_owned()))
                    }
                };
                let _ = answer.send(result);
            })
        });
        // A closed writer drops the job and with it the promise's other half.
        let _ = self.orders.send(Order::Job(job));
        promise
    }

    pub(super) async fn close(&self) {
        let (answer, done) = oneshot::channel();
        if self.orders.send(Order::Close(answer)).is_ok() {
            let _ = done.await;
        }
    }
}

fn savepoint<T>(
    tx: &mut Tx<'_>,
    job: impl FnOnce(&mut Tx<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let (last, grown) = (*tx.last, tx.grown.clone());
    tx.execute("SAVEPOINT job", [])?;
    // Safe to look at afterwards: whatever a job that panicked did is taken back below, like that of one that failed.
    let ran = panic::catch_unwind(AssertUnwindSafe(|| job(tx)));
    let result = ran.unwrap_or(Err(Error::Panicked)).and_then(|value| {
        tx.execute("RELEASE job", [])?;
        Ok(value)
    });
    if let Err(error) = &result {
        *tx.failed = true;
        (*tx.last, *tx.grown) = (last, grown);
        if tx.connection.is_autocommit() {
            *tx.gone = Some(error.to_string());
        } else {
            tx.connection
                .execute_batch("ROLLBACK TO job; RELEASE job")?;
        }
    }
    result
}

fn write(
    connection: Connection,
    mut last: i64,
    inbox: &mpsc::Receiver<Order>,
    committed: &Committed,
    failing: &AtomicBool,
) {
    let mut grown = Vec::new();
    while let Ok(first) = inbox.recv() {
        let mut closing = None;
        let mut dones: Vec<Done> = Vec::new();
        let before = last;
        let began = connection.execute_batch("BEGIN IMMEDIATE");
        let mut gone = began.err().map(|error| error.to_string());
        let mut failed = false;
        let mut next = Some(first);
        while let Some(order) = next {
            match order {
                Order::Job(job) => {
                    let mut tx = Tx {
                        connection: &connection,
                        last: &mut last,
                        grown: &mut grown,
                        gone: &mut gone,
                        failed: &mut failed,
                    };
                    // Outside a transaction a job would commit by itself, and be told that it did not.
                    let open = tx.gone.is_none();
                    dones.push(job(open.then_some(&mut tx)));
                }
                Order::Close(answer) => {
                    closing = Some(answer);
                    break;
                }
            }
            next = if dones.len() < GROUP {
                inbox.try_recv().ok()
            } else {
                None
            };
        }
        let result = match gone {
            Some(cause) => Err(cause),
            None => commit(&connection, before, last).map_err(|error| error.to_string()),
        };
        failing.store(failed || result.is_err(), Ordering::Release);
        if let Err(cause) = &result {
            tracing::error!(cause, jobs = dones.len(), "the database did not commit");
            if !connection.is_autocommit() {
                let _ = connection.execute_batch("ROLLBACK");
            }
            last = before;
        } else if !grown.is_empty() {
            committed(&grown);
        }
        grown.clear();
        let cause = result.err();
        for done in dones {
            done(cause.as_deref().map_or(Ok(()), Err));
        }
        if let Some(answer) = closing {
            let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
            drop(connection);
            let _ = answer.send(());
            return;
        }
    }
}

fn commit(connection: &Connection, before: i64, last: i64) -> rusqlite::Result<()> {
    if last != before {
        connection
            .prepare_cached("UPDATE sequence SET last = ?1")?
            .execute([last])?;
    }
    connection.execute_batch("COMMIT")
}
