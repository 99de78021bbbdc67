//! `fountain policy explain`: its flags, its help and what it does.

use std::collections::BTreeSet;

use fountain_core::api::policy::{Explain, Explained};
use fountain_core::policy::KINDS;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::permission;
use crate::resolve;
use crate::ui::Table;

/// Tell what happens to a request, which key decides it, in which layer, and why
///
/// Without --kind and --title it tells it of every kind. --permission is a launch's policy; one that would
/// loosen the agent's is refused, as it would be at a launch.
///
/// Example: fountain policy explain --agent demo --permission execute=auto_deny --kind execute
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The agent, by name or id
    #[arg(long, value_name = "AGENT")]
    agent: String,
    /// A launch's policy beside the agent's: a verdict (ask), or pairs (execute=ask,edit=auto_deny)
    #[arg(long, value_name = "POLICY", value_parser = permission::parse)]
    permission: Option<Value>,
    /// The kind of the tool call, such as execute; without it, the call names none
    #[arg(long)]
    kind: Option<String>,
    /// The title on the tool card, letter by letter
    #[arg(long, allow_hyphen_values = true)]
    title: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let agent = resolve::agent(&client, &args.agent).await?;
    let asked = |kind: Option<&str>| Explain {
        agent_id: agent.id.clone(),
        permission_policy: args.permission.clone(),
        kind: kind.map(str::to_owned),
        title: args.title.clone(),
    };
    if args.kind.is_some() || args.title.is_some() {
        let explained = client.explain(&asked(args.kind.as_deref())).await?;
        if args.json {
            return cx.ui.json(&explained);
        }
        return one(&explained, cx);
    }
    let mut all = Vec::new();
    for kind in KINDS {
        all.push(client.explain(&asked(Some(kind))).await?);
    }
    if args.json {
        return cx.ui.json(&all);
    }
    let mut table = Table::new(&["KIND", "VERDICT", "KEY", "LAYER", "WHY"], &[0, 1]);
    let mut warnings = BTreeSet::new();
    for explained in all {
        warnings.extend(explained.warnings.iter().cloned());
        let why = why(&explained);
        table.row([
            explained.kind.unwrap_or_default(),
            explained.verdict,
            explained.key,
            explained.layer,
            why,
        ]);
    }
    cx.ui.table(table, "")?;
    for warning in &warnings {
        cx.ui.warning(warning);
    }
    Ok(())
}

fn one(explained: &Explained, cx: &Context) -> Result<(), Failure> {
    cx.ui.facts(&[
        ("kind", explained.kind.clone()),
        ("title", explained.title.clone()),
        ("verdict", Some(explained.verdict.clone())),
        ("key", Some(explained.key.clone())),
        ("layer", Some(explained.layer.clone())),
        ("why", Some(why(explained))),
    ])?;
    cx.ui.data("")?;
    let mut table = Table::new(&["LAYER", "VERDICT", "KEY", "WHY"], &[0, 1]);
    for layer in &explained.layers {
        table.row([
            layer.layer.clone(),
            layer.verdict.clone(),
            layer.key.clone(),
            layer.why.clone(),
        ]);
    }
    cx.ui.table(table, "")?;
    for warning in &explained.warnings {
        cx.ui.warning(warning);
    }
    Ok(())
}

/// The sentence of the layer that decided.
fn why(explained: &Explained) -> String {
    let decided = explained
        .layers
        .iter()
        .find(|layer| layer.layer == explained.layer && layer.verdict == explained.verdict);
    decided.map_or_else(String::new, |layer| layer.why.clone())
}
