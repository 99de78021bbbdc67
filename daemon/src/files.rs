//! Files of sandboxes for whoever asks over HTTP: read off the threads that answer.

use std::io;
use std::path::PathBuf;

use fountain_core::id::SandboxId;

use crate::app::App;
pub(crate) use crate::sandbox::files::{Entry, Refused};
use crate::sandbox::{Disk, files};

/// Reads a file of a sandbox, as long as a request may be at most.
///
/// # Errors
/// Says why not.
pub(crate) async fn read(app: &App, sandbox: SandboxId, path: PathBuf) -> Result<Vec<u8>, Refused> {
    let longest = app.settings().limits.max_body;
    aside(app.disk(sandbox), move |disk| {
        files::read(disk, &path, longest)
    })
    .await
}

/// Lists a folder of a sandbox.
///
/// # Errors
/// Says why not.
pub(crate) async fn list(
    app: &App,
    sandbox: SandboxId,
    path: PathBuf,
) -> Result<Vec<Entry>, Refused> {
    aside(app.disk(sandbox), move |disk| files::list(disk, &path)).await
}

async fn aside<T: Send + 'static>(
    disk: Disk,
    look: impl FnOnce(&Disk) -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    tokio::task::spawn_blocking(move || look(&disk))
        .await
        .unwrap_or_else(|error| Err(Refused::Io(io::Error::other(error))))
}
