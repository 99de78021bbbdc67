//! The one way to stdout. What is queued is written in one piece; updates wait while too much is queued, so
//! an editor that stops reading stops the stream and not the process. Answers never wait.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Notify;

/// With this many bytes queued, updates wait.
const FULL: usize = 4 * 1024 * 1024;

/// A queue of whole lines.
#[derive(Default)]
pub(super) struct Output {
    queue: Mutex<Queue>,
    filled: Notify,
    drained: Notify,
}

#[derive(Default)]
struct Queue {
    bytes: Vec<u8>,
    /// What the writer has taken and not written yet.
    writing: usize,
    closed: bool,
}

impl Output {
    /// Queues one line at once.
    pub(super) fn line(&self, line: &str) {
        self.append(line.as_bytes(), true);
    }

    /// Queues whole lines in their place.
    pub(super) fn lines(&self, lines: &[u8]) {
        self.append(lines, false);
    }

    /// Waits until there is room for more updates.
    pub(super) async fn room(&self) {
        loop {
            let drained = self.drained.notified();
            tokio::pin!(drained);
            drained.as_mut().enable();
            {
                let queue = self.queue();
                if queue.closed || queue.bytes.len() + queue.writing < FULL {
                    return;
                }
            }
            drained.await;
        }
    }

    /// Takes nothing more; the writer ends when it has written what is there.
    pub(super) fn close(&self) {
        self.queue().closed = true;
        self.filled.notify_one();
        self.drained.notify_waiters();
    }

    /// Writes until the queue is closed and empty, or nobody reads any more.
    pub(super) async fn write_to(&self, mut out: impl AsyncWrite + Unpin) -> std::io::Result<()> {
        let mut taken = Vec::new();
        loop {
            let closed = {
                let mut queue = self.queue();
                taken.clear();
                std::mem::swap(&mut queue.bytes, &mut taken);
                queue.writing = taken.len();
                queue.closed
            };
            if taken.is_empty() {
                if closed {
                    return Ok(());
                }
                self.filled.notified().await;
                continue;
            }
            let written = async {
                out.write_all(&taken).await?;
                out.flush().await
            };
            if let Err(error) = written.await {
                self.close();
                return Err(error);
            }
            self.queue().writing = 0;
            self.drained.notify_waiters();
        }
    }

    fn append(&self, bytes: &[u8], end_line: bool) {
        let mut queue = self.queue();
        if queue.closed || bytes.is_empty() {
            return;
        }
        queue.bytes.extend_from_slice(bytes);
        if end_line {
            queue.bytes.push(b'\n');
        }
        drop(queue);
        self.filled.notify_one();
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn updates_wait_for_a_reader_and_answers_do_not() {
        let output = Arc::new(Output::default());
        let (near, mut far) = tokio::io::duplex(64);
        let writer = tokio::spawn({
            let output = Arc::clone(&output);
            async move { output.write_to(near).await }
        });
        let mut big = vec![b'x'; FULL];
        big.push(b'\n');
        output.lines(&big);
        output.line("answer");
        let waiting = tokio::spawn({
            let output = Arc::clone(&output);
            async move { output.room().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        let mut read = vec![0; FULL + 1 + "answer\n".len()];
        far.read_exact(&mut read).await.unwrap();
        waiting.await.unwrap();
        assert!(read.ends_with(b"x\nanswer\n"));
        output.close();
        writer.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_reader_that_went_away_ends_it() {
        let output = Output::default();
        let (near, far) = tokio::io::duplex(64);
        drop(far);
        output.line("x");
        assert!(output.write_to(near).await.is_err());
        output.line("y");
        output.room().await;
    }
}
