//! Turns that open and turns that are stopped.

use base64::Engine as _;
use fountain_core::api::conversations::Accepted;
use fountain_core::conversation::{self, Status};
use fountain_core::event::{Event, State};
use fountain_core::id::{Seq, TurnId};
use fountain_core::policy::Effective;
use fountain_core::request::Request;
use fountain_core::title::Origin as TitleOrigin;
use fountain_core::turn::{Effect, Finish, Input, Origin, Phase, Turn, settlement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::actor::Actor;
use super::agent::Said;
use super::mailbox::Refusal;
use crate::runtime::link::Link;
use crate::store::turns::{self, Submission};
use crate::store::{Error, Tx, agents, audit, conversations, keys};

/// A fresh id for a turn.
pub(super) fn turn_id() -> TurnId {
    TurnId(Uuid::now_v7())
}

impl Actor {
    pub(super) async fn prompt(&mut self, submission: Submission) -> Result<Accepted, Refusal> {
        let account = self.app.account().await?;
        conversation::may_prompt(self.live.status, self.turn.as_ref(), account)?;
        if self.timers.broken.is_some() {
            return Err(Refusal::Store(Error::Commit(
                "the end of the turn before is not stored yet".into(),
            )));
        }
        if !self.has_agent().await {
            return Err(Refusal::NoAgent);
        }
        if self.app.stopping.is_cancelled() {
            return Err(Refusal::Stopping);
        }
        self.open_turn(submission, |_| Ok(())).await
    }

    /// Whether its agent is there: it may have been removed since this conversation woke.
    pub(super) async fn has_agent(&mut self) -> bool {
        if let Some(agent) = self.live.agent {
            let found = self.app.store.read(move |db| agents::policy(db, agent));
            if matches!(found.await, Ok(None)) {
                self.live.agent = None;
            }
        }
        self.live.agent.is_some()
    }

    /// Opens a turn; `before` is stored in the same transaction, ahead of it.
    pub(super) async fn open_turn(
        &mut self,
        submission: Submission,
        before: impl FnOnce(&mut Tx<'_>) -> Result<(), Error> + Send + 'static,
    ) -> Result<Accepted, Refusal> {
        self.see_off().await;
        // A turn of the runtime's own gives way to a person's.
        if self.turn.is_some() {
            self.step(Input::Finished(Finish::Quiet)).await?;
        }
        let now = self.app.now();
        let mut turn = Turn::pending(turn_id(), self.next_number, Origin::User);
        let awake = self.agent.link().is_some();
        let effects = if awake {
            self.started(&mut turn, &submission, true)
        } else {
            Vec::new()
        };
        let status = Status::with(Some(&turn));
        let (key, stored, attempt, prompt) = (
            self.live.key,
            turn.clone(),
            self.attempt,
            submission.clone(),
        );
        let (after, _) = self
            .commit(Some(turn.id), effects, move |tx| {
                let after = tx.last();
                before(tx)?;
                let pending = Turn {
                    phase: Phase::Pending,
                    ..stored
                };
                turns::insert(tx, key, &pending, &prompt, now)?;
                if awake {
                    turns::start(tx, pending.id, attempt, now)?;
                }
                conversations::set_status(tx, key, status, now)?;
                Ok(after)
            })
            .await?;
        self.works();
        let accepted = accepted(&turn, &submission, after);
        self.live.status = status;
        self.next_number += 1;
        self.turn = Some(turn);
        self.timers.touch();
        if awake {
            self.deliver(&submission).await;
        } else {
            self.submission = Some(submission);
            self.wake().await;
        }
        Ok(accepted)
    }

    /// Hears a runtime out that is gone, so that the next prompt starts another one instead of being lost to it.
    async fn see_off(&mut self) {
        while self.agent.link().is_some_and(Link::is_over) {
            match self.agent.next(true).await {
                Said::Batch(batch) => self.batch(batch).await,
                Said::Opened(_) => return,
            }
        }
    }

    /// The effects of a start; the turn is then running.
    pub(super) fn started(
        &self,
        turn: &mut Turn,
        submission: &Submission,
        reused: bool,
    ) -> Vec<Effect> {
        let more = json!({
            "mode": if turn.number == 1 { "run" } else { "continue" },
            "origin": turn.origin.as_str(),
            "client_request_id": submission.client_request_id,
            "connection": if reused { "reused" } else { "new" },
        });
        let input = Input::Started { more };
        turn.step(
            input,
            &Effective::default(),
            self.app.limits(),
            self.app.now(),
        )
        .unwrap_or_default()
    }

    /// Gives the prompt to the runtime, or fails the turn when it cannot take it.
    pub(super) async fn deliver(&mut self, submission: &Submission) {
        let super::agent::Agent::Awake { link, images, .. } = &self.agent else {
            return;
        };
        if !images && !submission.images.is_empty() {
            let reason = "the agent takes no images; send the prompt again without them".to_owned();
            self.finish(Finish::Failed { reason }).await;
            return;
        }
        let text = (!submission.prompt.is_empty())
            .then(|| json!({"type": "text", "text": submission.prompt}));
        let images = submission.images.iter().map(|image| {
            let data = base64::engine::general_purpose::STANDARD.encode(&image.data);
            json!({"type": "image", "mimeType": image.media_type, "data": data})
        });
        let blocks: Vec<Value> = text.into_iter().chain(images).collect();
        link.prompt(&json!({"sessionId": link.session(), "prompt": blocks}));
    }

    pub(super) async fn interrupt(&mut self) -> Result<(), Refusal> {
        if self.turn.is_none() {
            return Err(Refusal::NoTurn);
        }
        self.step(Input::Interrupt).await?;
        if self.turn.is_none() && self.agent.link().is_none() {
            // It was stopped before its runtime was up: nothing is left running.
            self.agent.leave(&self.app);
            self.note_suspended();
        }
        Ok(())
    }

    pub(super) async fn rename(&mut self, title: String) -> Result<(), Refusal> {
        let (key, now) = (self.live.key, self.app.now());
        let stored = title.clone();
        self.commit(None, Vec::new(), move |tx| {
            conversations::set_title(tx, key, Some(&stored), TitleOrigin::Explicit, now)
        })
        .await?;
        self.live.title = Some((title, TitleOrigin::Explicit));
        Ok(())
    }

    /// Ends the conversation for good: its turn, its requests, its processes, its disk.
    pub(super) async fn terminate(&mut self, delete: bool) -> Result<(), Refusal> {
        let before = self.live.status;
        let had_turn = self.turn.is_some();
        self.live.status = Status::Terminated;
        if had_turn && let Err(error) = self.step(Input::Finished(Finish::Terminated)).await {
            self.live.status = before;
            return Err(error.into());
        }
        let now = self.app.now();
        let mut effects: Vec<Effect> = self
            .detached
            .iter()
            .cloned()
            .flat_map(|request: Request| {
                let settled = request.conversation_ended(now);
                settlement(request, settled)
            })
            .collect();
        if before != Status::Terminated {
            effects.push(Effect::Record(Event::stage(
                "terminate",
                State::Done,
                json!({}),
            )));
        }
        let (key, id) = (self.live.key, self.live.id);
        let stored = self.commit(None, effects, move |tx| {
            conversations::set_status(tx, key, Status::Terminated, now)?;
            conversations::set_sandbox(tx, key, "terminated", now)?;
            keys::take_back(tx, id)
        });
        if let Err(error) = stored.await {
            // The end of a turn was stored with the new status; without one nothing was.
            if !had_turn {
                self.live.status = before;
            }
            return Err(error.into());
        }
        self.detached.clear();
        self.end_process().await;
        let (kind, disk) = (
            std::sync::Arc::clone(&self.app.sandboxes),
            self.app.disk(self.sandbox()),
        );
        let _made = self.making.lock().await;
        let removed = tokio::task::spawn_blocking(move || kind.destroy(&disk)).await;
        if let Ok(Err(error)) = removed {
            tracing::error!(%error, "the sandbox's disk could not be removed");
        }
        if delete {
            let entry = audit::Entry {
                actor: "api",
                action: "conversation.deleted",
                resource: ("conversation", id.to_string()),
                metadata: json!({}),
            };
            self.app
                .store
                .write(move |tx| {
                    audit::insert(tx, &entry, now)?;
                    conversations::delete(tx, id)
                })
                .await?;
        }
        Ok(())
    }

    /// The daemon stops: the turn is stored as interrupted, and the runtime is given its last grace.
    pub(super) async fn stop(&mut self) {
        if self
            .turn
            .as_ref()
            .is_some_and(|turn| matches!(turn.phase, Phase::Running(_)))
        {
            self.finish(Finish::DaemonStopped {
                reason: "daemon_stopped",
            })
            .await;
        }
        self.end_process().await;
        while let Some(stored) = self.in_flight.pop_front() {
            let _ = stored.await;
        }
    }

    /// Ends the runtime and waits until nothing of it is left, as long as the shutdown grace and a kill take.
    async fn end_process(&mut self) {
        if let super::agent::Agent::Opening { task, .. } = &mut self.agent {
            task.abort();
            // What it was about to start is started by now, and ended with it.
            let _ = task.await;
        }
        if let super::agent::Agent::Awake { link, batches, .. } = &mut self.agent {
            link.stop();
            let limit =
                self.app.settings().limits.shutdown_grace + std::time::Duration::from_secs(2);
            let drained = async { while batches.recv().await.is_some() {} };
            let _ = tokio::time::timeout(limit, drained).await;
        }
        self.agent.leave(&self.app);
    }
}

fn accepted(turn: &Turn, submission: &Submission, after: Seq) -> Accepted {
    Accepted {
        status: "queued".into(),
        turn_id: turn.id.to_string(),
        turn_number: turn.number,
        after,
        client_request_id: submission.client_request_id.clone(),
    }
}
