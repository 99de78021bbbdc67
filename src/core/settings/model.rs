//! The settings as the daemon uses them: a field's path is its key's path, and `Default` is a fresh installation.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use core::net::{Ipv4Addr, SocketAddr};

use super::{CodexMode, MASK, Rate, SandboxKind, Secret};

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The address the daemon serves.
    pub listen: SocketAddr,
    /// The operator means it when `listen` can be reached from other machines.
    pub allow_remote: bool,
    /// The values of the Host header that are served.
    pub allowed_hosts: Vec<String>,
    /// The web origins, besides our own, whose pages may call.
    pub cors_origins: Vec<String>,
    /// The data directory; `None` until the caller fills in the platform's.
    pub data_dir: Option<PathBuf>,
    /// Times and sizes that bound what others may cost.
    pub limits: Limits,
    /// The event streams.
    pub stream: Stream,
    /// Where agents run.
    pub sandbox: Sandbox,
    /// Each runtime's own settings by its name; the real ones are always there.
    pub runtimes: BTreeMap<String, RuntimeSettings>,
    /// Outgoing webhooks.
    pub webhooks: Webhooks,
    /// The spending guard.
    pub credits: Credits,
    /// The testing seam.
    pub fixture: Fixture,
    /// The owner's account.
    pub account: Account,
    /// Secrets at rest.
    pub secrets: Secrets,
    /// OpenTelemetry export.
    pub telemetry: Telemetry,
}

/// `limits.*`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// How long a request may wait for a person within its turn.
    pub ask_ceiling: Duration,
    /// The time between two sweeps for deadlines that passed.
    pub sweep_interval: Duration,
    /// The longest line from a runtime or an editor, in bytes.
    pub max_frame: u64,
    /// The largest body of an HTTP request, in bytes.
    pub max_body: u64,
    /// The stored output of a conversation, in bytes.
    pub transcript: u64,
    /// For each sandbox's key and for failed logins; `None` is off.
    pub rate: Option<Rate>,
    /// How long a runtime has to answer its first message.
    pub handshake: Duration,
    /// How long an agent has to end a turn that was cancelled.
    pub cancel_grace: Duration,
    /// How long all agents have when the daemon stops.
    pub shutdown_grace: Duration,
}

/// `stream.*`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// The time between two heartbeats.
    pub heartbeat: Duration,
    /// A stream is closed after this long without an event.
    pub idle_close: Duration,
}

/// `sandbox.*`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    /// Which kind new sandboxes have.
    pub kind: SandboxKind,
    /// Absolute paths of the host that every sandbox may read.
    pub read_only: Vec<PathBuf>,
    /// A sandbox without work is suspended after this long; `None` is never.
    pub idle_timeout: Option<Duration>,
    /// A sandbox is given up after this long; `None` is never.
    pub max_lifetime: Option<Duration>,
    /// How many sandboxes run at once; `None` is any number.
    pub max_running: Option<u32>,
    /// The disk of one sandbox in bytes; `None` is unlimited.
    pub disk: Option<u64>,
    /// The memory of one sandbox in bytes; `None` is unlimited.
    pub memory: Option<u64>,
    /// The processes of one sandbox; `None` is unlimited.
    pub processes: Option<u32>,
}

/// `runtimes.<name>.*`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeSettings {
    /// The shell line that starts it, in place of the one found.
    pub command: Option<String>,
    /// Variables for its processes.
    pub env: BTreeMap<String, Secret>,
    /// Names of the daemon's own variables that its processes get.
    pub pass: Vec<String>,
    /// Lend the user's own login for this runtime to sandboxes.
    pub share_login: bool,
    /// Whether it is offered at all.
    pub enabled: bool,
    /// opencode only: have it configured so that it asks.
    pub asks: bool,
    /// codex only: how much it may do before it asks.
    pub mode: CodexMode,
}

/// `webhooks.*`
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Webhooks {
    /// Deliver to private and loopback addresses too.
    pub allow_private: bool,
}

/// `credits.*`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Credits {
    /// Meter the time of turns and refuse new ones when the balance is spent.
    pub enabled: bool,
    /// The price of an hour of turn time, in cents.
    pub turn_hour_cents: u64,
    /// What may be spent, in cents.
    pub balance_cents: u64,
}

/// `fixture.*`
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fixture {
    /// Offer the runtime `fountain-fixture`.
    pub enabled: bool,
    /// The only user it is offered to.
    pub user_id: Option<String>,
}

/// `account.*`
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// New turns are refused.
    pub suspended: bool,
}

/// `secrets.*`
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    /// The key that encrypts secrets at rest; `None` is the key file or the keyring.
    pub key: Option<Secret>,
}

/// `telemetry.*`: free keys, nested ones joined by a point; empty is off.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Telemetry(pub BTreeMap<String, String>);

impl Telemetry {
    /// A key whose value is likely a credential: it is masked wherever settings are shown.
    pub fn is_secret(key: &str) -> bool {
        let key = key.to_ascii_lowercase();
        ["header", "auth", "token", "key", "secret", "password"]
            .iter()
            .any(|word| key.contains(word))
    }
}

impl fmt::Debug for Telemetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.iter().map(|(key, value)| {
            let secret = Self::is_secret(key);
            (key, if secret { MASK } else { value.as_str() })
        });
        f.debug_map().entries(shown).finish()
    }
}

impl Default for Settings {
    fn default() -> Self {
        let real = ["claude", "codex", "gemini", "opencode", "acp"];
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 4780)),
            allow_remote: false,
            allowed_hosts: ["localhost", "127.0.0.1", "[::1]"]
                .map(str::to_owned)
                .to_vec(),
            cors_origins: Vec::new(),
            data_dir: None,
            limits: Limits::default(),
            stream: Stream::default(),
            sandbox: Sandbox::default(),
            runtimes: real
                .map(|name| (name.to_owned(), RuntimeSettings::default()))
                .into(),
            webhooks: Webhooks::default(),
            credits: Credits::default(),
            fixture: Fixture::default(),
            account: Account::default(),
            secrets: Secrets::default(),
            telemetry: Telemetry::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            ask_ceiling: Duration::from_mins(5),
            sweep_interval: Duration::from_mins(1),
            max_frame: 64 * MIB,
            max_body: 64 * MIB,
            transcript: 256 * MIB,
            rate: Some(Rate::per_minute(1200)),
            handshake: Duration::from_secs(60),
            cancel_grace: Duration::from_secs(10),
            shutdown_grace: Duration::from_secs(3),
        }
    }
}

impl Default for Stream {
    fn default() -> Self {
        Self {
            heartbeat: Duration::from_secs(15),
            idle_close: Duration::from_secs(60),
        }
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self {
            kind: SandboxKind::Auto,
            read_only: Vec::new(),
            idle_timeout: Some(Duration::from_mins(60)),
            max_lifetime: None,
            max_running: Some(32),
            disk: Some(10 * GIB),
            memory: None,
            processes: Some(4096),
        }
    }
}

impl Default for RuntimeSettings {
    fn default() -> Self {
        Self {
            command: None,
            env: BTreeMap::new(),
            pass: Vec::new(),
            share_login: false,
            enabled: true,
            asks: false,
            mode: CodexMode::WorkspaceWrite,
        }
    }
}
