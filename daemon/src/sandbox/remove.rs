//! Removes a folder and all below it, whatever an agent made of it: never through a link, however deep, and also
//! what was made read-only. Folders are moved up and emptied one by one, so depth costs neither stack nor descriptors.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, fchmod, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use uuid::Uuid;

/// Removes the folder `name` of `parent`. One that is not there is fine; a link of that name is only unlinked.
pub(super) fn folder(parent: &Path, name: &str) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let parent = match openat(CWD, parent, flags, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(()),
        parent => parent?,
    };
    let name = CString::new(name)?;
    let root = match open(parent.as_fd(), &name) {
        Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTDIR | Errno::LOOP) => return Ok(unlinkat(&parent, name, AtFlags::empty())?),
        root => root?,
    };
    loop {
        let entries = entries(root.as_fd())?;
        if entries.is_empty() {
            return Ok(unlinkat(&parent, name, AtFlags::REMOVEDIR)?);
        }
        for entry in entries {
            remove(root.as_fd(), &entry)?;
        }
    }
}

struct Entry {
    name: CString,
    folder: bool,
}

/// Removes one entry of the root. The folders in it become entries of the root, under names nobody guesses.
fn remove(root: BorrowedFd<'_>, entry: &Entry) -> io::Result<()> {
    if !entry.folder {
        return Ok(unlinkat(root, &entry.name, AtFlags::empty())?);
    }
    let folder = open(root, &entry.name)?;
    for inner in entries(folder.as_fd())? {
        if inner.folder {
            // A folder that may not be written to may not be moved either.
            open(folder.as_fd(), &inner.name)?;
            renameat(&folder, &inner.name, root, format!(".{}", Uuid::new_v4()))?;
        } else {
            unlinkat(&folder, &inner.name, AtFlags::empty())?;
        }
    }
    Ok(unlinkat(root, &entry.name, AtFlags::REMOVEDIR)?)
}

fn entries(folder: BorrowedFd<'_>) -> io::Result<Vec<Entry>> {
    let mut found = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let folder = match entry.file_type() {
            FileType::Unknown => {
                let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
                FileType::from_raw_mode(stat.st_mode) == FileType::Directory
            }
            kind => kind == FileType::Directory,
        };
        found.push(Entry {
            name: name.to_owned(),
            folder,
        });
    }
    Ok(found)
}

/// Opens a folder, never a link to one, and takes every right to it.
fn open(parent: BorrowedFd<'_>, name: &CString) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match openat(parent, name, flags, Mode::empty()) {
        Err(Errno::ACCESS) => {
            unlock(parent, name)?;
            openat(parent, name, flags, Mode::empty())?
        }
        folder => folder?,
    };
    fchmod(&folder, Mode::RWXU)?;
    Ok(folder)
}

/// Changes the mode of a folder that cannot be opened for reading.
#[cfg(target_os = "linux")]
fn unlock(parent: BorrowedFd<'_>, name: &CString) -> rustix::io::Result<()> {
    use std::os::fd::AsRawFd as _;

    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(parent, name, flags, Mode::empty())?;
    let path = format!("/proc/self/fd/{}", folder.as_raw_fd());
    rustix::fs::chmod(path, Mode::RWXU)
}

#[cfg(not(target_os = "linux"))]
fn unlock(parent: BorrowedFd<'_>, name: &CString) -> rustix::io::Result<()> {
    rustix::fs::chmodat(parent, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW)
}
