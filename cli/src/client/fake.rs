//! A scripted instance for tests: a plain HTTP server whose answers a closure gives, with full control of
//! the bytes and of where they are cut.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub method: String,
    pub path: String,
    pub query: String,
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

impl Call {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| &**value)
    }

    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

/// What to answer.
pub(crate) enum Reply {
    Json(u16, Value),
    Bytes(&'static str, Vec<u8>),
    /// A stream: each piece is one chunk; the channel's end is a clean end, an empty piece cuts the connection.
    Stream(tokio::sync::mpsc::UnboundedReceiver<Vec<u8>>),
    /// No answer before this is true.
    Later(watch::Receiver<bool>, Box<Reply>),
}

impl Reply {
    /// A stream of these bytes, then its clean end, or a cut.
    pub(crate) fn events(bytes: &[u8], cut: bool) -> Self {
        let (send, pieces) = tokio::sync::mpsc::unbounded_channel();
        send.send(bytes.to_vec()).unwrap();
        if cut {
            send.send(Vec::new()).unwrap();
        }
        Self::Stream(pieces)
    }
}

type Script = dyn Fn(&Call) -> Reply + Send + Sync;

/// The server; it ends with the test's runtime.
#[derive(Clone)]
pub(crate) struct Fake {
    pub base: String,
    calls: Arc<Mutex<Vec<Call>>>,
    bell: watch::Receiver<usize>,
}

impl Fake {
    pub(crate) async fn start(script: impl Fn(&Call) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let calls = Arc::new(Mutex::new(Vec::new()));
        let (ring, bell) = watch::channel(0);
        let script: Arc<Script> = Arc::new(script);
        let ring = Arc::new(ring);
        let seen = Arc::clone(&calls);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                socket.set_nodelay(true).unwrap();
                let (script, seen, ring) =
                    (Arc::clone(&script), Arc::clone(&seen), Arc::clone(&ring));
                tokio::spawn(async move {
                    serve(socket, &*script, &seen, &ring).await;
                });
            }
        });
        Self { base, calls, bell }
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    /// Waits until a call's `METHOD /path` is this, and gives its body.
    pub(crate) async fn called(&self, line: &str) -> Call {
        self.called_times(line, 1).await
    }

    /// Waits until it was called so many times, and gives the last of them.
    pub(crate) async fn called_times(&self, line: &str, times: usize) -> Call {
        let mut bell = self.bell.clone();
        let wait = async {
            loop {
                let found: Vec<Call> = self
                    .calls()
                    .into_iter()
                    .filter(|call| call.line() == line)
                    .collect();
                if found.len() >= times {
                    return found[times - 1].clone();
                }
                bell.changed().await.unwrap();
            }
        };
        match tokio::time::timeout(Duration::from_secs(10), wait).await {
            Ok(call) => call,
            Err(_) => panic!("{line} was not called {times} times: {:?}", self.calls()),
        }
    }

    pub(crate) fn count(&self, line: &str) -> usize {
        self.calls()
            .iter()
            .filter(|call| call.line() == line)
            .count()
    }
}

async fn serve(
    mut socket: TcpStream,
    script: &Script,
    seen: &Mutex<Vec<Call>>,
    ring: &watch::Sender<usize>,
) {
    let mut buffer = Vec::new();
    while let Some(call) = read_call(&mut socket, &mut buffer).await {
        let reply = script(&call);
        seen.lock().unwrap().push(call);
        ring.send_modify(|n| *n += 1);
        if answer(&mut socket, reply).await.is_none() {
            return;
        }
    }
}

async fn answer(socket: &mut TcpStream, reply: Reply) -> Option<()> {
    let (status, media, body) = match reply {
        Reply::Json(204, _) => {
            return socket
                .write_all(b"HTTP/1.1 204 No Content\r\n\r\n")
                .await
                .ok();
        }
        Reply::Json(status, body) => (status, "application/json", body.to_string().into_bytes()),
        Reply::Bytes(media, body) => (200, media, body),
        Reply::Later(mut gate, reply) => {
            gate.wait_for(|open| *open).await.ok()?;
            return Box::pin(answer(socket, *reply)).await;
        }
        Reply::Stream(mut pieces) => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
            socket.write_all(head.as_bytes()).await.ok()?;
            while let Some(piece) = pieces.recv().await {
                if piece.is_empty() {
                    return None;
                }
                socket
                    .write_all(format!("{:x}\r\n", piece.len()).as_bytes())
                    .await
                    .ok()?;
                socket.write_all(&piece).await.ok()?;
                socket.write_all(b"\r\n").await.ok()?;
            }
            return socket.write_all(b"0\r\n\r\n").await.ok();
        }
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: {media}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all(head.as_bytes()).await.ok()?;
    socket.write_all(&body).await.ok()
}

async fn read_call(socket: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Call> {
    let end = loop {
        if let Some(at) = memchr::memmem::find(buffer, b"\r\n\r\n") {
            break at;
        }
        if socket.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(buffer[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let mut first = lines.next().unwrap().split(' ');
    let (method, target) = (
        first.next().unwrap().to_owned(),
        first.next().unwrap().to_owned(),
    );
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(key, value)| (key.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers
        .iter()
        .find(|(key, _)| key == "content-length")
        .map_or(0, |(_, n)| n.parse().unwrap());
    buffer.drain(..end + 4);
    while buffer.len() < length {
        if socket.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    let body: Vec<u8> = buffer.drain(..length).collect();
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    Some(Call {
        method,
        path: path.to_owned(),
        query: query.to_owned(),
        headers,
        body,
    })
}
