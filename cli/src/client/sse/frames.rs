//! Bytes to server-sent frames, cut anywhere. Comments and repeats are skipped; nothing is copied but what a
//! chunk leaves unfinished.

use std::ops::Range;

use fountain_core::api::events::END;

/// A buffer that takes bytes as they come and lends whole frames.
#[derive(Debug, Default)]
pub(super) struct Frames {
    buffer: Vec<u8>,
    /// Where the frame begins that was not given yet.
    start: usize,
    /// Where the line begins that has no end yet.
    line: usize,
    /// Data that could not be lent: of several lines, or no text.
    scratch: String,
    /// Up to where the line has been looked at.
    searched: usize,
    /// The last words of a stream that does not wait were among them.
    ended: bool,
}

/// One frame that carries data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame<'a> {
    /// Its `id:`; a frame without one moves no cursor.
    pub id: Option<i64>,
    /// Its `data:`, the lines joined.
    pub data: &'a str,
}

/// Where the parts of a frame are.
struct Parts {
    id: Option<i64>,
    data: Range<usize>,
    /// Whether the data is in the scratch instead.
    in_scratch: bool,
}

impl Frames {
    /// Adds bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.line -= self.start;
            self.searched -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// Forgets what a lost connection left unfinished.
    pub(super) fn clear(&mut self) {
        self.buffer.clear();
        self.start = 0;
        self.line = 0;
        self.searched = 0;
        self.ended = false;
    }

    /// Whether the stream has said that this was all. Known once [`Frames::next`] gives nothing.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// How many bytes wait for the end of their frame.
    pub(super) fn held(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// The next whole frame with data and, if it has an id, one greater than `after`.
    pub(super) fn next(&mut self, after: i64) -> Option<Frame<'_>> {
        loop {
            let frame = self.whole()?;
            self.ended |= self.buffer[frame.start..self.start] == *END.as_bytes();
            let Some(Parts {
                id,
                data,
                in_scratch,
            }) = self.parts(frame)
            else {
                continue;
            };
            if id.is_some_and(|id| id <= after) {
                continue;
            }
            let text = str::from_utf8(&self.buffer[data]).unwrap_or_default();
            return Some(Frame {
                id,
                data: if in_scratch { &self.scratch } else { text },
            });
        }
    }

    /// Where the next frame is that has its blank line; it is then behind us.
    fn whole(&mut self) -> Option<Range<usize>> {
        while let Some(at) = memchr::memchr(b'\n', &self.buffer[self.searched..]) {
            let end = self.searched + at;
            let blank = matches!(&self.buffer[self.line..end], b"" | b"\r");
            let frame = self.start..self.line;
            self.line = end + 1;
            self.searched = end + 1;
            if blank {
                self.start = end + 1;
                if !frame.is_empty() {
                    return Some(frame);
                }
            }
        }
        self.searched = self.buffer.len();
        None
    }

