//! How often something may happen: `1200/min`, `20/s`, `5000/h`.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// The windows that are written, with their seconds, and what else is read for them.
const WINDOWS: [(&str, u64, &[&str]); 3] = [
    ("s", 1, &["sec", "second"]),
    ("min", 60, &["m", "minute"]),
    ("h", 3600, &["hour"]),
];

/// At most so many in a window of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// How many.
    pub count: NonZeroU32,
    window: usize,
}

/// Why a text is not a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a rate is a whole number for each s, min or h, as in `1200/min`; 0 switches it off")]
pub struct Unreadable;

impl Rate {
    /// So many a minute; none is one.
    pub(super) const fn per_minute(count: u32) -> Self {
        let count = match NonZeroU32::new(count) {
            Some(count) => count,
            None => NonZeroU32::MIN,
        };
        Self { count, window: 1 }
    }

    /// The window of time in which they are counted.
    pub fn window(self) -> Duration {
        Duration::from_secs(WINDOWS[self.window].1)
    }

    /// Reads a rate; `None` is off, written as `0` or `off`. A bare number is for each minute.
    pub fn parse(text: &str) -> Result<Option<Self>, Unreadable> {
        let (count, window) = text.split_once('/').unwrap_or((text, "min"));
        let window = window.trim();
        let window = WINDOWS
            .iter()
            .position(|(name, _, others)| *name == window || others.contains(&window))
            .ok_or(Unreadable)?;
        if text.trim() == "off" {
            return Ok(None);
        }
        let count = u32::from_str(count.trim()).map_err(|_| Unreadable)?;
        Ok(NonZeroU32::new(count).map(|count| Self { count, window }))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.count, WINDOWS[self.window].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_read_and_written_back() {
        for (text, seconds, written) in [
            ("1200/min", 60, "1200/min"),
            ("1200", 60, "1200/min"),
            ("1200 / minute", 60, "1200/min"),
            ("20/s", 1, "20/s"),
            ("20/sec", 1, "20/s"),
            ("5000/hour", 3600, "5000/h"),
        ] {
            let rate = Rate::parse(text).expect(text).expect("it is on");
            assert_eq!(rate.window(), Duration::from_secs(seconds), "{text}");
            assert_eq!(rate.to_string(), written);
            assert_eq!(Rate::parse(written), Ok(Some(rate)));
        }
    }

    #[test]
    fn zero_is_off_and_nonsense_is_refused() {
        for text in ["0", "off", "0/s", " 0 / min "] {
            assert_eq!(Rate::parse(text), Ok(None), "{text}");
        }
        for text in [
            "",
            "fast",
            "10/",
            "10/day",
            "-1/s",
            "1.5/s",
            "10/min/s",
            "99999999999",
        ] {
            assert_eq!(Rate::parse(text), Err(Unreadable), "{text}");
        }
    }
}
