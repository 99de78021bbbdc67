//! Sessions opened and closed: `session/new`, `session/close`, and the options nobody can set.

use std::sync::Arc;
use std::time::Duration;

use fountain_core::api::conversations::Create;
use fountain_core::rpc::Error;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::sessions::{Count, Session, lock};
use super::{Adapter, agent, load, permission, prompt, refusal};

const MODES: [&str; 2] = ["ephemeral", "persistent"];
/// How long a closed session waits for its cancelled prompt.
const CLOSING: Duration = Duration::from_secs(10);

/// `session/new`: a conversation, whose id is the session's.
pub(super) async fn new(adapter: Arc<Adapter>, id: Box<RawValue>, params: String) {
    match open(&adapter, &params).await {
        Ok(opened) => {
            let Opened {
                session,
                resumed,
                answer,
            } = opened;
            let loading = resumed.then(|| Count::of(&session.loading));
            adapter.respond(&id, Ok(answer));
            if let Some(loading) = loading {
                load::catch_up(&adapter, &session).await;
                drop(loading);
            }
        }
        Err(error) => adapter.respond(&id, Err(error)),
    }
}

struct Opened {
    session: Arc<Session>,
    /// Whether the conversation was there before.
    resumed: bool,
    answer: Value,
}

async fn open(adapter: &Arc<Adapter>, params: &str) -> Result<Opened, Error> {
    let Ok(Value::Object(params)) = serde_json::from_str::<Value>(params) else {
        return Err(refusal::params(
            "the parameters of session/new are no object",
        ));
    };
    let mut body = launch(adapter, params.get("_meta"))?;
    let wanted = adapter
        .options
        .agent
        .as_deref()
        .map(str::trim)
        .filter(|agent| !agent.is_empty());
    let wanted = wanted.ok_or_else(|| {
        refusal::params("no Fountain agent configured: add --agent and an agent's name to the arguments of fountain acp")
    })?;
    adapter.log_client(&params);
    let client = adapter.link.client().await?;
    let agent = agent::find(adapter, &client, wanted).await?;
    body.agent_id = agent.id;
    let created = match client.create_conversation(&body).await {
        Ok(created) => created,
        Err(error) => {
            return Err(adapter
                .link
                .failed("the conversation could not be started", &error)
                .await);
        }
    };
    let conversation = created.data;
    let session = adapter.sessions.open(&conversation.id);
    *lock(&session.cwd) = params.get("cwd").and_then(Value::as_str).map(str::to_owned);
    adapter
        .log
        .info(format!("session {} runs agent {}", session.id, agent.name));
    let model = conversation.model.or(agent.model);
    let answer = json!({"sessionId": session.id, "models": agent::models(model.as_deref())});
    Ok(Opened {
        session,
        resumed: created.meta.resumed,
        answer,
    })
}

/// The launch that flags and `_meta` describe, without its agent.
fn launch(adapter: &Adapter, meta: Option<&Value>) -> Result<Create, Error> {
    let options = &adapter.options;
    let policy = options.permission.clone().map_err(refusal::params)?;
    let empty = Map::new();
    let meta = meta.and_then(Value::as_object).unwrap_or(&empty);
    let sandbox_mode = text(meta, "sandboxMode")?.or_else(|| options.sandbox_mode.clone());
    if let Some(mode) = sandbox_mode.as_deref().filter(|mode| !MODES.contains(mode)) {
        return Err(refusal::params(format!(
            "the sandbox mode {mode:?} is none of {}: correct --sandbox-mode or _meta.sandboxMode",
            MODES.join(", ")
        )));
    }
    let channel = text(meta, "channelId")?;
    let fresh = match meta.get("freshSession") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(fresh)) => *fresh,
        Some(_) => return Err(refusal::params("_meta.freshSession must be true or false")),
    };
    let mut more = Map::new();
    let sandbox = text(meta, "sandboxId")?.or_else(|| options.sandbox.clone());
    let pairs = [
        ("vault_id", options.vault.clone()),
        ("environment_id", options.environment.clone()),
        ("sandbox_id", sandbox),
        ("workspace", options.workspace.clone()),
    ];
    for (field, value) in pairs {
        if let Some(value) = value {
            more.insert(field.to_owned(), value.into());
        }
    }
    if let Some(channel) = channel {
        more.insert("channel_id".to_owned(), channel.into());
        if fresh {
            more.insert("fresh".to_owned(), true.into());
        }
    }
    Ok(Create {
        permission_policy: policy,
        sandbox_mode,
        more,
        ..Create::default()
    })
}

/// A text of `_meta`; an empty one is none.
fn text(meta: &Map<String, Value>, key: &str) -> Result<Option<String>, Error> {
    match meta.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok((!text.is_empty()).then(|| text.clone())),
        Some(_) => Err(refusal::params(format!("_meta.{key} must be a string"))),
    }
}

/// `session/close`: detaches from the conversation, which goes on; only what this process asked for is stopped.
pub(super) async fn close(adapter: Arc<Adapter>, params: String) -> Result<Value, Error> {
    let session = adapter.session_of(&params)?;
    let mut ticket = session.enter();
    ticket.turn().await;
    if !session.state().prompts.is_empty() {
        session.mark_cancelled();
        prompt::interrupt(&adapter, &session).await;
        let over = async {
            while !session.state().prompts.is_empty() {
                session.ended.notified().await;
            }
        };
        if tokio::time::timeout(CLOSING, over).await.is_err() {
            adapter
                .log
                .warn(format!("conversation {} did not stop in time", session.id));
        }
    }
    adapter.sessions.close(&session.id);
    session.stop_following().await;
    permission::forget(&adapter, &session);
    let left = std::mem::take(&mut session.state().prompts);
    for prompt in left.into_values() {
        adapter.respond(&prompt.id, Ok(json!({"stopReason": "cancelled"})));
    }
    Ok(json!({}))
}

/// `session/set_config_option`: heard, not applied, and without a list, which would limit what is sent next.
pub(super) fn set_config_option(adapter: &Adapter, params: &str) -> Result<Value, Error> {
    adapter.session_of(params)?;
    let params: Value = serde_json::from_str(params).unwrap_or_default();
    let config = params["configId"]
        .as_str()
        .ok_or_else(|| refusal::params("configId must be a string"))?;
    adapter
        .log
        .info(format!("the option {config:?} was not applied"));
    Ok(json!({"_meta": {"fountain": {
        "applied": false,
        "configId": config,
        "reason": "the agent's own configuration decides: change it on the Fountain instance",
    }}}))
}
