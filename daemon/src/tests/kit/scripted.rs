//! A hostile agent: it plays a scenario from a file and writes down every line it reads.
//!
//! A scenario has one block for each message that is to be treated in its own way, `on METHOD`, the second block of
//! a method for the second such message, the last one for all that follow. `process 2` begins the blocks of the
//! second process, which has no others. What has no block is answered as a good agent would. Steps, one a line:
//!
//! * `chunk TEXT`, `update JSON`: a session update
//! * `line TEXT`, `raw TEXT`: those bytes with and without a line end (`\r`, `\n`, `\0`, `\e`, `\xFF`, `\\`), `$ID` and
//!   `$SESSION` replaced
//! * `ask ID KIND TITLE`: a permission request; waits, and tells the answer in a chunk. `post` does not wait,
//!   `await ID` waits for its answer
//! * `respond REASON` or `respond JSON`, `error CODE TEXT`: answers the message
//! * `hold`, `release`: what is between them is written at once
//! * `sleep MS`, `wait cancel`, `gate NAME` (until the test opens it), `hang`, `exit CODE`
//! * `obey`: plays the steps that the prompt itself names; `note TEXT`: writes a line of its own down
//! * `stderr TEXT`, `fill BYTES`, `fill stderr BYTES`, `env NAME`, `crlf`

use std::collections::{HashMap, VecDeque};
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Plays until stdin ends, or a step ends it.
pub(super) fn play(scenario: &Path, log: &Path) {
    let text = fs::read_to_string(scenario).unwrap();
    let before = fs::read_to_string(log).unwrap_or_default();
    let process = 1 + before.lines().filter(|line| *line == "start").count();
    note(log, "start");
    let (sender, inbox) = mpsc::channel();
    let path = log.to_owned();
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            note(&path, &line);
            if let Ok(message) = serde_json::from_str::<Value>(&line) {
                let _ = sender.send(message);
            }
        }
    });
    let mut player = Player {
        blocks: blocks(&text, process),
        log: log.to_owned(),
        inbox,
        backlog: VecDeque::new(),
        answers: HashMap::new(),
        cancelled: false,
        held: None,
        line_end: "\n",
    };
    player.run("start", &json!({"id": null}));
    while let Some(message) = player.next() {
        match message["method"].as_str() {
            Some(method) if !message["id"].is_null() => player.run(method, &message),
            _ => player.keep(message),
        }
    }
}

fn note(log: &Path, line: &str) {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(log)
        .unwrap();
    let _ = file.write_all(format!("{line}\n").as_bytes());
}

type Blocks = HashMap<String, VecDeque<Vec<String>>>;

/// The blocks of a process: its own if it is named, else the common ones.
fn blocks(text: &str, process: usize) -> Blocks {
    let (mut common, mut own, mut other) = (Blocks::new(), Blocks::new(), Blocks::new());
    let (mut current, mut has_own): (Option<usize>, bool) = (None, false);
    let mut method = "start".to_owned();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(number) = line.strip_prefix("process ") {
            current = Some(number.parse().unwrap());
            has_own |= current == Some(process);
            continue;
        }
        let blocks = match current {
            None => &mut common,
            Some(number) if number == process => &mut own,
            Some(_) => &mut other,
        };
        if let Some(name) = line.strip_prefix("on ") {
            name.clone_into(&mut method);
            blocks
                .entry(method.clone())
                .or_default()
                .push_back(Vec::new());
        } else {
            let block = blocks.entry(method.clone()).or_default();
            if block.is_empty() {
                block.push_back(Vec::new());
            }
            block.back_mut().unwrap().push(line.to_owned());
        }
    }
    if has_own { own } else { common }
}

struct Player {
    blocks: Blocks,
    log: PathBuf,
    inbox: Receiver<Value>,
    backlog: VecDeque<Value>,
    answers: HashMap<String, Value>,
    cancelled: bool,
    held: Option<Vec<u8>>,
    line_end: &'static str,
}

