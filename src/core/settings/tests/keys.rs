//! Each key of the table, by file and by variable.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use super::{environment, file};
use crate::settings::{CodexMode, KEYS, Rate, SandboxKind, Secret, Settings};

/// One key set to one value: as TOML, as a variable, and what becomes of it.
struct Case {
    key: &'static str,
    toml: &'static str,
    variable: &'static str,
    value: &'static str,
    change: fn(&mut Settings),
}

fn case(
    key: &'static str,
    toml: &'static str,
    (variable, value): (&'static str, &'static str),
    change: fn(&mut Settings),
) -> Case {
    Case {
        key,
        toml,
        variable,
        value,
        change,
    }
}

fn claude(settings: &mut Settings) -> &mut crate::settings::RuntimeSettings {
    settings.runtimes.entry("claude".to_owned()).or_default()
}

#[rustfmt::skip]
fn cases() -> Vec<Case> {
    vec![
        case("listen", "listen = '[::1]:80'", ("FOUNTAIN_LISTEN", "[::1]:80"), |s| s.listen = "[::1]:80".parse().unwrap()),
        case("listen", "listen = 'localhost:0'", ("FOUNTAIN_LISTEN", "localhost:0"), |s| s.listen.set_port(0)),
        case("allow_remote", "allow_remote = true", ("FOUNTAIN_ALLOW_REMOTE", "1"), |s| s.allow_remote = true),
        case("allowed_hosts", "allowed_hosts = ['a.example', 'b:81']", ("FOUNTAIN_ALLOWED_HOSTS", "a.example, b:81"), |s| s.allowed_hosts = vec!["a.example".into(), "b:81".into()]),
        case("cors_origins", "cors_origins = ['https://a.example']", ("FOUNTAIN_CORS_ORIGINS", "https://a.example"), |s| s.cors_origins = vec!["https://a.example".into()]),
        case("data_dir", "data_dir = '/var/lib/f'", ("FOUNTAIN_DATA_DIR", "/var/lib/f"), |s| s.data_dir = Some("/var/lib/f".into())),
        case("limits.ask_ceiling", "limits.ask_ceiling = '2s'", ("FOUNTAIN_LIMITS__ASK_CEILING", "2s"), |s| s.limits.ask_ceiling = Duration::from_secs(2)),
        case("limits.ask_ceiling", "limits.ask_ceiling = 120", ("FOUNTAIN_LIMITS__ASK_CEILING", "120"), |s| s.limits.ask_ceiling = Duration::from_secs(120)),
        case("limits.sweep_interval", "limits.sweep_interval = '500ms'", ("FOUNTAIN_LIMITS__SWEEP_INTERVAL", "500ms"), |s| s.limits.sweep_interval = Duration::from_millis(500)),
        case("limits.max_frame", "limits.max_frame = '1MiB'", ("FOUNTAIN_LIMITS__MAX_FRAME", "1MiB"), |s| s.limits.max_frame = 1 << 20),
        case("limits.max_body", "limits.max_body = 4096", ("FOUNTAIN_LIMITS__MAX_BODY", "4096"), |s| s.limits.max_body = 4096),
        case("limits.transcript", "limits.transcript = '1GiB'", ("FOUNTAIN_LIMITS__TRANSCRIPT", "1GiB"), |s| s.limits.transcript = 1 << 30),
        case("limits.rate", "limits.rate = '20/s'", ("FOUNTAIN_LIMITS__RATE", "20/s"), |s| s.limits.rate = Rate::parse("20/s").unwrap()),
        case("limits.rate", "limits.rate = 0", ("FOUNTAIN_LIMITS__RATE", "off"), |s| s.limits.rate = None),
        case("limits.handshake", "limits.handshake = '5s'", ("FOUNTAIN_LIMITS__HANDSHAKE", "5s"), |s| s.limits.handshake = Duration::from_secs(5)),
        case("limits.cancel_grace", "limits.cancel_grace = '0s'", ("FOUNTAIN_LIMITS__CANCEL_GRACE", "0"), |s| s.limits.cancel_grace = Duration::ZERO),
        case("limits.shutdown_grace", "limits.shutdown_grace = '1s'", ("FOUNTAIN_LIMITS__SHUTDOWN_GRACE", "1s"), |s| s.limits.shutdown_grace = Duration::from_secs(1)),
        case("stream.heartbeat", "stream.heartbeat = '1s'", ("FOUNTAIN_STREAM__HEARTBEAT", "1s"), |s| s.stream.heartbeat = Duration::from_secs(1)),
        case("stream.idle_close", "stream.idle_close = '2s'", ("FOUNTAIN_STREAM__IDLE_CLOSE", "2s"), |s| s.stream.idle_close = Duration::from_secs(2)),
        case("sandbox.kind", "sandbox.kind = 'bwrap'", ("FOUNTAIN_SANDBOX__KIND", "bwrap"), |s| s.sandbox.kind = SandboxKind::Bwrap),
        case("sandbox.kind", "sandbox.kind = 'directory'", ("FOUNTAIN_SANDBOX__KIND", "directory"), |s| s.sandbox.kind = SandboxKind::Directory),
        case("sandbox.read_only", "sandbox.read_only = ['/opt', '/srv/x']", ("FOUNTAIN_SANDBOX__READ_ONLY", "/opt:/srv/x"), |s| s.sandbox.read_only = ["/opt", "/srv/x"].map(PathBuf::from).into()),
        case("sandbox.idle_timeout", "sandbox.idle_timeout = '6m'", ("FOUNTAIN_SANDBOX__IDLE_TIMEOUT", "6m"), |s| s.sandbox.idle_timeout = Some(Duration::from_mins(6))),
        case("sandbox.idle_timeout", "sandbox.idle_timeout = 0", ("FOUNTAIN_SANDBOX__IDLE_TIMEOUT", "0"), |s| s.sandbox.idle_timeout = None),
        case("sandbox.max_lifetime", "sandbox.max_lifetime = '3d'", ("FOUNTAIN_SANDBOX__MAX_LIFETIME", "3d"), |s| s.sandbox.max_lifetime = Some(Duration::from_hours(72))),
        case("sandbox.max_running", "sandbox.max_running = 2", ("FOUNTAIN_SANDBOX__MAX_RUNNING", "2"), |s| s.sandbox.max_running = Some(2)),
        case("sandbox.disk", "sandbox.disk = '1GB'", ("FOUNTAIN_SANDBOX__DISK", "1GB"), |s| s.sandbox.disk = Some(1_000_000_000)),
        case("sandbox.disk", "sandbox.disk = 0", ("FOUNTAIN_SANDBOX__DISK", "0"), |s| s.sandbox.disk = None),
        case("sandbox.memory", "sandbox.memory = '2GiB'", ("FOUNTAIN_SANDBOX__MEMORY", "2GiB"), |s| s.sandbox.memory = Some(2 << 30)),
        case("sandbox.processes", "sandbox.processes = 0", ("FOUNTAIN_SANDBOX__PROCESSES", "0"), |s| s.sandbox.processes = None),
        case("runtimes.<name>.command", "runtimes.claude.command = 'x --acp'", ("FOUNTAIN_RUNTIMES__CLAUDE__COMMAND", "x --acp"), |s| claude(s).command = Some("x --acp".into())),
        case("runtimes.<name>.command", "runtimes.claude.command = ['my x', '--acp']", ("FOUNTAIN_RUNTIMES__CLAUDE__COMMAND", "'my x' --acp"), |s| claude(s).command = Some("'my x' --acp".into())),
        case("runtimes.<name>.env", "runtimes.claude.env.Some_KEY = 'v'", ("FOUNTAIN_RUNTIMES__CLAUDE__ENV__Some_KEY", "v"), |s| { claude(s).env.insert("Some_KEY".into(), Secret::new("v")); }),
        case("runtimes.<name>.env", "runtimes.claude.env.A = 8080", ("FOUNTAIN_RUNTIMES__CLAUDE__ENV", "{ A = 8080 }"), |s| { claude(s).env.insert("A".into(), Secret::new("8080")); }),
        case("runtimes.<name>.pass", "runtimes.claude.pass = ['A', 'B']", ("FOUNTAIN_RUNTIMES__CLAUDE__PASS", "A,B"), |s| claude(s).pass = vec!["A".into(), "B".into()]),
        case("runtimes.<name>.share_login", "runtimes.claude.share_login = true", ("FOUNTAIN_RUNTIMES__CLAUDE__SHARE_LOGIN", "yes"), |s| claude(s).share_login = true),
        case("runtimes.<name>.enabled", "runtimes.claude.enabled = false", ("FOUNTAIN_RUNTIMES__CLAUDE__ENABLED", "Off"), |s| claude(s).enabled = false),
        case("runtimes.<name>.enabled", "runtimes.fountain-fixture.enabled = false", ("FOUNTAIN_RUNTIMES__FOUNTAIN_FIXTURE__ENABLED", "false"), |s| s.runtimes.entry("fountain-fixture".into()).or_default().enabled = false),
        case("runtimes.opencode.asks", "runtimes.opencode.asks = true", ("FOUNTAIN_RUNTIMES__OPENCODE__ASKS", "true"), |s| s.runtimes.get_mut("opencode").unwrap().asks = true),
        case("runtimes.codex.mode", "runtimes.codex.mode = 'agent-full-access'", ("FOUNTAIN_RUNTIMES__CODEX__MODE", "agent-full-access"), |s| s.runtimes.get_mut("codex").unwrap().mode = CodexMode::AgentFullAccess),
        case("runtimes.codex.mode", "runtimes.codex.mode = 'read-only'", ("FOUNTAIN_RUNTIMES__CODEX__MODE", "read-only"), |s| s.runtimes.get_mut("codex").unwrap().mode = CodexMode::ReadOnly),
        case("webhooks.allow_private", "webhooks.allow_private = true", ("FOUNTAIN_WEBHOOKS__ALLOW_PRIVATE", "true"), |s| s.webhooks.allow_private = true),
        case("credits.enabled", "credits.enabled = true", ("FOUNTAIN_CREDITS__ENABLED", "true"), |s| s.credits.enabled = true),
        case("credits.enabled", "credits.enabled = true", ("CREDITS_ENABLED", "1"), |s| s.credits.enabled = true),
        case("credits.turn_hour_cents", "credits.turn_hour_cents = 150", ("FOUNTAIN_CREDITS__TURN_HOUR_CENTS", "150"), |s| s.credits.turn_hour_cents = 150),
        case("credits.turn_hour_cents", "credits.turn_hour_cents = 150", ("CREDIT_TURN_HOUR_CENTS", "150"), |s| s.credits.turn_hour_cents = 150),
        case("credits.balance_cents", "credits.balance_cents = 1_000", ("FOUNTAIN_CREDITS__BALANCE_CENTS", "1000"), |s| s.credits.balance_cents = 1000),
        case("fixture.enabled", "fixture.enabled = true", ("FOUNTAIN_FIXTURE__ENABLED", "true"), |s| s.fixture.enabled = true),
        case("fixture.enabled", "fixture.enabled = true", ("DEPLOYED_ACP_FIXTURE_ENABLED", "true"), |s| s.fixture.enabled = true),
        case("fixture.user_id", "fixture.user_id = 'u1'", ("FOUNTAIN_FIXTURE__USER_ID", "u1"), |s| s.fixture.user_id = Some("u1".into())),
        case("fixture.user_id", "fixture.user_id = 'u1'", ("DEPLOYED_ACP_FIXTURE_USER_ID", "u1"), |s| s.fixture.user_id = Some("u1".into())),
        case("account.suspended", "account.suspended = true", ("FOUNTAIN_ACCOUNT__SUSPENDED", "true"), |s| s.account.suspended = true),
        case("secrets.key", "secrets.key = 'k3y'", ("FOUNTAIN_SECRETS__KEY", "k3y"), |s| s.secrets.key = Some(Secret::new("k3y"))),
        case("telemetry.*", "telemetry.endpoint = 'http://c'", ("FOUNTAIN_TELEMETRY__ENDPOINT", "http://c"), |s| { s.telemetry.0.insert("endpoint".into(), "http://c".into()); }),
        case("telemetry.*", "telemetry.headers.x = 'y'", ("FOUNTAIN_TELEMETRY__HEADERS__X", "y"), |s| { s.telemetry.0.insert("headers.x".into(), "y".into()); }),
    ]
}

