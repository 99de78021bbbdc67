//! The `directory` kind: a private HOME and workspace, a clean environment, a session of its own, no core dumps.
//! It isolates nothing: the agent is the user.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::{Capabilities, Disk, Kind, Launch, Process, control, init, remove, sweep};

/// What Linux appends to the path of a running program that was replaced.
const DELETED: &[u8] = b" (deleted)";

/// Sandboxes that are plain folders.
#[derive(Debug, Clone)]
pub struct Directory {
    init: Vec<OsString>,
}

impl Directory {
    /// Makes the kind; the running program is also the first process of its sandboxes.
    pub fn new() -> io::Result<Self> {
        Ok(Self::with_init(running_program()?, [init::COMMAND.into()]))
    }

    /// Makes the kind with another first process, which is given `-- PROGRAM ARGS…` after its arguments.
    pub fn with_init(
        program: impl Into<OsString>,
        args: impl IntoIterator<Item = OsString>,
    ) -> Self {
        let init = std::iter::once(program.into()).chain(args).collect();
        Self { init }
    }
}

impl Kind for Directory {
    fn name(&self) -> &'static str {
        "directory"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            isolation: false,
            network_policy: false,
            suspend: true,
            files: true,
            shell: true,
            memory_limit: false,
        }
    }

    fn provision(&self, disk: &Disk) -> io::Result<()> {
        disk.create()?;
        link(&installed_program()?, &disk.bin().join("fountain"))
    }

    fn install(&self, disk: &Disk, name: &str) -> io::Result<()> {
        let fresh = disk.bin().join(format!(".{}", Uuid::new_v4()));
        fs::copy(running_program()?, &fresh)
            .and_then(|_| fs::rename(&fresh, disk.bin().join(name)))
            .inspect_err(|_| {
                let _ = fs::remove_file(&fresh);
            })
    }

    fn start(&self, _disk: &Disk, launch: &Launch) -> io::Result<Process> {
        control::start(&self.init, launch)
    }

    fn destroy(&self, disk: &Disk) -> io::Result<()> {
        sweep::sweep(&disk.marker_prefix());
        remove::folder(disk.sandboxes(), &disk.name())
    }
}

/// Names the very program that runs, even after an upgrade replaced its file: both sides must speak alike.
#[cfg(target_os = "linux")]
fn running_program() -> io::Result<PathBuf> {
    Ok(PathBuf::from("/proc/self/exe"))
}

#[cfg(not(target_os = "linux"))]
fn running_program() -> io::Result<PathBuf> {
    std::env::current_exe()
}

/// Names the program by a path that others can use, the new one after an upgrade.
fn installed_program() -> io::Result<PathBuf> {
    Ok(usable(std::env::current_exe()?))
}

fn usable(path: PathBuf) -> PathBuf {
    match path.as_os_str().as_bytes().strip_suffix(DELETED) {
        Some(before) if !path.exists() => PathBuf::from(OsString::from_vec(before.to_vec())),
        _ => path,
    }
}

/// Points a link at the target, whatever file was there. There is no moment without the link.
fn link(target: &Path, link: &Path) -> io::Result<()> {
    if fs::read_link(link).is_ok_and(|found| found == target) {
        return Ok(());
    }
    let fresh = link.with_file_name(format!(".{}", Uuid::new_v4()));
    symlink(target, &fresh)?;
    fs::rename(&fresh, link).inspect_err(|_| {
        let _ = fs::remove_file(&fresh);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replaced_program_is_found_by_its_old_path() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("fountain");
        let marked = folder.path().join("fountain (deleted)");
        assert_eq!(usable(program.clone()), program);
        assert_eq!(usable(marked.clone()), program);
        fs::write(&marked, "").unwrap();
        assert_eq!(usable(marked.clone()), marked);
    }

    #[test]
    fn a_link_is_corrected() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("fountain");
        for target in ["/a", "/a", "/b"] {
            link(Path::new(target), &place).unwrap();
            assert_eq!(fs::read_link(&place).unwrap(), Path::new(target));
        }
        fs::remove_file(&place).unwrap();
        fs::write(&place, "an agent's own").unwrap();
        link(Path::new("/a"), &place).unwrap();
        assert_eq!(fs::read_link(&place).unwrap(), Path::new("/a"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