impl Player {
    fn next(&mut self) -> Option<Value> {
        self.backlog.pop_front().or_else(|| self.inbox.recv().ok())
    }

    fn keep(&mut self, message: Value) {
        if message["method"] == "session/cancel" {
            self.cancelled = true;
        } else if message["method"].is_null() {
            self.answers
                .insert(message["id"].to_string(), message["result"].clone());
        }
    }

    /// Listens until it holds; whoever asks meanwhile waits.
    fn listen(&mut self, holds: impl Fn(&Self) -> bool) {
        while !holds(self) {
            let Ok(message) = self.inbox.recv() else {
                std::process::exit(0);
            };
            if message["method"].is_string() && !message["id"].is_null() {
                self.backlog.push_back(message);
            } else {
                self.keep(message);
            }
        }
    }

    fn run(&mut self, method: &str, message: &Value) {
        let steps = match self.blocks.get_mut(method) {
            Some(blocks) if blocks.len() > 1 => blocks.pop_front(),
            Some(blocks) => blocks.front().cloned(),
            None => None,
        };
        let Some(steps) = steps else {
            return self.usual(method, message);
        };
        if method == "session/prompt" {
            self.cancelled = false;
        }
        for step in steps {
            self.step(&step, message);
        }
    }

    /// What a good agent answers.
    fn usual(&mut self, method: &str, message: &Value) {
        let capabilities = json!({"loadSession": true, "promptCapabilities": {"image": true}});
        let result = match method {
            "start" => return,
            "initialize" => json!({"protocolVersion": 1, "agentCapabilities": capabilities}),
            "session/new" => json!({"sessionId": "s1"}),
            "session/prompt" => {
                self.update(&chunk("ok"));
                json!({"stopReason": "end_turn"})
            }
            _ => json!({}),
        };
        self.respond(message, &result);
    }

