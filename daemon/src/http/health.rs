//! Whether the daemon answers, and whether its database does. Needs no key.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::App;

/// `GET /health`.
pub(super) async fn health() -> Json<Value> {
    Json(json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}))
}

/// `GET /health/ready`.
pub(super) async fn ready(State(app): State<App>) -> (StatusCode, Json<Value>) {
    let checked = app.store.check().await;
    if let Err(error) = &checked {
        tracing::warn!(%error, "not ready");
    }
    let database = checked.is_ok();
    if database && !app.stopping.is_cancelled() {
        (
            StatusCode::OK,
            Json(json!({"status": "ok", "checks": {"database": "ok"}})),
        )
    } else {
        let check = if database { "ok" } else { "failed" };
        (
            StatusCode::SERVICE_UNAVAILABLE,
            Json(json!({"status": "unavailable", "checks": {"database": check}})),
        )
    }
}
