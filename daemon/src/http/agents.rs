//! Agents: the routes and the rules of their fields.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use fountain_core::api::Data;
use fountain_core::api::agents::{Agent, FIELDS};
use fountain_core::id::AgentId;
use fountain_core::policy::Policy;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::auth::{Owner, Reader};
use super::body::{Body, Ids, id};
use super::error::{Answer, Refused};
use super::query::Queries;
use crate::app::App;
use crate::runtime::{self, Asks};
use crate::store::{agents, audit};

/// `GET /api/agents`.
pub(super) async fn list(
    State(app): State<App>,
    reader: Reader,
    queries: Queries,
) -> Answer<Json<Data<Vec<Agent>>>> {
    reader.may_read_all()?;
    let search = queries.text("search").unwrap_or_default();
    let data = app.store.read(move |db| agents::list(db, &search)).await?;
    Ok(Json(Data { data }))
}

/// `GET /api/agents/{id}`.
pub(super) async fn show(
    State(app): State<App>,
    reader: Reader,
    Ids([agent]): Ids<1>,
) -> Answer<Json<Data<Agent>>> {
    reader.may_read_all()?;
    let id: AgentId = id(&agent, "agent")?;
    let data = find(&app, id).await?;
    Ok(Json(Data { data }))
}

/// `POST /api/agents`.
pub(super) async fn create(
    State(app): State<App>,
    owner: Owner,
    Body(fields): Body<Map<String, Value>>,
) -> Answer<(StatusCode, Json<Data<Agent>>)> {
    let now = app.now();
    let mut agent = Agent {
        id: Uuid::now_v7().to_string(),
        name: String::new(),
        description: None,
        system: None,
        model: None,
        runtime: String::new(),
        runtime_command: None,
        acp: true,
        sandbox_provider: None,
        sandbox_mode: Some("ephemeral".into()),
        metadata: Map::new(),
        permission_policy: None,
        conversation_count: 0,
        inserted_at: now,
        updated_at: now,
    };
    apply(&mut agent, &fields)?;
    check(&app, &agent)?;
    let stored = agent.clone();
    let entry = trail("agent.created", &agent, &owner);
    let taken = app
        .store
        .write(move |tx| {
            if agents::name_taken(tx.connection(), &stored.name, None)? {
                return Ok(true);
            }
            agents::insert(tx, &stored)?;
            audit::insert(tx, &entry, now)?;
            Ok(false)
        })
        .await?;
    if taken {
        return Err(name_taken(&agent));
    }
    Ok((StatusCode::CREATED, Json(Data { data: agent })))
}

/// `PATCH` and `PUT /api/agents/{id}`.
pub(super) async fn update(
    State(app): State<App>,
    owner: Owner,
    Ids([agent]): Ids<1>,
    Body(fields): Body<Map<String, Value>>,
) -> Answer<Json<Data<Agent>>> {
    let id: AgentId = id(&agent, "agent")?;
    let before = find(&app, id).await?;
    let mut agent = before.clone();
    apply(&mut agent, &fields)?;
    check(&app, &agent)?;
    let unchanged = json!(before) == json!(agent);
    if unchanged {
        return Ok(Json(Data { data: before }));
    }
    agent.updated_at = app.now();
    let now = agent.updated_at;
    let stored = agent.clone();
    let entry = trail("agent.updated", &agent, &owner);
    let taken = app
        .store
        .write(move |tx| {
            if agents::name_taken(tx.connection(), &stored.name, Some(&stored.id))? {
                return Ok(true);
            }
            agents::update(tx, &stored)?;
            audit::insert(tx, &entry, now)?;
            Ok(false)
        })
        .await?;
    if taken {
        return Err(name_taken(&agent));
    }
    Ok(Json(Data { data: agent }))
}

