//! The one task that writes to a runtime: whole lines, in order, several in one write when several wait.

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;

/// The most bytes gathered for one write beyond a single line.
const GATHER: usize = 64 * 1024;

pub(super) async fn write(mut stdin: impl AsyncWrite + Unpin, mut lines: mpsc::Receiver<String>) {
    let mut buffer = Vec::new();
    while let Some(line) = lines.recv().await {
        buffer.clear();
        push(&mut buffer, &line);
        while buffer.len() < GATHER
            && let Ok(line) = lines.try_recv()
        {
            push(&mut buffer, &line);
        }
        // A runtime that is gone is noticed by its exit, which tells more than a broken pipe.
        if stdin.write_all(&buffer).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
        if buffer.capacity() > 16 * GATHER {
            buffer = Vec::new();
        }
    }
}

fn push(buffer: &mut Vec<u8>, line: &str) {
    buffer.extend_from_slice(line.as_bytes());
    buffer.push(b'\n');
}
