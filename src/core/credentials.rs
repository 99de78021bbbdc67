//! The text of the credentials file: one `[profile]` after the other, values in double quotes, comments with `#`.
//! Other programs read it too, so nothing else is ever written; what a person wrote beside it is kept.

use crate::settings::Secret;

/// The profile that is used when none is named.
pub const DEFAULT: &str = "default";
/// Where the owner of an instance goes when [`DEFAULT`] is taken.
pub const LOCAL: &str = "local";
/// The value of `storage` for a key that sits in the system's keyring.
pub const KEYRING: &str = "keyring";

/// Names that this module reads; a profile may hold others, which are kept.
const NAMES: [&str; 4] = ["api_key", "base_url", "storage", "selected"];

/// The file's text, taken apart and not changed where nobody changes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    /// Lines before the first profile.
    head: Vec<String>,
    sections: Vec<Section>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    /// Comments and blank lines right above the header.
    above: Vec<String>,
    name: String,
    lines: Vec<Line>,
}

#[derive(Clone, PartialEq, Eq)]
enum Line {
    /// A comment or a blank line.
    Other(String),
    /// `name = "value"`, with its text as it was written.
    Pair {
        name: String,
        value: String,
        text: String,
    },
}

/// No value is shown: one of them is a key.
impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Other(_) => f.write_str("Other"),
            Self::Pair { name, .. } => write!(f, "Pair({name})"),
        }
    }
}

/// What a profile says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The key; none when the keyring has it.
    pub api_key: Option<Secret>,
    /// The instance the key was saved for.
    pub base_url: Option<String>,
    /// Where the key is: none is this file, [`KEYRING`] the system's keyring.
    pub storage: Option<String>,
    /// Whether it is used when no profile is named.
    pub selected: bool,
}

impl Profile {
    /// Whether the key sits in the system's keyring.
    pub fn in_keyring(&self) -> bool {
        self.storage.as_deref() == Some(KEYRING)
    }

    /// Whether there is nothing in it that somebody could miss.
    pub fn is_blank(&self) -> bool {
        self.api_key.is_none() && !self.in_keyring()
    }
}

/// A line that belongs in no credentials file. Its text is not shown: it may be a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} is {what}; a credentials file has `[profile]` lines, `name = \"value\"` lines and `#` comments"
)]
pub struct Damaged {
    /// From 1.
    pub line: usize,
    /// What stands there.
    pub what: &'static str,
}

/// Something that other readers of the file would misread. The text itself is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// The profile's name.
    #[error(
        "a profile's name has 1 to 100 characters, and no brackets, quotes, `#`, `;`, control characters or outer spaces"
    )]
    Name,
    /// A value.
    #[error("a value of the credentials file cannot hold a double quote or a control character")]
    Value,
}

impl Credentials {
    /// Takes the text apart. An empty text is an empty file.
    ///
    /// # Errors
    /// Names the first line that belongs in no credentials file.
    pub fn parse(text: &str) -> Result<Self, Damaged> {
        let mut file = Self::default();
        let mut loose: Vec<String> = Vec::new();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (at, line) in text.lines().enumerate() {
            let damaged = |what| Damaged { line: at + 1, what };
            let plain = line.trim();
            if plain.is_empty() || plain.starts_with(['#', ';']) {
                loose.push(line.to_owned());
                continue;
            }
            if let Some(inner) = plain.strip_prefix('[') {
                let name = inner.split_once(']').map(|(name, _)| name.trim());
                let name = name.ok_or(damaged("a header without its `]`"))?;
                let above = std::mem::take(&mut loose);
                file.sections.push(Section {
                    above,
                    name: name.to_owned(),
                    lines: Vec::new(),
                });
                continue;
            }
            let (name, value) = plain
                .split_once('=')
                .ok_or(damaged("neither a header nor a value"))?;
            let section = file
                .sections
                .last_mut()
                .ok_or(damaged("a value before the first header"))?;
            section.lines.extend(loose.drain(..).map(Line::Other));
            section.lines.push(Line::Pair {
                name: name.trim().to_owned(),
                value: unquote(value).to_owned(),
                text: line.to_owned(),
            });
        }
        match file.sections.last_mut() {
            Some(last) => last.lines.extend(loose.into_iter().map(Line::Other)),
            None => file.head = loose,
        }
        Ok(file)
    }

