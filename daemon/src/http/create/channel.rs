//! A launch on a channel: the conversation that is bound to it, or a new one, in one transaction, so that two
//! launches at once find the same.

use fountain_core::id::ConversationId;
use fountain_core::time::Timestamp;
use serde_json::Value;

use crate::store::channels::{self, Bound};
use crate::store::conversations::{self, New};
use crate::store::{Error, Tx, audit};

/// The name of a channel.
pub(super) struct Channel(pub(super) String);

/// What a launch came to.
pub(super) enum Made {
    /// A conversation of its own.
    New,
    /// One that was there, and the layers it is now under where they changed.
    Resumed(ConversationId, Option<String>),
    /// Nothing: what is bound is under as many layers as it may be.
    Full,
}

/// The most layers that launches on a channel may add to a conversation.
const MOST: usize = 16;

pub(super) fn find_or_make(
    tx: &Tx<'_>,
    new: &New,
    channel: Option<&Channel>,
    fresh: bool,
    entry: &audit::Entry,
    now: Timestamp,
) -> Result<Made, Error> {
    let bound = match channel {
        Some(Channel(name)) => channels::bound(tx.connection(), new.agent, name)?,
        None => None,
    };
    match bound {
        Some(bound) if !fresh => {
            let Some(layers) = layers(&bound, new.launch_policy.as_deref()) else {
                return Ok(Made::Resumed(bound.id, None));
            };
            if layers.len() > MOST {
                return Ok(Made::Full);
            }
            let narrowed = audit::Entry {
                action: "conversation.narrowed",
                resource: ("conversation", bound.id.to_string()),
                ..entry.clone()
            };
            audit::insert(tx, &narrowed, now)?;
            let layers = Value::Array(layers).to_string();
            channels::set_layers(tx, bound.key, &layers)?;
            let layers = Some(layers);
            return Ok(Made::Resumed(bound.id, layers));
        }
        Some(bound) => channels::bind(tx, bound.key, None, now)?,
        None => {}
    }
    audit::insert(tx, entry, now)?;
    let key = conversations::insert(tx, new, now)?;
    if let Some(Channel(name)) = channel {
        channels::bind(tx, key, Some(name), now)?;
    }
    Ok(Made::New)
}

/// A launch that resumes is under what the first one asked for, and under what it asks for itself.
fn layers(bound: &Bound, asked: Option<&str>) -> Option<Vec<Value>> {
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    let asked = read(asked?)?;
    if bound.launch_policy.as_deref().and_then(read).as_ref() == Some(&asked) {
        return None;
    }
    let layers = bound.parent_policies.as_deref().and_then(read);
    let mut layers = match layers {
        Some(Value::Array(layers)) => layers,
        _ => Vec::new(),
    };
    if layers.contains(&asked) {
        return None;
    }
    layers.push(asked);
    Some(layers)
}
