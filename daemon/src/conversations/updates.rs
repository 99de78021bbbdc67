//! What the runtime says: stored in batches that wait for nothing, and handed to the core where it matters.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use fountain_core::acp::Permission;
use fountain_core::conversation::Account;
use fountain_core::event::{Event, State};
use fountain_core::id::{RequestId, TurnId};
use fountain_core::policy::Effective;
use fountain_core::redact::Redacted;
use fountain_core::request::Ask;
use fountain_core::rpc::Object;
use fountain_core::title::{self, Origin};
use fountain_core::turn::{self, Finish, Input, Phase, Turn};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::actor::{Actor, StepError};
use super::effects::Where;
use super::timers::QUIET;
use crate::runtime::link::{Closed, FromAgent};
use crate::store::turns::{self, Submission};
use crate::store::{Error, Tx, conversations, events, policies};

/// The longest summary of a request, in characters.
const SUMMARY: usize = 240;

/// Events that wait to be stored with the next commit.
pub(super) struct Buffer {
    events: Vec<(TurnId, Redacted<Event>)>,
    title: Option<Option<String>>,
    bytes: i64,
    /// Bytes of output stored or waiting, of the whole conversation.
    total: i64,
}

/// The taken contents of a [`Buffer`].
pub(super) struct Buffered {
    events: Vec<(TurnId, Redacted<Event>)>,
    title: Option<Option<String>>,
    bytes: i64,
}

impl Buffer {
    pub(super) fn new(total: i64) -> Self {
        Self {
            events: Vec::new(),
            title: None,
            bytes: 0,
            total,
        }
    }

    pub(super) fn take(&mut self) -> Buffered {
        Buffered {
            events: std::mem::take(&mut self.events),
            title: self.title.take(),
            bytes: std::mem::take(&mut self.bytes),
        }
    }

    pub(super) fn clear(&mut self) {
        drop(self.take());
    }

    fn is_empty(&self) -> bool {
        self.events.is_empty() && self.title.is_none()
    }
}

impl Buffered {
    pub(super) fn store(&self, tx: &mut Tx<'_>, place: &Where) -> Result<(), Error> {
        for (turn, event) in &self.events {
            events::append(tx, place.key, Some(*turn), event, place.now)?;
        }
        if self.bytes > 0 {
            conversations::stored(tx, place.key, self.bytes, place.now)?;
        }
        if let Some(title) = &self.title {
            conversations::set_title(tx, place.key, title.as_deref(), Origin::Harness, place.now)?;
        }
        Ok(())
    }
}

impl Actor {
    pub(super) async fn batch(&mut self, batch: Vec<FromAgent>) {
        for item in batch {
            // A connection that was closed on the way is not heard any more.
            if self.agent.link().is_none() {
                break;
            }
            match item {
                FromAgent::Update {
                    line,
                    metadata,
                    chunk,
                    title,
                    card,
                } => {
                    if let Some(card) = card {
                        self.cards.take(*card);
                    }
                    if let Some(offered) = title {
                        self.offered_title(offered.as_deref());
                    }
                    self.updated(line, metadata, chunk).await;
                }
                FromAgent::Permission {
                    rpc_id,
                    permission,
                    line,
                } => self.asked(rpc_id, *permission, &line).await,
                FromAgent::Withdrawn(rpc_id) => {
                    let _ = self.step(Input::Withdrawn { rpc_id }).await;
                }
                FromAgent::Prompted(result) => self.prompted(result).await,
                FromAgent::Closed(closed) => self.closed(closed).await,
            }
        }
        self.flush();
    }

    /// Queues what is buffered for the next commit, without waiting for it.
    fn flush(&mut self) {
        if self.buffer.is_empty() {
            return;
        }
        let place = self.place(None);
        let buffered = self.buffer.take();
        let lost = Arc::clone(&self.lost);
        let stored = self.app.store.submit(&self.lost, move |tx| {
            // Behind an update that was lost there would be a gap that nobody sees.
            if lost.load(Ordering::Acquire) {
                return Err(Error::Commit("an update before it was lost".into()));
            }
            buffered.store(tx, &place)
        });
        self.in_flight.push_back(stored);
    }

    async fn updated(&mut self, line: String, metadata: bool, chunk: Option<&'static str>) {
        let turn = match self.running() {
            Some(turn) => turn,
            // It describes the session and nobody works: nothing for the transcript.
            None if metadata => return,
            None => match self.open_autonomous().await {
                Some(turn) => turn,
                None => return,
            },
        };
        if !metadata && self.timers.quiet.is_some() {
            self.timers.quiet = Some(Instant::now() + QUIET);
        }
        if self.redactor.is_empty() {
            return self.buffer(turn, line);
        }
        let lines = match chunk {
            Some(kind) => self.chunks.push(&self.redactor, kind, line),
            None => {
                let mut lines = self.chunks.flush();
                lines.push(line);
                lines
            }
        };
        for line in lines {
            self.buffer(turn, line);
        }
    }

    /// Lets chunks go that were held for what might follow: something else follows.
    pub(super) fn let_chunks_go(&mut self) {
        if let Some(turn) = self.running() {
            for line in self.chunks.flush() {
                self.buffer(turn, line);
            }
        }
    }

    fn buffer(&mut self, turn: TurnId, line: String) {
        let limit = i64::try_from(self.app.settings().limits.transcript).unwrap_or(i64::MAX);
        if self.buffer.total > limit {
            return;
        }
        let length = i64::try_from(line.len()).unwrap_or(i64::MAX);
        self.buffer.total = self.buffer.total.saturating_add(length);
        self.buffer.bytes = self.buffer.bytes.saturating_add(length);
        let event = if self.buffer.total > limit {
            // Said once; the turn goes on, and its end is told as ever.
            Event::stage(
                "transcript",
                State::Done,
                json!({"event": "truncated", "limit_bytes": limit}),
            )
        } else {
            Event::acp(line)
        };
        self.buffer.events.push((turn, self.redactor.event(event)));
    }

