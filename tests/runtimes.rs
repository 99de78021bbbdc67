//! A real agent, and a model on loopback that does what the prompt says.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::json;

use crate::clients::installed;
use crate::kit::{Home, Http, skip};

/// The fake model; it ends with the test.
struct Model {
    child: Child,
    port: String,
}

impl Model {
    fn start() -> Self {
        // With the environment of whoever runs the tests: their Python may need it.
        let mut child = Command::new("python3")
            .arg(folder().join("fake_model.py"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let port = line
            .trim()
            .strip_prefix("PORT ")
            .unwrap_or_else(|| panic!("{line:?}"));
        Self {
            port: port.to_owned(),
            child,
        }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runtimes")
}

/// gemini asks before it runs a command; one is allowed, one is refused, and only one has run.
#[test]
fn gemini_asks_and_obeys() {
    if installed("runtimes", "gemini").is_none() {
        return;
    }
    let model = Model::start();
    let line = Command::new(folder().join("gemini.sh"))
        .arg(&model.port)
        .output()
        .unwrap();
    if line.status.code() == Some(77) {
        return skip("gemini", String::from_utf8_lossy(&line.stderr).trim());
    }
    let line = String::from_utf8(line.stdout).unwrap();
    let home = Home::new();
    let daemon = home.daemon();
    let http = daemon.http();
    let create = [
        "agent",
        "create",
        "gemini",
        "--runtime",
        "acp",
        "--command",
        line.trim(),
        "--permission",
        "execute=ask",
    ];
    let _ = home.run(&create).ok();

    let id = home
        .run(&["run", "gemini", "--detach", "-p", "RUN: touch allowed"])
        .ok();
    let id = id.out.trim();
    answer(&home, &http, id, "allow_once");
    let turn = http.ended(id);
    assert_eq!(turn["status"], "completed", "{turn}");

    let _ = home
        .run(&["conv", "prompt", id, "--detach", "-p", "RUN: touch refused"])
        .ok();
    answer(&home, &http, id, "reject_once");
    let turn = http.ended(id);
    assert_eq!(turn["status"], "completed", "{turn}");

    let there = |name: &str| home.workspace().join(name).exists();
    assert_eq!((there("allowed"), there("refused")), (true, false));
    // A text without a tool, in the same process.
    let done = home
        .run(&["conv", "prompt", id, "-p", "SAY: nine green bottles"])
        .ok();
    assert!(done.out.contains("nine green bottles"), "{done}");
}

/// Answers the open request with the agent's own option of this kind.
#[track_caller]
fn answer(home: &Home, http: &Http, id: &str, kind: &str) {
    let asked = http.asked(id);
    assert_eq!(asked["kind"], json!("execute"), "{asked}");
    let options = asked["options"].as_array().unwrap();
    let option = options.iter().find(|option| option["kind"] == kind);
    let option = option.unwrap_or_else(|| panic!("no {kind} in {options:?}"))["optionId"]
        .as_str()
        .unwrap();
    let request = asked["request_id"].as_str().unwrap();
    let _ = home
        .run(&["requests", "answer", request, "--option", option])
        .ok();
}
