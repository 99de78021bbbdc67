//! Keys and profiles: checked before they are saved, private where they lie, and never sent where they do not belong.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use crate::kit::{Home, PROGRAM, Running, until};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_owner_is_known_from_the_first_start() {
    let home = Home::new();
    let daemon = home.daemon();
    assert_eq!(home.saved("base_url"), format!("http://{}", daemon.address));
    let me = home.run(&["auth", "whoami", "--json"]).ok().json();
    assert_eq!(
        (&me["scope"], &me["email"]),
        (&json!("full"), &json!("owner@localhost"))
    );
    let key = home.saved("api_key");
    let token = home.run(&["auth", "token"]).ok();
    assert_eq!(token.out.trim(), key);
    // No other command shows a key.
    for args in [
        &["auth", "whoami"][..],
        &["auth", "list"],
        &["auth", "list", "--json"],
        &["status"],
    ] {
        let done = home.run(args).ok();
        assert!(
            !done.out.contains(&key) && !done.err.contains(&key),
            "{done}"
        );
    }
    assert!(!daemon.log().contains(&key));
}

#[test]
fn a_login_is_checked_before_it_is_saved() {
    let home = Home::new();
    let daemon = home.daemon();
    let login = |key: &str| {
        let args = [
            "auth",
            "login",
            "--profile",
            "work",
            "--base-url",
            &format!("http://{}", daemon.address),
            "--api-key-stdin",
        ];
        home.run_with(&args, key)
    };
    let before = fs::read_to_string(home.credentials()).unwrap();
    let done = login("ftn_not_a_key_of_this_instance\n").exits(4);
    assert!(!done.err.contains("ftn_not_a_key"), "{done}");
    let _ = login("").exits(2).says("is empty");
    let _ = login("two words").exits(2).says("a space");
    assert_eq!(fs::read_to_string(home.credentials()).unwrap(), before);

    let key = home.saved("api_key");
    let _ = login(&format!("  \t{key}\r\n\n")).ok().says("work");
    let _ = home.run(&["--profile", "work", "auth", "whoami"]).ok();
    assert_eq!(
        home.run(&["--profile", "work", "auth", "token"])
            .ok()
            .out
            .trim(),
        key
    );
}

#[test]
fn a_key_is_never_an_argument() {
    let home = Home::new();
    let _daemon = home.daemon();
    let _ = home.run(&["auth", "login", "--api-key", "ftn_x"]).exits(2);
    let _ = home
        .run(&["auth", "login"])
        .exits(2)
        .says("--api-key-stdin");
}

#[test]
fn profiles_are_chosen_and_forgotten() {
    let home = Home::new();
    let daemon = home.daemon();
    let key = home.saved("api_key");
    let url = format!("http://{}", daemon.address);
    let login = [
        "auth",
        "login",
        "--profile",
        "work",
        "--base-url",
        &url,
        "--api-key-stdin",
    ];
    let done = home.run_with(&login, &key).ok();
    let _ = done.says("fountain auth use work");
    let current = || {
        let list = home.run(&["auth", "list", "--json"]).ok().json();
        let rows = list.as_array().unwrap().clone();
        let found = rows.iter().find(|row| row["current"] == true);
        found.map(|row| row["profile"].as_str().unwrap().to_owned())
    };
    assert_eq!(current().as_deref(), Some("default"));
    let _ = home.run(&["auth", "use", "work"]).ok();
    assert!(!home.run_with(&login, &key).ok().err.contains("hint:"));
    assert_eq!(current().as_deref(), Some("work"));
    let _ = home.run(&["auth", "logout"]).ok();
    let _ = home
        .run(&["--profile", "work", "auth", "whoami"])
        .exits(4)
        .says("no profile `work`");
    let _ = home.run(&["auth", "use", "work"]).exits(3);
    let _ = home.run(&["auth", "whoami"]).ok();
}

#[test]
fn a_key_goes_to_no_other_instance() {
    let home = Home::new();
    let _daemon = home.daemon();
    // Somebody who listens and would read the key, if there was one.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let other = format!("http://{}", listener.local_addr().unwrap());
    listener.set_nonblocking(true).unwrap();
    let done = home.run(&["--base-url", &other, "agent", "list"]).exits(4);
    let done = done.says("is not sent to").says("hint: ");
    assert!(listener.accept().is_err(), "it connected: {done}");
    let variable = home
        .command(&["agent", "list"])
        .env("FOUNTAIN_BASE_URL", &other)
        .output()
        .unwrap();
    assert_eq!(variable.status.code(), Some(4), "{variable:?}");
    assert!(listener.accept().is_err(), "it connected: {variable:?}");
    let mut editor = home.editor(&["--agent", "demo", "--base-url", &other]);
    editor.initialize();
    let refused = editor
        .request("session/new", json!({"cwd": "/", "mcpServers": []}))
        .unwrap_err();
    assert_eq!(refused["code"], -32000, "{refused}");
    assert!(listener.accept().is_err(), "it connected");
}

#[test]
fn a_revoked_or_unknown_key_is_rejected() {
    let home = Home::new();
    let daemon = home.daemon();
    let stranger = daemon.http().with_key("ftn_stranger");
    stranger
        .try_get("/api/conversations")
        .refused(401, "api_key_invalid");
    let done = home
        .command(&["agent", "list"])
        .env("FOUNTAIN_API_KEY", "ftn_stranger")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(4), "{stderr}");
    assert!(
        stderr.contains("hint: ") && !stderr.contains("ftn_stranger"),
        "{stderr}"
    );
}

#[test]
fn files_are_private_whatever_the_umask() {
    let home = Home::new();
    // As a shell with the widest umask would start it.
    let script = "umask 000; exec \"$0\" serve";
    let mut command = home.program("sh");
    command
        .args(["-c", script, PROGRAM])
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    until(
        "the profile is there",
        || home.credentials().exists(),
        |there| *there,
    );
    let key = home.saved("api_key");
    let login = format!(
        "umask 000; \"$0\" auth login --profile more --base-url '{}' --api-key-stdin",
        home.saved("base_url")
    );
    let mut login = {
        let mut command = home.program("sh");
        command.args(["-c", &login, PROGRAM]).stdin(Stdio::piped());
        Running::start(command)
    };
    let _ = until(
        "it answers",
        || home.run(&["auth", "whoami"]),
        |done| done.err.is_empty(),
    );
    login.write(&key);
    let _ = login.finish().ok();
    let _ = home.run(&["run", "demo", "-p", "say hi"]).ok();
    let mut wide = Vec::new();
    for folder in [home.data(), home.path().join(".fountain")] {
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let expected = if path.is_dir() { 0o700 } else { 0o600 };
            if mode(&path) != expected {
                wide.push(format!("{} {:o}", path.display(), mode(&path)));
            }
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(wide.is_empty(), "{wide:?}");
}

#[test]
fn others_can_read_the_file_and_that_is_said() {
    let home = Home::new();
    let _daemon = home.daemon();
    fs::set_permissions(home.credentials(), fs::Permissions::from_mode(0o644)).unwrap();
    let _ = home.run(&["agent", "list"]).ok().says("chmod 600");
}
