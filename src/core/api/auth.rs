//! Who is calling.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Route;

/// `GET /api/auth/me`.
pub const ME: Route = Route::get("/api/auth/me");

/// What a key may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Everything: the owner's own key.
    Full,
    /// Reading only.
    Read,
    /// Minted for one conversation's sandbox: its own conversation, and never an answer.
    Sandbox,
}

impl Scope {
    /// The word that is stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Read => "read",
            Self::Sandbox => "sandbox",
        }
    }

    /// Reads the word back.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Full, Self::Read, Self::Sandbox]
            .into_iter()
            .find(|scope| scope.as_str() == text)
    }
}

/// The owner, as clients read it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Me {
    /// The owner's id.
    pub id: String,
    /// `owner@localhost`: one owner, no mail is ever sent.
    pub email: String,
    /// Always `owner`.
    pub role: String,
    /// Always true.
    pub email_verified: bool,
    /// Always true.
    pub onboarding_completed: bool,
    /// Always `none`: nothing is billed.
    pub subscription_status: String,
    /// The scope of the key that asked.
    pub scope: Scope,
    /// The first characters of the key that asked; safe to show.
    pub prefix: String,
}

impl Me {
    /// The fields flat and once more under `data`: published clients read either.
    pub fn both(&self) -> Value {
        let mut flat = serde_json::to_value(self).unwrap_or_default();
        let inner = flat.clone();
        if let Some(map) = flat.as_object_mut() {
            map.insert("data".into(), inner);
        }
        if flat.is_null() { json!({}) } else { flat }
    }
}
