//! Bytes to lines. It never splits a character, never grows past its cap, and flushes the last line at the end.

use std::borrow::Cow;

/// The most memory that an empty buffer keeps, in bytes.
const KEPT: usize = 1024 * 1024;

/// The peer wrote more than `cap` bytes without a newline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a line of more than {cap} bytes")]
pub struct TooLong {
    /// The cap that was passed, in bytes.
    pub cap: usize,
}

/// A buffer that takes bytes as they come and gives whole lines.
#[derive(Debug)]
pub struct Lines {
    buffer: Vec<u8>,
    /// Where the first line that was not given yet starts.
    start: usize,
    /// Up to where the buffer is known to hold no newline.
    searched: usize,
    cap: usize,
    /// Whether the line that arrives was given up already: the rest of it is thrown away.
    skipping: bool,
}

impl Lines {
    /// An empty buffer for lines of at most `cap` bytes.
    pub fn new(cap: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            cap,
            skipping: false,
        }
    }

    /// Adds bytes. Call [`Lines::next`] until it gives nothing before the next feed, so that the cap holds.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        if self.skipping {
            let Some(end) = memchr::memchr(b'\n', bytes) else {
                return;
            };
            bytes = &bytes[end + 1..];
            self.skipping = false;
        }
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole line without its line end, or nothing until more bytes come.
    ///
    /// Bytes that are no UTF-8 become replacement marks; a whole character is never split. A line that is too
    /// long is told once and thrown away; the next line is read as if nothing had been.
    #[expect(
        clippy::should_implement_trait,
        reason = "it lends from the buffer, which Iterator cannot say"
    )]
    pub fn next(&mut self) -> Option<Result<Cow<'_, str>, TooLong>> {
        let Some(at) = memchr::memchr(b'\n', &self.buffer[self.searched..]) else {
            self.searched = self.buffer.len();
            let long = self.buffer.len() - self.start > self.cap;
            if !long {
                self.let_go();
                return None;
            }
            self.buffer = Vec::new();
            self.start = 0;
            self.searched = 0;
            self.skipping = true;
            return Some(Err(TooLong { cap: self.cap }));
        };
        let end = self.searched + at;
        let line = self.start..end;
        self.start = end + 1;
        self.searched = end + 1;
        if line.len() > self.cap {
            return Some(Err(TooLong { cap: self.cap }));
        }
        Some(Ok(text(&self.buffer[line])))
    }

    /// Gives back what one long line took, once nothing is held: a peer may live for hours after it.
    fn let_go(&mut self) {
        if self.is_empty() && self.buffer.capacity() > KEPT {
            self.buffer = Vec::new();
            self.start = 0;
            self.searched = 0;
        }
    }

    /// The bytes after the last newline, when the peer has closed: a last line without its end.
    pub fn rest(&mut self) -> Option<String> {
        let rest = text(&self.buffer[self.start..]).into_owned();
        self.buffer.clear();
        self.start = 0;
        self.searched = 0;
        (!rest.trim().is_empty()).then_some(rest)
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.start == self.buffer.len()
    }
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_suffix(b"\r").unwrap_or(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(lines: &mut Lines) -> Vec<Result<String, TooLong>> {
        let mut out = Vec::new();
        while let Some(line) = lines.next() {
            let failed = line.is_err();
            out.push(line.map(Cow::into_owned));
            if failed {
                break;
            }
        }
        out
    }

    #[test]
    fn crlf_and_a_missing_last_newline_count() {
        let mut lines = Lines::new(100);
        lines.feed(b"a\r\nb\n\nlast");
        assert_eq!(
            all(&mut lines),
            [Ok("a".into()), Ok("b".into()), Ok(String::new())]
        );
        assert_eq!(lines.rest().as_deref(), Some("last"));
        assert_eq!(lines.rest(), None);
    }

    #[test]
    fn a_line_past_the_cap_is_refused_with_and_without_an_end() {
        let mut lines = Lines::new(4);
        lines.feed(b"abcde");
        assert_eq!(all(&mut lines), [Err(TooLong { cap: 4 })]);
        let mut lines = Lines::new(4);
        lines.feed(b"abcd\nabcde\n");
        assert_eq!(
            all(&mut lines),
            [Ok("abcd".into()), Err(TooLong { cap: 4 })]
        );
    }

    #[test]
    fn after_a_line_that_was_too_long_reading_goes_on() {
        let mut lines = Lines::new(4);
        lines.feed(b"abcdefg");
        assert_eq!(all(&mut lines), [Err(TooLong { cap: 4 })]);
        lines.feed(b"hijklmnop");
        assert_eq!(all(&mut lines), []);
        assert!(lines.is_empty());
        lines.feed(b"q\nok\nx");
        assert_eq!(all(&mut lines), [Ok("ok".into())]);
        assert_eq!(lines.rest().as_deref(), Some("x"));
    }

    #[test]
    fn a_long_line_is_not_paid_for_ever_after() {
        let mut lines = Lines::new(8 * KEPT);
        lines.feed(&vec![b'x'; 4 * KEPT]);
        assert!(all(&mut lines).is_empty());
        lines.feed(b"\n");
        assert_eq!(all(&mut lines).len(), 1);
        assert!(lines.buffer.capacity() <= KEPT);
        lines.feed(b"a\nb");
        assert_eq!(all(&mut lines), [Ok("a".into())]);
        assert_eq!(lines.rest().as_deref(), Some("b"));
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let mut lines = Lines::new(100);
        lines.feed(b"a\xffb\n");
        assert_eq!(all(&mut lines), [Ok("a\u{fffd}b".into())]);
    }

    proptest::proptest! {
        #[test]
        fn any_cut_gives_the_same_lines(text in "([a-z漢🎉é]{0,9}\n){0,6}", cuts in proptest::collection::vec(1usize..7, 0..60)) {
            let mut lines = Lines::new(1000);
            let mut got = Vec::new();
            let mut rest = text.as_bytes();
            for cut in cuts {
                let (head, tail) = rest.split_at(cut.min(rest.len()));
                lines.feed(head);
                got.extend(all(&mut lines));
                rest = tail;
            }
            lines.feed(rest);
            got.extend(all(&mut lines));
            let expect: Vec<_> = text.lines().map(|line| Ok(line.to_owned())).collect();
            proptest::prop_assert_eq!(got, expect);
            proptest::prop_assert!(lines.is_empty());
        }
    }
}
