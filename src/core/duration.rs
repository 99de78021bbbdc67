//! Spans of time as people write and read them: `90s`, `15m`, `2h`, `3d`, `500ms`, `1h30m`, or a bare number of seconds.

use std::fmt::Write as _;
use std::time::Duration;

/// The units that are understood, from large to small, each with its length in milliseconds.
const UNITS: [(&str, u64); 5] = [
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

/// Why a text is not a duration; the message is a sentence for the person who wrote it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// There is nothing to read.
    #[error("a duration is missing: write one such as `90s`, `15m`, `2h` or `3d`")]
    Empty,
    /// A minus sign stands in front.
    #[error("a duration cannot be negative")]
    Negative,
    /// A number has a decimal point.
    #[error("a duration takes whole numbers: `1h30m` instead of `1.5h`")]
    Fraction,
    /// A unit or something else stands where a number belongs.
    #[error("there is no number before `{0}`: write a duration such as `90s`, `15m` or `2h`")]
    NoNumber(String),
    /// One number of several has no unit.
    #[error("`{0}` has no unit: the units are d, h, m, s and ms")]
    NoUnit(String),
    /// The unit is none of ours.
    #[error("`{0}` is not a unit: the units are d, h, m, s and ms")]
    UnknownUnit(String),
    /// A unit is repeated, or follows a smaller one.
    #[error("units go from large to small, each at most once, as in `1h30m`")]
    Order,
    /// More milliseconds than 64 bits hold.
    #[error("the duration is too long")]
    TooLong,
}

/// Reads a duration: a bare number of seconds, or whole numbers with units from large to small.
pub fn parse(text: &str) -> Result<Duration, Unreadable> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Unreadable::Empty);
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return milliseconds(text, 1_000).map(Duration::from_millis);
    }
    let (mut rest, mut total, mut larger) = (text, 0_u64, None);
    while !rest.is_empty() {
        let (number, after) = split(rest, |c| c.is_ascii_digit());
        match (number, after.chars().next()) {
            (_, Some('.' | ',')) => return Err(Unreadable::Fraction),
            ("", Some('-')) => return Err(Unreadable::Negative),
            ("", _) => return Err(Unreadable::NoNumber(rest.to_owned())),
            _ => {}
        }
        let (unit, after) = split(after.trim_start(), |c| !c.is_ascii_digit() && c != ' ');
        if unit.is_empty() {
            return Err(Unreadable::NoUnit(number.to_owned()));
        }
        let place = UNITS.iter().position(|(name, _)| *name == unit);
        let place = place.ok_or_else(|| Unreadable::UnknownUnit(unit.to_owned()))?;
        if larger.is_some_and(|larger| place <= larger) {
            return Err(Unreadable::Order);
        }
        larger = Some(place);
        total = milliseconds(number, UNITS[place].1)?
            .checked_add(total)
            .ok_or(Unreadable::TooLong)?;
        rest = after.trim_start();
    }
    Ok(Duration::from_millis(total))
}

/// Writes a duration in its shortest spelling, which [`parse`] reads back; anything below a millisecond is dropped.
///
/// Of two spellings of one length the one with the larger units is taken: `2h5m`, not `125m`.
pub fn format(duration: Duration) -> String {
    let total = whole_milliseconds(duration);
    let mut shortest: Option<String> = None;
    for largest in 0..UNITS.len() {
        let (mut rest, mut spelling) = (total, String::new());
        for (name, length) in &UNITS[largest..] {
            if rest >= *length {
                let _ = write!(spelling, "{}{name}", rest / length);
                rest %= length;
            }
        }
        let shorter = |best: &String| spelling.len() < best.len();
        if !spelling.is_empty() && shortest.as_ref().is_none_or(shorter) {
            shortest = Some(spelling);
        }
    }
    shortest.unwrap_or_else(|| "0s".to_owned())
}

/// Words a duration for people, in at most two neighbouring units and rounded down: `2 h 5 min`, `45 s`, `300 ms`.
pub fn words(duration: Duration) -> String {
    let total = whole_milliseconds(duration);
    let Some(first) = UNITS.iter().position(|(_, length)| total >= *length) else {
        return "0 s".to_owned();
    };
    let spoken = |(name, length): (&str, u64), of: u64| {
        let name = if name == "m" { "min" } else { name };
        format!("{} {name}", of / length)
    };
    let mut text = spoken(UNITS[first], total);
    let rest = total % UNITS[first].1;
    if let Some(next) = UNITS.get(first + 1)
        && next.0 != "ms"
        && rest >= next.1
    {
        text.push(' ');
        text.push_str(&spoken(*next, rest));
    }
    text
}

