//! What a fresh instance starts with: its owner's id, and the agent `demo`.

use fountain_core::api::agents::Agent;
use fountain_core::time::Timestamp;
use serde_json::Map;
use uuid::Uuid;

use crate::store::{Error, Store, agents, instance};

/// The command of `demo`: the built-in agent, found first on a sandbox's PATH.
const DEMO: &str = "exec fountain fixture";

/// Gives a fresh database what it starts with; gives the owner's id.
pub(super) async fn seed(store: &Store, now: Timestamp) -> Result<String, Error> {
    store
        .write(move |tx| {
            if let Some(owner) = instance::get(tx.connection(), "owner")? {
                return Ok(owner);
            }
            let owner = Uuid::now_v7().to_string();
            instance::set(tx, "owner", &owner)?;
            agents::insert(tx, &demo(now))?;
            Ok(owner)
        })
        .await
}

fn demo(now: Timestamp) -> Agent {
    Agent {
        id: Uuid::now_v7().to_string(),
        name: "demo".into(),
        description: Some(
            "The built-in agent: needs no model, no network and no account. Say `help` to it."
                .into(),
        ),
        system: None,
        model: None,
        runtime: "acp".into(),
        runtime_command: Some(DEMO.into()),
        acp: true,
        sandbox_provider: None,
        sandbox_mode: Some("ephemeral".into()),
        metadata: Map::new(),
        permission_policy: Some(serde_json::json!({"default": "ask"})),
        conversation_count: 0,
        inserted_at: now,
        updated_at: now,
    }
}
