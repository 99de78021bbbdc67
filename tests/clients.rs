//! ACP clients that nobody here wrote, as users run them. They come from package registries, once, into a cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;

use crate::kit::{Home, PROGRAM, Running, skip};

mod rust_sdk;

/// What a script of `tests/` ends with when something that it needs is not installed.
const SKIPPED: i32 = 77;

#[test]
fn the_typescript_sdk() {
    let _ = drives("typescript-sdk");
}

#[test]
fn the_python_sdk() {
    let _ = drives("python-sdk");
}

#[test]
fn acpx() {
    let _ = drives("acpx");
}

/// A linter that sends much that is no ACP: all of it is answered.
#[test]
fn acplint() {
    if let Some(judged) = drives("acplint") {
        assert!(judged.contains("\"unanswered\":0"), "{judged}");
    }
}

/// Gives what the schema says of the lines that were written.
fn drives(client: &str) -> Option<String> {
    let folder = installed("clients", client)?;
    let home = Home::new();
    let _daemon = home.daemon();
    let mut command = home.program(script("run").to_str().unwrap());
    command.env("ACP_CLIENTS_FOLDER", &folder);
    // A machine that is busy with the other tests takes its time.
    command.env("ACP_CLIENTS_SECONDS", "180");
    let recorder = Recorder::new(&home);
    command.args([client, "--"]).args(recorder.command());
    command.args(["acp", "--agent", "demo"]);
    let done = Running::start(command).finish_within(Duration::from_secs(1_800));
    match done.code() {
        Some(SKIPPED) => {
            skip(client, done.out.trim());
            return None;
        }
        _ => eprintln!("{}", done.ok()),
    }
    recorder.judged(client)
}

/// Writes down what goes in and out of the program, for the protocol's own schema.
pub(crate) struct Recorder<'h> {
    home: &'h Home,
    folder: PathBuf,
}

impl<'h> Recorder<'h> {
    pub(crate) fn new(home: &'h Home) -> Self {
        let folder = home.path().join("recorded");
        fs::create_dir(&folder).unwrap();
        Self { home, folder }
    }

    /// What to start instead of the program.
    pub(crate) fn command(&self) -> [PathBuf; 3] {
        [script("record"), self.folder.clone(), PROGRAM.into()]
    }

    /// How many messages with this method the program wrote.
    pub(crate) fn written(&self, method: &str) -> usize {
        let files = fs::read_dir(&self.folder).unwrap();
        let paths = files.map(|file| file.unwrap().path());
        let out = paths.filter(|path| path.extension().is_some_and(|end| end == "out"));
        let texts = out.map(|path| fs::read_to_string(path).unwrap());
        let count = |text: String| {
            let messages = text.lines().map(serde_json::from_str::<Value>);
            let named = messages.filter(|message| message.as_ref().unwrap()["method"] == method);
            named.count()
        };
        texts.map(count).sum()
    }

    /// What the schema says of every line that was written; nothing where it cannot be installed.
    #[track_caller]
    pub(crate) fn judged(&self, what: &str) -> Option<String> {
        let folder = installed("clients", what)?;
        let mut command = self.home.program(script("run").to_str().unwrap());
        command.env("ACP_CLIENTS_FOLDER", &folder);
        command.arg("validate").arg(&self.folder);
        let done = Running::start(command).finish();
        if done.code() == Some(SKIPPED) {
            skip(what, done.out.trim());
            return None;
        }
        let judged = done.ok().out;
        eprintln!("{what}: {judged}");
        Some(judged)
    }
}

/// A script of `tests/clients/`.
fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/clients")
        .join(name)
}

/// The folder with what `tests/NAME/install` installs; nothing where it cannot.
pub(crate) fn installed(name: &str, what: &str) -> Option<PathBuf> {
    static CLIENTS: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    static RUNTIMES: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let once = if name == "clients" {
        &CLIENTS
    } else {
        &RUNTIMES
    };
    match once.get_or_init(|| install(name)) {
        Ok(folder) => Some(folder.clone()),
        Err(why) => {
            skip(what, why);
            None
        }
    }
}

/// Installs with the environment of whoever runs the tests: its cache, its registry. That a tool is missing is a
/// reason to skip; that an installation fails is not, unless it was said that there is no network.
fn install(name: &str) -> Result<PathBuf, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
        .join("install");
    let run = |args: &[&str]| {
        let mut command = Command::new(&script);
        command.args(args).stdin(Stdio::null());
        Running::start(command)
    };
    for tool in ["npm", "python3"] {
        let there = Command::new(tool)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !there.is_ok_and(|status| status.success()) {
            return Err(format!("{tool} is missing"));
        }
    }
    let folder = PathBuf::from(run(&["--where"]).finish().ok().out.trim());
    if std::env::var_os("FOUNTAIN_TEST_OFFLINE").is_some() && !folder.exists() {
        return Err("FOUNTAIN_TEST_OFFLINE is set, and it is not installed".to_owned());
    }
    let done = run(&[]).finish_within(Duration::from_secs(900)).ok();
    Ok(PathBuf::from(done.out.trim()))
}
