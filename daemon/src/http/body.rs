//! JSON bodies, and ids in paths. What is wrong with one is told by name.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use fountain_core::twice::named_twice;
use serde::de::DeserializeOwned;

use super::error::{Answer, Refused};
use crate::app::App;

/// A JSON body. None at all reads as `{}`.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        let json = is_json(request.headers());
        let bytes = Bytes::from_request(request, app)
            .await
            .map_err(|rejection| unreadable(app, &rejection))?;
        if bytes.is_empty() {
            return parse(b"{}").map(Self);
        }
        if !json {
            return Err(Refused::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                "The body must be JSON, with the header `Content-Type: application/json`.",
            ));
        }
        let value = parse(&bytes)?;
        match named_twice(&bytes) {
            None => Ok(Self(value)),
            Some(name) => Err(Refused::field(&name, "is named twice in the body")),
        }
    }
}

fn unreadable(app: &App, rejection: &BytesRejection) -> Refused {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let limit = fountain_core::settings::size::format(app.settings().limits.max_body);
        let message = format!("The body is larger than {limit} (`limits.max_body`).");
        return Refused::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message);
    }
    Refused::new(
        StatusCode::BAD_REQUEST,
        "unreadable_body",
        "The body could not be read.",
    )
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("");
    let essence = value.split(';').next().unwrap_or("").trim();
    essence.eq_ignore_ascii_case("application/json")
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Answer<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        if error.is_data() {
            Refused::unprocessable(
                "validation_failed",
                format!("The body does not fit: {error}."),
            )
            .with("errors", serde_json::json!({ "body": [error.to_string()] }))
        } else {
            Refused::new(
                StatusCode::BAD_REQUEST,
                "invalid_json",
                format!("The body is no JSON: {error}."),
            )
        }
    })
}

/// The parameters of a path, as text: an id of another shape is simply not found.
pub(super) struct Ids<const N: usize>(pub(super) [String; N]);

impl<const N: usize> FromRequestParts<App> for Ids<N> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refused> {
        let Path(found) = Path::<Vec<(String, String)>>::from_request_parts(parts, app)
            .await
            .map_err(|_| Refused::not_found("thing"))?;
        let values: Vec<String> = found.into_iter().map(|(_, value)| value).collect();
        values
            .try_into()
            .map(Self)
            .map_err(|_| Refused::not_found("thing"))
    }
}

/// Reads an id of a path.
pub(super) fn id<T: std::str::FromStr>(text: &str, what: &str) -> Answer<T> {
    text.parse().map_err(|_| Refused::not_found(what))
}
