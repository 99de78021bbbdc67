//! From a started process to a session that takes prompts: the handshake, the runtime's own session of last
//! time where it still has it, the model.

use std::path::Path;
use std::time::Duration;

use fountain_core::acp::method;
use serde_json::{Value, json};

use super::link::{CallError, Link};

/// How long a replay must be quiet before it counts as over, and the most it may take.
const QUIET: Duration = Duration::from_millis(250);
const REPLAY: Duration = Duration::from_secs(10);

/// A session that takes prompts.
#[derive(Clone, Debug)]
pub struct Session {
    /// The runtime's own id of it.
    pub id: String,
    /// How it was come by.
    pub how: How,
    /// Whether prompts may carry images.
    pub images: bool,
}

/// How a session was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is new, as it was the first.
    New,
    /// The runtime had it still, memory included.
    Resumed,
    /// It is new because the runtime has forgotten the one before: memory is lost.
    Forgotten,
}

/// What to open.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The folder it works in.
    pub cwd: &'a Path,
    /// The runtime's own session of last time.
    pub known: Option<&'a str>,
    /// The agent's model, `provider/model`.
    pub model: Option<&'a str>,
    /// How long each step may take.
    pub limit: Duration,
}

/// Why there is no session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failed {
    /// In words that name the step.
    #[error("{0}")]
    Said(String),
    /// The runtime ended in this step; how it ended says more.
    #[error("`{0}`")]
    Gone(&'static str),
}

