//! One ACP connection to one started runtime: lines out, messages in, in order, until the process is gone.
//! It decides nothing and stores nothing.

mod reader;
mod writer;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fountain_core::acp::Permission;
use fountain_core::card::Card;
use fountain_core::outcome::Outcome;
use fountain_core::rpc;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::AsyncWrite;
use tokio::sync::{mpsc, oneshot};

use super::stderr::Tail;
use crate::sandbox::{Control, Exit, Process};

/// How many batches wait for the conversation before the runtime is no longer read.
const BATCHES: usize = 4;
/// How long a runtime that closed its stdout may take to end.
const LINGER: Duration = Duration::from_millis(500);
/// From SIGTERM to SIGKILL.
const TERM_GRACE: Duration = Duration::from_secs(3);

/// What came from the runtime.
#[derive(Debug)]
pub enum FromAgent {
    /// A `session/update` line of our session.
    Update {
        /// The line as it was written.
        line: String,
        /// Whether it only describes the session.
        metadata: bool,
        /// The kind of a text chunk.
        chunk: Option<&'static str>,
        /// The title it offers, if any: `Some(None)` clears.
        title: Option<Option<String>>,
        /// The tool's card that it opens or changes, with the agent's id of the call.
        card: Option<Box<(String, Card)>>,
    },
    /// The agent asks before a tool runs.
    Permission {
        /// Its own id, as JSON text.
        rpc_id: String,
        /// What it says.
        permission: Box<Permission>,
        /// The line as it was written.
        line: String,
    },
    /// The agent takes a request back, by its own id as JSON text.
    Withdrawn(String),
    /// The answer to the prompt.
    Prompted(Result<Value, rpc::Error>),
    /// The runtime is gone; nothing comes after this.
    Closed(Closed),
}

/// How a runtime went.
#[derive(Clone, Debug)]
pub struct Closed {
    /// How its process ended.
    pub exit: Exit,
    /// What it did wrong, when we ended it for that.
    pub fault: Option<String>,
    /// The last lines of its stderr.
    pub stderr: String,
}

impl Closed {
    /// Its exit status, when it had one.
    pub fn code(&self) -> Option<i64> {
        match self.exit {
            Exit::Code(code) => Some(i64::from(code)),
            _ => None,
        }
    }

    /// The story in words, with the end of stderr.
    pub fn reason(&self) -> String {
        let what = match &self.fault {
            Some(fault) => fault.clone(),
            None => format!("the agent's process ended: {}", self.exit),
        };
        if self.stderr.is_empty() {
            what
        } else {
            format!("{what}\n{}", self.stderr)
        }
    }
}

/// A handle on the connection; cheap to clone. Dropping the last one ends the runtime.
#[derive(Clone)]
pub struct Link(Arc<Shared>);

/// What a call is answered with.
type CallResult = Result<Box<RawValue>, rpc::Error>;

/// The calls that wait for their answers, by our own ids.
type Calls = HashMap<i64, oneshot::Sender<CallResult>>;

struct Shared {
    out: mpsc::Sender<String>,
    stop: mpsc::UnboundedSender<Stop>,
    /// None once nobody answers any more.
    calls: Mutex<Option<Calls>>,
    next: AtomicI64,
    prompt: AtomicI64,
    /// The session whose updates count.
    session: Mutex<String>,
    /// While set, updates are dropped: a runtime replays what is stored already.
    muted: AtomicBool,
    opened: Instant,
    /// When the last muted update came, in milliseconds after `opened`.
    last_muted: AtomicU64,
}

enum Stop {
    Politely,
    Now(String),
}

/// Why a call to the runtime has no result.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// It answered with an error.
    #[error("{}", .0.sentence())]
    Refused(rpc::Error),
    /// It did not answer in time.
    #[error("no answer within {0:?}")]
    Late(Duration),
    /// It is gone.
    #[error("the agent's process ended")]
    Gone,
}

