//! `fountain run`: the main job on a terminal and off it, and everything that can go wrong on the way.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::kit::{Home, PROGRAM, Running, until};

/// The first command of the README, as it stands there.
fn first_command() -> String {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let mut commands = readme
        .lines()
        .filter_map(|line| line.strip_prefix("    cargo run --release -- "));
    format!(
        "fountain {}",
        commands.next().expect("the README has a first command")
    )
}

#[test]
fn the_first_command_on_a_fresh_machine() {
    let home = Home::fresh();
    let mut terminal = home.shell(&first_command());
    terminal.shows("starting the Fountain daemon");
    terminal.shows("▸ conversation ");
    terminal.shows("? the agent asks before it does this (execute):");
    terminal.shows("    uname -sr");
    terminal.shows("1  Allow once");
    terminal.types("1");
    terminal.shows("✓ allowed: uname -sr");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    let expected = home.program("uname").arg("-sr").output().unwrap().stdout;
    let expected = String::from_utf8(expected).unwrap();
    assert!(screen.contains(expected.trim()), "{screen}");
    // The second command finds everything as the first one left it.
    let done = home.run(&["conv", "list", "--json"]).ok();
    let list = done.json();
    assert_eq!(list.as_array().unwrap().len(), 1, "{done}");
    assert_eq!(list[0]["status"], "idle", "{done}");
    assert!(!done.err.contains("starting"), "{done}");
    assert_eq!(home.background().len(), 1);
}

#[test]
fn a_refusal_on_a_terminal_does_not_stop_the_turn() {
    let home = Home::new();
    let _daemon = home.daemon();
    let mut terminal = home.terminal(&["run", "demo", "-p", "run touch marker\nsay still here"]);
    terminal.shows("? the agent asks before it does this (execute):");
    terminal.shows("    touch marker");
    terminal.types("d");
    terminal.shows("\"command\": \"touch marker\"");
    // A key that means nothing changes nothing.
    terminal.shows("answer [1/2/3/d/q]: ");
    terminal.types("9");
    terminal.shows("that is none of the keys");
    terminal.shows("answer [1/2/3/d/q]: ");
    terminal.types("3");
    terminal.shows("still here");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    assert!(!home.workspace().join("marker").exists(), "{screen}");
}

#[test]
fn a_question_that_is_left_open_is_waited_for() {
    let home = Home::new();
    let daemon = home.daemon();
    let mut terminal = home.terminal(&["run", "demo", "-p", "run touch marker\nsay over"]);
    terminal.shows("answer [1/2/3/d/q]: ");
    terminal.types("q");
    terminal.shows("left open");
    terminal.shows("waiting for an answer");
    let requests = home.run(&["requests", "--json"]).ok().json();
    let request = requests[0]["request_id"].as_str().unwrap();
    let _ = home.run(&["requests", "answer", request, "--deny"]).ok();
    terminal.shows("✗ refused: touch marker");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(screen.matches('✗').count(), 1, "{screen}");
    drop(daemon);
}

#[test]
fn in_one_pipe_everything_stands_in_its_order() {
    let home = Home::new();
    let _daemon = home.daemon();
    let merged = |line: &str| {
        let mut command = home.program("sh");
        command.args(["-c", &format!("{line} 2>&1"), PROGRAM]);
        Running::start(command).finish().ok().out
    };
    let run = merged("\"$0\" run demo -p 'say one\nplan A; B\nsay two'");
    let id = run.lines().next().unwrap().rsplit(' ').next().unwrap();
    let stream = merged(&format!("\"$0\" conv stream {id} --no-follow"));
    for out in [run, stream] {
        let from = out.find("\none\n").unwrap_or_else(|| panic!("{out}"));
        assert_eq!(
            out[from..].lines().skip(1).take(3).collect::<Vec<_>>(),
            ["one", "▸ plan 0/2: A", "two"],
            "{out}"
        );
    }
}

