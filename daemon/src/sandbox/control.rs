//! The daemon's hold on one started program: a socket to its first process, and the task that listens to it.
//! Letting go of it ends the whole tree.

use std::ffi::{OsStr, OsString};
use std::future::pending;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::process::{
    ChildStderr as StdStderr, ChildStdin as StdStdin, ChildStdout as StdStdout, Stdio,
};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until, timeout};

use super::wire::{self, Order};
use super::{Exit, Launch, MARKER, Process, sweep};

/// How long the first process may take to end its tree before the daemon helps.
const GRACE: Duration = Duration::from_secs(2);

/// Ends a started program and tells how it ended. Dropping it ends the whole tree.
#[derive(Debug)]
pub struct Control {
    orders: mpsc::UnboundedSender<Order>,
    exit: watch::Receiver<Option<Exit>>,
}

impl Control {
    /// Asks every process of the tree to end (SIGTERM).
    pub fn terminate(&self) {
        self.order(Order::Terminate);
    }

    /// Ends every process of the tree (SIGKILL).
    pub fn kill(&self) {
        self.order(Order::Kill);
    }

    /// Waits until the program has ended and nothing of its tree is left; answers the same ever after.
    pub async fn exited(&mut self) -> Exit {
        match self.exit.wait_for(Option::is_some).await {
            Ok(exit) => exit.clone().unwrap_or(Exit::Lost),
            // The runtime is shutting down: the socket is closed, and nobody will hear how it went.
            Err(_) => Exit::Lost,
        }
    }

    fn order(&self, order: Order) {
        // Without a listener the tree has ended already.
        let _ = self.orders.send(order);
    }
}

/// Starts a program below a first process, which is started by this command line.
pub(super) fn start(init: &[OsString], launch: &Launch) -> io::Result<Process> {
    Handle::try_current().map_err(io::Error::other)?;
    check(launch)?;
    // All of these are closed on exec: no other child of the daemon can keep them open.
    let (ours, theirs) = StdUnixStream::pair()?;
    let (program_stdin, stdin) = io::pipe()?;
    let (stdout, program_stdout) = io::pipe()?;
    let (stderr, program_stderr) = io::pipe()?;
    wire::send_streams(
        &ours,
        [
            program_stdin.as_fd(),
            program_stdout.as_fd(),
            program_stderr.as_fd(),
        ],
    )?;
    ours.set_nonblocking(true)?;
    let socket = UnixStream::from_std(ours)?;
    let stdin = ChildStdin::from_std(StdStdin::from(OwnedFd::from(stdin)))?;
    let stdout = ChildStdout::from_std(StdStdout::from(OwnedFd::from(stdout)))?;
    let stderr = ChildStderr::from_std(StdStderr::from(OwnedFd::from(stderr)))?;
    let child = spawn(init, launch, theirs.into())?;
    let (orders, received) = mpsc::unbounded_channel();
    let (answer, exit) = watch::channel(None);
    let watched = Watched {
        child,
        socket,
        orders: received,
        marker: launch.marker.clone(),
    };
    tokio::spawn(async move {
        let _ = answer.send(Some(watched.until_gone().await));
    });
    let control = Control { orders, exit };
    Ok(Process {
        stdin,
        stdout,
        stderr,
        control,
    })
}

/// Refuses what would otherwise fail with a sentence that names nothing.
fn check(launch: &Launch) -> io::Result<()> {
    let refuse = |message: String| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    for (name, value) in &launch.env {
        if name.is_empty() || name.as_bytes().contains(&b'=') || name.as_bytes().contains(&0) {
            return refuse(format!(
                "{name:?} cannot be the name of an environment variable"
            ));
        }
        if value.as_bytes().contains(&0) {
            return refuse(format!(
                "the value of the environment variable {name:?} holds a NUL byte"
            ));
        }
    }
    if !launch.cwd.is_dir() {
        let message = format!(
            "the folder {} to start in does not exist",
            launch.cwd.display()
        );
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    Ok(())
}

fn spawn(init: &[OsString], launch: &Launch, socket: OwnedFd) -> io::Result<Child> {
    let (program, args) = init
        .split_first()
        .ok_or_else(|| io::Error::other("the first process is not named"))?;
    let mut command = Command::new(program);
    command.arg0("fountain");
    command
        .args(args)
        .arg(OsStr::new("--"))
        .arg(&launch.program)
        .args(&launch.args)
        .env_clear()
        .envs(launch.env.iter().map(|(name, value)| (name, value)))
        .env(MARKER, &launch.marker)
        .current_dir(&launch.cwd)
        .stdin(socket)
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
}

/// What the listening task holds.
struct Watched {
    child: Child,
    socket: UnixStream,
    orders: mpsc::UnboundedReceiver<Order>,
    marker: String,
}

impl Watched {
    async fn until_gone(mut self) -> Exit {
        let mut line = Vec::new();
        if !self.listen(&mut line).await {
            self.help().await;
            let _ = timeout(GRACE, self.socket.read_to_end(&mut line)).await;
        }
        let ended = timeout(GRACE, self.child.wait()).await;
        if !matches!(ended, Ok(Ok(status)) if status.success()) {
            self.replace().await;
        }
        wire::exit_from_line(&line).unwrap_or(Exit::Lost)
    }

    /// Passes orders on and hears the line about the end. Returns whether the first process closed the socket;
    /// if not, it takes too long over the end.
    async fn listen(&mut self, line: &mut Vec<u8>) -> bool {
        let (mut reader, mut writer) = self.socket.split();
        let mut held = true;
        let mut deadline = None;
        loop {
            tokio::select! {
                read = reader.read_buf(line) => match read {
                    Ok(1..) => _ = deadline.get_or_insert_with(|| Instant::now() + GRACE),
                    Ok(0) | Err(_) => return true,
                },
                order = self.orders.recv(), if held => {
                    match order {
                        // One that does not read was stopped by its agent; the deadline is for that.
                        Some(order) => _ = writer.try_write(&[order.byte()]),
                        None => {
                            held = false;
                            let _ = writer.shutdown().await;
                        }
                    }
                    if order != Some(Order::Terminate) {
                        deadline.get_or_insert_with(|| Instant::now() + GRACE);
                    }
                },
                () = passed(deadline) => return false,
            }
        }
    }

    /// Ends the tree of a first process that is slow or was stopped. It lives on: by it the tree is known.
    async fn help(&self) {
        let Some(first) = self
            .child
            .id()
            .and_then(|id| Pid::from_raw(id.cast_signed()))
        else {
            return;
        };
        let marker = self.marker.clone();
        let swept = spawn_blocking(move || sweep::sweep_below(first, &marker)).await;
        let ended = swept.unwrap_or(0);
        tracing::warn!(
            self.marker,
            ended,
            "the first process of a sandbox needed help"
        );
        // Nobody is left who could stop it again. The number is its own until we wait for it.
        let _ = kill_process(first, Signal::CONT);
    }

    /// Does the work of a first process that was killed, or does not end.
    async fn replace(&mut self) {
        // It may have ended already.
        let _ = self.child.start_kill();
        let _ = timeout(GRACE, self.child.wait()).await;
        let marker = self.marker.clone();
        let swept = spawn_blocking(move || sweep::sweep_one(&marker)).await;
        let ended = swept.unwrap_or(0);
        tracing::warn!(self.marker, ended, "a sandbox lost its first process");
    }
}

async fn passed(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => pending().await,
    }
}
