//! `fountain serve`: how it starts, and how it says that it does not.

use std::fs;
use std::net::TcpListener;
use std::process::Stdio;

use serde_json::Value;

use crate::kit::{Home, Running, agent};

/// What `fountain serve` says when it does not start.
#[track_caller]
fn refused(home: &Home, args: &[&str]) -> String {
    let done = home.run(&[&["serve"], args].concat());
    assert_eq!(done.out, "", "it listened: {done}");
    let done = done.exits(1).says("error: ");
    done.err
}

#[test]
fn one_line_on_stdout_and_ready() {
    let home = Home::new();
    let serve = Running::start(home.command(&["serve"]));
    let line = serve.prints("\n");
    let address = line.trim().strip_prefix("listening on http://").unwrap();
    for path in ["/health", "/health/ready"] {
        let answer = agent()
            .get(format!("http://{address}{path}"))
            .call()
            .unwrap();
        assert_eq!(answer.status(), 200, "{path}");
    }
    serve.interrupt();
    let done = serve.finish().ok();
    assert_eq!(done.out, line);
}

#[test]
fn a_second_daemon_says_who_has_the_data() {
    let home = Home::new();
    let daemon = home.daemon();
    let error = refused(&home, &[]);
    assert!(error.contains(&daemon.address), "{error}");
    assert!(
        error.contains(&daemon.pid().to_string()) && error.contains("hint: "),
        "{error}"
    );
    let _ = home.run(&["agent", "list"]).ok();
}

#[test]
fn the_lock_ends_with_its_holder() {
    let home = Home::new();
    let mut daemon = home.daemon();
    daemon.kill();
    daemon.start_again();
    let _ = home.run(&["agent", "list"]).ok();
}

#[test]
fn a_port_in_use_is_told() {
    let home = Home::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let error = refused(&home, &["--listen", &address]);
    assert!(
        error.contains(&address) && error.contains("--listen"),
        "{error}"
    );
    // Nothing was promised: there is no key yet for an instance that never was.
    assert!(!home.credentials().exists());
}

