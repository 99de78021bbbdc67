//! Settings that are one of a few words.

use serde::{Deserialize, Serialize};

/// How a sandbox is kept apart from its host.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxKind {
    /// The strictest kind that works on this machine.
    #[default]
    Auto,
    /// Namespaces, by bubblewrap.
    Bwrap,
    /// A private directory and no isolation.
    Directory,
}

impl SandboxKind {
    /// Every kind with its word.
    pub const ALL: [(&str, Self); 3] = [
        ("auto", Self::Auto),
        ("bwrap", Self::Bwrap),
        ("directory", Self::Directory),
    ];

    /// The word for it in settings and on the wire.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// How much codex may do by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CodexMode {
    /// It reads, and asks before it edits.
    ReadOnly,
    /// It edits its workspace, and asks to leave it.
    #[default]
    WorkspaceWrite,
    /// It asks for nothing.
    AgentFullAccess,
}

impl CodexMode {
    /// Every mode with its word.
    pub const ALL: [(&str, Self); 3] = [
        ("read-only", Self::ReadOnly),
        ("workspace-write", Self::WorkspaceWrite),
        ("agent-full-access", Self::AgentFullAccess),
    ];

    /// The word for it in settings and for codex.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_word_here_and_on_the_wire() {
        for (word, kind) in SandboxKind::ALL {
            assert_eq!(kind.as_str(), word);
            assert_eq!(serde_json::json!(kind), word);
        }
        for (word, mode) in CodexMode::ALL {
            assert_eq!(mode.as_str(), word);
            assert_eq!(serde_json::json!(mode), word);
        }
    }
}
