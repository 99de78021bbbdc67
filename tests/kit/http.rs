//! The HTTP API as somebody else's program uses it.

use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::Request;

use super::stream::Stream;
use super::until;

/// A client with a key.
#[derive(Clone)]
pub(crate) struct Http {
    agent: Agent,
    base: String,
    key: String,
}

/// What was answered.
#[must_use]
#[derive(Debug)]
pub(crate) struct Answered {
    /// The status.
    pub(crate) status: u16,
    /// The body; null where there is none.
    pub(crate) body: Value,
}

/// A conversation that was started, with its first turn.
#[derive(Clone, Debug)]
pub(crate) struct Launched {
    /// The conversation.
    pub(crate) id: String,
    /// The position of the log just before the turn.
    pub(crate) after: i64,
}

/// A client without a key, for calls that are unusual; no proxy of the environment is between.
pub(crate) fn agent() -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .timeout_global(Some(Duration::from_secs(300)))
        .build()
        .into()
}

impl Http {
    pub(super) fn new(base: &str, key: &str) -> Self {
        let (base, key) = (base.to_owned(), key.to_owned());
        Self {
            agent: agent(),
            base,
            key,
        }
    }

    /// The same client with another key.
    pub(crate) fn with_key(&self, key: &str) -> Self {
        Self {
            key: key.to_owned(),
            ..self.clone()
        }
    }

    #[track_caller]
    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Answered {
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header("authorization", format!("Bearer {}", self.key));
        let body = body.map(Value::to_string);
        let answer = match body {
            Some(body) => {
                let request = request.header("content-type", "application/json");
                self.agent.run(request.body(body).unwrap())
            }
            None => self.agent.run(request.body(()).unwrap()),
        };
        let mut answer = answer.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let text = answer.body_mut().read_to_string().unwrap();
        let body = match text.as_str() {
            "" => Value::Null,
            text => serde_json::from_str(text)
                .unwrap_or_else(|error| panic!("{method} {path}: {error}: {text}")),
        };
        Answered {
            status: answer.status().as_u16(),
            body,
        }
    }

    /// Reads something that is there: the `data` of the answer.
    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Value {
        self.call("GET", path, None).ok()
    }

    /// Reads something that may not be there.
    #[track_caller]
    pub(crate) fn try_get(&self, path: &str) -> Answered {
        self.call("GET", path, None)
    }

