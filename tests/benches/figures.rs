//! The figures we compete on, measured on the built binary: `cargo bench --bench figures`. It asserts nothing;
//! it prints one line a figure. `cargo bench --bench figures -- flood` measures only what has that word.

#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot go on says so by ending"
)]

mod editor;
mod kit;
mod sweep;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use kit::{Daemon, Editor, FOUNTAIN, Home, Stream, repeat, resident, tell};

fn main() {
    if std::env::args().any(|word| word == editor::STAMPING) {
        return editor::stamping_agent();
    }
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let figures: [(&str, fn()); 10] = [
        ("version", version),
        ("ready", ready),
        ("idle", idle),
        ("initialize", editor::initialize),
        ("prompt", prompt),
        ("verdict", verdict),
        ("flood", flood),
        ("editor flood", editor::flood),
        ("editor added", editor::added),
        ("sweep", sweep::sweep),
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
