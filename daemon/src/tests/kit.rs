//! A whole daemon in this process, and what is asked of it. Whatever waits has a deadline; nothing sleeps.

pub(super) mod chat;
pub(super) mod entries;
pub(super) mod http;
mod scripted;
pub(super) mod stream;

use std::ffi::OsString;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use fountain_core::settings::Settings;
use fountain_core::time::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::boot::{self, Booted, Host, Lock};
use crate::clock::{Clock, System};
use crate::sandbox::{Directory, Kind, init};
use crate::serve;
use chat::Chat;
use http::{Call, Reply};
use stream::Stream;

/// Longer than anything here takes, also on a busy machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

pub(super) async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future)
        .await
        .unwrap_or_else(|_| panic!("waited in vain for {what}"))
}

/// Looks again and again until it holds.
pub(super) async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds().await {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}

/// The machine's clock, moved by a test.
#[derive(Default)]
pub(super) struct Shifted {
    by: AtomicI64,
    /// Milliseconds that pass with each look; while it is not zero, nothing else moves it.
    tick: AtomicI64,
    at: AtomicI64,
}

impl Shifted {
    pub(super) fn advance(&self, span: Duration) {
        self.by
            .fetch_add(i64::try_from(span.as_millis()).unwrap(), Ordering::SeqCst);
    }

