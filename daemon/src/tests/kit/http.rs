//! HTTP by hand: what is sent is exactly what a test says.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::within;

/// A request in the making.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) address: SocketAddr,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Call {
    pub(crate) fn new(address: SocketAddr, method: &str, path: &str) -> Self {
        Self {
            address,
            method: method.to_owned(),
            path: path.to_owned(),
            headers: vec![("host".into(), address.to_string())],
            body: Vec::new(),
        }
    }

    /// Adds a header, also one that is there already.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets a header in place of what is there; an empty value takes it out.
    pub(crate) fn set(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        if value.is_empty() {
            self
        } else {
            self.header(name, value)
        }
    }

    pub(crate) fn key(self, key: &str) -> Self {
        self.set("authorization", &format!("Bearer {key}"))
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string().into_bytes())
    }

    pub(crate) fn body(mut self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.set("content-type", content_type)
    }

    /// The bytes of the request.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !self.body.is_empty() || self.method != "GET" {
            head.push_str(&format!("content-length: {}\r\n", self.body.len()));
        }
        head.push_str("connection: close\r\n\r\n");
        [head.into_bytes(), self.body.clone()].concat()
    }

    pub(crate) async fn send(self) -> Reply {
        let bytes = self.exchange().await;
        Reply::parse(&bytes)
            .unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(&bytes)))
    }

    /// The same to a daemon that may end meanwhile: then there is no answer, or a piece of one.
    pub(crate) async fn try_send(self) -> Option<Reply> {
        let reply = Reply::parse(&self.exchange().await)?;
        let length = reply.header("content-length").map(str::parse);
        let whole = length.is_none_or(|length| length == Ok(reply.body.len()));
        whole.then_some(reply)
    }

    async fn exchange(self) -> Vec<u8> {
        within("an answer", async {
            let mut bytes = Vec::new();
            if let Ok(mut stream) = TcpStream::connect(self.address).await {
                // Whoever refuses a request early need not read all of it.
                let _ = stream.write_all(&self.bytes()).await;
                let _ = stream.read_to_end(&mut bytes).await;
            }
            bytes
        })
        .await
    }
}

impl Reply {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let at = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let (status, headers) = head(std::str::from_utf8(&bytes[..at]).unwrap());
        let mut reply = Self {
            status,
            headers,
            body: bytes[at + 4..].to_vec(),
        };
        if reply.header("transfer-encoding") == Some("chunked") {
            let mut chunks = Chunks::default();
            chunks.feed(&reply.body);
            reply.body = chunks.whole;
        }
        Some(reply)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        found.next().map(|(_, value)| value.as_str())
    }

    #[track_caller]
    pub(crate) fn value(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("no JSON: {:?}", String::from_utf8_lossy(&self.body)))
    }

    /// Checks the status and gives the body.
    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> Value {
        assert_eq!(
            self.status,
            status,
            "{}",
            String::from_utf8_lossy(&self.body)
        );
        if self.body.is_empty() {
            Value::Null
        } else {
            self.value()
        }
    }

    /// Checks a refusal: its status and code, and that it is told in a sentence.
    #[track_caller]
    pub(crate) fn refuses(&self, status: u16, code: &str) -> Value {
        let body = self.is(status);
        assert_eq!(body["error"], code, "{body}");
        let message = body["message"].as_str().unwrap_or_default();
        let whole =
            message.ends_with('.') && message.chars().next().is_some_and(|c| !c.is_lowercase());
        assert!(whole, "no sentence: {body}");
        body
    }
}

/// The status and the headers, their names in lower case.
pub(crate) fn head(text: &str) -> (u16, Vec<(String, String)>) {
    let mut lines = text.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let headers = lines.map(|line| {
        let (name, value) = line.split_once(':').unwrap();
        (name.to_ascii_lowercase(), value.trim().to_owned())
    });
    (status.parse().unwrap(), headers.collect())
}

/// Takes the chunked coding apart.
#[derive(Default)]
pub(crate) struct Chunks {
    pending: Vec<u8>,
    /// What is whole so far.
    pub(crate) whole: Vec<u8>,
    /// Whether the last chunk came.
    pub(crate) over: bool,
}

impl Chunks {
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        while let Some(at) = self.pending.windows(2).position(|window| window == b"\r\n") {
            let size = std::str::from_utf8(&self.pending[..at]).unwrap();
            let size = usize::from_str_radix(size, 16).unwrap();
            let end = at + 2 + size + 2;
            if self.pending.len() < end {
                return;
            }
            self.whole.extend_from_slice(&self.pending[at + 2..end - 2]);
            self.pending.drain(..end);
            self.over |= size == 0;
        }
    }
}
