//! One conversation's task: takes what happens, lets the core decide, commits, and only then acts.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fountain_core::conversation::Status;
use fountain_core::id::{ConversationId, SandboxId};
use fountain_core::redact::{Chunks, Redactor};
use fountain_core::request::{self, Request};
use fountain_core::time::Timestamp;
use fountain_core::turn::{Effect, Input, Phase, Turn};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tracing::Instrument as _;

use super::agent::{Agent, Said};
use super::cards::Cards;
use super::effects::{self, Where};
use super::mailbox::{Message, Refusal};
use super::timers::Timers;
use super::updates::Buffer;
use crate::app::App;
use crate::store::conversations::{self, Live};
use crate::store::turns::{self, Submission};
use crate::store::{Error, Tx, requests};

/// How many batches of updates may wait for their commit before the agent is no longer read.
pub(super) const IN_FLIGHT: usize = 4;

/// One conversation while it is awake.
pub(super) struct Actor {
    pub(super) app: App,
    pub(super) live: Live,
    /// The turn that is not over.
    pub(super) turn: Option<Turn>,
    /// The prompt of a turn that waits for its runtime.
    pub(super) submission: Option<Submission>,
    /// Requests that outlived their turns.
    pub(super) detached: Vec<Request>,
    pub(super) next_number: i64,
    /// Counts the runtimes that were started; what an older one says is never heard.
    pub(super) attempt: i64,
    pub(super) agent: Agent,
    pub(super) redactor: Arc<Redactor>,
    pub(super) buffer: Buffer,
    /// Text on its way into the buffer, as long as it may be the beginning of a secret.
    pub(super) chunks: Chunks,
    /// What the agent has said of its tool calls in this turn.
    pub(super) cards: Cards,
    pub(super) in_flight: VecDeque<oneshot::Receiver<Result<(), Error>>>,
    /// Set when an update was not stored: nothing that follows may pretend it was.
    pub(super) lost: Arc<AtomicBool>,
    pub(super) timers: Timers,
    /// Set when others wait for the place of the runtime here: it is put to sleep as soon as it does nothing.
    pub(super) yields: bool,
    /// Held while the disk is being made: that goes on when whoever wanted it has gone.
    pub(super) making: Arc<tokio::sync::Mutex<()>>,
}

/// Runs a conversation until nothing is left to do.
pub(super) async fn run(app: App, id: ConversationId, mut inbox: mpsc::UnboundedReceiver<Message>) {
    let span = tracing::info_span!("conversation", %id);
    let life = async {
        loop {
            let over = match Actor::load(app.clone(), id).await {
                Ok(Some(mut actor)) => actor.run(&mut inbox).await == After::Stop,
                Ok(None) => true,
                Err(error) => {
                    tracing::error!(%error, "the conversation could not be read");
                    true
                }
            };
            if over {
                refuse(&mut inbox);
            }
            // A message that came in this moment wakes it again.
            if app.conversations.retire(id, &inbox) {
                return;
            }
        }
    };
    life.instrument(span).await;
}

/// Drops what nobody will answer: whoever waits is told by the drop of its reply.
fn refuse(inbox: &mut mpsc::UnboundedReceiver<Message>) {
    while let Ok(message) = inbox.try_recv() {
        if let Message::Stop { done } = message {
            let _ = done.send(());
        }
    }
}

/// What follows when a conversation has nothing left to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// It sleeps until somebody asks for it.
    Sleep,
    /// The daemon stops.
    Stop,
}

enum Next {
    Message(Option<Message>),
    Said(Said),
    Stored(Result<(), Error>),
    Timer,
}

impl Actor {
    async fn load(app: App, id: ConversationId) -> Result<Option<Self>, Error> {
        let found = app
            .store
            .read(move |db| {
                let Some(live) = conversations::find(db, id)? else {
                    return Ok(None);
                };
                let turn = turns::open(db, live.key)?.into_iter().next();
                let submission = match &turn {
                    Some(turn) => Some(turns::submission(db, turn.id)?),
                    None => None,
                };
                let open = requests::open(db, live.key)?;
                let number = turns::next_number(db, live.key)?;
                Ok(Some((live, turn, submission, open, number)))
            })
            .await?;
        let Some((live, turn, submission, open, next_number)) = found else {
            return Ok(None);
        };
        let stored = live.stored_bytes;
        Ok(Some(Self {
            timers: Timers::new(),
            yields: false,
            app,
            live,
            turn,
            submission,
            detached: open
                .into_iter()
                .filter(|request| request.detached)
                .collect(),
            next_number,
            attempt: 0,
            agent: Agent::Asleep,
            redactor: Arc::default(),
            buffer: Buffer::new(stored),
            chunks: Chunks::default(),
            cards: Cards::default(),
            in_flight: VecDeque::new(),
            lost: Arc::default(),
            making: Arc::default(),
        }))
    }

