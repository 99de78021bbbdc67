//! What must hold between settings that are each well written, with a sentence that says what to change.

use std::time::Duration;

use super::Settings;
use crate::duration::format;

/// A rule that does not hold.
pub(super) struct Broken {
    /// The keys it is about.
    pub(super) keys: Vec<String>,
    pub(super) sentence: String,
}

/// Every rule these settings break.
pub(super) fn broken(settings: &Settings) -> Vec<Broken> {
    let mut broken = Vec::new();
    let mut tell = |keys: &[&str], sentence: String| {
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        broken.push(Broken { keys, sentence });
    };
    let Settings {
        listen,
        limits,
        stream,
        sandbox,
        ..
    } = settings;
    if !listen.ip().to_canonical().is_loopback() && !settings.allow_remote {
        tell(
            &["listen", "allow_remote"],
            format!(
                "`listen` is {listen}, which other machines can reach: set `allow_remote = true` \
                 if that is meant, or listen on 127.0.0.1"
            ),
        );
    }
    if let Some(idle) = sandbox.idle_timeout
        && limits.ask_ceiling >= idle
    {
        tell(
            &["limits.ask_ceiling", "sandbox.idle_timeout"],
            format!(
                "`limits.ask_ceiling` ({}) must be below `sandbox.idle_timeout` ({}): lower the \
                 first, raise the second, or switch the second off with 0",
                format(limits.ask_ceiling),
                format(idle)
            ),
        );
    }
    for (key, time) in [
        ("limits.ask_ceiling", limits.ask_ceiling),
        ("limits.sweep_interval", limits.sweep_interval),
        ("limits.handshake", limits.handshake),
        ("stream.heartbeat", stream.heartbeat),
        ("stream.idle_close", stream.idle_close),
    ] {
        if time == Duration::ZERO {
            tell(
                &[key],
                format!("`{key}` must be longer than 0: write a duration such as `30s`"),
            );
        }
    }
    for (key, bytes) in [
        ("limits.max_frame", limits.max_frame),
        ("limits.max_body", limits.max_body),
        ("limits.transcript", limits.transcript),
    ] {
        if bytes == 0 {
            tell(
                &[key],
                format!("`{key}` must be more than 0: write a size such as `64MiB`"),
            );
        }
    }
    for path in &sandbox.read_only {
        if !path.has_root() {
            let path = path.display();
            tell(
                &["sandbox.read_only"],
                format!("`sandbox.read_only` has `{path}`: write the whole path from `/` on"),
            );
        }
    }
    for host in &settings.allowed_hosts {
        if host.is_empty() || host.contains(['/', '*', '@']) || host.contains(char::is_whitespace) {
            tell(
                &["allowed_hosts"],
                format!(
                    "`allowed_hosts` has `{host}`: write names as they stand in a Host header, \
                     such as `fountain.example.com`"
                ),
            );
        }
    }
    for origin in &settings.cors_origins {
        if !is_origin(origin) {
            tell(
                &["cors_origins"],
                format!(
                    "`cors_origins` has `{origin}`: write each origin as scheme and host, with a \
                     port where it has one and no path, such as `https://app.example.com`"
                ),
            );
        }
    }
    for (name, runtime) in &settings.runtimes {
        if let Some(variable) = runtime.pass.iter().find(|name| !is_variable(name)) {
            let key = format!("runtimes.{name}.pass");
            tell(
                &[&key],
                format!("`{key}` has `{variable}`: write names of variables, without values"),
            );
        }
    }
    broken
}

fn is_origin(text: &str) -> bool {
    let host = ["http://", "https://"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    host.is_some_and(|host| {
        !host.is_empty() && !host.contains(['/', '*', '@', '?', '#']) && !host.contains(' ')
    })
}

fn is_variable(text: &str) -> bool {
    !text.is_empty() && !text.contains(['=', '\0']) && !text.contains(char::is_whitespace)
}
