//! ACP clients that nobody here wrote, as users run them. They come from package registries, once, into a cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use crate::kit::{Home, PROGRAM, Running, skip};

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
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/run");
    let mut command = home.program(script.to_str().unwrap());
    command.env("ACP_CLIENTS_FOLDER", &folder);
    // A machine that is busy with the other tests takes its time.
    command.env("ACP_CLIENTS_SECONDS", "180");
    let recorded = home.path().join("recorded");
    fs::create_dir(&recorded).unwrap();
    let record = script.with_file_name("record");
    command.args([client, "--"]).arg(record).arg(&recorded);
    command.args([PROGRAM, "acp", "--agent", "demo"]);
    let done = Running::start(command).finish_within(Duration::from_secs(1_800));
    match done.code() {
        Some(SKIPPED) => {
            skip(client, done.out.trim());
            return None;
        }
        _ => eprintln!("{}", done.ok()),
    }
    // Every line that was written, by the protocol's own schema.
    let mut command = home.program(script.to_str().unwrap());
    command.env("ACP_CLIENTS_FOLDER", &folder);
    command.arg("validate").arg(&recorded);
    let judged = Running::start(command).finish().ok();
    eprintln!("{client}: {}", judged.out);
    Some(judged.out)
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
