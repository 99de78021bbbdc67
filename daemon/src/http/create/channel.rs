//! A launch on a channel: the conversation that is bound to it, or a new one, in one transaction, so that two
//! launches at once find the same.

use fountain_core::id::ConversationId;
use fountain_core::redact::Redactor;
use fountain_core::time::Timestamp;
use fountain_core::title;

use crate::store::channels;
use crate::store::conversations::{self, New};
use crate::store::{Error, Tx, audit, policies};

/// The name of a channel.
pub(super) struct Channel(pub(super) String);

impl Channel {
    /// The title of a conversation that has no other.
    pub(super) fn title(&self) -> Option<String> {
        title::normalise(&self.0, &Redactor::default())
    }
}

/// What a launch came to.
pub(super) enum Made {
    /// A conversation of its own.
    New,
    /// One that was there.
    Resumed(ConversationId),
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
            let mut under = policies::of(tx.connection(), bound.key)?;
            if new.launch.is_empty()
                || under.launch == new.launch
                || under.parents.contains(&new.launch)
            {
                return Ok(Made::Resumed(bound.id));
            }
            // Who resumes is under what the first launch asked for, and under what they ask for themselves.
            under.parents.push(new.launch.clone());
            if under.parents.len() > MOST {
                return Ok(Made::Full);
            }
            let narrowed = audit::Entry {
                action: "conversation.narrowed",
                resource: ("conversation", bound.id.to_string()),
                ..entry.clone()
            };
            audit::insert(tx, &narrowed, now)?;
            policies::set_parents(tx, bound.key, &under.parents)?;
            return Ok(Made::Resumed(bound.id));
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
