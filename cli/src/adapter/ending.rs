//! How a turn that ended is told to an editor, which knows five stop reasons and errors.

use fountain_core::acp::STOP_REASONS;
use fountain_core::rpc::Error;
use serde_json::{Value, json};

use super::refusal;

/// The answer to a prompt.
pub(super) type Answer = Result<Value, Error>;

/// What a stage event says about the turn that runs.
#[derive(Debug, PartialEq)]
pub(super) enum Seen {
    /// The turn ended.
    Ended(Answer),
    /// Why it is about to end; the ending itself follows.
    Doomed(Answer),
    /// Nothing.
    Nothing,
}

/// The turn that a stage event is about, from the side of this process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn<'a> {
    /// The conversation.
    pub conversation: &'a str,
    /// Whether this editor asked for its end.
    pub cancelled: bool,
}

/// Reads a stage event. `doomed` is what an earlier one said.
pub(super) fn read(
    stage: &str,
    state: &str,
    meta: &Value,
    turn: Turn<'_>,
    doomed: Option<&Answer>,
) -> Seen {
    match (stage, state) {
        ("turn", "done") => Seen::Ended(done(meta, turn)),
        ("turn", "failed") => Seen::Ended(turn_failed(meta, turn, doomed)),
        ("turn", "interrupted") => Seen::Ended(interrupted(meta, turn, doomed)),
        ("provision", "failed") => doom(format!("the sandbox never started: {}", reason(meta))),
        ("reattach", "failed") => doom(
            "could not reattach to the sandbox, prompt again to provision a fresh one".to_owned(),
        ),
        ("terminate", "done") => doom(terminated()),
        ("sandbox", "done") => sandbox(meta),
        _ => Seen::Nothing,
    }
}

fn done(meta: &Value, turn: Turn<'_>) -> Answer {
    match meta["stop_reason"].as_str() {
        None => Ok(stopped("end_turn")),
        Some("waiting") if meta["waiting"] == Value::Bool(true) => {
            let ids = match &meta["waiting_request_ids"] {
                Value::Array(ids) => ids.clone(),
                _ => meta["waiting_request_id"]
                    .as_str()
                    .map(Value::from)
                    .into_iter()
                    .collect(),
            };
            let waiting =
                json!({"waiting": true, "requestIds": ids, "deadline": meta["waiting_deadline"]});
            Ok(json!({"stopReason": "end_turn", "_meta": {"fountain": waiting}}))
        }
        Some("waiting") => Ok(stopped("end_turn")),
        // The runtime ended its turn on a refusal; nobody stopped it.
        Some("cancelled") if !turn.cancelled => Ok(
            json!({"stopReason": "end_turn", "_meta": {"fountain": {"stopReason": "cancelled"}}}),
        ),
        Some(known) if STOP_REASONS.contains(&known) => Ok(stopped(known)),
        Some(other) => Err(unknown(other, meta)),
    }
}

fn turn_failed(meta: &Value, turn: Turn<'_>, doomed: Option<&Answer>) -> Answer {
    match meta["stop_reason"].as_str() {
        Some("cancelled") if !turn.cancelled => Err(refusal::failed(
            "the turn failed: the runtime cancelled it, and nobody had asked for that; prompt again",
        )),
        Some(known) if STOP_REASONS.contains(&known) => Ok(stopped(known)),
        Some(other) => Err(unknown(other, meta)),
        None => match doomed {
            Some(why) => why.clone(),
            None => Err(refusal::failed(format!(
                "the turn failed: {}",
                reason(meta)
            ))),
        },
    }
}

fn interrupted(meta: &Value, turn: Turn<'_>, doomed: Option<&Answer>) -> Answer {
    let why = meta["reason"].as_str();
    if why == Some("terminated") {
        return Err(refusal::failed(terminated()));
    }
    let asked = turn.cancelled
        || matches!(why, None | Some("interrupted"))
        || meta["stop_reason"] == "cancelled";
    match (asked, doomed) {
        (_, Some(Err(why))) => Err(why.clone()),
        (true, _) => Ok(stopped("cancelled")),
        (false, _) => {
            let why = why.unwrap_or_default().replace('_', " ");
            let conversation = turn.conversation;
            Err(refusal::failed(format!(
                "the turn was interrupted ({why}) and nobody had asked for that; what it did is kept in \
                 conversation {conversation}, prompt again to go on"
            )))
        }
    }
}

fn sandbox(meta: &Value) -> Seen {
    let told = ["message", "reason"]
        .iter()
        .find_map(|key| meta[key].as_str())
        .unwrap_or_default();
    let because = if told.is_empty() {
        String::new()
    } else {
        format!(" ({told})")
    };
    match meta["event"].as_str() {
        Some("suspended") => Seen::Doomed(Ok(stopped("end_turn"))),
        Some("at_capacity" | "admission_refused") => doom(format!(
            "the prompt was not started: there is no room for its sandbox now{because}; try again"
        )),
        Some("reclaimed" | "connection_lost" | "destroyed") => doom(format!(
            "the sandbox was reclaimed mid-turn{because}; prompt again to provision a fresh one"
        )),
        _ => Seen::Nothing,
    }
}

fn doom(sentence: String) -> Seen {
    Seen::Doomed(Err(refusal::failed(sentence)))
}

fn terminated() -> String {
    "the conversation was terminated: start a new one".to_owned()
}

fn unknown(stop_reason: &str, meta: &Value) -> Error {
    let why = match meta["reason"].as_str() {
        Some(why) => format!(": {why}"),
        None => String::new(),
    };
    refusal::failed(format!(
        "the turn failed: the runtime ended it with the stop reason {stop_reason:?}, which no editor knows{why}"
    ))
}

fn reason(meta: &Value) -> String {
    let text = ["reason", "error"]
        .iter()
        .find_map(|key| meta[key].as_str())
        .filter(|text| !text.is_empty());
    match (text, &meta["exit_code"]) {
        (Some(text), _) => text.to_owned(),
        (None, Value::Number(code)) => format!("the agent ended with exit code {code}"),
        (None, _) => "no reason given".to_owned(),
    }
}

fn stopped(reason: &str) -> Value {
    json!({ "stopReason": reason })
}

#[cfg(test)]
mod tests;
