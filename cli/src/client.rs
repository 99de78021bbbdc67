//! A Fountain instance over HTTP: one method per route of `core::api`, typed bodies in and out.
//!
//! Nothing else in this crate names the HTTP library.

mod base;
mod error;
#[cfg(test)]
pub(crate) mod fake;
mod http;
pub(crate) mod sse;

use std::time::Duration;

use bytes::Bytes;
use fountain_core::api::{
    self, Page, agents, audit, auth, conversations, events, policy, requests, sandboxes,
};
use serde::Serialize;
use serde_json::Value;

pub(crate) use base::{Invalid, base_url, key};
pub(crate) use error::Error;
pub(crate) use sse::{Follow, From};

use http::Http;

/// What a client is made of.
#[derive(Clone, Default)]
pub(crate) struct Settings {
    /// The instance, in any spelling [`base_url`] takes.
    pub base_url: String,
    /// The key, if there is one.
    pub key: Option<String>,
    /// The conversation this process runs in (`FOUNTAIN_CONVERSATION_ID`), if it does.
    pub parent: Option<String>,
    /// How long a stream may be silent (`FOUNTAIN_STREAM_IDLE_TIMEOUT`); none is half an hour.
    pub stream_idle: Option<Duration>,
}

/// A client; cheap to clone, all clones share their connections.
#[derive(Clone)]
pub(crate) struct Client {
    http: Http,
}

/// Which conversations a list holds; the default is all, as many as the instance gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    /// Of this agent, by id.
    pub agent_id: Option<String>,
    /// A comma list of statuses.
    pub status: Option<String>,
    /// Bound to this channel.
    pub channel_id: Option<String>,
    /// As many at most.
    pub limit: Option<u32>,
    /// Only those that no other conversation started.
    pub roots_only: bool,
}

impl Client {
    /// Sets up a client. It connects at the first call.
    pub(crate) fn new(settings: Settings) -> Result<Self, Invalid> {
        Ok(Self {
            http: Http::new(settings)?,
        })
    }

    /// The same with another unit of a stream's pauses between attempts.
    #[cfg(test)]
    pub(crate) fn with_stream_pause(mut self, pause: Duration) -> Self {
        self.http.set_stream_pause(pause);
        self
    }

    /// The instance's address, normalised.
    pub(crate) fn base(&self) -> &str {
        self.http.base()
    }

    /// Whether a Fountain answers, with a key or without one.
    pub(crate) async fn health(&self) -> Result<(), Error> {
        /// Others say that they are well too.
        #[derive(serde::Deserialize)]
        struct Health {
            #[serde(rename = "status")]
            _status: String,
            #[serde(rename = "version")]
            _version: String,
        }
        let health: Result<Health, Error> = self.http.flat(&api::HEALTH, &[], None::<&()>).await;
        health.map(drop)
    }

    /// Whether the database answers too.
    pub(crate) async fn ready(&self) -> Result<(), Error> {
        self.http.done(&api::READY, &[], None::<&()>).await
    }

    /// Whose key it is.
    pub(crate) async fn me(&self) -> Result<auth::Me, Error> {
        self.http.flat(&auth::ME, &[], None::<&()>).await
    }

    /// Every agent, by name.
    pub(crate) async fn agents(&self, search: Option<&str>) -> Result<Vec<agents::Agent>, Error> {
        self.http
            .list(&agents::LIST, &[], &[("search", search)])
            .await
    }

    /// Makes an agent; the body holds fields of [`agents::FIELDS`].
    pub(crate) async fn create_agent(&self, body: &impl Serialize) -> Result<agents::Agent, Error> {
        self.http.data(&agents::CREATE, &[], Some(body)).await
    }

    /// One agent.
    pub(crate) async fn agent(&self, id: &str) -> Result<agents::Agent, Error> {
        self.http.data(&agents::SHOW, &[id], None::<&()>).await
    }