#[test]
fn off_a_terminal_another_process_answers() {
    let home = Home::new();
    let _daemon = home.daemon();
    let run = home.spawn(&["run", "demo", "-p", "run echo made > marker; echo ran"]);
    let told = run.says("fountain requests answer ");
    // It says how to answer, in full: this does what it says.
    let line = told
        .lines()
        .find(|line| line.contains("--option allow_once"));
    let line = line.unwrap_or_else(|| panic!("no way to allow it: {told}"));
    let (command, _) = line.trim().split_once("  #").unwrap_or((line.trim(), ""));
    let args: Vec<&str> = command.split_whitespace().skip(1).collect();
    let _ = home.run(&args).ok();
    let done = run.finish().ok();
    assert!(done.out.contains("ran"), "{done}");
    let marker = home.workspace().join("marker");
    assert_eq!(fs::read_to_string(marker).unwrap(), "made\n");
}

#[test]
fn a_launch_that_denies_is_no_failure() {
    let home = Home::new();
    let _daemon = home.daemon();
    let prompt = "run touch marker\nsay and on";
    let done = home
        .run(&[
            "run",
            "demo",
            "--permission",
            "execute=auto_deny",
            "-p",
            prompt,
        ])
        .ok()
        .says("touch marker")
        .prints("and on");
    assert_eq!(
        done.err.matches('✗').count(),
        1,
        "one line tells of the refusal: {done}"
    );
    assert!(
        done.err.contains("denied by the policy (execute)") && !done.err.contains("not finished"),
        "{done}"
    );
    assert!(!home.workspace().join("marker").exists());
}

#[test]
fn ctrl_c_stops_the_turn() {
    let home = Home::new();
    let daemon = home.daemon();
    let mut terminal = home.terminal(&["run", "demo", "-p", "slow 600"]);
    terminal.shows("tick 2");
    terminal.types("\u{3}");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("stopping the turn"), "{screen}");
    let list = daemon.http().get("/api/conversations");
    let turn = daemon.http().ended(list[0]["id"].as_str().unwrap());
    assert_eq!(turn["status"], "interrupted", "{turn}");
}

#[test]
fn ctrl_c_twice_leaves_it_running() {
    let home = Home::new();
    let daemon = home.daemon();
    // The agent that does not stop gives the second Ctrl-C its time.
    let run = home.spawn(&["run", "demo", "-p", "ignore cancel\nslow 600"]);
    run.prints("tick 2");
    run.interrupt();
    run.says("Ctrl-C again leaves it running");
    run.interrupt();
    let done = run.finish().exits(130).says("fountain conv stream");
    let list = daemon.http().get("/api/conversations");
    assert_eq!(list[0]["status"], "running", "{done}");
}

#[test]
fn piped_text_is_exact() {
    let home = Home::new();
    let _daemon = home.daemon();
    let text = "two  blanks\tand a tab, ünïcödé, 漢字 한글, 🎉👩‍👩‍👧, \u{1b}[31mred\u{1b}[0m, \"quotes\" \\ $HOME";
    let done = home
        .run(&["run", "demo", "-p", &format!("say {text}")])
        .ok();
    assert_eq!(done.out, format!("{text}\n"));
    let quiet = home
        .run(&["run", "-q", "demo", "-p", "say one\nsay two"])
        .ok();
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("onetwo\n", ""));
}

#[test]
fn a_prompt_comes_from_stdin() {
    let home = Home::new();
    let _daemon = home.daemon();
    for args in [&["run", "demo"][..], &["run", "demo", "-p", "-"]] {
        let done = home.run_with(args, "say from a pipe\nsay !\n").ok();
        assert_eq!(done.out, "from a pipe!\n");
    }
    let _ = home
        .run(&["run", "demo"])
        .exits(2)
        .says("there is no prompt");
}

