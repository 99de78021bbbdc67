//! The variables that are configuration: each key's own, `FOUNTAIN_` and its path in capitals with `__` between tables, and the aliases.

use std::collections::BTreeMap;

use super::given::Given;
use super::keys::Found;
use super::{Draft, Place, keys, nearest};

const PREFIX: &str = "FOUNTAIN_";

/// Sets what the environment sets. An empty variable counts as one that is not set.
pub(super) fn read(draft: &mut Draft, environment: &[(String, String)]) {
    // Of a name that comes twice the last one counts, as in a shell.
    let given: BTreeMap<&str, &str> = environment
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .filter(|(_, value)| !value.is_empty())
        .collect();
    let found: Vec<(Found, String)> = keys::all().map(|found| (found, found.variable())).collect();
    for (found, _) in &found {
        if let Some(alias) = found.key.alias
            && let Some(value) = given.get(alias)
        {
            set(draft, found, alias, word(value));
        }
    }
    // Whole tables go before their entries, which are stronger.
    let mut entries = Vec::new();
    for (name, value) in &given {
        let Some(rest) = name.strip_prefix(PREFIX) else {
            continue;
        };
        let exact = found
            .iter()
            .find(|(found, variable)| variable == name && !found.key.path.ends_with('*'));
        if let Some((found, _)) = exact {
            set(draft, found, name, word(value));
        } else if rest.contains("__") {
            entries.push((*name, rest, *value));
        }
    }
    for (name, rest, value) in entries {
        let map = found.iter().find_map(|(found, variable)| {
            let entry = name.strip_prefix(variable.as_str())?.strip_prefix("__")?;
            let named = !entry.is_empty() && found.slot(&mut draft.settings.clone()).is_map();
            named.then_some((found, entry))
        });
        match map {
            Some((found, entry)) => {
                // Names of variables are the user's own; other free keys are written small like ours.
                let free = found.key.path.ends_with('*');
                let entry = match free {
                    true => entry.to_lowercase().replace("__", "."),
                    false => entry.to_owned(),
                };
                set(draft, found, name, Given::Table(vec![(entry, word(value))]));
            }
            None => {
                let parts: Vec<String> = rest.split("__").map(str::to_lowercase).collect();
                let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
                let hint = nearest::suggest(&parts, spell);
                let place = Place::Variable(name.to_owned());
                draft.mistake(place, format!("this is not a setting; {hint}"));
            }
        }
    }
}

fn set(draft: &mut Draft, found: &Found, name: &str, given: Given) {
    draft.set(found, &given, Place::Variable(name.to_owned()));
}

fn word(value: &str) -> Given {
    Given::Word(value.to_owned())
}

/// A path as its variable.
fn spell(path: &str) -> String {
    let path = path.replace('.', "__").replace('-', "_");
    format!("{PREFIX}{}", path.to_uppercase())
}
