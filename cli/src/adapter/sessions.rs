//! The sessions an editor has open here, and what each knows: the prompts that wait for their turn's end, the
//! requests that wait for the editor, and the order in which prompts and cancels were sent.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::value::RawValue;
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::JoinHandle;

/// Every session this process serves, by its id.
#[derive(Default)]
pub(super) struct Sessions {
    open: Mutex<HashMap<String, Arc<Session>>>,
}

impl Sessions {
    /// The session, if it is open.
    pub(super) fn get(&self, id: &str) -> Option<Arc<Session>> {
        lock(&self.open).get(id).cloned()
    }

    /// The session, opened where it is not.
    pub(super) fn open(&self, id: &str) -> Arc<Session> {
        Arc::clone(
            lock(&self.open)
                .entry(id.to_owned())
                .or_insert_with(|| Arc::new(Session::new(id))),
        )
    }

    /// Forgets it.
    pub(super) fn close(&self, id: &str) {
        lock(&self.open).remove(id);
    }
}

/// One conversation, as this editor has it open.
pub(super) struct Session {
    /// The conversation's id, which is the session's.
    pub id: String,
    /// The same as JSON text.
    pub quoted: String,
    /// What the editor called its working directory; a label, nothing here reads it.
    pub cwd: Mutex<Option<String>>,
    /// Prompts that were sent and not answered by the instance yet: whose turn it is cannot be told meanwhile.
    pub posting: watch::Sender<usize>,
    /// Replays that run: a prompt waits for their end.
    pub loading: watch::Sender<usize>,
    /// Something changed for whoever follows: a prompt was accepted.
    pub wake: Notify,
    /// A prompt was answered, for whoever closes the session.
    pub ended: Notify,
    /// Held by the replay that runs: there is one at a time.
    pub replay: tokio::sync::Mutex<()>,
    order: Mutex<Option<oneshot::Receiver<()>>>,
    state: Mutex<State>,
}

/// What changes.
#[derive(Default)]
pub(super) struct State {
    /// The prompts of this editor that run, by turn.
    pub prompts: HashMap<String, Arc<Running>>,
    /// The requests that this editor was asked and has not answered, by public id.
    pub asked: HashMap<String, Arc<Asked>>,
    /// Who follows the conversation, and how to stop it.
    pub follower: Option<Follower>,
    /// Up to where the editor has been told.
    pub cursor: Option<i64>,
    /// The turns whose prompt it has.
    pub shown: HashSet<String>,
}

/// The task that follows a conversation.
pub(super) struct Follower {
    pub stop: watch::Sender<bool>,
    pub task: JoinHandle<()>,
}

/// A prompt whose turn runs.
pub(super) struct Running {
    /// The editor's request.
    pub id: Box<RawValue>,
    /// The text that was sent.
    pub text: String,
    /// How many images were.
    pub images: usize,
    /// Whether the editor asked for its end.
    pub cancelled: AtomicBool,
}

/// A request that this editor was asked.
pub(super) struct Asked {
    /// The id that answers it at the instance.
    pub request_id: String,
    /// What the agent offers.
    pub options: Vec<String>,
    /// Whether this process opened its turn.
    pub own: bool,
    /// Whether it outlived its turn.
    pub detached: AtomicBool,
    /// Whether the editor has asked for the end of its turn: a dismissal is then no denial.
    pub cancelled: AtomicBool,
    /// The id of the question at the editor.
    pub number: i64,
}

impl Session {
    fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            quoted: serde_json::Value::from(id).to_string(),
            cwd: Mutex::default(),
            posting: watch::Sender::new(0),
            loading: watch::Sender::new(0),
            wake: Notify::new(),
            ended: Notify::new(),
            replay: tokio::sync::Mutex::default(),
            order: Mutex::default(),
            state: Mutex::default(),
        }
    }

    /// What changes; not to be held over an await.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// A place in the order of prompts and cancels, taken when the line is read.
    pub(super) fn enter(&self) -> Ticket {
        let (leave, left) = oneshot::channel();
        let before = lock(&self.order).replace(left);
        Ticket {
            before,
            _leave: leave,
        }
    }

    /// The editor asked for the end of what runs: its prompts, and the requests that are inside a turn.
    pub(super) fn mark_cancelled(&self) {
        let state = self.state();
        state
            .prompts
            .values()
            .for_each(|prompt| prompt.cancelled.store(true, Ordering::Relaxed));
        let inside = state
            .asked
            .values()
            .filter(|asked| !asked.detached.load(Ordering::Relaxed));
        inside.for_each(|asked| asked.cancelled.store(true, Ordering::Relaxed));
    }

    /// Stops the task that follows, after it has told the editor what it has read.
    pub(super) async fn stop_following(&self) {
        let follower = self.state().follower.take();
        if let Some(follower) = follower {
            follower.stop.send_replace(true);
            // It only ends early by a panic, which has been told.
            let _ = follower.task.await;
        }
    }
}

/// A place in an order; dropping it lets the next one go on.
pub(super) struct Ticket {
    before: Option<oneshot::Receiver<()>>,
    _leave: oneshot::Sender<()>,
}

impl Ticket {
    /// Waits for everything before.
    pub(super) async fn turn(&mut self) {
        if let Some(before) = self.before.take() {
            // Nothing is ever sent: the sender's end is the sign.
            let _ = before.await;
        }
    }
}

/// One more of something while it lives.
pub(super) struct Count(watch::Sender<usize>);

impl Count {
    pub(super) fn of(counter: &watch::Sender<usize>) -> Self {
        counter.send_modify(|count| *count += 1);
        Self(counter.clone())
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

/// Waits until a counter is at zero.
pub(super) async fn none_left(counter: &watch::Sender<usize>) {
    // The sender is borrowed, so it cannot be gone.
    let _ = counter.subscribe().wait_for(|count| *count == 0).await;
}

/// Takes a lock also after a panic: what is in there is only ever replaced whole.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
