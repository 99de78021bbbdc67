//! What every part of the daemon is given: the store, the bell, the clock, the settings. Cheap to clone.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use fountain_core::conversation::Account;
use fountain_core::credits::may_spend;
use fountain_core::settings::Settings;
use fountain_core::time::Timestamp;
use fountain_core::turn::Limits;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::bell::Bell;
use crate::clock::Clock;
use crate::conversations::Conversations;
use crate::sandbox::{Disk, Kind};
use crate::store::{self, Store};

/// The running daemon.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What it is made of.
pub struct Parts {
    /// The database.
    pub store: Store,
    /// Says that a log grew.
    pub bell: Arc<Bell>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// The effective configuration; replaced as a whole when it is read again.
    pub settings: RwLock<Arc<Settings>>,
    /// Where agents run.
    pub sandboxes: Arc<dyn Kind>,
    /// The folder of their disks.
    pub sandboxes_dir: PathBuf,
    /// The owner's id, as clients see it.
    pub owner: String,
    /// How a sandbox reaches this daemon.
    pub base_url: String,
    /// The conversations that are awake.
    pub conversations: Conversations,
    /// Rung when a request begins to wait beyond its turn.
    pub waits: Notify,
    /// Set once the daemon stops: streams end, nothing new begins.
    pub stopping: CancellationToken,
    /// What runs beside the requests.
    pub tasks: TaskTracker,
}

impl App {
    /// Takes its parts.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// This moment.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The configuration of this moment.
    pub fn settings(&self) -> Arc<Settings> {
        // A poisoned lock still holds a whole configuration: it is only ever replaced.
        Arc::clone(&self.settings.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts another configuration in force.
    pub fn configure(&self, settings: Settings) {
        *self
            .settings
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }

    /// The rules of this instance that are no policy.
    pub fn limits(&self) -> Limits {
        Limits {
            ask_ceiling: self.settings().limits.ask_ceiling,
        }
    }

    /// Whether the account may open turns now.
    ///
    /// # Errors
    /// The store's.
    pub async fn account(&self) -> Result<Account, store::Error> {
        let settings = self.settings();
        let spent = if settings.credits.enabled {
            let (credits, now) = (settings.credits, self.now());
            let spent = self
                .store
                .read(move |db| store::credits::spent(db, &credits, now))
                .await?;
            may_spend(&settings.credits, spent).err()
        } else {
            None
        };
        Ok(Account {
            suspended: settings.account.suspended,
            spent,
        })
    }

    /// The in-turn limit in whole seconds, as a launch's `ask_timeout` is compared with it.
    pub fn ceiling_seconds(&self) -> u32 {
        u32::try_from(self.settings().limits.ask_ceiling.as_secs())
            .unwrap_or(u32::MAX)
            .max(1)
    }

    /// The disk of a sandbox.
    pub fn disk(&self, sandbox: fountain_core::id::SandboxId) -> Disk {
        Disk::new(&self.sandboxes_dir, sandbox.0)
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