    /// The parts of a frame, if it has data.
    fn parts(&mut self, frame: Range<usize>) -> Option<Parts> {
        let mut id = None;
        let mut data: Option<Range<usize>> = None;
        let mut in_scratch = false;
        let mut at = frame.start;
        while at < frame.end {
            let end = memchr::memchr(b'\n', &self.buffer[at..frame.end])
                .map_or(frame.end, |found| at + found);
            let line = self.buffer[at..end]
                .strip_suffix(b"\r")
                .unwrap_or(&self.buffer[at..end]);
            if let Some(value) = line.strip_prefix(b"data:") {
                let value = value.strip_prefix(b" ").unwrap_or(value);
                let start = at + line.len() - value.len();
                match &data {
                    None => data = Some(start..start + value.len()),
                    Some(first) => {
                        if !in_scratch {
                            self.scratch =
                                String::from_utf8_lossy(&self.buffer[first.clone()]).into_owned();
                            in_scratch = true;
                        }
                        self.scratch.push('\n');
                        self.scratch.push_str(&String::from_utf8_lossy(value));
                    }
                }
            } else if let Some(value) = line.strip_prefix(b"id:") {
                id = str::from_utf8(value)
                    .ok()
                    .and_then(|id| id.trim().parse().ok());
            }
            at = end + 1;
        }
        let data = data?;
        if !in_scratch && str::from_utf8(&self.buffer[data.clone()]).is_err() {
            self.scratch = String::from_utf8_lossy(&self.buffer[data.clone()]).into_owned();
            in_scratch = true;
        }
        Some(Parts {
            id,
            data,
            in_scratch,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(frames: &mut Frames, after: i64) -> Vec<(Option<i64>, String)> {
        let mut out = Vec::new();
        while let Some(frame) = frames.next(after) {
            out.push((frame.id, frame.data.to_owned()));
        }
        out
    }

    fn read(text: &str) -> Vec<(Option<i64>, String)> {
        let mut frames = Frames::default();
        frames.feed(text.as_bytes());
        all(&mut frames, 0)
    }

    #[test]
    fn frames_are_read_in_every_spelling() {
        for (text, expect) in [
            ("id: 1\nevent: output\ndata: {}\n\n", vec![(Some(1), "{}")]),
            ("id:1\r\ndata:{}\r\n\r\n", vec![(Some(1), "{}")]),
            (": heartbeat\n\n", vec![]),
            (": note\ndata: x\n\n", vec![(None, "x")]),
            (
                "\n\n\ndata: x\n\n\n\ndata: y\n\n",
                vec![(None, "x"), (None, "y")],
            ),
            ("data: a\ndata: b\ndata:\n\n", vec![(None, "a\nb\n")]),
            ("id: 7\n\n", vec![]),
            ("id: odd\ndata: x\n\n", vec![(None, "x")]),
            ("retry: 5\nfoo\ndata:  two\n\n", vec![(None, " two")]),
            ("data: never ended\n", vec![]),
        ] {
            let expect: Vec<_> = expect
                .into_iter()
                .map(|(id, data)| (id, data.to_owned()))
                .collect();
            assert_eq!(read(text), expect, "{text:?}");
        }
    }

    #[test]
    fn what_was_seen_is_not_given_again() {
        let mut frames = Frames::default();
        frames.feed(b"id: 4\ndata: a\n\nid: 5\ndata: b\n\ndata: c\n\nid: 6\ndata: d\n\n");
        assert_eq!(
            all(&mut frames, 5),
            [(None, "c".to_owned()), (Some(6), "d".to_owned())]
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let mut frames = Frames::default();
        frames.feed(b"data: a\xffb\n\n");
        assert_eq!(all(&mut frames, 0), [(None, "a\u{fffd}b".to_owned())]);
    }

    proptest::proptest! {
        #[test]
        fn any_cut_gives_the_same_frames(
            frames in proptest::collection::vec(("[a-z漢🎉é: ]{0,12}", 0u8..4), 0..8),
            cuts in proptest::collection::vec(1usize..9, 0..80),
        ) {
            let mut text = String::new();
            for (at, (data, shape)) in frames.iter().enumerate() {
                match shape {
                    0 => text.push_str(&format!("id: {}\nevent: output\ndata: {data}\n\n", at + 1)),
                    1 => text.push_str(&format!("id: {}\r\ndata: {data}\r\n\r\n", at + 1)),
                    2 => text.push_str(": heartbeat\n\n"),
                    _ => text.push_str(&format!("data: {data}\ndata: {data}\n\n")),
                }
            }
            let whole = read(&text);
            let mut reader = Frames::default();
            let mut got = Vec::new();
            let mut rest = text.as_bytes();
            for cut in cuts {
                let (head, tail) = rest.split_at(cut.min(rest.len()));
                reader.feed(head);
                got.extend(all(&mut reader, 0));
                rest = tail;
            }
            for byte in rest {
                reader.feed(std::slice::from_ref(byte));
                got.extend(all(&mut reader, 0));
            }
            proptest::prop_assert_eq!(got, whole);
            proptest::prop_assert_eq!(reader.held(), 0);
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            let mut frames = Frames::default();
            frames.feed(&bytes);
            all(&mut frames, 0);
        }
    }
}
