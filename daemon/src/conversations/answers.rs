//! Answers to requests, in a turn and after it. The first one wins because this task is the only one to settle.

use std::sync::Arc;

use fountain_core::conversation;
use fountain_core::id::RequestId;
use fountain_core::request::{Pick, Refused, Request, Resolution, Settled, resume_prompt};
use fountain_core::turn::{Input, Phase, settlement};

use super::actor::Actor;
use super::effects;
use super::mailbox::{Answered, Refusal};
use crate::store::turns::Submission;

impl Actor {
    pub(super) async fn answer(
        &mut self,
        id: &RequestId,
        pick: &Pick,
        by: &str,
    ) -> Result<Answered, Refusal> {
        let held = match self.turn.as_ref().map(|turn| &turn.phase) {
            Some(Phase::Running(running)) => running.held.get(id).cloned(),
            _ => None,
        };
        let Some(request) = held else {
            return self.answer_detached(id, pick, by).await;
        };
        let now = self.app.now();
        if let Ok(settled) = request.expire(now) {
            self.step_at(Input::DeadlinePassed { id: id.clone() }, now)
                .await?;
            return Ok(Answered::Late(settled));
        }
        // At the same moment: a later look at the clock could meet the deadline after all.
        let input = Input::Answered {
            id: id.clone(),
            pick: pick.clone(),
            by: by.to_owned(),
        };
        self.step_at(input, now).await?;
        Ok(Answered::Won)
    }

    async fn answer_detached(
        &mut self,
        id: &RequestId,
        pick: &Pick,
        by: &str,
    ) -> Result<Answered, Refusal> {
        let Some(request) = self
            .detached
            .iter()
            .find(|request| request.id == *id)
            .cloned()
        else {
            return Err(Refusal::RequestNotOpen);
        };
        let settled =
            request
                .answer(pick, by, self.app.now())
                .map_err(|refused| match refused {
                    Refused::NotOffered(option) => Refusal::NotOffered(option),
                    Refused::NotOpen | Refused::NotDue => Refusal::RequestNotOpen,
                })?;
        if settled.resolution == Resolution::Timeout {
            // Nobody's answer counts any more; what cannot be delivered now, the sweep delivers.
            let _ = self.time_out(request, settled.clone()).await;
            return Ok(Answered::Late(settled));
        }
        match self.resume(request.clone(), settled.clone()).await {
            // There is nobody to tell of a refusal, and nothing that it could harm.
            Err(Refusal::NoAgent) if *pick == Pick::Deny => {
                self.settle_alone(request, settled).await?;
            }
            result => result?,
        }
        Ok(Answered::Won)
    }

    /// The sweep found that a deadline has come.
    pub(super) async fn due(&mut self, id: &RequestId) {
        let Some(request) = self
            .detached
            .iter()
            .find(|request| request.id == *id)
            .cloned()
        else {
            return;
        };
        if let Ok(settled) = request.expire(self.app.now())
            && let Err(refusal) = self.time_out(request, settled).await
        {
            tracing::debug!(%refusal, "a timeout could not be delivered; the next sweep tries again");
        }
    }

    /// Settles a request whose time is up. Without its agent there is nobody to tell, and nothing to wait for.
    async fn time_out(&mut self, request: Request, settled: Settled) -> Result<(), Refusal> {
        match self.resume(request.clone(), settled.clone()).await {
            Err(Refusal::NoAgent) => self.settle_alone(request, settled).await,
            result => result,
        }
    }

    /// Settles a request that nobody is told of.
    async fn settle_alone(&mut self, request: Request, settled: Settled) -> Result<(), Refusal> {
        let (id, turn) = (request.id.clone(), request.turn);
        self.commit(Some(turn), settlement(request, settled), |_| Ok(()))
            .await?;
        self.detached.retain(|open| open.id != id);
        Ok(())
    }

    /// Settles a request that outlived its turn and opens the turn that tells the agent, in one transaction. When
    /// the turn cannot be opened, the request stays open.
    async fn resume(&mut self, request: Request, settled: Settled) -> Result<(), Refusal> {
        let account = self.app.account().await?;
        conversation::may_prompt(self.live.status, self.turn.as_ref(), account)?;
        if !self.has_agent().await {
            return Err(Refusal::NoAgent);
        }
        if self.app.stopping.is_cancelled() {
            return Err(Refusal::Stopping);
        }
        let submission = Submission {
            prompt: resume_prompt(&request, &settled),
            ..Submission::default()
        };
        let place = self.place(Some(request.turn));
        let redactor = Arc::clone(&self.redactor);
        let id = request.id.clone();
        let effects = settlement(request, settled);
        self.open_turn(submission, move |tx| {
            effects::store(tx, &place, &redactor, effects)
        })
        .await?;
        self.detached.retain(|open| open.id != id);
        Ok(())
    }
}
