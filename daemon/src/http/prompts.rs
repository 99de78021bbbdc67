//! Prompts and their interruption.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use fountain_core::api::conversations::{Accepted, Image, Prompt};
use fountain_core::id::ConversationId;

use super::auth::Owner;
use super::body::{Body, Ids, id};
use super::error::{Answer, Refused};
use super::images;
use crate::app::App;
use crate::conversations::Message;
use crate::store::turns::Submission;

/// `POST /api/conversations/{id}/prompts`.
pub(super) async fn prompt(
    State(app): State<App>,
    _: Owner,
    Ids([conversation]): Ids<1>,
    Body(body): Body<Prompt>,
) -> Answer<Json<Accepted>> {
    let id: ConversationId = id(&conversation, "conversation")?;
    let submission = submission(&body.prompt, &body.images, body.client_request_id)?;
    let accepted = app
        .conversations
        .ask(&app, id, |reply| Message::Prompt { submission, reply })
        .await?;
    Ok(Json(accepted))
}

/// Checks a prompt. It is delivered and stored as it was typed.
pub(super) fn submission(
    prompt: &str,
    pictures: &[Image],
    label: Option<String>,
) -> Answer<Submission> {
    if prompt.trim().is_empty() && pictures.is_empty() {
        return Err(Refused::unprocessable(
            "invalid_prompt",
            "The prompt is blank; send text or an image.",
        ));
    }
    check_label(label.as_deref())?;
    Ok(Submission {
        prompt: prompt.to_owned(),
        images: images::decode(pictures)?,
        client_request_id: label,
    })
}

/// Checks a `client_request_id`.
pub(super) fn check_label(label: Option<&str>) -> Answer<()> {
    let fits = |label: &str| (1..=200).contains(&label.chars().count()) && !label.contains('\0');
    if label.is_none_or(fits) {
        return Ok(());
    }
    Err(Refused::field(
        "client_request_id",
        "must have 1 to 200 characters and no NUL",
    ))
}

/// `POST /api/conversations/{id}/interrupt`.
pub(super) async fn interrupt(
    State(app): State<App>,
    _: Owner,
    Ids([conversation]): Ids<1>,
) -> Answer<StatusCode> {
    let id: ConversationId = id(&conversation, "conversation")?;
    app.conversations
        .ask(&app, id, |reply| Message::Interrupt { reply })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
