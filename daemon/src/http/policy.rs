//! Looking at policies. Nothing here changes anything.

mod replay;

use axum::Json;
use axum::extract::State;
use fountain_core::api::Data;
use fountain_core::api::agents::Agent;
use fountain_core::api::policy::{Explain, Explained, Layer, Replay, Replayed};
use fountain_core::id::AgentId;
use fountain_core::policy::{Effective, Policy, Tool};

use super::auth::Owner;
use super::body::{Body, id};
use super::error::{Answer, Refused};
use super::{agents, create};
use crate::app::App;
use crate::store::{decisions, policies};

/// `POST /api/policy/explain`.
pub(super) async fn explain(
    State(app): State<App>,
    _: Owner,
    Body(asked): Body<Explain>,
) -> Answer<Json<Data<Explained>>> {
    let agent = agent(&app, &asked.agent_id).await?;
    let launch = create::narrowed(&app, &agent, asked.permission_policy.as_ref())?;
    let effective = Effective {
        agent: agents::held(&agent),
        launch,
        parents: Vec::new(),
    };
    let explained = effective.explain(Tool {
        title: asked.title.as_deref(),
        kind: asked.kind.as_deref(),
    });
    let layers = explained.layers.into_iter().map(|layer| Layer {
        layer: layer.name.into(),
        verdict: layer.decision.verdict.to_string(),
        key: layer.decision.key.word().to_owned(),
        why: layer.why,
    });
    let data = Explained {
        kind: asked.kind,
        title: asked.title,
        verdict: explained.decision.verdict.to_string(),
        key: explained.decision.key.word().to_owned(),
        layer: explained.by.to_owned(),
        layers: layers.collect(),
        warnings: explained.warnings,
    };
    Ok(Json(Data { data }))
}

/// `POST /api/policy/replay`.
pub(super) async fn replay(
    State(app): State<App>,
    _: Owner,
    Body(asked): Body<Replay>,
) -> Answer<Json<Data<Replayed>>> {
    let agent_id: AgentId = id(&asked.agent_id, "agent")?;
    agents::find(&app, agent_id).await?;
    let policy =
        Policy::parse(&asked.permission_policy).map_err(|invalid| Refused::policy(&invalid))?;
    let since = asked.since.unwrap_or_default();
    let data = app
        .store
        .read(move |db| {
            let mut replay = replay::Replay::default();
            for key in decisions::conversations(db, agent_id, since)? {
                let under = Effective {
                    agent: policy.clone(),
                    ..policies::of(db, key)?
                };
                decisions::since(db, key, since, |recorded| replay.take(&under, recorded))?;
            }
            Ok(replay.done())
        })
        .await?;
    Ok(Json(Data { data }))
}

async fn agent(app: &App, agent: &str) -> Answer<Agent> {
    let id: AgentId = id(agent, "agent")?;
    agents::find(app, id).await
}
