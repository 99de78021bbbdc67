//! The one place where statuses are chosen. Every refusal is JSON with a code and a sentence.

use std::any::Any;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use fountain_core::api::Problem;
use fountain_core::conversation;
use fountain_core::policy;
use serde_json::json;

use crate::conversations::Refusal;
use crate::store;

/// A refusal on its way out.
#[derive(Debug)]
pub(super) struct Refused {
    status: StatusCode,
    problem: Box<Problem>,
}

pub(super) type Answer<T> = Result<T, Refused>;

impl Refused {
    pub(super) fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            problem: Box::new(Problem::new(code, message)),
        }
    }

    pub(super) fn with(mut self, key: &str, value: impl Into<serde_json::Value>) -> Self {
        *self.problem = self.problem.with(key, value);
        self
    }

    /// 404, in the same words for what is absent and for what is not yours.
    pub(super) fn not_found(what: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            format!("There is no such {what}."),
        )
    }

    /// 422 with a code of its own.
    pub(super) fn unprocessable(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// 422 about one field.
    pub(super) fn field(field: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let errors = json!({ field: [message] });
        Self::unprocessable("validation_failed", format!("`{field}`: {message}."))
            .with("errors", errors)
    }

    /// 403.
    pub(super) fn forbidden(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, message)
    }

    /// The policy cannot be saved; on an agent also as a field error.
    pub(super) fn policy(invalid: &policy::Invalid) -> Self {
        let refused = Self::unprocessable("permission_policy_invalid", invalid.message.clone())
            .with("errors", json!({ "permission_policy": [invalid.message] }));
        match &invalid.key {
            Some(key) => refused.with("key", key.clone()),
            None => refused,
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.problem)).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<store::Error> for Refused {
    fn from(error: store::Error) -> Self {
        tracing::error!(%error, "a request failed on the store");
        match error {
            store::Error::Closed => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "stopping",
                "The daemon is stopping; try again in a moment.",
            ),
            error => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "store_failed",
                format!("Nothing was changed: {error}."),
            ),
        }
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        let sentence = |text: String| {
            let mut chars = text.chars();
            let first = chars
                .next()
                .map(|c| c.to_uppercase().to_string())
                .unwrap_or_default();
            format!("{first}{}.", chars.as_str().trim_end_matches('.'))
        };
        let message = sentence(refusal.to_string());
        match refusal {
            Refusal::NotFound => Self::not_found("conversation"),
            Refusal::Conversation(conversation::Refused::Busy) => {
                Self::new(StatusCode::BAD_REQUEST, "conversation_busy", message)
            }
            Refusal::Conversation(conversation::Refused::Terminated) => {
                Self::new(StatusCode::GONE, "conversation_terminated", message)
            }
            Refusal::Conversation(conversation::Refused::Suspended) => {
                Self::forbidden("account_suspended", message)
            }
            Refusal::Conversation(conversation::Refused::Spent(_)) => Self::new(
                StatusCode::PAYMENT_REQUIRED,
                "insufficient_credits",
                message,
            ),
            Refusal::NoTurn => Self::new(StatusCode::CONFLICT, "no_turn_running", message),
            Refusal::RequestNotOpen => Self::not_found("request"),
            Refusal::NotOffered(_) => Self::unprocessable("unknown_option", message),
            Refusal::NoAgent => Self::unprocessable("no_agent", message),
            Refusal::Stopping => Self::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", message),
            Refusal::Store(error) => error.into(),
        }
    }
}

/// What is asked for is not there.
pub(super) async fn unknown_route() -> Refused {
    Refused::new(
        StatusCode::NOT_FOUND,
        "not_found",
        "There is no such route.",
    )
}

/// It is there, for another method.
pub(super) async fn wrong_method() -> Refused {
    Refused::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "This route does not take that method.",
    )
}

/// A handler panicked: that is a bug, told without what it was about.
pub(super) fn panicked(_: Box<dyn Any + Send>) -> Response {
    tracing::error!("a handler panicked");
    Refused::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "internal",
        "Something went wrong here; the log says where.",
    )
    .into_response()
}
