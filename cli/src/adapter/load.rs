//! Old conversations opened again: `session/load` with the replay, `session/resume` without it. After the answer
//! the editor sees what happens, and is asked what is still open.

use std::sync::Arc;

use fountain_core::api::conversations::Conversation;
use fountain_core::rpc::Error;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::feed::{Feed, Mode};
use super::sessions::{Count, Session, lock};
use super::{Adapter, agent, follow, refusal};
use crate::client::{self, Client};

/// `session/load`.
pub(super) async fn load(adapter: Arc<Adapter>, id: Box<RawValue>, params: String) {
    let Found {
        client,
        conversation,
        session,
        fresh,
    } = match find(&adapter, &params).await {
        Ok(found) => found,
        Err(error) => return adapter.respond(&id, Err(error)),
    };
    let loading = Count::of(&session.loading);
    let replay = session.replay.lock().await;
    session.stop_following().await;
    let shown = std::mem::take(&mut session.state().shown);
    let mut feed = Feed::new(&adapter, &session, client.clone(), Mode::Replay);
    match follow::everything(&mut feed, &client).await {
        Ok(end) => {
            session.state().cursor = Some(end);
            adapter.respond(
                &id,
                Ok(json!({"models": agent::models(conversation.model.as_deref())})),
            );
            feed.go_live().await;
            follow::start_with(feed, &client, end);
        }
        Err(error) => {
            session.state().shown = shown;
            adapter.respond(
                &id,
                Err(adapter.link.failed("the replay failed", &error).await),
            );
            // What the editor had open before goes on as before.
            let cursor = session.state().cursor;
            match cursor {
                Some(cursor) => follow::start(&adapter, &session, &client, cursor),
                None if fresh => adapter.sessions.close(&session.id),
                None => {}
            }
        }
    }
    drop(replay);
    drop(loading);
}

/// `session/resume`.
pub(super) async fn resume(adapter: Arc<Adapter>, id: Box<RawValue>, params: String) {
    let Found {
        conversation,
        session,
        ..
    } = match find(&adapter, &params).await {
        Ok(found) => found,
        Err(error) => return adapter.respond(&id, Err(error)),
    };
    let loading = Count::of(&session.loading);
    adapter.respond(
        &id,
        Ok(json!({"models": agent::models(conversation.model.as_deref())})),
    );
    catch_up(&adapter, &session).await;
    drop(loading);
}

/// Follows a conversation from where it is now, and asks what is still open.
pub(super) async fn catch_up(adapter: &Arc<Adapter>, session: &Arc<Session>) {
    let replay = session.replay.lock().await;
    if session.state().follower.is_some() {
        return;
    }
    if let Err(error) = try_catch_up(adapter, session).await {
        // The next prompt starts to follow from its own beginning.
        adapter.log.warn(format!(
            "conversation {} is not followed: {}",
            session.id, error.message
        ));
    }
    drop(replay);
}

async fn try_catch_up(adapter: &Arc<Adapter>, session: &Arc<Session>) -> Result<(), Error> {
    let client = adapter.link.client().await?;
    let lost = |error: client::Error| refusal::call("its end could not be found", &error);
    let mut feed = Feed::new(adapter, session, client.clone(), Mode::Silent);
    // The stages alone are few, and say whether there is more to know than where they end.
    let mut end = follow::past(&mut feed, &client, 0, "stage")
        .await
        .map_err(lost)?;
    let conversation = client.conversation(&session.id).await.map_err(lost)?;
    if conversation.status != "idle" || !conversation.pending_requests.is_empty() {
        feed = Feed::new(adapter, session, client.clone(), Mode::Silent);
        end = follow::everything(&mut feed, &client).await.map_err(lost)?;
    }
    session.state().cursor = Some(end);
    feed.go_live().await;
    follow::start_with(feed, &client, end);
    Ok(())
}

struct Found {
    client: Client,
    conversation: Conversation,
    session: Arc<Session>,
    /// Whether it was not open here before.
    fresh: bool,
}

/// The conversation that the editor names, as a session of this process.
async fn find(adapter: &Arc<Adapter>, params: &str) -> Result<Found, Error> {
    #[derive(Deserialize)]
    struct Params {
        #[serde(rename = "sessionId")]
        session: String,
    }
    let Params { session: id } = serde_json::from_str(params)
        .map_err(|_| refusal::params("sessionId is missing, or is no string"))?;
    let params: Value = serde_json::from_str(params).unwrap_or_default();
    if let Value::Object(params) = &params {
        adapter.log_client(params);
    }
    let client = adapter.link.client().await?;
    let conversation = match client.conversation(&id).await {
        Ok(conversation) => conversation,
        Err(error) if error.is_not_found() => {
            let base = client.base();
            return Err(refusal::params(format!(
                "unknown session {id:?}: {base} has no such conversation, start one with session/new"
            )));
        }
        Err(error) => {
            return Err(adapter
                .link
                .failed("the conversation could not be read", &error)
                .await);
        }
    };
    if !conversation.acp {
        let name = conversation
            .agent_name
            .as_deref()
            .unwrap_or("of this conversation");
        return Err(refusal::params(format!(
            "agent {name:?} runs the {} runtime, which does not speak ACP: use it from the conversations app, or with fountain run",
            conversation.runtime
        )));
    }
    let fresh = adapter.sessions.get(&id).is_none();
    let session = adapter.sessions.open(&id);
    if let Some(cwd) = params["cwd"].as_str() {
        *lock(&session.cwd) = Some(cwd.to_owned());
    }
    Ok(Found {
        client,
        conversation,
        session,
        fresh,
    })
}
