//! The agent that every session of this process runs, found by its id or its name; and its model.

use fountain_core::api::agents::Agent;
use fountain_core::rpc::Error;
use serde_json::{Value, json};

use super::{Adapter, refusal};
use crate::client::Client;

/// So many names are told where one is not known.
const NAMES: usize = 12;

/// Finds the agent that `--agent` names, and refuses one that speaks no ACP.
pub(super) async fn find(adapter: &Adapter, client: &Client, wanted: &str) -> Result<Agent, Error> {
    let base = client.base();
    let what = format!("could not resolve agent {wanted:?} on {base}");
    let agents = match client.agents(None).await {
        Ok(agents) => agents,
        Err(error) => return Err(adapter.link.failed(&what, &error).await),
    };
    let agent = pick(agents, wanted).map_err(|why| refusal::failed(format!("{what}: {why}")))?;
    if agent.acp {
        return Ok(agent);
    }
    Err(refusal::params(format!(
        "agent {:?} runs the {} runtime, which does not speak ACP: use it from the conversations app, or with fountain run",
        agent.name, agent.runtime
    )))
}

/// The exact id, the exact name, or what alone begins so.
fn pick(agents: Vec<Agent>, wanted: &str) -> Result<Agent, String> {
    let lower = wanted.to_lowercase();
    let exact = |agent: &&Agent| {
        agent.id.eq_ignore_ascii_case(wanted) || agent.name.to_lowercase() == lower
    };
    let begins = |agent: &&Agent| {
        agent.id.starts_with(&lower) || agent.name.to_lowercase().starts_with(&lower)
    };
    let names = |found: &[&Agent]| {
        let more = if found.len() > NAMES { ", …" } else { "" };
        let names: Vec<&str> = found
            .iter()
            .take(NAMES)
            .map(|agent| agent.name.as_str())
            .collect();
        names.join(", ") + more
    };
    if let Some(agent) = agents.iter().find(exact) {
        return Ok(agent.clone());
    }
    let all: Vec<&Agent> = agents.iter().collect();
    match agents.iter().filter(begins).collect::<Vec<_>>().as_slice() {
        [one] => Ok((*one).clone()),
        [] if all.is_empty() => {
            Err("it has no agents; make one with fountain agent create".to_owned())
        }
        [] => Err(format!(
            "no agent has this name or id; correct --agent, it has {}",
            names(&all)
        )),
        several => Err(format!(
            "the name is not unique; set --agent to one of {}",
            names(several)
        )),
    }
}

/// The one model that a session offers.
pub(super) fn models(model: Option<&str>) -> Value {
    let id = model.filter(|model| !model.is_empty()).unwrap_or("default");
    let description = if id == "default" {
        "The runtime's own default"
    } else {
        "The model of the Fountain agent"
    };
    json!({
        "currentModelId": id,
        "availableModels": [{"modelId": id, "name": id, "description": description}],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agents(names: &[&str]) -> Vec<Agent> {
        let agent = |(at, name): (usize, &&str)| {
            let id = format!("{at}f6ee5d6-1c6c-4c8b-9a5e-1f5a7bb0f0a{at}");
            let time = "2026-01-01T00:00:00.000Z";
            let agent = json!({"id": id, "name": name, "runtime": "acp", "acp": true, "inserted_at": time, "updated_at": time});
            serde_json::from_value(agent).unwrap()
        };
        names.iter().enumerate().map(agent).collect()
    }

    #[test]
    fn an_agent_is_found_by_what_names_only_it() {
        let all = ["demo", "Demo-2", "coder"];
        for (wanted, expect) in [
            ("demo", Ok("demo")),
            ("DEMO-2", Ok("Demo-2")),
            ("c", Ok("coder")),
            ("1f6ee5d6-1c6c-4c8b-9a5e-1f5a7bb0f0a1", Ok("Demo-2")),
            ("2f6e", Ok("coder")),
            ("dem", Err("not unique; set --agent to one of demo, Demo-2")),
            ("nope", Err("it has demo, Demo-2, coder")),
        ] {
            match (pick(agents(&all), wanted), expect) {
                (Ok(agent), Ok(name)) => assert_eq!(agent.name, name),
                (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
                (got, _) => panic!("{wanted}: {got:?}"),
            }
        }
        assert!(pick(Vec::new(), "x").unwrap_err().contains("no agents"));
    }

    #[test]
    fn there_is_always_one_model() {
        assert_eq!(models(None)["currentModelId"], "default");
        assert_eq!(
            models(Some("anthropic/x"))["availableModels"][0]["modelId"],
            "anthropic/x"
        );
    }
}