    async fn run(&mut self, inbox: &mut mpsc::UnboundedReceiver<Message>) -> After {
        loop {
            let next = self.next(inbox).await;
            if let Next::Stored(Err(error)) = &next {
                self.storage_failed(error);
            } else if self.lost.load(Ordering::Acquire) {
                let error = self.why_lost();
                self.storage_failed(&error);
            }
            let flow = match next {
                Next::Message(Some(message)) => self.handle(message).await,
                Next::Message(None) => ControlFlow::Break(After::Sleep),
                Next::Said(Said::Opened(result)) => {
                    self.opened(result).await;
                    ControlFlow::Continue(())
                }
                Next::Said(Said::Batch(batch)) => {
                    self.batch(batch).await;
                    ControlFlow::Continue(())
                }
                Next::Stored(_) => ControlFlow::Continue(()),
                Next::Timer => self.timer(inbox).await,
            };
            if let ControlFlow::Break(after) = flow {
                return after;
            }
        }
    }

    async fn next(&mut self, inbox: &mut mpsc::UnboundedReceiver<Message>) -> Next {
        let idle = self.may_idle();
        let due = self.timers.due(self.turn.as_ref(), self.app.now(), idle);
        let full = self.in_flight.len() >= IN_FLIGHT;
        tokio::select! {
            biased;
            message = inbox.recv() => Next::Message(message),
            result = oldest(&mut self.in_flight), if full => Next::Stored(result),
            said = self.agent.next(!full) => Next::Said(said),
            () = tokio::time::sleep_until(due) => Next::Timer,
        }
    }

    async fn handle(&mut self, message: Message) -> ControlFlow<After> {
        self.timers.touch();
        match message {
            Message::Prompt { submission, reply } => {
                let _ = reply.send(self.prompt(submission).await);
            }
            Message::Answer {
                request,
                pick,
                by,
                reply,
            } => {
                let _ = reply.send(self.answer(&request, &pick, &by).await);
            }
            Message::Interrupt { reply } => {
                let _ = reply.send(self.interrupt().await);
            }
            Message::Rename { title, reply } => {
                let _ = reply.send(self.rename(title).await);
            }
            Message::Due(request) => self.due(&request).await,
            Message::Yield => self.yields = true,
            Message::Resume => {
                if matches!(
                    &self.turn,
                    Some(Turn {
                        phase: Phase::Pending,
                        ..
                    })
                ) && self.agent.is_asleep()
                {
                    self.wake().await;
                }
            }
            Message::Terminate { delete, reply } => {
                let result = self.terminate(delete).await;
                let over = result.is_ok();
                let _ = reply.send(result);
                if over {
                    return ControlFlow::Break(After::Sleep);
                }
            }
            Message::Stop { done } => {
                self.stop().await;
                let _ = done.send(());
                return ControlFlow::Break(After::Stop);
            }
        }
        ControlFlow::Continue(())
    }

    /// Lets the core take one input: what it decides is committed, then done. When the commit fails, the turn is
    /// as it was.
    pub(super) async fn step(&mut self, input: Input) -> Result<(), StepError> {
        self.step_at(input, self.app.now()).await
    }

