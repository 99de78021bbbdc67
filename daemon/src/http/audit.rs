//! The audit trail, to read.

use axum::Json;
use axum::extract::State;
use fountain_core::api::Page;
use fountain_core::api::audit::Entry;

use super::auth::Reader;
use super::error::Answer;
use super::query::Queries;
use crate::app::App;
use crate::store::audit::{self, Filter};

/// `GET /api/audit`.
pub(super) async fn list(
    State(app): State<App>,
    reader: Reader,
    queries: Queries,
) -> Answer<Json<Page<Entry>>> {
    reader.may_read_all()?;
    let limit = queries.limit(100, 500)?;
    let filter = Filter {
        before: queries.number("before", "invalid_cursor")?,
        action_prefix: queries.text("action_prefix"),
        resource_type: queries.text("resource_type"),
        resource_id: queries.text("resource_id"),
        since: queries.time("since")?,
        until: queries.time("until")?,
        limit: limit + 1,
    };
    let rows = app.store.read(move |db| audit::list(db, &filter)).await?;
    Ok(Json(Page::cut(rows, limit, |entry| entry.id.to_string())))
}
