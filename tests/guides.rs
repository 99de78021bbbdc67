//! `fountain help`: the guides, the help of commands, and the promise that a guide's table of tests is true.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::kit::Home;

#[test]
fn topics_and_commands_are_explained() {
    let home = Home::new();
    let _ = home
        .run(&["help"])
        .ok()
        .prints("policies")
        .prints("fountain --help");
    let guide = home
        .run(&["help", "policies"])
        .ok()
        .prints("## Two layers\n");
    assert!(guide.err.is_empty(), "{guide}");
    assert!(!guide.out.contains('\u{1b}'), "{guide}");
    for command in [&["run"][..], &["conv", "list"], &["help"]] {
        let help = home.run(&[&["help"], command].concat()).ok();
        let own = home.run(&[command, &["--help"]].concat()).ok();
        assert_eq!(help.out, own.out);
    }
    let unknown = home.run(&["help", "polcies"]).exits(2);
    assert!(unknown.out.is_empty(), "{unknown}");
    let _ = unknown
        .says("there is no guide and no command `polcies`")
        .says("did you mean `policies`")
        .says("the guides are: policies, editors");
    // Nothing of it needs an instance.
    assert!(home.background().is_empty());
}

#[test]
fn on_a_terminal_a_guide_has_no_marks() {
    let home = Home::new();
    let mut terminal = home.terminal(&["help", "policies"]);
    terminal.shows("The three verdicts\n");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0));
    assert!(!screen.contains("## ") && !screen.contains('`'), "{screen}");
}

