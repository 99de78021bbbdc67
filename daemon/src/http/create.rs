//! `POST /api/conversations`: a launch. Its policy can only narrow; when anything is wrong, nothing is created.

mod channel;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use fountain_core::api::agents::Agent;
use fountain_core::api::auth::Scope;
use fountain_core::api::conversations::{Create, Created, CreatedMeta};
use fountain_core::id::{AgentId, ConversationId, SandboxId};
use fountain_core::policy::{self, Policy};
use fountain_core::title;
use serde_json::{Value, json};
use uuid::Uuid;

use self::channel::Channel;
use super::auth::{Launcher, no_parent};
use super::body::{Body, id};
use super::error::{Answer, Refused};
use super::{agents, conversations as shown, prompts};
use crate::app::App;
use crate::conversations::{Message, Refusal};
use crate::runtime;
use crate::store::conversations::{self, New};
use crate::store::{audit, policies};

/// Fields that change what runs, and that this version does not serve.
const NOT_SERVED: [&str; 6] = [
    "vault_id",
    "environment_id",
    "sandbox_id",
    "workspace",
    "sprite_name",
    "inference_credential_id",
];

/// `POST /api/conversations`.
pub(super) async fn create(
    State(app): State<App>,
    launcher: Launcher,
    Body(body): Body<Create>,
) -> Answer<(StatusCode, Json<Created>)> {
    for field in NOT_SERVED {
        if body.more.get(field).is_some_and(|value| !value.is_null()) {
            return Err(Refused::field(
                field,
                "is not served by this version; leave it out",
            ));
        }
    }
    if launcher.scope == Scope::Sandbox && (body.channel_id.is_some() || body.fresh) {
        // What is bound to a channel may be anybody's.
        return Err(Refused::forbidden(
            "insufficient_scope",
            "A sandbox's key starts conversations of its own, and none on a channel; a full key may.",
        )
        .with("required_scope", "full"));
    }
    if body.agent_id.is_empty() {
        return Err(Refused::field("agent_id", "is needed"));
    }
    let agent_id: AgentId = id(&body.agent_id, "agent")?;
    let agent = agents::find(&app, agent_id).await?;
    let launch = launch_policy(&app, &agent, body.permission_policy.as_ref())?;
    match body.sandbox_mode.as_deref() {
        None | Some("ephemeral") => {}
        Some("persistent") => {
            return Err(Refused::unprocessable(
                "invalid_sandbox_mode",
                "`persistent` is not served by this version; use `ephemeral`.",
            ));
        }
        Some(_) => {
            return Err(Refused::unprocessable(
                "invalid_sandbox_mode",
                "`sandbox_mode` is `ephemeral`.",
            ));
        }
    }
    prompts::check_label(body.client_request_id.as_deref())?;
    let submission = match &body.prompt {
        Some(prompt) => Some(prompts::submission(
            prompt,
            &body.images,
            body.client_request_id.clone(),
        )?),
        None if !body.images.is_empty() => {
            return Err(Refused::unprocessable(
                "invalid_images",
                "Images need a prompt that they belong to.",
            ));
        }
        None => None,
    };
    if submission.is_some() {
        let account = app.account().await?;
        account
            .may_begin()
            .map_err(|refused| Refused::from(Refusal::Conversation(refused)))?;
    }
    let parents = match launcher.parent {
        Some(parent) => above(&app, parent).await?,
        None => Vec::new(),
    };
    let channel = body.channel_id.as_deref().map(channel).transpose()?;
    // A channel's conversation is named after it: whoever looks for it looks for that.
    let named = channel.as_ref().and_then(Channel::title);
    let title = body.title.as_deref().map(title).transpose()?;
    let new = New {
        id: ConversationId(Uuid::now_v7()),
        agent: agent_id,
        runtime: agent.runtime.clone(),
        title: title.or(named),
        launch,
        parents,
        parent: launcher.parent,
        sandbox: SandboxId(Uuid::now_v7()),
        sandbox_mode: "ephemeral".into(),
        sandbox_provider: app.sandboxes.name().into(),
    };
    let id = new.id;
    let now = app.now();
    let entry = audit::Entry {
        actor: launcher.actor(),
        action: "conversation.created",
        resource: ("conversation", id.to_string()),
        metadata: json!({"agent": agent.id, "key": launcher.prefix}),
    };
    let made = app
        .store
        .write(move |tx| channel::find_or_make(tx, &new, channel.as_ref(), body.fresh, &entry, now))
        .await?;
    if matches!(made, channel::Made::Full) {
        return Err(Refused::unprocessable(
            "too_many_policies",
            "Too many different launches on this channel have each brought a policy of their own; start afresh on it (`fresh`).",
        ));
    }
    if let channel::Made::Resumed(id) = made {
        let meta = CreatedMeta {
            resumed: true,
            ..CreatedMeta::default()
        };
        let data = shown::read(&app, id).await?;
        return Ok((StatusCode::OK, Json(Created { data, meta })));
    }
    let mut meta = CreatedMeta::default();
    if let Some(submission) = submission {
        let accepted = app
            .conversations
            .ask(&app, id, |reply| Message::Prompt { submission, reply })
            .await?;
        meta.turn_id = Some(accepted.turn_id);
        meta.turn_number = Some(accepted.turn_number);
        meta.after = Some(accepted.after);
    }
    let data = shown::read(&app, id).await?;
    Ok((StatusCode::CREATED, Json(Created { data, meta })))
}

