//! The end-to-end tests, one binary: the real program, the real database, the real demo agent.
//!
//! Each file holds the promises of one part of the product. [`kit`] gives a test a HOME of its own, a daemon, a
//! terminal, an editor and an HTTP client, and checks at its end that nothing is left. Nothing but loopback is
//! needed, except by `clients` and `runtimes`, which install real programs from a registry once.
//!
//! | variable | meaning |
//! |---|---|
//! | `UPDATE=1` | `generated` rewrites `completions/` and `man/` instead of comparing |
//! | `FOUNTAIN_TEST_SEED` | the seed of the randomised tests; each prints the one it used |
//! | `FOUNTAIN_TEST_ROUNDS` | how often `soak` repeats itself, 1 by default |
//! | `FOUNTAIN_TEST_OFFLINE` | when set, what needs a package registry is skipped |

#![expect(
    clippy::unwrap_used,
    reason = "what a test cannot go on without ends it"
)]

mod acp;
mod agents;
mod architecture;
mod auth;
mod autostart;
mod clients;
mod conv;
mod generated;
mod guides;
mod kit;
mod policy;
mod registry;
mod requests;
mod restart;
mod run;
mod runtimes;
mod serve;
mod soak;
mod stream;
mod verify;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A file that no `mod` line names would never be compiled, and its tests would never fail.
#[test]
fn no_forgotten_files() {
    for (root, folder) in [("main.rs", ""), ("kit.rs", "kit")] {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let text = fs::read_to_string(tests.join(root)).unwrap();
        let named: BTreeSet<String> = text
            .lines()
            .filter_map(|line| line.split("mod ").nth(1)?.strip_suffix(';'))
            .map(str::to_owned)
            .collect();
        let found: BTreeSet<String> = fs::read_dir(tests.join(folder))
            .unwrap()
            .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
            .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
            .filter(|name| name != "main")
            .collect();
        assert_eq!(named, found, "the `mod` lines of tests/{root}");
    }
}
