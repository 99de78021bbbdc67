//! The figures we compete on, measured on the built binary: `cargo bench --bench figures`. It asserts nothing;
//! it prints one line a figure. `cargo bench --bench figures -- flood` measures only what has that word.

#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot go on says so by ending"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const FOUNTAIN: &str = env!("CARGO_BIN_EXE_fountain");

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let figures: [(&str, fn()); 8] = [
        ("version", version),
        ("ready", ready),
        ("idle", idle),
        ("initialize", initialize),
        ("prompt", prompt),
        ("verdict", verdict),
        ("flood", flood),
        ("editor", editor),
    ];
    for (name, measure) in figures {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            measure();
        }
    }
}

/// Start to end of `--version`.
fn version() {
    let times = repeat(200, || {
        let start = Instant::now();
        let status = Command::new(FOUNTAIN)
            .arg("--version")
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        start.elapsed()
    });
    tell("version", &times);
}

/// Start on an empty directory, and again on the same, until `/health` answers.
fn ready() {
    let times = repeat(20, || {
        let home = Home::new();
        let start = Instant::now();
        let daemon = Daemon::start(&home);
        daemon.get("/health");
        start.elapsed()
    });
    tell("ready, first start", &times);
    let home = Home::new();
    drop(Daemon::start(&home));
    let times = repeat(20, || {
        let start = Instant::now();
        let daemon = Daemon::start(&home);
        daemon.get("/health");
        start.elapsed()
    });
    tell("ready, later starts", &times);
}

/// Resident memory of a daemon that does nothing.
fn idle() {
    let home = Home::new();
    let daemon = Daemon::start(&home);
    daemon.get("/api/agents");
    std::thread::sleep(Duration::from_secs(7));
    println!(
        "idle memory            {:.1} MB",
        resident(daemon.child.id())
    );
}

/// Spawn of `fountain acp` to the answer of `initialize`; the daemon is down.
fn initialize() {
    let home = Home::new();
    let times = repeat(100, || {
        let start = Instant::now();
        let mut editor = Editor::start(&home, None);
        editor.request("initialize", &json!({"protocolVersion": 1}));
        start.elapsed()
    });
    tell("initialize", &times);
}

/// A prompt on a warm connection: POST to the terminal event on an open stream.
fn prompt() {
    let home = Home::new();
    let daemon = Daemon::start(&home);
    let (conversation, mut stream) = daemon.converse(&json!({"default": "auto_allow"}));
    let times = repeat(300, || {
        let start = Instant::now();
        daemon.post(
            &format!("/api/conversations/{conversation}/prompts"),
            &json!({"prompt": "say hi"}),
        );
        stream.until_turn_ends();
        start.elapsed()
    });
    tell("warm prompt over HTTP", &times);
    let mut editor = Editor::start(&home, Some(&daemon));
    editor.request("initialize", &json!({"protocolVersion": 1}));
    let session =
        editor.request("session/new", &json!({"cwd": "/", "mcpServers": []}))["sessionId"].clone();
    let prompt = json!({"sessionId": session, "prompt": [{"type": "text", "text": "say hi"}]});
    editor.request("session/prompt", &prompt);
    let times = repeat(300, || {
        let start = Instant::now();
        editor.request("session/prompt", &prompt);
        start.elapsed()
    });
    tell("warm prompt, editor", &times);
}

/// One automatic verdict, agent's request to agent's answer, as part of a turn that asks 200 times.
fn verdict() {
    let home = Home::new();
    let daemon = Daemon::start(&home);
    let (conversation, mut stream) = daemon.converse(&json!({"default": "auto_deny"}));
    let once = |count: usize, stream: &mut Stream| {
        let prompt = vec!["ask execute something"; count].join("\n");
        let start = Instant::now();
        daemon.post(
            &format!("/api/conversations/{conversation}/prompts"),
            &json!({"prompt": prompt}),
        );
        stream.until_turn_ends();
        start.elapsed()
    };
    once(1, &mut stream);
    let times = repeat(10, || {
        (once(201, &mut stream).saturating_sub(once(1, &mut stream))) / 200
    });
    tell("one verdict", &times);
}

/// 100,000 updates in one turn, stored and delivered to a reader over HTTP; then read again from the store.
fn flood() {
    let home = Home::new();
    let daemon = Daemon::start(&home);
    let (conversation, mut stream) = daemon.converse(&json!({"default": "auto_allow"}));
    for bytes in [20, 200] {
        let start = Instant::now();
        let prompt = format!("flood 100000 {bytes}");
        daemon.post(
            &format!("/api/conversations/{conversation}/prompts"),
            &json!({ "prompt": prompt }),
        );
        let events = stream.until_turn_ends();
        let took = start.elapsed();
        println!(
            "flood, {bytes} bytes each    {:.0}/s stored and delivered ({events} events in {took:.2?}), daemon at {:.1} MB",
            100_000.0 / took.as_secs_f64(),
            resident(daemon.child.id())
        );
    }
    let start = Instant::now();
    let mut again = daemon.follow(&conversation, 0);
    let events: usize = (0..3).map(|_| again.until_turn_ends()).sum();
    let took = start.elapsed();
    println!(
        "replay                 {:.0}/s ({events} events in {took:.2?})",
        events as f64 / took.as_secs_f64()
    );
}

/// 100,000 updates in one turn through `fountain acp`.
fn editor() {
    let home = Home::new();
    let daemon = Daemon::start(&home);
    let mut editor = Editor::start(&home, Some(&daemon));
    editor.request("initialize", &json!({"protocolVersion": 1}));
    let session =
        editor.request("session/new", &json!({"cwd": "/", "mcpServers": []}))["sessionId"].clone();
    let prompt =
        |text: &str| json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]});
    editor.request("session/prompt", &prompt("say hi"));
    let start = Instant::now();
    editor.request("session/prompt", &prompt("flood 100000 20"));
    let took = start.elapsed();
    println!(
        "flood through acp      {:.0}/s ({took:.2?}), adapter at {:.1} MB",
        100_000.0 / took.as_secs_f64(),
        resident(editor.child.id())
    );
}

