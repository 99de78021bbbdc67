//! Conversations: reading, renaming, ending.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use fountain_core::api::conversations::{Conversation, Turn};
use fountain_core::api::requests::Pending;
use fountain_core::api::{Data, Page};
use fountain_core::conversation::Status;
use fountain_core::id::{ConversationId, Seq};
use serde::Deserialize;

use super::auth::{Owner, Reader};
use super::body::{Body, Ids, id};
use super::error::{Answer, Refused};
use super::query::{self, Queries};
use crate::app::App;
use crate::conversations::Message;
use crate::store::conversations::{self, Filter, Place};
use crate::store::{self, Reading, requests, turns};

/// `GET /api/conversations`.
pub(super) async fn list(
    State(app): State<App>,
    reader: Reader,
    queries: Queries,
) -> Answer<Json<Page<Conversation>>> {
    reader.may_read_all()?;
    let limit = queries.limit(100, 500)?;
    let filter = Filter {
        agent: queries.text("agent_id"),
        channel: queries.text("channel_id"),
        statuses: queries.words("status", &Status::ALL.map(Status::as_str), Status::parse)?,
        roots_only: queries.flag("roots_only").unwrap_or(false),
        after: queries.after()?.map(|(at, key)| Place { at, key }),
        limit: limit + 1,
    };
    let rows = app
        .store
        .read(move |db| conversations::list(db, &filter))
        .await?;
    let Page { data, meta } = Page::cut(rows, limit, |(_, Place { at, key })| {
        query::cursor(*at, key)
    });
    let data = data.into_iter().map(|(shown, _)| shown).collect();
    Ok(Json(Page { data, meta }))
}

/// `GET /api/conversations/{id}`.
pub(super) async fn show(
    State(app): State<App>,
    reader: Reader,
    Ids([conversation]): Ids<1>,
) -> Answer<Json<Data<Conversation>>> {
    let id: ConversationId = id(&conversation, "conversation")?;
    reader.may_read(&app, id).await?;
    let data = read(&app, id).await?;
    Ok(Json(Data { data }))
}

/// Reads one conversation with its open requests, or answers 404.
pub(super) async fn read(app: &App, id: ConversationId) -> Answer<Conversation> {
    let found = app
        .store
        .read(move |db| {
            let Some(mut shown) = conversations::show(db, id)? else {
                return Ok(None);
            };
            shown.pending_requests = pending(db, &shown.id)?;
            Ok(Some(shown))
        })
        .await?;
    found.ok_or_else(|| Refused::not_found("conversation"))
}

/// What waits in a conversation.
fn pending(db: &Reading, conversation: &str) -> Result<Vec<Pending>, store::Error> {
    let filter = requests::Filter {
        only_open: true,
        conversation: Some(conversation.to_owned()),
        ..requests::Filter::default()
    };
    let open = requests::list(db, &filter)?;
    Ok(open.into_iter().map(|request| request.pending).collect())
}

/// The body of a rename.
#[derive(Deserialize)]
pub(super) struct Update {
    title: Option<String>,
}

/// `PATCH /api/conversations/{id}`.
pub(super) async fn update(
    State(app): State<App>,
    _: Owner,
    Ids([conversation]): Ids<1>,
    Body(update): Body<Update>,
) -> Answer<Json<Data<Conversation>>> {
    let id: ConversationId = id(&conversation, "conversation")?;
    if let Some(title) = update.title {
        let title = super::create::title(&title)?;
        app.conversations
            .ask(&app, id, |reply| Message::Rename { title, reply })
            .await?;
    }
    let data = read(&app, id).await?;
    Ok(Json(Data { data }))
}

/// `POST /api/conversations/{id}/terminate`.
pub(super) async fn terminate(
    State(app): State<App>,
    _: Owner,
    Ids([conversation]): Ids<1>,
) -> Answer<StatusCode> {
    let id: ConversationId = id(&conversation, "conversation")?;
    app.conversations
        .ask(&app, id, |reply| Message::Terminate {
            delete: false,
            reply,
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/conversations/{id}`.
pub(super) async fn delete(
    State(app): State<App>,
    _: Owner,
    Ids([conversation]): Ids<1>,
) -> Answer<StatusCode> {
    let id: ConversationId = id(&conversation, "conversation")?;
    let key = app
        .store
        .read(move |db| conversations::find(db, id))
        .await?
        .map(|live| live.key);
    app.conversations
        .ask(&app, id, |reply| Message::Terminate {
            delete: true,
            reply,
        })
        .await?;
    if let Some(key) = key {
        // Whoever follows its stream looks again, and finds that there is nothing any more.
        app.bell.ring(&[(key, Seq(i64::MAX))]);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/conversations/{id}/turns`.
pub(super) async fn turns(
    State(app): State<App>,
    reader: Reader,
    Ids([conversation]): Ids<1>,
) -> Answer<Json<Data<Vec<Turn>>>> {
    let id: ConversationId = id(&conversation, "conversation")?;
    reader.may_read(&app, id).await?;
    let found = app
        .store
        .read(move |db| match conversations::find(db, id)? {
            Some(_) => turns::list(db, id).map(Some),
            None => Ok(None),
        })
        .await?;
    let data = found.ok_or_else(|| Refused::not_found("conversation"))?;
    Ok(Json(Data { data }))
}
