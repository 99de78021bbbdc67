//! `fountain help`: the guides, the help of commands, and the promise that a guide's table of tests is true.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

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
        .says("the guides are: policies");
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = fs::read_to_string(root.join("cli/src/guides/policies.md")).unwrap();
    let (_, table) = guide
        .split_once("## Each rule and the test that holds it")
        .unwrap();
    let mut rules = BTreeSet::new();
    let mut missing = Vec::new();
    for row in table.lines().filter(|line| line.starts_with('|')).skip(2) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [rule, held_by] = cells[..] else {
            panic!("a row has two cells: {row}");
        };
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
            match fs::read_to_string(root.join(path)) {
                Ok(text) if is_test(&text, name) => {}
                Ok(_) => missing.push(format!("{test}: no such test in the file")),
                Err(error) => missing.push(format!("{test}: {error}")),
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(rules.len() > 50, "{}", rules.len());
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
