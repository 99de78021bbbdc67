//! Requests for permission: put to the editor as its own questions, answered at the instance. The first answer
//! wins, whoever gives it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fountain_core::acp::method;
use fountain_core::api::requests::Answer;
use fountain_core::rpc::{self, Error};
use serde::Deserialize;
use serde_json::json;

use super::sessions::{Asked, Count, Session, lock};
use super::{Adapter, paths};
use crate::client;

/// So often an answer is sent where nothing can be reached.
const ATTEMPTS: u32 = 4;

/// The questions that wait at the editor, by their id there.
#[derive(Default)]
pub(super) struct Questions {
    next: AtomicI64,
    open: Mutex<HashMap<i64, Question>>,
}

struct Question {
    session: Arc<Session>,
    asked: Arc<Asked>,
}

/// A request as it is put to the editor.
pub(super) struct Ask<'a> {
    /// The stored line.
    pub line: &'a str,
    pub request_id: &'a str,
    pub options: Vec<String>,
    pub own: bool,
    pub detached: bool,
}

/// What the editor decided.
#[derive(Debug, PartialEq, Eq)]
enum Decision {
    Option(String),
    /// It closed the question without a choice.
    Dismissed,
    /// It failed, or named what was not offered.
    Deny(&'static str),
}

/// Appends the question to what the editor is sent, unless it has been asked already.
pub(super) fn ask(adapter: &Adapter, session: &Arc<Session>, ask: Ask<'_>, out: &mut Vec<u8>) {
    if *adapter.gone.borrow() || session.state().asked.contains_key(ask.request_id) {
        return;
    }
    let number = adapter.questions.next.fetch_add(1, Ordering::Relaxed);
    let Some(line) = paths::permission(ask.line, &session.quoted, number) else {
        return;
    };
    let asked = Arc::new(Asked {
        request_id: ask.request_id.to_owned(),
        options: ask.options,
        own: ask.own,
        detached: AtomicBool::new(ask.detached),
        cancelled: AtomicBool::new(false),
        number,
    });
    lock(&adapter.questions.open).insert(
        number,
        Question {
            session: Arc::clone(session),
            asked: Arc::clone(&asked),
        },
    );
    session
        .state()
        .asked
        .insert(asked.request_id.clone(), asked);
    out.extend_from_slice(line.as_bytes());
    out.push(b'\n');
}

/// Somebody settled a request: where the editor is still being asked, the question is withdrawn.
pub(super) fn settled(adapter: &Adapter, session: &Session, request_id: &str, out: &mut Vec<u8>) {
    let Some(asked) = session.state().asked.remove(request_id) else {
        return;
    };
    if lock(&adapter.questions.open)
        .remove(&asked.number)
        .is_some()
    {
        let line = rpc::notification(
            method::CANCEL_REQUEST,
            &json!({ "requestId": asked.number }),
        );
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }
}

/// The session is closed: its questions are forgotten, and nothing is answered for the editor.
pub(super) fn forget(adapter: &Adapter, session: &Session) {
    let asked: Vec<Arc<Asked>> = session
        .state()
        .asked
        .drain()
        .map(|(_, asked)| asked)
        .collect();
    let mut open = lock(&adapter.questions.open);
    asked
        .iter()
        .for_each(|asked| drop(open.remove(&asked.number)));
}

/// The editor answered. A late answer, or one to nothing, changes nothing.
pub(super) fn answered(adapter: &Arc<Adapter>, number: Option<i64>, result: Result<&str, Error>) {
    let question = number.and_then(|number| lock(&adapter.questions.open).remove(&number));
    let Some(Question { session, asked }) = question else {
        adapter
            .log
            .debug("an answer to no open question was ignored");
        return;
    };
    let why = match decide(&asked.options, result) {
        Decision::Option(option) => {
            return send(
                adapter,
                session,
                asked,
                Answer {
                    option_id: Some(option),
                    deny: false,
                },
            );
        }
        // The editor has to close its questions when it cancels; that says nothing about them.
        _ if asked.cancelled.load(Ordering::Relaxed) => return,
        Decision::Dismissed => "the editor dismissed it",
        Decision::Deny(why) => why,
    };
    if asked.detached.load(Ordering::Relaxed) {
        adapter
            .log
            .info(format!("request {} stays open: {why}", asked.request_id));
        return;
    }
    adapter
        .log
        .info(format!("request {} is denied: {why}", asked.request_id));
    send(
        adapter,
        session,
        asked,
        Answer {
            option_id: None,
            deny: true,
        },
    );
}

/// The editor went away: what was asked inside a turn that it had opened itself is denied.
pub(super) fn abandoned(adapter: &Arc<Adapter>) {
    let open: Vec<Question> = lock(&adapter.questions.open)
        .drain()
        .map(|(_, question)| question)
        .collect();
    for Question { session, asked } in open {
        if asked.own && !asked.detached.load(Ordering::Relaxed) {
            adapter.log.info(format!(
                "request {} is denied: the editor went away",
                asked.request_id
            ));
            send(
                adapter,
                session,
                asked,
                Answer {
                    option_id: None,
                    deny: true,
                },
            );
        }
    }
}

fn decide(options: &[String], result: Result<&str, Error>) -> Decision {
    #[derive(Deserialize)]
    struct Answered {
        outcome: Outcome,
    }
    #[derive(Deserialize)]
    struct Outcome {
        #[serde(default)]
        outcome: String,
        #[serde(default, rename = "optionId")]
        option: Option<String>,
    }
    let Ok(result) = result else {
        return Decision::Deny("the editor answered with an error");
    };
    let Ok(Answered { outcome }) = serde_json::from_str(result) else {
        return Decision::Deny("the editor's answer could not be read");
    };
    match (outcome.outcome.as_str(), outcome.option) {
        ("selected", Some(option)) if options.contains(&option) => Decision::Option(option),
        ("selected", _) => Decision::Deny("the editor picked an option that was not offered"),
        ("cancelled", _) => Decision::Dismissed,
        _ => Decision::Deny("the editor's answer could not be read"),
    }
}

fn send(adapter: &Arc<Adapter>, session: Arc<Session>, asked: Arc<Asked>, answer: Answer) {
    let adapter = Arc::clone(adapter);
    let count = Count::of(&adapter.busy);
    tokio::spawn(async move {
        deliver(&adapter, &session, &asked, &answer).await;
        drop(count);
    });
}

async fn deliver(adapter: &Adapter, session: &Session, asked: &Asked, answer: &Answer) {
    let id = &asked.request_id;
    for attempt in 1.. {
        let sent = match adapter.link.client().await {
            Ok(client) => client.answer(&session.id, id, answer).await,
            Err(error) => {
                return adapter
                    .log
                    .warn(format!("request {id} was not answered: {}", error.message));
            }
        };
        match sent {
            Ok(()) => return,
            Err(client::Error::Unreachable { .. })
                if attempt < ATTEMPTS && !*adapter.gone.borrow() =>
            {
                tokio::time::sleep(Duration::from_secs(u64::from(attempt))).await;
            }
            Err(error) if error.status() == Some(409) => {
                return adapter
                    .log
                    .info(format!("request {id} had been settled before: {error}"));
            }
            Err(error) => {
                return adapter
                    .log
                    .warn(format!("request {id} was not answered: {error}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_offered_option_is_an_answer() {
        let options = ["yes".to_owned(), "no".to_owned()];
        for (result, expect) in [
            (
                r#"{"outcome":{"outcome":"selected","optionId":"yes"},"_meta":{}}"#,
                Ok("yes"),
            ),
            (
                r#"{"outcome":{"outcome":"selected","optionId":"maybe"}}"#,
                Err("not offered"),
            ),
            (r#"{"outcome":{"outcome":"selected"}}"#, Err("not offered")),
            (
                r#"{"outcome":"selected","optionId":"yes"}"#,
                Err("could not be read"),
            ),
            ("null", Err("could not be read")),
            (
                r#"{"outcome":{"outcome":"later"}}"#,
                Err("could not be read"),
            ),
        ] {
            match (decide(&options, Ok(result)), expect) {
                (Decision::Option(option), Ok(expect)) => assert_eq!(option, expect),
                (Decision::Deny(why), Err(expect)) => assert!(why.contains(expect), "{why}"),
                (got, _) => panic!("{result}: {got:?}"),
            }
        }
        assert_eq!(
            decide(&options, Ok(r#"{"outcome":{"outcome":"cancelled"}}"#)),
            Decision::Dismissed
        );
        assert!(matches!(
            decide(&options, Err(Error::new(-32601, "no"))),
            Decision::Deny(_)
        ));
    }
}