#[test]
fn a_flood_arrives_whole() {
    let home = Home::new();
    let _daemon = home.daemon();
    let done = home.run(&["run", "demo", "-p", "flood 20000"]).ok();
    let numbers: Vec<u32> = done
        .out
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    assert!(
        numbers.iter().copied().eq(1..=20_000),
        "{} numbers",
        numbers.len()
    );
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let home = Home::new();
    let daemon = home.daemon();
    let mut command = home.command(&["run", "-q", "demo", "-p", "say first\nflood 20000 200"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    // As `head -c` does: reads the beginning and closes the pipe.
    let mut stdout = BufReader::with_capacity(16, child.stdout.take().unwrap());
    stdout.read_line(&mut first).ok();
    drop(stdout);
    let done = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(done.stderr).unwrap();
    assert!(first.starts_with("first"), "{first}");
    assert_eq!((done.status.code(), stderr.as_str()), (Some(0), ""));
    // Only the reader left; the turn goes on.
    let list = daemon.http().get("/api/conversations");
    let turn = daemon.http().ended(list[0]["id"].as_str().unwrap());
    assert_eq!(turn["status"], "completed", "{turn}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let home = Home::new();
    let _daemon = home.daemon();
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let out = |file: File, args: &[&str]| {
        let mut command = home.command(args);
        command.stdout(file);
        Running::start_as_is(command).finish()
    };
    let _ = out(full(), &["run", "demo", "-p", "say hello"])
        .exits(1)
        .says("error: ");
    let _ = out(full(), &["agent", "list", "--json"])
        .exits(1)
        .says("error: ");
    let _ = out(full(), &["--help"]).exits(1).says("error: ");
}

#[test]
fn a_sandbox_that_never_starts_is_told() {
    let home = Home::new();
    let daemon = home.daemon();
    for (name, command, why) in [
        ("missing", "/nowhere/agent --acp", "not found"),
        (
            "talker",
            "echo 'please log in first' >&2; exit 3",
            "please log in first",
        ),
    ] {
        let create = [
            "agent",
            "create",
            name,
            "--runtime",
            "acp",
            "--command",
            command,
        ];
        let _ = home.run(&create).ok();
        let done = home.run(&["run", name, "-p", "hello"]).exits(1);
        let done = done.says("error: the sandbox never started: ");
        assert!(done.err.contains(why), "{done}");
    }
    let list = daemon.http().get("/api/conversations");
    for conversation in list.as_array().unwrap() {
        assert_ne!(conversation["status"], "running", "{conversation}");
    }
}

#[test]
fn an_agent_that_fails_ends_the_command_with_one() {
    let home = Home::new();
    let _daemon = home.daemon();
    let fails = |prompt: &str| home.run(&["run", "demo", "-p", prompt]).exits(1);
    let _ = fails("fail no tokens left").says("no tokens left");
    let _ = fails("stderr the disk is on fire\ncrash 7").says("the disk is on fire");
    let _ = fails("refuse").says("refusal");
    // What is no protocol on the agent's stdout does no harm.
    let done = home
        .run(&["run", "demo", "-p", "banner Welcome!\nsay fine"])
        .ok();
    assert_eq!(done.out, "fine\n");
}

#[test]
fn an_agent_that_speaks_before_its_first_message_works() {
    let home = Home::new();
    let _daemon = home.daemon();
    let command = "printf 'Welcome back\\n\\n\"text\"\\n42\\n[]\\n{}\\n'; exec fountain fixture";
    let create = [
        "agent",
        "create",
        "chatty",
        "--runtime",
        "acp",
        "--command",
        command,
    ];
    let _ = home.run(&create).ok();
    let done = home.run(&["run", "chatty", "-p", "say fine"]).ok();
    assert_eq!(done.out, "fine\n");
}

#[test]
fn detached_it_prints_the_id_alone() {
    let home = Home::new();
    let daemon = home.daemon();
    let done = home
        .run(&["run", "demo", "--detach", "-p", "say hello"])
        .ok();
    let id = done.out.trim();
    assert_eq!(done.out, format!("{id}\n"));
    daemon.http().ended(id);
    assert_eq!(daemon.http().said(id), "hello");
}

#[test]
fn a_turn_that_waits_is_told_and_followed() {
    let home = Home::new();
    let daemon = home.daemon();
    let waiting = ["run", "demo", "-p", "wait 600 the deploy"];
    let _ = home.run(&waiting).ok().says("waits for a person");
    let exit = [&waiting[..], &["--exit-waiting"]].concat();
    let _ = home.run(&exit).exits(7);
    let follow = [&waiting[..], &["--wait"]].concat();
    let run = home.spawn(&follow);
    let _ = run.says("fountain requests answer ");
    // Once its turn is over, the answer opens another one.
    let newest = crate::kit::until(
        "the request outlives its turn",
        || {
            let requests = daemon.http().get("/api/requests?status=open");
            let newest = requests
                .as_array()
                .unwrap()
                .iter()
                .max_by_key(|request| request["asked_at"].as_str());
            newest.cloned()
        },
        |newest| {
            newest
                .as_ref()
                .is_some_and(|request| request["detached"] == true)
        },
    );
    let newest = newest.unwrap();
    let request = newest["request_id"].as_str().unwrap();
    let _ = home
        .run(&["requests", "answer", request, "--option", "allow_once"])
        .ok();
    let done = run.finish().ok();
    assert!(
        done.out.contains("answered allow_once for the deploy"),
        "{done}"
    );
    // What the answer opened is told in its words, and is what it is in JSON.
    let id = newest["conversation_id"].as_str().unwrap();
    for args in [
        &["conv", "turns", id][..],
        &["conv", "show", id],
        &["conv", "stream", id, "--no-follow"],
    ] {
        let done = home.run(args).ok();
        let told = format!("{}{}", done.out, done.err);
        assert!(
            told.contains("answer: allow_once (") && !told.contains("fountain/"),
            "{done}"
        );
    }
    let turns = home.run(&["conv", "turns", id, "--json"]).ok();
    let _ = turns.prints("fountain/permission_answer");
}

#[test]
fn events_come_as_lines_of_json() {
    let home = Home::new();
    let _daemon = home.daemon();
    let done = home.run(&["run", "demo", "--json", "-p", "say hello"]).ok();
    let events = done.json_lines();
    let ids: Vec<i64> = events
        .iter()
        .map(|event| event["id"].as_i64().unwrap())
        .collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "{done}");
    let last: &Value = events.last().unwrap();
    assert_eq!(
        (&last["stage"], &last["state"]),
        (&"turn".into(), &"done".into()),
        "{done}"
    );
}

#[test]
fn what_is_wrong_with_the_command_line_is_said() {
    let home = Home::new();
    let daemon = home.daemon();
    let run = |args: &[&str]| home.run(&[&["run"], args].concat());
    let _ = run(&["demi", "-p", "x"])
        .exits(3)
        .says("did you mean `demo`");
    let _ = run(&["demo", "-p", " "])
        .exits(2)
        .says("there is no prompt");
    let _ = run(&["demo", "-p", "x", "--permission", "execute=maybe"])
        .exits(2)
        .says("maybe");
    let _ = run(&["demo", "-p", "x", "--permission", "execute=auto_allow"])
        .exits(5)
        .says("execute");
    let _ = run(&["demo", "-p", "x", "--image", "/nowhere.png"])
        .exits(2)
        .says("/nowhere.png");
    let _ = run(&["demo", "-p", "x", "--timeout", "soon"])
        .exits(2)
        .says("--timeout");
    // Nothing of it has left a conversation.
    let list = daemon.http().get("/api/conversations");
    assert_eq!(list, serde_json::json!([]));
}

#[test]
fn nobody_listens() {
    let home = Home::new()
        .with("FOUNTAIN_API_KEY", "ftn_x")
        .with("FOUNTAIN_BASE_URL", "http://127.0.0.1:9");
    let _ = home
        .run(&["run", "demo", "-p", "x"])
        .exits(6)
        .says("error: ")
        .says("hint: ");
    let _ = home.run(&["agent", "list"]).exits(6);
}

#[test]
fn a_time_limit_bounds_the_wait_and_not_the_turn() {
    let home = Home::new();
    let daemon = home.daemon();
    let done = home
        .run(&["run", "demo", "--timeout", "1s", "-p", "slow 600"])
        .exits(1);
    let done = done.says("it goes on without you");
    let list = daemon.http().get("/api/conversations");
    let id = list[0]["id"].as_str().unwrap();
    assert_eq!(list[0]["status"], "running", "{done}");
    let _ = home.run(&["conv", "interrupt", id]).ok();
    until(
        "the turn is over",
        || daemon.http().ended(id),
        |turn| turn["status"] == "interrupted",
    );
}