#[test]
fn a_reader_that_leaves_a_guide_ends_it_quietly() {
    let home = Home::new();
    for topic in [&["help"][..], &["help", "policies"], &["help", "run"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = home.command(topic);
        let child = command.stdout(writer).stderr(Stdio::piped()).spawn();
        let done = child.unwrap().wait_with_output().unwrap();
        let stderr = String::from_utf8(done.stderr).unwrap();
        assert_eq!((done.status.code(), stderr.as_str()), (Some(0), ""));
    }
}

/// The last section of a guide says which test holds each of its rules. A test that is renamed or removed takes
/// its row with it.
#[test]
fn every_rule_names_tests_that_are_there() {
    for (guide, at_least) in [("policies", 50), ("editors", 10)] {
        let rules = rules(guide);
        assert!(rules > at_least, "{guide}: {rules}");
    }
}

/// Checks the rules of a guide; gives how many there are.
fn rules(guide: &str) -> usize {
    let guide = read(&format!("cli/src/guides/{guide}.md"));
    let (_, table) = guide
        .split_once("## Each rule and the test that holds it")
        .unwrap();
    let mut rules = BTreeSet::new();
    let mut missing = Vec::new();
    for [rule, held_by] in rows(table) {
        assert!(rules.insert(rule), "twice: {rule}");
        let tests: Vec<&str> = held_by
            .split('`')
            .filter(|text| !text.trim().is_empty())
            .collect();
        assert!(!tests.is_empty(), "no test: {rule}");
        for test in tests {
            let (path, name) = test
                .split_once("::")
                .unwrap_or_else(|| panic!("`{test}` is no path::test"));
            match fs::read_to_string(root().join(path)) {
                Ok(text) if is_test(&text, name) => {}
                Ok(_) => missing.push(format!("{test}: no such test in the file")),
                Err(error) => missing.push(format!("{test}: {error}")),
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    rules.len()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The rows of the first table in a text, without its head.
fn rows(text: &str) -> impl Iterator<Item = [&str; 2]> {
    let lines = text.lines().skip_while(|line| !line.starts_with('|'));
    lines
        .take_while(|line| line.starts_with('|'))
        .skip(2)
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            cells
                .try_into()
                .unwrap_or_else(|_| panic!("a row has two cells: {row}"))
        })
}

/// Whether the text has a function of that name with `#[test]` or `#[tokio::test]` among what stands above it.
fn is_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let head = |line: &str| {
        let line = line.strip_prefix("async ").unwrap_or(line);
        let rest = line.strip_prefix("fn ")?.strip_prefix(name)?;
        rest.starts_with('(').then_some(())
    };
    let found = (0..lines.len()).filter(|at| head(lines[*at]).is_some());
    found.into_iter().any(|at| {
        lines[..at]
            .iter()
            .rev()
            .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
            .any(|line| *line == "#[test]" || line.starts_with("#[tokio::test"))
    })
}

#[test]
fn what_is_no_test_is_not_taken_for_one() {
    let text = "#[test]\n/// Words.\nfn a() {}\n\nfn b() {}\n\n    #[tokio::test(flavor = \"x\")]\n    async fn c() {}\n\nproptest! {\n    #[test]\n    fn d(x in 0..2) {}\n}\n// fn e() {}\n#[cfg(test)]\nfn f() {}\n";
    let tests = ["a", "b", "c", "d", "e", "f"].map(|name| is_test(text, name));
    assert_eq!(tests, [true, false, true, true, false, false]);
}

/// The arguments of each block of settings, as its editor reads them: a session opens with them, and a prompt is
/// answered. JSON is read as JSON.
#[test]
fn settings_for_editors_work_as_they_are_written() {
    let guide = read("cli/src/guides/editors.md");
    let launches: Vec<(&str, Vec<String>)> = fences(&guide)
        .into_iter()
        .flat_map(|(language, text)| launches(language, text).into_iter().map(move |l| (text, l)))
        .collect();
    // Zed, JetBrains, CodeCompanion, avante.nvim, agent-shell, OpenClaw, acpx, and Buzz twice.
    assert_eq!(launches.len(), 9, "{launches:?}");
    let home = Home::new();
    let _daemon = home.daemon();
    for (text, launch) in &launches {
        let [program, acp, flags @ ..] = &launch[..] else {
            panic!("too short: {launch:?}");
        };
        let name = Path::new(program).file_name();
        assert_eq!(
            name.and_then(|name| name.to_str()),
            Some("fountain"),
            "{text}"
        );
        assert_eq!(acp, "acp", "{text}");
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let mut editor = home.editor(&flags);
        let session = editor.session();
        let end = editor.prompt(&session, "say hello").unwrap();
        assert_eq!(end["stopReason"], "end_turn", "{text}");
        assert_eq!(editor.said(&session), "hello", "{text}");
        let _ = editor.leave();
    }
}

/// The blocks of a guide that have a language.
fn fences(guide: &str) -> Vec<(&str, &str)> {
    let blocks = guide.split("```").skip(1).step_by(2);
    blocks
        .map(|block| block.split_once('\n').unwrap())
        .collect()
}

/// The commands that a block of settings starts.
fn launches(language: &str, text: &str) -> Vec<Vec<String>> {
    match language {
        "json" => {
            let value: Value =
                serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            let mut found = Vec::new();
            in_json(&value, &mut found);
            found
        }
        // A command, and the strings from `"acp"` to the end of their list.
        "lua" | "elisp" => {
            let list = text.split_once("\"acp\"").unwrap().1;
            let list = list.split_once(['}', ')']).unwrap().0;
            let flags = list.split('"').skip(1).step_by(2).map(str::to_owned);
            assert!(text.contains("\"fountain\""), "{text}");
            let words = ["fountain", "acp"].map(str::to_owned);
            vec![words.into_iter().chain(flags).collect()]
        }
        "sh" => {
            let of = |name: &str| {
                let line = text.lines().find_map(|line| line.split_once(name));
                line.unwrap_or_else(|| panic!("no {name}: {text}")).1
            };
            let program = of("AGENT_COMMAND=").to_owned();
            let args = of("AGENT_ARGS=").split(',').map(str::to_owned);
            vec![std::iter::once(program).chain(args).collect()]
        }
        other => panic!("a block of {other:?}: {text}"),
    }
}

fn in_json(value: &Value, found: &mut Vec<Vec<String>>) {
    let strings = |value: &Value| -> Vec<String> {
        let strings = value.as_array().unwrap().iter();
        strings
            .map(|text| text.as_str().unwrap().to_owned())
            .collect()
    };
    let Value::Object(map) = value else {
        return;
    };
    if let Some(argv) = map.get("argv") {
        found.push(strings(argv));
    } else if let Some(Value::String(program)) = map.get("command") {
        let args = strings(&map["args"]);
        found.push(std::iter::once(program.clone()).chain(args).collect());
    }
    map.values().for_each(|value| in_json(value, found));
}

/// What an error says in the guide is what the program says: each piece between what differs stands in its source.
#[test]
fn messages_are_told_as_the_program_says_them() {
    let mut source = String::new();
    for folder in ["cli/src", "cli/src/adapter", "cli/src/client"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                source.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    // A sentence that goes on in the next line is one sentence.
    let source: String = source
        .split("\\\n")
        .map(str::trim_start)
        .collect::<String>()
        .replace("\\\"", "\"");
    let guide = read("cli/src/guides/editors.md");
    let (_, table) = guide.split_once("\n## Errors\n").unwrap();
    let mut messages = 0;
    let mut missing = Vec::new();
    for [message, _] in rows(table) {
        messages += 1;
        let message = message.trim_matches('`');
        for piece in message.split("...").flat_map(|piece| piece.split(": ")) {
            let piece = piece.trim_matches([' ', '"', ':', ';', ',', '(', ')']);
            if !source.contains(piece) {
                missing.push(format!("{message}: {piece:?}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(messages > 30, "{messages}");
}
