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
use crate::store::conversations;
use crate::store::keys::{self, Key};

/// Names the conversation from which another is started.
const PARENT: &str = "x-fountain-parent-conversation-id";

/// Anybody with a key that works.
pub(super) struct Caller(pub(super) Key);

/// The owner: a full key.
pub(super) struct Owner(pub(super) Key);

/// Somebody who may read: a full or a read key, or a sandbox's key on its own conversation.
pub(super) struct Reader(Key);

/// Somebody who may start conversations: the owner, or an agent, beneath its own.
pub(super) struct Launcher {
    /// What their key may do.
    pub(super) scope: Scope,
    /// The first characters of the key.
    pub(super) prefix: String,
    /// The conversation that starts it.
    pub(super) parent: Option<ConversationId>,
}

impl Launcher {
    /// How they are called in the trail.
    pub(super) fn actor(&self) -> &'static str {
        match self.scope {
            Scope::Sandbox => "sandbox",
            Scope::Full | Scope::Read => "api",
        }
    }
}

impl Reader {
    /// Refuses a sandbox's key on anything but its own conversation and those that it started.
    pub(super) async fn may_read(&self, app: &App, conversation: ConversationId) -> Answer<()> {
        let own = match (self.0.scope, self.0.conversation) {
            (Scope::Full | Scope::Read, _) => return Ok(()),
            (Scope::Sandbox, own) => own,
        };
        let within = match own {
            Some(own) if own == conversation => true,
            Some(own) => {
                app.store
                    .read(move |db| conversations::is_within(db, conversation, own))
                    .await?
            }
            None => false,
        };
        if within {
            Ok(())
        } else {
            Err(Refused::not_found("conversation"))
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

impl FromRequestParts<App> for Launcher {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refused> {
        let named = match parts.headers.get(PARENT) {
            None => None,
            Some(id) => {
                let id = id.to_str().ok().and_then(|id| id.parse().ok());
                Some(id.ok_or_else(no_parent)?)
            }
        };
        let Caller(key) = Caller::from_request_parts(parts, app).await?;
        let parent = match key.scope {
            Scope::Full => named,
            // Whatever it names, what an agent starts is beneath its own conversation.
            Scope::Sandbox if named.is_none() || named == key.conversation => {
                Some(key.conversation.ok_or_else(no_parent)?)
            }
            Scope::Sandbox => return Err(no_parent()),
            Scope::Read => return Err(insufficient()),
        };
        Ok(Self {
            scope: key.scope,
            prefix: key.prefix,
            parent,
        })
    }
}

/// The conversation that starts another is not there, or not the caller's.
pub(super) fn no_parent() -> Refused {
    Refused::new(
        StatusCode::NOT_FOUND,
        "parent_conversation_not_found",
        "There is no such conversation to start another from (X-Fountain-Parent-Conversation-Id).",
    )
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