    pub(super) fn set_back(&self, span: Duration) {
        self.by
            .fetch_sub(i64::try_from(span.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// From now on the clock shows `at`, and one millisecond more with each look.
    pub(super) fn tick_from(&self, at: i64) {
        self.at.store(at, Ordering::SeqCst);
        self.tick.store(1, Ordering::SeqCst);
    }

    /// It shows the machine's time again.
    pub(super) fn untick(&self) {
        self.tick.store(0, Ordering::SeqCst);
    }
}

impl Clock for Shifted {
    fn now(&self) -> Timestamp {
        match self.tick.load(Ordering::SeqCst) {
            0 => Timestamp(System.now().0 + self.by.load(Ordering::SeqCst)),
            tick => Timestamp(self.at.fetch_add(tick, Ordering::SeqCst)),
        }
    }
}

/// A running daemon on a folder of its own.
pub(super) struct Daemon {
    runtime: Option<Runtime>,
    server: Option<JoinHandle<io::Result<()>>>,
    _lock: Lock,
    pub(super) app: App,
    pub(super) address: SocketAddr,
    /// The owner's key.
    pub(super) key: String,
    pub(super) clock: Arc<Shifted>,
    home: Option<TempDir>,
}

/// Settings of which nothing takes long.
pub(super) fn quick() -> Settings {
    let mut settings = Settings {
        listen: "127.0.0.1:0".parse().unwrap(),
        ..Settings::default()
    };
    settings.limits.sweep_interval = Duration::from_millis(50);
    settings.limits.shutdown_grace = Duration::from_secs(1);
    settings
}

impl Daemon {
    pub(super) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub(super) async fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let home = tempfile::Builder::new()
            .prefix("My Data ü ")
            .tempdir()
            .unwrap();
        Self::on(home, change).await
    }

    /// Starts on a folder where another may have been.
    pub(super) async fn on(home: TempDir, change: impl FnOnce(&mut Settings)) -> Self {
        Self::on_kind(home, Arc::new(sandboxes()), change).await
    }

    /// Starts with sandboxes of another kind.
    pub(super) async fn on_kind(
        home: TempDir,
        sandboxes: Arc<dyn Kind>,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        Self::on_machine(home, sandboxes, Arc::default(), change).await
    }

    /// Starts where another was, at the time that it showed.
    pub(super) async fn after(
        home: TempDir,
        clock: Arc<Shifted>,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        Self::on_machine(home, Arc::new(sandboxes()), clock, change).await
    }

    async fn on_machine(
        home: TempDir,
        sandboxes: Arc<dyn Kind>,
        clock: Arc<Shifted>,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let mut settings = quick();
        settings.data_dir = Some(home.path().join("data"));
        change(&mut settings);
        let credentials = home.path().join("credentials");
        let host = Host {
            sandboxes,
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            credentials: Some(credentials.clone()),
        };
        let started = runtime.spawn(async move {
            let booted = boot::boot_on(settings, host).await.unwrap();
            let Booted {
                app,
                listener,
                address,
                lock,
            } = booted;
            let server = serve::start(&app, listener);
            (app, address, lock, server)
        });
        let (app, address, lock, server) = started.await.unwrap();
        let text = std::fs::read_to_string(&credentials).unwrap();
        let key = &text[text.find("ftn_").unwrap()..][..68];
        Self {
            key: key.to_owned(),
            runtime: Some(runtime),
            server: Some(server),
            _lock: lock,
            app,
            address,
            clock,
            home: Some(home),
        }
    }

    /// Ends as by `kill -9`: nothing more is told, stored or sent. What was stored stays.
    pub(super) fn kill(mut self) -> TempDir {
        self.end();
        self.home.take().unwrap()
    }

    /// Ends as by SIGTERM.
    pub(super) async fn stop(mut self) -> TempDir {
        let (app, server) = (self.app.clone(), self.server.take().unwrap());
        let stopped = self.runtime.as_ref().unwrap().spawn(async move {
            serve::stop(&app, server).await;
        });
        within("the stop", stopped).await.unwrap();
        self.end();
        self.home.take().unwrap()
    }

    fn end(&mut self) {
        let Some(runtime) = self.runtime.take() else {
            return;
        };
        let store = self.app.store.clone();
        // It must not block where futures run.
        let ended = std::thread::spawn(move || {
            runtime.shutdown_timeout(Duration::from_secs(5));
            // What was queued is stored or not by now: no second writer meets this one.
            let last = tokio::runtime::Builder::new_current_thread().build();
            let _ = last.unwrap().block_on(store.write(|_| Ok(())));
        });
        let _ = ended.join();
    }

    pub(super) fn folder(&self) -> &Path {
        self.home.as_ref().unwrap().path()
    }

    /// The processes of a sandbox, or of all.
    pub(super) fn processes(&self, chat: Option<&Value>) -> Vec<i32> {
        let all = self.folder().join("data").join("sandboxes");
        let of = match chat {
            Some(shown) => all.join(shown["sandbox_id"].as_str().unwrap()),
            None => all,
        };
        processes(&of)
    }

    /// A call with the owner's key.
    pub(super) fn call(&self, method: &str, path: &str) -> Call {
        Call::new(self.address, method, path).key(&self.key)
    }

    pub(super) async fn get(&self, path: &str) -> Reply {
        self.call("GET", path).send().await
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> Reply {
        self.call("POST", path).json(&body).send().await
    }

    pub(super) async fn patch(&self, path: &str, body: Value) -> Reply {
        self.call("PATCH", path).json(&body).send().await
    }

    pub(super) async fn delete(&self, path: &str) -> Reply {
        self.call("DELETE", path).send().await
    }

    pub(super) async fn stream(&self, path: &str) -> Stream {
        Stream::open(self.call("GET", path)).await
    }

    /// Makes an agent that runs a command; gives its id.
    pub(super) async fn agent(&self, command: &str, policy: Value) -> String {
        let name = format!("agent {}", uuid::Uuid::new_v4());
        let fields = json!({"name": name, "runtime": "acp", "runtime_command": command, "permission_policy": policy});
        let made = self.post("/api/agents", fields).await.is(201);
        made["data"]["id"].as_str().unwrap().to_owned()
    }

    /// A conversation with the built-in agent.
    pub(super) async fn built_in(&self, policy: Value) -> Chat<'_> {
        let command = entries::command("built_in", &[]);
        let agent = self.agent(&command, policy).await;
        self.chat(&agent).await
    }

    /// A conversation with an agent that plays a scenario.
    pub(super) async fn scripted(&self, scenario: &str, policy: Value) -> Chat<'_> {
        self.scripted_by("", scenario, policy).await
    }

    /// The same, with a piece of shell before the agent.
    pub(super) async fn scripted_by(&self, shell: &str, scenario: &str, policy: Value) -> Chat<'_> {
        let name = uuid::Uuid::new_v4();
        let path = |kind: &str| self.folder().join(format!("{name}.{kind}"));
        let (scene, log) = (path("scenario"), path("log"));
        std::fs::write(&scene, scenario).unwrap();
        let words = [scene.to_str().unwrap(), log.to_str().unwrap()];
        let command = format!("{shell}{}", entries::command("scripted", &words));
        let agent = self.agent(&command, policy).await;
        let mut chat = self.chat(&agent).await;
        chat.log = Some(log);
        chat
    }