impl Link {
    /// Takes over a started process. `max_frame` is the longest line in bytes; `held` is kept until the process is
    /// gone.
    pub fn open(
        process: Process,
        max_frame: usize,
        held: impl Send + 'static,
    ) -> (Self, mpsc::Receiver<Vec<FromAgent>>) {
        let Process {
            stdin,
            stdout,
            stderr,
            control,
        } = process;
        let tail = Tail::default();
        let drained = tokio::spawn(tail.clone().drain(stderr));
        let (link, batches, stops, sender) = Self::connect(stdin);
        let reader = tokio::spawn(reader::read(
            stdout,
            max_frame,
            Arc::downgrade(&link.0),
            sender.clone(),
        ));
        let supervised = supervise(control, stops, reader, drained, tail, sender);
        tokio::spawn(async move {
            supervised.await;
            drop(held);
        });
        (link, batches)
    }

    #[expect(
        clippy::type_complexity,
        reason = "taken apart at once by the two constructors"
    )]
    fn connect(
        stdin: impl AsyncWrite + Unpin + Send + 'static,
    ) -> (
        Self,
        mpsc::Receiver<Vec<FromAgent>>,
        mpsc::UnboundedReceiver<Stop>,
        mpsc::Sender<Vec<FromAgent>>,
    ) {
        let (sender, batches) = mpsc::channel(BATCHES);
        let (out, lines) = mpsc::channel(1024);
        let (stop, stops) = mpsc::unbounded_channel();
        tokio::spawn(writer::write(stdin, lines));
        let shared = Shared {
            out,
            stop,
            calls: Mutex::new(Some(Calls::new())),
            next: AtomicI64::new(1),
            prompt: AtomicI64::new(0),
            session: Mutex::default(),
            muted: AtomicBool::new(false),
            opened: Instant::now(),
            last_muted: AtomicU64::new(0),
        };
        (Self(Arc::new(shared)), batches, stops, sender)
    }

    /// Asks the runtime and waits for its answer, at most `limit`.
    ///
    /// # Errors
    /// The runtime's own error, or that none came.
    pub async fn call(
        &self,
        method: &str,
        params: &impl Serialize,
        limit: Duration,
    ) -> Result<Box<RawValue>, CallError> {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        let (answer, promise) = oneshot::channel();
        match self.0.calls.lock().as_deref_mut() {
            Ok(Some(calls)) => _ = calls.insert(id, answer),
            // It was gone before it was asked.
            _ => return Err(CallError::Gone),
        }
        self.send(rpc::request(id, method, params));
        let result = tokio::time::timeout(limit, promise).await;
        if let Ok(Some(calls)) = self.0.calls.lock().as_deref_mut() {
            calls.remove(&id);
        }
        match result {
            Ok(Ok(Ok(result))) => Ok(result),
            Ok(Ok(Err(error))) => Err(CallError::Refused(error)),
            Ok(Err(_)) => Err(CallError::Gone),
            Err(_) => Err(CallError::Late(limit)),
        }
    }

    /// Sends the prompt; its answer comes as [`FromAgent::Prompted`], after every update before it.
    pub fn prompt(&self, params: &impl Serialize) {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        self.0.prompt.store(id, Ordering::Release);
        self.send(rpc::request(id, fountain_core::acp::method::PROMPT, params));
    }

    /// Tells the agent to stop the prompt that runs.
    pub fn cancel(&self) {
        let session = self.session();
        self.send(rpc::notification(
            fountain_core::acp::method::CANCEL,
            &serde_json::json!({ "sessionId": session }),
        ));
    }

    /// Answers a permission request, by the agent's own id as JSON text.
    pub fn reply(&self, rpc_id: &str, outcome: &Outcome) {
        if let Ok(id) = RawValue::from_string(rpc_id.to_owned()) {
            self.send(rpc::result(&id, outcome));
        }
    }

    /// Names the session whose updates count from now on.
    pub fn set_session(&self, session: &str) {
        if let Ok(mut current) = self.0.session.lock() {
            session.clone_into(&mut current);
        }
    }

    /// The session whose updates count.
    pub fn session(&self) -> String {
        self.0
            .session
            .lock()
            .map(|session| session.clone())
            .unwrap_or_default()
    }

    /// Drops updates from now on, or lets them through again.
    pub fn mute(&self, muted: bool) {
        self.0.last_muted.store(self.0.elapsed(), Ordering::Relaxed);
        self.0.muted.store(muted, Ordering::Relaxed);
    }

    /// How long no muted update has come.
    pub fn quiet(&self) -> Duration {
        Duration::from_millis(
            self.0
                .elapsed()
                .saturating_sub(self.0.last_muted.load(Ordering::Relaxed)),
        )
    }

    /// Whether the runtime has closed its stdout: it takes no prompt any more, also while its end is not told yet.
    pub fn is_over(&self) -> bool {
        self.0.calls.lock().is_ok_and(|calls| calls.is_none())
    }

    /// Ends the runtime: SIGTERM, then SIGKILL for whatever is left of its tree.
    pub fn stop(&self) {
        let _ = self.0.stop.send(Stop::Politely);
    }

    fn send(&self, line: String) {
        self.0.send(line);
    }
}

