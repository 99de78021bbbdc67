//! The table of every key: its path, what it means, and the field it fills. Documentation and suggestions come from it.

use super::slot::Slot;
use super::{RuntimeSettings, Settings};

/// The runtimes that have settings.
pub const RUNTIMES: [&str; 6] = [
    "claude",
    "codex",
    "gemini",
    "opencode",
    "acp",
    "fountain-fixture",
];

/// One key of the configuration.
pub struct Key {
    /// Its path with points; `<name>` is any of [`RUNTIMES`], a last `*` any key.
    pub path: &'static str,
    /// What it does, in a phrase without a full stop.
    pub about: &'static str,
    /// An environment variable that is read too, weaker than the key's own.
    pub alias: Option<&'static str>,
    field: Field,
}

enum Field {
    Whole(fn(&mut Settings) -> Slot<'_>),
    Runtime(fn(&mut RuntimeSettings) -> Slot<'_>),
}

impl Key {
    const fn whole(
        path: &'static str,
        about: &'static str,
        field: fn(&mut Settings) -> Slot<'_>,
    ) -> Self {
        let field = Field::Whole(field);
        let alias = None;
        Self {
            path,
            about,
            alias,
            field,
        }
    }

    const fn runtime(
        path: &'static str,
        about: &'static str,
        field: fn(&mut RuntimeSettings) -> Slot<'_>,
    ) -> Self {
        let field = Field::Runtime(field);
        let alias = None;
        Self {
            path,
            about,
            alias,
            field,
        }
    }

    const fn or(mut self, alias: &'static str) -> Self {
        self.alias = Some(alias);
        self
    }

    /// The environment variable that sets it, with `<NAME>` or `*` where the path has it.
    pub fn variable(&self) -> String {
        variable(self.path.split('.'))
    }

    /// What its value must be, such as "a whole number of cents".
    pub fn wants(&self) -> &'static str {
        match self.field {
            Field::Whole(field) => field(&mut Settings::default()).wants(),
            Field::Runtime(field) => field(&mut RuntimeSettings::default()).wants(),
        }
    }

    /// Its default as TOML; `None` where there is none or the platform decides.
    pub fn default(&self) -> Option<String> {
        match self.field {
            Field::Whole(field) => field(&mut Settings::default()).written(),
            Field::Runtime(field) => field(&mut RuntimeSettings::default()).written(),
        }
    }
}

/// A key with the runtime it is meant for, where it has one.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) key: &'static Key,
    runtime: Option<&'static str>,
}

impl Found {
    /// The parts of its path, with the runtime's name in its place and no `*`.
    pub(super) fn parts(&self) -> impl Iterator<Item = &'static str> + use<> {
        let runtime = self.runtime.unwrap_or_default();
        let parts = self.key.path.split('.').filter(|part| *part != "*");
        parts.map(move |part| if part == "<name>" { runtime } else { part })
    }

    pub(super) fn path(&self) -> String {
        self.parts().collect::<Vec<_>>().join(".")
    }

    pub(super) fn variable(&self) -> String {
        variable(self.parts())
    }

    pub(super) fn slot<'s>(&self, settings: &'s mut Settings) -> Slot<'s> {
        match self.key.field {
            Field::Whole(field) => field(settings),
            Field::Runtime(field) => {
                let runtime = self.runtime.unwrap_or_default().to_owned();
                field(settings.runtimes.entry(runtime).or_default())
            }
        }
    }
}

/// Every key, those of runtimes once for each.
pub(super) fn all() -> impl Iterator<Item = Found> {
    KEYS.iter().flat_map(|key| {
        let named = match key.field {
            Field::Whole(_) => None,
            Field::Runtime(_) => key.path.split('.').nth(1),
        };
        let runtimes: Vec<Option<&'static str>> = match named {
            None => vec![None],
            Some("<name>") => RUNTIMES.iter().copied().map(Some).collect(),
            Some(name) => vec![Some(name)],
        };
        runtimes
            .into_iter()
            .map(move |runtime| Found { key, runtime })
    })
}

fn variable(parts: impl Iterator<Item = &'static str>) -> String {
    let parts: Vec<String> = parts
        .map(|part| part.replace('-', "_").to_uppercase())
        .collect();
    format!("FOUNTAIN_{}", parts.join("__"))
}

