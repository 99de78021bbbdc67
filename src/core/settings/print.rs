//! Settings written as TOML that reads back to the same settings, with secrets masked.

use std::fmt::Write as _;

use toml::Value;

use super::slot::Slot;
use super::{MASK, Settings, Telemetry, keys, size};
use crate::duration;

impl Settings {
    /// The settings in effect as TOML. Secrets are masked, and a key without a value stands in a comment.
    pub fn print(&self) -> String {
        let mut settings = self.clone();
        let mut tables: Vec<(String, String)> = vec![(String::new(), String::new())];
        for found in keys::all() {
            let path = found.path();
            let (table, name) = path.rsplit_once('.').unwrap_or(("", &path));
            let runtime = table.strip_prefix("runtimes.");
            if runtime.is_some_and(|name| !self.runtimes.contains_key(name)) {
                continue;
            }
            let line = match found.slot(&mut settings).written() {
                Some(value) => format!("{name} = {value}\n"),
                None => format!("# {name} is not set\n"),
            };
            match tables.iter_mut().find(|(known, _)| known == table) {
                Some((_, lines)) => lines.push_str(&line),
                None => tables.push((table.to_owned(), line)),
            }
        }
        let mut out = String::new();
        for (table, lines) in tables {
            if !table.is_empty() {
                let _ = writeln!(out, "\n[{table}]");
            }
            out.push_str(&lines);
        }
        out
    }
}

impl Slot<'_> {
    /// The value as TOML with secrets masked; `None` where nothing is set.
    pub(super) fn written(&self) -> Option<String> {
        Some(match self {
            Self::Flag(flag) => flag.to_string(),
            Self::Cents(number) => number.to_string(),
            Self::Limit(limit) => limit.unwrap_or(0).to_string(),
            Self::Time(time) => quoted(&duration::format(**time)),
            Self::TimeOrOff(time) => time.map_or("0".to_owned(), |t| quoted(&duration::format(t))),
            Self::Bytes(bytes) => quoted(&size::format(**bytes)),
            Self::BytesOrOff(bytes) => bytes.map_or("0".to_owned(), |b| quoted(&size::format(b))),
            Self::Rate(rate) => rate.map_or("0".to_owned(), |rate| quoted(&rate.to_string())),
            Self::Address(address) => quoted(&address.to_string()),
            Self::Kind(kind) => quoted(kind.as_str()),
            Self::Mode(mode) => quoted(mode.as_str()),
            Self::Text(text) | Self::Command(text) => quoted(text.as_ref()?),
            Self::Secret(secret) => quoted(secret.as_ref().map(|_| MASK)?),
            Self::Path(path) => quoted(&path.as_ref()?.to_string_lossy()),
            Self::Paths(paths) => array(paths.iter().map(|path| path.to_string_lossy())),
            Self::Words(words) => array(words.iter()),
            Self::Variables(map) => table(map.keys().map(|name| (name, MASK))),
            Self::Free(map) => table(map.iter().map(|(key, value)| {
                let secret = Telemetry::is_secret(key);
                (key, if secret { MASK } else { value.as_str() })
            })),
        })
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn array(texts: impl Iterator<Item: AsRef<str>>) -> String {
    let texts: Vec<String> = texts.map(|text| quoted(text.as_ref())).collect();
    format!("[{}]", texts.join(", "))
}

/// A key, quoted where TOML wants it.
pub(super) fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !name.is_empty() && name.chars().all(bare) {
        true => name.to_owned(),
        false => quoted(name),
    }
}

/// An inline table.
fn table<'a>(entries: impl Iterator<Item = (&'a String, &'a str)>) -> String {
    let entries: Vec<String> = entries
        .map(|(name, value)| format!("{} = {}", key(name), quoted(value)))
        .collect();
    match entries.is_empty() {
        true => "{}".to_owned(),
        false => format!("{{ {} }}", entries.join(", ")),
    }
}