#[test]
fn each_key_is_read_from_the_file_and_from_its_variable() {
    for case in cases() {
        let mut expected = Settings::default();
        (case.change)(&mut expected);
        assert_eq!(file(case.toml), Ok(expected.clone()), "{}", case.toml);
        let pair = (case.variable, case.value);
        assert_eq!(environment(&[pair]), Ok(expected), "{pair:?}");
    }
}

#[test]
fn each_key_of_the_table_has_a_case_and_differs_from_the_default() {
    let tested: BTreeSet<&str> = cases().iter().map(|case| case.key).collect();
    let known: BTreeSet<&str> = KEYS.iter().map(|key| key.path).collect();
    assert_eq!(tested, known);
    assert_eq!(known.len(), KEYS.len());
    for case in cases() {
        let mut changed = Settings::default();
        (case.change)(&mut changed);
        assert_ne!(changed, Settings::default(), "{}", case.toml);
    }
}

#[test]
fn keys_describe_themselves() {
    let described = |path: &str| {
        let key = KEYS.iter().find(|key| key.path == path).expect(path);
        (key.variable(), key.default(), key.wants())
    };
    assert_eq!(
        described("limits.ask_ceiling"),
        (
            "FOUNTAIN_LIMITS__ASK_CEILING".to_owned(),
            Some("\"5m\"".to_owned()),
            "a duration such as `90s` or `15m`, or a whole number of seconds"
        )
    );
    assert_eq!(
        described("runtimes.<name>.enabled"),
        (
            "FOUNTAIN_RUNTIMES__<NAME>__ENABLED".to_owned(),
            Some("true".to_owned()),
            "`true` or `false`"
        )
    );
    assert_eq!(described("data_dir").1, None);
    assert_eq!(described("telemetry.*").0, "FOUNTAIN_TELEMETRY__*");
    for key in KEYS {
        assert!(
            !key.about.is_empty() && !key.about.ends_with('.'),
            "{}",
            key.path
        );
    }
}

