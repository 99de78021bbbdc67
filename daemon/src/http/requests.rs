//! Permission requests: what waits, and the answer. The first answer wins; the agent cannot answer itself.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use fountain_core::api::auth::Scope;
use fountain_core::api::requests::{Answer as Given, Request};
use fountain_core::api::{Data, Page};
use fountain_core::id::{ConversationId, RequestId};
use fountain_core::request::{Pick, Settled};
use serde_json::{Value, json};

use super::auth::{Caller, Owner, Reader};
use super::body::{Body, Ids, id};
use super::error::{Answer, Refused};
use super::query::{self, Queries};
use crate::app::App;
use crate::conversations::{Answered, Message, Refusal};
use crate::store::audit;
use crate::store::keys::Key;
use crate::store::requests::{self, Ended};

/// `GET /api/requests`.
pub(super) async fn list(
    State(app): State<App>,
    reader: Reader,
    queries: Queries,
) -> Answer<Json<Page<Request>>> {
    reader.may_read_all()?;
    let only_open = match queries.text("status").as_deref() {
        None | Some("open") => true,
        Some("all") => false,
        Some(_) => {
            return Err(Refused::new(
                StatusCode::BAD_REQUEST,
                "invalid_status",
                "`status` is `open` or `all`.",
            ));
        }
    };
    let limit = queries.limit(500, 1_000)?;
    let filter = requests::Filter {
        only_open,
        conversation: queries.text("conversation_id"),
        after: queries.after()?,
        limit: Some(limit + 1),
    };
    let rows = app
        .store
        .read(move |db| requests::list(db, &filter))
        .await?;
    let cursor = |request: &Request| {
        let pending = &request.pending;
        let at = if only_open {
            pending.deadline
        } else {
            pending.asked_at
        };
        query::cursor(at, &pending.request_id)
    };
    Ok(Json(Page::cut(rows, limit, cursor)))
}

/// `GET /api/requests/{request_id}`.
pub(super) async fn show(
    State(app): State<App>,
    reader: Reader,
    Ids([request]): Ids<1>,
) -> Answer<Json<Data<Request>>> {
    reader.may_read_all()?;
    let request = RequestId::from_text(request);
    let found = app
        .store
        .read(move |db| requests::show(db, &request))
        .await?;
    let data = found.ok_or_else(|| Refused::not_found("request"))?;
    Ok(Json(Data { data }))
}

/// `POST /api/conversations/{id}/requests/{request_id}`.
pub(super) async fn answer(
    State(app): State<App>,
    Caller(key): Caller,
    Ids([conversation, request]): Ids<2>,
    Body(given): Body<Value>,
) -> Answer<Json<Value>> {
    if key.scope == Scope::Sandbox {
        return Err(itself(&app, &key, &conversation).await);
    }
    if key.scope != Scope::Full {
        return Err(Refused::forbidden(
            "insufficient_scope",
            "A read key may not answer; a full key may.",
        )
        .with("required_scope", "full"));
    }
    let owner = Owner(key);
    let id: ConversationId = id(&conversation, "conversation")?;
    let request = RequestId::from_text(request);
    match state(&app, id, &request).await? {
        None => return Err(Refused::not_found("request")),
        Some(Some(ended)) => return Err(resolved(&ended)),
        Some(None) => {}
    }
    let pick = pick(given)?;
    let by = owner.name();
    let asked = request.clone();
    let outcome = app
        .conversations
        .ask(&app, id, |reply| Message::Answer {
            request: asked,
            pick,
            by,
            reply,
        })
        .await;
    match outcome {
        Ok(Answered::Won) => Ok(Json(json!({"ok": true}))),
        Ok(Answered::Late(settled)) => Err(resolved(&ended(&settled))),
        // Somebody was faster between the look and the answer.
        Err(Refusal::RequestNotOpen) => match state(&app, id, &request).await? {
            Some(Some(ended)) => Err(resolved(&ended)),
            _ => Err(Refused::not_found("request")),
        },
        Err(refusal) => Err(refusal.into()),
    }
}

async fn state(
    app: &App,
    conversation: ConversationId,
    request: &RequestId,
) -> Answer<Option<Option<Ended>>> {
    let request = request.clone();
    Ok(app
        .store
        .read(move |db| requests::ended(db, conversation, &request))
        .await?)
}

fn pick(given: Value) -> Answer<Pick> {
    let required = || {
        Refused::unprocessable(
            "option_id_required",
            "Send `option_id`, one of the options that the agent offered, or `deny: true`.",
        )
    };
    let given: Given = serde_json::from_value(given).map_err(|_| required())?;
    match (given.option_id, given.deny) {
        (Some(option), false) => Ok(Pick::Option(option)),
        (None, true) => Ok(Pick::Deny),
        (Some(_), true) => Err(Refused::unprocessable(
            "option_id_required",
            "Send either `option_id` or `deny`, not both.",
        )),
        (None, false) => Err(required()),
    }
}

fn ended(settled: &Settled) -> Ended {
    Ended {
        outcome: settled.resolution.as_str().to_owned(),
        option: settled.outcome.option().map(str::to_owned),
        by: settled.by.clone(),
        at: settled.at,
    }
}

fn resolved(ended: &Ended) -> Refused {
    let message = match ended.outcome.as_str() {
        "answered" => format!("This request was answered by {} at {}.", ended.by, ended.at),
        "timeout" => format!(
            "Nobody answered this request in time; it was refused at {}.",
            ended.at
        ),
        "turn_ended" => format!("The turn that asked ended at {}.", ended.at),
        _ => format!("The agent took this request back at {}.", ended.at),
    };
    Refused::new(StatusCode::CONFLICT, "permission_request_resolved", message)
        .with("outcome", ended.outcome.clone())
        .with("option_id", ended.option.clone())
        .with("answered_by", ended.by.clone())
        .with("answered_at", ended.at.to_string())
}

/// Refuses an agent that answers itself, by name, and remembers which one tried.
async fn itself(app: &App, key: &Key, conversation: &str) -> Refused {
    let refused = Refused::forbidden(
        "sandbox_may_not_answer",
        "The agent cannot answer itself: this key belongs to a sandbox.",
    );
    let tried = key.conversation.map(|id| id.to_string());
    // Where it tried, if that can be a conversation at all: what an agent writes is not kept.
    let at = conversation.parse::<ConversationId>().ok();
    let now = app.now();
    let entry = audit::Entry {
        actor: "sandbox",
        action: "conversation.self_answer_refused",
        resource: ("conversation", tried.unwrap_or_default()),
        metadata: json!({"at": at.map(|id| id.to_string()), "key": key.prefix}),
    };
    let stored = app
        .store
        .write(move |tx| audit::insert(tx, &entry, now))
        .await;
    match stored {
        Ok(()) => refused,
        Err(error) => error.into(),
    }
}
