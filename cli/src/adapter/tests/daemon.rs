//! An instance with one conversation, whose events the test writes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use fountain_core::api::events::END;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use crate::client::fake::{Call, Fake, Reply};

pub(super) const CONVERSATION: &str = "019ad0b2-6c00-7000-8000-00000000000c";
pub(super) const AGENT: &str = "019ad0b2-6c00-7000-8000-00000000000a";
pub(super) const NOW: &str = "2026-01-01T00:00:00.000Z";

#[derive(Clone)]
pub(super) struct Daemon {
    pub fake: Fake,
    world: Arc<Mutex<World>>,
    bell: Arc<watch::Sender<usize>>,
}

struct World {
    log: Vec<Value>,
    turns: Vec<Value>,
    /// Answers that stand instead of the usual ones, by `METHOD /path`.
    instead: HashMap<String, (u16, Value)>,
    /// Held back until the gate opens.
    gates: HashMap<String, watch::Receiver<bool>>,
    /// After so many bytes the next streams are cut.
    cuts: Vec<usize>,
    agents: Vec<Value>,
    conversation: Value,
    resumed: bool,
}

impl Daemon {
    pub(super) async fn start() -> Self {
        let world = Arc::new(Mutex::new(World {
            log: Vec::new(),
            turns: Vec::new(),
            instead: HashMap::new(),
            gates: HashMap::new(),
            cuts: Vec::new(),
            agents: vec![agent("demo", true)],
            conversation: json!({"id": CONVERSATION, "agent_id": AGENT, "runtime": "acp", "acp": true, "status": "idle",
                "source": "api", "turn_count": 0, "last_active_at": NOW, "inserted_at": NOW, "updated_at": NOW,
                "model": "anthropic/x", "title": "A title"}),
            resumed: false,
        }));
        let bell = Arc::new(watch::Sender::new(0));
        let (inner, ring) = (Arc::clone(&world), Arc::clone(&bell));
        let fake = Fake::start(move |call| answer(&inner, &ring, call)).await;
        Self { fake, world, bell }
    }

    pub(super) fn instead(&self, line: &str, status: u16, body: Value) {
        self.world
            .lock()
            .unwrap()
            .instead
            .insert(line.to_owned(), (status, body));
    }

    pub(super) fn usual(&self, line: &str) {
        self.world.lock().unwrap().instead.remove(line);
    }

    /// Holds answers to this back until the sender says true.
    pub(super) fn gate(&self, line: &str) -> watch::Sender<bool> {
        let (open, gate) = watch::channel(false);
        self.world
            .lock()
            .unwrap()
            .gates
            .insert(line.to_owned(), gate);
        open
    }

    pub(super) fn cut_next_stream_after(&self, bytes: usize) {
        self.world.lock().unwrap().cuts.push(bytes);
    }

    pub(super) fn agents(&self, agents: Vec<Value>) {
        self.world.lock().unwrap().agents = agents;
    }

    pub(super) fn resumes_channels(&self) {
        self.world.lock().unwrap().resumed = true;
    }

    pub(super) fn conversation(&self, key: &str, value: Value) {
        self.world.lock().unwrap().conversation[key] = value;
    }

    /// A turn that somebody opened.
    pub(super) fn turn(&self, prompt: &str, change: Value) -> String {
        let mut world = self.world.lock().unwrap();
        let number = world.turns.len() + 1;
        let id = turn_id(number);
        let mut turn = json!({"id": id, "turn_number": number, "prompt": prompt, "status": "running", "origin": "user",
            "inserted_at": NOW, "image_count": 0});
        turn.as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        world.turns.push(turn);
        id
    }

    pub(super) fn event(&self, mut event: Value) {
        let mut world = self.world.lock().unwrap();
        event["id"] = (world.log.len() + 1).into();
        world.log.push(event);
        drop(world);
        self.bell.send_modify(|n| *n += 1);
    }

    /// An `acp` line of a turn.
    pub(super) fn acp(&self, turn: &str, line: &Value) {
        self.event(json!({"kind": "output", "stream": "acp", "data": line.to_string(), "stage": null, "state": null,
            "turn_id": turn, "ts": NOW}));
    }

    pub(super) fn update(&self, turn: &str, update: Value) {
        self.acp(
            turn,
            &json!({"jsonrpc": "2.0", "method": "session/update",
            "params": {"sessionId": "inner", "update": update}}),
        );
    }

    pub(super) fn says(&self, turn: &str, text: &str) {
        self.update(turn, json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}));
    }

    /// A permission request with the options yes and no.
    pub(super) fn asks(&self, turn: &str, request: &str) {
        self.stage("request/started", turn, json!({"request_id": request}));
        self.acp(turn, &json!({"jsonrpc": "2.0", "id": request, "method": "session/request_permission", "params": {
            "sessionId": "inner",
            "toolCall": {"toolCallId": "t", "title": "rm", "kind": "execute", "locations": [{"path": "/w"}], "_meta": {"k": 1}},
            "options": [
                {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
                {"optionId": "no", "name": "No", "kind": "reject_once"},
            ],
        }}));
    }

    pub(super) fn settled(&self, turn: &str, request: &str) {
        self.stage(
            "request/done",
            turn,
            json!({"request_id": request, "outcome": "answered", "option_id": "yes"}),
        );
    }

    pub(super) fn stage(&self, stage: &str, turn: &str, mut meta: Value) {
        let (stage, state) = stage.split_once('/').unwrap();
        meta["turn_id"] = turn.into();
        self.event(json!({"kind": "stage", "stream": null, "data": meta.to_string(), "stage": stage, "state": state,
            "turn_id": turn, "ts": NOW}));
    }

    pub(super) fn ends(&self, turn: &str, stop_reason: &str) {
        self.stage("turn/done", turn, json!({"stop_reason": stop_reason}));
    }

    /// Waits until the nth prompt has come, and gives its turn and its body.
    pub(super) async fn prompted(&self, times: usize) -> (String, Value) {
        let call = self
            .fake
            .called_times(&path("POST", "/prompts"), times)
            .await;
        (
            self.turns().last().unwrap()["id"]
                .as_str()
                .unwrap()
                .to_owned(),
            call.body,
        )
    }

    pub(super) async fn answered(&self, request: &str) -> Value {
        self.fake
            .called(&path("POST", &format!("/requests/{request}")))
            .await
            .body
    }

    fn turns(&self) -> Vec<Value> {
        self.world.lock().unwrap().turns.clone()
    }
}

