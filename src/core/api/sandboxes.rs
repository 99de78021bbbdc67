//! Sandboxes: which there are, and their files, to read.

use serde::{Deserialize, Serialize};

use super::Route;
use crate::time::Timestamp;

/// `GET /api/sandboxes?status=&limit=`: the newest change first; `status` is a comma list.
pub const LIST: Route = Route::get("/api/sandboxes");
/// `GET /api/sandboxes/{id}`: with its conversations.
pub const SHOW: Route = Route::get("/api/sandboxes/{id}");
/// `GET /api/sandboxes/{id}/file?path=`: the bytes of a file. A path is below the sandbox (`workspace/a.txt`), or as
/// the agent sees it.
pub const FILE: Route = Route::get("/api/sandboxes/{id}/file");
/// `GET /api/sandboxes/{id}/directory?path=`: what is in a folder.
pub const DIRECTORY: Route = Route::get("/api/sandboxes/{id}/directory");

/// A sandbox.
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
    /// The agent whose it is.
    #[serde(default)]
    pub agent_id: Option<String>,
    /// Nothing is served from a sandbox by this version.
    #[serde(default)]
    pub url: Option<String>,
    /// Where it runs, when that is not here.
    #[serde(default)]
    pub runner: Option<String>,
    /// The conversations on it.
    pub conversations: Vec<Conversation>,
    /// When it was made.
    pub inserted_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A conversation on a sandbox.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Conversation {
    /// UUID.
    pub id: String,
    /// Its title.
    #[serde(default)]
    pub title: Option<String>,
    /// `pending`, `running`, `idle`, `failed` or `terminated`.
    pub status: String,
}

/// What is in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name; bytes that are no text are replaced.
    pub name: String,
    /// `file`, `directory`, `symlink` or `other`.
    pub kind: String,
    /// In bytes, of a file.
    #[serde(default)]
    pub size: Option<u64>,
}