    /// Changes an agent: an absent field keeps its value, null clears it.
    pub(crate) async fn update_agent(
        &self,
        id: &str,
        body: &impl Serialize,
    ) -> Result<agents::Agent, Error> {
        self.http.data(&agents::UPDATE, &[id], Some(body)).await
    }

    /// Removes an agent.
    pub(crate) async fn delete_agent(&self, id: &str) -> Result<(), Error> {
        self.http.done(&agents::DELETE, &[id], None::<&()>).await
    }

    /// Conversations, the newest change first.
    pub(crate) async fn conversations(
        &self,
        filter: &Filter,
    ) -> Result<Vec<conversations::Conversation>, Error> {
        Ok(self.conversations_after(filter, None).await?.data)
    }

    /// A page of them, behind the cursor of the page before.
    pub(crate) async fn conversations_after(
        &self,
        filter: &Filter,
        after: Option<&str>,
    ) -> Result<Page<conversations::Conversation>, Error> {
        let limit = filter.limit.map(|limit| limit.to_string());
        let query = [
            ("agent_id", filter.agent_id.as_deref()),
            ("status", filter.status.as_deref()),
            ("channel_id", filter.channel_id.as_deref()),
            ("limit", limit.as_deref()),
            ("after", after),
            ("roots_only", filter.roots_only.then_some("true")),
        ];
        self.http.page(&conversations::LIST, &[], &query).await
    }

    /// Makes a conversation, or resumes the one its channel is bound to.
    pub(crate) async fn create_conversation(
        &self,
        body: &conversations::Create,
    ) -> Result<conversations::Created, Error> {
        self.http
            .flat(&conversations::CREATE, &[], Some(body))
            .await
    }

    /// One conversation, its open requests too.
    pub(crate) async fn conversation(
        &self,
        id: &str,
    ) -> Result<conversations::Conversation, Error> {
        self.http
            .data(&conversations::SHOW, &[id], None::<&()>)
            .await
    }

    /// Changes a conversation: `{"title": …}`.
    pub(crate) async fn update_conversation(
        &self,
        id: &str,
        body: &Value,
    ) -> Result<conversations::Conversation, Error> {
        self.http
            .data(&conversations::UPDATE, &[id], Some(body))
            .await
    }

    /// Removes a conversation with everything it has.
    pub(crate) async fn delete_conversation(&self, id: &str) -> Result<(), Error> {
        self.http
            .done(&conversations::DELETE, &[id], None::<&()>)
            .await
    }

    /// Sends a prompt; its turn is open when this returns.
    pub(crate) async fn prompt(
        &self,
        id: &str,
        prompt: &conversations::Prompt,
    ) -> Result<conversations::Accepted, Error> {
        self.http
            .flat(&conversations::PROMPT, &[id], Some(prompt))
            .await
    }

    /// Stops the running turn; 409 `no_turn_running` without one.
    pub(crate) async fn interrupt(&self, id: &str) -> Result<(), Error> {
        self.http
            .done(&conversations::INTERRUPT, &[id], None::<&()>)
            .await
    }

    /// Ends a conversation for good.
    pub(crate) async fn terminate(&self, id: &str) -> Result<(), Error> {
        self.http
            .done(&conversations::TERMINATE, &[id], None::<&()>)
            .await
    }

    /// The turns of a conversation, ascending.
    pub(crate) async fn turns(&self, id: &str) -> Result<Vec<conversations::Turn>, Error> {
        self.http.list(&conversations::TURNS, &[id], &[]).await
    }

    /// An image of a prompt, with its media type. Positions start at zero.
    pub(crate) async fn image(
        &self,
        id: &str,
        turn: &str,
        position: usize,
    ) -> Result<(String, Bytes), Error> {
        self.http
            .bytes(
                &conversations::IMAGE,
                &[id, turn, &position.to_string()],
                &[],
            )
            .await
    }

