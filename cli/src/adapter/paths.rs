//! A stored line, made the editor's: its session id is replaced, and paths of the sandbox move out of the way.
//! Every other byte stays as the runtime wrote it.

use std::borrow::Cow;

use fountain_core::acp::method;
use fountain_core::rpc::Object;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::client::sse::Text;

const LOCATIONS: &str = "locations";
/// Where `locations` go: an editor would open them on its own machine.
const MOVED: &str = "fountain.sandboxLocations";
/// The longest line that is sent where it can be told in several.
const LONGEST: usize = 8 * 1024 * 1024;

/// What a stored line is.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'a> {
    /// An update.
    Update,
    /// A request for permission.
    Permission(Permission<'a>),
    /// Nothing that an editor is told.
    Other,
}

/// A request for permission, as it goes to the editor once it has an id there.
#[derive(Debug, PartialEq)]
pub(super) struct Permission<'a> {
    /// The id that answers it at the instance.
    pub request_id: Cow<'a, str>,
    /// The ids of the options the agent offers.
    pub options: Vec<String>,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    method: Option<Text<'a>>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<Params<'a>>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(rename = "sessionId", borrow)]
    session: Option<&'a RawValue>,
}

/// Tells what a line is.
pub(super) fn classify(line: &str) -> Line<'_> {
    let Some(object) = Object::parse(line) else {
        return Line::Other;
    };
    match object.text("method").as_deref() {
        Some(method::UPDATE) if object.get("id").is_none() => Line::Update,
        Some(method::PERMISSION) => {
            let Some(request_id) = object.text("id") else {
                return Line::Other;
            };
            let options = object
                .get("params")
                .and_then(Object::parse)
                .map_or_else(Vec::new, |params| offered(&params));
            Line::Permission(Permission {
                request_id: Cow::Owned(request_id),
                options,
            })
        }
        _ => Line::Other,
    }
}

fn offered(params: &Object<'_>) -> Vec<String> {
    let options: Vec<Box<RawValue>> = params
        .get("options")
        .and_then(|raw| serde_json::from_str(raw).ok())
        .unwrap_or_default();
    options
        .iter()
        .filter_map(|option| Object::parse(option.get())?.text("optionId"))
        .collect()
}

/// Appends an update for the editor, with its line end. `session` is the editor's id as JSON text. Gives false
/// and appends nothing when the line is no update.
pub(super) fn update(line: &str, session: &str, out: &mut Vec<u8>) -> bool {
    if !may_have_locations(line)
        && line.len() <= LONGEST
        && let Some(id) = session_of_update(line)
        && let Some(at) = (id.as_ptr() as usize).checked_sub(line.as_ptr() as usize)
    {
        // The id is lent from the line, so its place is the distance between the two.
        out.extend_from_slice(&line.as_bytes()[..at]);
        out.extend_from_slice(session.as_bytes());
        out.extend_from_slice(&line.as_bytes()[at + id.len()..]);
        out.push(b'\n');
        return true;
    }
    if classify(line) != Line::Update {
        return false;
    }
    let Some(mut message) = Object::parse(line) else {
        return false;
    };
    let Some(mut params) = message.get("params").and_then(Object::parse) else {
        return false;
    };
    params.set("sessionId", session.to_owned());
    let moved = params.get("update").and_then(moved);
    if let Some(moved) = moved {
        params.set("update", moved);
    }
    message.set("params", params.to_string());
    let whole = message.to_string();
    let parts = if whole.len() > LONGEST {
        split(&whole)
    } else {
        None
    };
    for line in parts.unwrap_or_else(|| vec![whole]) {
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }
    true
}

/// A request for permission under the adapter's own id.
pub(super) fn permission(line: &str, session: &str, id: i64) -> Option<String> {
    let mut message = Object::parse(line)?;
    let params = message.get("params")?.to_owned();
    let mut params = Object::parse(&params)?;
    params.set("sessionId", session.to_owned());
    if let Some(moved) = params.get("toolCall").and_then(moved) {
        params.set("toolCall", moved);
    }
    message.set("id", id.to_string());
    message.set("params", params.to_string());
    Some(message.to_string())
}

/// The raw session id of a line that is certainly an update.
fn session_of_update(line: &str) -> Option<&str> {
    let head: Head<'_> = serde_json::from_str(line).ok()?;
    if head.id.is_some() || head.method.as_deref() != Some(method::UPDATE) {
        return None;
    }
    head.params?.session.map(RawValue::get)
}

/// Whether the word can be a key in there, also in another spelling: a letter of it can be escaped.
fn may_have_locations(line: &str) -> bool {
    let bytes = line.as_bytes();
    memchr::memmem::find(bytes, b"\"locations\"").is_some()
        || memchr::memmem::find(bytes, b"\\u006").is_some()
        || memchr::memmem::find(bytes, b"\\u007").is_some()
}

/// The object with its `locations` under `_meta`; nothing when it has none.
fn moved(object: &str) -> Option<String> {
    let mut object = Object::parse(object)?;
    let locations = object.remove(LOCATIONS)?.into_owned();
    let meta = object.get("_meta").and_then(Object::parse).map(|mut meta| {
        meta.set(MOVED, locations.clone());
        meta.to_string()
    });
    let meta = meta.unwrap_or_else(|| {
        let mut meta = Object::default();
        meta.set(MOVED, locations);
        meta.to_string()
    });
    object.set("_meta", meta);
    Some(object.to_string())
}

/// A chunk of text that is too long for one line, as several chunks; nothing when it is something else.
fn split(line: &str) -> Option<Vec<String>> {
    let mut message = Object::parse(line)?;
    let params = message.get("params")?.to_owned();
    let mut params = Object::parse(&params)?;
    let update = params.get("update")?.to_owned();
    let mut update = Object::parse(&update)?;
    if !update.text("sessionUpdate")?.ends_with("_chunk") {
        return None;
    }
    let content = update.get("content")?.to_owned();
    let mut content = Object::parse(&content)?;
    let text = content.text("text")?;
    let mut lines = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        // Escaping makes a character up to six times longer.
        let end = (0..=rest.len().min(LONGEST / 8))
            .rev()
            .find(|at| rest.is_char_boundary(*at))?;
        let (head, tail) = rest.split_at(end);
        content.set("text", serde_json::to_string(head).ok()?);
        update.set("content", content.to_string());
        params.set("update", update.to_string());
        message.set("params", params.to_string());
        lines.push(message.to_string());
        rest = tail;
    }
    Some(lines)
}

#[cfg(test)]
mod tests;
