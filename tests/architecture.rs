//! The shape of the source, as rules that fail when somebody bends them.
//!
//! The edges between packages are cargo's business; these are the edges between modules, the words that belong to
//! one place, and the house rules.

mod source;

use std::fs;

use source::*;

/// A word that only some places may use, and why.
struct Word {
    word: &'static str,
    /// Beginnings of paths.
    only_in: &'static [&'static str],
}

/// Libraries that do one job in one place.
const WORDS: &[Word] = &[
    Word {
        word: "rusqlite",
        only_in: &["daemon/src/store", "tests/benches"],
    },
    Word {
        word: "axum",
        only_in: &["daemon/src/http", "daemon/src/serve.rs"],
    },
    Word {
        word: "reqwest",
        only_in: &["cli/src/client"],
    },
    Word {
        word: "pulldown_cmark",
        only_in: &["cli/src/guides"],
    },
    Word {
        word: "print!",
        only_in: &["cli/src/ui", "tests/"],
    },
    Word {
        word: "println!",
        only_in: &["cli/src/ui", "tests/"],
    },
    Word {
        word: "eprint!",
        only_in: &["cli/src/ui", "tests/"],
    },
    Word {
        word: "eprintln!",
        only_in: &["cli/src/ui", "tests/"],
    },
];

/// What the core never names: it has no IO and no clock.
const NOT_IN_CORE: &[&str] = &[
    "tokio",
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "SystemTime",
    "Instant",
];

/// A module and the modules of its own package that it may not name.
struct Layer {
    package: &'static str,
    modules: &'static [&'static str],
    may_not: &'static [&'static str],
}

const LAYERS: &[Layer] = &[
    // The rules of the core know nothing of how they are told or asked.
    Layer {
        package: "src/core",
        modules: &[
            "policy",
            "request",
            "outcome",
            "turn",
            "conversation",
            "recover",
            "title",
            "redact",
            "event",
            "id",
            "time",
        ],
        may_not: &["api", "acp", "rpc", "settings", "credentials"],
    },
    Layer {
        package: "daemon/src",
        modules: &["store"],
        may_not: &[
            "http",
            "runtime",
            "sandbox",
            "conversations",
            "app",
            "boot",
            "serve",
            "sweep",
        ],
    },
    Layer {
        package: "daemon/src",
        modules: &["runtime"],
        may_not: &["store", "http", "conversations", "app", "boot", "serve"],
    },
    Layer {
        package: "daemon/src",
        modules: &["sandbox"],
        may_not: &[
            "store",
            "http",
            "runtime",
            "conversations",
            "app",
            "boot",
            "serve",
        ],
    },
    Layer {
        package: "daemon/src",
        modules: &["conversations"],
        may_not: &["http", "boot", "serve"],
    },
    // Of the runtimes it reads the table, to say what exists and what asks; it never holds one.
    Layer {
        package: "daemon/src",
        modules: &["http"],
        may_not: &[
            "runtime::link",
            "runtime::session",
            "sandbox",
            "boot",
            "serve",
        ],
    },
    // The built-in agent is a program like any other: it shares no code with the daemon that runs it.
    Layer {
        package: "daemon/src",
        modules: &["fixture"],
        may_not: &["store", "http", "runtime", "conversations", "app", "boot"],
    },
    Layer {
        package: "cli/src",
        modules: &["client"],
        may_not: &[
            "ui",
            "context",
            "commands",
            "adapter",
            "follow",
            "autostart",
            "credentials",
        ],
    },
    Layer {
        package: "cli/src",
        modules: &["ui"],
        may_not: &["context", "commands", "adapter", "follow", "autostart"],
    },
    Layer {
        package: "cli/src",
        modules: &["adapter"],
        may_not: &["commands", "follow"],
    },
    Layer {
        package: "cli/src",
        modules: &[
            "context",
            "credentials",
            "autostart",
            "environment",
            "failure",
        ],
        may_not: &["commands", "adapter", "follow"],
    },
];

#[test]
fn a_library_has_one_place() {
    let mut found = Vec::new();
    for source in rust() {
        for Word { word, only_in } in WORDS {
            if !only_in.iter().any(|place| source.path.starts_with(place)) {
                found.extend(source.lines_with(word));
            }
        }
    }
    nothing(&found, "a word outside its place");
}

#[test]
fn the_core_has_no_io_and_no_clock() {
    let mut found = Vec::new();
    for source in rust()
        .iter()
        .filter(|source| source.path.starts_with("src/core/"))
    {
        for word in NOT_IN_CORE {
            found.extend(source.lines_with(word));
        }
    }
    // The types of addresses are plain numbers; connections are in `std::net`.
    nothing(&found, "IO, a clock or a task in the core");
}