    /// A file of a sandbox.
    pub(crate) async fn sandbox_file(&self, id: &str, path: &str) -> Result<Bytes, Error> {
        let query = [("path", Some(path))];
        let (_, bytes) = self.http.bytes(&sandboxes::FILE, &[id], &query).await?;
        Ok(bytes)
    }

    /// Whether a sandbox is known.
    pub(crate) async fn sandbox_is_there(&self, id: &str) -> Result<bool, Error> {
        let found: Result<sandboxes::Sandbox, Error> =
            self.http.data(&sandboxes::SHOW, &[id], None::<&()>).await;
        match found {
            Ok(_) => Ok(true),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// A page of events.
    pub(crate) async fn events(
        &self,
        id: &str,
        query: &events::Query,
    ) -> Result<events::Page, Error> {
        let query = [
            ("after", query.after.as_deref()),
            ("limit", query.limit.as_deref()),
            ("streams", query.streams.as_deref()),
            ("blocks", query.blocks.as_deref()),
        ];
        self.http.page(&events::PAGE, &[id], &query).await
    }

    /// The events of a conversation as they come. It connects at the first [`Follow::fill`].
    pub(crate) fn follow(&self, id: &str, from: From<'_>) -> Follow {
        Follow::new(self.http.clone(), id, from)
    }

    /// Requests that wait, of every conversation or of one, the soonest deadline first: all of them, page by page.
    pub(crate) async fn requests(
        &self,
        conversation: Option<&str>,
    ) -> Result<Vec<requests::Request>, Error> {
        let mut all = Vec::new();
        let mut after: Option<String> = None;
        loop {
            let query = [
                ("status", Some("open")),
                ("conversation_id", conversation),
                ("limit", Some("1000")),
                ("after", after.as_deref()),
            ];
            let page: Page<requests::Request> =
                self.http.page(&requests::LIST, &[], &query).await?;
            all.extend(page.data);
            match page.meta.next_cursor {
                Some(cursor) if page.meta.has_more => after = Some(cursor),
                _ => return Ok(all),
            }
        }
    }

    /// The newest rows of the audit trail, at most `limit`, the newest first.
    pub(crate) async fn audit(
        &self,
        since: Option<&str>,
        action_prefix: Option<&str>,
        limit: u32,
    ) -> Result<Vec<audit::Entry>, Error> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut all = Vec::new();
        let mut before: Option<String> = None;
        loop {
            let size = limit.saturating_sub(all.len()).min(500).to_string();
            let query = [
                ("since", since),
                ("action_prefix", action_prefix),
                ("limit", Some(size.as_str())),
                ("before", before.as_deref()),
            ];
            let page: Page<audit::Entry> = self.http.page(&audit::LIST, &[], &query).await?;
            all.extend(page.data);
            match page.meta.next_cursor {
                Some(cursor) if page.meta.has_more && all.len() < limit => before = Some(cursor),
                _ => return Ok(all),
            }
        }
    }

    /// Why a request would be decided as it is.
    pub(crate) async fn explain(
        &self,
        asked: &policy::Explain,
    ) -> Result<policy::Explained, Error> {
        self.http.data(&policy::EXPLAIN, &[], Some(asked)).await
    }

    /// What another policy would have done.
    pub(crate) async fn replay(&self, asked: &policy::Replay) -> Result<policy::Replayed, Error> {
        self.http.data(&policy::REPLAY, &[], Some(asked)).await
    }

    /// One request, settled or not.
    pub(crate) async fn request(&self, request_id: &str) -> Result<requests::Request, Error> {
        self.http
            .data(&requests::SHOW, &[request_id], None::<&()>)
            .await
    }

    /// Answers a request; the first answer wins, the others get 409 `permission_request_resolved`.
    pub(crate) async fn answer(
        &self,
        conversation: &str,
        request_id: &str,
        answer: &requests::Answer,
    ) -> Result<(), Error> {
        self.http
            .done(&requests::ANSWER, &[conversation, request_id], Some(answer))
            .await
    }
}

#[cfg(test)]
mod tests;