    /// A conversation without a prompt.
    pub(super) async fn chat(&self, agent: &str) -> Chat<'_> {
        self.launch(json!({"agent_id": agent})).await
    }

    pub(super) async fn launch(&self, body: Value) -> Chat<'_> {
        let made = self.post("/api/conversations", body).await.is(201);
        Chat::of(self, made["data"]["id"].as_str().unwrap())
    }

    /// The audit trail: actor, action and metadata, the oldest first.
    pub(super) async fn audit(&self, action: &'static str) -> Vec<Value> {
        let rows = self.app.store.read(move |db| {
            let sql = "SELECT actor, action, resource_type, resource_id, metadata FROM audit WHERE action = ?1 ORDER BY id";
            let mut statement = db.prepare(sql)?;
            let rows = statement.query_map([action], |row| {
                let metadata: Value = serde_json::from_str(&row.get::<_, String>(4)?).unwrap();
                let text = |at: usize| row.get::<_, Option<String>>(at);
                Ok(json!({"actor": text(0)?, "action": text(1)?, "type": text(2)?, "id": text(3)?, "metadata": metadata}))
            })?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        });
        rows.await.unwrap()
    }

    /// What a conversation has in the database, a JSON text a row; `?1` is its id.
    pub(super) async fn rows(&self, sql: &'static str, id: &str) -> Vec<Value> {
        let id = id.to_owned();
        let rows = self.app.store.read(move |db| {
            let mut statement = db.prepare(sql)?;
            let rows = statement.query_map([id], |row| row.get::<_, String>(0))?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        });
        let rows = rows.await.unwrap().into_iter();
        rows.map(|text| serde_json::from_str(&text).unwrap())
            .collect()
    }

    /// A number out of the database.
    pub(super) async fn count(&self, sql: &'static str) -> i64 {
        let count = self
            .app
            .store
            .read(move |db| Ok(db.query_row(sql, [], |row| row.get(0))?));
        count.await.unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.end();
    }
}

/// Sandboxes whose first process is this very test program.
pub(super) fn sandboxes() -> Directory {
    let args = [
        "sandbox::tests::init_entry",
        "--exact",
        "--nocapture",
        "--",
        init::COMMAND,
    ];
    Directory::with_init(std::env::current_exe().unwrap(), args.map(OsString::from))
}

/// The processes that were started in a sandbox below this folder.
pub(super) fn processes(folder: &Path) -> Vec<i32> {
    let marker = format!("{}={}/", crate::sandbox::MARKER, folder.display());
    let holds = |path: &PathBuf| {
        let environment = std::fs::read(path.join("environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|pair| pair.starts_with(marker.as_bytes()))
    };
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let number = path.file_name()?.to_str()?.parse().ok()?;
            holds(&path).then_some(number)
        })
        .collect()
}

/// Kills the scripted agents among these processes, and nothing else of their sandboxes.
pub(super) fn kill_agents(processes: &[i32]) {
    for process in processes {
        let path = format!("/proc/{process}/cmdline");
        let command = std::fs::read_to_string(path).unwrap_or_default();
        if command.contains("scripted-agent") && !command.contains("sandbox-init") {
            let process = rustix::process::Pid::from_raw(*process).unwrap();
            // It may have ended by itself.
            let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
        }
    }
}

/// How often a test of chance is played: `FOUNTAIN_TEST_ROUNDS` makes it longer.
pub(super) fn rounds(usual: u64) -> u64 {
    number("FOUNTAIN_TEST_ROUNDS").unwrap_or(usual)
}

/// What chance begins with: `FOUNTAIN_TEST_SEED` plays it again.
pub(super) fn seed() -> u64 {
    number("FOUNTAIN_TEST_SEED").unwrap_or_else(|| uuid::Uuid::new_v4().as_u64_pair().0 >> 32)
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}

/// An event with its metadata as JSON where it is a stage.
pub(super) fn opened(mut event: Value) -> Value {
    if event["kind"] == "stage" {
        let data = event["data"].as_str().unwrap();
        event["data"] = serde_json::from_str(data).unwrap();
    }
    event
}

/// `acp`, or `turn/done`.
pub(super) fn tag(event: &Value) -> String {
    match event["stage"].as_str() {
        Some(stage) if event["kind"] == "stage" => {
            format!("{stage}/{}", event["state"].as_str().unwrap())
        }
        _ => event["stream"].as_str().unwrap().to_owned(),
    }
}
