//! The one task that reads from a runtime. Everything whole that was read is one batch; what is no message is
//! skipped, and what we do not serve is refused.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use fountain_core::acp::{self, Permission, Update, method};
use fountain_core::card;
use fountain_core::rpc::{self, Lines, Message, TooLong, code};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::mpsc;

use super::{FromAgent, Shared};

/// How much is read at once.
const CHUNK: usize = 128 * 1024;

/// Reads until the end; gives what the runtime did wrong, when that ended it.
pub(super) async fn read(
    mut stdout: impl AsyncRead + Unpin,
    max_frame: usize,
    link: Weak<Shared>,
    sender: mpsc::Sender<Vec<FromAgent>>,
) -> Option<String> {
    let mut lines = Lines::new(max_frame);
    let mut chunk = vec![0_u8; CHUNK];
    loop {
        let read = stdout.read(&mut chunk).await.unwrap_or(0);
        let mut batch = Vec::new();
        let mut fault = None;
        let link = link.upgrade()?;
        if read == 0 {
            if let Some(line) = lines.rest() {
                batch.extend(take(&line, &link));
            }
        } else {
            lines.feed(&chunk[..read]);
            while let Some(line) = lines.next() {
                match line {
                    Ok(line) => batch.extend(take(&line, &link)),
                    Err(TooLong { cap }) => {
                        fault = Some(format!(
                            "the agent wrote a line of more than {cap} bytes (`limits.max_frame`)"
                        ));
                        break;
                    }
                }
            }
        }
        if !batch.is_empty() && sender.send(batch).await.is_err() {
            return None;
        }
        if fault.is_some() || read == 0 {
            // Nobody answers any more.
            if let Ok(mut calls) = link.calls.lock() {
                *calls = None;
            }
            return fault;
        }
    }
}

fn take(line: &str, link: &Arc<Shared>) -> Option<FromAgent> {
    // What is stored and shown is the message, without what a terminal was told in front of it.
    let line = rpc::frame(line);
    match rpc::parse(line) {
        Ok(Message::Notification { method, params }) => notified(line, &method, params, link),
        Ok(Message::Request { id, method, params }) if method == method::PERMISSION => {
            let permission = Permission::parse(params);
            let ours = link
                .session
                .lock()
                .is_ok_and(|session| *session == permission.session);
            if !ours {
                link.send(rpc::result(id, &fountain_core::outcome::Outcome::Cancelled));
                return None;
            }
            let rpc_id = id.get().to_owned();
            Some(FromAgent::Permission {
                rpc_id,
                permission: Box::new(permission),
                line: line.to_owned(),
            })
        }
        Ok(Message::Request { id, method, .. }) => {
            let sentence = format!("Fountain does not serve `{}`.", acp::one_line(&method, 80));
            link.send(rpc::error(
                Some(id),
                &rpc::Error::new(code::METHOD_NOT_FOUND, sentence),
            ));
            None
        }
        Ok(Message::Response { id, result }) => responded(id, result, link),
        Err(_) => {
            if asks(line) {
                let sentence = "The id of a request must be a text or a whole number.";
                let error = rpc::Error::new(code::INVALID_REQUEST, sentence);
                link.send(rpc::error(None, &error));
            } else if !line.is_empty() {
                tracing::debug!(
                    length = line.len(),
                    "a line of the agent is no message; skipped"
                );
            }
            None
        }
    }
}

/// Whether a line that is no message would be a request with another id: its agent waits for an answer.
fn asks(line: &str) -> bool {
    rpc::Object::parse(line)
        .is_some_and(|object| object.text("method").is_some() && object.get("id").is_some())
}

fn notified(
    line: &str,
    method: &str,
    params: Option<&RawValue>,
    link: &Arc<Shared>,
) -> Option<FromAgent> {
    if method == method::CANCEL_REQUEST {
        let params: Value = serde_json::from_str(params?.get()).ok()?;
        return Some(FromAgent::Withdrawn(params.get("requestId")?.to_string()));
    }
    if method != method::UPDATE {
        return None;
    }
    let params = params?;
    let update = Update::parse(params)?;
    if link.muted.load(Ordering::Relaxed) {
        link.last_muted.store(link.elapsed(), Ordering::Relaxed);
        return None;
    }
    if !link
        .session
        .lock()
        .is_ok_and(|session| *session == update.session)
    {
        return None;
    }
    let metadata = update.is_metadata();
    let title = if metadata && update.update.kind == "session_info_update" {
        acp::offered_title(params)
    } else {
        None
    };
    Some(FromAgent::Update {
        line: line.to_owned(),
        metadata,
        chunk: update.chunk(),
        title,
        card: update
            .is_card()
            .then(|| card::read(params))
            .flatten()
            .map(Box::new),
    })
}

fn responded(
    id: &RawValue,
    result: Result<&RawValue, rpc::Error>,
    link: &Arc<Shared>,
) -> Option<FromAgent> {
    let id: i64 = id.get().parse().ok()?;
    if link
        .prompt
        .compare_exchange(id, 0, Ordering::AcqRel, Ordering::Relaxed)
        .is_ok()
    {
        let result = result.map(|raw| serde_json::from_str(raw.get()).unwrap_or(Value::Null));
        return Some(FromAgent::Prompted(result));
    }
    let call = link.calls.lock().ok()?.as_mut()?.remove(&id)?;
    let _ = call.send(result.map(ToOwned::to_owned));
    None
}
