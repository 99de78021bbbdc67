//! Permission policies: which tools run, which wait for a person, which never run. A policy is read as it is;
//! two are never merged into one, so a title can never slip past a kind.

mod explain;
mod launch;
mod layers;
mod parse;
mod suspicious;

use serde::{Deserialize, Serialize};

pub use explain::{Explained, Layer, compare};
pub use launch::{Widens, narrows};
pub use layers::{layers_text, stored_layers};
pub use parse::{Invalid, MAX_ASK_TIMEOUT, MAX_KEY};
pub use suspicious::Suspicious;

/// What happens before a tool runs. Ordered from loose to strict, so the stricter of two is their maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The tool is permitted.
    AutoAllow,
    /// A person answers.
    Ask,
    /// The tool is refused.
    AutoDeny,
}

impl Verdict {
    /// All, from loose to strict.
    pub const ALL: [Self; 3] = [Self::AutoAllow, Self::Ask, Self::AutoDeny];

    /// The word in a policy.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AutoAllow => "auto_allow",
            Self::Ask => "ask",
            Self::AutoDeny => "auto_deny",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|verdict| verdict.as_str() == text)
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// ACP's tool kinds: the safe vocabulary of a policy.
pub const KINDS: [&str; 10] = [
    "read",
    "edit",
    "delete",
    "move",
    "search",
    "execute",
    "think",
    "fetch",
    "switch_mode",
    "other",
];

/// The key that covers every request no other key names.
pub const DEFAULT: &str = "default";
/// The one key that names no tool: seconds a request may outlive its turn.
pub const ASK_TIMEOUT: &str = "ask_timeout";

/// One layer: the map as it was written, in its order. Two are equal whatever their orders.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    verdicts: Vec<(String, Verdict)>,
    /// Seconds, 1 to [`MAX_ASK_TIMEOUT`].
    ask_timeout: Option<u32>,
}

/// What a tool call is, as far as a policy looks at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tool<'a> {
    /// The title on the tool card: the agent's own words.
    pub title: Option<&'a str>,
    /// ACP's kind as the agent wrote it; absent counts as `other`.
    pub kind: Option<&'a str>,
}

/// Which key decided. The title itself is never kept: it may be a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// A key equal to the title.
    Title,
    /// A kind.
    Kind(String),
    /// `default`.
    Default,
    /// No key at all: the request is permitted.
    Nothing,
}

impl Key {
    /// The word for the trail: the kind, `default`, or `title`.
    pub fn word(&self) -> &str {
        match self {
            Self::Title => "title",
            Self::Kind(kind) => kind,
            Self::Default | Self::Nothing => DEFAULT,
        }
    }
}

/// A verdict and the key it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// The key.
    pub key: Key,
}

impl Policy {
    /// Decides one request by this layer alone: the exact title, then the kind, then `default`, then permit.
    ///
    /// A title that is itself a kind may only tighten, and `default` and `ask_timeout` are never titles: an
    /// agent chooses its titles, and must not choose its verdict.
    pub fn decide(&self, tool: Tool<'_>) -> Decision {
        let by_kind = self.decide_by_kind(tool.kind);
        let title = tool
            .title
            .filter(|title| !title.is_empty() && *title != DEFAULT && *title != ASK_TIMEOUT);
        match title.and_then(|title| Some((title, self.named(title)?))) {
            Some((title, verdict)) if !is_kind(title) || verdict > by_kind.verdict => Decision {
                verdict,
                key: Key::Title,
            },
            _ => by_kind,
        }
    }

    fn decide_by_kind(&self, kind: Option<&str>) -> Decision {
        let kind = kind.unwrap_or("other");
        if is_kind(kind)
            && let Some(verdict) = self.named(kind)
        {
            return Decision {
                verdict,
                key: Key::Kind(kind.to_owned()),
            };
        }
        match self.named(DEFAULT) {
            Some(verdict) => Decision {
                verdict,
                key: Key::Default,
            },
            None => Decision {
                verdict: Verdict::AutoAllow,
                key: Key::Nothing,
            },
        }
    }

    /// The verdict of a key that the policy names.
    pub fn named(&self, key: &str) -> Option<Verdict> {
        self.verdicts
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, verdict)| *verdict)
    }

    /// The verdict of a key, named or by `default`, else permit.
    pub fn resolved(&self, key: &str) -> Verdict {
        self.named(key)
            .or_else(|| self.named(DEFAULT))
            .unwrap_or(Verdict::AutoAllow)
    }

    /// The keys with a verdict, in the order they were written.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.verdicts.iter().map(|(key, _)| key.as_str())
    }

    /// Seconds a request may outlive its turn, if the policy says so.
    pub fn ask_timeout(&self) -> Option<u32> {
        self.ask_timeout
    }

    /// Whether any verdict is stricter than permit; such a policy needs a runtime that asks.
    pub fn needs_enforcement(&self) -> bool {
        self.verdicts
            .iter()
            .any(|(_, verdict)| *verdict != Verdict::AutoAllow)
    }

    /// Whether the policy says nothing at all.
    pub fn is_empty(&self) -> bool {
        self.verdicts.is_empty() && self.ask_timeout.is_none()
    }
}

impl PartialEq for Policy {
    fn eq(&self, other: &Self) -> bool {
        let same = |(key, verdict): &(String, Verdict)| other.named(key) == Some(*verdict);
        self.ask_timeout == other.ask_timeout
            && self.verdicts.len() == other.verdicts.len()
            && self.verdicts.iter().all(same)
    }
}

impl Eq for Policy {}

fn is_kind(word: &str) -> bool {
    KINDS.contains(&word)
}

/// The layers in force for one conversation, each whole. The strictest verdict counts, request by request, so
/// no layer can loosen another whatever its keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effective {
    /// The agent's, as it is at this moment.
    pub agent: Policy,
    /// The launch's, stored on the conversation.
    pub launch: Policy,
    /// What the conversation that started this one was under: itself layers, flattened, newest last.
    pub parents: Vec<Policy>,
}

impl Effective {
    fn layers(&self) -> impl Iterator<Item = &Policy> {
        [&self.agent, &self.launch].into_iter().chain(&self.parents)
    }

    /// Decides one request: the strictest layer, the first of them where several agree.
    pub fn decide(&self, tool: Tool<'_>) -> Decision {
        let mut strictest = self.agent.decide(tool);
        for layer in self.layers().skip(1) {
            let decision = layer.decide(tool);
            if decision.verdict > strictest.verdict {
                strictest = decision;
            }
        }
        strictest
    }

    /// Seconds a request may outlive its turn by policy. A launch's value counts only up to the agent's, and up
    /// to `ceiling` where the agent names none: longer is looser.
    pub fn ask_timeout(&self, ceiling: u32) -> Option<u32> {
        let mut bound = self.agent.ask_timeout;
        for layer in self.layers().skip(1) {
            if let Some(asked) = layer.ask_timeout {
                bound = Some(asked.min(bound.unwrap_or(ceiling)));
            }
        }
        bound
    }
}

#[cfg(test)]
mod tests;
