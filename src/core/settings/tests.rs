//! What the sources give together. Each file below looks at one side of it.

mod keys;
mod mistakes;
mod print;
mod rules;
mod sources;

use proptest::prelude::*;

use super::{File, Invalid, Settings, Sources};

/// Settings from a file's text alone.
fn file(text: &str) -> Result<Settings, Invalid> {
    both(text, &[])
}

/// Settings from the environment alone.
fn environment(pairs: &[(&str, &str)]) -> Result<Settings, Invalid> {
    load(None, pairs)
}

/// Settings from a file's text and the environment.
fn both(text: &str, pairs: &[(&str, &str)]) -> Result<Settings, Invalid> {
    load(Some(text), pairs)
}

fn load(text: Option<&str>, pairs: &[(&str, &str)]) -> Result<Settings, Invalid> {
    let environment: Vec<(String, String)> = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    Settings::load(&Sources {
        file: text.map(|text| File {
            name: "config.toml",
            text,
        }),
        environment: &environment,
        flags: None,
    })
}

/// Expects these mistakes, one a line, and no other.
#[track_caller]
fn told(result: Result<Settings, Invalid>, sentences: &[&str]) {
    let told = result.expect_err("settings with mistakes").to_string();
    assert_eq!(told.lines().collect::<Vec<_>>(), sentences);
}

proptest! {
    #[test]
    fn no_file_makes_it_panic(text in "(\\PC|[a-z.=\\[\\]{}'\"\n]){0,60}") {
        let _ = file(&text);
    }

    #[test]
    fn no_variable_makes_it_panic(name in "FOUNTAIN_[A-Zé_]{0,24}", value in "\\PC{0,12}") {
        let _ = environment(&[(&name, &value)]);
    }

    #[test]
    fn no_value_makes_it_panic(value in "[0-9a-zA-Z/:.'{} =-]{0,12}", key in 0..super::KEYS.len()) {
        let _ = environment(&[(&super::KEYS[key].variable().replace("<NAME>", "ACP"), &value)]);
    }
}