    /// Sends something.
    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &Value) -> Answered {
        self.call("POST", path, Some(body))
    }

    /// Changes something.
    #[track_caller]
    pub(crate) fn patch(&self, path: &str, body: &Value) -> Answered {
        self.call("PATCH", path, Some(body))
    }

    /// The id of an agent.
    #[track_caller]
    pub(crate) fn agent(&self, name: &str) -> String {
        let agents = self.get("/api/agents");
        let agents = agents.as_array().unwrap();
        let found = agents.iter().find(|agent| agent["name"] == name);
        found.unwrap_or_else(|| panic!("no {name} in {agents:?}"))["id"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Starts a conversation of the demo agent with this prompt.
    #[track_caller]
    pub(crate) fn launch(&self, prompt: &str) -> Launched {
        self.launch_under(prompt, Value::Null)
    }

    /// The same under a policy of the launch's own.
    #[track_caller]
    pub(crate) fn launch_under(&self, prompt: &str, policy: Value) -> Launched {
        let agent = self.agent("demo");
        let body = json!({"agent_id": agent, "prompt": prompt, "permission_policy": policy});
        let created = self.post("/api/conversations", &body);
        assert_eq!(created.status, 201, "{created:?}");
        Launched {
            id: created.body["data"]["id"].as_str().unwrap().to_owned(),
            after: created.body["meta"]["after"].as_i64().unwrap(),
        }
    }

    /// Sends a prompt; gives the position of the log just before its turn.
    #[track_caller]
    pub(crate) fn prompt(&self, conversation: &str, prompt: &str) -> i64 {
        let path = format!("/api/conversations/{conversation}/prompts");
        let accepted = self.post(&path, &json!({ "prompt": prompt })).ok();
        accepted["after"].as_i64().unwrap()
    }

    /// A conversation.
    #[track_caller]
    pub(crate) fn conversation(&self, id: &str) -> Value {
        self.get(&format!("/api/conversations/{id}"))
    }

    /// The turns of a conversation.
    #[track_caller]
    pub(crate) fn turns(&self, conversation: &str) -> Vec<Value> {
        let turns = self.get(&format!("/api/conversations/{conversation}/turns"));
        turns.as_array().unwrap().clone()
    }

    /// Waits until the newest turn is over, and gives it.
    #[track_caller]
    pub(crate) fn ended(&self, conversation: &str) -> Value {
        let over = ["completed", "failed", "interrupted"];
        until(
            "the turn is over",
            || self.turns(conversation).pop().unwrap(),
            |turn| over.iter().any(|status| turn["status"] == *status),
        )
    }

    /// Every event of a conversation, page by page.
    #[track_caller]
    pub(crate) fn events(&self, conversation: &str) -> Vec<Value> {
        let mut events = Vec::new();
        let mut after = 0;
        loop {
            let path = format!("/api/conversations/{conversation}/events?after={after}&limit=1000");
            let page = self.call("GET", &path, None);
            assert_eq!(page.status, 200, "{page:?}");
            events.extend(page.body["data"].as_array().unwrap().iter().cloned());
            match page.body["meta"]["next_cursor"].as_i64() {
                Some(next) if page.body["meta"]["has_more"] == true => after = next,
                _ => return events,
            }
        }
    }

    /// What the agent said in a conversation, in all its turns.
    #[track_caller]
    pub(crate) fn said(&self, conversation: &str) -> String {
        let events = self.events(conversation);
        let lines = events.iter().filter(|event| event["stream"] == "acp");
        lines
            .filter_map(|event| text_of(event["data"].as_str()?))
            .collect()
    }

    /// Waits until a conversation asks something, and gives the request.
    #[track_caller]
    pub(crate) fn asked(&self, conversation: &str) -> Value {
        let open = until(
            "something is asked",
            || self.conversation(conversation)["pending_requests"].clone(),
            |open| open.as_array().is_some_and(|open| !open.is_empty()),
        );
        open[0].clone()
    }

    /// Answers a request.
    #[track_caller]
    pub(crate) fn answer(&self, conversation: &str, request: &str, answer: &Value) -> Answered {
        let path = format!("/api/conversations/{conversation}/requests/{request}");
        self.post(&path, answer)
    }

    /// Opens the stream of a conversation.
    #[track_caller]
    pub(crate) fn stream(&self, conversation: &str, after: i64) -> Stream {
        let request = Request::builder()
            .uri(format!(
                "{}/api/conversations/{conversation}/stream",
                self.base
            ))
            .header("authorization", format!("Bearer {}", self.key))
            .header("last-event-id", after.to_string())
            .body(())
            .unwrap();
        let answer = self.agent.run(request).unwrap();
        assert_eq!(answer.status(), 200);
        Stream::new(answer.into_body().into_reader())
    }
}

impl Answered {
    /// Makes sure that it went well; gives the `data`, or the body where there is none.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "{self:?}");
        match self.body {
            Value::Object(mut body) if body.contains_key("data") => body.remove("data").unwrap(),
            body => body,
        }
    }

    /// Makes sure that it was refused, in this way.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, error: &str) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.body["error"], error, "{self:?}");
        self.body
    }
}

/// The text of a line of the agent, when it says something.
pub(super) fn text_of(line: &str) -> Option<String> {
    let line: Value = serde_json::from_str(line).ok()?;
    let update = &line["params"]["update"];
    (update["sessionUpdate"] == "agent_message_chunk").then(|| {
        update["content"]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    })
}
