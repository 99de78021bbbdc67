//! A policy's JSON: strict when it is written, and never an allow when what was stored makes no sense.

use serde_json::{Map, Value};

use super::{ASK_TIMEOUT, KINDS, Policy, Verdict};

/// The longest `ask_timeout`, in seconds: 365 days.
pub const MAX_ASK_TIMEOUT: u32 = 31_536_000;

/// The longest key, in characters.
pub const MAX_KEY: usize = 2_000;
/// The most keys in one policy.
const MAX_KEYS: usize = 1_000;

/// Why a policy cannot be saved: `permission_policy_invalid`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Invalid {
    /// The offending key; none when the whole value is wrong.
    pub key: Option<String>,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Policy {
    /// Reads a policy that somebody wants to save. Null is no policy.
    ///
    /// # Errors
    /// Names the first key that is wrong.
    pub fn parse(value: &Value) -> Result<Self, Invalid> {
        let map = match value {
            Value::Null => return Ok(Self::default()),
            Value::Object(map) => map,
            _ => {
                return Err(Invalid {
                    key: None,
                    message: "A permission policy is a map of keys to verdicts, such as {\"execute\": \"ask\"}.".into(),
                });
            }
        };
        if map.len() > MAX_KEYS {
            return Err(Invalid {
                key: None,
                message: format!("A permission policy has at most {MAX_KEYS} keys."),
            });
        }
        let mut policy = Self::default();
        for (key, value) in map {
            if key == ASK_TIMEOUT {
                policy.ask_timeout = Some(seconds(value).ok_or_else(|| Invalid {
                    key: Some(key.clone()),
                    message: format!(
                        "`ask_timeout` is a whole number of seconds from 1 to {MAX_ASK_TIMEOUT}, not {}.",
                        short(value)
                    ),
                })?);
                continue;
            }
            if key.is_empty() || key.chars().count() > MAX_KEY {
                return Err(Invalid {
                    key: Some(key.chars().take(80).collect()),
                    message: format!("A key of a permission policy has 1 to {MAX_KEY} characters."),
                });
            }
            let verdict = value.as_str().and_then(Verdict::parse).ok_or_else(|| Invalid {
                key: Some(key.clone()),
                message: format!(
                    "`{}` is {}, which is no verdict. A verdict is \"auto_allow\", \"ask\" or \"auto_deny\".",
                    key.chars().take(80).collect::<String>(),
                    short(value)
                ),
            })?;
            policy.verdicts.push((key.clone(), verdict));
        }
        Ok(policy)
    }

    /// Reads what the store holds. What is no verdict counts as `auto_deny`, and what is no map at all denies
    /// everything: a damaged policy never permits.
    pub fn stored(text: Option<&str>) -> Self {
        let Some(text) = text else {
            return Self::default();
        };
        serde_json::from_str(text)
            .map_or_else(|_| Self::deny_all(), |value| Self::stored_value(&value))
    }

    /// As [`Policy::stored`], of a value that was read already.
    pub fn stored_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::default(),
            Value::Object(map) => Self::lenient(map),
            _ => Self::deny_all(),
        }
    }

    /// Denies whatever it is asked about.
    pub fn deny_all() -> Self {
        let keys = std::iter::once(super::DEFAULT).chain(KINDS);
        Self {
            verdicts: keys
                .map(|key| (key.to_owned(), Verdict::AutoDeny))
                .collect(),
            ask_timeout: None,
        }
    }

    fn lenient(map: &Map<String, Value>) -> Self {
        let mut policy = Self::default();
        for (key, value) in map {
            if key == ASK_TIMEOUT {
                policy.ask_timeout = seconds(value);
            } else {
                let verdict = value
                    .as_str()
                    .and_then(Verdict::parse)
                    .unwrap_or(Verdict::AutoDeny);
                policy.verdicts.push((key.clone(), verdict));
            }
        }
        policy
    }

    /// The map as it is written to the store and shown.
    pub fn to_json(&self) -> Value {
        let mut map = Map::new();
        for (key, verdict) in &self.verdicts {
            map.insert(key.clone(), verdict.as_str().into());
        }
        if let Some(seconds) = self.ask_timeout {
            map.insert(ASK_TIMEOUT.into(), seconds.into());
        }
        Value::Object(map)
    }

    /// Builds a policy from pairs, for tests and for layers that are made, not read.
    pub fn of(pairs: &[(&str, Verdict)]) -> Self {
        Self {
            verdicts: pairs
                .iter()
                .map(|(key, verdict)| ((*key).to_owned(), *verdict))
                .collect(),
            ask_timeout: None,
        }
    }

    /// The same policy with an `ask_timeout`, in seconds.
    #[must_use]
    pub fn with_ask_timeout(mut self, seconds: Option<u32>) -> Self {
        self.ask_timeout = seconds;
        self
    }
}

fn seconds(value: &Value) -> Option<u32> {
    let seconds = value.as_u64().filter(|_| value.is_u64())?;
    u32::try_from(seconds)
        .ok()
        .filter(|seconds| (1..=MAX_ASK_TIMEOUT).contains(seconds))
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > 40 {
        format!("{}…", text.chars().take(40).collect::<String>())
    } else {
        text
    }
}
