//! The credentials file on the disk: 0600 in a 0700 directory, replaced as a whole, one writer at a time.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use fountain_core::credentials::{Credentials, Unwritable};

use crate::failure::Failure;

/// More is no credentials file.
const LONGEST: u64 = 1024 * 1024;

/// Reads the file; none is an empty one.
///
/// # Errors
/// When it is there and cannot be read or understood.
pub(crate) fn read(path: &Path) -> Result<Credentials, Failure> {
    match text(path) {
        Ok(None) => Ok(Credentials::default()),
        Ok(Some(text)) => Credentials::parse(&text).map_err(|damaged| {
            Failure::credentials(format!("{}: {damaged}", path.display()))
                .hint("correct the line, or move the file away and run `fountain auth login`")
        }),
        Err(error) => Err(Failure::credentials(format!(
            "cannot read {}: {error}",
            path.display()
        ))),
    }
}

/// Whether others can read the file, so that somebody is told.
pub(crate) fn is_open_to_others(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|meta| meta.permissions().mode() & 0o077 != 0)
}

/// Changes the file: it is read anew, changed, and put in its place at once. Two processes that change it at
/// the same time wait for each other.
///
/// # Errors
/// When it cannot be read, understood or written; the file is as it was then.
pub(crate) fn change<T>(
    path: &Path,
    change: impl FnOnce(&mut Credentials) -> Result<T, Failure>,
) -> Result<T, Failure> {
    // A link, to a folder of settings for example, stays one.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let failed =
        |error: io::Error| Failure::failed(format!("cannot write {}: {error}", path.display()));
    let dir = parent(&path);
    make_dir(&dir).map_err(failed)?;
    let lock = File::open(&dir).map_err(failed)?;
    lock.lock().map_err(failed)?;
    let mut credentials = read(&path)?;
    let done = change(&mut credentials)?;
    replace(&path, &dir, &credentials.render()).map_err(failed)?;
    Ok(done)
}

impl From<Unwritable> for Failure {
    fn from(unwritable: Unwritable) -> Self {
        Self::usage(unwritable.to_string())
    }
}

/// Makes a directory only its owner can enter, and those above it.
pub(crate) fn make_dir(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

fn text(path: &Path) -> io::Result<Option<String>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut text = String::new();
    file.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(io::Error::other("it is too long for a credentials file"));
    }
    Ok(Some(text))
}

fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn replace(path: &Path, dir: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let fresh = dir.join(format!(".{name}.{}.new", std::process::id()));
    // A file that an earlier process of this id left behind is not written into.
    let _ = std::fs::remove_file(&fresh);
    let written = write(&fresh, path, text).and_then(|()| std::fs::rename(&fresh, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&fresh);
        return written;
    }
    // The name is on the disk too once the directory is; where that cannot be, the rename still counts.
    let _ = File::open(dir).and_then(|dir| dir.sync_all());
    Ok(())
}

fn write(fresh: &Path, old: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(fresh)?;
    // What its owner made tighter stays so.
    if let Ok(meta) = old.metadata() {
        file.set_permissions(Permissions::from_mode(meta.permissions().mode() & 0o600))?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use fountain_core::credentials::Profile;
    use fountain_core::settings::Secret;

    use super::*;

    fn with_key(key: &str) -> Profile {
        Profile {
            api_key: Some(Secret::new(key)),
            ..Profile::default()
        }
    }

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    fn save(path: &Path, name: &str) -> Result<(), Failure> {
        change(path, |file| Ok(file.set(name, &with_key("ftn_k"))?))
    }

    #[test]
    fn a_file_is_made_for_its_owner_alone() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(".fountain/credentials");
        assert_eq!(read(&path).unwrap(), Credentials::default());
        save(&path, "default").unwrap();
        save(&path, "work").unwrap();
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        assert!(!is_open_to_others(&path));
        assert_eq!(read(&path).unwrap().names(), ["default", "work"]);
        let left: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().collect();
        assert_eq!(left.len(), 1);
    }

    #[test]
    fn what_was_open_is_closed_and_what_was_tighter_stays() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("credentials");
        for (before, after) in [(0o644, 0o600), (0o400, 0o400)] {
            std::fs::write(&path, "[a]\n").unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(before)).unwrap();
            assert_eq!(is_open_to_others(&path), before == 0o644);
            save(&path, "b").unwrap();
            assert_eq!(mode(&path), after);
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn a_link_stays_a_link() {
        let home = tempfile::tempdir().unwrap();
        let (real, link) = (home.path().join("real"), home.path().join("link"));
        std::fs::write(&real, "").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        save(&link, "a").unwrap();
        assert!(link.is_symlink());
        assert_eq!(read(&real).unwrap().names(), ["a"]);
    }

    #[test]
    fn a_damaged_file_is_refused_and_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("credentials");
        std::fs::write(&path, "[default]\nftn_secret\n").unwrap();
        let failure = save(&path, "a").unwrap_err();
        assert_eq!(failure.kind.code(), 4);
        assert!(
            failure.message.contains("line 2") && !failure.message.contains("ftn_secret"),
            "{failure}"
        );
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "[default]\nftn_secret\n"
        );
    }

    #[test]
    fn writers_wait_for_each_other() {
        let home = tempfile::tempdir().unwrap();
        let path = &home.path().join("f/credentials");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                scope.spawn(move || {
                    (0..5).for_each(|at| save(path, &format!("p{writer}{at}")).unwrap());
                });
            }
        });
        assert_eq!(read(path).unwrap().names().len(), 40);
    }
}
