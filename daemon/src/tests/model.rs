//! A daemon at the mercy of chance: prompts, answers, stops, deaths and deadlines in whatever order, several at once.
//! At the end everything is settled, and the database, the log and the agents are asked whether it was once.

mod checks;
mod programs;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fastrand::Rng;
use fountain_core::api::auth::Scope;
use fountain_core::settings::Settings;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::keys::mint;
use super::kit::chat::Chat;
use super::kit::http::{Call, Reply};
use super::kit::{self, Daemon, kill_agents, processes, until};

/// Things that happen in a round, each of them several at once.
const STEPS: usize = 30;

#[tokio::test]
async fn whatever_happens_each_request_is_settled_once() {
    let (rounds, first) = (kit::rounds(3), kit::seed());
    let long = std::env::var_os("FOUNTAIN_TEST_ROUNDS").is_some();
    let mut all = Tally::new();
    for round in 0..rounds {
        let seed = Seed(first.wrapping_add(round));
        if long {
            seed.tell(&all);
        }
        let mut play = Play::new(seed.0).await;
        for _ in 0..STEPS {
            play.step().await;
        }
        for (what, count) in play.end().await {
            *all.entry(what).or_default() += count;
        }
    }
}

/// How often what came of it, so that whoever lets it run for long sees that chance goes everywhere.
type Tally = BTreeMap<String, usize>;

/// Told when the round fails.
struct Seed(u64);

impl Seed {
    fn tell(&self, before: &Tally) {
        let _ = writeln!(
            std::io::stderr(),
            "FOUNTAIN_TEST_SEED={} {before:?}",
            self.0
        );
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.tell(&Tally::new());
        }
    }
}

/// One conversation.
struct Talk {
    id: String,
    log: PathBuf,
    /// The folder of its sandbox.
    sandbox: PathBuf,
}

/// What somebody did over HTTP.
enum Did {
    Prompt(Value),
    Answer {
        request: String,
        /// The option, or a denial.
        pick: Option<&'static str>,
        key: String,
    },
    Other,
}

/// What came of it: nothing, when the daemon died first.
struct Told {
    talk: usize,
    did: Did,
    reply: Option<Reply>,
}

struct Sent {
    talk: usize,
    did: Did,
    reply: JoinHandle<Option<Reply>>,
}

struct Play {
    rng: Rng,
    tight: bool,
    daemon: Option<Daemon>,
    /// Of three people who answer.
    keys: Vec<String>,
    talks: Vec<Talk>,
    told: Vec<Told>,
    /// How many of its requests an agent was told to make with an id, and which kind of tool each is for.
    asks: Vec<(&'static str, usize)>,
    prompts: usize,
}

/// Of a daemon that has a place for every agent, or one less.
fn settings(tight: bool) -> impl FnOnce(&mut Settings) {
    move |settings| {
        settings.limits.cancel_grace = Duration::from_millis(100);
        settings.sandbox.max_running = tight.then_some(2);
    }
}

impl Play {
    async fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let tight = rng.u32(0..3) == 0;
        let daemon = Daemon::with(settings(tight)).await;
        let mut keys = Vec::new();
        for _ in 0..3 {
            keys.push(mint(&daemon, Scope::Full, None, None).await);
        }
        let mut play = Self {
            rng,
            tight,
            daemon: None,
            keys,
            talks: Vec::new(),
            told: Vec::new(),
            asks: Vec::new(),
            prompts: 0,
        };
        for timeout in [json!({}), json!({"ask_timeout": 60}), json!({})] {
            let mut policy = json!({"default": "ask", "read": "auto_allow", "delete": "auto_deny"});
            let members = timeout.as_object().unwrap().clone();
            policy.as_object_mut().unwrap().extend(members);
            let chat = daemon.scripted("on session/prompt\nobey", policy).await;
            let sandbox = chat.show().await["sandbox_id"].as_str().unwrap().to_owned();
            let sandboxes = daemon.folder().join("data").join("sandboxes");
            play.talks.push(Talk {
                id: chat.id.clone(),
                log: chat.log.clone().unwrap(),
                sandbox: sandboxes.join(sandbox),
            });
        }
        play.daemon = Some(daemon);
        play
    }

    fn daemon(&self) -> &Daemon {
        self.daemon.as_ref().expect("it runs between the steps")
    }

