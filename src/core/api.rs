//! The HTTP API in types: each route once, each body once. The daemon's router and the client both use these,
//! so a path or a field has one spelling.

pub mod agents;
pub mod audit;
pub mod auth;
pub mod conversations;
pub mod events;
pub mod policy;
pub mod requests;
pub mod sandboxes;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The method of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Reads.
    Get,
    /// Creates or acts.
    Post,
    /// Changes.
    Patch,
    /// Replaces or changes; the same as `Patch` here.
    Put,
    /// Removes.
    Delete,
}

/// One route: the router takes `path`, the client fills it with [`Route::at`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path with `{name}` for each parameter.
    pub path: &'static str,
}

impl Route {
    /// A route that reads.
    pub const fn get(path: &'static str) -> Self {
        Self {
            method: Method::Get,
            path,
        }
    }

    /// A route that creates or acts.
    pub const fn post(path: &'static str) -> Self {
        Self {
            method: Method::Post,
            path,
        }
    }

    /// A route that changes.
    pub const fn patch(path: &'static str) -> Self {
        Self {
            method: Method::Patch,
            path,
        }
    }

    /// A route that replaces.
    pub const fn put(path: &'static str) -> Self {
        Self {
            method: Method::Put,
            path,
        }
    }

    /// A route that removes.
    pub const fn delete(path: &'static str) -> Self {
        Self {
            method: Method::Delete,
            path,
        }
    }

    /// The path with its parameters filled in, each percent-encoded.
    pub fn at(&self, parameters: &[&str]) -> String {
        let mut out = String::with_capacity(self.path.len() + 40);
        let mut values = parameters.iter();
        let mut rest = self.path;
        while let Some(open) = rest.find('{') {
            out.push_str(&rest[..open]);
            let close = rest[open..]
                .find('}')
                .map_or(rest.len(), |at| open + at + 1);
            if let Some(value) = values.next() {
                encode(value, &mut out);
            }
            rest = &rest[close..];
        }
        out.push_str(rest);
        out
    }
}

/// Percent-encodes a path segment or a query value.
pub fn encode(text: &str, out: &mut String) {
    use std::fmt::Write as _;
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

/// `GET /health`: the process answers. Needs no key.
pub const HEALTH: Route = Route::get("/health");
/// `GET /health/ready`: the database answers too. Needs no key.
pub const READY: Route = Route::get("/health/ready");

/// Every route that is served; a test asks the router for each.
pub const ALL: &[Route] = &[
    HEALTH,
    READY,
    auth::ME,
    agents::LIST,
    agents::CREATE,
    agents::SHOW,
    agents::UPDATE,
    agents::REPLACE,
    agents::DELETE,
    conversations::LIST,
    conversations::CREATE,
    conversations::SHOW,
    conversations::UPDATE,
    conversations::DELETE,
    conversations::PROMPT,
    conversations::INTERRUPT,
    conversations::TERMINATE,
    conversations::TURNS,
    conversations::IMAGE,
    events::PAGE,
    events::STREAM,
    requests::LIST,
    requests::SHOW,
    requests::ANSWER,
    audit::LIST,
    policy::EXPLAIN,
    policy::REPLAY,
    sandboxes::LIST,
    sandboxes::SHOW,
    sandboxes::FILE,
    sandboxes::DIRECTORY,
];

/// `{"data": …}`: the envelope of every success.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Data<T> {
    /// The thing, or the list.
    pub data: T,
}

/// `{"data": […], "meta": {…}}`: one page of a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Page<T> {
    /// The rows of this page.
    pub data: Vec<T>,
    /// Where the next one starts.
    #[serde(default)]
    pub meta: PageMeta,
}

/// Beside a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageMeta {
    /// The most rows of a page.
    #[serde(default)]
    pub limit: i64,
    /// Whether there are more rows behind these.
    #[serde(default)]
    pub has_more: bool,
    /// What asks for them.
    #[serde(default)]
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Makes a page of what was read with one row more than the limit, so as to see whether there are more.
    /// `cursor` is what asks for what follows a row.
    pub fn cut(mut data: Vec<T>, limit: i64, cursor: impl Fn(&T) -> String) -> Self {
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let has_more = data.len() > most;
        data.truncate(most);
        let next_cursor = data.last().filter(|_| has_more).map(cursor);
        Self {
            data,
            meta: PageMeta {
                limit,
                has_more,
                next_cursor,
            },
        }
    }
}

/// The body of every refusal: a snake-case code to branch on and a sentence to show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// The code.
    #[serde(default)]
    pub error: String,
    /// The sentence.
    #[serde(default)]
    pub message: String,
    /// What else is told: `key`, `errors`, `answered_by` …
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Problem {
    /// A problem with a code and a sentence.
    pub fn new(error: &str, message: impl Into<String>) -> Self {
        Self {
            error: error.to_owned(),
            message: message.into(),
            more: Map::new(),
        }
    }

    /// Adds a member.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.more.insert(key.to_owned(), value.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_filled_and_encoded() {
        assert_eq!(
            requests::ANSWER.at(&["a b", "7.0f/../x"]),
            "/api/conversations/a%20b/requests/7.0f%2F..%2Fx"
        );
        assert_eq!(HEALTH.at(&[]), "/health");
    }

    #[test]
    fn no_route_is_listed_twice() {
        for (at, route) in ALL.iter().enumerate() {
            assert!(!ALL[..at].contains(route), "{route:?}");
        }
    }
}
