//! What the figures share: a HOME, a daemon, a stream, an editor, and how a figure is told.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

pub(crate) const FOUNTAIN: &str = env!("CARGO_BIN_EXE_fountain");

pub(crate) fn repeat(count: usize, mut once: impl FnMut() -> Duration) -> Vec<Duration> {
    let mut times: Vec<Duration> = (0..count).map(|_| once()).collect();
    times.sort();
    times
}

pub(crate) fn tell(what: &str, times: &[Duration]) {
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{what:<22} p50 {:.2?}  p99 {:.2?}  ({} times)",
        at(0.5),
        at(0.99),
        times.len()
    );
}

/// The built-in program as an agent's command.
pub(crate) const FOUNTAIN_FIXTURE: &str = "exec fountain fixture";

/// Megabytes in memory now.
pub(crate) fn resident(pid: u32) -> f64 {
    megabytes(pid, "VmRSS:")
}

/// The most megabytes that were in memory at once.
pub(crate) fn peak(pid: u32) -> f64 {
    megabytes(pid, "VmHWM:")
}

fn megabytes(pid: u32, row: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with(row))
        .unwrap_or("");
    line.split_whitespace()
        .nth(1)
        .and_then(|kb| kb.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1024.0
}

pub(crate) struct Home(tempfile::TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
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

    pub(crate) fn credentials(&self) -> PathBuf {
        self.path().join(".fountain/credentials")
    }
}

pub(crate) struct Daemon {
    pub(crate) child: Child,
    address: String,
    key: String,
}

impl Daemon {
    pub(crate) fn start(home: &Home) -> Self {
        Self::from(home.command(&["serve"]), home)
    }

    /// With a log that tells of each sweep, and settings.
    pub(crate) fn logging(home: &Home, log: File, settings: &[(&str, &str)]) -> Self {
        let level = "warn,fountain_daemon::sweep=debug";
        let mut command = home.command(&["serve", "--log-level", level]);
        command.stderr(log).envs(settings.iter().copied());
        Self::from(command, home)
    }

    fn from(mut command: Command, home: &Home) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
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

    pub(crate) fn send(&self, method: &str, path: &str, body: &str) -> TcpStream {
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

    pub(crate) fn get(&self, path: &str) -> Value {
        read(self.send("GET", path, ""))
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        read(self.send("POST", path, &body.to_string()))
    }

    /// A conversation whose runtime is warm, and a stream of it that is read up to now.
    pub(crate) fn converse(&self, policy: &Value) -> (String, Stream) {
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

    pub(crate) fn follow(&self, conversation: &str, after: i64) -> Stream {
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

pub(crate) fn read(mut socket: TcpStream) -> Value {
    let mut text = String::new();
    socket.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 2"), "{text}");
    serde_json::from_str(body).unwrap_or(Value::Null)
}

pub(crate) struct Stream(BufReader<TcpStream>);

impl Stream {
    /// Reads frames until a turn is over; gives how many events there were.
    pub(crate) fn until_turn_ends(&mut self) -> usize {
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

pub(crate) struct Editor {
    pub(crate) child: Child,
    reader: BufReader<std::process::ChildStdout>,
    next: i64,
}

impl Editor {
    /// On a daemon, if there is one, with the built-in program as the agent.
    pub(crate) fn start(home: &Home, daemon: Option<&Daemon>) -> Self {
        match daemon {
            Some(daemon) => Self::running(home, daemon, FOUNTAIN_FIXTURE),
            None => Self::spawn(home.command(&["acp", "--agent", "figures"])),
        }
    }

    /// On a daemon, with this command as the agent.
    pub(crate) fn running(home: &Home, daemon: &Daemon, agent: &str) -> Self {
        let agent = json!({"name": "figures", "runtime": "acp", "runtime_command": agent});
        let known = daemon.get("/api/agents?search=figures")["data"]
            .as_array()
            .is_some_and(|found| !found.is_empty());
        if !known {
            daemon.post("/api/agents", &agent);
        }
        let mut command = home.command(&["acp", "--agent", "figures"]);
        command
            .env("FOUNTAIN_BASE_URL", format!("http://{}", daemon.address))
            .env("FOUNTAIN_API_KEY", &daemon.key);
        Self::spawn(command)
    }

    fn spawn(mut command: Command) -> Self {
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

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.request_seeing(method, params, |_| ())
    }

    /// Shows each message that comes before the answer.
    pub(crate) fn request_seeing(
        &mut self,
        method: &str,
        params: &Value,
        mut see: impl FnMut(&[u8]),
    ) -> Value {
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
                see(&line);
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
