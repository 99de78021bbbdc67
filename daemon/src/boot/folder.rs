//! The data directory: only its owner may enter, and one daemon at a time holds it.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{Read as _, Seek as _, Write as _};
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::NotStarted;

/// How long a daemon that was killed this very moment may still hold its lock.
const LEAVING: Duration = Duration::from_millis(500);

/// The lock on a data directory. The kernel lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock(File);

/// Makes the directory if it is missing, and closes it to others. Gives its real path.
pub(super) fn make(dir: &Path) -> Result<PathBuf, NotStarted> {
    let failed = |what: &str, error: std::io::Error| {
        NotStarted::new(format!(
            "the data directory {} {what}: {error}",
            dir.display()
        ))
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(|error| failed("cannot be made", error))?;
    let mode = fs::metadata(dir)
        .map_err(|error| failed("cannot be read", error))?
        .permissions()
        .mode();
    if mode & 0o077 != 0 {
        fs::set_permissions(dir, fs::Permissions::from_mode(0o700))
            .map_err(|error| failed("cannot be closed to others", error))?;
        tracing::warn!(dir = %dir.display(), "the data directory was open to others; it is closed now");
    }
    fs::canonicalize(dir).map_err(|error| failed("cannot be resolved", error))
}

/// Takes the lock.
pub(super) fn lock(dir: &Path) -> Result<Lock, NotStarted> {
    let path = dir.join("lock");
    let failed = |error: std::io::Error| {
        NotStarted::new(format!("{} cannot be locked: {error}", path.display()))
    };
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)
        .map_err(failed)?;
    let until = Instant::now() + LEAVING;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Lock(file)),
            Err(fs::TryLockError::WouldBlock) if Instant::now() < until => {
                thread::sleep(Duration::from_millis(20));
            }
            Err(fs::TryLockError::WouldBlock) => break,
            Err(fs::TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
    let mut holder = String::new();
    let _ = file.read_to_string(&mut holder);
    let holder = holder.trim();
    let who = if holder.is_empty() {
        "another daemon".to_owned()
    } else {
        holder.to_owned()
    };
    Err(NotStarted::new(format!(
        "the data directory {} is in use by {who}",
        dir.display()
    ))
    .hint("one daemon serves a data directory; stop that one, or choose another with --data-dir"))
}

impl Lock {
    /// Writes who holds it and where it listens: whoever is refused is told, and a command finds its instance again.
    pub(super) fn tell(&self, address: SocketAddr) {
        let mut file = &self.0;
        let line = format!(
            "the Fountain at http://{address}, process {}\n",
            std::process::id()
        );
        let written = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(line.as_bytes()));
        if let Err(error) = written {
            tracing::warn!(%error, "the lock could not be labelled");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_refused_and_told_who_holds_it() {
        let dir = tempfile::tempdir().unwrap();
        let first = lock(dir.path()).unwrap();
        first.tell("127.0.0.1:4780".parse().unwrap());
        let refused = lock(dir.path()).unwrap_err();
        assert!(
            refused.sentence.contains("http://127.0.0.1:4780"),
            "{refused}"
        );
        drop(first);
        assert!(lock(dir.path()).is_ok());
    }

    #[test]
    fn an_open_directory_is_closed() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("data");
        fs::create_dir(&inner).unwrap();
        fs::set_permissions(&inner, fs::Permissions::from_mode(0o755)).unwrap();
        make(&inner).unwrap();
        assert_eq!(
            fs::metadata(&inner).unwrap().permissions().mode() & 0o777,
            0o700
        );
    }
}
