//! `fountain agent list`: its flags, its help and what it does.

use crate::context::Context;
use crate::failure::Failure;
use crate::ui::Table;

/// List agents
///
/// Example: fountain agent list --json
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// Only those whose name holds this
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let agents = cx.client().await?.agents(args.search.as_deref()).await?;
    if args.json {
        return cx.ui.json(&agents);
    }
    let mut table = Table::new(
        &["NAME", "RUNTIME", "MODEL", "POLICY", "CONVERSATIONS"],
        &[0, 1],
    );
    for agent in agents {
        table.row([
            agent.name,
            agent.runtime,
            agent.model.unwrap_or_else(|| "-".to_owned()),
            agent
                .permission_policy
                .as_ref()
                .map_or_else(|| "none".to_owned(), super::show::policy),
            agent.conversation_count.to_string(),
        ]);
    }
    cx.ui.table(table, "no agents")
}
