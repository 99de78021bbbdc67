//! Server-sent events. Replay and live are one loop: read the rows after the cursor, send them, wait for the
//! bell. There is no live channel that could overflow, so a slow reader misses nothing.

use std::time::Duration;

use axum::body::{Body as Response_, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use fountain_core::api::events::END;
use fountain_core::id::Seq;
use tokio::sync::watch;
use tokio::time::Instant;

use super::auth::Reader;
use super::body::Ids;
use super::error::Answer;
use super::events::{self, Filter, Renderer};
use super::query::Queries;
use crate::app::App;
use crate::store::events::after;
use crate::store::{Error, Key, conversations};

/// The most rows looked at, and about the most bytes sent, in one go.
const ROWS: i64 = 2_048;
const BYTES: usize = 192 * 1024;

/// `GET /api/conversations/{id}/stream`.
pub(super) async fn stream(
    State(app): State<App>,
    reader: Reader,
    Ids([conversation]): Ids<1>,
    headers: HeaderMap,
    queries: Queries,
) -> Answer<Response> {
    let key = events::log(&app, &reader, &conversation).await?;
    let follow = Follow {
        bell: app.bell.listen(key),
        key,
        cursor: events::cursor(&headers, &queries)?,
        filter: Filter::parse(queries.text("streams").as_deref())?,
        wait: queries.flag("wait").unwrap_or(true),
        quiet_since: Instant::now(),
        over: false,
        app,
    };
    let chunks = futures_util::stream::unfold(follow, |mut follow| async {
        let chunk = follow.next().await?;
        Some((Ok::<_, std::convert::Infallible>(chunk), follow))
    });
    let mut response = Response::new(Response_::from_stream(chunks));
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/event-stream"),
    );
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("no-cache, no-transform"),
    );
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

struct Follow {
    app: App,
    key: Key,
    bell: watch::Receiver<Seq>,
    cursor: Seq,
    filter: Filter,
    wait: bool,
    quiet_since: Instant,
    over: bool,
}

impl Follow {
    /// The next bytes to send, or the end.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.over {
                return None;
            }
            // Marked as heard before the read: what is rung after it is heard again.
            self.bell.borrow_and_update();
            let before = self.cursor;
            let frames = match self.read().await {
                Ok(frames) => frames,
                Err(error) => {
                    tracing::error!(%error, "a stream could not be read; the client comes back");
                    return None;
                }
            };
            if !frames.is_empty() {
                self.quiet_since = Instant::now();
                return Some(frames.into());
            }
            if self.cursor > before {
                continue;
            }
            if !self.wait {
                self.over = true;
                return Some(Bytes::from_static(END.as_bytes()));
            }
            if self.over {
                return None;
            }
            if let Some(comment) = self.pause().await {
                return Some(comment);
            }
        }
    }

    async fn read(&mut self) -> Result<Vec<u8>, Error> {
        let (key, cursor, filter) = (self.key, self.cursor, self.filter);
        let (last, frames, there) = self
            .app
            .store
            .read(move |db| {
                let mut out = Vec::new();
                let mut renderer = Renderer::default();
                let last = after(db, key, cursor, ROWS, |row| {
                    if filter.wants(row.tag) {
                        frame(row, &mut renderer, &mut out);
                    }
                    out.len() < BYTES
                })?;
                // A log that says nothing may be gone: then whoever follows it has heard the last of it.
                let there = last > cursor || conversations::exists(db, key)?;
                Ok((last, out, there))
            })
            .await?;
        self.cursor = last;
        self.over = !there;
        Ok(frames)
    }

    /// Waits for the bell; a comment to send meanwhile, if it is time for one.
    async fn pause(&mut self) -> Option<Bytes> {
        let settings = &self.app.settings().stream;
        let closes = self.quiet_since + settings.idle_close;
        let beats = Instant::now() + settings.heartbeat;
        tokio::select! {
            rung = self.bell.changed() => {
                if rung.is_err() {
                    self.bell = self.app.bell.listen(self.key);
                }
                None
            }
            () = self.app.stopping.cancelled() => {
                self.over = true;
                Some(Bytes::from_static(b": stopping\n\n"))
            }
            () = tokio::time::sleep_until(closes.min(beats)) => {
                if closes <= beats || Instant::now() + Duration::from_millis(1) >= closes {
                    self.over = true;
                    return Some(Bytes::from_static(b": idle\n\n"));
                }
                Some(Bytes::from_static(b": heartbeat\n\n"))
            }
        }
    }
}

fn frame(row: &crate::store::events::Row<'_>, renderer: &mut Renderer, out: &mut Vec<u8>) {
    use std::io::Write as _;
    // A vector takes any bytes.
    let _ = write!(
        out,
        "id: {}\nevent: {}\ndata: ",
        row.id,
        events::kind(row.tag)
    );
    renderer.json(row, false, out);
    out.extend_from_slice(b"\n\n");
}
