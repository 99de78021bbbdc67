//! An editor: it speaks to `fountain acp` on its stdio, and answers what it is asked by a script.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use super::{PATIENCE, until};

/// What the script says to a question.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// The first option of this kind.
    Kind(&'static str),
    /// An option by its id, offered or not.
    Option(&'static str),
    /// The question is closed without a choice.
    Dismiss,
    /// It is left open.
    Nothing,
}

/// An editor and its process.
pub(crate) struct Editor {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Arc<Mutex<String>>,
    next: i64,
    script: Answer,
    /// Every message that came, in its order.
    pub(crate) seen: Vec<Value>,
}

/// How a request ended.
pub(crate) type Outcome = Result<Value, Value>;

impl Editor {
    #[track_caller]
    pub(super) fn start(mut command: Command) -> Self {
        let pipes = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        let (send, lines) = mpsc::channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in stdout.lines() {
                if send.send(line.expect("stdout is UTF-8")).is_err() {
                    return;
                }
            }
        });
        let stderr = Arc::new(Mutex::new(String::new()));
        let (pipe, text) = (
            BufReader::new(child.stderr.take().unwrap()),
            Arc::clone(&stderr),
        );
        thread::spawn(move || {
            for line in pipe.lines() {
                let mut text = text.lock().unwrap();
                text.push_str(&line.unwrap_or_default());
                text.push('\n');
            }
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            stderr,
            next: 0,
            script: Answer::Nothing,
            seen: Vec::new(),
        }
    }

    /// How questions are answered from now on.
    pub(crate) fn answers(&mut self, script: Answer) {
        self.script = script;
    }

    /// What it said beside the protocol.
    pub(crate) fn stderr(&self) -> String {
        self.stderr.lock().unwrap().clone()
    }

    /// Shakes hands and opens a session; gives its id.
    #[track_caller]
    pub(crate) fn session(&mut self) -> String {
        self.initialize();
        let new = self.ok("session/new", json!({"cwd": "/", "mcpServers": []}));
        new["sessionId"].as_str().unwrap().to_owned()
    }

    /// Shakes hands.
    #[track_caller]
    pub(crate) fn initialize(&mut self) -> Value {
        self.ok(
            "initialize",
            json!({"protocolVersion": 1, "clientCapabilities": {}}),
        )
    }

    /// Prompts and waits for the end of the turn.
    #[track_caller]
    pub(crate) fn prompt(&mut self, session: &str, text: &str) -> Outcome {
        let id = self.begin(session, text);
        self.wait(id)
    }

    /// Prompts, and goes on.
    pub(crate) fn begin(&mut self, session: &str, text: &str) -> i64 {
        let prompt = json!([{"type": "text", "text": text}]);
        self.send(
            "session/prompt",
            json!({"sessionId": session, "prompt": prompt}),
        )
    }

    /// Cancels what runs in a session.
    pub(crate) fn cancel(&mut self, session: &str) {
        let message =
            json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}});
        self.line(&message.to_string());
    }

    /// Sends a request; gives its id.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.line(&message.to_string());
        id
    }

    /// Sends a line as it is.
    pub(crate) fn line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("its stdin is open");
        writeln!(stdin, "{line}").unwrap();
        stdin.flush().unwrap();
    }

    /// Sends a request and waits for its answer.
    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Outcome {
        let id = self.send(method, params);
        self.wait(id)
    }

    /// The same where the answer must be a result.
    #[track_caller]
    pub(crate) fn ok(&mut self, method: &str, params: Value) -> Value {
        let outcome = self.request(method, params);
        outcome.unwrap_or_else(|error| panic!("{method}: {error}; stderr:\n{}", self.stderr()))
    }

    /// Waits for the answer to a request of ours.
    #[track_caller]
    pub(crate) fn wait(&mut self, id: i64) -> Outcome {
        let answer = self.comes(&format!("an answer to {id}"), |message| {
            message["id"] == id && message.get("method").is_none()
        });
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].clone()),
        }
    }

    /// Waits for a message, also one that came already.
    #[track_caller]
    pub(crate) fn comes(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        let mut at = 0;
        loop {
            if let Some(found) = self.seen[at..].iter().find(|message| wanted(message)) {
                return found.clone();
            }
            at = self.seen.len();
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.take(&line),
                Err(error) => {
                    let (seen, stderr) = (&self.seen, self.stderr());
                    panic!("{what}: {error}; seen: {seen:#?}\nstderr:\n{stderr}")
                }
            }
        }
    }

    /// Waits for a question; gives its parameters.
    #[track_caller]
    pub(crate) fn asked(&mut self) -> Value {
        let ask = self.comes("a question", |message| {
            message["method"] == "session/request_permission"
        });
        ask["params"].clone()
    }

    /// The updates of a session so far.
    pub(crate) fn updates(&self, session: &str) -> Vec<Value> {
        let updates = self
            .seen
            .iter()
            .filter(|message| message["method"] == "session/update");
        let own = updates.filter(|message| message["params"]["sessionId"] == session);
        own.map(|message| message["params"]["update"].clone())
            .collect()
    }

    /// What was said in a session so far.
    pub(crate) fn said(&self, session: &str) -> String {
        let updates = self.updates(session);
        let chunks = updates
            .iter()
            .filter(|update| update["sessionUpdate"] == "agent_message_chunk");
        chunks
            .filter_map(|chunk| chunk["content"]["text"].as_str())
            .collect()
    }

    /// Closes its stdin and waits for its end; gives everything it had still to say.
    #[track_caller]
    pub(crate) fn leave(mut self) -> Vec<Value> {
        self.close();
        std::mem::take(&mut self.seen)
    }

    #[track_caller]
    fn close(&mut self) {
        self.stdin = None;
        let status = until(
            "`fountain acp` ends when its stdin does",
            || self.child.try_wait().unwrap(),
            Option::is_some,
        );
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.take(&line);
        }
        let stderr = self.stderr();
        assert_eq!(status.and_then(|status| status.code()), Some(0), "{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }

    /// Takes a line in: it has to be a message, whatever else happens.
    #[track_caller]
    fn take(&mut self, line: &str) {
        let message: Value = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("stdout is not protocol: {error}: {line}"));
        let named = message.get("method").is_some_and(Value::is_string);
        let answer = message.get("result").is_some() != message.get("error").is_some();
        let fits = match named {
            true => message.get("result").is_none() && message.get("error").is_none(),
            false => answer && message.get("id").is_some(),
        };
        assert!(
            message["jsonrpc"] == "2.0" && fits,
            "no JSON-RPC message: {line}"
        );
        if message["method"] == "session/request_permission" {
            self.answer(&message);
        }
        self.seen.push(message);
    }

    fn answer(&mut self, ask: &Value) {
        let outcome = match &self.script {
            Answer::Nothing => return,
            Answer::Dismiss => json!({"outcome": "cancelled"}),
            Answer::Option(id) => json!({"outcome": "selected", "optionId": id}),
            Answer::Kind(kind) => {
                let options = ask["params"]["options"].as_array().unwrap();
                let option = options.iter().find(|option| option["kind"] == *kind);
                let option = option.unwrap_or_else(|| panic!("no {kind} in {options:?}"));
                json!({"outcome": "selected", "optionId": option["optionId"]})
            }
        };
        let answer = json!({"jsonrpc": "2.0", "id": ask["id"], "result": {"outcome": outcome}});
        self.line(&answer.to_string());
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.child.kill();
            let _ = self.child.wait();
            eprintln!("--- stderr of `fountain acp`\n{}---", self.stderr());
        } else if self.stdin.is_some() {
            self.close();
        }
    }
}
