//! Identifiers as types of their own, and their text form. Nothing here makes a fresh one: that takes
//! a clock or chance, which the daemon has.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }
    };
}

uuid_id!(
    /// An agent: a runtime, its settings and its policy.
    AgentId
);
uuid_id!(
    /// A conversation; also the ACP session id that an editor sees.
    ConversationId
);
uuid_id!(
    /// One prompt and everything until its ending.
    TurnId
);
uuid_id!(
    /// A sandbox: a disk and the processes in it.
    SandboxId
);
uuid_id!(
    /// An API key (its row, never its secret).
    KeyId
);

/// The public id of a permission request: `<the agent's JSON-RPC id>.<16 hex digits>`. Agents number
/// their requests from 0 again in each process, so the second half makes it unguessable and unique.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(String);

impl RequestId {
    /// Joins the agent's own id (as JSON text, `7` or `"a"`) and 64 random bits.
    pub fn new(agents_id: &str, random: u64) -> Self {
        let plain: String = agents_id
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            .take(40)
            .collect();
        Self(format!("{plain}.{random:016x}"))
    }

    /// Takes an id as it came from a path or a row; any text is a possible id, most are unknown ones.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text of the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A position in the event log: one increasing integer per database. 0 is "before everything".
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Seq(pub i64);

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_id_is_safe_in_a_path() {
        assert_eq!(RequestId::new("7", 0x1f0c9a).as_str(), "7.00000000001f0c9a");
        assert_eq!(
            RequestId::new("\"../x y\"", 1).as_str(),
            "xy.0000000000000001"
        );
        assert!(RequestId::new(&"9".repeat(500), 1).as_str().len() < 64);
    }

    #[test]
    fn ids_print_in_lower_case_and_parse_back() {
        let id: ConversationId = "019AD0B2-6C00-7000-8000-0000000000FF".parse().unwrap();
        assert_eq!(id.to_string(), "019ad0b2-6c00-7000-8000-0000000000ff");
        assert!("nope".parse::<ConversationId>().is_err());
    }
}
