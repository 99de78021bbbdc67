//! The local door: a browser on the same machine is not the owner. Checked before anything has an effect.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::error::{Answer, Refused};
use crate::app::App;

/// Lets a request in whose `Host` is served here and whose `Origin`, if any, may call.
pub(super) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    match host(&app, request.headers(), request.uri().host())
        .and_then(|()| origin(&app, request.headers()))
    {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}

fn host(app: &App, headers: &HeaderMap, of_uri: Option<&str>) -> Answer<()> {
    let header = headers
        .get(header::HOST)
        .and_then(|value| value.to_str().ok());
    let name = header.map(without_port).or(of_uri);
    if name.is_some_and(|name| served(app, name)) {
        return Ok(());
    }
    Err(Refused::new(
        StatusCode::MISDIRECTED_REQUEST,
        "unknown_host",
        "This daemon is not served under that name (`allowed_hosts` in the configuration).",
    ))
}

fn served(app: &App, name: &str) -> bool {
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback() || address == app.settings().listen.ip())
        || app
            .settings()
            .allowed_hosts
            .iter()
            .any(|allowed| allowed.eq_ignore_ascii_case(name))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port))
            if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') =>
        {
            name
        }
        _ => host,
    }
}

fn origin(app: &App, headers: &HeaderMap) -> Answer<()> {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return Ok(());
    };
    let allowed = origin.to_str().is_ok_and(|origin| {
        app.settings()
            .cors_origins
            .iter()
            .any(|allowed| allowed == origin)
    });
    if allowed {
        return Ok(());
    }
    Err(Refused::forbidden(
        "foreign_origin",
        "This origin may not call (`cors_origins` in the configuration).",
    ))
}
