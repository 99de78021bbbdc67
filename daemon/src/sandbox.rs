//! Where an agent runs: a disk and the processes on it. A kind says what it can really enforce.
//! Every sandbox starts with a small first process of ours, so none of its processes outlives the daemon.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use serde::Serialize;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

mod control;
mod directory;
mod disk;
mod environment;
mod exit;
pub mod files;
pub mod init;
mod remove;
mod sweep;
mod tree;
mod wire;

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;

pub use control::Control;
pub use directory::Directory;
pub use disk::Disk;
pub use environment::Environment;
pub use exit::Exit;
pub use sweep::sweep;

/// The variable by which a process of a sandbox is recognised when its first process is gone.
pub const MARKER: &str = "FOUNTAIN_SANDBOX";

/// What a kind of sandbox can really enforce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// The rest of the machine is hidden from the agent.
    pub isolation: bool,
    /// A network policy other than "unrestricted" holds.
    pub network_policy: bool,
    /// Processes can end while the disk stays.
    pub suspend: bool,
    /// Files of the sandbox can be read from outside.
    pub files: bool,
    /// A shell can be opened in it.
    pub shell: bool,
    /// A memory limit holds.
    pub memory_limit: bool,
}

/// A way to run agents on this machine.
///
/// The methods block for a moment (they touch the disk and start a process).
pub trait Kind: Send + Sync + 'static {
    /// Names the kind as settings and the API do.
    fn name(&self) -> &'static str;

    /// Says what it can enforce, and nothing more.
    fn capabilities(&self) -> Capabilities;

    /// Creates the disk, or completes it: running it twice changes nothing.
    fn provision(&self, disk: &Disk) -> io::Result<()>;

    /// Puts a copy of this very program into the sandbox's own folder of programs, under another name.
    fn install(&self, disk: &Disk, name: &str) -> io::Result<()>;

    /// Starts a program in the sandbox; must be called within a tokio runtime.
    ///
    /// A program that cannot be started is not an error here: [`Control::exited`] answers [`Exit::NotStarted`].
    fn start(&self, disk: &Disk, launch: &Launch) -> io::Result<Process>;

    /// Ends what still runs on the disk and removes it; a disk that does not exist is fine.
    fn destroy(&self, disk: &Disk) -> io::Result<()>;
}

/// What to start in a sandbox. It has no `Debug`: the environment holds secrets.
pub struct Launch {
    /// The program: a path, or a name that is looked up on the agent's own `PATH`.
    pub program: OsString,
    /// Its arguments, passed on exactly.
    pub args: Vec<OsString>,
    /// Its whole environment; only [`MARKER`] is added.
    pub env: Vec<(OsString, OsString)>,
    /// The folder it starts in.
    pub cwd: PathBuf,
    /// Distinguishes this start from every other; see [`Disk::marker`].
    pub marker: String,
}

/// A started program: its three streams and the handle that ends it.
pub struct Process {
    /// What the program reads.
    pub stdin: ChildStdin,
    /// What it writes.
    pub stdout: ChildStdout,
    /// What it complains about.
    pub stderr: ChildStderr,
    /// Ends the program and tells how it ended.
    pub control: Control,
}
