//! The wall clock as a value, so that whoever needs the time is given it.

use std::time::SystemTime;

use fountain_core::time::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// This moment.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Clock for System {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}
