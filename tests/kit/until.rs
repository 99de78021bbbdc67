//! Waiting for a condition. Nothing else in these tests waits.

use std::fmt::Debug;
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take. Far more than it does take: a deadline is not a measurement.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// Looks again and again until what is seen is good, and gives it.
///
/// # Panics
/// When it is not good in time, with what was seen last.
#[track_caller]
pub(crate) fn until<T: Debug>(what: &str, look: impl FnMut() -> T, good: impl Fn(&T) -> bool) -> T {
    until_within(PATIENCE, what, look, good)
}

/// The same with another deadline.
#[track_caller]
pub(super) fn until_within<T: Debug>(
    patience: Duration,
    what: &str,
    mut look: impl FnMut() -> T,
    good: impl Fn(&T) -> bool,
) -> T {
    let end = Instant::now() + patience;
    let mut pause = Duration::from_millis(2);
    loop {
        let seen = look();
        if good(&seen) {
            return seen;
        }
        assert!(
            Instant::now() < end,
            "waited {patience:?} for this: {what}; seen last: {seen:#?}"
        );
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(100));
    }
}