    fn step(&mut self, step: &str, message: &Value) {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        match verb {
            "chunk" => self.update(&chunk(&unescaped_text(rest))),
            "update" => self.update(&serde_json::from_str(rest).unwrap()),
            "line" => {
                let mut bytes = bytes(rest, message);
                bytes.extend_from_slice(self.line_end.as_bytes());
                self.write(&bytes);
            }
            "raw" => self.write(&bytes(rest, message)),
            "ask" => {
                let id = self.post(rest);
                self.listen(|player| player.answers.contains_key(&id));
                let answer = self.answers.remove(&id).unwrap();
                let outcome = &answer["outcome"];
                let told = outcome["optionId"].as_str().unwrap_or("cancelled");
                self.update(&chunk(&format!("{id}: {told}\n")));
            }
            "post" => _ = self.post(rest),
            "await" => self.listen(|player| player.answers.contains_key(rest)),
            "respond" => {
                let result =
                    serde_json::from_str(rest).unwrap_or_else(|_| json!({ "stopReason": rest }));
                self.respond(message, &result);
            }
            "error" => {
                let (code, text) = rest.split_once(' ').unwrap();
                let error = json!({"code": code.parse::<i64>().unwrap(), "message": text});
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "error": error}));
            }
            "hold" => self.held = Some(Vec::new()),
            "release" => {
                let held = self.held.take().unwrap_or_default();
                self.write(&held);
            }
            "sleep" => thread::sleep(Duration::from_millis(rest.parse().unwrap())),
            "gate" => {
                while !gate(&self.log, rest).exists() {
                    thread::sleep(Duration::from_millis(2));
                }
            }
            "wait" => self.listen(|player| player.cancelled),
            "hang" => self.listen(|_| false),
            "exit" => std::process::exit(rest.parse().unwrap()),
            "obey" => self.obey(message),
            "note" => note(&self.log, rest),
            "stderr" => _ = io::stderr().write_all(format!("{rest}\n").as_bytes()),
            "fill" => self.fill(rest),
            "env" => {
                let value = std::env::var(rest).unwrap_or_default();
                self.update(&chunk(&value));
            }
            "crlf" => self.line_end = "\r\n",
            _ => panic!("the scenario has a step nobody knows: {step}"),
        }
    }

    fn obey(&mut self, message: &Value) {
        let prompt = message["params"]["prompt"][0]["text"].as_str().unwrap();
        // Nobody wrote the prompt that tells how a request ended.
        if prompt.starts_with('{') {
            return self.usual("session/prompt", message);
        }
        for step in prompt.lines() {
            self.step(step, message);
        }
    }

    fn post(&mut self, rest: &str) -> String {
        let mut words = rest.splitn(3, ' ');
        let (id, kind) = (words.next().unwrap(), words.next().unwrap());
        let title = words.next().unwrap_or(kind);
        let call =
            json!({"toolCallId": id, "kind": kind, "title": title, "rawInput": {"command": title}});
        let options = json!([
            {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
            {"optionId": "no", "name": "No", "kind": "reject_once"},
        ]);
        let params = json!({"sessionId": "s1", "toolCall": call, "options": options});
        let id: Value = serde_json::from_str(id).unwrap();
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": params}));
        id.to_string()
    }

    fn fill(&self, rest: &str) {
        let (stderr, count) = match rest.strip_prefix("stderr ") {
            Some(count) => (true, count),
            None => (false, rest),
        };
        let block = [b'x'; 4096];
        for _ in 0..count.parse::<usize>().unwrap() / block.len() {
            let written = if stderr {
                io::stderr().write_all(&block)
            } else {
                io::stdout().write_all(&block)
            };
            if written.is_err() {
                return;
            }
        }
        let _ = io::stdout().flush();
    }

    fn update(&mut self, update: &Value) {
        let params = json!({"sessionId": "s1", "update": update});
        self.send(&json!({"jsonrpc": "2.0", "method": "session/update", "params": params}));
    }

    fn respond(&mut self, message: &Value, result: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
    }

    fn send(&mut self, message: &Value) {
        let line = format!("{message}{}", self.line_end);
        self.write(line.as_bytes());
    }

    fn write(&mut self, bytes: &[u8]) {
        if let Some(held) = &mut self.held {
            held.extend_from_slice(bytes);
            return;
        }
        // A daemon that is gone reads no more.
        let mut out = io::stdout();
        let _ = out.write_all(bytes).and_then(|()| out.flush());
    }
}

/// The file that opens a gate, beside the log.
pub(super) fn gate(log: &Path, name: &str) -> PathBuf {
    log.with_extension(format!("gate-{name}"))
}

fn chunk(text: &str) -> Value {
    json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}})
}

fn unescaped_text(text: &str) -> String {
    String::from_utf8(unescaped(text)).unwrap()
}

fn bytes(text: &str, message: &Value) -> Vec<u8> {
    let text = text
        .replace("$ID", &message["id"].to_string())
        .replace("$SESSION", "s1");
    unescaped(&text)
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.extend_from_slice(before.as_bytes());
        let mut chars = after.chars();
        rest = match chars.next() {
            Some('n') => push(&mut out, b'\n', chars.as_str()),
            Some('r') => push(&mut out, b'\r', chars.as_str()),
            Some('0') => push(&mut out, 0, chars.as_str()),
            Some('\\') => push(&mut out, b'\\', chars.as_str()),
            Some('e') => push(&mut out, 0x1b, chars.as_str()),
            Some('x') => {
                let (hex, after) = chars.as_str().split_at(2);
                push(&mut out, u8::from_str_radix(hex, 16).unwrap(), after)
            }
            // JSON's own escapes stay as they are.
            _ => push(&mut out, b'\\', after),
        };
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

fn push<'a>(out: &mut Vec<u8>, byte: u8, rest: &'a str) -> &'a str {
    out.push(byte);
    rest
}