    fn offered_title(&mut self, offered: Option<&str>) {
        let current = self
            .live
            .title
            .as_ref()
            .map(|(text, origin)| (text.as_str(), *origin));
        if let Some(title) = title::revise(current, offered, &self.redactor) {
            self.live.title = title.clone().map(|title| (title, Origin::Harness));
            self.buffer.title = Some(title);
        }
    }

    fn running(&self) -> Option<TurnId> {
        self.turn
            .as_ref()
            .filter(|turn| matches!(turn.phase, Phase::Running(_)))
            .map(|turn| turn.id)
    }

    /// Opens a turn for what the runtime does between prompts.
    async fn open_autonomous(&mut self) -> Option<TurnId> {
        if self.turn.is_some() {
            return None;
        }
        let allowed = self.app.account().await.map(Account::may_begin);
        if !matches!(allowed, Ok(Ok(()))) {
            // It works on where no turn may begin: it is put to sleep.
            self.close_link();
            return None;
        }
        let now = self.app.now();
        let mut turn = Turn::pending(
            super::prompts::turn_id(),
            self.next_number,
            turn::Origin::Autonomous,
        );
        let more = json!({"origin": "autonomous", "connection": "reused"});
        let effects = turn
            .step(
                Input::Started { more },
                &Effective::default(),
                self.app.limits(),
                now,
            )
            .unwrap_or_default();
        let (key, stored, attempt) = (self.live.key, turn.clone(), self.attempt);
        let submission = Submission {
            prompt: "(background task follow-up)".into(),
            ..Submission::default()
        };
        let committed = self
            .commit(Some(turn.id), effects, move |tx| {
                turns::insert(tx, key, &stored, &submission, now)?;
                turns::start(tx, stored.id, attempt, now)
            })
            .await;
        match committed {
            Ok(_) => {
                let id = turn.id;
                self.turn = Some(turn);
                self.next_number += 1;
                self.timers.quiet = Some(Instant::now() + QUIET);
                self.works();
                Some(id)
            }
            Err(error) => {
                self.storage_failed(&error);
                None
            }
        }
    }

    /// The policies of this moment: an edit of the agent's, or a launch that narrows, reaches what runs, from the
    /// next request on. What cannot be read permits nothing.
    pub(super) async fn policy(&self) -> Effective {
        let key = self.live.key;
        let read = self.app.store.read(move |db| policies::of(db, key));
        read.await.unwrap_or_else(|_| Effective::denies())
    }

    async fn asked(&mut self, rpc_id: String, mut permission: Permission, line: &str) {
        if self.running().is_none() && self.open_autonomous().await.is_none() {
            if let Some(link) = self.agent.link() {
                link.reply(&rpc_id, &fountain_core::outcome::Outcome::Cancelled);
            }
            return;
        }
        let card = permission
            .call
            .as_deref()
            .and_then(|call| self.cards.of(call));
        if let Some(card) = &card {
            permission.fill(card);
        }
        let id = RequestId::new(&rpc_id, random());
        let ask = Ask {
            line: with_public_id(line, &id),
            summary: permission.summary(&self.redactor, SUMMARY),
            tool: permission.tool(&self.redactor),
            id,
            rpc_id,
            call: permission.call,
            card,
            title: permission.title,
            kind: permission.kind,
            options: permission.options.redacted(&self.redactor),
            timeout: permission.timeout,
        };
        let rpc_id = ask.rpc_id.clone();
        if let Err(StepError::Store(error)) = self.step(Input::Asked(ask)).await {
            if let Some(link) = self.agent.link() {
                link.reply(&rpc_id, &fountain_core::outcome::Outcome::Cancelled);
            }
            self.storage_failed(&error);
        }
    }

    async fn prompted(&mut self, result: Result<Value, fountain_core::rpc::Error>) {
        let finish = match result {
            Ok(result) => Finish::Stopped {
                reason: self
                    .redactor
                    .text(result["stopReason"].as_str().unwrap_or("unknown"))
                    .chars()
                    .take(80)
                    .collect(),
                usage: fountain_core::acp::usage(&result),
            },
            Err(error) => Finish::Error {
                code: error.code,
                message: error.sentence(),
            },
        };
        self.finish(finish).await;
    }

    async fn closed(&mut self, closed: Closed) {
        tracing::info!(exit = %closed.exit, "the agent's process ended");
        self.agent.leave(&self.app);
        self.works();
        let finish = Finish::Exited {
            code: closed.code(),
            reason: closed.reason(),
        };
        self.note_suspended();
        self.finish(finish).await;
    }

    /// Ends the turn, if there is one.
    pub(super) async fn finish(&mut self, finish: Finish) {
        if self.turn.is_none() {
            return;
        }
        if let Err(StepError::Store(error)) = self.step(Input::Finished(finish)).await {
            self.storage_failed(&error);
        }
    }
}

/// The request line with the public id in place of the agent's own: that one starts from 0 again in each process.
fn with_public_id(line: &str, id: &RequestId) -> String {
    let id = Value::from(id.as_str()).to_string();
    match Object::parse(line.trim()) {
        Some(mut object) => {
            object.set("id", id);
            object.to_string()
        }
        None => line.to_owned(),
    }
}

fn random() -> u64 {
    let bytes = uuid::Uuid::new_v4();
    let (high, low) = bytes.as_u64_pair();
    // Version and variant bits are fixed in each half; together every bit is random.
    high.rotate_left(32) ^ low
}
