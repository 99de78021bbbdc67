//! `fountain requests show`: its flags, its help and what it does.

use crate::context::Context;
use crate::failure::Failure;
use crate::resolve;
use crate::ui::{Table, when};

/// Show a request and its options, a settled one too
///
/// Example: fountain requests show 0.1f0c9a5e7d3b2a46
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The request
    request: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let request = resolve::request(&client, &args.request).await?;
    if args.json {
        return cx.ui.json(&request);
    }
    let (pending, now) = (&request.pending, when::now());
    let is_open = request.status == "open";
    cx.ui.facts(&[
        ("request", Some(pending.request_id.clone())),
        ("conversation", Some(request.conversation_id.clone())),
        ("agent", request.agent_name.clone()),
        ("status", Some(request.status.clone())),
        ("tool", Some(pending.tool.clone())),
        ("kind", pending.kind.clone()),
        ("summary", pending.summary.clone()),
        (
            "asked",
            Some(format!("{} ago", when::ago(pending.asked_at, now))),
        ),
        ("left", is_open.then(|| when::until(pending.deadline, now))),
        (
            "outcome",
            match (request.outcome.as_deref(), &request.option_id) {
                (Some("answered"), None) => {
                    Some("refused; the agent had offered no rejection".to_owned())
                }
                (outcome, _) => outcome.map(str::to_owned),
            },
        ),
        ("option", request.option_id.clone()),
        ("answered by", request.answered_by.clone()),
        (
            "answered",
            request
                .answered_at
                .map(|at| format!("{} ago", when::ago(at, now))),
        ),
    ])?;
    if pending.options.is_empty() {
        return Ok(());
    }
    cx.ui.data("")?;
    let mut table = Table::new(&["OPTION", "KIND", "NAME"], &[0]);
    for option in &pending.options {
        let text = |member: &str| option[member].as_str().unwrap_or_default().to_owned();
        table.row([text("optionId"), text("kind"), text("name")]);
    }
    cx.ui.table(table, "")
}
