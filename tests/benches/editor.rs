//! The figures of `fountain acp`: from its start to its first answer, what it and the daemon add to an update on its
//! way, a flood, and a conversation opened again. Asserts nothing.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::kit::{Daemon, Editor, FOUNTAIN_FIXTURE, Home, peak, repeat, tell};

/// The word that makes this very program the agent that stamps its updates.
pub(crate) const STAMPING: &str = "stamping-agent";

/// How many updates are stamped, and how long the agent waits between two.
const STAMPED: usize = 3_000;
const BETWEEN: Duration = Duration::from_millis(1);

/// Spawn of `fountain acp` to the answer of `initialize`.
pub(crate) fn initialize() {
    let home = Home::new();
    let once = |home: &Home, daemon: Option<&Daemon>| {
        repeat(100, || {
            let start = Instant::now();
            let mut editor = Editor::start(home, daemon);
            editor.request("initialize", &json!({"protocolVersion": 1}));
            start.elapsed()
        })
    };
    tell("initialize, no key", &once(&home, None));
    let daemon = Daemon::start(&home);
    tell("initialize", &once(&home, Some(&daemon)));
    drop(daemon);
    // The profile is there now; nobody listens.
    tell("initialize, down", &once(&home, None));
}

/// What lies between an update on the agent's own pipe and the same update on the editor's.
pub(crate) fn added() {
    let here = std::env::current_exe().unwrap();
    let command = format!("exec '{}' {STAMPING}", here.display());
    let mut child = Command::new("sh")
        .args(["-c", &command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let prompt = json!({"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": {}});
    writeln!(stdin, "{prompt}").unwrap();
    let mut pipe = BufReader::new(child.stdout.take().unwrap());
    let mut own = Vec::new();
    let mut line = Vec::new();
    while own.len() < STAMPED {
        line.clear();
        assert!(pipe.read_until(b'\n', &mut line).unwrap() > 0);
        own.push(since_stamped(&line).unwrap());
    }
    drop(stdin);
    let _ = child.wait();
    own.sort();
    tell("update, own pipe", &own);

    let home = Home::new();
    let daemon = Daemon::start(&home);
    let mut editor = Editor::running(&home, &daemon, &command);
    editor.request("initialize", &json!({"protocolVersion": 1}));
    let session =
        editor.request("session/new", &json!({"cwd": "/", "mcpServers": []}))["sessionId"].clone();
    let prompt = json!({"sessionId": session, "prompt": [{"type": "text", "text": "go"}]});
    let mut through = Vec::new();
    editor.request_seeing("session/prompt", &prompt, |line| {
        through.extend(since_stamped(line));
    });
    through.sort();
    assert_eq!(through.len(), STAMPED);
    tell("update, to the editor", &through);
}

/// 100,000 updates in one turn through `fountain acp`, and the conversation opened again in a new process.
pub(crate) fn flood() {
    let home = Home::new();
    let daemon = Daemon::start(&home);
    let mut editor = Editor::running(&home, &daemon, FOUNTAIN_FIXTURE);
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
        "flood through acp      {:.0}/s ({took:.2?}), at their peak: adapter {:.1} MB, daemon {:.1} MB",
        100_000.0 / took.as_secs_f64(),
        peak(editor.child.id()),
        peak(daemon.child.id())
    );
    drop(editor);
    let mut editor = Editor::running(&home, &daemon, FOUNTAIN_FIXTURE);
    editor.request("initialize", &json!({"protocolVersion": 1}));
    let load = json!({"sessionId": session, "cwd": "/", "mcpServers": []});
    let start = Instant::now();
    let mut updates = 0_usize;
    editor.request_seeing("session/load", &load, |_| updates += 1);
    let took = start.elapsed();
    println!(
        "session/load           {:.0}/s ({updates} updates in {took:.2?}), at their peak: adapter {:.1} MB, daemon {:.1} MB",
        updates as f64 / took.as_secs_f64(),
        peak(editor.child.id()),
        peak(daemon.child.id())
    );
}

/// An agent whose updates say when they were written.
pub(crate) fn stamping_agent() {
    let stdin = std::io::stdin().lock();
    let mut stdout = std::io::stdout().lock();
    for line in stdin.lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let result = match message["method"].as_str() {
            Some("initialize") => json!({"protocolVersion": 1, "agentCapabilities": {}}),
            Some("session/new") => json!({"sessionId": "s"}),
            Some("session/prompt") => {
                for _ in 0..STAMPED {
                    std::thread::sleep(BETWEEN);
                    let text = now().as_nanos().to_string();
                    let update = json!({"sessionUpdate": "agent_message_chunk",
                        "content": {"type": "text", "text": format!("stamp {text} ")}});
                    let line = json!({"jsonrpc": "2.0", "method": "session/update",
                        "params": {"sessionId": "s", "update": update}});
                    writeln!(stdout, "{line}").unwrap();
                }
                json!({"stopReason": "end_turn"})
            }
            _ => continue,
        };
        writeln!(
            stdout,
            "{}",
            json!({"jsonrpc": "2.0", "id": message["id"], "result": result})
        )
        .unwrap();
    }
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap()
}

/// How long ago the line says it was written.
fn since_stamped(line: &[u8]) -> Option<Duration> {
    let now = now();
    let text = std::str::from_utf8(line).ok()?;
    let (_, rest) = text.split_once("stamp ")?;
    let nanos = rest.split_once(' ')?.0.parse().ok()?;
    now.checked_sub(Duration::from_nanos(nanos))
}
