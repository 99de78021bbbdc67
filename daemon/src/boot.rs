//! The start-up story, from top to bottom: settings, folder, lock, database, what was left over, listener, owner.

mod config;
mod folder;
mod owner;
mod seed;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use fountain_core::settings::Settings;
use fountain_core::turn::{Effect, Origin};
use fountain_core::{recover, turn};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::app::{App, Parts};
use crate::bell::Bell;
use crate::clock::{Clock, System};
use crate::conversations::{Conversations, Left, Message};
use crate::sandbox::{self, Directory, Kind};
use crate::store::{self, Store, conversations, credits, events, requests, turns};

pub use config::load;
pub use folder::Lock;

/// Why the daemon does not start: a sentence, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{sentence}")]
pub struct NotStarted {
    /// What is wrong.
    pub sentence: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl NotStarted {
    fn new(sentence: impl Into<String>) -> Self {
        Self {
            sentence: sentence.into(),
            hint: None,
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// A daemon that is ready to serve.
pub struct Booted {
    /// The daemon.
    pub app: App,
    /// Where it listens.
    pub listener: TcpListener,
    /// Its address.
    pub address: SocketAddr,
    /// Held as long as the daemon runs.
    pub lock: Lock,
}

/// What a daemon takes from its machine; a test gives it something else.
pub(crate) struct Host {
    /// How sandboxes are made.
    pub(crate) sandboxes: Arc<dyn Kind>,
    /// Tells the time.
    pub(crate) clock: Arc<dyn Clock>,
    /// The file that the owner's profile is kept in, if there is a place for one.
    pub(crate) credentials: Option<PathBuf>,
}

/// Starts everything but the serving of requests.
///
/// # Errors
/// In a sentence that says what to change; nothing is left behind.
pub async fn boot(settings: Settings) -> Result<Booted, NotStarted> {
    let host = Host {
        sandboxes: sandbox_kind(&settings)?,
        clock: Arc::new(System),
        credentials: owner::file(),
    };
    boot_on(settings, host).await
}

/// The same, on a machine that is given.
pub(crate) async fn boot_on(settings: Settings, host: Host) -> Result<Booted, NotStarted> {
    let Host {
        sandboxes: kind,
        clock,
        credentials,
    } = host;
    let dir = settings
        .data_dir
        .clone()
        .ok_or_else(|| NotStarted::new("there is no data directory"))?;
    let dir = folder::make(&dir)?;
    let lock = folder::lock(&dir)?;
    let listener = listen(settings.listen).await?;
    let address = listener
        .local_addr()
        .map_err(|error| NotStarted::new(format!("the listener has no address: {error}")))?;
    lock.tell(address);
    let bell = Arc::new(Bell::default());
    let ringer = Arc::clone(&bell);
    let store = Store::open(
        &dir.join("fountain.db"),
        Box::new(move |grown| ringer.ring(grown)),
    )
    .map_err(|error| NotStarted::new(error.to_string()))?;
    let failed = |error: store::Error| NotStarted::new(error.to_string());
    let owner = seed::seed(&store, clock.now()).await.map_err(failed)?;
    owner::write_profile(&store, credentials, address, clock.now()).await?;
    let sandboxes_dir = dir.join("sandboxes");
    // What a daemon that was killed left behind; its sandboxes' first processes have mostly done it already.
    let left = sandbox::sweep(&format!("{}/", sandboxes_dir.display()));
    if left > 0 {
        tracing::warn!(
            processes = left,
            "ended processes that a daemon before left behind"
        );
    }
    let app = App::new(Parts {
        store,
        bell,
        clock,
        settings: std::sync::RwLock::new(Arc::new(settings)),
        sandboxes: kind,
        sandboxes_dir,
        owner,
        base_url: base_url(address),
        conversations: Conversations::default(),
        waits: Notify::new(),
        stopping: CancellationToken::new(),
        tasks: TaskTracker::new(),
    });
    let now = app.now();
    app.store
        .write(move |tx| conversations::all_suspended(tx, now))
        .await
        .map_err(failed)?;
    recover(&app).await.map_err(failed)?;
    Ok(Booted {
        app,
        listener,
        address,
        lock,
    })
}

fn base_url(address: SocketAddr) -> String {
    let mut reachable = address;
    if reachable.ip().is_unspecified() {
        reachable.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    format!("http://{reachable}")
}

async fn listen(address: SocketAddr) -> Result<TcpListener, NotStarted> {
    TcpListener::bind(address).await.map_err(|error| {
        let failed = NotStarted::new(format!("cannot listen on {address}: {error}"));
        match error.kind() {
            std::io::ErrorKind::AddrInUse => failed.hint(
                "another program listens there, perhaps a Fountain with another data directory; \
                 stop it, or choose another address with --listen",
            ),
            std::io::ErrorKind::PermissionDenied => {
                failed.hint("ports below 1024 are for root; choose another with --listen")
            }
            _ => failed,
        }
    })
}

fn sandbox_kind(settings: &Settings) -> Result<Arc<dyn Kind>, NotStarted> {
    use fountain_core::settings::SandboxKind;
    if settings.sandbox.kind == SandboxKind::Bwrap {
        return Err(NotStarted::new("this version has no `bwrap` sandboxes (`sandbox.kind`)")
            .hint("set `sandbox.kind` to `directory` or `auto`; a directory sandbox does not isolate: the agent is you"));
    }
    let directory = Directory::new().map_err(|error| {
        NotStarted::new(format!("this program's own file cannot be found: {error}"))
    })?;
    Ok(Arc::new(directory))
}

/// Looks after the turns that a daemon before did not end.
async fn recover(app: &App) -> Result<(), store::Error> {
    let unfinished = app.store.read(conversations::unfinished).await?;
    for live in unfinished {
        let key = live.key;
        let (turns, open) = app
            .store
            .read(move |db| Ok((turns::open(db, key)?, requests::open(db, key)?)))
            .await?;
        for mut turn in turns {
            if let turn::Phase::Running(running) = &mut turn.phase {
                let held = open
                    .iter()
                    .filter(|request| request.turn == turn.id && !request.detached);
                running.held = held
                    .map(|request| (request.id.clone(), request.clone()))
                    .collect();
            }
            let plan = recover::plan(
                &mut turn,
                &fountain_core::policy::Effective::default(),
                app.limits(),
                app.now(),
            );
            match plan {
                recover::Plan::Start if turn.origin == Origin::User => {
                    app.conversations.send(app, live.id, Message::Resume);
                }
                recover::Plan::Start => {}
                recover::Plan::Interrupt(effects) => {
                    interrupt(app, &live, turn.id, effects).await?;
                }
            }
        }
        tracing::info!(conversation = %live.id, "looked after a turn that a daemon before left");
    }
    Ok(())
}

/// Until when a turn was seen to run: its last event, or the last sign of life of the daemon that ran it.
fn seen_until(
    db: &store::Reading,
    key: store::Key,
) -> Result<Option<fountain_core::time::Timestamp>, store::Error> {
    Ok(events::last_at(db, key)?.max(credits::last_alive(db)?))
}

async fn interrupt(
    app: &App,
    live: &conversations::Live,
    turn: fountain_core::id::TurnId,
    effects: Vec<Effect>,
) -> Result<(), store::Error> {
    let (key, conversation, now) = (live.key, live.id, app.now());
    let credits = app.settings().credits;
    app.store
        .write(move |tx| {
            let left = Left {
                key,
                conversation,
                turn,
                ran_until: seen_until(tx.connection(), key)?.unwrap_or(now),
                credits,
            };
            left.store(tx, effects, now)
        })
        .await
}
