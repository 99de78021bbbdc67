//! `fountain acp`: an ACP agent on stdio whose sessions are conversations of an instance.
//!
//! One task reads lines and never waits for anything; each request that needs the instance runs on its own.
//! One task writes. One task per session follows its conversation. Nothing here keeps what must not be lost:
//! the instance does.

mod agent;
mod content;
mod dispatch;
mod ending;
mod feed;
mod follow;
mod handshake;
mod link;
mod list;
mod load;
mod log;
mod output;
mod paths;
mod permission;
mod prompt;
mod refusal;
mod session;
mod sessions;
mod turns;

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fountain_core::rpc::{self, Error, Lines, code};
use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::watch;

pub(crate) use link::{Connect, Instance, NoWay};
pub(crate) use log::Log;

use link::Link;
use output::Output;
use permission::Questions;
use sessions::{Session, Sessions, lock, none_left};

/// The longest line that is read: a prompt with images is one.
const LONGEST: usize = 64 * 1024 * 1024;
/// How long requests that were accepted are waited for when the editor has gone.
const LEAVING: Duration = Duration::from_millis(900);
/// The same while the instance is being started for them.
const STARTING: Duration = Duration::from_secs(10);

/// What the flags say. Nothing in here ends the process: what is wrong is told at `session/new`.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// `--agent`.
    pub agent: Option<String>,
    /// `--vault`.
    pub vault: Option<String>,
    /// `--environment`.
    pub environment: Option<String>,
    /// `--sandbox-mode`.
    pub sandbox_mode: Option<String>,
    /// `--sandbox`.
    pub sandbox: Option<String>,
    /// `--workspace`.
    pub workspace: Option<String>,
    /// `--permission`, read; or the sentence that says what is wrong with it.
    pub permission: Result<Option<Value>, String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            agent: None,
            vault: None,
            environment: None,
            sandbox_mode: None,
            sandbox: None,
            workspace: None,
            permission: Ok(None),
        }
    }
}

/// The editor: its two pipes, and a sign from outside that it is over.
pub(crate) struct Editor<R, W> {
    /// What it writes.
    pub input: R,
    /// What it reads.
    pub output: W,
    /// A signal that ends the process like the end of the input.
    pub stop: BoxFuture<'static, ()>,
}

/// The state of one process.
struct Adapter {
    options: Options,
    link: Link,
    log: Log,
    output: Output,
    sessions: Sessions,
    questions: Questions,
    initialized: AtomicBool,
    /// The sessions of prompts that were not answered yet, by the editor's id for the prompt.
    prompts: Mutex<HashMap<String, Arc<Session>>>,
    /// What was accepted and is not done.
    busy: watch::Sender<usize>,
    /// Set when the editor went away.
    gone: watch::Sender<bool>,
}

/// Serves one editor until it goes away. Turns go on at the instance; what the editor had accepted from it is
/// answered first.
pub(crate) async fn run<R, W>(
    options: Options,
    connect: impl Connect,
    editor: Editor<R, W>,
    log: Log,
) where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let adapter = Arc::new(Adapter {
        options,
        link: Link::new(Box::new(connect)),
        log,
        output: Output::default(),
        sessions: Sessions::default(),
        questions: Questions::default(),
        initialized: AtomicBool::new(false),
        prompts: Mutex::default(),
        busy: watch::Sender::new(0),
        gone: watch::Sender::new(false),
    });
    adapter.log_start();
    let Editor {
        input,
        output,
        stop,
    } = editor;
    let mut writer = tokio::spawn({
        let adapter = Arc::clone(&adapter);
        async move { adapter.output.write_to(output).await }
    });
    tokio::select! {
        () = read(&adapter, input) => adapter.log.debug("the editor closed its output"),
        () = stop => adapter.log.debug("stopped by a signal"),
        _ = &mut writer => adapter.log.debug("the editor closed its input"),
    }
    adapter.leave().await;
    if !writer.is_finished() {
        // An editor that has gone may still read; one that does not is not waited for.
        let _ = tokio::time::timeout(LEAVING / 3, writer).await;
    }
}

