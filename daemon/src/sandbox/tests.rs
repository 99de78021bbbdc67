//! What every kind must do, tried on real processes. The first process is this very test program, started again.

use std::ffi::OsString;
use std::future::Future;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::ChildStdout;
use uuid::Uuid;

use super::*;

mod disks;
mod streams;
mod trees;

/// Longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Acts as the first process where this program was started as one, and is an empty test otherwise.
#[test]
fn init_entry() {
    let mut args = std::env::args_os().skip_while(|arg| arg != init::COMMAND);
    if args.next().is_some() {
        let done = init::run(args);
        std::process::exit(i32::from(done.is_err()));
    }
}

/// A folder of its own with one sandbox in it.
struct Home {
    folder: TempDir,
    kind: Directory,
    disk: Disk,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("My Data ü ")
            .tempdir()
            .unwrap();
        let disk = Disk::new(&folder.path().join("sandboxes"), Uuid::new_v4());
        let kind = test_kind();
        kind.provision(&disk).unwrap();
        Self { folder, kind, disk }
    }

    fn launch(&self, command: &[&str]) -> Launch {
        Launch {
            program: command[0].into(),
            args: command[1..].iter().map(OsString::from).collect(),
            env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
            cwd: self.disk.workspace(),
            marker: self.disk.marker(),
        }
    }

    fn start(&self, command: &[&str]) -> Process {
        self.kind.start(&self.disk, &self.launch(command)).unwrap()
    }

    /// Starts a shell script.
    fn script(&self, script: &str) -> Process {
        self.start(&["sh", "-c", script])
    }
}

fn test_kind() -> Directory {
    let args = [
        "sandbox::tests::init_entry",
        "--exact",
        "--nocapture",
        "--",
        init::COMMAND,
    ];
    Directory::with_init(std::env::current_exe().unwrap(), args.map(OsString::from))
}

/// Reads everything, to the end of the stream.
async fn all(stream: &mut (impl tokio::io::AsyncRead + Unpin)) -> String {
    let mut text = String::new();
    within("the end of the stream", stream.read_to_string(&mut text))
        .await
        .unwrap();
    text
}

/// Reads lines as they come.
struct Lines(BufReader<ChildStdout>);

impl Lines {
    fn of(stdout: ChildStdout) -> Self {
        Self(BufReader::new(stdout))
    }

    async fn next(&mut self) -> String {
        let mut line = String::new();
        within("a line", self.0.read_line(&mut line)).await.unwrap();
        line.trim_end().to_owned()
    }

    async fn number(&mut self) -> i32 {
        let line = self.next().await;
        line.parse()
            .unwrap_or_else(|_| panic!("{line:?} is no process number"))
    }
}

async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future)
        .await
        .unwrap_or_else(|_| panic!("waited in vain for {what}"))
}

/// Looks again and again until it holds.
async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn exited(process: &mut Process) -> Exit {
    within("the exit", process.control.exited()).await
}
