//! Sizes in bytes as people write them: `64MiB`, `10GiB`, or a bare number of bytes.

/// The units that are understood, with their bytes; the binary ones first, from large to small, are also written.
const UNITS: [(&str, u64); 10] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("B", 1),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("KB", 1_000),
    ("kB", 1_000),
];

/// The largest size that is accepted, in bytes: what a signed 64-bit column holds.
pub const MAX: u64 = i64::MAX as u64;

/// Why a text is not a size; the message is a sentence for the person who wrote it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It does not begin with a whole number.
    #[error("a size begins with a whole number, as in `64MiB`, `10GiB` or a number of bytes")]
    NoNumber,
    /// The unit is none of ours.
    #[error("`{0}` is not a unit: the units are KiB, MiB, GiB, TiB, kB, MB, GB, TB and B")]
    UnknownUnit(String),
    /// More than [`MAX`] bytes.
    #[error("the size is too large")]
    TooLarge,
}

/// Reads a size to bytes.
pub fn parse(text: &str) -> Result<u64, Unreadable> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit());
    let (number, unit) = text.split_at(digits.unwrap_or(text.len()));
    if number.is_empty() || unit.starts_with(['.', ',']) {
        return Err(Unreadable::NoNumber);
    }
    let unit = unit.trim_start();
    let bytes = match UNITS.iter().find(|(name, _)| *name == unit) {
        Some((_, bytes)) => *bytes,
        None if unit.is_empty() => 1,
        None => return Err(Unreadable::UnknownUnit(unit.to_owned())),
    };
    let number = number.parse::<u64>().ok();
    number
        .and_then(|number| number.checked_mul(bytes))
        .filter(|size| *size <= MAX)
        .ok_or(Unreadable::TooLarge)
}

/// Writes a size in the largest binary unit that divides it, which [`parse`] reads back.
pub fn format(bytes: u64) -> String {
    let binary = UNITS.iter().take(5);
    let mut fitting = binary.filter(|(_, unit)| bytes >= *unit && bytes.is_multiple_of(*unit));
    match fitting.next() {
        Some((name, unit)) => format!("{}{name}", bytes / unit),
        None => "0B".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_spelling_is_read() {
        for (text, bytes) in [
            ("0", 0),
            ("1234", 1234),
            ("12B", 12),
            ("4KiB", 4096),
            ("64MiB", 64 << 20),
            ("10GiB", 10 << 30),
            ("2TiB", 2 << 40),
            ("5kB", 5_000),
            ("5KB", 5_000),
            ("5MB", 5_000_000),
            ("5GB", 5_000_000_000),
            ("5TB", 5_000_000_000_000),
            (" 64 MiB ", 64 << 20),
        ] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_told_in_a_sentence() {
        let units = "is not a unit: the units are KiB, MiB, GiB, TiB, kB, MB, GB, TB and B";
        let number =
            "a size begins with a whole number, as in `64MiB`, `10GiB` or a number of bytes";
        for (text, sentence) in [
            ("", number.to_owned()),
            ("much", number.to_owned()),
            ("-1", number.to_owned()),
            ("1.5GiB", number.to_owned()),
            ("64M", format!("`M` {units}")),
            ("64mib", format!("`mib` {units}")),
            ("8388608TiB", "the size is too large".to_owned()),
            ("18446744073709551616", "the size is too large".to_owned()),
        ] {
            assert_eq!(parse(text).expect_err(text).to_string(), sentence);
        }
    }

    #[test]
    fn the_largest_unit_is_written() {
        for (bytes, text) in [
            (0, "0B"),
            (1_000, "1000B"),
            (1_024, "1KiB"),
            (1_536, "1536B"),
            (64 << 20, "64MiB"),
            (10 << 30, "10GiB"),
        ] {
            assert_eq!(format(bytes), text);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(bytes in 0..=MAX) {
            prop_assert_eq!(parse(&format(bytes)), Ok(bytes));
        }
    }
}
