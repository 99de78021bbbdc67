//! One permission request that waits for a person, from asked to settled. The first answer wins, and after the
//! deadline nobody's does.

use std::time::Duration;

use crate::card::Card;
use crate::id::{RequestId, TurnId};
use crate::outcome::{NotOffered, Options, Outcome};
use crate::policy::Key;
use crate::time::Timestamp;

/// What an agent asks, with the public id it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The public id.
    pub id: RequestId,
    /// The agent's own JSON-RPC id, as JSON text.
    pub rpc_id: String,
    /// The request line with the public id in place of the raw one: what the stream shows.
    pub line: String,
    /// The agent's id of the tool call.
    pub call: Option<String>,
    /// What the agent said of it before: the stricter of both counts.
    pub card: Option<Card>,
    /// The title on the tool card, for matching.
    pub title: Option<String>,
    /// ACP's kind, as written.
    pub kind: Option<String>,
    /// The tool's name for people.
    pub tool: String,
    /// One line on what it wants, redacted and cut.
    pub summary: Option<String>,
    /// What may be answered.
    pub options: Options,
    /// Seconds the agent wants to wait beyond its turn.
    pub timeout: Option<u32>,
}

/// A request somebody is asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The public id.
    pub id: RequestId,
    /// The agent's own JSON-RPC id, as JSON text.
    pub rpc_id: String,
    /// The turn that raised it.
    pub turn: TurnId,
    /// ACP's kind, as written.
    pub kind: Option<String>,
    /// The tool's name for people.
    pub tool: String,
    /// One line on what it wants.
    pub summary: Option<String>,
    /// What may be answered.
    pub options: Options,
    /// Seconds the agent wants to wait beyond its turn.
    pub timeout: Option<u32>,
    /// The word of the policy key that made it ask.
    pub key: String,
    /// When it was raised.
    pub asked_at: Timestamp,
    /// At or after this nobody can answer.
    pub deadline: Timestamp,
    /// Whether it outlived its turn.
    pub detached: bool,
}

/// How a request was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resolution {
    /// A person answered.
    Answered,
    /// Nobody did in time.
    Timeout,
    /// Its turn, or its conversation, ended first.
    TurnEnded,
    /// The agent took it back.
    Cancelled,
}

impl Resolution {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Timeout => "timeout",
            Self::TurnEnded => "turn_ended",
            Self::Cancelled => "cancelled",
        }
    }
}

/// The end of a request: there is exactly one.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// How.
    pub resolution: Resolution,
    /// What the agent reads.
    pub outcome: Outcome,
    /// Who: a person's key by name, or `deadline`, `turn`, `agent`.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// What a person, or a client for one, answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// This option.
    Option(String),
    /// Whatever rejection was offered.
    Deny,
}

/// An answer that changes nothing: the request stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Nobody knows the id, or it is settled: the store tells which.
    #[error("no open request has this id")]
    NotOpen,
    /// The option was not offered.
    #[error(transparent)]
    NotOffered(#[from] NotOffered),
    /// The deadline is not there yet.
    #[error("the deadline has not passed")]
    NotDue,
}

impl Request {
    /// Opens a request inside a turn; `ceiling` bounds it whatever the agent or the policy want.
    pub fn open(ask: &Ask, turn: TurnId, key: &Key, ceiling: Duration, now: Timestamp) -> Self {
        Self {
            id: ask.id.clone(),
            rpc_id: ask.rpc_id.clone(),
            turn,
            kind: ask.kind.clone(),
            tool: ask.tool.clone(),
            summary: ask.summary.clone(),
            options: ask.options.clone(),
            timeout: ask.timeout,
            key: key.word().to_owned(),
            asked_at: now,
            deadline: now.plus(ceiling),
            detached: false,
        }
    }

    /// Lets it outlive its turn. The deadline counts from when it was raised: the shorter of what the agent and
    /// the policy name, the one that is named, else the ceiling.
    pub fn detach(&mut self, policy_timeout: Option<u32>, ceiling: Duration) {
        let span = match (self.timeout, policy_timeout) {
            (Some(asked), Some(bound)) => Some(asked.min(bound)),
            (asked, bound) => asked.or(bound),
        };
        let span = span.map_or(ceiling, |seconds| Duration::from_secs(u64::from(seconds)));
        self.deadline = self.asked_at.plus(span);
        self.detached = true;
    }

    /// A person's answer. At or after the deadline it settles as a timeout, whoever answers what.
    ///
    /// # Errors
    /// When the option was not offered; the request stays open.
    pub fn answer(&self, pick: &Pick, by: &str, now: Timestamp) -> Result<Settled, Refused> {
        if now >= self.deadline {
            return Ok(self.timed_out(now));
        }
        let outcome = match pick {
            Pick::Option(option) => self.options.pick(option)?,
            Pick::Deny => self.options.deny(),
        };
        Ok(Settled {
            resolution: Resolution::Answered,
            outcome,
            by: by.to_owned(),
            at: now,
        })
    }