/// What the conversation that starts another is under, layer by layer: the new one is under them as well, whatever
/// its own agent holds.
async fn above(app: &App, parent: ConversationId) -> Answer<Vec<Policy>> {
    let found = app
        .store
        .read(move |db| match conversations::find(db, parent)? {
            Some(live) => policies::of(db, live.key).map(Some),
            None => Ok(None),
        })
        .await?;
    Ok(found.ok_or_else(no_parent)?.handed_down())
}

/// The policy of a launch on this agent, which the runtime there is can start.
fn launch_policy(app: &App, agent: &Agent, asked: Option<&Value>) -> Answer<Policy> {
    let launch = narrowed(app, agent, asked)?;
    let settings = app.settings();
    let unavailable = |runtime: &&runtime::Runtime| {
        runtime.start.is_none() || !runtime::is_offered(runtime, &settings.fixture, &app.owner)
    };
    if let Some(runtime) = runtime::find(&agent.runtime).filter(unavailable) {
        let message = format!(
            "This version does not start the runtime `{}`; give its command to an agent of the runtime `acp`.",
            runtime.name
        );
        return Err(Refused::unprocessable("runtime_unavailable", message));
    }
    Ok(launch)
}

/// A launch's policy: it can be enforced, and only narrows what the agent holds.
pub(super) fn narrowed(app: &App, agent: &Agent, asked: Option<&Value>) -> Answer<Policy> {
    let runtime = runtime::find(&agent.runtime).ok_or_else(|| {
        Refused::unprocessable(
            "runtime_unavailable",
            format!("There is no runtime `{}`.", agent.runtime),
        )
    })?;
    let launch = Policy::parse(asked.unwrap_or(&Value::Null))
        .map_err(|invalid| Refused::policy(&invalid))?;
    agents::enforceable(runtime, &launch)?;
    let held = agents::held(agent);
    agents::enforceable(runtime, &held)?;
    policy::narrows(&held, &launch, app.ceiling_seconds()).map_err(|widens| {
        let errors = json!({ "permission_policy": [widens.message] });
        Refused::unprocessable("permission_policy_widens", widens.message)
            .with("key", widens.key)
            .with("errors", errors)
    })?;
    Ok(launch)
}

/// Reads the name of a channel.
fn channel(text: &str) -> Answer<Channel> {
    let fits = (1..=255).contains(&text.chars().count())
        && !text.trim().is_empty()
        && !text.contains('\0');
    if fits {
        Ok(Channel(text.to_owned()))
    } else {
        Err(Refused::field(
            "channel_id",
            "must have 1 to 255 characters, not all blank, and no NUL",
        ))
    }
}

/// Reads an explicit title.
pub(super) fn title(text: &str) -> Answer<String> {
    if text.chars().count() > title::LONGEST {
        return Err(Refused::field(
            "title",
            format!("has at most {} characters", title::LONGEST),
        ));
    }
    title::normalise(text, &fountain_core::redact::Redactor::default())
        .ok_or_else(|| Refused::field("title", "must not be blank"))
}
