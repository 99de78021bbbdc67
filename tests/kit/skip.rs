//! Leaving a test out, in a way that nobody reads as passed.

use std::io::Write as _;

/// Says that something is not tested here, and why. The test harness keeps back what the macros print, so this does
/// not use them.
pub(crate) fn skip(what: &str, why: &str) {
    let mut stderr = std::io::stderr().lock();
    writeln!(stderr, "\nSKIP {what}: {why}").unwrap();
}