/// Opens a session.
///
/// # Errors
/// In words, naming the step that failed.
pub async fn open(link: &Link, wanted: Wanted<'_>) -> Result<Session, Failed> {
    let hello = json!({
        "protocolVersion": 1,
        "clientCapabilities": {"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false},
        "clientInfo": {"name": "fountain", "title": "Fountain", "version": env!("CARGO_PKG_VERSION")},
    });
    let agent = call(link, method::INITIALIZE, &hello, wanted.limit).await?;
    check_version(&agent)?;
    authenticate(link, &agent, wanted.limit).await?;
    let capabilities = &agent["agentCapabilities"];
    let images = capabilities["promptCapabilities"]["image"] == true;
    let (result, id, how) = match wanted.known {
        Some(known) => match again(link, known, capabilities, wanted).await? {
            Some(result) => (result, known.to_owned(), How::Resumed),
            None => fresh(link, &agent, wanted)
                .await
                .map(|(result, id)| (result, id, How::Forgotten))?,
        },
        None => fresh(link, &agent, wanted)
            .await
            .map(|(result, id)| (result, id, How::New))?,
    };
    link.set_session(&id);
    if let Some(model) = wanted.model {
        choose_model(link, &id, &result, model, wanted.limit).await?;
    }
    Ok(Session { id, how, images })
}

async fn call(
    link: &Link,
    method: &'static str,
    params: &Value,
    limit: Duration,
) -> Result<Value, Failed> {
    match link.call(method, params, limit).await {
        Ok(raw) => Ok(serde_json::from_str(raw.get()).unwrap_or(Value::Null)),
        Err(error) => Err(failed(method, &error)),
    }
}

fn failed(method: &'static str, error: &CallError) -> Failed {
    match error {
        CallError::Gone => Failed::Gone(method),
        CallError::Late(limit) => Failed::Said(format!(
            "the agent did not answer `{method}` within {} (`limits.handshake`)",
            fountain_core::duration::words(*limit)
        )),
        CallError::Refused(_) => Failed::Said(format!("`{method}`: {error}")),
    }
}

fn check_version(agent: &Value) -> Result<(), Failed> {
    match &agent["protocolVersion"] {
        Value::Null => Ok(()),
        version if version.as_i64() == Some(1) => Ok(()),
        version => Err(Failed::Said(format!(
            "the agent speaks protocol version {version}; Fountain speaks version 1"
        ))),
    }
}

/// Logs in only by a method that takes an API key: the first one listed may open a browser nobody sees.
async fn authenticate(link: &Link, agent: &Value, limit: Duration) -> Result<(), Failed> {
    let methods = agent["authMethods"].as_array();
    let by_key = methods.and_then(|methods| {
        methods
            .iter()
            .find(|method| !method["_meta"]["api-key"].is_null())
    });
    let Some(id) = by_key.and_then(|method| method["id"].as_str()) else {
        return Ok(());
    };
    // A runtime may log in by other means; the session says whether it needed this one.
    if let Err(error) = call(
        link,
        method::AUTHENTICATE,
        &json!({ "methodId": id }),
        limit,
    )
    .await
    {
        tracing::debug!(%error, "the agent did not take its key");
    }
    Ok(())
}

async fn fresh(link: &Link, agent: &Value, wanted: Wanted<'_>) -> Result<(Value, String), Failed> {
    let params = json!({"cwd": wanted.cwd, "mcpServers": []});
    let result = match link.call(method::NEW, &params, wanted.limit).await {
        Ok(raw) => serde_json::from_str(raw.get()).unwrap_or(Value::Null),
        Err(CallError::Refused(error)) if error.code == fountain_core::rpc::code::AUTH_REQUIRED => {
            let methods: Vec<&str> = agent["authMethods"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|method| method["id"].as_str())
                .collect();
            return Err(Failed::Said(format!(
                "the agent wants a login: {}. It offers {}; set its API key in the configuration \
                 (`runtimes.<name>.env` or `.pass`)",
                error.sentence(),
                if methods.is_empty() {
                    "no method".to_owned()
                } else {
                    methods.join(", ")
                },
            )));
        }
        Err(error) => return Err(failed(method::NEW, &error)),
    };
    match result["sessionId"]
        .as_str()
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
    {
        Some(id) => Ok((result, id)),
        None => Err(Failed::Said(
            "the agent answered `session/new` without a session id".into(),
        )),
    }
}

/// Opens the session of last time; `None` when the runtime has forgotten it, or cannot open any.
async fn again(
    link: &Link,
    known: &str,
    capabilities: &Value,
    wanted: Wanted<'_>,
) -> Result<Option<Value>, Failed> {
    let resumes = !capabilities["sessionCapabilities"]["resume"].is_null();
    let loads = capabilities["loadSession"] == true;
    let how = match (resumes, loads) {
        (true, _) => method::RESUME,
        (false, true) => method::LOAD,
        (false, false) => return Ok(None),
    };
    link.set_session(known);
    link.mute(true);
    let params = json!({"sessionId": known, "cwd": wanted.cwd, "mcpServers": []});
    let result = match link.call(how, &params, wanted.limit).await {
        Ok(raw) => Some(serde_json::from_str(raw.get()).unwrap_or(Value::Null)),
        Err(CallError::Refused(error)) => {
            tracing::info!(error = %error.sentence(), "the agent does not have its session any more");
            None
        }
        Err(error) => return Err(failed(how, &error)),
    };
    if how == method::LOAD && result.is_some() {
        // Some answer before they replay: quiet is the end, not the answer.
        let until = tokio::time::Instant::now() + REPLAY;
        while link.quiet() < QUIET && tokio::time::Instant::now() < until {
            tokio::time::sleep(
                QUIET
                    .saturating_sub(link.quiet())
                    .max(Duration::from_millis(5)),
            )
            .await;
        }
    }
    link.mute(false);
    Ok(result)
}

async fn choose_model(
    link: &Link,
    session: &str,
    opened: &Value,
    model: &str,
    limit: Duration,
) -> Result<(), Failed> {
    let bare = model.split_once('/').map_or(model, |(_, name)| name);
    let refused =
        |error: Failed| Failed::Said(format!("the agent refused the model `{model}`: {error}"));
    let option = opened["configOptions"].as_array().and_then(|options| {
        options
            .iter()
            .find(|option| option["category"] == "model" || option["id"] == "model")
    });
    if let Some(option) = option {
        let offered = |name: &str| {
            option["options"]
                .to_string()
                .contains(&format!("\"{name}\""))
        };
        let value = if offered(model) { model } else { bare };
        let params = json!({"sessionId": session, "configId": option["id"], "value": value});
        call(link, method::SET_CONFIG_OPTION, &params, limit)
            .await
            .map_err(refused)?;
        return Ok(());
    }
    if !opened["models"].is_null() {
        let params = json!({"sessionId": session, "modelId": bare});
        call(link, method::SET_MODEL, &params, limit)
            .await
            .map_err(refused)?;
        return Ok(());
    }
    Err(Failed::Said(format!(
        "the agent offers no way to choose a model, and its agent is set to `{model}`; clear the model, or use another runtime"
    )))
}
