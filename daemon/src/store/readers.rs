//! A few read-only connections, lent for one job each.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::Connection;

use super::{Error, connect};

/// How many idle connections are kept.
const KEPT: usize = 4;

pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            idle: Mutex::new(Vec::new()),
        }
    }

    pub(super) fn with<T>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let idle = self.idle.lock().map_or(None, |mut idle| idle.pop());
        let connection = match idle {
            Some(connection) => connection,
            None => connect(&self.path, true)?,
        };
        let result = job(&connection);
        if let Ok(mut idle) = self.idle.lock()
            && idle.len() < KEPT
        {
            idle.push(connection);
        }
        result
    }
}
