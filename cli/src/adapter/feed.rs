//! The events of one conversation, made lines for the editor. Replay and live are the same code, so what the
//! store has is what the editor gets, in that order; a prompt is answered right after its turn's last update.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::oneshot;

use super::ending::{self, Answer, Seen};
use super::permission::{self, Ask};
use super::sessions::{Session, none_left};
use super::turns::{Echo, Turns};
use super::{Adapter, paths};
use crate::client::sse::Event;
use crate::client::{self, Client};

/// So much is collected before it is queued.
const BATCH: usize = 256 * 1024;
/// A turn that was told to be lost, but not its end, ends after this.
const GRACE: Duration = Duration::from_secs(5);

/// What an event is to the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// It happens now.
    Live,
    /// It happened, and the editor wants to see it.
    Replay,
    /// It happened, and the editor knows.
    Silent,
}

/// One conversation on its way to the editor.
pub(super) struct Feed {
    adapter: Arc<Adapter>,
    session: Arc<Session>,
    client: Client,
    mode: Mode,
    out: Vec<u8>,
    /// The turn of the last event.
    turn: String,
    turns: Turns,
    echo: Echo,
    doomed: Option<Doomed>,
    /// The requests of the past that are still open.
    held: Vec<Held>,
}

struct Held {
    line: String,
    request_id: String,
    options: Vec<String>,
    detached: bool,
}

/// Why the running turn is about to end. Dropping it takes that back.
struct Doomed {
    answer: Answer,
    _stays: oneshot::Sender<()>,
}

impl Feed {
    pub(super) fn new(
        adapter: &Arc<Adapter>,
        session: &Arc<Session>,
        client: Client,
        mode: Mode,
    ) -> Self {
        Self {
            adapter: Arc::clone(adapter),
            session: Arc::clone(session),
            client,
            mode,
            out: Vec::new(),
            turn: String::new(),
            turns: Turns::default(),
            echo: Echo::default(),
            doomed: None,
            held: Vec::new(),
        }
    }

    pub(super) fn adapter(&self) -> &Arc<Adapter> {
        &self.adapter
    }

    pub(super) fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// The past is told. What is still open is put to the editor, and from now on everything happens live.
    pub(super) async fn go_live(&mut self) {
        self.mode = Mode::Live;
        for held in std::mem::take(&mut self.held) {
            let own = self.session.state().prompts.contains_key(&self.turn);
            let ask = Ask {
                line: &held.line,
                request_id: &held.request_id,
                options: held.options,
                own: own && !held.detached,
                detached: held.detached,
            };
            permission::ask(&self.adapter, &self.session, ask, &mut self.out);
        }
        self.flush().await;
    }

    /// Queues what was collected, when there is room for it.
    pub(super) async fn flush(&mut self) {
        if !self.out.is_empty() {
            self.adapter.output.room().await;
            self.adapter.output.lines(&self.out);
            self.out.clear();
        }
    }

    /// Takes one event. It fails only in a replay, when a prompt of the past cannot be read.
    pub(super) async fn take(&mut self, event: &Event<'_>) -> Result<(), client::Error> {
        if let Some(turn) = event.turn_id.as_deref()
            && turn != self.turn
        {
            self.enter(turn).await?;
        }
        if let Some(lines) = event.acp() {
            lines.split('\n').for_each(|line| self.line(line));
        } else if let Some((stage, state, meta)) = event.stage() {
            self.stage(stage, state, meta, event.turn_id.as_deref());
        }
        if self.out.len() >= BATCH {
            self.flush().await;
        }
        Ok(())
    }

    /// The first event of another turn: its prompt comes before it, unless this editor has just sent it.
    async fn enter(&mut self, turn: &str) -> Result<(), client::Error> {
        turn.clone_into(&mut self.turn);
        self.echo = Echo::default();
        self.doomed = None;
        if self.mode == Mode::Live && *self.session.posting.borrow() > 0 {
            self.flush().await;
            none_left(&self.session.posting).await;
        }
        let own = {
            let mut state = self.session.state();
            if !state.shown.insert(turn.to_owned()) || self.mode == Mode::Silent {
                return Ok(());
            }
            state
                .prompts
                .get(turn)
                .map(|prompt| Echo::of(&prompt.text, prompt.images))
        };
        if let (Mode::Live, Some(echo)) = (self.mode, own) {
            self.echo = echo;
            return Ok(());
        }
        let session = (self.session.id.as_str(), self.session.quoted.as_str());
        match self
            .turns
            .prompt(&self.client, session, turn, &mut self.out)
            .await
        {
            Ok(echo) => self.echo = echo,
            Err(error) if self.mode == Mode::Replay => return Err(error),
            Err(error) => self.adapter.log.warn(format!(
                "the prompt of turn {turn} could not be read: {error}"
            )),
        }
        Ok(())
    }

