//! The key that was probably meant by one that does not exist.

use std::collections::BTreeSet;

use strsim::osa_distance;

use super::keys;

/// Names beyond this many bytes resemble no key and are not compared.
const LONGEST: usize = 100;

/// What to say about a name nobody knows, `parts` being its path: the nearest key, else the keys of its table.
/// `spell` writes a path the way the person would write it.
pub(super) fn suggest(parts: &[&str], spell: impl Fn(&str) -> String) -> String {
    let candidates: BTreeSet<String> = keys::all()
        .flat_map(|found| {
            let parts: Vec<_> = found.parts().collect();
            (1..=parts.len()).map(move |end| parts[..end].join("."))
        })
        .collect();
    let scored = candidates
        .iter()
        .filter_map(|path| Some((score(parts, path)?, path)));
    if let Some((_, path)) = scored.min() {
        return format!("did you mean `{}`?", spell(path));
    }
    let above = parts[..parts.len().saturating_sub(1)].join(".");
    let siblings: Vec<String> = candidates
        .iter()
        .filter(|path| path.rsplit_once('.').map_or("", |(table, _)| table) == above)
        .map(|path| format!("`{}`", spell(path)))
        .collect();
    match siblings.is_empty() {
        true => "there is none like it".to_owned(),
        false => format!("there are {}", siblings.join(", ")),
    }
}

/// How far a key is from what was written, small for near; `None` when it is not alike at all.
/// Of keys equally alike the one whose whole path is nearer comes first.
fn score(parts: &[&str], path: &str) -> Option<(usize, usize)> {
    // A variable cannot show which of the two it means.
    let written = parts.join(".").to_lowercase().replace('-', "_");
    let path = &path.replace('-', "_");
    let last = parts.last()?.to_lowercase();
    let name = path.rsplit('.').next()?;
    if written.len() > LONGEST {
        return None;
    }
    // The same place, or the right name in the wrong table, or the name with its words apart.
    let whole = osa_distance(&written, path);
    let elsewhere = osa_distance(&last, name) + 1;
    let apart = osa_distance(&written.replace('.', "_"), name) + 1;
    let length = last.chars().count();
    let enough = if length < 3 { 1 } else { 1 + length / 4 };
    let near = whole.min(elsewhere).min(apart);
    (near <= enough).then_some((near, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_suggested() {
        for (written, meant) in [
            ("limits.ask_celing", "did you mean `limits.ask_ceiling`?"),
            ("limits.Ask_Ceiling", "did you mean `limits.ask_ceiling`?"),
            ("limit.ask_ceiling", "did you mean `limits.ask_ceiling`?"),
            ("limit", "did you mean `limits`?"),
            ("ask_ceiling", "did you mean `limits.ask_ceiling`?"),
            ("ask.ceiling", "did you mean `limits.ask_ceiling`?"),
            ("limits.listen", "did you mean `listen`?"),
            ("listn", "did you mean `listen`?"),
            ("runtimes.cluade", "did you mean `runtimes.claude`?"),
            (
                "runtimes.claude.mode",
                "did you mean `runtimes.codex.mode`?",
            ),
            (
                "stream.beat",
                "there are `stream.heartbeat`, `stream.idle_close`",
            ),
            ("no.such.thing", "there is none like it"),
        ] {
            let parts: Vec<&str> = written.split('.').collect();
            assert_eq!(suggest(&parts, str::to_owned), meant, "{written}");
        }
    }
}
