//! Events as JSON: one rendering and one filter, for the page and for the stream.

use axum::body::Body as Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use fountain_core::id::{ConversationId, Seq};
use fountain_core::time::Timestamp;
use serde::Serialize;

use super::auth::Reader;
use super::body::{Ids, id};
use super::error::{Answer, Refused};
use super::query::Queries;
use crate::app::App;
use crate::store::events::{self, Row};
use crate::store::{Key, conversations};

/// Which streams a reader wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filter {
    acp: bool,
    stdout: bool,
    stderr: bool,
    stage: bool,
}

impl Filter {
    /// Reads the comma list; none is everything.
    pub(super) fn parse(list: Option<&str>) -> Answer<Self> {
        let Some(list) = list.filter(|list| !list.trim().is_empty()) else {
            return Ok(Self {
                acp: true,
                stdout: true,
                stderr: true,
                stage: true,
            });
        };
        let mut filter = Self {
            acp: false,
            stdout: false,
            stderr: false,
            stage: false,
        };
        for word in list.split(',').map(str::trim) {
            match word {
                "acp" => filter.acp = true,
                "stdout" => filter.stdout = true,
                "stderr" => filter.stderr = true,
                "stage" => filter.stage = true,
                _ => {
                    return Err(Refused::unprocessable(
                        "invalid_streams",
                        "`streams` is a comma list of acp, stdout, stderr, stage.",
                    ));
                }
            }
        }
        Ok(filter)
    }

    /// Whether a row is wanted.
    pub(super) fn wants(self, tag: &str) -> bool {
        match tag {
            "acp" => self.acp,
            "stdout" => self.stdout,
            "stderr" => self.stderr,
            _ => self.stage,
        }
    }
}

/// An event as clients read it, borrowed from its row.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<i64>,
    kind: &'static str,
    stream: Option<&'a str>,
    data: &'a str,
    stage: Option<&'a str>,
    state: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<i64>,
    turn_id: Option<&'a str>,
    ts: &'a str,
}

/// Writes events; keeps the last time's text, which a batch shares.
#[derive(Default)]
pub(super) struct Renderer {
    at: Option<Timestamp>,
    text: String,
}

impl Renderer {
    /// Appends the JSON of a row.
    pub(super) fn json(&mut self, row: &Row<'_>, with_id: bool, out: &mut Vec<u8>) {
        use std::fmt::Write as _;
        if self.at != Some(row.at) {
            self.text.clear();
            let _ = write!(self.text, "{}", row.at);
            self.at = Some(row.at);
        }
        let output = kind(row.tag) == "output";
        let stage = if output {
            None
        } else {
            Some(row.tag.split_once('/').unwrap_or((row.tag, "done")))
        };
        let shown = Shown {
            id: with_id.then_some(row.id.0),
            kind: kind(row.tag),
            stream: output.then_some(row.tag),
            data: row.body,
            stage: stage.map(|(stage, _)| stage),
            state: stage.map(|(_, state)| state),
            duration_ms: row.duration_ms,
            turn_id: row.turn,
            ts: &self.text,
        };
        // A struct of texts and numbers always serialises, and a vector takes any bytes.
        let _ = serde_json::to_writer(out, &shown);
    }
}

/// `output` or `stage`.
pub(super) fn kind(tag: &str) -> &'static str {
    if matches!(tag, "acp" | "stdout" | "stderr") {
        "output"
    } else {
        "stage"
    }
}

/// Where a reader wants to go on: the header, else the query, else the start.
pub(super) fn cursor(headers: &HeaderMap, queries: &Queries) -> Answer<Seq> {
    let invalid = || {
        Refused::new(
            StatusCode::BAD_REQUEST,
            "invalid_cursor",
            "A cursor is the id of an event: a whole number from 0.",
        )
    };
    let mut given = headers.get_all("last-event-id").iter();
    let text = match (given.next(), given.next()) {
        (Some(header), None) => Some(header.to_str().map_err(|_| invalid())?.to_owned()),
        (Some(_), Some(_)) => return Err(invalid()),
        (None, _) => queries.text("after"),
    };
    match text.as_deref().map(str::trim) {
        None | Some("") => Ok(Seq(0)),
        Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.parse().map(Seq).map_err(|_| invalid())
        }
        Some(_) => Err(invalid()),
    }
}

/// Finds the log of a conversation, or answers 404.
pub(super) async fn log(app: &App, reader: &Reader, conversation: &str) -> Answer<Key> {
    let id: ConversationId = id(conversation, "conversation")?;
    reader.may_read(app, id).await?;
    let found = app
        .store
        .read(move |db| conversations::find(db, id))
        .await?;
    found
        .map(|live| live.key)
        .ok_or_else(|| Refused::not_found("conversation"))
}

/// `GET /api/conversations/{id}/events`.
pub(super) async fn page(
    State(app): State<App>,
    reader: Reader,
    Ids([conversation]): Ids<1>,
    queries: Queries,
) -> Answer<Response> {
    let key = log(&app, &reader, &conversation).await?;
    let after = cursor(&HeaderMap::new(), &queries)?;
    let filter = Filter::parse(queries.text("streams").as_deref())?;
    let limit = match queries.text("limit") {
        Some(text) => text
            .parse::<i64>()
            .ok()
            .filter(|limit| *limit >= 1)
            .map(|limit| limit.min(1_000)),
        None => Some(100),
    };
    let limit = limit.ok_or_else(|| {
        Refused::new(
            StatusCode::BAD_REQUEST,
            "invalid_limit",
            "`limit` is a whole number from 1 to 1000.",
        )
    })?;
    let body = app
        .store
        .read(move |db| render(db, key, after, filter, limit))
        .await?;
    Ok((
        [(header::CONTENT_TYPE, "application/json")],
        Bytes::from(body),
    )
        .into_response())
}

fn render(
    db: &crate::store::Reading,
    key: Key,
    after: Seq,
    filter: Filter,
    limit: i64,
) -> Result<Vec<u8>, crate::store::Error> {
    let mut out = br#"{"data":["#.to_vec();
    let mut renderer = Renderer::default();
    let (mut shown, mut last, mut more) = (0, None, false);
    events::after(db, key, after, i64::MAX, |row| {
        if !filter.wants(row.tag) {
            return true;
        }
        if shown == limit {
            more = true;
            return false;
        }
        if shown > 0 {
            out.push(b',');
        }
        renderer.json(row, true, &mut out);
        shown += 1;
        last = Some(row.id.0);
        true
    })?;
    let meta = serde_json::json!({"limit": limit, "has_more": more, "next_cursor": last});
    out.extend_from_slice(format!(r#"],"meta":{meta}}}"#).as_bytes());
    Ok(out)
}
