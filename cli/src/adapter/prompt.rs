//! Prompts and their cancels, sent to the instance in the order in which the editor wrote them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fountain_core::rpc::Error;
use serde_json::value::RawValue;

use super::sessions::{Count, Running, Session, Ticket, lock, none_left};
use super::{Adapter, content, follow, refusal};
use crate::client;

/// Takes a prompt as it is read; its answer comes when its turn ends.
pub(super) fn begin(adapter: &Arc<Adapter>, id: Box<RawValue>, params: String) {
    let session = match adapter.session_of(&params) {
        Ok(session) => session,
        Err(error) => return adapter.respond(&id, Err(error)),
    };
    let ticket = session.enter();
    lock(&adapter.prompts).insert(id.get().to_owned(), Arc::clone(&session));
    let adapter = Arc::clone(adapter);
    let count = Count::of(&adapter.busy);
    tokio::spawn(async move {
        if let Err(error) = send(&adapter, &session, ticket, &id, &params).await {
            adapter.respond(&id, Err(error));
        }
        // A prompt that was accepted is not waited for when the editor goes: its turn goes on without it.
        drop(count);
    });
}

async fn send(
    adapter: &Arc<Adapter>,
    session: &Arc<Session>,
    mut ticket: Ticket,
    id: &RawValue,
    params: &str,
) -> Result<(), Error> {
    ticket.turn().await;
    let content = content::read(params)?;
    if !content.dropped.is_empty() {
        adapter.log.warn(format!(
            "left out of the prompt: {}",
            content.dropped.join(", ")
        ));
    }
    none_left(&session.loading).await;
    let mut client = adapter.link.client().await?;
    let posting = Count::of(&session.posting);
    let mut accepted = client.prompt(&session.id, &content.prompt).await;
    if accepted.as_ref().is_err_and(was_at_a_closed_door) {
        // The instance has gone since; one of this machine may be started again.
        adapter.link.forget().await;
        client = adapter.link.client().await?;
        accepted = client.prompt(&session.id, &content.prompt).await;
    }
    let accepted = match accepted {
        Ok(accepted) => accepted,
        Err(error) => return Err(refused(adapter, session, &error).await),
    };
    let running = Running {
        id: id.to_owned(),
        text: content.prompt.prompt,
        images: content.prompt.images.len(),
        cancelled: AtomicBool::new(false),
    };
    session
        .state()
        .prompts
        .insert(accepted.turn_id, Arc::new(running));
    drop(posting);
    follow::start(adapter, session, &client, accepted.after.0);
    Ok(())
}

/// Whether nobody listened: what was sent has certainly not arrived.
fn was_at_a_closed_door(error: &client::Error) -> bool {
    matches!(error, client::Error::Unreachable { cause, .. } if cause.contains("refused"))
}

async fn refused(adapter: &Adapter, session: &Session, error: &client::Error) -> Error {
    let id = &session.id;
    match error.code() {
        "conversation_busy" => {
            let mut busy = refusal::call("busy", error);
            let sentence = "the conversation is busy: a turn is running in it, wait for its end or cancel it first";
            busy.message = sentence.to_owned();
            if let Some(data) = &mut busy.data {
                data["details"] = sentence.into();
            }
            busy
        }
        "conversation_terminated" => {
            refusal::failed("the conversation was terminated: start a new one")
        }
        _ if error.is_not_found() => refusal::params(format!(
            "conversation {id} is gone: start a new session with session/new"
        )),
        _ if matches!(error, client::Error::Unreachable { .. }) && !was_at_a_closed_door(error) => {
            let what = format!(
                "the prompt could not be sent; if it arrived, it runs in conversation {id}"
            );
            adapter.link.failed(&what, error).await
        }
        _ => {
            adapter
                .link
                .failed("the prompt was not accepted", error)
                .await
        }
    }
}

/// `session/cancel`: stops whatever turn runs in the conversation, whoever started it.
pub(super) fn cancel(adapter: &Arc<Adapter>, session: &Arc<Session>) {
    let mut ticket = session.enter();
    session.mark_cancelled();
    let (adapter, session) = (Arc::clone(adapter), Arc::clone(session));
    let count = Count::of(&adapter.busy);
    tokio::spawn(async move {
        ticket.turn().await;
        // A prompt that was on its way when the cancel came is accepted by now.
        session.mark_cancelled();
        interrupt(&adapter, &session).await;
        drop(count);
    });
}

/// Tells the instance to stop the turn; nothing to stop is no fault.
pub(super) async fn interrupt(adapter: &Adapter, session: &Session) {
    let done = match adapter.link.client().await {
        Ok(client) => client.interrupt(&session.id).await,
        Err(error) => {
            return adapter
                .log
                .warn(format!("the turn could not be stopped: {}", error.message));
        }
    };
    match done {
        Ok(()) => {}
        Err(error) if error.status() == Some(409) => adapter.log.debug("there was no turn to stop"),
        Err(error) => adapter.log.warn(format!(
            "the turn of conversation {} was not stopped: {error}",
            session.id
        )),
    }
}
