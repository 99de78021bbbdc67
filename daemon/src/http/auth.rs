//! Who calls. A handler that needs a caller takes one as an argument, so that it cannot be forgotten.

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use fountain_core::api::auth::{Me, Scope};
use fountain_core::id::ConversationId;
use serde_json::Value;

use super::error::{Answer, Refused};
use crate::app::App;
use crate::secret::Secret;
use crate::store::keys::{self, Key};

/// Anybody with a key that works.
pub(super) struct Caller(pub(super) Key);

/// The owner: a full key.
pub(super) struct Owner(pub(super) Key);

/// Somebody who may read: a full or a read key, or a sandbox's key on its own conversation.
pub(super) struct Reader(Key);

impl Reader {
    /// Refuses a sandbox's key on anything but its own conversation.
    pub(super) fn may_read(&self, conversation: ConversationId) -> Answer<()> {
        match self.0.scope {
            Scope::Full | Scope::Read => Ok(()),
            Scope::Sandbox if self.0.conversation == Some(conversation) => Ok(()),
            Scope::Sandbox => Err(Refused::not_found("conversation")),
        }
    }

    /// Refuses a sandbox's key on what belongs to no conversation.
    pub(super) fn may_read_all(&self) -> Answer<()> {
        if self.0.scope == Scope::Sandbox {
            Err(insufficient())
        } else {
            Ok(())
        }
    }
}

impl Owner {
    /// How the key is called where somebody reads who did something.
    pub(super) fn name(&self) -> String {
        format!("{} ({})", self.0.name, self.0.prefix)
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refused> {
        let secret = bearer(&parts.headers)?;
        let hash = secret.hash();
        let found = app.store.read(move |db| keys::by_hash(db, &hash)).await?;
        let key = found.ok_or_else(|| {
            unauthorised(
                "api_key_invalid",
                "The API key is not known here. Run `fountain auth login`.",
            )
        })?;
        if key.revoked_at.is_some() {
            return Err(unauthorised("api_key_revoked", "The API key was revoked."));
        }
        if key.expires_at.is_some_and(|at| at <= app.now()) {
            return Err(unauthorised("api_key_expired", "The API key has expired."));
        }
        Ok(Self(key))
    }
}

impl FromRequestParts<App> for Owner {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refused> {
        let Caller(key) = Caller::from_request_parts(parts, app).await?;
        if key.scope == Scope::Full {
            Ok(Self(key))
        } else {
            Err(insufficient())
        }
    }
}

impl FromRequestParts<App> for Reader {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refused> {
        Caller::from_request_parts(parts, app)
            .await
            .map(|Caller(key)| Self(key))
    }
}

fn bearer(headers: &HeaderMap) -> Answer<Secret> {
    let value = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let token = value.and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    match token {
        Some(token) if !token.is_empty() => Ok(Secret::received(token)),
        _ => Err(unauthorised(
            "api_key_invalid",
            "An API key is needed: `Authorization: Bearer <key>`.",
        )),
    }
}

fn unauthorised(reason: &str, message: &str) -> Refused {
    Refused::new(StatusCode::UNAUTHORIZED, reason, message).with("reason", reason)
}

fn insufficient() -> Refused {
    Refused::forbidden(
        "insufficient_scope",
        "This key may not do that; a full key may.",
    )
    .with("reason", "insufficient_scope")
    .with("required_scope", "full")
}

/// `GET /api/auth/me`.
pub(super) async fn me(State(app): State<App>, Caller(key): Caller) -> Json<Value> {
    let me = Me {
        id: app.owner.clone(),
        email: "owner@localhost".into(),
        role: "owner".into(),
        email_verified: true,
        onboarding_completed: true,
        subscription_status: "none".into(),
        scope: key.scope,
        prefix: key.prefix,
    };
    Json(me.both())
}
