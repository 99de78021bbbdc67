//! Values out of what was given: each says `None` to a wrong type and a sentence to a wrong value.

use std::collections::BTreeMap;
use std::str::FromStr as _;
use std::time::Duration;

use core::net::{Ipv4Addr, SocketAddr};

use super::given::Given;
use super::size;
use crate::duration;

/// The longest duration a setting takes: ten years, so that no deadline leaves the calendar.
const LONGEST: Duration = Duration::from_hours(24 * 3650);

/// Reads an address to listen on: an IP address or `localhost`, and a port.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let text = text.trim();
    if let Some(port) = text.strip_prefix("localhost:")
        && let Ok(port) = port.parse::<u16>()
    {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    SocketAddr::from_str(text).map_err(|_| {
        "an address is an IP address and a port, as in `127.0.0.1:4780` or `[::1]:4780`".to_owned()
    })
}

pub(super) fn cannot(value: &str, why: impl std::fmt::Display) -> String {
    format!("cannot be `{value}`: {why}")
}

pub(super) fn text(given: &Given) -> Option<&str> {
    match given {
        Given::Word(text) | Given::Text(text) => Some(text),
        _ => None,
    }
}

pub(super) fn filled(text: &str) -> Result<&str, String> {
    if text.trim().is_empty() {
        return Err("cannot be empty: leave the key out instead".to_owned());
    }
    Ok(text)
}

pub(super) fn flag(given: &Given) -> Option<bool> {
    match given {
        Given::Flag(flag) => Some(*flag),
        Given::Word(word) => match word.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Some(true),
            "false" | "0" | "no" | "off" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A whole number; `None` for something else.
pub(super) fn whole(given: &Given, most: u64) -> Option<Result<u64, String>> {
    let number = match given {
        Given::Whole(number) => *number,
        Given::Word(word) => Some(word.trim().parse::<i128>().ok()?),
        _ => return None,
    };
    let number = number.and_then(|number| u64::try_from(number).ok());
    Some(
        number
            .filter(|number| *number <= most)
            .ok_or_else(|| format!("must be a whole number from 0 to {most}")),
    )
}

/// The text of what may have a unit; `None` for something else.
pub(super) fn quantity(given: &Given) -> Option<Result<String, String>> {
    match given {
        Given::Word(text) | Given::Text(text) => Some(Ok(text.trim().to_owned())),
        Given::Whole(Some(number)) if *number >= 0 => Some(Ok(number.to_string())),
        Given::Whole(Some(_)) => Some(Err("cannot be negative".to_owned())),
        Given::Whole(None) => Some(Err("is too large".to_owned())),
        _ => None,
    }
}

pub(super) fn time(text: &str) -> Result<Duration, String> {
    let time = duration::parse(text).map_err(|why| cannot(text, why))?;
    if time > LONGEST {
        let longest = duration::format(LONGEST);
        return Err(cannot(text, format!("at most {longest}")));
    }
    Ok(time)
}

pub(super) fn bytes(text: &str) -> Result<u64, String> {
    size::parse(text).map_err(|why| cannot(text, why))
}

pub(super) fn choice<T: Copy>(given: &Given, all: &[(&str, T)], wrong: &str) -> Result<T, String> {
    let word = text(given).ok_or(wrong)?.trim();
    let found = all.iter().find(|(name, _)| *name == word);
    let names: Vec<String> = all.iter().map(|(name, _)| format!("`{name}`")).collect();
    found
        .map(|(_, value)| *value)
        .ok_or_else(|| cannot(word, format!("the choices are {}", names.join(", "))))
}

pub(super) fn list(given: &Given, separator: char) -> Option<Vec<String>> {
    match given {
        Given::Word(text) => {
            let parts = text.split(separator).map(str::trim);
            Some(
                parts
                    .filter(|part| !part.is_empty())
                    .map(str::to_owned)
                    .collect(),
            )
        }
        Given::List(values) => values
            .iter()
            .map(|value| text(value).map(str::to_owned))
            .collect(),
        _ => None,
    }
}

/// Joins words to a line from which a shell makes the same words.
pub(super) fn quoted(words: &[Given]) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    let quote = |word: &str| match word.is_empty() || !word.chars().all(plain) {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => word.to_owned(),
    };
    let words: Option<Vec<String>> = words.iter().map(|word| text(word).map(quote)).collect();
    Some(words?.join(" "))
}

/// The entries of a table, which a variable may hold inline; `None` for something else.
pub(super) fn table(given: &Given) -> Option<Result<Vec<(String, Given)>, String>> {
    match given {
        Given::Table(table) => Some(Ok(table.clone())),
        Given::Word(text) => match Given::parse(text) {
            Ok(Given::Table(table)) => Some(Ok(table)),
            _ => Some(Err(
                "must be a table such as `{ NAME = \"value\" }`".to_owned()
            )),
        },
        _ => None,
    }
}

pub(super) fn free(
    slot: &mut BTreeMap<String, String>,
    above: &str,
    table: Vec<(String, Given)>,
) -> Result<(), String> {
    for (name, value) in table {
        let key = format!("{above}{name}");
        match value {
            Given::Table(table) => free(slot, &format!("{key}."), table)?,
            value => {
                let text = value.scalar().ok_or_else(|| {
                    format!(
                        "must have texts for values, but `{key}` is {}",
                        value.noun()
                    )
                })?;
                slot.insert(key, text);
            }
        }
    }
    Ok(())
}
