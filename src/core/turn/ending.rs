//! How a turn ends: only `end_turn` and `waiting` complete it, and a stop that somebody asked for is never a
//! failure.

use serde_json::{Value, json};

use crate::event::State;

/// Who opened a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A prompt.
    User,
    /// The runtime, by working on between prompts.
    Autonomous,
}

impl Origin {
    /// The word on the wire and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Autonomous => "autonomous",
        }
    }
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// As it should.
    Completed,
    /// It did not work.
    Failed,
    /// It was stopped.
    Interrupted,
}

impl Status {
    /// The word on the wire and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// The state of the stage event.
    pub fn state(self) -> State {
        match self {
            Self::Completed => State::Done,
            Self::Failed => State::Failed,
            Self::Interrupted => State::Interrupted,
        }
    }
}

/// The end of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// How.
    pub status: Status,
    /// The runtime's stop reason, as it said it.
    pub stop_reason: Option<String>,
    /// Why, in words.
    pub reason: Option<String>,
    /// The runtime's exit status, when that ended it.
    pub exit_code: Option<i64>,
    /// Whether requests go on waiting.
    pub waiting: bool,
    /// Tokens read and written.
    pub usage: Option<(i64, i64)>,
    /// What else the stage event tells.
    pub more: Value,
}

impl Ending {
    fn new(status: Status) -> Self {
        Self {
            status,
            stop_reason: None,
            reason: None,
            exit_code: None,
            waiting: false,
            usage: None,
            more: json!({}),
        }
    }

    /// Stopped, for this reason.
    pub fn interrupted(reason: &str) -> Self {
        Self {
            reason: Some(reason.to_owned()),
            ..Self::new(Status::Interrupted)
        }
    }

    /// Failed, for this reason.
    pub fn failed(reason: impl Into<String>) -> Self {
        Self {
            reason: Some(reason.into()),
            ..Self::new(Status::Failed)
        }
    }

    /// The members of the stage event, without the ids.
    pub fn meta(&self) -> Value {
        let mut meta = json!({
            "stop_reason": self.stop_reason,
            "reason": self.reason,
            "exit_code": self.exit_code,
            "waiting": self.waiting.then_some(true),
        });
        if let (Some(meta), Some(more)) = (meta.as_object_mut(), self.more.as_object()) {
            meta.extend(more.clone());
        }
        meta
    }
}

/// What came back from the runtime, or did not.
#[derive(Clone, Debug, PartialEq)]
pub enum Finish {
    /// The prompt was answered.
    Stopped {
        /// The stop reason as the runtime said it.
        reason: String,
        /// Tokens read and written.
        usage: Option<(i64, i64)>,
    },
    /// The prompt was answered with an error.
    Error {
        /// Its code.
        code: i64,
        /// Its sentence.
        message: String,
    },
    /// The runtime is gone.
    Exited {
        /// Its exit status, when it had one.
        code: Option<i64>,
        /// What happened, with the end of its stderr.
        reason: String,
    },
    /// It never got the prompt, or must not go on: the reason in words.
    Failed {
        /// Why.
        reason: String,
    },
    /// It did not stop in its grace, after somebody stopped it.
    GraceOver,
    /// The daemon was restarted, or stops.
    DaemonStopped {
        /// `daemon_restarted` or `daemon_stopped`.
        reason: &'static str,
    },
    /// The conversation was terminated.
    Terminated,
    /// A turn of the runtime's own went quiet, or a prompt took its place.
    Quiet,
}

impl Finish {
    /// Whether the agent says that its requests go on without the turn.
    pub fn is_waiting(&self) -> bool {
        matches!(self, Self::Stopped { reason, .. } if reason == "waiting")
    }

    /// The ending, given whether somebody stopped the turn and whether the agent was refused something.
    pub fn ending(&self, stopping: bool, refused: bool) -> Ending {
        match self {
            Self::DaemonStopped { reason } => Ending::interrupted(reason),
            Self::Terminated => Ending::interrupted("terminated"),
            // Whatever an agent answers to a stop, the stop was deliberate.
            Self::Stopped { usage, .. } if stopping => Ending {
                stop_reason: Some("cancelled".into()),
                usage: *usage,
                ..Ending::interrupted("interrupted")
            },
            _ if stopping => Ending {
                stop_reason: Some("cancelled".into()),
                ..Ending::interrupted("interrupted")
            },
            Self::Stopped { reason, usage } => {
                let completes = match reason.as_str() {
                    "end_turn" | "waiting" => true,
                    // Some runtimes end their turn on a refusal of ours; nobody stopped it.
                    "cancelled" => refused,
                    _ => false,
                };
                let ending = if completes {
                    Ending::new(Status::Completed)
                } else {
                    Ending::failed(format!("the agent stopped with `{reason}`"))
                };
                Ending {
                    stop_reason: Some(reason.clone()),
                    usage: *usage,
                    ..ending
                }
            }
            Self::Error { message, .. } => Ending::failed(message.clone()),
            Self::Exited { code, reason } => Ending {
                exit_code: *code,
                ..Ending::failed(reason.clone())
            },
            Self::Failed { reason } => Ending::failed(reason.clone()),
            Self::GraceOver => Ending::interrupted("interrupted"),
            Self::Quiet => Ending {
                stop_reason: Some("end_turn".into()),
                ..Ending::new(Status::Completed)
            },
        }
    }
}
