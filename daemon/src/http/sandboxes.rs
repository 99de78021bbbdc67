//! Sandboxes: which there are, and their files, to read. A sandbox's own key reads none of it here.

use std::path::PathBuf;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use fountain_core::api::Data;
use fountain_core::api::sandboxes::{Entry, Sandbox};
use fountain_core::id::SandboxId;

use super::auth::Reader;
use super::body::{Ids, id};
use super::error::{Answer, Refused};
use super::query::Queries;
use crate::app::App;
use crate::files;
use crate::store::sandboxes;

const STATUSES: [&str; 6] = [
    "pending",
    "starting",
    "ready",
    "suspended",
    "terminated",
    "failed",
];

/// `GET /api/sandboxes`.
pub(super) async fn list(
    State(app): State<App>,
    reader: Reader,
    queries: Queries,
) -> Answer<Json<Data<Vec<Sandbox>>>> {
    reader.may_read_all()?;
    let statuses = queries.words("status", &STATUSES, |word| {
        STATUSES.contains(&word).then(|| word.to_owned())
    })?;
    let limit = queries.limit(100, 500)?;
    let data = app
        .store
        .read(move |db| sandboxes::list(db, &statuses, limit))
        .await?;
    Ok(Json(Data { data }))
}

/// `GET /api/sandboxes/{id}`.
pub(super) async fn show(
    State(app): State<App>,
    reader: Reader,
    Ids([sandbox]): Ids<1>,
) -> Answer<Json<Data<Sandbox>>> {
    reader.may_read_all()?;
    let found = app
        .store
        .read(move |db| sandboxes::show(db, &sandbox))
        .await?;
    let data = found.ok_or_else(|| Refused::not_found("sandbox"))?;
    Ok(Json(Data { data }))
}

/// `GET /api/sandboxes/{id}/file`.
pub(super) async fn file(
    State(app): State<App>,
    reader: Reader,
    Ids([sandbox]): Ids<1>,
    queries: Queries,
) -> Answer<Response> {
    let (id, path) = place(&app, &reader, &sandbox, &queries).await?;
    let bytes = files::read(&app, id, path).await.map_err(told)?;
    // Whatever it is, no browser makes anything of it.
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_DISPOSITION, "attachment"),
    ];
    Ok((headers, bytes).into_response())
}

/// `GET /api/sandboxes/{id}/directory`.
pub(super) async fn directory(
    State(app): State<App>,
    reader: Reader,
    Ids([sandbox]): Ids<1>,
    queries: Queries,
) -> Answer<Json<Data<Vec<Entry>>>> {
    let (id, path) = place(&app, &reader, &sandbox, &queries).await?;
    let found = files::list(&app, id, path).await.map_err(told)?;
    let entries = found.into_iter().map(|entry| Entry {
        name: entry.name,
        kind: entry.kind.into(),
        size: entry.size,
    });
    Ok(Json(Data {
        data: entries.collect(),
    }))
}

async fn place(
    app: &App,
    reader: &Reader,
    sandbox: &str,
    queries: &Queries,
) -> Answer<(SandboxId, PathBuf)> {
    reader.may_read_all()?;
    let id: SandboxId = id(sandbox, "sandbox")?;
    let known = id.to_string();
    let found = app
        .store
        .read(move |db| sandboxes::show(db, &known))
        .await?;
    if found.is_none() {
        return Err(Refused::not_found("sandbox"));
    }
    let path = queries.text("path").unwrap_or_default();
    Ok((id, PathBuf::from(path)))
}

fn told(refused: files::Refused) -> Refused {
    let message = format!("It cannot be read: {refused}.");
    match refused {
        files::Refused::Absent => Refused::not_found("file"),
        files::Refused::Kind(_) => Refused::unprocessable("wrong_kind", message),
        files::Refused::Large(_) => {
            Refused::new(StatusCode::PAYLOAD_TOO_LARGE, "file_too_large", message)
        }
        files::Refused::Io(_) => Refused::unprocessable("unreadable_file", message),
    }
}
