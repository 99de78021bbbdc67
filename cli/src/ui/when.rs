//! Moments and spans as people say them: two units at most.

use std::time::{Duration, SystemTime};

use fountain_core::time::Timestamp;

/// This moment.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// A span, rounded down: `4m58s`, `2h`, `3d4h`.
pub(crate) fn span(span: Duration) -> String {
    let seconds = span.as_secs();
    let units = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)];
    let first = units
        .iter()
        .position(|(_, length)| seconds >= *length)
        .unwrap_or(3);
    let (unit, length) = units[first];
    let mut text = format!("{}{unit}", seconds / length);
    if let Some((unit, length)) = units
        .get(first + 1)
        .filter(|(_, length)| seconds % units[first].1 >= *length)
    {
        text.push_str(&format!("{}{unit}", seconds % units[first].1 / length));
    }
    text
}

/// How long ago something was, roughly: one unit is enough for a list.
pub(crate) fn ago(then: Timestamp, now: Timestamp) -> String {
    let text = span(now.since(then));
    let end = text
        .find(|c: char| c.is_alphabetic())
        .map_or(text.len(), |at| at + 1);
    text[..end].to_owned()
}

/// How long until something; what is past is due.
pub(crate) fn until(then: Timestamp, now: Timestamp) -> String {
    if then <= now {
        "due".to_owned()
    } else {
        span(then.since(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_two_units_at_most() {
        for (seconds, expect) in [
            (0, "0s"),
            (59, "59s"),
            (60, "1m"),
            (298, "4m58s"),
            (3_600, "1h"),
            (3_659, "1h"),
            (7_260, "2h1m"),
            (86_400, "1d"),
            (360_000, "4d4h"),
        ] {
            assert_eq!(span(Duration::from_secs(seconds)), expect);
        }
    }

    #[test]
    fn moments_are_told_from_now() {
        let now = Timestamp(1_000_000_000);
        assert_eq!(ago(Timestamp(now.0 - 298_000), now), "4m");
        assert_eq!(ago(Timestamp(now.0 + 5), now), "0s");
        assert_eq!(until(Timestamp(now.0 + 298_999), now), "4m58s");
        assert_eq!(until(now, now), "due");
    }
}
