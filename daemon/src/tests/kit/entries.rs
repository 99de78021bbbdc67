//! This very test program as other programs: it is started again by the name of one of these tests.

use std::path::PathBuf;

use super::scripted;
use crate::fixture;

/// The words that come after the `--` of a start.
fn words(name: &str) -> Option<Vec<String>> {
    let mut words = std::env::args().skip_while(|word| word != name);
    words.next()?;
    Some(words.collect())
}

/// How a sandbox starts it; `fountain` is this program there.
pub(crate) fn command(entry: &str, words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    format!(
        "exec fountain tests::kit::entries::{entry} --exact --nocapture --test-threads=2 -- {entry}-agent {}",
        quoted.join(" ")
    )
}

#[test]
fn built_in() {
    if words("built_in-agent").is_some() {
        let _ = fixture::main();
        std::process::exit(0);
    }
}

#[test]
fn scripted() {
    if let Some(words) = words("scripted-agent") {
        let [scenario, log] = &words[..] else {
            panic!("a scenario and a log are needed");
        };
        scripted::play(&PathBuf::from(scenario), &PathBuf::from(log));
        std::process::exit(0);
    }
}