    /// The names of all profiles, in the file's order, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for section in &self.sections {
            if !names.contains(&section.name.as_str()) {
                names.push(&section.name);
            }
        }
        names
    }

    /// A profile, when there is one of that name.
    pub fn get(&self, name: &str) -> Option<Profile> {
        self.sections.iter().find(|section| section.name == name)?;
        let value = |wanted| {
            self.value(name, wanted)
                .filter(|value| !value.is_empty())
                .map(str::to_owned)
        };
        Some(Profile {
            api_key: value("api_key").map(Secret::new),
            base_url: value("base_url"),
            storage: value("storage"),
            selected: self.value(name, "selected") == Some("true"),
        })
    }

    /// The profile that is used when none is named: the selected one, else [`DEFAULT`].
    pub fn selected(&self) -> &str {
        let names = self.names();
        let selected = names
            .into_iter()
            .find(|name| self.value(name, "selected") == Some("true"));
        selected.unwrap_or(DEFAULT)
    }

    /// Writes a profile, over one of the same name; values of it that this module does not know stay.
    ///
    /// # Errors
    /// When other readers of the file would misread it; nothing is changed then.
    pub fn set(&mut self, name: &str, profile: &Profile) -> Result<(), Unwritable> {
        check_name(name)?;
        let pairs = [
            profile.api_key.as_ref().map(Secret::expose),
            profile.base_url.as_deref(),
            profile.storage.as_deref(),
            profile.selected.then_some("true"),
        ];
        for value in pairs.iter().flatten() {
            if value.contains(|c: char| c == '"' || c.is_control()) {
                return Err(Unwritable::Value);
            }
        }
        let section = self.section(name);
        section.lines.retain(|line| match line {
            Line::Pair { name, .. } => !NAMES.contains(&name.as_str()),
            Line::Other(_) => true,
        });
        let written = NAMES
            .into_iter()
            .zip(pairs)
            .filter_map(|(name, value)| Some(pair(name, value?)));
        section.lines.splice(0..0, written);
        Ok(())
    }

    /// Removes a profile with its own comments; false when there is none of that name.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.sections.len();
        self.sections.retain(|section| section.name != name);
        self.sections.len() < before
    }

    /// Makes a profile the one that is used when none is named; false when there is none of that name.
    pub fn select(&mut self, name: &str) -> bool {
        if !self.sections.iter().any(|section| section.name == name) {
            return false;
        }
        for section in &mut self.sections {
            section
                .lines
                .retain(|line| !matches!(line, Line::Pair { name, .. } if name == "selected"));
        }
        if name != DEFAULT {
            self.section(name).lines.push(pair("selected", "true"));
        }
        true
    }

    /// Where the owner of an instance that starts for the first time goes: [`DEFAULT`] while nothing is in it,
    /// else [`LOCAL`].
    pub fn owners_place(&self) -> &'static str {
        match self.get(DEFAULT) {
            Some(profile) if !profile.is_blank() => LOCAL,
            _ => DEFAULT,
        }
    }

    /// The text of the file.
    pub fn render(&self) -> String {
        let mut text = String::new();
        let mut line = |line: &str| {
            text.push_str(line);
            text.push('\n');
        };
        self.head.iter().for_each(|head| line(head));
        for section in &self.sections {
            section.above.iter().for_each(|above| line(above));
            line(&format!("[{}]", section.name));
            for inner in &section.lines {
                match inner {
                    Line::Other(text) | Line::Pair { text, .. } => line(text),
                }
            }
        }
        text
    }

    /// The last value of that name counts, as in the other readers.
    fn value(&self, section: &str, wanted: &str) -> Option<&str> {
        let sections = self.sections.iter().filter(|found| found.name == section);
        let lines = sections.flat_map(|found| &found.lines);
        lines
            .filter_map(|line| match line {
                Line::Pair { name, value, .. } if name == wanted => Some(value.as_str()),
                _ => None,
            })
            .next_back()
    }

    /// The one section of that name; a new one goes first when it is the default, else to its place in the alphabet.
    fn section(&mut self, name: &str) -> &mut Section {
        let at = self
            .sections
            .iter()
            .position(|section| section.name == name);
        let at = at.unwrap_or_else(|| {
            let later = |section: &Section| {
                section.name != DEFAULT && (name == DEFAULT || section.name.as_str() > name)
            };
            let at = self.sections.iter().position(later);
            let at = at.unwrap_or(self.sections.len());
            let above = (at > 0).then(String::new);
            let section = Section {
                above: above.into_iter().collect(),
                name: name.to_owned(),
                lines: Vec::new(),
            };
            self.sections.insert(at, section);
            if at == 0
                && let Some(next) = self.sections.get_mut(1)
                && next.above.is_empty()
            {
                next.above.push(String::new());
            }
            at
        });
        // Some readers refuse a name that comes twice, so the parts of one become one.
        let twice: Vec<Section> = self
            .sections
            .extract_if(at + 1.., |other| other.name == name)
            .collect();
        let section = &mut self.sections[at];
        for other in twice {
            section
                .lines
                .extend(other.above.into_iter().map(Line::Other));
            section.lines.extend(other.lines);
        }
        section
    }
}

/// The name of a profile, as far as any reader of the file takes it.
///
/// # Errors
/// When some reader would not.
pub fn check_name(name: &str) -> Result<(), Unwritable> {
    let odd = |c: char| c.is_control() || "[]\"'#;".contains(c);
    if name.is_empty() || name.trim() != name || name.chars().count() > 100 || name.contains(odd) {
        return Err(Unwritable::Name);
    }
    Ok(())
}

fn pair(name: &str, value: &str) -> Line {
    Line::Pair {
        name: name.to_owned(),
        value: value.to_owned(),
        text: format!("{name} = \"{value}\""),
    }
}

/// What stands in the quotes, or the bare text. A missing end quote is forgiven, as the other readers do.
fn unquote(value: &str) -> &str {
    let value = value.trim();
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote) {
            return inner.split_once(quote).map_or(inner, |(inner, _)| inner);
        }
    }
    value
        .split_once(" #")
        .map_or(value, |(value, _)| value)
        .trim()
}

#[cfg(test)]
mod tests;
