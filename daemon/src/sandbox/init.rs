//! The first process of a sandbox, a hidden mode of the program: it starts the agent, adopts what the agent leaves
//! behind, and ends all of it when the agent ends, when it is told to, or when the daemon is gone.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, WaitOptions, WaitStatus, setrlimit, setsid, wait};

use super::Exit;
use super::tree::{self, Tree};
use super::wire::{self, Order};

/// The argument that selects this mode of the program.
pub const COMMAND: &str = "sandbox-init";

/// Runs the mode; the arguments are those after [`COMMAND`]: `-- PROGRAM ARGS…`.
///
/// Its stdin is the socket to the daemon. The agent's own streams arrive over it, so the agent cannot inherit the socket.
/// It succeeds only when no process is left.
pub fn main(args: impl Iterator<Item = OsString>) -> ExitCode {
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody but the daemon's log can read this.
            let _ = writeln!(io::stderr(), "fountain {COMMAND}: {error}");
            ExitCode::FAILURE
        }
    }
}

pub(super) fn run(args: impl Iterator<Item = OsString>) -> io::Result<()> {
    let mut args = args.peekable();
    args.next_if(|arg| arg == "--");
    let program = args
        .next()
        .ok_or_else(|| io::Error::other("no program is named"))?;
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let streams = wire::receive_streams(&socket)?;
    prepare()?;
    let program = match start(program, args, streams) {
        Ok(program) => program,
        Err(error) => return tell(&socket, &Exit::NotStarted(error.to_string())),
    };
    let ending = Arc::new(AtomicBool::new(false));
    let obeying = thread::Builder::new().name("orders".to_owned()).spawn({
        let (socket, ending) = (socket.try_clone()?, Arc::clone(&ending));
        move || obey(socket, &Tree::new(program), &ending)
    });
    if obeying.is_err() {
        ending.store(true, Ordering::SeqCst);
        Tree::new(program).kill();
    }
    reap(&socket, program, &ending);
    // Where orphans do not become ours, some of the group may be left.
    #[cfg(not(target_os = "linux"))]
    Tree::new(program).kill();
    obeying.map(drop)
}

fn prepare() -> io::Result<()> {
    // A session of its own has no terminal: nothing in it can ask the user of the daemon for a password.
    match setsid() {
        Ok(_) | Err(Errno::PERM) => {}
        Err(error) => return Err(error.into()),
    }
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none)?;
    // `killall fountain` should meet the daemon and leave us the time to clean up after it.
    #[cfg(target_os = "linux")]
    let _ = std::fs::write("/proc/self/comm", COMMAND);
    tree::prepare()
}

/// Starts the agent in a group of its own: a signal it sends to its group does not hit us.
fn start(
    program: OsString,
    args: impl Iterator<Item = OsString>,
    streams: [OwnedFd; 3],
) -> io::Result<Pid> {
    let [stdin, stdout, stderr] = streams;
    let mut command = Command::new(program);
    #[cfg(target_os = "linux")]
    inherited::hide(&mut command)?;
    let child = command
        .args(args)
        .process_group(0)
        .stdin(stdin)
        .stdout(stdout)
        .stderr(stderr)
        .spawn()?;
    Ok(Pid::from_child(&child))
}

/// Does what the daemon asks, until it closes the socket or is gone, which are the same.
fn obey(mut socket: UnixStream, tree: &Tree, ending: &AtomicBool) {
    let mut byte = [0];
    loop {
        let order = match socket.read(&mut byte) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(1..) => Order::from_byte(byte[0]),
            Ok(0) | Err(_) => Some(Order::Kill),
        };
        match order {
            Some(Order::Terminate) => tree.terminate(),
            Some(Order::Kill) => {
                ending.store(true, Ordering::SeqCst);
                tree.kill();
                return;
            }
            None => {}
        }
    }
}

/// Reaps whatever ends, tells how the program ended, and returns when nothing is left.
///
/// Once the end has begun, we look for processes that became our children by the end of others. While one we killed is
/// still to be reaped that can wait, since it will wake us: a large tree is not searched once for each of its members.
fn reap(socket: &UnixStream, program: Pid, ending: &AtomicBool) {
    let tree = Tree::new(program);
    let mut doomed = HashSet::new();
    let mut options = WaitOptions::empty();
    loop {
        match wait(options) {
            Ok(Some((pid, status))) => {
                if pid == program {
                    // A daemon that is gone cannot be told.
                    let _ = tell(socket, &exit(status));
                    ending.store(true, Ordering::SeqCst);
                }
                doomed.remove(&pid);
                options = WaitOptions::NOHANG;
            }
            Ok(None) => {
                if doomed.is_empty() && ending.load(Ordering::SeqCst) {
                    doomed = tree.kill();
                }
                options = WaitOptions::empty();
            }
            Err(Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

fn exit(status: WaitStatus) -> Exit {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Lost,
    }
}

fn tell(mut socket: &UnixStream, exit: &Exit) -> io::Result<()> {
    socket.write_all(wire::exit_to_line(exit).as_bytes())
}

/// What the daemon was itself given open by accident, or on purpose as a listening socket, is not for the agent.
#[cfg(target_os = "linux")]
mod inherited {
    use std::fs::{self, File};
    use std::io;
    use std::process::Command;

    use command_fds::{CommandFdExt as _, FdMapping};

    const CLOSED_ON_EXEC: u32 = 0o2_000_000;

    /// Puts `/dev/null` over every descriptor that the command would inherit beside its streams.
    pub(super) fn hide(command: &mut Command) -> io::Result<()> {
        let nothing = |child_fd| {
            let parent_fd = File::open("/dev/null")?.into();
            Ok(FdMapping {
                parent_fd,
                child_fd,
            })
        };
        let mappings = open()?
            .into_iter()
            .map(nothing)
            .collect::<io::Result<Vec<_>>>()?;
        if !mappings.is_empty() {
            command.fd_mappings(mappings).map_err(io::Error::other)?;
        }
        Ok(())
    }

    fn open() -> io::Result<Vec<i32>> {
        let numbers: Vec<i32> = fs::read_dir("/proc/self/fdinfo")?
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .collect();
        Ok(numbers
            .into_iter()
            .filter(|number| *number > 2 && stays_open(*number))
            .collect())
    }

    fn stays_open(number: i32) -> bool {
        // One that cannot be read was that of the listing, and is closed.
        fs::read_to_string(format!("/proc/self/fdinfo/{number}")).is_ok_and(|info| {
            let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
            let flags = flags.and_then(|octal| u32::from_str_radix(octal.trim(), 8).ok());
            flags.is_none_or(|flags| flags & CLOSED_ON_EXEC == 0)
        })
    }
}