    /// The deadline, when it has come.
    ///
    /// # Errors
    /// When it has not.
    pub fn expire(&self, now: Timestamp) -> Result<Settled, Refused> {
        if now < self.deadline {
            Err(Refused::NotDue)
        } else {
            Ok(self.timed_out(now))
        }
    }

    /// The end of the turn that raised it. The agent reads `cancelled`.
    pub fn turn_ended(&self, now: Timestamp) -> Settled {
        Settled {
            resolution: Resolution::TurnEnded,
            outcome: Outcome::Cancelled,
            by: "turn".into(),
            at: now,
        }
    }

    /// The end of the conversation, of a request that outlived its turn. A deadline that has passed stays what it
    /// is: whoever answered since was told so.
    pub fn conversation_ended(&self, now: Timestamp) -> Settled {
        self.expire(now).unwrap_or_else(|_| self.turn_ended(now))
    }

    /// The agent no longer asks.
    pub fn withdrawn(&self, now: Timestamp) -> Settled {
        Settled {
            resolution: Resolution::Cancelled,
            outcome: Outcome::Cancelled,
            by: "agent".into(),
            at: now,
        }
    }

    fn timed_out(&self, now: Timestamp) -> Settled {
        Settled {
            resolution: Resolution::Timeout,
            outcome: self.options.deny(),
            by: "deadline".into(),
            at: now,
        }
    }
}

impl Settled {
    /// The word of the audit row, when this was a refusal that a policy or a person made.
    pub fn refusal(&self) -> Option<&'static str> {
        match self.resolution {
            Resolution::Answered => self.outcome.refuses().then_some("person"),
            Resolution::Timeout => Some("timeout"),
            Resolution::TurnEnded => Some("turn_ended"),
            Resolution::Cancelled => None,
        }
    }
}

/// The prompt of the turn that a settled detached request opens: one line of JSON with a single key.
pub fn resume_prompt(request: &Request, settled: &Settled) -> String {
    let outcome = match settled.resolution {
        Resolution::Answered => "answered",
        _ => "timeout",
    };
    serde_json::json!({"fountain/permission_answer": {
        "request_id": request.id,
        "tool": request.tool,
        "outcome": outcome,
        "option_id": settled.outcome.option(),
        "answered_at": settled.at,
    }})
    .to_string()
}

/// What the prompt of [`resume_prompt`] says, for people: `answer: allow_once (deploy)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resumed {
    /// The tool's name for people.
    pub tool: String,
    /// Whether a person answered; else nobody did in time.
    pub answered: bool,
    /// The option that was picked, when one was.
    pub option: Option<String>,
}

impl Resumed {
    /// Reads a prompt; none when it is any other.
    pub fn read(prompt: &str) -> Option<Self> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Line {
            #[serde(rename = "fountain/permission_answer")]
            answer: Answer,
        }
        #[derive(serde::Deserialize)]
        struct Answer {
            tool: String,
            outcome: String,
            #[serde(default)]
            option_id: Option<String>,
        }
        let Line { answer } = serde_json::from_str(prompt).ok()?;
        Some(Self {
            tool: answer.tool,
            answered: answer.outcome == "answered",
            option: answer.option_id,
        })
    }
}

impl std::fmt::Display for Resumed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.answered, &self.option) {
            (true, Some(option)) => write!(f, "answer: {option} ({})", self.tool),
            (true, None) => write!(f, "answer: refused ({})", self.tool),
            (false, _) => write!(f, "timeout: refused ({})", self.tool),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;

