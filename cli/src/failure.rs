//! How a command fails: a kind that decides the exit code, one sentence, and hints at what to do.

use std::fmt;

use fountain_core::api::Problem;

use crate::client;

/// What kind of failure it is, by what a script would do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// The turn or the operation failed.
    Failed,
    /// The command line makes no sense.
    Usage,
    /// What was named does not exist.
    NotFound,
    /// There are no credentials.
    Credentials,
    /// The instance does not take the credentials.
    Rejected,
    /// The instance says no.
    Refused,
    /// No instance answers.
    Unreachable,
    /// The turn ended, and a person has to answer before it goes on.
    Waiting,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// The process was told to stop.
    Terminated,
    /// Nobody reads standard output any more. That is no failure, only the end.
    Closed,
}

/// The published table: one line a code, as the manual page shows it.
pub(crate) const EXIT_CODES: [(u8, &str); 10] = [
    (0, "done"),
    (1, "the turn failed, or the operation failed"),
    (2, "wrong usage"),
    (3, "not found"),
    (4, "credentials are missing or were rejected"),
    (5, "refused by the instance"),
    (6, "the instance cannot be reached"),
    (
        7,
        "the turn ended waiting for a person (only with --exit-waiting)",
    ),
    (130, "interrupted by the user"),
    (143, "terminated by a signal"),
];

impl Kind {
    /// The exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Closed => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NotFound => 3,
            Self::Credentials | Self::Rejected => 4,
            Self::Refused => 5,
            Self::Unreachable => 6,
            Self::Waiting => 7,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}

/// Why a command did not do what it was asked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// Decides the exit code.
    pub(crate) kind: Kind,
    /// What happened, in one sentence; empty when everything was said already.
    pub(crate) message: String,
    /// What to do, each one line.
    pub(crate) hints: Vec<String>,
}

impl Failure {
    /// A failure of that kind with its sentence.
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hints: Vec::new(),
        }
    }

    /// The turn or the operation failed.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(Kind::Failed, message)
    }

    /// The command line makes no sense.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// What was named does not exist.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(Kind::NotFound, message)
    }

    /// Credentials are missing or do not count.
    pub(crate) fn credentials(message: impl Into<String>) -> Self {
        Self::new(Kind::Credentials, message)
    }

    /// An end that was told already: only the exit code is left to say.
    pub(crate) fn silent(kind: Kind) -> Self {
        Self::new(kind, "")
    }

    /// The same with one more hint.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<client::Error> for Failure {
    fn from(error: client::Error) -> Self {
        let message = in_flags(&error.to_string());
        match error {
            client::Error::Unreachable { .. } => Self::new(Kind::Unreachable, message).hint(
                "`fountain serve` starts an instance on this machine; --base-url names another one",
            ),
            client::Error::Foreign { .. } => Self::new(Kind::Unreachable, message)
                .hint("--base-url or FOUNTAIN_BASE_URL names the instance; `fountain auth list` shows the saved ones"),
            client::Error::Rejected { .. } => Self::new(Kind::Rejected, message)
                .hint("`fountain auth login` saves a key that this instance takes"),
            client::Error::Protocol(_) => Self::failed(message),
            client::Error::Problem { status, problem } => {
                let failure = Self::new(kind_of(status), message);
                match hint_for(&problem) {
                    Some(hint) => failure.hint(hint),
                    None => failure,
                }
            }
        }
    }
}

impl From<client::Invalid> for Failure {
    fn from(invalid: client::Invalid) -> Self {
        let kind = match invalid {
            client::Invalid::Url { .. } => Kind::Usage,
            client::Invalid::Key(_) => Kind::Credentials,
        };
        Self::new(kind, invalid.to_string())
    }
}

/// Every refusal is one, whatever its status; only what is absent and what broke are told apart.
fn kind_of(status: u16) -> Kind {
    match status {
        404 => Kind::NotFound,
        401 => Kind::Rejected,
        400..=499 => Kind::Refused,
        _ => Kind::Failed,
    }
}

