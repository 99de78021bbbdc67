//! `session/list`: the conversations of this process's agent, the newest change first.

use std::sync::Arc;

use fountain_core::api::conversations::Conversation;
use fountain_core::rpc::Error;
use serde::Deserialize;
use serde_json::{Value, json};

use super::sessions::lock;
use super::{Adapter, agent, refusal};
use crate::client::Filter;

/// So many are told at once.
const PAGE: u32 = 50;

#[derive(Default, Deserialize)]
struct Params {
    #[serde(default)]
    cwd: Option<String>,
    #[serde(default)]
    cursor: Option<String>,
}

/// The answer to `session/list`.
pub(super) async fn list(adapter: Arc<Adapter>, params: String) -> Result<Value, Error> {
    let params: Params = serde_json::from_str(&params)
        .map_err(|_| refusal::params("cwd and cursor must be strings"))?;
    let client = adapter.link.client().await?;
    let agent_id = match adapter.options.agent.as_deref() {
        Some(wanted) => Some(agent::find(&adapter, &client, wanted).await?.id),
        None => None,
    };
    let filter = Filter {
        agent_id,
        limit: Some(PAGE),
        ..Filter::default()
    };
    let cursor = params.cursor.as_deref();
    let page = match client.conversations_after(&filter, cursor).await {
        Ok(page) => page,
        Err(error) if error.code() == "invalid_cursor" => {
            return Err(refusal::params(
                "the cursor is none that session/list gave: leave it out to start anew",
            ));
        }
        Err(error) => {
            return Err(adapter
                .link
                .failed("the conversations could not be listed", &error)
                .await);
        }
    };
    let sessions: Vec<Value> = page
        .data
        .iter()
        .map(|conversation| session(&adapter, conversation, params.cwd.as_deref()))
        .collect();
    let mut answer = json!({ "sessions": sessions });
    if let Some(cursor) = page.meta.next_cursor.filter(|_| page.meta.has_more) {
        answer["nextCursor"] = cursor.into();
    }
    Ok(answer)
}

fn session(adapter: &Adapter, conversation: &Conversation, asked: Option<&str>) -> Value {
    // A label: nothing here has a directory on the editor's machine.
    let own = adapter
        .sessions
        .get(&conversation.id)
        .and_then(|session| lock(&session.cwd).clone());
    let cwd = asked.map(str::to_owned).or(own).unwrap_or_else(here);
    let mut session =
        json!({"sessionId": conversation.id, "cwd": cwd, "updatedAt": conversation.updated_at});
    let title = conversation
        .title
        .as_ref()
        .or(conversation.first_prompt.as_ref());
    if let Some(title) = title.filter(|title| !title.is_empty()) {
        session["title"] = title.as_str().into();
    }
    session
}

fn here() -> String {
    std::env::current_dir().map_or_else(
        |_| "/".to_owned(),
        |here| here.to_string_lossy().into_owned(),
    )
}
