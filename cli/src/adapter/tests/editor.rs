//! An editor that writes lines and reads what comes back.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::task::JoinHandle;

use super::Daemon;
use super::daemon::CONVERSATION;
use crate::adapter::{self, Connect, Instance, Log, NoWay, Options};
use crate::client::{Client, Settings};

pub(super) struct Editor {
    to: Option<DuplexStream>,
    from: Lines<BufReader<DuplexStream>>,
    pub stderr: Stderr,
    run: JoinHandle<()>,
    next: i64,
    /// What was read while something else was looked for.
    aside: VecDeque<Value>,
}

#[derive(Clone, Default)]
pub(super) struct Stderr(Arc<Mutex<Vec<u8>>>);

impl Stderr {
    pub(super) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Credentials that are simply there, or not.
pub(super) struct Direct {
    pub base: String,
    pub key: bool,
}

impl Connect for Direct {
    fn instance(&self) -> Instance {
        let key_source = self.key.then(|| "FOUNTAIN_API_KEY".to_owned());
        Instance {
            base_url: self.base.clone(),
            profile: "default".to_owned(),
            key_source,
        }
    }

    fn connect(&self) -> BoxFuture<'_, Result<Client, NoWay>> {
        async {
            if !self.key {
                let sentence = format!("no credentials for {}: run fountain auth login", self.base);
                return Err(NoWay {
                    needs_login: true,
                    sentence,
                });
            }
            let settings = Settings {
                base_url: self.base.clone(),
                key: Some("ftn_1".to_owned()),
                ..Settings::default()
            };
            let client = Client::new(settings)
                .map(|client| client.with_stream_pause(Duration::from_millis(1)));
            client.map_err(|error| NoWay {
                needs_login: false,
                sentence: error.to_string(),
            })
        }
        .boxed()
    }
}

pub(super) fn demo() -> Options {
    Options {
        agent: Some("demo".to_owned()),
        ..Options::default()
    }
}

impl Editor {
    /// Starts a process, without a word said to it.
    pub(super) fn bare(options: Options, connect: impl Connect) -> Self {
        Self::with_room(options, connect, 1024 * 1024)
    }

    /// The same with pipes that hold so many bytes.
    pub(super) fn with_room(options: Options, connect: impl Connect, room: usize) -> Self {
        let (to, input) = tokio::io::duplex(room);
        let (output, from) = tokio::io::duplex(room);
        let stderr = Stderr::default();
        let log = Log::new(Some("debug"), Box::new(stderr.clone()));
        let stop = std::future::pending().boxed();
        let run = tokio::spawn(adapter::run(
            options,
            connect,
            adapter::Editor {
                input,
                output,
                stop,
            },
            log,
        ));
        Self {
            to: Some(to),
            from: BufReader::new(from).lines(),
            stderr,
            run,
            next: 100,
            aside: VecDeque::new(),
        }
    }

    /// A process that has shaken hands.
    pub(super) async fn start(daemon: &Daemon, options: Options) -> Self {
        let mut editor = Self::bare(
            options,
            Direct {
                base: daemon.fake.base.clone(),
                key: true,
            },
        );
        editor.ok("initialize", json!({"protocolVersion": 1})).await;
        editor
    }

    /// A process with a session.
    pub(super) async fn with_session(daemon: &Daemon) -> Self {
        let mut editor = Self::start(daemon, demo()).await;
        let new = editor
            .ok("session/new", json!({"cwd": "/here", "mcpServers": []}))
            .await;
        assert_eq!(new["sessionId"], CONVERSATION);
        editor
    }

    pub(super) async fn raw(&mut self, line: &str) {
        let to = self.to.as_mut().unwrap();
        to.write_all(line.as_bytes()).await.unwrap();
        to.write_all(b"\n").await.unwrap();
    }

    /// Bytes without an end of line.
    pub(super) async fn part(&mut self, bytes: &str) {
        self.to
            .as_mut()
            .unwrap()
            .write_all(bytes.as_bytes())
            .await
            .unwrap();
    }

    pub(super) async fn notify(&mut self, method: &str, params: Value) {
        self.raw(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string())
            .await;
    }