/// Every key there is.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    Key::whole("listen", "the address to serve", |s| Slot::Address(&mut s.listen)),
    Key::whole("allow_remote", "listen where other machines can reach it", |s| Slot::Flag(&mut s.allow_remote)),
    Key::whole("allowed_hosts", "values of the Host header that are served", |s| Slot::Words(&mut s.allowed_hosts)),
    Key::whole("cors_origins", "web origins whose pages may call", |s| Slot::Words(&mut s.cors_origins)),
    Key::whole("data_dir", "database, sandboxes, lock and log; by default the platform's data directory", |s| Slot::Path(&mut s.data_dir)),
    Key::whole("limits.ask_ceiling", "how long a request waits for a person within its turn", |s| Slot::Time(&mut s.limits.ask_ceiling)),
    Key::whole("limits.sweep_interval", "time between two sweeps for deadlines that passed", |s| Slot::Time(&mut s.limits.sweep_interval)),
    Key::whole("limits.max_frame", "one line from a runtime or an editor", |s| Slot::Bytes(&mut s.limits.max_frame)),
    Key::whole("limits.max_body", "one HTTP request", |s| Slot::Bytes(&mut s.limits.max_body)),
    Key::whole("limits.transcript", "stored output of a conversation", |s| Slot::Bytes(&mut s.limits.transcript)),
    Key::whole("limits.rate", "calls with a sandbox's key, and failed logins", |s| Slot::Rate(&mut s.limits.rate)),
    Key::whole("limits.handshake", "time for a runtime to answer its first message", |s| Slot::Time(&mut s.limits.handshake)),
    Key::whole("limits.cancel_grace", "time for an agent to end its cancelled turn", |s| Slot::Time(&mut s.limits.cancel_grace)),
    Key::whole("limits.shutdown_grace", "time for all agents when the daemon stops", |s| Slot::Time(&mut s.limits.shutdown_grace)),
    Key::whole("stream.heartbeat", "time between two heartbeats of a stream", |s| Slot::Time(&mut s.stream.heartbeat)),
    Key::whole("stream.idle_close", "a stream without events is closed after this", |s| Slot::Time(&mut s.stream.idle_close)),
    Key::whole("sandbox.kind", "the kind of new sandboxes", |s| Slot::Kind(&mut s.sandbox.kind)),
    Key::whole("sandbox.read_only", "paths of the host that every sandbox may read", |s| Slot::Paths(&mut s.sandbox.read_only)),
    Key::whole("sandbox.idle_timeout", "a sandbox without work is suspended after this", |s| Slot::TimeOrOff(&mut s.sandbox.idle_timeout)),
    Key::whole("sandbox.max_lifetime", "a sandbox is given up after this", |s| Slot::TimeOrOff(&mut s.sandbox.max_lifetime)),
    Key::whole("sandbox.max_running", "sandboxes that run at once", |s| Slot::Limit(&mut s.sandbox.max_running)),
    Key::whole("sandbox.disk", "disk of one sandbox", |s| Slot::BytesOrOff(&mut s.sandbox.disk)),
    Key::whole("sandbox.memory", "memory of one sandbox", |s| Slot::BytesOrOff(&mut s.sandbox.memory)),
    Key::whole("sandbox.processes", "processes of one sandbox", |s| Slot::Limit(&mut s.sandbox.processes)),
    Key::runtime("runtimes.<name>.command", "the shell line that starts it, instead of the one found", |r| Slot::Command(&mut r.command)),
    Key::runtime("runtimes.<name>.env", "variables for its processes", |r| Slot::Variables(&mut r.env)),
    Key::runtime("runtimes.<name>.pass", "the daemon's own variables that its processes get", |r| Slot::Words(&mut r.pass)),
    Key::runtime("runtimes.<name>.share_login", "lend the user's own login to sandboxes", |r| Slot::Flag(&mut r.share_login)),
    Key::runtime("runtimes.<name>.enabled", "offer it", |r| Slot::Flag(&mut r.enabled)),
    Key::runtime("runtimes.opencode.asks", "configure opencode to ask", |r| Slot::Flag(&mut r.asks)),
    Key::runtime("runtimes.codex.mode", "how much codex does before it asks", |r| Slot::Mode(&mut r.mode)),
    Key::whole("webhooks.allow_private", "deliver to private addresses too", |s| Slot::Flag(&mut s.webhooks.allow_private)),
    Key::whole("credits.enabled", "meter turn time and stop at zero", |s| Slot::Flag(&mut s.credits.enabled)).or("CREDITS_ENABLED"),
    Key::whole("credits.turn_hour_cents", "the price of an hour of turn time", |s| Slot::Cents(&mut s.credits.turn_hour_cents)).or("CREDIT_TURN_HOUR_CENTS"),
    Key::whole("credits.balance_cents", "what may be spent", |s| Slot::Cents(&mut s.credits.balance_cents)),
    Key::whole("fixture.enabled", "offer the testing runtime", |s| Slot::Flag(&mut s.fixture.enabled)).or("DEPLOYED_ACP_FIXTURE_ENABLED"),
    Key::whole("fixture.user_id", "the only user it is offered to", |s| Slot::Text(&mut s.fixture.user_id)).or("DEPLOYED_ACP_FIXTURE_USER_ID"),
    Key::whole("account.suspended", "refuse new turns", |s| Slot::Flag(&mut s.account.suspended)),
    Key::whole("secrets.key", "encrypts secrets at rest; by default a key file or the keyring", |s| Slot::Secret(&mut s.secrets.key)),
    Key::whole("telemetry.*", "OpenTelemetry export; off while empty", |s| Slot::Free(&mut s.telemetry.0)),
];
