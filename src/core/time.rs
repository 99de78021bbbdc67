//! Points in time as plain numbers. Nothing here reads a clock: time is an argument everywhere in the core.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Milliseconds since 1970-01-01T00:00:00Z, by the wall clock.
///
/// On the wire it is ISO-8601 in UTC with milliseconds and `Z`; in the store it is the integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// This moment plus a span; saturates at the end of time instead of overflowing.
    pub fn plus(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)),
        )
    }

    /// The span from `earlier` to this moment, zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(at) => write!(f, "{at:.3}"),
            Err(_) => f.write_str("9999-12-30T22:00:00.000Z"),
        }
    }
}

impl std::str::FromStr for Timestamp {
    type Err = jiff::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<jiff::Timestamp>()
            .map(|at| Self(at.as_millisecond()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_iso_8601_with_milliseconds() {
        assert_eq!(
            Timestamp(1_788_772_442_113).to_string(),
            "2026-09-07T09:14:02.113Z"
        );
        assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(
            "2026-09-07T09:14:02.113Z".parse::<Timestamp>().unwrap(),
            Timestamp(1_788_772_442_113)
        );
    }

    #[test]
    fn arithmetic_saturates() {
        assert_eq!(
            Timestamp(i64::MAX).plus(Duration::from_secs(9)),
            Timestamp(i64::MAX)
        );
        assert_eq!(Timestamp(5).since(Timestamp(9)), Duration::ZERO);
        assert!(Timestamp(i64::MAX).to_string().ends_with('Z'));
    }
}