    /// Sends a request and gives its id.
    pub(super) async fn send(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        self.raw(
            &json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params})
                .to_string(),
        )
        .await;
        self.next.into()
    }

    pub(super) async fn prompt(&mut self, text: &str) -> Value {
        self.send(
            "session/prompt",
            json!({"sessionId": CONVERSATION, "prompt": [{"type": "text", "text": text}]}),
        )
        .await
    }

    pub(super) async fn reply(&mut self, id: &Value, result: Value) {
        self.raw(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string())
            .await;
    }

    pub(super) async fn pick(&mut self, id: &Value, option: &str) {
        self.reply(
            id,
            json!({"outcome": {"outcome": "selected", "optionId": option}}),
        )
        .await;
    }

    /// The next line.
    pub(super) async fn next(&mut self) -> Value {
        match self.aside.pop_front() {
            Some(value) => value,
            None => self.read().await.expect("the output was closed"),
        }
    }

    /// Reads until this is true of a line; the lines before it can be had afterwards.
    pub(super) async fn find(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.aside.iter().position(&wanted) {
            return self.aside.remove(at).unwrap();
        }
        loop {
            let value = self.read().await.expect("the output was closed");
            if wanted(&value) {
                return value;
            }
            self.aside.push_back(value);
        }
    }

    /// The response to a request; everything read before it stays.
    pub(super) async fn response(&mut self, id: &Value) -> Value {
        self.find(|value| value.get("method").is_none() && value["id"] == *id)
            .await
    }

    /// The result of a request.
    pub(super) async fn ok(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        let mut response = self.response(&id).await;
        assert!(response.get("result").is_some(), "{method}: {response}");
        response["result"].take()
    }

    /// Code and message of a request that is refused; the message is in the details too, and on stderr.
    pub(super) async fn refused(&mut self, method: &str, params: Value) -> (i64, String) {
        let id = self.send(method, params).await;
        self.error(&id).await
    }

    pub(super) async fn error(&mut self, id: &Value) -> (i64, String) {
        let response = self.response(id).await;
        let error = &response["error"];
        assert_eq!(error["message"], error["data"]["details"], "{response}");
        let message = error["message"].as_str().unwrap().to_owned();
        assert!(
            self.stderr.text().contains(&message),
            "{message} is not in {}",
            self.stderr.text()
        );
        (error["code"].as_i64().unwrap(), message)
    }

    /// The next question of the adapter.
    pub(super) async fn question(&mut self) -> Value {
        self.find(|value| value["method"] == "session/request_permission")
            .await
    }

    /// The texts of the updates up to a response, in order, and the response.
    pub(super) async fn turn(&mut self, id: &Value) -> (Vec<String>, Value) {
        let mut texts = Vec::new();
        loop {
            let line = self.next().await;
            if line["method"] == "session/update" {
                assert_eq!(line["params"]["sessionId"], CONVERSATION, "{line}");
                texts.push(shown(&line));
            } else if line["id"] == *id && line.get("method").is_none() {
                return (texts, line);
            }
        }
    }

    /// Closes the input, waits for the end of the process, and gives what it still said.
    pub(super) async fn close(mut self) -> Vec<Value> {
        self.to = None;
        let mut rest: Vec<Value> = self.aside.drain(..).collect();
        while let Some(value) = self.read().await {
            rest.push(value);
        }
        self.run.await.unwrap();
        rest
    }

    /// Closes the pipe it reads from.
    pub(super) fn deafen(&mut self) {
        let (_, nothing) = tokio::io::duplex(1);
        self.from = BufReader::new(nothing).lines();
    }

    pub(super) fn is_over(&self) -> bool {
        self.run.is_finished()
    }

    async fn read(&mut self) -> Option<Value> {
        let read = tokio::time::timeout(Duration::from_secs(10), self.from.next_line()).await;
        let Ok(line) = read else {
            panic!("nothing came; stderr: {}", self.stderr.text())
        };
        let line = line.unwrap()?;
        Some(serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON on stdout: {line}")))
    }
}

/// An update in a word: who said what.
pub(super) fn shown(line: &Value) -> String {
    let update = &line["params"]["update"];
    let who = match update["sessionUpdate"].as_str() {
        Some("user_message_chunk") => "user: ",
        Some("agent_message_chunk") => "",
        other => return other.unwrap_or("?").to_owned(),
    };
    match update["content"]["text"].as_str() {
        Some(text) => format!("{who}{text}"),
        None => format!(
            "{who}{} {}",
            update["content"]["mimeType"].as_str().unwrap(),
            update["content"]["data"].as_str().unwrap()
        ),
    }
}