#[test]
fn layers_point_one_way() {
    let sources = rust();
    let mut found = Vec::new();
    for Layer {
        package,
        modules,
        may_not,
    } in LAYERS
    {
        for module in *modules {
            let own: Vec<&Source> = sources
                .iter()
                .filter(|source| {
                    source
                        .module(package)
                        .is_some_and(|path| path.starts_with(&[(*module).to_owned()]))
                })
                .collect();
            assert!(
                !own.is_empty(),
                "{package}/{module} is gone: correct this table"
            );
            for source in own {
                for named in source.names(package) {
                    if may_not.iter().any(|other| within(&named, other)) {
                        found.push(format!("{}: crate::{named}", source.path));
                    }
                }
            }
        }
    }
    nothing(&found, "a module that reaches where it may not");
}

#[test]
fn the_program_only_joins_the_two_sides() {
    let sources = rust();
    let main = sources
        .iter()
        .find(|source| source.path == "src/main.rs")
        .unwrap();
    nothing(
        &main.lines_with("fountain_core"),
        "the program needs nothing of the core",
    );
    for (package, other) in [
        ("cli", "fountain-daemon"),
        ("daemon", "fountain-cli"),
        ("src/core", "fountain-"),
    ] {
        let manifest = fs::read_to_string(root().join(package).join("Cargo.toml")).unwrap();
        let (_, dependencies) = manifest.split_once("[dependencies]").unwrap();
        assert!(
            !dependencies.contains(other),
            "{package} depends on {other}"
        );
    }
}

#[test]
fn a_module_says_what_it_is() {
    let silent = |source: &&Source| !source.text.starts_with("//!");
    let found: Vec<String> = rust()
        .iter()
        .filter(silent)
        .map(|source| source.path.clone())
        .collect();
    nothing(&found, "a file that does not begin with `//!`");
}

#[test]
fn a_file_is_read_in_one_go() {
    let long = |source: &Source| {
        let lines = source.text.lines().count();
        (lines > 500).then(|| format!("{}: {lines} lines", source.path))
    };
    let found: Vec<String> = rust().iter().filter_map(long).collect();
    nothing(&found, "a file of more than 500 lines");
}

#[test]
fn lints_are_expected_with_a_reason() {
    // In two pieces, so that this file does not hold it.
    let words = [concat!("#[al", "low("), concat!("#![al", "low(")];
    let sources = rust();
    let found: Vec<String> = sources
        .iter()
        .flat_map(|source| words.iter().flat_map(|word| source.lines_with(word)))
        .collect();
    nothing(
        &found,
        "an attribute that should be `#[expect(.., reason = \"..\")]`",
    );
}

#[test]
fn modules_are_not_called_mod() {
    let found: Vec<String> = rust()
        .into_iter()
        .map(|source| source.path)
        .filter(|path| path.ends_with("/mod.rs"))
        .collect();
    nothing(&found, "a `mod.rs`: it is `name.rs` beside `name/`");
}

/// A clone works everywhere, so nothing in it says where it was made or where its packages come from.
#[test]
fn nothing_names_a_machine() {
    // In two pieces, so that this file does not hold them.
    let words = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("../sha", "red"),
        concat!("artif", "actory"),
        concat!("npmjs", ".org"),
        concat!("pythonhosted", ".org"),
        concat!("pypi", ".org"),
        concat!("index.crates", ".io"),
        concat!("static.crates", ".io"),
    ];
    let mut found = Vec::new();
    for path in files() {
        let Ok(text) = fs::read_to_string(root().join(&path)) else {
            continue;
        };
        for (number, line) in (1..).zip(text.lines()) {
            let hit = words.iter().find(|word| line.contains(**word));
            found.extend(hit.map(|word| format!("{path}:{number}: {word}")));
        }
    }
    nothing(&found, "a place that is only here");
}

#[track_caller]
fn nothing(found: &[String], what: &str) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn the_reader_of_these_rules_reads() {
    let text = "use a::b; // tokio\nlet x = \"tokio\\\" tokio\"; let c = '\"'; let r = r#\"\ntokio\"#; fn f<'a>() {}\ntokio!\n";
    let source = Source {
        path: "daemon/src/store/events.rs".to_owned(),
        text: text.to_owned(),
        code: code(text),
    };
    assert_eq!(source.lines_with("tokio").len(), 1, "{}", source.code);
    assert_eq!(source.lines_with("tok").len(), 0);
    let text = "use crate::{http, a::{b, c}}; use super::super::app::App; use super::Store; my_crate::x; crate::d::<T>()";
    let source = Source {
        code: code(text),
        ..source
    };
    assert_eq!(
        source.names("daemon/src"),
        ["http", "a::b", "a::c", "d", "app::App", "store::Store"]
    );
    assert!(within("runtime::link::Link", "runtime::link") && !within("runtimes", "runtime"));
}
