//! Why a call gave nothing.

use fountain_core::api::Problem;

/// What went wrong with a call, by what a caller can do about it.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Error {
    /// Nothing answered there, or the connection broke.
    #[error("could not reach {base}: {cause}")]
    Unreachable {
        /// The instance.
        base: String,
        /// The innermost cause.
        cause: String,
    },
    /// 401: no key, or one that does not count.
    #[error("credentials for {base} were rejected ({why})")]
    Rejected {
        /// The instance: which one was asked is usually the surprise.
        base: String,
        /// Why, as the instance says it.
        why: String,
    },
    /// Any other refusal.
    #[error("{}", sentence(*status, problem))]
    Problem {
        /// The HTTP status.
        status: u16,
        /// The code, the sentence and the rest of the body.
        problem: Box<Problem>,
    },
    /// What answers there is no instance.
    #[error("what answers at {base} is no Fountain: {how}")]
    Foreign {
        /// The address.
        base: String,
        /// How it answered.
        how: String,
    },
    /// What came back is not what an instance says.
    #[error("{0}")]
    Protocol(String),
}

impl Error {
    /// The HTTP status of a refusal.
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            Self::Rejected { .. } => Some(401),
            Self::Problem { status, .. } => Some(*status),
            Self::Unreachable { .. } | Self::Foreign { .. } | Self::Protocol(_) => None,
        }
    }

    /// The code of a refusal, such as `conversation_busy`; empty where there is none.
    pub(crate) fn code(&self) -> &str {
        match self {
            Self::Problem { problem, .. } => &problem.error,
            _ => "",
        }
    }

    /// Whether the thing that was named does not exist.
    pub(crate) fn is_not_found(&self) -> bool {
        self.status() == Some(404)
    }
}

/// The sentence of a refusal: its message, else its field errors, else its code, else the status.
fn sentence(status: u16, problem: &Problem) -> String {
    if !problem.message.is_empty() {
        return problem.message.clone();
    }
    let mut fields = String::new();
    if let Some(errors) = problem.more.get("errors") {
        flatten("", errors, &mut fields);
    }
    match (fields.is_empty(), problem.error.is_empty()) {
        (false, _) => fields,
        (true, false) => problem.error.replace('_', " "),
        (true, true) => format!("the instance answered {status}"),
    }
}

/// `field: message` for each leaf, joined by `; `.
fn flatten(path: &str, value: &serde_json::Value, out: &mut String) {
    use serde_json::Value;
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                flatten(&path, inner, out);
            }
        }
        Value::Array(items) => items.iter().for_each(|inner| flatten(path, inner, out)),
        leaf => {
            if !out.is_empty() {
                out.push_str("; ");
            }
            if !path.is_empty() {
                out.push_str(path);
                out.push_str(": ");
            }
            match leaf {
                Value::String(text) => out.push_str(text),
                other => out.push_str(&other.to_string()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_in_its_best_words() {
        for (body, expect) in [
            (
                r#"{"error":"conversation_busy","message":"A turn is running."}"#,
                "A turn is running.",
            ),
            (r#"{"error":"not_found"}"#, "not found"),
            (
                r#"{"errors":{"name":["is taken"],"a":{"b":["x","y"]}}}"#,
                "name: is taken; a.b: x; a.b: y",
            ),
            ("{}", "the instance answered 422"),
        ] {
            let problem = serde_json::from_str(body).unwrap();
            let error = Error::Problem {
                status: 422,
                problem: Box::new(problem),
            };
            assert_eq!(error.to_string(), expect);
        }
    }
}
