//! `fountain conv list`: its flags, its help and what it does.

use fountain_core::api::conversations::Conversation;
use fountain_core::conversation::Status;

use crate::client::Filter;
use crate::context::Context;
use crate::failure::Failure;
use crate::resolve;
use crate::ui::{Table, transcript, when};

/// List conversations, the newest change first
///
/// Example: fountain conv list --agent demo --status running,idle --limit 20
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// Of this agent, by name or id
    #[arg(long)]
    agent: Option<String>,
    /// In these states: pending, running, idle, failed, terminated
    #[arg(long, value_name = "STATUS,…", value_delimiter = ',', value_parser = Status::ALL.map(Status::as_str), hide_possible_values = true)]
    status: Vec<String>,
    /// Bound to this channel
    #[arg(long, value_name = "NAME")]
    channel: Option<String>,
    /// So many at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=500))]
    limit: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let agent_id = match &args.agent {
        Some(agent) => Some(resolve::agent(&client, agent).await?.id),
        None => None,
    };
    let filter = Filter {
        agent_id,
        status: (!args.status.is_empty()).then(|| args.status.join(",")),
        channel_id: args.channel,
        limit: args.limit,
        roots_only: false,
    };
    let all = client.conversations(&filter).await?;
    if args.json {
        return cx.ui.json(&all);
    }
    let mut table = Table::new(&["ID", "STATUS", "AGENT", "TURNS", "ACTIVE", "TITLE"], &[0]);
    let (ids, now) = (ids(&all, cx.ui.shows()), when::now());
    for (conversation, id) in all.iter().zip(ids) {
        let title = conversation
            .title
            .as_deref()
            .or(conversation.first_prompt.as_deref());
        table.row([
            id,
            conversation.status.clone(),
            conversation
                .agent_name
                .clone()
                .unwrap_or_else(|| "-".to_owned()),
            conversation.turn_count.to_string(),
            when::ago(conversation.last_active_at, now),
            transcript::told(title.unwrap_or("-")).into_owned(),
        ]);
    }
    cx.ui.table(
        table,
        "no conversations: fountain run demo -p \"hello\" starts one",
    )
}

/// Whole ids for programs; for people the beginnings that name one of those shown.
fn ids(all: &[Conversation], short: bool) -> Vec<String> {
    const SHORTEST: usize = 8;
    let unique = |length: usize| {
        let mut beginnings: Vec<&str> = all
            .iter()
            .map(|one| one.id.get(..length).unwrap_or(&one.id))
            .collect();
        beginnings.sort_unstable();
        beginnings.windows(2).all(|pair| pair[0] != pair[1])
    };
    let length = if short {
        (SHORTEST..36).find(|length| unique(*length)).unwrap_or(36)
    } else {
        36
    };
    // A beginning that ends with a hyphen reads like a mistake.
    all.iter()
        .map(|one| {
            one.id
                .get(..length)
                .unwrap_or(&one.id)
                .trim_end_matches('-')
                .to_owned()
        })
        .collect()
}