impl Shared {
    fn elapsed(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn send(&self, line: String) {
        match self.out.try_send(line) {
            Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => {}
            Err(mpsc::error::TrySendError::Full(_)) => {
                let fault =
                    "the agent asks and does not read the answers: 1024 of them wait".to_owned();
                let _ = self.stop.send(Stop::Now(fault));
            }
        }
    }
}

/// Waits for the end of the process, ends it when it is told to or when nobody holds the link any more, and
/// says last how it went.
async fn supervise(
    mut control: Control,
    mut stops: mpsc::UnboundedReceiver<Stop>,
    mut reader: tokio::task::JoinHandle<Option<String>>,
    drained: tokio::task::JoinHandle<()>,
    tail: Tail,
    sender: mpsc::Sender<Vec<FromAgent>>,
) {
    let mut fault = None;
    let mut read = false;
    let mut kill_at = None;
    let mut silent = false;
    let mut held = true;
    let exit = loop {
        let due =
            kill_at.unwrap_or_else(|| tokio::time::Instant::now() + Duration::from_secs(3600));
        tokio::select! {
            exit = control.exited() => break exit,
            stop = stops.recv(), if held => match stop {
                Some(Stop::Politely) if kill_at.is_none() => {
                    control.terminate();
                    kill_at = Some(tokio::time::Instant::now() + TERM_GRACE);
                }
                Some(Stop::Politely) => {}
                Some(Stop::Now(why)) => {
                    fault.get_or_insert(why);
                    control.kill();
                }
                None => {
                    held = false;
                    control.kill();
                }
            },
            outcome = &mut reader, if !read => {
                read = true;
                match outcome.ok().flatten() {
                    Some(why) => {
                        fault.get_or_insert(why);
                        control.kill();
                    }
                    None if kill_at.is_none() => {
                        silent = true;
                        kill_at = Some(tokio::time::Instant::now() + LINGER);
                    }
                    None => {}
                }
            }
            () = tokio::time::sleep_until(due) => {
                if silent {
                    fault.get_or_insert_with(|| "the agent closed its stdout and went on running".to_owned());
                }
                control.kill();
                kill_at = Some(tokio::time::Instant::now() + TERM_GRACE);
            }
        }
    };
    // What it wrote before it ended counts, the last line without its end too.
    if !read {
        let _ = tokio::time::timeout(Duration::from_secs(30), reader).await;
    }
    let _ = tokio::time::timeout(LINGER, drained).await;
    let _ = sender
        .send(vec![FromAgent::Closed(Closed {
            exit,
            fault,
            stderr: tail.text(),
        })])
        .await;
}

/// Builds a link over any pair of streams, without a process: for tests.
#[cfg(test)]
pub fn over(
    stdin: impl AsyncWrite + Unpin + Send + 'static,
    stdout: impl tokio::io::AsyncRead + Unpin + Send + 'static,
    max_frame: usize,
) -> (Link, mpsc::Receiver<Vec<FromAgent>>) {
    let (link, batches, _stops, sender) = Link::connect(stdin);
    tokio::spawn(reader::read(
        stdout,
        max_frame,
        Arc::downgrade(&link.0),
        sender,
    ));
    (link, batches)
}

#[cfg(test)]
mod tests;