#[test]
fn the_defaults_are_those_of_the_description() {
    let written = |path: &str| {
        let key = KEYS.iter().find(|key| key.path == path).expect(path);
        key.default().expect(path)
    };
    for (path, default) in [
        ("listen", "\"127.0.0.1:4780\""),
        ("allow_remote", "false"),
        ("allowed_hosts", "[\"localhost\", \"127.0.0.1\", \"[::1]\"]"),
        ("cors_origins", "[]"),
        ("limits.sweep_interval", "\"1m\""),
        ("limits.max_frame", "\"64MiB\""),
        ("limits.max_body", "\"64MiB\""),
        ("limits.transcript", "\"256MiB\""),
        ("limits.rate", "\"1200/min\""),
        ("limits.handshake", "\"1m\""),
        ("limits.cancel_grace", "\"10s\""),
        ("limits.shutdown_grace", "\"3s\""),
        ("stream.heartbeat", "\"15s\""),
        ("stream.idle_close", "\"1m\""),
        ("sandbox.kind", "\"auto\""),
        ("sandbox.read_only", "[]"),
        ("sandbox.idle_timeout", "\"1h\""),
        ("sandbox.max_lifetime", "0"),
        ("sandbox.max_running", "32"),
        ("sandbox.disk", "\"10GiB\""),
        ("sandbox.memory", "0"),
        ("sandbox.processes", "4096"),
        ("runtimes.opencode.asks", "false"),
        ("runtimes.codex.mode", "\"workspace-write\""),
        ("webhooks.allow_private", "false"),
        ("credits.enabled", "false"),
        ("fixture.enabled", "false"),
        ("account.suspended", "false"),
        ("telemetry.*", "{}"),
    ] {
        assert_eq!(written(path), default, "{path}");
    }
    assert_eq!(file(""), Ok(Settings::default()));
    assert_eq!(environment(&[]), Ok(Settings::default()));
}