    pub(crate) fn ask(id: &str) -> Ask {
        Ask {
            id: RequestId::from_text(id),
            rpc_id: "7".into(),
            line: format!(r#"{{"id":"{id}","method":"session/request_permission"}}"#),
            call: Some("call-1".into()),
            card: None,
            title: Some("rm -rf /".into()),
            kind: Some("execute".into()),
            tool: "Bash".into(),
            summary: Some("rm -rf /".into()),
            options: Options::new(vec![
                json!({"optionId": "yes", "kind": "allow_once"}),
                json!({"optionId": "no", "kind": "reject_once"}),
            ]),
            timeout: None,
        }
    }

    fn request() -> Request {
        let turn = "019ad0b2-6c00-7000-8000-0000000000ff".parse().unwrap();
        Request::open(
            &ask("7.1"),
            turn,
            &Key::Default,
            Duration::from_secs(300),
            Timestamp(1_000),
        )
    }

    #[test]
    fn before_the_deadline_a_person_decides_and_at_it_nobody() {
        let request = request();
        let last = Timestamp(request.deadline.0 - 1);
        let yes = Pick::Option("yes".into());
        let settled = request.answer(&yes, "me", last).unwrap();
        assert_eq!(
            (settled.resolution, settled.outcome.option()),
            (Resolution::Answered, Some("yes"))
        );
        let late = request.answer(&yes, "me", request.deadline).unwrap();
        assert_eq!(
            (late.resolution, late.outcome.option(), &*late.by),
            (Resolution::Timeout, Some("no"), "deadline")
        );
        assert_eq!(request.expire(last), Err(Refused::NotDue));
        assert!(request.expire(request.deadline).is_ok());
    }

    #[test]
    fn an_option_that_was_not_offered_changes_nothing() {
        let refused = request().answer(&Pick::Option("maybe".into()), "me", Timestamp(2_000));
        assert_eq!(
            refused,
            Err(Refused::NotOffered(NotOffered("maybe".into())))
        );
    }

    #[test]
    fn the_shorter_of_two_waits_counts_and_starts_when_it_was_raised() {
        for (asked, policy, expect) in [
            (Some(86_400), Some(3_600), 3_600),
            (Some(60), Some(3_600), 60),
            (None, None, 300),
            (None, Some(3_600), 3_600),
            (Some(86_400), None, 86_400),
        ] {
            let mut request = Request {
                timeout: asked,
                ..request()
            };
            request.detach(policy, Duration::from_secs(300));
            assert_eq!(
                request.deadline,
                Timestamp(1_000 + expect * 1_000),
                "{asked:?} {policy:?}"
            );
            assert!(request.detached);
        }
    }

    #[test]
    fn the_end_of_a_conversation_does_not_rewrite_a_deadline() {
        let request = request();
        let before = request.conversation_ended(Timestamp(request.deadline.0 - 1));
        assert_eq!(before.resolution, Resolution::TurnEnded);
        let after = request.conversation_ended(request.deadline);
        assert_eq!(after, request.expire(request.deadline).unwrap());
    }

    #[test]
    fn only_refusals_are_audited() {
        let request = request();
        let now = Timestamp(2_000);
        let word = |settled: Settled| settled.refusal();
        assert_eq!(
            word(
                request
                    .answer(&Pick::Option("yes".into()), "me", now)
                    .unwrap()
            ),
            None
        );
        assert_eq!(
            word(
                request
                    .answer(&Pick::Option("no".into()), "me", now)
                    .unwrap()
            ),
            Some("person")
        );
        assert_eq!(
            word(request.answer(&Pick::Deny, "me", now).unwrap()),
            Some("person")
        );
        assert_eq!(
            word(request.expire(request.deadline).unwrap()),
            Some("timeout")
        );
        assert_eq!(word(request.turn_ended(now)), Some("turn_ended"));
        assert_eq!(word(request.withdrawn(now)), None);
    }

    #[test]
    fn the_resume_prompt_is_one_line_with_one_key() {
        let request = request();
        let settled = request
            .answer(&Pick::Deny, "me", Timestamp(1_788_772_442_113))
            .unwrap();
        assert!(settled.resolution == Resolution::Timeout, "long past");
        let settled = Settled {
            resolution: Resolution::Answered,
            ..settled
        };
        assert_eq!(
            resume_prompt(&request, &settled),
            r#"{"fountain/permission_answer":{"request_id":"7.1","tool":"Bash","outcome":"answered","option_id":"no","answered_at":"2026-09-07T09:14:02.113Z"}}"#
        );
    }

    #[test]
    fn where_no_rejection_was_offered_the_prompt_says_null() {
        let request = Request {
            options: Options::new(vec![json!({"optionId": "yes", "kind": "allow_once"})]),
            ..request()
        };
        let in_time = request.answer(&Pick::Deny, "me", Timestamp(2_000)).unwrap();
        let late = request.expire(request.deadline).unwrap();
        for (settled, outcome) in [(in_time, "answered"), (late, "timeout")] {
            let prompt: serde_json::Value =
                serde_json::from_str(&resume_prompt(&request, &settled)).unwrap();
            let told = &prompt["fountain/permission_answer"];
            assert_eq!(
                (&told["outcome"], told.get("option_id")),
                (&json!(outcome), Some(&json!(null)))
            );
        }
    }

    #[test]
    fn the_resume_prompt_is_read_back_for_people() {
        let request = request();
        let now = Timestamp(2_000);
        let told = |settled: &Settled| {
            Resumed::read(&resume_prompt(&request, settled)).map(|resumed| resumed.to_string())
        };
        let yes = request.answer(&Pick::Option("yes".into()), "me", now);
        assert_eq!(told(&yes.unwrap()).unwrap(), "answer: yes (Bash)");
        let late = request.expire(request.deadline).unwrap();
        assert_eq!(told(&late).unwrap(), "timeout: refused (Bash)");
        let nothing = Settled {
            outcome: Outcome::Cancelled,
            ..request.answer(&Pick::Deny, "me", now).unwrap()
        };
        assert_eq!(told(&nothing).unwrap(), "answer: refused (Bash)");
        for other in [
            "",
            "hello",
            "{}",
            "[]",
            r#"{"fountain/permission_answer":{}}"#,
            r#"{"fountain/permission_answer":{"tool":"a","outcome":"answered"},"x":1}"#,
        ] {
            assert_eq!(Resumed::read(other), None, "{other}");
        }
    }
}