    fn chat(&self, talk: usize) -> Chat<'_> {
        let mut chat = Chat::of(self.daemon(), &self.talks[talk].id);
        chat.log = Some(self.talks[talk].log.clone());
        chat
    }

    async fn step(&mut self) {
        if self.rng.u32(0..15) == 0 {
            return self.restart().await;
        }
        let mut sent = Vec::new();
        for _ in 0..self.rng.usize(1..5) {
            let talk = self.rng.usize(0..self.talks.len());
            match self.rng.u32(0..20) {
                0..7 => sent.push(self.prompt(talk)),
                7..14 => sent.extend(self.answers(talk, 5).await),
                14 => sent.extend(self.answers(talk, 20).await),
                15..17 => sent.push(self.other(talk, "POST", "/interrupt", None)),
                17 => kill_agents(&processes(&self.talks[talk].sandbox)),
                _ => sent.extend(self.pass()),
            }
        }
        self.hear(sent).await;
        if self.rng.u32(0..4) > 0 {
            let talk = self.rng.usize(0..self.talks.len());
            self.watch(talk).await;
        }
    }

    /// Makes a call without waiting for what comes of it.
    fn send(&self, talk: usize, did: Did, call: Call) -> Sent {
        let reply = tokio::spawn(call.try_send());
        Sent { talk, did, reply }
    }

    async fn hear(&mut self, sent: Vec<Sent>) {
        for Sent { talk, did, reply } in sent {
            let reply = reply.await.unwrap_or_else(|gone| {
                assert!(gone.is_cancelled(), "{gone}");
                None
            });
            self.told.push(Told { talk, did, reply });
        }
    }

    fn other(&self, talk: usize, method: &str, rest: &str, body: Option<Value>) -> Sent {
        let call = self.daemon().call(method, &self.chat(talk).path(rest));
        let call = match body {
            Some(body) => call.json(&body),
            None => call,
        };
        self.send(talk, Did::Other, call)
    }

    fn prompt(&mut self, talk: usize) -> Sent {
        let text = self.program();
        let body = json!({ "prompt": text });
        let call = self
            .daemon()
            .call("POST", &self.chat(talk).path("/prompts"));
        self.send(talk, Did::Prompt(text.into()), call.json(&body))
    }

    /// Some answers at once: mostly to what waits, now and then to what is settled.
    async fn answers(&mut self, talk: usize, most: usize) -> Vec<Sent> {
        let waits = self.chat(talk).show().await["pending_requests"].clone();
        let mut ids: Vec<String> = waits
            .as_array()
            .unwrap()
            .iter()
            .map(|request| request["request_id"].as_str().unwrap().to_owned())
            .collect();
        if ids.is_empty() || self.rng.u32(0..8) == 0 {
            ids.extend(self.told.iter().rev().find_map(|told| match &told.did {
                Did::Answer { request, .. } if told.talk == talk => Some(request.clone()),
                _ => None,
            }));
        }
        if ids.is_empty() {
            return Vec::new();
        }
        let count = self.rng.usize(1..=most);
        (0..count)
            .map(|_| {
                let request = ids[self.rng.usize(0..ids.len())].clone();
                let pick = [Some("yes"), Some("no"), Some("maybe"), None][self.rng.usize(0..4)];
                let key = self.keys[self.rng.usize(0..self.keys.len())].clone();
                let path = self.chat(talk).path(&format!("/requests/{request}"));
                let body = match pick {
                    Some(option) => json!({ "option_id": option }),
                    None => json!({ "deny": true }),
                };
                let call = self.daemon().call("POST", &path).key(&key).json(&body);
                self.send(talk, Did::Answer { request, pick, key }, call)
            })
            .collect()
    }

    /// The clock goes on; each conversation looks at it, or meets a deadline that nobody saw coming.
    fn pass(&mut self) -> Vec<Sent> {
        let seconds = [30, 61, 301][self.rng.usize(0..3)];
        self.daemon().clock.advance(Duration::from_secs(seconds));
        let body = json!({"title": format!("after {seconds} s")});
        let look = if self.rng.bool() { self.talks.len() } else { 0 };
        (0..look)
            .map(|talk| self.other(talk, "PATCH", "", Some(body.clone())))
            .collect()
    }

    /// The daemon dies, or stops, in the middle of answers and prompts; another one goes on.
    async fn restart(&mut self) {
        let mut sent = Vec::new();
        for talk in 0..self.talks.len() {
            sent.extend(self.answers(talk, 5).await);
            if self.rng.bool() {
                sent.push(self.prompt(talk));
            }
        }
        let enough = self.rng.usize(0..=sent.len());
        until("some of it is answered", async || {
            sent.iter().filter(|sent| sent.reply.is_finished()).count() >= enough
        })
        .await;
        let daemon = self.daemon.take().unwrap();
        let clock = Arc::clone(&daemon.clock);
        let home = if self.rng.u32(0..3) == 0 {
            daemon.stop().await
        } else {
            // Whoever has no answer by now gets none.
            sent.iter().for_each(|sent| sent.reply.abort());
            daemon.kill()
        };
        self.hear(sent).await;
        self.daemon = Some(Daemon::after(home, clock, settings(self.tight)).await);
    }

    /// Waits until a conversation wants something: an answer, a prompt, or a stop.
    async fn watch(&self, talk: usize) {
        let chat = self.chat(talk);
        until("it wants something", async || {
            let shown = chat.show().await;
            let heard = chat.heard();
            let prompted = heard
                .iter()
                .rposition(|line| line.contains("session/prompt"));
            let stuck = prompted.is_some_and(|at| heard[at..].iter().any(|line| line == "stuck"));
            let waits = self.tight && shown["status"] == "pending";
            let open = shown["pending_requests"] != json!([]);
            stuck || waits || open || shown["status"] == "idle"
        })
        .await;
    }

    /// Stops what runs, until nothing does: who waits for a place comes to it.
    async fn rest(&self) {
        until("nothing runs", async || {
            let mut rests = true;
            for talk in 0..self.talks.len() {
                let chat = self.chat(talk);
                if chat.status().await == "pending" {
                    rests = false;
                } else {
                    rests &= chat.interrupt().await.status == 409;
                }
            }
            rests
        })
        .await;
    }

    /// Ends every conversation beside answers that still come, and looks at what is left.
    async fn end(mut self) -> Tally {
        if self.rng.bool() {
            self.rest().await;
        }
        let mut sent = Vec::new();
        for talk in 0..self.talks.len() {
            sent.extend(self.answers(talk, 3).await);
            sent.push(self.other(talk, "POST", "/terminate", None));
            sent.extend(self.answers(talk, 3).await);
            sent.push(self.prompt(talk));
        }
        self.hear(sent).await;
        until("no process is left", async || {
            self.daemon().processes(None).is_empty()
        })
        .await;
        let mut tally = Tally::new();
        for talk in 0..self.talks.len() {
            self.check(talk, &mut tally).await;
        }
        tally
    }
}
