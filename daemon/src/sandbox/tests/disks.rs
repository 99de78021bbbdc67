//! The folders of a sandbox: private, lasting, and removed without touching anything outside.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

fn mode(path: &PathBuf) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn folders(disk: &Disk) -> [PathBuf; 6] {
    [
        disk.sandboxes().to_owned(),
        disk.root(),
        disk.home(),
        disk.workspace(),
        disk.tmp(),
        disk.bin(),
    ]
}

#[test]
fn folders_are_private_and_provisioning_twice_changes_nothing() {
    let home = Home::new();
    fs::write(home.disk.workspace().join("kept"), "text").unwrap();
    fs::set_permissions(home.disk.home(), Permissions::from_mode(0o755)).unwrap();
    home.kind.provision(&home.disk).unwrap();
    for folder in folders(&home.disk) {
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
    }
    assert_eq!(
        fs::read_to_string(home.disk.workspace().join("kept")).unwrap(),
        "text"
    );
    let program = fs::read_link(home.disk.bin().join("fountain")).unwrap();
    assert_eq!(program, std::env::current_exe().unwrap());
}

#[test]
fn a_link_in_the_place_of_a_folder_is_refused() {
    let home = Home::new();
    fs::remove_dir(home.disk.workspace()).unwrap();
    symlink("/", home.disk.workspace()).unwrap();
    let error = home.kind.provision(&home.disk).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
}

#[tokio::test]
async fn files_persist_over_two_starts() {
    let home = Home::new();
    let mut first = home.script("echo one >file");
    assert_eq!(exited(&mut first).await, Exit::Code(0));
    home.kind.provision(&home.disk).unwrap();
    let mut second = home.script("pwd; cat file");
    let expected = format!("{}\none\n", home.disk.workspace().display());
    assert_eq!(all(&mut second.stdout).await, expected);
}

#[test]
fn destroying_follows_no_link_out() {
    let home = Home::new();
    let outside = home.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("precious"), "text").unwrap();
    symlink(&outside, home.disk.workspace().join("link")).unwrap();
    symlink(outside.join("precious"), home.disk.home().join("file")).unwrap();
    symlink("/no/such/place", home.disk.home().join("dangling")).unwrap();
    home.kind.destroy(&home.disk).unwrap();
    assert!(!home.disk.root().exists());

    // The whole disk replaced by a link: the link goes, and nothing else.
    symlink(&outside, home.disk.root()).unwrap();
    home.kind.destroy(&home.disk).unwrap();
    assert!(fs::symlink_metadata(home.disk.root()).is_err());
    assert_eq!(
        fs::read_to_string(outside.join("precious")).unwrap(),
        "text"
    );
}

#[test]
fn destroying_what_is_not_there_is_fine() {
    let home = Home::new();
    home.kind.destroy(&home.disk).unwrap();
    home.kind.destroy(&home.disk).unwrap();
    fs::remove_dir(home.disk.sandboxes()).unwrap();
    home.kind.destroy(&home.disk).unwrap();
}

#[test]
fn destroying_takes_locked_and_deep_folders_and_leaves_the_neighbour() {
    let home = Home::new();
    let neighbour = Disk::new(home.disk.sandboxes(), Uuid::new_v4());
    home.kind.provision(&neighbour).unwrap();

    let mut at = home.disk.workspace();
    for _ in 0..300 {
        at.push("deep");
        fs::create_dir(&at).unwrap();
    }
    for locked in [0o000, 0o500] {
        let cache = home.disk.home().join(format!("cache {locked}"));
        fs::create_dir_all(cache.join("inner/more")).unwrap();
        fs::write(cache.join("inner/file"), "text").unwrap();
        fs::set_permissions(cache.join("inner"), Permissions::from_mode(locked)).unwrap();
        fs::set_permissions(cache, Permissions::from_mode(locked)).unwrap();
    }
    home.kind.destroy(&home.disk).unwrap();
    assert!(!home.disk.root().exists());
    assert!(neighbour.bin().join("fountain").is_symlink());
}

#[tokio::test]
async fn destroying_ends_what_still_runs() {
    let home = Home::new();
    let mut process = home.script("echo $$; while :; do echo x >>file; done");
    let _held = process.stdin;
    let mut lines = Lines::of(process.stdout);
    lines.number().await;
    let (kind, disk) = (home.kind.clone(), home.disk.clone());
    tokio::task::spawn_blocking(move || kind.destroy(&disk))
        .await
        .unwrap()
        .unwrap();
    assert!(!home.disk.root().exists());
    assert_ne!(
        within("the exit", process.control.exited()).await,
        Exit::Code(0)
    );
    all(&mut process.stderr).await;
}