fn repeat(count: usize, mut once: impl FnMut() -> Duration) -> Vec<Duration> {
    let mut times: Vec<Duration> = (0..count).map(|_| once()).collect();
    times.sort();
    times
}

fn tell(what: &str, times: &[Duration]) {
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{what:<22} p50 {:.2?}  p99 {:.2?}  ({} times)",
        at(0.5),
        at(0.99),
        times.len()
    );
}

fn resident(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap_or("");
    line.split_whitespace()
        .nth(1)
        .and_then(|kb| kb.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1024.0
}

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(FOUNTAIN);
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.path())
            .env("PATH", std::env::var_os("PATH").unwrap());
        command
            .env("FOUNTAIN_NO_KEYRING", "1")
            .env("FOUNTAIN_LISTEN", "127.0.0.1:0")
            .stderr(Stdio::null());
        command
    }

    fn credentials(&self) -> PathBuf {
        self.path().join(".fountain/credentials")
    }
}

struct Daemon {
    child: Child,
    address: String,
    key: String,
}

impl Daemon {
    fn start(home: &Home) -> Self {
        let mut child = home
            .command(&["serve"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .strip_prefix("listening on http://")
            .unwrap()
            .to_owned();
        let credentials = std::fs::read_to_string(home.credentials()).unwrap();
        let key = credentials
            .lines()
            .find_map(|line| line.strip_prefix("api_key = \"")?.strip_suffix('"'))
            .unwrap();
        Self {
            child,
            address,
            key: key.to_owned(),
        }
    }

    fn send(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        socket.set_nodelay(true).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            self.key,
            body.len()
        );
        socket.write_all(head.as_bytes()).unwrap();
        socket
    }

    fn get(&self, path: &str) -> Value {
        read(self.send("GET", path, ""))
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        read(self.send("POST", path, &body.to_string()))
    }

    /// A conversation whose runtime is warm, and a stream of it that is read up to now.
    fn converse(&self, policy: &Value) -> (String, Stream) {
        let agent = json!({"name": "figures", "runtime": "acp", "runtime_command": "exec fountain fixture", "permission_policy": policy});
        let agent = self.post("/api/agents", &agent)["data"]["id"].clone();
        let made = self.post("/api/conversations", &json!({ "agent_id": agent }));
        let id = made["data"]["id"].as_str().unwrap().to_owned();
        let mut stream = self.follow(&id, 0);
        self.post(
            &format!("/api/conversations/{id}/prompts"),
            &json!({"prompt": "say warm"}),
        );
        stream.until_turn_ends();
        (id, stream)
    }

    fn follow(&self, conversation: &str, after: i64) -> Stream {
        let socket = self.send(
            "GET",
            &format!("/api/conversations/{conversation}/stream?after={after}"),
            "",
        );
        Stream(BufReader::with_capacity(1 << 18, socket))
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let _ = self.child.wait();
    }
}

fn read(mut socket: TcpStream) -> Value {
    let mut text = String::new();
    socket.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 2"), "{text}");
    serde_json::from_str(body).unwrap_or(Value::Null)
}

struct Stream(BufReader<TcpStream>);

impl Stream {
    /// Reads frames until a turn is over; gives how many events there were.
    fn until_turn_ends(&mut self) -> usize {
        let mut events = 0;
        let mut line = Vec::new();
        loop {
            line.clear();
            assert!(
                self.0.read_until(b'\n', &mut line).unwrap() > 0,
                "the stream ended"
            );
            if line.starts_with(b"id: ") {
                events += 1;
            }
            let ends = line.starts_with(b"data: {\"kind\":\"stage\"")
                && line.windows(14).any(|part| part == b"\"stage\":\"turn\"")
                && !line
                    .windows(17)
                    .any(|part| part == b"\"state\":\"started\"");
            if ends {
                return events;
            }
        }
    }
}

struct Editor {
    child: Child,
    reader: BufReader<std::process::ChildStdout>,
    next: i64,
}

impl Editor {
    fn start(home: &Home, daemon: Option<&Daemon>) -> Self {
        let mut command = home.command(&["acp", "--agent", "figures"]);
        if let Some(daemon) = daemon {
            command
                .env("FOUNTAIN_BASE_URL", format!("http://{}", daemon.address))
                .env("FOUNTAIN_API_KEY", &daemon.key);
            let agent = json!({"name": "figures", "runtime": "acp", "runtime_command": "exec fountain fixture"});
            let known = daemon.get("/api/agents?search=figures")["data"]
                .as_array()
                .is_some_and(|found| !found.is_empty());
            if !known {
                daemon.post("/api/agents", &agent);
            }
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let reader = BufReader::with_capacity(1 << 18, child.stdout.take().unwrap());
        Self {
            child,
            reader,
            next: 0,
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.next;
        self.next += 1;
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(format!("{line}\n").as_bytes()).unwrap();
        let mut line = Vec::new();
        loop {
            line.clear();
            assert!(
                self.reader.read_until(b'\n', &mut line).unwrap() > 0,
                "the adapter ended"
            );
            // An update has a method; only the answer is worth taking apart.
            if line.windows(9).take(40).any(|part| part == b"\"method\":") {
                continue;
            }
            let answer: Value = serde_json::from_slice(&line).unwrap();
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{answer}");
                return answer["result"].clone();
            }
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
