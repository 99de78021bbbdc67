//! One conversation as a client sees it.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::http::Reply;
use super::stream::Stream;
use super::{Daemon, kill_agents, opened, tag, until};

pub(crate) struct Chat<'a> {
    pub(crate) daemon: &'a Daemon,
    pub(crate) id: String,
    /// What a scripted agent read.
    pub(crate) log: Option<PathBuf>,
}

impl<'a> Chat<'a> {
    pub(crate) fn of(daemon: &'a Daemon, id: &str) -> Self {
        Self {
            daemon,
            id: id.to_owned(),
            log: None,
        }
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/api/conversations/{}{rest}", self.id)
    }

    /// Sends a prompt and gives what was answered.
    pub(crate) async fn try_prompt(&self, prompt: &str) -> Reply {
        let body = json!({ "prompt": prompt });
        self.daemon.post(&self.path("/prompts"), body).await
    }

    /// Sends a prompt that is taken.
    pub(crate) async fn prompt(&self, prompt: &str) -> Value {
        self.try_prompt(prompt).await.is(200)
    }

    /// Sends a prompt and waits for the end of its turn.
    pub(crate) async fn say(&self, prompt: &str) -> Value {
        let accepted = self.prompt(prompt).await;
        self.end(&accepted).await
    }

    pub(crate) async fn follow(&self, after: &Value) -> Stream {
        let path = self.path(&format!("/stream?after={after}"));
        let stream = self.daemon.stream(&path).await;
        assert_eq!(stream.status, 200);
        stream
    }

    /// Waits for the end of a turn: the stage event, its metadata at the top.
    pub(crate) async fn end(&self, accepted: &Value) -> Value {
        let mut stream = self.follow(&accepted["after"]).await;
        let event = stream
            .until(|event| {
                event["stage"] == "turn"
                    && event["state"] != "started"
                    && event["turn_id"] == accepted["turn_id"]
            })
            .await;
        let mut end = event["data"].clone();
        end["state"] = event["state"].clone();
        end
    }

    /// Waits for an event of a kind after a position.
    pub(crate) async fn event(&self, after: &Value, wanted: &str) -> Value {
        let mut stream = self.follow(after).await;
        stream.until(|event| tag(event) == wanted).await
    }

    pub(crate) async fn events(&self) -> Vec<Value> {
        let path = self.path("/events?limit=1000");
        let page = self.daemon.get(&path).await.is(200);
        assert_eq!(page["meta"]["has_more"], false, "more than a page");
        let events = page["data"].as_array().unwrap();
        events.iter().cloned().map(opened).collect()
    }

    pub(crate) async fn tags(&self) -> Vec<String> {
        self.events().await.iter().map(tag).collect()
    }

    /// The events of a kind, their metadata alone.
    pub(crate) async fn stages(&self, wanted: &str) -> Vec<Value> {
        let events = self.events().await.into_iter();
        events
            .filter(|event| tag(event) == wanted)
            .map(|event| event["data"].clone())
            .collect()
    }

    /// The text that was said in a turn.
    pub(crate) async fn text(&self, turn: &Value) -> String {
        let events = self.events().await.into_iter();
        events
            .filter(|event| event["stream"] == "acp" && event["turn_id"] == turn["turn_id"])
            .filter_map(|event| {
                let line: Value = serde_json::from_str(event["data"].as_str()?).ok()?;
                let update = &line["params"]["update"];
                let said = update["sessionUpdate"] == "agent_message_chunk";
                said.then(|| update["content"]["text"].as_str().map(str::to_owned))?
            })
            .collect()
    }

    pub(crate) async fn show(&self) -> Value {
        self.daemon.get(&self.path("")).await.is(200)["data"].clone()
    }

    pub(crate) async fn show_is_gone(&self) {
        self.daemon
            .get(&self.path(""))
            .await
            .refuses(404, "not_found");
    }

    pub(crate) async fn status(&self) -> String {
        self.show().await["status"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn turns(&self) -> Vec<Value> {
        let turns = self.daemon.get(&self.path("/turns")).await.is(200);
        turns["data"].as_array().unwrap().clone()
    }

    /// Waits until that many requests are open, and gives them.
    pub(crate) async fn requests(&self, count: usize) -> Vec<Value> {
        let mut open = Vec::new();
        until(&format!("{count} requests are open"), async || {
            open = self.show().await["pending_requests"]
                .as_array()
                .unwrap()
                .clone();
            open.len() == count
        })
        .await;
        open
    }

    /// Waits for the one request that is open.
    pub(crate) async fn request(&self) -> Value {
        self.requests(1).await.remove(0)
    }

    pub(crate) async fn answer(&self, request: &Value, body: Value) -> Reply {
        let id = request["request_id"].as_str().unwrap();
        let path = self.path(&format!("/requests/{id}"));
        self.daemon.post(&path, body).await
    }

    pub(crate) async fn pick(&self, request: &Value, option: &str) -> Reply {
        self.answer(request, json!({ "option_id": option })).await
    }

    pub(crate) async fn interrupt(&self) -> Reply {
        let call = self.daemon.call("POST", &self.path("/interrupt"));
        call.send().await
    }

    /// One request, whether it is open or not.
    pub(crate) async fn settled(&self, request: &Value) -> Value {
        let id = request["request_id"].as_str().unwrap();
        let path = format!("/api/requests/{id}");
        self.daemon.get(&path).await.is(200)["data"].clone()
    }

    /// The lines that a scripted agent read, and `start` for each of its processes.
    pub(crate) fn heard(&self) -> Vec<String> {
        let path = self
            .log
            .as_ref()
            .expect("only a scripted agent keeps a log");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Lets a scripted agent go on that waits at a gate.
    pub(crate) fn open_gate(&self, name: &str) {
        let log = self.log.as_ref().expect("only a scripted agent has gates");
        std::fs::write(super::scripted::gate(log, name), "").unwrap();
    }

    /// How often a scripted agent read something with these words.
    pub(crate) fn heard_times(&self, words: &str) -> usize {
        let lines = self.heard();
        lines.iter().filter(|line| line.contains(words)).count()
    }

    /// Kills the scripted agent itself, and nothing else of its sandbox.
    pub(crate) async fn kill_agent(&self) {
        kill_agents(&self.processes().await);
    }

    /// Waits until the daemon has seen that its agent is gone.
    pub(crate) async fn until_asleep(&self) {
        until("its agent is gone", async || {
            self.show().await["sandbox"]["status"] == "suspended"
                && self.processes().await.is_empty()
        })
        .await;
    }

    /// The processes of its sandbox.
    pub(crate) async fn processes(&self) -> Vec<i32> {
        self.daemon.processes(Some(&self.show().await))
    }
}
