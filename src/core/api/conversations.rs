//! Conversations, their turns and prompts.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Route;
use super::requests::Pending;
use crate::id::Seq;
use crate::time::Timestamp;

/// `GET /api/conversations?agent_id=&status=&channel_id=&limit=&after=&roots_only=`: a page, the newest change first.
pub const LIST: Route = Route::get("/api/conversations");
/// `POST /api/conversations` ([`Create`]): 201 with [`Created`].
pub const CREATE: Route = Route::post("/api/conversations");
/// `GET /api/conversations/{id}`.
pub const SHOW: Route = Route::get("/api/conversations/{id}");
/// `PATCH /api/conversations/{id}` `{title}`: a title that is set this way is never overwritten by the harness.
pub const UPDATE: Route = Route::patch("/api/conversations/{id}");
/// `DELETE /api/conversations/{id}`: 204; rows, disk and processes are gone.
pub const DELETE: Route = Route::delete("/api/conversations/{id}");
/// `POST /api/conversations/{id}/prompts` ([`Prompt`]): 200 with [`Accepted`]; 400 `conversation_busy`, 410 when terminated.
pub const PROMPT: Route = Route::post("/api/conversations/{id}/prompts");
/// `POST /api/conversations/{id}/interrupt`: 204; 409 `no_turn_running`.
pub const INTERRUPT: Route = Route::post("/api/conversations/{id}/interrupt");
/// `POST /api/conversations/{id}/terminate`: 204; final.
pub const TERMINATE: Route = Route::post("/api/conversations/{id}/terminate");
/// `GET /api/conversations/{id}/turns`: ascending.
pub const TURNS: Route = Route::get("/api/conversations/{id}/turns");
/// `GET /api/conversations/{id}/turns/{turn}/images/{position}`: the bytes with their media type.
pub const IMAGE: Route = Route::get("/api/conversations/{id}/turns/{turn}/images/{position}");

/// The body of a create.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Create {
    /// The agent's id.
    #[serde(default)]
    pub agent_id: String,
    /// The first prompt, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Images for the first prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// An explicit title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The launch's own policy: it can only narrow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_policy: Option<Value>,
    /// `ephemeral` or `persistent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox_mode: Option<String>,
    /// A label of the turn that `prompt` opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_request_id: Option<String>,
    /// Finds the conversation that is bound to this channel, or makes one and binds it. 1 to 255 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel_id: Option<String>,
    /// With a channel: unbinds what is bound to it and makes another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fresh: bool,
    /// Whatever a newer client sends; a field that changes what runs and is not served yet is refused by name.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// An image of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Base64.
    pub data: String,
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub media_type: String,
}

/// The answer to a create.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Created {
    /// The conversation.
    pub data: Conversation,
    /// What else happened.
    pub meta: CreatedMeta,
}

/// Beside a created conversation.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CreatedMeta {
    /// Whether a bound channel was resumed instead; its prompt was then not sent.
    #[serde(default)]
    pub resumed: bool,
    /// The turn the prompt opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// Its number, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_number: Option<i64>,
    /// The log position just before the turn's first event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Seq>,
}

/// The body of a prompt.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Prompt {
    /// The text.
    #[serde(default)]
    pub prompt: String,
    /// Images after the text.
    #[serde(default)]
    pub images: Vec<Image>,
    /// A label of this one submission, 1 to 200 characters without NUL; not an idempotency key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_request_id: Option<String>,
}

/// The answer to a prompt: it is stored, and its turn is open.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Accepted {
    /// Always `queued`, which means accepted.
    pub status: String,
    /// The turn.
    pub turn_id: String,
    /// Its number in the conversation, from 1.
    pub turn_number: i64,
    /// The log position just before the turn's first event: follow from here.
    pub after: Seq,
    /// The label, when one was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_request_id: Option<String>,
}

/// A conversation as it is read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Conversation {
    /// UUID; also the ACP session id.
    pub id: String,
    /// The title, if there is one.
    #[serde(default)]
    pub title: Option<String>,
    /// The beginning of the first prompt.
    #[serde(default)]
    pub first_prompt: Option<String>,
    /// The agent; null once it was deleted.
    #[serde(default)]
    pub agent_id: Option<String>,
    /// The agent's name of now.
    #[serde(default)]
    pub agent_name: Option<String>,
    /// The agent's model of now.
    #[serde(default)]
    pub model: Option<String>,
    /// The sandbox, once there is one.
    #[serde(default)]
    pub sandbox_id: Option<String>,
    /// The sandbox, once there is one.
    #[serde(default)]
    pub sandbox: Option<Sandbox>,
    /// The launch's own policy as it was written.
    #[serde(default)]
    pub permission_policy: Option<Value>,
    /// The runtime.
    pub runtime: String,
    /// Always true.
    #[serde(default)]
    pub acp: bool,
    /// `pending`, `running`, `idle`, `failed` or `terminated`.
    pub status: String,
    /// The runtime's own session id.
    #[serde(default)]
    pub runtime_session_id: Option<String>,
    /// `api`, `ui` or `agent`.
    pub source: String,
    /// The conversation that started this one.
    #[serde(default)]
    pub parent_conversation_id: Option<String>,
    /// The bound channel.
    #[serde(default)]
    pub channel_id: Option<String>,
    /// How many turns there were.
    pub turn_count: i64,
    /// When its newest output came, else its creation.
    pub last_active_at: Timestamp,
    /// When it was last read.
    #[serde(default)]
    pub last_read_at: Option<Timestamp>,
    /// Whether there is something unread.
    #[serde(default)]
    pub unread: bool,
    /// Tokens over all turns.
    #[serde(default)]
    pub usage_total: Usage,
    /// Free labels.
    #[serde(default)]
    pub labels: Map<String, Value>,
    /// Every open request; filled on one conversation, empty in lists.
    #[serde(default)]
    pub pending_requests: Vec<Pending>,
    /// When it was made.
    pub inserted_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// The sandbox of a conversation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sandbox {
    /// UUID.
    pub id: String,
    /// The same id, under the name older clients read.
    pub sprite_name: String,
    /// `pending`, `starting`, `ready`, `suspended`, `terminated` or `failed`.
    pub status: String,
    /// The kind.
    pub provider: String,
    /// `ephemeral` or `persistent`.
    pub mode: String,
}

/// Token counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    #[serde(default)]
    pub input: i64,
    /// Tokens written.
    #[serde(default)]
    pub output: i64,
}

/// A turn as it is read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// UUID.
    pub id: String,
    /// From 1, without gaps.
    pub turn_number: i64,
    /// The prompt as it was typed.
    pub prompt: String,
    /// `pending`, `running`, `completed`, `failed` or `interrupted`.
    pub status: String,
    /// The label of the submission.
    #[serde(default)]
    pub client_request_id: Option<String>,
    /// `user` or `autonomous`.
    pub origin: String,
    /// Whether it ended with requests that still wait.
    #[serde(default)]
    pub waiting: bool,
    /// The runtime's exit status, when that ended it.
    #[serde(default)]
    pub exit_code: Option<i64>,
    /// The stop reason.
    #[serde(default)]
    pub stop_reason: Option<String>,
    /// Why it failed, in words.
    #[serde(default)]
    pub reason: Option<String>,
    /// When the runtime was given the prompt.
    #[serde(default)]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
    /// When it was accepted.
    pub inserted_at: Timestamp,
    /// How many images the prompt had.
    pub image_count: i64,
    /// Tokens, when the runtime told them.
    #[serde(default)]
    pub usage: Option<Usage>,
}
