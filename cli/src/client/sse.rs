//! The events of a conversation as they come, over as many connections as it takes: none lost, none twice.

mod event;
mod frames;

use std::time::Instant;

use fountain_core::api::events;
use reqwest::Response;
use tokio::time::{sleep_until, timeout};

use super::Error;
use super::http::Http;
pub(crate) use event::{Event, Text};
use frames::Frames;

/// So many failures in a row, and a stream is given up.
const ATTEMPTS: u32 = 5;
/// More bytes than this without the end of a frame are no stream of events.
const FRAME_CAP: usize = 256 * 1024 * 1024;

/// Which events, and from where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct From<'a> {
    /// Those with a greater id.
    pub after: i64,
    /// A comma list of `acp`, `stdout`, `stderr`, `stage`; empty is all.
    pub streams: &'a str,
    /// Whether output events carry rendered blocks.
    pub blocks: bool,
    /// Whether to go on with what comes; else it ends after what is stored.
    pub wait: bool,
}

/// A stream that reconnects by itself.
pub(crate) struct Follow {
    http: Http,
    url: String,
    wait: bool,
    after: i64,
    body: Option<Response>,
    frames: Frames,
    /// Failures since the last byte.
    failures: u32,
    retry_at: Option<Instant>,
    /// When the connection was made that has given no byte yet.
    mute_since: Option<Instant>,
    /// Where the connection began.
    began: i64,
    /// Ends in a row that came before the connection had given one whole event.
    short: u32,
}

impl Follow {
    pub(super) fn new(http: Http, id: &str, from: From<'_>) -> Self {
        let query = [
            (
                "streams",
                (!from.streams.is_empty()).then_some(from.streams),
            ),
            ("blocks", from.blocks.then_some("true")),
            ("wait", (!from.wait).then_some("false")),
        ];
        let url = http.url(&events::STREAM, &[id], &query);
        Self {
            http,
            url,
            wait: from.wait,
            after: from.after,
            body: None,
            frames: Frames::default(),
            failures: 0,
            retry_at: None,
            mute_since: None,
            began: from.after,
            short: 0,
        }
    }

    /// The id of the last event that was given.
    pub(crate) fn cursor(&self) -> i64 {
        self.after
    }

    /// The next event that has already arrived.
    pub(crate) fn buffered(&mut self) -> Option<Event<'_>> {
        let frame = self.frames.next(self.after)?;
        if let Some(id) = frame.id {
            self.after = id;
        }
        Some(Event::read(frame.id, frame.data))
    }

    /// Waits for more bytes, connecting first where there is no connection. Gives false at the end of a
    /// stream that does not wait. May be dropped at any point without losing an event.
    ///
    /// Call it when [`Follow::buffered`] gives nothing.
    pub(crate) async fn fill(&mut self) -> Result<bool, Error> {
        let idle = self.http.stream_idle();
        loop {
            if let Some(at) = self.retry_at {
                sleep_until(at.into()).await;
                self.retry_at = None;
            }
            let Some(body) = &mut self.body else {
                match timeout(idle, self.http.stream(&self.url, self.after)).await {
                    Err(_) => return Err(self.silent()),
                    Ok(Ok(body)) => {
                        self.body = Some(body);
                        self.began = self.after;
                        self.mute_since = Some(Instant::now());
                    }
                    Ok(Err(error)) => self.failed(error)?,
                }
                continue;
            };
            match timeout(idle, body.chunk()).await {
                Err(_) => return Err(self.silent()),
                Ok(Ok(Some(bytes))) => {
                    self.failures = 0;
                    self.mute_since = None;
                    self.frames.feed(&bytes);
                    if self.frames.held() > FRAME_CAP {
                        let base = self.http.base();
                        return Err(Error::Protocol(format!(
                            "{base} sent an event of more than {FRAME_CAP} bytes"
                        )));
                    }
                    return Ok(true);
                }
                Ok(Ok(None)) => {
                    let (ended, cut) = (self.frames.ended(), self.frames.held() > 0);
                    let brought = self.after > self.began;
                    self.close();
                    // Without its last words it was cut off, unless there is nothing more to come.
                    if !self.wait && (ended || !brought && !cut) {
                        return Ok(false);
                    }
                    if cut && !brought {
                        self.short += 1;
                        self.failures = self.short - 1;
                        let error = self.cut_short();
                        self.failed(error)?;
                        continue;
                    }
                    self.short = 0;
                    // A clean close is answered at once, unless something in between only ever closes.
                    let pause = self.http.stream_pause();
                    let only_closes = self.mute_since.is_some_and(|since| since.elapsed() < pause);
                    self.retry_at = only_closes.then(|| Instant::now() + pause / 2);
                }
                Ok(Err(error)) => {
                    self.close();
                    let error = self.http.failed(&error);
                    self.failed(error)?;
                }
            }
        }
    }

    /// Something is known to come: the next attempt is made at once.
    pub(crate) fn hurry(&mut self) {
        self.failures = 0;
        self.retry_at = None;
    }

    /// Counts attempts anew after a failure that was given back, the first one after a long pause.
    pub(crate) fn restart(&mut self) {
        self.close();
        self.failures = 0;
        self.retry_at = Some(Instant::now() + self.http.stream_pause() * ATTEMPTS);
    }

    fn close(&mut self) {
        self.body = None;
        self.frames.clear();
    }

    /// Counts a failure and plans the next attempt; gives the error back where there is none.
    fn failed(&mut self, error: Error) -> Result<(), Error> {
        let passes = match &error {
            Error::Unreachable { .. } => true,
            Error::Problem { status, .. } => matches!(status, 408 | 429 | 500..),
            Error::Rejected { .. } | Error::Foreign { .. } | Error::Protocol(_) => false,
        };
        self.failures += 1;
        if !passes || self.failures >= ATTEMPTS {
            return Err(error);
        }
        self.retry_at = Some(Instant::now() + self.http.stream_pause() * self.failures);
        Ok(())
    }

    fn cut_short(&self) -> Error {
        Error::Unreachable {
            base: self.http.base().to_owned(),
            cause: "the connection ends in the middle of an event, again and again".to_owned(),
        }
    }

    fn silent(&self) -> Error {
        let seconds = self.http.stream_idle().as_secs();
        Error::Unreachable {
            base: self.http.base().to_owned(),
            cause: format!("not one byte for {seconds} s"),
        }
    }
}
