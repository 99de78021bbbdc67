//! The one match on what the core wants stored.

use fountain_core::acp::one_line;
use fountain_core::conversation::Status;
use fountain_core::credits::cost;
use fountain_core::id::{ConversationId, TurnId};
use fountain_core::redact::Redactor;
use fountain_core::request::{Request, Settled};
use fountain_core::settings::Credits;
use fountain_core::time::Timestamp;
use fountain_core::turn::Effect;
use serde_json::json;

use crate::store::decisions::{self, Decided};
use crate::store::{Error, Key, Tx, audit, conversations, credits, events, requests, turns};

/// The longest reason of a failure that is stored, in characters.
const REASON: usize = 4_000;

/// Where effects belong.
#[derive(Clone, Copy, Debug)]
pub(super) struct Where {
    pub(super) key: Key,
    pub(super) conversation: ConversationId,
    pub(super) turn: Option<TurnId>,
    /// The conversation's status once its turn is over.
    pub(super) after_turn: Status,
    pub(super) now: Timestamp,
    /// What turn time costs.
    pub(super) credits: Credits,
    /// Until when a turn that ends here ran: now, unless nobody was there to see it.
    pub(super) ran_until: Timestamp,
}

/// Stores effects in their order, in the transaction that is open.
pub(super) fn store(
    tx: &mut Tx<'_>,
    place: &Where,
    redactor: &Redactor,
    effects: Vec<Effect>,
) -> Result<(), Error> {
    for effect in effects {
        match effect {
            Effect::Record(event) => {
                events::append(tx, place.key, place.turn, &redactor.event(event), place.now)?;
            }
            Effect::Hold { request } => requests::insert(tx, place.key, &request)?,
            Effect::Settle { request, settled } => settle(tx, place, &request, &settled)?,
            Effect::Detach { request } => requests::detach(tx, &request)?,
            Effect::Decided {
                ask,
                decision,
                outcome,
            } => {
                let decided = Decided {
                    request: ask.id,
                    turn: place.turn.unwrap_or(TurnId(uuid::Uuid::nil())),
                    title: ask
                        .title
                        .map(|title| one_line(&redactor.text(&title), 2_000)),
                    kind: ask.kind,
                    tool: ask.tool,
                    verdict: decision.verdict.as_str(),
                    key: decision.key.word().to_owned(),
                    source: "policy".into(),
                    option: outcome.option().map(str::to_owned),
                    latency_ms: 0,
                };
                decisions::decided(tx, place.key, &decided, place.now)?;
            }
            Effect::Audit { tool, verdict, key } => denied(tx, place, &tool, verdict, &key)?,
            Effect::End(ending) => {
                if let Some(turn) = place.turn {
                    let reason = ending.reason.as_deref().map(|reason| redactor.text(reason));
                    let reason: Option<String> =
                        reason.map(|reason| reason.chars().take(REASON).collect());
                    let started =
                        turns::end(tx, place.key, turn, &ending, reason.as_deref(), place.now)?;
                    if let Some(started) = started {
                        let ran = place.ran_until.since(started);
                        credits::spend(tx, cost(&place.credits, ran))?;
                    }
                }
                conversations::set_status(tx, place.key, place.after_turn, place.now)?;
            }
            Effect::Reply { .. } | Effect::Cancel | Effect::CloseLink => {}
        }
    }
    Ok(())
}

fn settle(tx: &Tx<'_>, place: &Where, request: &Request, settled: &Settled) -> Result<(), Error> {
    if !requests::settle(tx, &request.id, settled)? {
        // Only this conversation's task settles its requests; a row that is settled already stays as it is.
        tracing::warn!(request = %request.id, "a request was settled twice; the first stands");
        return Ok(());
    }
    let decided = Decided {
        request: request.id.clone(),
        turn: request.turn,
        title: None,
        kind: request.kind.clone(),
        tool: request.tool.clone(),
        verdict: "ask",
        key: request.key.clone(),
        source: format!("{} by {}", settled.resolution.as_str(), settled.by),
        option: settled.outcome.option().map(str::to_owned),
        latency_ms: settled.at.0.saturating_sub(request.asked_at.0),
    };
    decisions::decided(tx, place.key, &decided, place.now)
}

fn denied(tx: &Tx<'_>, place: &Where, tool: &str, verdict: &str, key: &str) -> Result<(), Error> {
    let entry = audit::Entry {
        actor: "sandbox",
        action: "conversation.permission_denied",
        resource: ("conversation", place.conversation.to_string()),
        metadata: json!({"tool": tool, "verdict": verdict, "key": key}),
    };
    audit::insert(tx, &entry, place.now)
}
