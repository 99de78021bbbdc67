//! The configuration file's text, key by key, each with its line.

use std::collections::BTreeSet;

use toml::de::{DeTable, DeValue};

use super::given::Given;
use super::{Draft, File, Place, keys, nearest, print};

/// Sets what the text sets. A text that is no TOML sets nothing: what it meant is not guessed.
pub(super) fn read(draft: &mut Draft, file: File<'_>) {
    let (table, errors) = DeTable::parse_recoverable(file.text);
    if errors.is_empty() {
        walk(draft, file, &mut Vec::new(), table.get_ref());
        return;
    }
    draft.unknown = true;
    // One slip often sets off others on the same line.
    let mut lines = BTreeSet::new();
    for error in errors {
        let (line, column) = position(file.text, error.span().map_or(0, |span| span.start));
        if lines.insert(line) {
            let name = file.name.to_owned();
            let sentence = format!("this is not TOML: {}", error.message());
            draft.mistake(Place::File { name, line, column }, sentence);
        }
    }
}

fn walk<'t>(draft: &mut Draft, file: File<'_>, above: &mut Vec<&'t str>, table: &'t DeTable<'_>) {
    let place = |at: usize| {
        let (line, column) = position(file.text, at);
        let name = file.name.to_owned();
        Place::File { name, line, column }
    };
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    for (key, value) in entries {
        above.push(key.get_ref());
        let exact = keys::all().find(|found| found.parts().eq(above.iter().copied()));
        let table =
            keys::all().any(|found| found.parts().take(above.len()).eq(above.iter().copied()));
        match (exact, value.get_ref()) {
            (Some(found), value_given) => {
                draft.set(&found, &Given::from(value_given), place(value.span().start));
            }
            (None, DeValue::Table(inner)) if table => walk(draft, file, above, inner),
            (None, other) if table => {
                let path = above.join(".");
                let noun = Given::from(other).noun();
                draft.mistake(
                    place(value.span().start),
                    format!("`{path}` is a table of settings, not {noun}: write it as `[{path}]`"),
                );
            }
            (None, _) => {
                let hint = nearest::suggest(above, str::to_owned);
                let path: Vec<_> = above.iter().map(|part| print::key(part)).collect();
                draft.mistake(
                    place(key.span().start),
                    format!("`{}` is not a setting; {hint}", path.join(".")),
                );
            }
        }
        above.pop();
    }
}

/// The line and the column of a byte, both counted from 1, the column in characters.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (line, before[start..].chars().count() + 1)
}
