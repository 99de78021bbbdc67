//! A key's place in the settings with the way its value is read; the writing is in `print.rs`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use core::net::SocketAddr;

use super::given::Given;
use super::read::{
    address, bytes, cannot, choice, filled, flag, free, list, quantity, quoted, table, text, time,
    whole,
};
use super::{CodexMode, Rate, SandboxKind, Secret};

/// One field of the settings. What is an `Option` of a number or a time is off by 0.
pub(super) enum Slot<'a> {
    Flag(&'a mut bool),
    Cents(&'a mut u64),
    Limit(&'a mut Option<u32>),
    Time(&'a mut Duration),
    TimeOrOff(&'a mut Option<Duration>),
    Bytes(&'a mut u64),
    BytesOrOff(&'a mut Option<u64>),
    Rate(&'a mut Option<Rate>),
    Address(&'a mut SocketAddr),
    Kind(&'a mut SandboxKind),
    Mode(&'a mut CodexMode),
    Text(&'a mut Option<String>),
    Command(&'a mut Option<String>),
    Secret(&'a mut Option<Secret>),
    Path(&'a mut Option<PathBuf>),
    /// Separated by `:` in a variable.
    Paths(&'a mut Vec<PathBuf>),
    /// Separated by `,` in a variable.
    Words(&'a mut Vec<String>),
    /// Names with secret values.
    Variables(&'a mut BTreeMap<String, Secret>),
    /// Any keys, nested ones joined by a point.
    Free(&'a mut BTreeMap<String, String>),
}

impl Slot<'_> {
    /// What it takes, to go after "must be".
    pub(super) fn wants(&self) -> &'static str {
        match self {
            Self::Flag(_) => "`true` or `false`",
            Self::Cents(_) => "a whole number of cents",
            Self::Limit(_) => "a whole number, 0 for no limit",
            Self::Time(_) => "a duration such as `90s` or `15m`, or a whole number of seconds",
            Self::TimeOrOff(_) => "a duration such as `90s` or `15m`, 0 for off",
            Self::Bytes(_) => "a size such as `64MiB`, or a whole number of bytes",
            Self::BytesOrOff(_) => "a size such as `10GiB`, 0 for no limit",
            Self::Rate(_) => "a rate such as `1200/min`, 0 for off",
            Self::Address(_) => "an address such as `127.0.0.1:4780`",
            Self::Kind(_) => "one of `auto`, `bwrap` and `directory`",
            Self::Mode(_) => "one of `read-only`, `workspace-write` and `agent-full-access`",
            Self::Text(_) | Self::Secret(_) => "a text",
            Self::Command(_) => "a command line, or a list of its words",
            Self::Path(_) => "a path",
            Self::Paths(_) => "a list of paths",
            Self::Words(_) => "a list of texts",
            Self::Variables(_) => "a table of names and texts",
            Self::Free(_) => "a table",
        }
    }

    /// Whether it takes names of the user's own.
    pub(super) fn is_map(&self) -> bool {
        matches!(self, Self::Variables(_) | Self::Free(_))
    }

    /// Takes the value that was given, or says what is wrong with it, to go after the key's name.
    pub(super) fn read(&mut self, given: &Given) -> Result<(), String> {
        let noun = match (&self, given) {
            (Self::Paths(_) | Self::Words(_) | Self::Command(_), Given::List(_)) => {
                "a list with something else in it".to_owned()
            }
            _ => given.noun(),
        };
        let wrong = format!("must be {}, not {noun}", self.wants());
        let other = || wrong.clone();
        match self {
            Self::Flag(slot) => **slot = flag(given).ok_or_else(other)?,
            Self::Cents(slot) => {
                let most = i64::MAX as u64;
                **slot = whole(given, most).unwrap_or_else(|| Err(other()))?;
            }
            Self::Limit(slot) => {
                let number = whole(given, u32::MAX.into()).unwrap_or_else(|| Err(other()))?;
                **slot = u32::try_from(number).ok().filter(|number| *number > 0);
            }
            Self::Time(slot) => **slot = time(&quantity(given).unwrap_or_else(|| Err(other()))?)?,
            Self::TimeOrOff(slot) => {
                let time = time(&quantity(given).unwrap_or_else(|| Err(other()))?)?;
                **slot = Some(time).filter(|time| !time.is_zero());
            }
            Self::Bytes(slot) => **slot = bytes(&quantity(given).unwrap_or_else(|| Err(other()))?)?,
            Self::BytesOrOff(slot) => {
                let bytes = bytes(&quantity(given).unwrap_or_else(|| Err(other()))?)?;
                **slot = Some(bytes).filter(|bytes| *bytes > 0);
            }
            Self::Rate(slot) => {
                let text = quantity(given).unwrap_or_else(|| Err(other()))?;
                **slot = Rate::parse(&text).map_err(|why| cannot(&text, why))?;
            }
            Self::Address(slot) => {
                let text = text(given).ok_or_else(other)?;
                **slot = address(text).map_err(|why| cannot(text, why))?;
            }
            Self::Kind(slot) => **slot = choice(given, &SandboxKind::ALL, &wrong)?,
            Self::Mode(slot) => **slot = choice(given, &CodexMode::ALL, &wrong)?,
            Self::Text(slot) => **slot = Some(filled(text(given).ok_or_else(other)?)?.to_owned()),
            Self::Command(slot) => {
                let line = match given {
                    Given::List(words) => quoted(words).ok_or_else(other)?,
                    _ => text(given).ok_or_else(other)?.to_owned(),
                };
                **slot = Some(filled(&line)?.to_owned());
            }
            Self::Secret(slot) => {
                **slot = Some(Secret::new(filled(text(given).ok_or_else(other)?)?));
            }
            Self::Path(slot) => {
                **slot = Some(PathBuf::from(filled(text(given).ok_or_else(other)?)?));
            }
            Self::Paths(slot) => {
                let paths = list(given, ':').ok_or_else(other)?;
                **slot = paths.into_iter().map(PathBuf::from).collect();
            }
            Self::Words(slot) => **slot = list(given, ',').ok_or_else(other)?,
            Self::Variables(slot) => {
                for (name, value) in table(given).unwrap_or_else(|| Err(other()))? {
                    if name.is_empty() || name.contains(['=', '\0']) {
                        return Err("has a name that no environment variable can have".to_owned());
                    }
                    let value = value.scalar().ok_or_else(|| {
                        format!(
                            "must have texts for values, but `{name}` is {}",
                            value.noun()
                        )
                    })?;
                    slot.insert(name, Secret::new(value));
                }
            }
            Self::Free(slot) => {
                let table = table(given).unwrap_or_else(|| Err(other()))?;
                free(slot, "", table)?;
            }
        }
        Ok(())
    }
}