pub(super) fn agent(name: &str, acp: bool) -> Value {
    json!({"id": AGENT, "name": name, "runtime": "acp", "acp": acp, "model": "anthropic/x",
        "inserted_at": NOW, "updated_at": NOW})
}

pub(super) fn path(method: &str, rest: &str) -> String {
    format!("{method} /api/conversations/{CONVERSATION}{rest}")
}

pub(super) fn turn_id(number: usize) -> String {
    format!("019ad0b2-6c00-7000-8000-0000000{number:05}")
}

fn answer(world: &Arc<Mutex<World>>, bell: &Arc<watch::Sender<usize>>, call: &Call) -> Reply {
    let line = call.line();
    let gate = world.lock().unwrap().gates.get(&line).cloned();
    let reply = usual(world, bell, call, &line);
    match gate {
        Some(gate) => Reply::Later(gate, Box::new(reply)),
        None => reply,
    }
}

fn usual(
    world: &Arc<Mutex<World>>,
    bell: &Arc<watch::Sender<usize>>,
    call: &Call,
    line: &str,
) -> Reply {
    let mut held = world.lock().unwrap();
    if let Some((status, body)) = held.instead.get(line) {
        return Reply::Json(*status, body.clone());
    }
    let own = format!("/api/conversations/{CONVERSATION}");
    let rest = call.path.strip_prefix(&own);
    match (call.method.as_str(), rest) {
        ("GET", None) if call.path == "/api/auth/me" => Reply::Json(
            200,
            json!({"id": "o", "email": "o@localhost",
            "role": "owner", "email_verified": true, "onboarding_completed": true, "subscription_status": "none",
            "scope": "full", "prefix": "ftn_0000"}),
        ),
        ("GET", None) if call.path == "/api/agents" => {
            Reply::Json(200, json!({"data": held.agents}))
        }
        ("GET", None) if call.path == "/api/conversations" => {
            Reply::Json(200, json!({"data": [held.conversation]}))
        }
        ("POST", None) if call.path == "/api/conversations" => {
            let status = if held.resumed { 200 } else { 201 };
            Reply::Json(
                status,
                json!({"data": held.conversation, "meta": {"resumed": held.resumed}}),
            )
        }
        ("GET", Some("")) => Reply::Json(200, json!({"data": held.conversation})),
        ("GET", Some("/turns")) => Reply::Json(200, json!({"data": held.turns})),
        ("GET", Some("/stream")) => {
            let cut = if held.cuts.is_empty() {
                None
            } else {
                Some(held.cuts.remove(0))
            };
            drop(held);
            Reply::Stream(stream(Arc::clone(world), bell.subscribe(), call, cut))
        }
        ("POST", Some("/prompts")) => {
            let number = held.turns.len() + 1;
            let images = call.body["images"].as_array().map_or(0, Vec::len);
            let turn = json!({"id": turn_id(number), "turn_number": number, "prompt": call.body["prompt"],
                "status": "running", "origin": "user", "inserted_at": NOW, "image_count": images});
            held.turns.push(turn);
            Reply::Json(
                200,
                json!({"status": "queued", "turn_id": turn_id(number), "turn_number": number,
                "after": held.log.len()}),
            )
        }
        ("POST", Some("/interrupt")) => Reply::Json(204, Value::Null),
        ("POST", Some(_)) => Reply::Json(200, json!({"ok": true})),
        ("GET", Some(image)) if image.contains("/images/") => {
            Reply::Bytes("image/png", b"foo".to_vec())
        }
        _ => Reply::Json(404, json!({"error": "not_found"})),
    }
}

fn stream(
    world: Arc<Mutex<World>>,
    mut bell: watch::Receiver<usize>,
    call: &Call,
    mut cut: Option<usize>,
) -> mpsc::UnboundedReceiver<Vec<u8>> {
    let mut after: i64 = call.header("last-event-id").unwrap().parse().unwrap();
    let wait = !call.query.contains("wait=false");
    let acp = call.query.contains("acp");
    let (send, pieces) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            bell.borrow_and_update();
            let log = world.lock().unwrap().log.clone();
            for event in log {
                let id = event["id"].as_i64().unwrap();
                if id <= after || (!acp && event["kind"] == "output") {
                    continue;
                }
                after = id;
                let mut frame = format!(
                    "id: {id}\nevent: {}\ndata: {event}\n\n",
                    event["kind"].as_str().unwrap()
                );
                if let Some(left) = &mut cut {
                    if frame.len() >= *left {
                        frame.truncate(*left);
                        let _ = send.send(frame.into_bytes());
                        // An empty piece cuts the connection.
                        let _ = send.send(Vec::new());
                        return;
                    }
                    *left -= frame.len();
                }
                if send.send(frame.into_bytes()).is_err() {
                    return;
                }
            }
            if !wait {
                let _ = send.send(END.as_bytes().to_vec());
                return;
            }
            tokio::select! {
                changed = bell.changed() => if changed.is_err() { return },
                () = send.closed() => return,
            }
        }
    });
    pieces
}
