//! What is promised of `help`, as tests.

use super::*;
use crate::failure::Kind;

fn plain(topic: &str) -> Result<String, Failure> {
    let words: Vec<String> = topic.split_whitespace().map(str::to_owned).collect();
    about(&words, USUAL, Paint { on: false })
}

#[test]
fn without_a_topic_the_guides_are_listed() {
    let list = plain("").unwrap();
    for guide in &GUIDES {
        let line = list.lines().find(|line| line.contains(guide.summary));
        assert!(line.is_some_and(|line| line.trim().starts_with(guide.name)));
    }
    assert!(list.contains("`fountain --help`"), "{list}");
    assert!(list.lines().all(|line| line.len() <= USUAL), "{list}");
}

#[test]
fn a_topic_is_its_guide() {
    for guide in &GUIDES {
        let shown = plain(guide.name).unwrap();
        assert_eq!(shown, guide.text(USUAL, Paint { on: false }));
        assert!(shown.starts_with("# ") && shown.ends_with('\n'));
    }
    assert_eq!(plain("POLICIES"), plain("policies"));
}

#[test]
fn a_command_is_its_own_help() {
    fn each(command: &clap::Command, words: &[String]) {
        for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
            let mut words = words.to_vec();
            words.push(verb.get_name().to_owned());
            let line: Vec<&str> = ["fountain"]
                .into_iter()
                .chain(words.iter().map(String::as_str))
                .chain(["--help"])
                .collect();
            let help = crate::command().try_get_matches_from(&line).unwrap_err();
            let shown = about(&words, USUAL, Paint { on: false }).unwrap();
            assert_eq!(shown, help.to_string(), "{line:?}");
            assert!(shown.contains("Usage: "), "{line:?}");
            each(verb, &words);
        }
    }
    each(&crate::command(), &[]);
    let painted = about(&["run".into()], USUAL, Paint { on: true }).unwrap();
    assert!(painted.contains("\u{1b}["), "{painted:?}");
}

#[test]
fn what_is_unknown_is_wrong_usage_with_the_nearest_name() {
    for (topic, meant) in [
        ("polices", Some("`policies`")),
        ("rnu", Some("`run`")),
        ("conv lst", Some("`list`")),
        ("conv polices", None),
        ("policies more", Some("`policies`")),
        ("nothing-of-the-kind", None),
        ("sandbox-init", None),
        ("--help-me", None),
    ] {
        let failure = plain(topic).unwrap_err();
        assert_eq!(failure.kind, Kind::Usage, "{topic}");
        assert_eq!(
            failure.message,
            format!("there is no guide and no command `{topic}`")
        );
        let hints = failure.hints.join("\n");
        let near = hints.lines().find(|hint| hint.starts_with("did you mean "));
        assert_eq!(near.is_some(), meant.is_some(), "{topic}: {hints}");
        if let Some((near, meant)) = near.zip(meant) {
            // The nearest comes first.
            assert!(
                near.starts_with(&format!("did you mean {meant}")),
                "{topic}: {near}"
            );
        }
        assert!(hints.contains("the guides are: policies"), "{hints}");
    }
}
