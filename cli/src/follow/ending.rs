//! How a turn ended, and what a command makes of it: the sentence and the exit code.

use crate::failure::{Failure, Kind};
use crate::ui::transcript::reading::Stage;

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It completed.
    Done {
        /// The runtime's exit status, when that is how it ended.
        exit_code: Option<i64>,
        /// Requests that wait beyond it.
        waiting: Vec<String>,
        /// Until when somebody can answer the first of them.
        deadline: Option<String>,
    },
    /// It failed, in words.
    Failed(String),
    /// It was stopped.
    Interrupted {
        /// Whether somebody meant it.
        meant: bool,
        /// The reason in words.
        why: String,
    },
}

impl Ending {
    /// Reads the end of a turn. `never_started` says why there was no sandbox for it, when there was none.
    pub(super) fn read(stage: &Stage, never_started: Option<&str>) -> Self {
        match stage.state.as_str() {
            "done" => {
                let ids = stage.meta["waiting_request_ids"]
                    .as_array()
                    .map_or(&[][..], Vec::as_slice);
                let mut waiting: Vec<String> = ids
                    .iter()
                    .filter_map(|id| id.as_str().map(str::to_owned))
                    .collect();
                if waiting.is_empty() && stage.meta["waiting"] == true {
                    waiting.extend(stage.text("waiting_request_id").map(str::to_owned));
                }
                Self::Done {
                    exit_code: stage.number("exit_code"),
                    waiting,
                    deadline: stage.text("waiting_deadline").map(str::to_owned),
                }
            }
            "interrupted" => {
                let why = stage.text("reason").unwrap_or("interrupted");
                Self::Interrupted {
                    meant: matches!(why, "interrupted" | "terminated"),
                    why: why.replace('_', " "),
                }
            }
            _ => Self::Failed(why(stage, never_started)),
        }
    }
}

/// What the command says and exits with. `stopped` tells that the user pressed Ctrl-C.
pub(crate) fn verdict(ending: &Ending, stopped: bool, exit_waiting: bool) -> Result<(), Failure> {
    if stopped {
        return Err(Failure::silent(Kind::Interrupted));
    }
    match ending {
        Ending::Done {
            exit_code: Some(code),
            ..
        } if *code != 0 => Err(Failure::failed(format!(
            "the agent exited with status {code}"
        ))),
        Ending::Done { waiting, .. } if exit_waiting && !waiting.is_empty() => {
            Err(Failure::silent(Kind::Waiting))
        }
        Ending::Done { .. } => Ok(()),
        Ending::Failed(why) => Err(Failure::failed(why.clone())),
        Ending::Interrupted { meant: true, why } => Err(Failure::new(
            Kind::Interrupted,
            format!("the turn was stopped: {why}"),
        )),
        Ending::Interrupted { meant: false, why } => {
            Err(Failure::failed(format!("the turn was interrupted: {why}")))
        }
    }
}

fn why(stage: &Stage, never_started: Option<&str>) -> String {
    if let Some(reason) = never_started {
        return format!("the sandbox never started: {reason}");
    }
    let stop = || {
        stage
            .text("stop_reason")
            .map(|stop| format!("the agent stopped with {stop}"))
    };
    let code = || {
        stage
            .number("exit_code")
            .map(|code| format!("the agent exited with status {code}"))
    };
    let why = stage
        .text("reason")
        .or_else(|| stage.text("error"))
        .map(str::to_owned);
    let why = why
        .or_else(stop)
        .or_else(code)
        .unwrap_or_else(|| "no reason was given".to_owned());
    format!("the turn failed: {why}")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn each_ending_has_its_exit_code() {
        let end = |state: &str, more: Value| {
            let stage = Stage {
                name: "turn".into(),
                state: state.into(),
                meta: more,
                duration_ms: None,
            };
            Ending::read(&stage, None)
        };
        for (ending, code, words) in [
            (end("done", json!({"stop_reason": "end_turn"})), 0, ""),
            (end("done", json!({"exit_code": 0})), 0, ""),
            (
                end("done", json!({"exit_code": 4})),
                1,
                "the agent exited with status 4",
            ),
            (
                end(
                    "done",
                    json!({"waiting": true, "waiting_request_id": "0.a"}),
                ),
                7,
                "",
            ),
            (
                end("failed", json!({"reason": "no"})),
                1,
                "the turn failed: no",
            ),
            (
                end("failed", json!({"stop_reason": "refusal"})),
                1,
                "the turn failed: the agent stopped with refusal",
            ),
            (
                end("failed", json!({"exit_code": 3})),
                1,
                "the turn failed: the agent exited with status 3",
            ),
            (
                end("failed", json!({})),
                1,
                "the turn failed: no reason was given",
            ),
            (
                end("interrupted", json!({"reason": "interrupted"})),
                130,
                "the turn was stopped: interrupted",
            ),
            (
                end("interrupted", json!({"reason": "daemon_restarted"})),
                1,
                "the turn was interrupted: daemon restarted",
            ),
        ] {
            let verdict = verdict(&ending, false, true);
            let (got, said) = verdict.map_or_else(
                |failure| (failure.kind.code(), failure.message),
                |()| (0, String::new()),
            );
            assert_eq!((got, said.as_str()), (code, words), "{ending:?}");
        }
        let waiting = end(
            "done",
            json!({"waiting": true, "waiting_request_ids": ["0.a"]}),
        );
        assert_eq!(verdict(&waiting, false, false), Ok(()));
        assert_eq!(verdict(&waiting, true, false).unwrap_err().kind.code(), 130);
    }
}
