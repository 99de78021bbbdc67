//! A runtime's stderr: always drained, and its end kept for the explanation of a failure.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use fountain_core::rpc::Lines;
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How many of the last lines are kept.
const KEPT: usize = 12;
/// How much of a line is kept, in characters.
const WIDTH: usize = 400;

/// The last lines.
#[derive(Clone, Default)]
pub(super) struct Tail(Arc<Mutex<VecDeque<String>>>);

impl Tail {
    /// Reads until the end. A line without an end is taken in pieces, so that nothing grows.
    pub(super) async fn drain(self, mut stderr: impl AsyncRead + Unpin) {
        let mut lines = Lines::new(64 * 1024);
        let mut buffer = [0_u8; 8 * 1024];
        while let Ok(read) = stderr.read(&mut buffer).await {
            if read == 0 {
                break;
            }
            lines.feed(&buffer[..read]);
            loop {
                match lines.next() {
                    Some(Ok(line)) => self.push(&line),
                    Some(Err(_)) => {
                        if let Some(piece) = lines.rest() {
                            self.push(&piece);
                        }
                        break;
                    }
                    None => break,
                }
            }
        }
        if let Some(rest) = lines.rest() {
            self.push(&rest);
        }
    }

    fn push(&self, line: &str) {
        let line = fountain_core::acp::one_line(line, WIDTH);
        if line.is_empty() {
            return;
        }
        tracing::debug!(target: "fountain_daemon::runtime::stderr", "a line on stderr");
        if let Ok(mut kept) = self.0.lock() {
            if kept.len() == KEPT {
                kept.pop_front();
            }
            kept.push_back(line);
        }
    }

    /// The kept lines in one text.
    pub(super) fn text(&self) -> String {
        self.0
            .lock()
            .map(|kept| kept.iter().cloned().collect::<Vec<_>>().join("\n"))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_last_lines_are_kept_and_nothing_grows() {
        let tail = Tail::default();
        let mut input = vec![b'x'; 1024 * 1024];
        input.extend_from_slice(b"\ninvalid api key\n");
        tail.clone().drain(&input[..]).await;
        assert!(tail.text().ends_with("invalid api key"));
        assert!(tail.text().len() < KEPT * (WIDTH + 8));
    }
}
