//! What a policy would have done about recorded requests, counted. Each is decided by the core, under what its own
//! launch asked for.

use std::collections::BTreeMap;

use fountain_core::api::policy::{Change, Kind, Replayed};
use fountain_core::policy::{Effective, Tool, Verdict, compare};

use crate::store::decisions::Recorded;

/// How many titles are shown of each kind.
const EXAMPLES: usize = 3;
/// The longest of them, in characters.
const LONGEST: usize = 200;

/// A replay on its way.
#[derive(Default)]
pub(super) struct Replay {
    found: BTreeMap<(Verdict, Verdict), Kinds>,
}

/// How many of each kind, and the titles of some.
type Kinds = BTreeMap<String, (u64, Vec<String>)>;

impl Replay {
    pub(super) fn take(&mut self, under: &Effective, recorded: &Recorded) {
        // A word that no version wrote counts as the strictest, as a stored policy's would.
        let before = Verdict::parse(&recorded.verdict).unwrap_or(Verdict::AutoDeny);
        let after = under
            .decide(Tool {
                title: recorded.title.as_deref(),
                kind: recorded.kind.as_deref(),
            })
            .verdict;
        let kind = recorded.kind.clone().unwrap_or_else(|| "other".into());
        let (count, examples) = self
            .found
            .entry((before, after))
            .or_default()
            .entry(kind)
            .or_default();
        *count += 1;
        if let Some(title) = &recorded.title
            && examples.len() < EXAMPLES
        {
            let title: String = title.chars().take(LONGEST).collect();
            if !examples.contains(&title) {
                examples.push(title);
            }
        }
    }

    pub(super) fn done(self) -> Replayed {
        let mut rows: Vec<Change> = self
            .found
            .into_iter()
            .map(|((before, after), kinds)| Change {
                before: before.to_string(),
                after: after.to_string(),
                change: compare(before, after).into(),
                count: kinds.values().map(|(count, _)| count).sum(),
                kinds: kinds
                    .into_iter()
                    .map(|(kind, (count, examples))| Kind {
                        kind,
                        count,
                        examples,
                    })
                    .collect(),
            })
            .collect();
        let rank = |change: &Change| match change.change.as_str() {
            "looser" => 0,
            "stricter" => 1,
            _ => 2,
        };
        rows.sort_by_key(|change| (rank(change), std::cmp::Reverse(change.count)));
        let changed = rows.iter().filter(|change| rank(change) < 2);
        Replayed {
            count: rows.iter().map(|change| change.count).sum(),
            changed: changed.map(|change| change.count).sum(),
            rows,
        }
    }
}