#[test]
fn a_newer_database_is_left_alone() {
    let home = Home::new();
    let mut daemon = home.daemon();
    daemon.http().launch("say hi");
    daemon.stop();
    let path = home.data().join("fountain.db");
    let mut bytes = fs::read(&path).unwrap();
    // The version of the schema is in the header of the file, at byte 60.
    bytes[60..64].copy_from_slice(&999_u32.to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    let error = refused(&home, &[]);
    assert!(error.contains("999") && error.contains("newer"), "{error}");
    assert!(fs::read(&path).unwrap() == bytes, "it was changed");
}

#[test]
fn a_file_that_is_no_database_is_told() {
    let home = Home::new();
    fs::create_dir_all(home.data()).unwrap();
    let path = home.data().join("fountain.db");
    let text = "this is a letter to my grandmother, not a database. ".repeat(100);
    fs::write(&path, &text).unwrap();
    let error = refused(&home, &[]);
    assert!(
        error.contains("fountain.db") || error.contains("database"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn the_effective_configuration_is_printed() {
    let home = Home::new()
        .with("FOUNTAIN_LIMITS__ASK_CEILING", "2m")
        .with("FOUNTAIN_SECRETS__KEY", "correct-horse-battery-staple")
        .with("FOUNTAIN_RUNTIMES__ACP__ENV__TOKEN", "hunter22");
    let config = home.path().join("fountain.toml");
    fs::write(
        &config,
        "[limits]\nask_ceiling = \"1m\"\nsweep_interval = \"7s\"\n",
    )
    .unwrap();
    let args = [
        "serve",
        "--print-config",
        "--config",
        config.to_str().unwrap(),
    ];
    let done = home.run(&args).ok();
    for line in ["ask_ceiling = \"2m\"", "sweep_interval = \"7s\""] {
        assert!(done.out.contains(line), "{line}: {done}");
    }
    assert!(
        !done.out.contains("staple") && !done.out.contains("hunter22"),
        "{done}"
    );
    assert!(!home.data().exists(), "it started something");
    // What it prints is a configuration that it takes.
    fs::write(&config, &done.out).unwrap();
    let again = home.run(&args).ok();
    assert!(again.out.contains("sweep_interval = \"7s\""), "{again}");
}

#[test]
fn a_mistake_in_the_configuration_has_a_place_and_a_suggestion() {
    let home = Home::new();
    let config = home.path().join("fountain.toml");
    let path = config.to_str().unwrap();
    for (text, line, says) in [
        ("# mine\n[limits]\nask_cieling = \"2m\"\n", 3, "ask_ceiling"),
        ("[limits]\nask_ceiling = \"soon\"\n", 2, "soon"),
        ("[limits]\nmax_body = true\n", 2, "max_body"),
        ("\n[sandbox]\nkind = \"cage\"\n", 3, "directory"),
        ("[sandbx]\nkind = \"auto\"\n", 1, "sandbox"),
        ("listen = \"127.0.0.1\"\n", 1, "listen"),
        ("[limits\n", 1, "unclosed table"),
    ] {
        fs::write(&config, text).unwrap();
        let error = refused(&home, &["--config", path]);
        assert!(
            error.contains(&format!("{path}, line {line}")),
            "line {line} of {text:?}: {error}"
        );
        assert!(error.contains(says), "{says}: {error}");
    }
    let error = refused(&home, &["--config", "/nowhere/fountain.toml"]);
    assert!(error.contains("/nowhere/fountain.toml"), "{error}");
    let home = home.with("FOUNTAIN_LIMITS__ASK_CIELING", "2m");
    let error = refused(&home, &[]);
    assert!(error.contains("FOUNTAIN_LIMITS__ASK_CEILING"), "{error}");
    assert!(!home.data().exists(), "it started something");
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let home = Home::new().with("FOUNTAIN_LIMITS__ASK_CEILING", "2h");
    let error = refused(&home, &[]);
    assert!(
        error.contains("ask_ceiling") && error.contains("idle_timeout"),
        "{error}"
    );
    let home = Home::new();
    let error = refused(&home, &["--listen", "0.0.0.0:0"]);
    assert!(error.contains("allow_remote"), "{error}");
    let _ = home
        .run(&["serve", "--listen", "everywhere"])
        .exits(2)
        .says("everywhere");
}

#[test]
fn the_log_can_be_json() {
    let home = Home::new();
    let serve =
        Running::start(home.command(&["serve", "--log-format", "json", "--log-level", "debug"]));
    serve.prints("listening");
    serve.terminate();
    let done = serve.finish().ok();
    assert!(!done.err.is_empty());
    for line in done.err.lines() {
        let line: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(line["level"].is_string(), "{line}");
    }
    let _ = home
        .run(&["serve", "--log-level", "loud=very"])
        .exits(1)
        .says("--log-level");
}

#[test]
fn a_stranger_gets_nothing() {
    let home = Home::new();
    let daemon = home.daemon();
    let agent = agent();
    let url = |path: &str| format!("http://{}{path}", daemon.address);
    let key = format!("Bearer {}", home.saved("api_key"));
    let status = |request: ureq::RequestBuilder<ureq::typestate::WithoutBody>| {
        request.call().unwrap().status().as_u16()
    };
    assert_eq!(status(agent.get(url("/health"))), 200);
    assert_eq!(status(agent.get(url("/api/agents"))), 401);
    assert_eq!(
        status(agent.get(url("/api/agents")).header("authorization", &key)),
        200
    );
    // A page in a browser that resolves its own name to this machine, and one that posts across origins.
    let rebound = agent
        .get(url("/api/agents"))
        .header("authorization", &key)
        .header("host", "evil.example");
    assert_eq!(status(rebound), 421);
    let foreign = agent
        .get(url("/api/agents"))
        .header("authorization", &key)
        .header("origin", "https://evil.example");
    assert_eq!(status(foreign), 403);
    let form = agent
        .post(url("/api/conversations"))
        .header("authorization", &key)
        .content_type("text/plain")
        .send("{}");
    assert_eq!(form.unwrap().status().as_u16(), 415);
}

#[test]
fn the_program_says_what_it_is() {
    let home = Home::new();
    let version = home.run(&["--version"]).ok();
    assert_eq!(
        version.out,
        format!("fountain {}\n", env!("CARGO_PKG_VERSION"))
    );
    let help = home.run(&["--help"]).ok();
    for command in ["run", "conv", "requests", "agent", "acp", "serve", "auth"] {
        let line = help
            .out
            .lines()
            .find(|line| line.trim().starts_with(command));
        assert!(line.is_some(), "{command}: {help}");
        let _ = home.run(&[command, "--help"]).ok().prints("Example");
    }
    for code in ["0", "1", "2", "3", "4", "5", "6", "7", "130"] {
        assert!(
            help.out
                .lines()
                .any(|line| line.trim().starts_with(&format!("{code}  "))),
            "{code}: {help}"
        );
    }
    let _ = home.run(&["rum"]).exits(2).says("run");
    let _ = home.run(&[]).exits(2);
}

#[test]
fn stdout_may_be_closed() {
    let home = Home::new();
    let mut command = home.program("sh");
    command
        .args(["-c", "exec \"$0\" serve >&-", crate::kit::PROGRAM])
        .stdout(Stdio::null());
    let serve = Running::start_as_is(command);
    serve.says("listening");
    serve.terminate();
    let _ = serve.finish().ok();
}
