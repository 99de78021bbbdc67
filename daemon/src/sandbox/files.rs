//! Files of a sandbox, read from outside: never through a link that leads out of it, never a device or a pipe.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, fstat, openat, statat};

use super::Disk;

/// The most entries of a folder that are told.
const ENTRIES: usize = 10_000;

/// What is in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// `file`, `directory`, `symlink` or `other`.
    pub kind: &'static str,
    /// In bytes, of a file.
    pub size: Option<u64>,
}

/// Why nothing is told.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// It is not there, or leads out of the sandbox.
    #[error("there is no such file in the sandbox")]
    Absent,
    /// A folder was asked for as a file, or the other way round.
    #[error("it is no {0}")]
    Kind(&'static str),
    /// Longer than what is read.
    #[error("the file is larger than {0} bytes")]
    Large(u64),
    /// The system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads a file, of at most `longest` bytes.
///
/// # Errors
/// Says why not.
pub fn read(disk: &Disk, path: &Path, longest: u64) -> Result<Vec<u8>, Refused> {
    // A pipe without a writer would keep us waiting.
    let file = open(disk, path, OFlags::NONBLOCK)?;
    let found = fstat(&file).map_err(io::Error::from)?;
    if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
        return Err(Refused::Kind("file"));
    }
    let mut bytes = Vec::new();
    // What grows meanwhile is cut off, and told.
    let most = longest.saturating_add(1);
    File::from(file).take(most).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > longest) {
        return Err(Refused::Large(longest));
    }
    Ok(bytes)
}

/// Lists a folder, by name.
///
/// # Errors
/// Says why not.
pub fn list(disk: &Disk, path: &Path) -> Result<Vec<Entry>, Refused> {
    let folder = open(disk, path, OFlags::DIRECTORY)?;
    let mut entries = Vec::new();
    for entry in Dir::read_from(&folder).map_err(io::Error::from)? {
        let entry = entry.map_err(io::Error::from)?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        // It may have gone since.
        let Ok(found) = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
            continue;
        };
        let kind = match FileType::from_raw_mode(found.st_mode) {
            FileType::RegularFile => "file",
            FileType::Directory => "directory",
            FileType::Symlink => "symlink",
            _ => "other",
        };
        entries.push(Entry {
            name: name.to_string_lossy().into_owned(),
            kind,
            size: (kind == "file").then(|| u64::try_from(found.st_size).unwrap_or(0)),
        });
        if entries.len() >= ENTRIES {
            break;
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// The path below the disk: relative to it, or as the agent sees it.
fn below(disk: &Disk, path: &Path) -> Option<PathBuf> {
    let inner = match path.strip_prefix(disk.root()) {
        Ok(inner) => inner,
        Err(_) if path.is_relative() => path,
        Err(_) => return None,
    };
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    inner
        .components()
        .all(plain)
        .then(|| Path::new(".").join(inner))
}

fn open(disk: &Disk, path: &Path, flags: OFlags) -> Result<OwnedFd, Refused> {
    let inner = below(disk, path).ok_or(Refused::Absent)?;
    let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let root = openat(CWD, disk.root(), folder, Mode::empty()).map_err(|_| Refused::Absent)?;
    let flags = flags | OFlags::RDONLY | OFlags::CLOEXEC;
    beneath(&root, &inner, flags).map_err(|error| match error.kind() {
        io::ErrorKind::NotADirectory if flags.contains(OFlags::DIRECTORY) => {
            Refused::Kind("folder")
        }
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::CrossesDevices => {
            Refused::Absent
        }
        _ => Refused::Io(error),
    })
}

#[cfg(target_os = "linux")]
fn beneath(root: &OwnedFd, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    use rustix::fs::{ResolveFlags, openat2};
    let within = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    Ok(openat2(root, path, flags, Mode::empty(), within)?)
}

/// Where the kernel cannot keep a path below a folder, no link is followed at all.
#[cfg(not(target_os = "linux"))]
fn beneath(root: &OwnedFd, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let mut at = root.try_clone()?;
    let parts: Vec<_> = path.components().collect();
    for (depth, part) in parts.iter().enumerate() {
        let last = depth + 1 == parts.len();
        let kind = if last {
            flags
        } else {
            OFlags::DIRECTORY | OFlags::CLOEXEC
        };
        at = openat(
            &at,
            part.as_os_str(),
            kind | OFlags::NOFOLLOW,
            Mode::empty(),
        )?;
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use uuid::Uuid;

    use super::*;

    fn disk(folder: &Path) -> Disk {
        let disk = Disk::new(folder, Uuid::nil());
        disk.create().unwrap();
        disk
    }

    fn text(disk: &Disk, path: impl AsRef<Path>) -> Option<String> {
        let bytes = read(disk, path.as_ref(), 100).ok()?;
        Some(String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn a_file_is_read_and_nothing_outside_is() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secret"), "outside").unwrap();
        let disk = disk(folder.path());
        let inside = disk.workspace().join("a.txt");
        std::fs::write(&inside, "inside").unwrap();
        symlink("a.txt", disk.workspace().join("good")).unwrap();
        symlink("../../secret", disk.workspace().join("bad")).unwrap();
        symlink("/etc/passwd", disk.workspace().join("worse")).unwrap();
        symlink("/", disk.workspace().join("top")).unwrap();
        for path in ["workspace/a.txt", "./workspace/a.txt", "workspace/good"] {
            assert_eq!(text(&disk, path).as_deref(), Some("inside"), "{path}");
        }
        assert_eq!(text(&disk, &inside).as_deref(), Some("inside"));
        for path in [
            "workspace/bad",
            "workspace/worse",
            "workspace/top/etc/passwd",
            "workspace/../../secret",
            "../secret",
            "/etc/passwd",
            "workspace/none",
            "workspace",
            "workspace/a.txt/x",
            "",
        ] {
            assert_eq!(text(&disk, path), None, "{path}");
        }
        assert!(matches!(
            read(&disk, Path::new("workspace/a.txt"), 5),
            Err(Refused::Large(5))
        ));
        assert_eq!(
            read(&disk, Path::new("workspace/a.txt"), 6).unwrap().len(),
            6
        );
    }

    #[test]
    fn a_pipe_keeps_nobody_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let disk = disk(folder.path());
        let pipe = disk.workspace().join("pipe");
        rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert!(matches!(read(&disk, &pipe, 5), Err(Refused::Kind("file"))));
    }

    #[test]
    fn a_folder_tells_what_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let disk = disk(folder.path());
        std::fs::write(disk.workspace().join("b"), "xyz").unwrap();
        std::fs::create_dir(disk.workspace().join("a")).unwrap();
        symlink("/etc", disk.workspace().join("c")).unwrap();
        let found = list(&disk, Path::new("workspace")).unwrap();
        let told: Vec<(&str, &str, Option<u64>)> = found
            .iter()
            .map(|entry| (entry.name.as_str(), entry.kind, entry.size))
            .collect();
        assert_eq!(
            told,
            [
                ("a", "directory", None),
                ("b", "file", Some(3)),
                ("c", "symlink", None)
            ]
        );
        assert!(list(&disk, Path::new("workspace/c")).is_err());
        assert!(matches!(
            list(&disk, Path::new("workspace/b")),
            Err(Refused::Kind("folder"))
        ));
        assert_eq!(list(&disk, Path::new("")).unwrap().len(), 4);
    }
}