/// Splits off the longest beginning whose characters all `belong`.
fn split(text: &str, belong: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belong(c)).unwrap_or(text.len()))
}

/// Multiplies the digits of `number` by a unit's length.
fn milliseconds(number: &str, length: u64) -> Result<u64, Unreadable> {
    let number = number.parse::<u64>().ok();
    number
        .and_then(|number| number.checked_mul(length))
        .ok_or(Unreadable::TooLong)
}

fn whole_milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_spelling_is_read() {
        for (text, milliseconds) in [
            ("90", 90_000),
            ("0", 0),
            ("0s", 0),
            ("90s", 90_000),
            ("15m", 900_000),
            ("2h", 7_200_000),
            ("3d", 259_200_000),
            ("500ms", 500),
            ("1h30m", 5_400_000),
            ("1d2h3m4s5ms", 93_784_005),
            (" 1h 30m ", 5_400_000),
            ("5 m", 300_000),
            ("007s", 7_000),
        ] {
            assert_eq!(
                parse(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_duration_is_told_in_a_sentence() {
        for (text, sentence) in [
            (
                "",
                "a duration is missing: write one such as `90s`, `15m`, `2h` or `3d`",
            ),
            (
                "  ",
                "a duration is missing: write one such as `90s`, `15m`, `2h` or `3d`",
            ),
            ("-5s", "a duration cannot be negative"),
            (
                "1.5h",
                "a duration takes whole numbers: `1h30m` instead of `1.5h`",
            ),
            (
                "0,5",
                "a duration takes whole numbers: `1h30m` instead of `1.5h`",
            ),
            (
                "soon",
                "there is no number before `soon`: write a duration such as `90s`, `15m` or `2h`",
            ),
            ("1h30", "`30` has no unit: the units are d, h, m, s and ms"),
            (
                "5min",
                "`min` is not a unit: the units are d, h, m, s and ms",
            ),
            ("5M", "`M` is not a unit: the units are d, h, m, s and ms"),
            (
                "5s-2ms",
                "`s-` is not a unit: the units are d, h, m, s and ms",
            ),
            (
                "30m1h",
                "units go from large to small, each at most once, as in `1h30m`",
            ),
            (
                "1h1h",
                "units go from large to small, each at most once, as in `1h30m`",
            ),
            ("99999999999999999999", "the duration is too long"),
            ("18446744073709551615s", "the duration is too long"),
            (
                "213503982334d18446744073709551615ms",
                "the duration is too long",
            ),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(error.to_string(), sentence, "{text}");
        }
    }

    #[test]
    fn the_shortest_spelling_is_written() {
        for (milliseconds, text) in [
            (0, "0s"),
            (500, "500ms"),
            (1_500, "1500ms"),
            (90_000, "90s"),
            (300_000, "5m"),
            (3_600_000, "1h"),
            (5_400_000, "90m"),
            (7_500_000, "2h5m"),
            (86_400_000, "1d"),
            (5_184_000_000, "60d"),
        ] {
            assert_eq!(format(Duration::from_millis(milliseconds)), text);
        }
    }

    #[test]
    fn words_are_rounded_down_to_two_units() {
        for (milliseconds, text) in [
            (0, "0 s"),
            (300, "300 ms"),
            (1_900, "1 s"),
            (45_000, "45 s"),
            (125_000, "2 min 5 s"),
            (7_500_000, "2 h 5 min"),
            (7_205_000, "2 h"),
            (90_061_000, "1 d 1 h"),
        ] {
            assert_eq!(words(Duration::from_millis(milliseconds)), text);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(milliseconds: u64) {
            let duration = Duration::from_millis(milliseconds);
            prop_assert_eq!(parse(&format(duration)), Ok(duration));
        }

        #[test]
        fn round_numbers_are_read_back(count in 0_u64..10_000, unit in 0_usize..5) {
            let duration = Duration::from_millis(count * UNITS[unit].1);
            let text = format(duration);
            let longest = format!("{count}{}", UNITS[unit].0).len().max(2);
            prop_assert!(text.len() <= longest);
            prop_assert_eq!(parse(&text), Ok(duration));
        }

        #[test]
        fn no_text_makes_it_panic(text in "[0-9a-zµ٣ .,-]{0,24}") {
            let _ = parse(&text);
        }
    }
}
