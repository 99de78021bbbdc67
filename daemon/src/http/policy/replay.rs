//! What a policy would have done about recorded requests, counted. Each is decided by the core, under what its own
//! launch asked for.

use std::collections::{BTreeMap, HashMap};

use fountain_core::api::policy::{Change, Kind, Replayed};
use fountain_core::policy::{Effective, Policy, Tool, Verdict, compare};
use serde_json::Value;

use crate::store::decisions::Recorded;

/// How many titles are shown of each kind.
const EXAMPLES: usize = 3;
/// The longest of them, in characters.
const LONGEST: usize = 200;

/// A replay on its way.
pub(super) struct Replay {
    policy: Policy,
    /// The layers of launches, by their text: many conversations share theirs.
    launches: HashMap<(Option<String>, Option<String>), Effective>,
    found: BTreeMap<(Verdict, Verdict), Kinds>,
}

/// How many of each kind, and the titles of some.
type Kinds = BTreeMap<String, (u64, Vec<String>)>;

impl Replay {
    pub(super) fn new(policy: Policy) -> Self {
        Self {
            policy,
            launches: HashMap::new(),
            found: BTreeMap::new(),
        }
    }

    pub(super) fn take(&mut self, recorded: &Recorded) {
        // A word that no version wrote counts as the strictest, as a stored policy's would.
        let before = Verdict::parse(&recorded.verdict).unwrap_or(Verdict::AutoDeny);
        let texts = (
            recorded.launch_policy.clone(),
            recorded.parent_policies.clone(),
        );
        let policy = &self.policy;
        let effective = self
            .launches
            .entry(texts)
            .or_insert_with_key(|(launch, parents)| {
                layers(policy, launch.as_deref(), parents.as_deref())
            });
        let after = effective
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

fn layers(policy: &Policy, launch: Option<&str>, parents: Option<&str>) -> Effective {
    let parents: Vec<Value> = parents
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    Effective {
        agent: policy.clone(),
        launch: Policy::stored(launch),
        parents: parents
            .iter()
            .map(|layer| Policy::stored(Some(&layer.to_string())))
            .collect(),
    }
}
