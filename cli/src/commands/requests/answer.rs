//! `fountain requests answer`: its flags, its help and what it does.

use fountain_core::acp::method::PERMISSION;
use fountain_core::api::events::Query;
use fountain_core::api::requests::{Answer, Request};
use serde_json::Value;

use crate::client::{Client, Error};
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::follow::question::{Press, Question, shell};
use crate::resolve;
use crate::ui::{safe, when};

/// Answer a request; the first answer wins
///
/// Without --option it asks, on a terminal.
///
/// Example: fountain requests answer 0.1f0c9a5e7d3b2a46 --option allow_once
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The request
    request: String,
    /// The id of one of the agent's options
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    option: Option<String>,
    /// Refuse, with whatever rejection the agent offers
    #[arg(long, conflicts_with = "option")]
    deny: bool,
}

pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let client = cx.client().await?;
    let request = resolve::request(&client, &args.request).await?;
    let option = match args.option {
        Some(option) => Some(option),
        None if args.deny => None,
        None => match ask(&client, &request, cx).await? {
            Some(option) => Some(option),
            None => {
                cx.ui.note("it was left open");
                return Ok(());
            }
        },
    };
    let answer = Answer {
        deny: option.is_none(),
        option_id: option,
    };
    let id = &request.pending.request_id;
    match client.answer(&request.conversation_id, id, &answer).await {
        Ok(()) => {
            let what = answer.option_id.as_deref().map_or_else(
                || "refused".to_owned(),
                |option| format!("answered with {}", safe::line(option)),
            );
            cx.ui.status(&format!("{id} is {what}"));
            Ok(())
        }
        Err(error) if error.code() == "permission_request_resolved" => {
            Err(lost(&client, &request, error).await)
        }
        Err(error) if error.code() == "unknown_option" => Err(offered(&request, error)),
        Err(error) => Err(error.into()),
    }
}

/// Somebody else was first: says who, as far as the instance tells.
async fn lost(client: &Client, request: &Request, error: Error) -> Failure {
    let id = &request.pending.request_id;
    let Ok(settled) = client.request(id).await else {
        return error.into();
    };
    let by = settled.answered_by.as_deref().unwrap_or("somebody else");
    let ago = settled.answered_at.map_or_else(String::new, |at| {
        format!(" {} ago", when::ago(at, when::now()))
    });
    let how = match (settled.outcome.as_deref(), settled.option_id.as_deref()) {
        (Some("timeout"), _) => format!("nobody answered {id} in time, so it was refused{ago}"),
        (Some("turn_ended"), _) => format!("{id} was refused{ago}, as its turn ended"),
        (Some("cancelled"), _) => format!("the agent took {id} back{ago}"),
        (_, Some(option)) => format!("{id} was answered by {by}{ago} with {option}"),
        (_, None) => format!("{id} was refused by {by}{ago}"),
    };
    Failure::new(Kind::Refused, how)
}

fn offered(request: &Request, error: Error) -> Failure {
    let id = &request.pending.request_id;
    let options = request
        .pending
        .options
        .iter()
        .filter_map(|option| option["optionId"].as_str());
    let options: Vec<String> = options.map(shell).collect();
    let failure = Failure::from(error);
    if options.is_empty() {
        return failure.hint(format!(
            "the agent offered nothing: fountain requests answer {id} --deny"
        ));
    }
    failure.hint(format!("the agent offered {}", options.join(", ")))
}

/// The tool call as the agent sent it: the list has only a line of it, the conversation's events have it whole.
async fn call(client: &Client, request: &Request) -> Option<Value> {
    let id = &request.pending.request_id;
    let mut after = None;
    loop {
        let query = Query {
            after,
            streams: Some("acp".to_owned()),
            ..Query::default()
        };
        let page = client.events(&request.conversation_id, &query).await.ok()?;
        let lines = page.data.iter().filter_map(|event| event.data.as_deref());
        for line in lines.filter(|line| line.contains(&**id) && line.contains(PERMISSION)) {
            let mut line: Value = serde_json::from_str(line).unwrap_or_default();
            if line["method"] == PERMISSION && line["id"] == **id {
                return Some(line["params"]["toolCall"].take()).filter(|call| !call.is_null());
            }
        }
        match page.meta.next_cursor {
            Some(next) if page.meta.has_more => after = Some(next.to_string()),
            _ => return None,
        }
    }
}

/// Asks for the option; none leaves it to somebody else.
async fn ask(client: &Client, request: &Request, cx: &Context) -> Result<Option<String>, Failure> {
    let mut question = Question::of_request(request);
    if !cx.ui.asks() {
        let options = question
            .choices()
            .iter()
            .map(|choice| shell(&choice.id))
            .collect::<Vec<_>>();
        return Err(Failure::usage(
            "without a terminal, --option says which of the agent's options it is, or --deny",
        )
        .hint(format!(
            "the agent offers {}",
            if options.is_empty() {
                "none".to_owned()
            } else {
                options.join(", ")
            }
        )));
    }
    if request.status != "open" {
        return Err(Failure::new(
            Kind::Refused,
            format!("{} is settled already", request.pending.request_id),
        )
        .hint(format!(
            "`fountain requests show {}` tells how",
            request.pending.request_id
        )));
    }
    cx.ui.lines(&question.ask(cx.ui.paint, when::now()));
    loop {
        let line = cx.ui.line(&question.prompt())?;
        let Some(key) = line.trim().chars().next() else {
            continue;
        };
        match question.press(key) {
            _ if line.trim().chars().count() > 1 => cx.ui.side("that is none of the keys"),
            Press::Pick(option) => return Ok(Some(option)),
            Press::Details => {
                if let Some(call) = call(client, request).await {
                    question = question.with_call(call);
                }
                cx.ui.lines(&question.details(cx.ui.paint));
            }
            Press::Leave => return Ok(None),
            Press::Nothing => cx.ui.side("that is none of the keys"),
        }
    }
}