/// `DELETE /api/agents/{id}`.
pub(super) async fn delete(
    State(app): State<App>,
    owner: Owner,
    Ids([agent]): Ids<1>,
) -> Answer<StatusCode> {
    let id: AgentId = id(&agent, "agent")?;
    let agent = find(&app, id).await?;
    let entry = trail("agent.deleted", &agent, &owner);
    let now = app.now();
    app.store
        .write(move |tx| {
            audit::insert(tx, &entry, now)?;
            agents::delete(tx, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Finds an agent or answers 404.
pub(super) async fn find(app: &App, id: AgentId) -> Answer<Agent> {
    app.store
        .read(move |db| agents::show(db, id))
        .await?
        .ok_or_else(|| Refused::not_found("agent"))
}

fn trail(action: &'static str, agent: &Agent, owner: &Owner) -> audit::Entry {
    audit::Entry {
        actor: "api",
        action,
        resource: ("agent", agent.id.clone()),
        metadata: json!({"name": agent.name, "key": owner.0.prefix}),
    }
}

fn name_taken(agent: &Agent) -> Refused {
    Refused::field(
        "name",
        format!(
            "the name \"{}\" is taken; names are compared without regard to case",
            agent.name
        ),
    )
}

/// Puts the named fields over what is there: absent keeps, null clears.
fn apply(agent: &mut Agent, fields: &Map<String, Value>) -> Answer<()> {
    for (field, value) in fields {
        match field.as_str() {
            "name" => agent.name = text(field, value)?.unwrap_or_default(),
            "runtime" => agent.runtime = text(field, value)?.unwrap_or_default(),
            "description" => agent.description = text(field, value)?,
            "system" => agent.system = text(field, value)?,
            "model" => agent.model = text(field, value)?,
            "runtime_command" => agent.runtime_command = text(field, value)?,
            "sandbox_provider" => agent.sandbox_provider = text(field, value)?,
            "sandbox_mode" => agent.sandbox_mode = text(field, value)?,
            "permission_policy" => {
                agent.permission_policy = if value.is_null() {
                    None
                } else {
                    Some(value.clone())
                };
            }
            "metadata" => match value {
                Value::Null => agent.metadata = Map::new(),
                Value::Object(map) => agent.metadata = map.clone(),
                _ => return Err(Refused::field(field, "must be a map")),
            },
            // What the API itself shows may be sent back unchanged.
            "id" | "acp" | "conversation_count" | "inserted_at" | "updated_at" => {}
            _ => {
                let known = FIELDS.join("`, `");
                return Err(Refused::field(
                    field,
                    format!("is no field of an agent; the fields are `{known}`"),
                ));
            }
        }
    }
    Ok(())
}

fn text(field: &str, value: &Value) -> Answer<Option<String>> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) if text.contains('\0') => {
            Err(Refused::field(field, "must not contain a NUL character"))
        }
        Value::String(text) => Ok(Some(text.clone())),
        _ => Err(Refused::field(field, "must be a text")),
    }
}

fn check(app: &App, agent: &Agent) -> Answer<()> {
    let length = agent.name.chars().count();
    if agent.name.trim().is_empty() || length > 200 {
        return Err(Refused::field("name", "must have 1 to 200 characters"));
    }
    let settings = app.settings();
    let offered =
        |runtime: &&runtime::Runtime| runtime::is_offered(runtime, &settings.fixture, &app.owner);
    let Some(runtime) = runtime::find(&agent.runtime).filter(offered) else {
        let known: Vec<&str> = runtime::RUNTIMES
            .iter()
            .filter(offered)
            .map(|runtime| runtime.name)
            .collect();
        return Err(Refused::field(
            "runtime",
            format!("must be one of {}", known.join(", ")),
        ));
    };
    let command = agent.runtime_command.as_deref().map(str::trim);
    match (runtime.name, command) {
        ("acp", None | Some("")) => {
            return Err(Refused::field(
                "runtime_command",
                "is needed for the runtime `acp`: the command line that speaks ACP on its stdio",
            ));
        }
        ("acp", Some(_)) | (_, None) => {}
        _ => {
            return Err(Refused::field(
                "runtime_command",
                "is only for the runtime `acp`",
            ));
        }
    }
    if let Some(model) = &agent.model
        && !is_model(model)
    {
        return Err(Refused::field(
            "model",
            "must be `provider/model`, in lower case",
        ));
    }
    match agent.sandbox_mode.as_deref() {
        None | Some("ephemeral") => {}
        Some("persistent") => {
            return Err(Refused::field(
                "sandbox_mode",
                "`persistent` is not served by this version; use `ephemeral`",
            ));
        }
        Some(_) => return Err(Refused::field("sandbox_mode", "must be `ephemeral`")),
    }
    if let Some(kind) = &agent.sandbox_provider
        && kind != app.sandboxes.name()
    {
        return Err(Refused::field(
            "sandbox_provider",
            format!("this instance serves `{}`", app.sandboxes.name()),
        ));
    }
    let policy = Policy::parse(agent.permission_policy.as_ref().unwrap_or(&Value::Null))
        .map_err(|invalid| Refused::policy(&invalid))?;
    enforceable(runtime, &policy)
}

/// The policy of an agent: one that makes no sense denies.
pub(super) fn held(agent: &Agent) -> Policy {
    agent
        .permission_policy
        .as_ref()
        .map_or_else(Policy::default, Policy::stored_value)
}

/// A policy that a runtime will never be asked about protects nobody, and is refused.
pub(super) fn enforceable(runtime: &runtime::Runtime, policy: &Policy) -> Answer<()> {
    if runtime.asks != Asks::No || !policy.needs_enforcement() {
        return Ok(());
    }
    let message = format!(
        "The runtime `{}` never asks before a tool runs, so a policy stricter than auto_allow cannot be enforced on it. \
         Leave the policy out, or use another runtime.",
        runtime.name
    );
    let errors = json!({ "permission_policy": [message] });
    Err(Refused::unprocessable("permission_policy_unenforceable", message).with("errors", errors))
}

fn is_model(model: &str) -> bool {
    let part = |text: &str, also: &[char]| {
        !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || also.contains(&c))
    };
    model
        .split_once('/')
        .is_some_and(|(provider, name)| part(provider, &['_', '-']) && part(name, &['.', '_', '-']))
}
