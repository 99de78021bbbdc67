//! The folders of one sandbox: where they are, and how they come into being. Private from the first moment.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// Only the daemon's user may enter.
const PRIVATE: u32 = 0o700;

/// The disk of one sandbox, a folder named by its id below the sandboxes folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disk {
    sandboxes: PathBuf,
    id: Uuid,
}

impl Disk {
    /// Names the disk of a sandbox; nothing is created yet. The folder must be absolute.
    pub fn new(sandboxes: &Path, id: Uuid) -> Self {
        Self {
            sandboxes: sandboxes.to_owned(),
            id,
        }
    }

    /// Returns the folder all disks are in.
    pub fn sandboxes(&self) -> &Path {
        &self.sandboxes
    }

    /// Returns the disk's own name below [`Disk::sandboxes`].
    pub fn name(&self) -> String {
        self.id.to_string()
    }

    /// Returns the folder that holds everything of this sandbox.
    pub fn root(&self) -> PathBuf {
        self.sandboxes.join(self.name())
    }

    /// Returns the agent's HOME.
    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    /// Returns where the agent starts unless it is told otherwise.
    pub fn workspace(&self) -> PathBuf {
        self.root().join("workspace")
    }

    /// Returns the folder for temporary files.
    pub fn tmp(&self) -> PathBuf {
        self.root().join("tmp")
    }

    /// Returns the folder that comes first on the agent's PATH.
    pub fn bin(&self) -> PathBuf {
        self.root().join("bin")
    }

    /// Makes a marker for one start on this disk; it begins with [`Disk::marker_prefix`] and is never made twice.
    pub fn marker(&self) -> String {
        format!("{}{}", self.marker_prefix(), Uuid::new_v4())
    }

    /// Returns what the markers of all starts on this disk begin with.
    pub fn marker_prefix(&self) -> String {
        format!("{}/", self.root().display())
    }

    /// Creates the folders that are missing.
    pub(super) fn create(&self) -> io::Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(PRIVATE)
            .create(&self.sandboxes)?;
        for folder in [
            self.root(),
            self.home(),
            self.workspace(),
            self.tmp(),
            self.bin(),
        ] {
            private_folder(&folder)?;
        }
        Ok(())
    }
}

fn private_folder(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(PRIVATE).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        done => return done,
    }
    // An agent may have put a link to somewhere else in its place.
    let found = fs::symlink_metadata(path)?;
    if !found.is_dir() {
        let message = format!("{} is not a folder", path.display());
        return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
    }
    if found.permissions().mode() & 0o7777 != PRIVATE {
        fs::set_permissions(path, Permissions::from_mode(PRIVATE))?;
    }
    Ok(())
}
