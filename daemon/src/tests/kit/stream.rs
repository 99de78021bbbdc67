//! A strict reader of server-sent events, frame by frame.

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::http::{self, Call, Chunks};
use super::within;

/// An open stream.
pub(crate) struct Stream {
    connection: TcpStream,
    chunks: Chunks,
    at: usize,
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
}

/// One frame as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) id: Option<i64>,
    pub(crate) event: String,
    pub(crate) data: String,
    pub(crate) comment: Option<String>,
}

impl Frame {
    fn parse(text: &str) -> Self {
        assert!(
            !text.contains('\r'),
            "a line end that splits fields: {text:?}"
        );
        if let Some(comment) = text.strip_prefix(": ") {
            assert!(
                !comment.contains('\n'),
                "a comment is a frame of its own: {text:?}"
            );
            return Self {
                id: None,
                event: String::new(),
                data: String::new(),
                comment: Some(comment.to_owned()),
            };
        }
        let lines: Vec<&str> = text.split('\n').collect();
        let [id, event, data] = lines[..] else {
            panic!("a frame has three lines: {text:?}");
        };
        Self {
            id: Some(id.strip_prefix("id: ").unwrap().parse().unwrap()),
            event: event.strip_prefix("event: ").unwrap().to_owned(),
            data: data.strip_prefix("data: ").unwrap().to_owned(),
            comment: None,
        }
    }

    /// The event, with its metadata read where it is a stage.
    pub(crate) fn value(&self) -> Value {
        super::opened(serde_json::from_str(&self.data).unwrap())
    }
}

impl Stream {
    pub(crate) async fn open(call: Call) -> Self {
        let mut connection = TcpStream::connect(call.address).await.unwrap();
        connection.write_all(&call.bytes()).await.unwrap();
        let mut head = Vec::new();
        within("the head of a stream", async {
            while !head.ends_with(b"\r\n\r\n") {
                head.push(connection.read_u8().await.unwrap());
            }
        })
        .await;
        let text = String::from_utf8(head).unwrap();
        let (status, headers) = http::head(text.trim_end());
        Self {
            connection,
            chunks: Chunks::default(),
            at: 0,
            status,
            headers,
        }
    }

    /// The next frame, comments too; nothing at the end.
    pub(crate) async fn frame(&mut self) -> Option<Frame> {
        within("a frame", async {
            loop {
                if let Some(frame) = self.taken() {
                    return Some(frame);
                }
                if self.chunks.over {
                    assert_eq!(self.chunks.whole.len(), self.at, "half a frame at the end");
                    return None;
                }
                let mut bytes = vec![0; 64 * 1024];
                let read = self.connection.read(&mut bytes).await.unwrap();
                assert!(read > 0, "the connection was cut");
                self.chunks.feed(&bytes[..read]);
            }
        })
        .await
    }

    fn taken(&mut self) -> Option<Frame> {
        let rest = &self.chunks.whole[self.at..];
        let end = rest.windows(2).position(|window| window == b"\n\n")?;
        let text = std::str::from_utf8(&rest[..end]).unwrap().to_owned();
        self.at += end + 2;
        Some(Frame::parse(&text))
    }

    /// The next frame that is an event.
    pub(crate) async fn event(&mut self) -> Option<Frame> {
        loop {
            let frame = self.frame().await?;
            if frame.comment.is_none() {
                return Some(frame);
            }
        }
    }

    /// Reads on until an event is what is looked for.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        while let Some(frame) = self.event().await {
            let value = frame.value();
            if wanted(&value) {
                return value;
            }
        }
        panic!("the stream ended before what was looked for");
    }

    /// Every event to the end.
    pub(crate) async fn rest(mut self) -> Vec<Frame> {
        let mut frames = Vec::new();
        while let Some(frame) = self.event().await {
            frames.push(frame);
        }
        frames
    }
}
