//! Server-sent events, read strictly.

use std::io::Read;

use serde_json::Value;
use ureq::BodyReader;

use super::http::text_of;

/// One event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Its position in the log.
    pub(crate) id: i64,
    /// `output` or `stage`.
    pub(crate) event: String,
    /// The body.
    pub(crate) data: Value,
}

impl Frame {
    /// What the agent says in it.
    pub(crate) fn text(&self) -> Option<String> {
        (self.data["stream"] == "acp").then(|| text_of(self.data["data"].as_str()?))?
    }

    /// Whether it is this stage, `turn/done` for instance.
    pub(crate) fn is(&self, stage: &str) -> bool {
        let (name, state) = stage.split_once('/').unwrap();
        self.data["stage"] == name && self.data["state"] == state
    }

    /// Whether it ends a turn.
    pub(crate) fn ends_a_turn(&self) -> bool {
        ["turn/done", "turn/failed", "turn/interrupted"]
            .iter()
            .any(|stage| self.is(stage))
    }
}

/// A stream that is read as far as a test wants; dropping it cuts the connection.
pub(crate) struct Stream {
    from: BodyReader<'static>,
    /// What was read and is no whole frame yet.
    part: Vec<u8>,
    /// How many bytes came.
    pub(crate) bytes: usize,
    limit: usize,
}

impl Stream {
    pub(super) fn new(from: BodyReader<'static>) -> Self {
        Self {
            from,
            part: Vec::new(),
            bytes: 0,
            limit: usize::MAX,
        }
    }

    /// The same, cut after so many bytes, wherever that is.
    #[must_use]
    pub(crate) fn cut_after(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    fn frame(&mut self) -> Option<Frame> {
        loop {
            let end = self.part.windows(2).position(|pair| pair == b"\n\n")?;
            let block: Vec<u8> = self.part.drain(..end + 2).collect();
            let block = String::from_utf8(block).expect("a stream is UTF-8");
            let field = |name: &str| {
                let mut lines = block
                    .lines()
                    .filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
                let first = lines.next()?;
                assert_eq!(lines.next(), None, "{name} comes twice in {block:?}");
                Some(first.to_owned())
            };
            let Some(data) = field("data") else {
                let comments = block.lines().all(|line| {
                    line.is_empty() || line.starts_with(':') || line.starts_with("retry:")
                });
                assert!(comments, "no frame and no comment: {block:?}");
                continue;
            };
            return Some(Frame {
                id: field("id")
                    .and_then(|id| id.parse().ok())
                    .unwrap_or_else(|| panic!("no id in {block:?}")),
                event: field("event").unwrap_or_default(),
                data: serde_json::from_str(&data).unwrap_or_else(|error| panic!("{error}: {data}")),
            });
        }
    }
}

impl Iterator for Stream {
    type Item = Frame;

    /// The next event; nothing at the end of the stream, and at the cut.
    fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = self.frame() {
                return Some(frame);
            }
            let room = (self.limit - self.bytes).min(16 * 1024);
            let mut buffer = vec![0; room];
            // A connection that breaks ends here too; what was missed is asked for again.
            let count = self.from.read(&mut buffer).unwrap_or(0);
            if count == 0 {
                return None;
            }
            self.bytes += count;
            self.part.extend_from_slice(&buffer[..count]);
        }
    }
}