/// Reads lines until there are no more.
async fn read(adapter: &Arc<Adapter>, mut input: impl AsyncRead + Unpin) {
    let mut lines = Lines::new(LONGEST);
    let mut bytes = vec![0; 64 * 1024];
    loop {
        let read = match input.read(&mut bytes).await {
            Ok(read) => read,
            Err(error) => {
                return adapter
                    .log
                    .warn(format!("the editor's messages cannot be read: {error}"));
            }
        };
        if read == 0 {
            if let Some(line) = lines.rest() {
                dispatch::line(adapter, &line);
            }
            return;
        }
        lines.feed(&bytes[..read]);
        while let Some(line) = lines.next() {
            match line {
                Ok(line) => dispatch::line(adapter, &line),
                Err(error) => {
                    let sentence = format!("the message cannot be read: it is {error}");
                    adapter.refuse(None, &Error::new(code::INVALID_REQUEST, sentence));
                }
            }
        }
    }
}

impl Adapter {
    /// Answers a request.
    fn respond(&self, id: &RawValue, answer: Result<Value, Error>) {
        let line = self.answer(id, answer);
        self.output.line(&line);
    }

    /// The answer to a request as a line; an error is told on stderr too.
    fn answer(&self, id: &RawValue, answer: Result<Value, Error>) -> String {
        lock(&self.prompts).remove(id.get());
        match answer {
            Ok(result) => rpc::result(id, &result),
            Err(error) => {
                self.log.error(&error.message);
                rpc::error(Some(id), &error)
            }
        }
    }

    /// Answers what is no request.
    fn refuse(&self, id: Option<&RawValue>, error: &Error) {
        self.log.error(&error.message);
        self.output.line(&rpc::error(id, error));
    }

    /// The session that the parameters of a request name.
    fn session_of(&self, params: &str) -> Result<Arc<Session>, Error> {
        #[derive(Deserialize)]
        struct Params {
            #[serde(rename = "sessionId")]
            session: String,
        }
        let Params { session } = serde_json::from_str(params)
            .map_err(|_| refusal::params("sessionId is missing, or is no string"))?;
        self.sessions
            .get(&session)
            .ok_or_else(|| refusal::unknown_session(&session))
    }

    fn log_start(&self) {
        let Instance {
            base_url,
            profile,
            key_source,
        } = self.link.instance();
        let key = match key_source {
            Some(source) => format!("key from {source}"),
            None => "no key (run fountain auth login)".to_owned(),
        };
        self.log
            .info(format!("instance {base_url}, profile {profile}, {key}"));
    }

    /// What an editor says about its own machine is logged, and nothing else is done with it.
    fn log_client(&self, params: &Map<String, Value>) {
        let cwd = params.get("cwd").and_then(Value::as_str).unwrap_or("none");
        let servers = params
            .get("mcpServers")
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        let names: Vec<&str> = servers
            .iter()
            .map(|server| server["name"].as_str().unwrap_or("unnamed"))
            .collect();
        let names = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        };
        self.log.info(format!(
            "not used: the editor's directory {cwd}, its MCP servers: {names}"
        ));
    }

    /// The editor has gone: nobody waits for a prompt, everything else that was accepted is answered.
    async fn leave(self: &Arc<Self>) {
        self.gone.send_replace(true);
        permission::abandoned(self);
        let since = Instant::now();
        loop {
            if tokio::time::timeout(LEAVING, none_left(&self.busy))
                .await
                .is_ok()
            {
                break;
            }
            if !self.link.is_connecting() || since.elapsed() > STARTING {
                self.log
                    .warn("not everything that was asked could be answered in time");
                break;
            }
        }
        self.output.close();
    }
}

#[cfg(test)]
mod tests;