    /// The same at a moment that was looked at before.
    pub(super) async fn step_at(&mut self, input: Input, now: Timestamp) -> Result<(), StepError> {
        let Some(mut turn) = self.turn.clone() else {
            return Err(StepError::Refused(request::Refused::NotOpen));
        };
        let policy = if needs_policy(&input) {
            self.policy().await
        } else {
            fountain_core::policy::Effective::default()
        };
        let effects = turn
            .step(input, &policy, self.app.limits(), now)
            .map_err(StepError::Refused)?;
        let id = turn.id;
        self.let_chunks_go();
        let detached: Vec<Request> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Detach { request } => Some(request.clone()),
                _ => None,
            })
            .collect();
        let acts = self
            .commit(Some(id), effects, |_| Ok(()))
            .await
            .map(|((), acts)| acts)
            .map_err(StepError::Store)?;
        if !detached.is_empty() {
            self.app.waits.notify_one();
        }
        self.detached.extend(detached);
        let over = turn.is_over();
        self.turn = (!over).then_some(turn);
        if over {
            self.turn_is_over();
        }
        self.act(acts);
        Ok(())
    }

    /// Commits buffered updates, then `also`, then effects, in one transaction; gives what is left to do after it.
    pub(super) async fn commit<T: Send + 'static>(
        &mut self,
        turn: Option<fountain_core::id::TurnId>,
        effects: Vec<Effect>,
        also: impl FnOnce(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<(T, Vec<Effect>), Error> {
        let (acts, stores): (Vec<_>, Vec<_>) = effects.into_iter().partition(Effect::is_act);
        let place = self.place(turn);
        let redactor = Arc::clone(&self.redactor);
        let buffered = self.buffer.take();
        let lost = Arc::clone(&self.lost);
        let value = self
            .app
            .store
            .write(move |tx| {
                if lost.load(Ordering::Acquire) {
                    return Err(Error::Commit(
                        "an update before it could not be stored".into(),
                    ));
                }
                buffered.store(tx, &place)?;
                let value = also(tx)?;
                effects::store(tx, &place, &redactor, stores)?;
                Ok(value)
            })
            .await?;
        Ok((value, acts))
    }

    pub(super) fn place(&self, turn: Option<fountain_core::id::TurnId>) -> Where {
        let now = self.app.now();
        Where {
            key: self.live.key,
            conversation: self.live.id,
            turn,
            after_turn: if self.live.status == Status::Terminated {
                Status::Terminated
            } else {
                Status::Idle
            },
            now,
            credits: self.app.settings().credits,
            ran_until: now,
        }
    }

    pub(super) fn act(&mut self, acts: Vec<Effect>) {
        for act in acts {
            match act {
                Effect::Reply { rpc_id, outcome } => {
                    if let Some(link) = self.agent.link() {
                        link.reply(&rpc_id, &outcome);
                    }
                }
                Effect::Cancel => {
                    if let Some(link) = self.agent.link() {
                        link.cancel();
                    }
                    self.timers.grace =
                        Some(Instant::now() + self.app.settings().limits.cancel_grace);
                }
                Effect::CloseLink => self.close_link(),
                _ => {}
            }
        }
    }

    /// Ends the runtime; its disk and its session stay.
    pub(super) fn close_link(&mut self) {
        if let Some(link) = self.agent.link() {
            link.stop();
            self.note_suspended();
        }
        self.agent.leave(&self.app);
        self.works();
    }

    pub(super) fn sandbox(&self) -> SandboxId {
        self.live.sandbox
    }

    fn turn_is_over(&mut self) {
        self.cards = Cards::default();
        self.chunks = Chunks::default();
        self.submission = None;
        self.timers.grace = None;
        self.timers.quiet = None;
        self.timers.touch();
        if self.live.status != Status::Terminated {
            self.live.status = Status::Idle;
        }
        self.rests();
    }

    /// Nothing is to be done: the runtime keeps warm, unless others wait for its place.
    pub(super) fn rests(&mut self) {
        if self.agent.link().is_some() {
            self.yields = self.app.conversations.slots.idle(self.live.id);
        }
    }

    /// Something is to be done.
    pub(super) fn works(&mut self) {
        self.yields = false;
        self.app.conversations.slots.busy(self.live.id);
    }

    /// What the store said about an update that it lost.
    fn why_lost(&mut self) -> Error {
        self.in_flight
            .iter_mut()
            .find_map(|stored| stored.try_recv().ok()?.err())
            .unwrap_or_else(|| Error::Commit("an update could not be stored".into()))
    }

    /// Notes that no process runs any more, and takes back the key that it held. Nobody waits for it, and nothing
    /// is told wrong when it fails.
    pub(super) fn note_suspended(&self) {
        let (key, id, now) = (self.live.key, self.live.id, self.app.now());
        drop(self.app.store.submit(&Arc::default(), move |tx| {
            conversations::suspended(tx, key, id, now)
        }));
    }

    /// The file cannot be written: the agent is stopped, and the turn's end is stored as soon as that works.
    pub(super) fn storage_failed(&mut self, error: &Error) {
        tracing::error!(%error, "an update could not be stored; the turn ends");
        self.in_flight.clear();
        self.buffer.clear();
        self.chunks = Chunks::default();
        // A new one: what is still queued belongs to what was lost.
        self.lost = Arc::default();
        self.close_link();
        self.timers.broken = Some((Instant::now() + Duration::from_secs(1), error.to_string()));
    }
}

/// Why an input did nothing.
pub(super) enum StepError {
    Refused(request::Refused),
    Store(Error),
}

impl From<StepError> for Refusal {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Refused(request::Refused::NotOffered(option)) => Self::NotOffered(option),
            StepError::Refused(_) => Self::RequestNotOpen,
            StepError::Store(error) => Self::Store(error),
        }
    }
}

fn needs_policy(input: &Input) -> bool {
    match input {
        Input::Asked(_) => true,
        Input::Finished(finish) => finish.is_waiting(),
        _ => false,
    }
}

async fn oldest(
    in_flight: &mut VecDeque<oneshot::Receiver<Result<(), Error>>>,
) -> Result<(), Error> {
    let Some(oldest) = in_flight.front_mut() else {
        return Ok(());
    };
    let result = oldest.await.unwrap_or(Err(Error::Closed));
    in_flight.pop_front();
    result
}