/// What to do about a refusal, where its code alone tells.
fn hint_for(problem: &Problem) -> Option<String> {
    let hint = match problem.error.as_str() {
        "conversation_busy" => "`fountain conv interrupt` stops it",
        "conversation_terminated" => "it stays readable: `fountain conv show`",
        "permission_request_resolved" => {
            "the first answer wins; `fountain requests` lists what still waits"
        }
        "sandbox_may_not_answer" => "answer with a key of your own, outside the sandbox",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// The fields of the API and the flags that set them.
const FLAGS: [(&str, &str); 11] = [
    ("runtime_command", "--command"),
    ("permission_policy", "--permission"),
    ("sandbox_mode", "--sandbox-mode"),
    ("sandbox_provider", "--sandbox-provider"),
    ("sandbox_id", "--sandbox"),
    ("vault_id", "--vault"),
    ("environment_id", "--environment"),
    ("workspace", "--workspace"),
    ("client_request_id", "--client-request-id"),
    ("runtime", "--runtime"),
    ("model", "--model"),
];

/// The instance's sentence with our flags in place of its fields: nobody here types a field.
pub(crate) fn in_flags(sentence: &str) -> String {
    FLAGS
        .into_iter()
        .fold(sentence.to_owned(), |text, (field, flag)| {
            text.replace(&format!("`{field}`"), &format!("`{flag}`"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_the_published_ones() {
        let kinds = [
            Kind::Closed,
            Kind::Failed,
            Kind::Usage,
            Kind::NotFound,
            Kind::Credentials,
            Kind::Refused,
            Kind::Unreachable,
            Kind::Waiting,
            Kind::Interrupted,
            Kind::Terminated,
        ];
        let codes: Vec<u8> = kinds.into_iter().map(Kind::code).collect();
        assert_eq!(codes, [0, 1, 2, 3, 4, 5, 6, 7, 130, 143]);
        let published: Vec<u8> = EXIT_CODES.into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, published);
    }

    #[test]
    fn a_field_is_told_as_its_flag() {
        for (sentence, expect) in [
            (
                "`runtime_command`: is needed for the runtime `acp`.",
                "`--command`: is needed for the runtime `acp`.",
            ),
            ("`vault_id`: is not served.", "`--vault`: is not served."),
            ("No such runtime_command.", "No such runtime_command."),
        ] {
            let problem = Box::new(Problem::new("validation_failed", sentence));
            let error = client::Error::Problem {
                status: 422,
                problem,
            };
            assert_eq!(Failure::from(error).message, expect);
        }
    }

    #[test]
    fn a_status_becomes_a_kind() {
        for (status, code) in [
            (400, 5),
            (401, 4),
            (402, 5),
            (403, 5),
            (404, 3),
            (409, 5),
            (410, 5),
            (413, 5),
            (422, 5),
            (429, 5),
            (500, 1),
            (503, 1),
        ] {
            let problem = Box::new(Problem::new("x", "No."));
            let failure = Failure::from(client::Error::Problem { status, problem });
            assert_eq!(
                (failure.kind.code(), failure.message.as_str()),
                (code, "No."),
                "{status}"
            );
        }
        let base = || "http://h".to_owned();
        let unreachable = client::Error::Unreachable {
            base: base(),
            cause: "refused".into(),
        };
        let rejected = client::Error::Rejected {
            base: base(),
            why: "api_key_revoked".into(),
        };
        assert_eq!(Failure::from(unreachable).kind.code(), 6);
        assert_eq!(Failure::from(rejected).kind.code(), 4);
        let foreign = client::Error::Foreign {
            base: base(),
            how: "it answered 404".into(),
        };
        assert_eq!(Failure::from(foreign).kind.code(), 6);
        assert_eq!(
            Failure::from(client::Error::Protocol("odd".into()))
                .kind
                .code(),
            1
        );
    }
}
