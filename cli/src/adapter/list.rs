//! `session/list`: the conversations of this process's agent, the newest change first.

use std::cmp::Reverse;
use std::sync::Arc;

use fountain_core::api::conversations::Conversation;
use fountain_core::rpc::Error;
use serde::Deserialize;
use serde_json::{Value, json};

use super::sessions::lock;
use super::{Adapter, agent, refusal};
use crate::client::Filter;

/// So many are told at once.
const PAGE: usize = 50;
/// So many are asked for: more than the instance gives at once cannot be told.
const MOST: u32 = 500;

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
    let after = params.cursor.as_deref().map(read_cursor).transpose()?;
    let client = adapter.link.client().await?;
    let agent_id = match adapter.options.agent.as_deref() {
        Some(wanted) => Some(agent::find(&adapter, &client, wanted).await?.id),
        None => None,
    };
    let filter = Filter {
        agent_id,
        limit: Some(MOST),
        ..Filter::default()
    };
    let mut all = match client.conversations(&filter).await {
        Ok(all) => all,
        Err(error) => {
            return Err(adapter
                .link
                .failed("the conversations could not be listed", &error)
                .await);
        }
    };
    all.sort_by_cached_key(|conversation| Reverse(place(conversation)));
    let rest = all.iter().filter(|conversation| {
        after
            .as_ref()
            .is_none_or(|after| place(conversation) < *after)
    });
    let mut page: Vec<&Conversation> = rest.take(PAGE + 1).collect();
    let more = page.len() > PAGE;
    page.truncate(PAGE);
    let sessions: Vec<Value> = page
        .iter()
        .map(|conversation| session(&adapter, conversation, params.cwd.as_deref()))
        .collect();
    let mut answer = json!({ "sessions": sessions });
    if let Some(last) = page.last().filter(|_| more) {
        let (at, id) = place(last);
        answer["nextCursor"] = format!("{at}/{id}").into();
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

/// Where a conversation is in the list: the time of its change, then its id.
fn place(conversation: &Conversation) -> (i64, String) {
    (conversation.updated_at.0, conversation.id.clone())
}

fn read_cursor(cursor: &str) -> Result<(i64, String), Error> {
    let read = || {
        let (at, id) = cursor.split_once('/')?;
        Some((at.parse().ok()?, id.to_owned()))
    };
    read().ok_or_else(|| {
        refusal::params("the cursor is none that session/list gave: leave it out to start anew")
    })
}
