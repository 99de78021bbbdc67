//! The conversations that are awake: each is one task with a mailbox, found or woken by id. One owner per
//! conversation, so nothing in it races.

mod actor;
mod agent;
mod answers;
mod cards;
mod effects;
mod mailbox;
mod opening;
mod prompts;
mod slots;
mod timers;
mod updates;

use std::collections::HashMap;
use std::sync::Mutex;

use fountain_core::conversation::Status;
use fountain_core::id::{ConversationId, TurnId};
use fountain_core::redact::Redactor;
use fountain_core::settings::Credits;
use fountain_core::time::Timestamp;
use fountain_core::turn::Effect;
use tokio::sync::{mpsc, oneshot};

use slots::{Asked, Slot, Slots};

pub use mailbox::{Answered, Message, Refusal};

use crate::app::App;
use crate::store::{Error, Key, Tx};

/// The mailboxes of the conversations that are awake.
#[derive(Default)]
pub struct Conversations {
    awake: Mutex<HashMap<ConversationId, mpsc::UnboundedSender<Message>>>,
    /// The places of runtimes.
    slots: Slots,
}

impl Conversations {
    /// Hands a message to a conversation, waking it first when it sleeps. A conversation that does not exist
    /// drops the message, and with it the sender of its answer.
    pub fn send(&self, app: &App, id: ConversationId, message: Message) {
        let Ok(mut awake) = self.awake.lock() else {
            return;
        };
        let message = match awake.get(&id) {
            Some(mailbox) => match mailbox.send(message) {
                Ok(()) => return,
                Err(mpsc::error::SendError(message)) => message,
            },
            None => message,
        };
        let (mailbox, inbox) = mpsc::unbounded_channel();
        let _ = mailbox.send(message);
        awake.insert(id, mailbox);
        app.tasks.spawn(actor::run(app.clone(), id, inbox));
    }

    /// Asks a conversation and waits for its answer.
    ///
    /// # Errors
    /// The conversation's refusal; [`Refusal::NotFound`] when there is none, [`Refusal::Stopping`] when it has
    /// stopped already.
    pub async fn ask<T>(
        &self,
        app: &App,
        id: ConversationId,
        message: impl FnOnce(oneshot::Sender<Result<T, Refusal>>) -> Message,
    ) -> Result<T, Refusal> {
        let (reply, answer) = oneshot::channel();
        self.send(app, id, message(reply));
        answer.await.unwrap_or_else(|_| {
            Err(if app.stopping.is_cancelled() {
                Refusal::Stopping
            } else {
                Refusal::NotFound
            })
        })
    }

    /// Waits for a place for a runtime, as many as `sandbox.max_running` says.
    async fn place(&self, app: &App) -> Slot {
        let limit = app.settings().sandbox.max_running;
        let (place, warm) = match self.slots.ask(limit) {
            Asked::Taken(slot) => return slot,
            Asked::Later(place, warm) => (place, warm),
        };
        tracing::info!(
            limit,
            "no place for another runtime (`sandbox.max_running`); it waits"
        );
        if let Some(warm) = warm {
            self.send(app, warm, Message::Yield);
        }
        match place.await {
            Ok(slot) => slot,
            // The places outlive whoever waits for one.
            Err(_) => std::future::pending().await,
        }
    }

    /// Stops every conversation that is awake and waits until each has stored how it ended.
    pub async fn stop(&self) {
        let mailboxes: Vec<_> = match self.awake.lock() {
            Ok(awake) => awake.values().cloned().collect(),
            Err(_) => return,
        };
        let mut ends = Vec::new();
        for mailbox in mailboxes {
            let (done, end) = oneshot::channel();
            if mailbox.send(Message::Stop { done }).is_ok() {
                ends.push(end);
            }
        }
        for end in ends {
            let _ = end.await;
        }
    }

    /// Lets a conversation go to sleep, unless a message came meanwhile.
    fn retire(&self, id: ConversationId, inbox: &mpsc::UnboundedReceiver<Message>) -> bool {
        let Ok(mut awake) = self.awake.lock() else {
            return true;
        };
        if !inbox.is_empty() {
            return false;
        }
        awake.remove(&id);
        true
    }
}

/// A turn of a daemon before, whose conversation is not awake.
pub struct Left {
    /// Its conversation's row.
    pub key: Key,
    /// Its conversation.
    pub conversation: ConversationId,
    /// It.
    pub turn: TurnId,
    /// When it last said anything.
    pub ran_until: Timestamp,
    /// What turn time costs.
    pub credits: Credits,
}

impl Left {
    /// Stores what ends it, in the transaction that is open.
    ///
    /// # Errors
    /// SQLite's.
    pub fn store(self, tx: &mut Tx<'_>, effects: Vec<Effect>, now: Timestamp) -> Result<(), Error> {
        let place = effects::Where {
            key: self.key,
            conversation: self.conversation,
            turn: Some(self.turn),
            after_turn: Status::Idle,
            now,
            credits: self.credits,
            ran_until: self.ran_until,
        };
        effects::store(tx, &place, &Redactor::default(), effects)
    }
}
