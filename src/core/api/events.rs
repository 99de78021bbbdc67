//! Events: the transcript as a page and as a stream.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Route;

/// `GET /api/conversations/{id}/events?after=&limit=&streams=&blocks=`: oldest first, 1000 at most.
pub const PAGE: Route = Route::get("/api/conversations/{id}/events");
/// `GET /api/conversations/{id}/stream?after=&streams=&blocks=&wait=`: server-sent events. `Last-Event-ID`
/// resumes; `wait=false` ends after what is stored, with [`END`].
pub const STREAM: Route = Route::get("/api/conversations/{id}/stream");
/// The last words of a stream that does not wait: without them it was cut off, and there may be more.
pub const END: &str = ": end\n\n";

/// The query of both. `after` is the query form of `Last-Event-ID`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Query {
    /// Events with a greater id; absent is from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// How many, on the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// A comma list of `acp`, `stdout`, `stderr`, `stage`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streams: Option<String>,
    /// `true` adds rendered blocks to output events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<String>,
    /// `false` or `0` ends the stream after what is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<String>,
}

/// An event as it is read, borrowed from its frame.
///
/// On a stream the id is in the frame's `id:` line and the kind in its `event:` line too.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Event {
    /// The log position; on a stream it is in the frame.
    #[serde(default)]
    pub id: i64,
    /// `output` or `stage`.
    pub kind: String,
    /// `acp`, `stdout` or `stderr` of an output.
    #[serde(default)]
    pub stream: Option<String>,
    /// The raw line of an output; the JSON metadata, as a string, of a stage.
    #[serde(default)]
    pub data: Option<String>,
    /// The stage's name.
    #[serde(default)]
    pub stage: Option<String>,
    /// `started`, `done`, `failed` or `interrupted`.
    #[serde(default)]
    pub state: Option<String>,
    /// How long the stage took, on closing states.
    #[serde(default)]
    pub duration_ms: Option<i64>,
    /// The turn it belongs to.
    #[serde(default)]
    pub turn_id: Option<String>,
    /// ISO-8601, UTC.
    #[serde(default)]
    pub ts: String,
    /// Rendered blocks, when they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Box<RawValue>>,
}

/// A page of events.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Page {
    /// Oldest first.
    pub data: Vec<Event>,
    /// Where the next page starts.
    pub meta: PageMeta,
}

/// Beside a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PageMeta {
    /// The limit that counted.
    pub limit: i64,
    /// Whether there is more.
    pub has_more: bool,
    /// Feed it to `after`; null on an empty page.
    pub next_cursor: Option<i64>,
}