    fn line(&mut self, line: &str) {
        self.doomed = None;
        if self.mode != Mode::Silent {
            if self.echo.repeats(line) || paths::update(line, &self.session.quoted, &mut self.out) {
                return;
            }
        } else if memchr::memmem::find(line.as_bytes(), b"permission").is_none() {
            return;
        }
        let paths::Line::Permission(permission) = paths::classify(line) else {
            return;
        };
        if self.mode == Mode::Live {
            let own = self.session.state().prompts.contains_key(&self.turn);
            let (request_id, options) = (&*permission.request_id, permission.options);
            let ask = Ask {
                line,
                request_id,
                options,
                own,
                detached: false,
            };
            permission::ask(&self.adapter, &self.session, ask, &mut self.out);
        } else {
            self.held.push(Held {
                line: line.to_owned(),
                request_id: permission.request_id.into_owned(),
                options: permission.options,
                detached: false,
            });
        }
    }

    fn stage(&mut self, stage: &str, state: &str, meta: &str, turn: Option<&str>) {
        let meta: Value = serde_json::from_str(meta).unwrap_or_default();
        match (stage, state) {
            ("request", "done") => {
                if let Some(id) = meta["request_id"].as_str() {
                    self.held.retain(|held| held.request_id != id);
                    permission::settled(&self.adapter, &self.session, id, &mut self.out);
                }
            }
            ("model", "failed") => {
                let why = ["detail", "reason"]
                    .iter()
                    .find_map(|key| meta[key].as_str())
                    .unwrap_or("no reason given");
                self.adapter
                    .log
                    .warn(format!("the runtime refused the model: {why}"));
            }
            ("turn", "started") => self.doomed = None,
            ("turn", _) => {
                self.outlives(&meta);
                if let Some(turn) = meta["turn_id"].as_str().or(turn) {
                    self.ended(stage, state, &meta, turn);
                }
            }
            _ => self.doom(stage, state, &meta),
        }
    }

    /// The requests that a turn leaves open when it ends.
    fn outlives(&mut self, meta: &Value) {
        let ids = meta["waiting_request_ids"]
            .as_array()
            .into_iter()
            .flatten()
            .chain([&meta["waiting_request_id"]]);
        for id in ids.filter_map(Value::as_str) {
            if let Some(asked) = self.session.state().asked.get(id) {
                asked.detached.store(true, Ordering::Relaxed);
            }
            self.held
                .iter_mut()
                .filter(|held| held.request_id == id)
                .for_each(|held| held.detached = true);
        }
    }

    fn ended(&mut self, stage: &str, state: &str, meta: &Value, turn: &str) {
        let doomed = self.doomed.take();
        let Some(prompt) = self.session.state().prompts.remove(turn) else {
            return;
        };
        let cancelled = prompt.cancelled.load(Ordering::Relaxed);
        let of = ending::Turn {
            conversation: &self.session.id,
            cancelled,
        };
        let doomed = doomed.as_ref().map(|doomed| &doomed.answer);
        if let Seen::Ended(answer) = ending::read(stage, state, meta, of, doomed) {
            let line = self.adapter.answer(&prompt.id, answer);
            self.out.extend_from_slice(line.as_bytes());
            self.out.push(b'\n');
        }
        self.session.ended.notify_one();
    }

    /// Something happened that ends whatever turn runs. Its end should follow; where it does not, the prompt is
    /// answered anyway.
    fn doom(&mut self, stage: &str, state: &str, meta: &Value) {
        let turn = ending::Turn {
            conversation: &self.session.id,
            cancelled: false,
        };
        let Seen::Doomed(answer) = ending::read(stage, state, meta, turn, None) else {
            return;
        };
        let (stays, gone) = oneshot::channel::<()>();
        let (adapter, session) = (Arc::clone(&self.adapter), Arc::clone(&self.session));
        let told = answer.clone();
        tokio::spawn(async move {
            if tokio::time::timeout(GRACE, gone).await.is_ok() {
                return;
            }
            let prompts = std::mem::take(&mut session.state().prompts);
            for prompt in prompts.into_values() {
                adapter.respond(&prompt.id, told.clone());
            }
        });
        self.doomed = Some(Doomed {
            answer,
            _stays: stays,
        });
    }
}
