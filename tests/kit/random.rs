//! Chance that can be repeated.

use fastrand::Rng;

/// A generator whose seed is printed, so that what it led to can be led to again.
pub(crate) fn random() -> Rng {
    let seed = match std::env::var("FOUNTAIN_TEST_SEED") {
        Ok(text) => text.parse().expect("FOUNTAIN_TEST_SEED is a number"),
        Err(_) => fastrand::u64(..),
    };
    eprintln!("FOUNTAIN_TEST_SEED={seed}");
    Rng::with_seed(seed)
}
