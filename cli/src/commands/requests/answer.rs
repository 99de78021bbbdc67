//! `fountain requests answer`: its flags, its help and what it does.

use fountain_core::api::requests::{Answer, Request};

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
        None => Some(ask(&request, cx)?),
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
        (_, None) => format!("{id} was answered by {by}{ago}"),
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

/// Asks for the option.
fn ask(request: &Request, cx: &Context) -> Result<String, Failure> {
    let question = Question::of_request(request);
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
        let line = cx.ui.line("answer: ")?;
        let Some(key) = line.trim().chars().next() else {
            continue;
        };
        match question.press(key) {
            Press::Pick(option) if line.trim().chars().count() == 1 => return Ok(option),
            Press::Details => cx.ui.lines(&question.details(cx.ui.paint)),
            Press::Leave => return Err(Failure::new(Kind::Failed, "it was left open")),
            _ => cx.ui.side("that is none of the keys"),
        }
    }
}
