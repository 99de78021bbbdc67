//! The rules over the whole.

use super::{both, file, told};
use crate::settings::{File, Flags, Settings, Sources};

#[test]
fn rules_over_the_whole_say_what_to_change() {
    for (text, sentence) in [
        (
            "listen = '0.0.0.0:4780'",
            "line 1, column 10: `listen` is 0.0.0.0:4780, which other machines can reach: set `allow_remote = true` if that is meant, or listen on 127.0.0.1",
        ),
        (
            "limits.ask_ceiling = '60m'",
            "line 1, column 22: `limits.ask_ceiling` (1h) must be below `sandbox.idle_timeout` (1h): lower the first, raise the second, or switch the second off with 0",
        ),
        (
            "sandbox.idle_timeout = '2m'",
            "line 1, column 24: `limits.ask_ceiling` (5m) must be below `sandbox.idle_timeout` (2m): lower the first, raise the second, or switch the second off with 0",
        ),
        (
            "limits.ask_ceiling = 0",
            "line 1, column 22: `limits.ask_ceiling` must be longer than 0: write a duration such as `30s`",
        ),
        (
            "limits.sweep_interval = 0",
            "line 1, column 25: `limits.sweep_interval` must be longer than 0: write a duration such as `30s`",
        ),
        (
            "limits.handshake = 0",
            "line 1, column 20: `limits.handshake` must be longer than 0: write a duration such as `30s`",
        ),
        (
            "stream.heartbeat = 0",
            "line 1, column 20: `stream.heartbeat` must be longer than 0: write a duration such as `30s`",
        ),
        (
            "stream.idle_close = 0",
            "line 1, column 21: `stream.idle_close` must be longer than 0: write a duration such as `30s`",
        ),
        (
            "limits.max_frame = 0",
            "line 1, column 20: `limits.max_frame` must be more than 0: write a size such as `64MiB`",
        ),
        (
            "limits.max_body = 0",
            "line 1, column 19: `limits.max_body` must be more than 0: write a size such as `64MiB`",
        ),
        (
            "limits.transcript = 0",
            "line 1, column 21: `limits.transcript` must be more than 0: write a size such as `64MiB`",
        ),
        (
            "sandbox.read_only = ['opt']",
            "line 1, column 21: `sandbox.read_only` has `opt`: write the whole path from `/` on",
        ),
        (
            "allowed_hosts = ['http://a']",
            "line 1, column 17: `allowed_hosts` has `http://a`: write names as they stand in a Host header, such as `fountain.example.com`",
        ),
        (
            "cors_origins = ['*']",
            "line 1, column 16: `cors_origins` has `*`: write each origin as scheme and host, with a port where it has one and no path, such as `https://app.example.com`",
        ),
        (
            "cors_origins = ['https://a.example/']",
            "line 1, column 16: `cors_origins` has `https://a.example/`: write each origin as scheme and host, with a port where it has one and no path, such as `https://app.example.com`",
        ),
        (
            "runtimes.acp.pass = ['A B']",
            "line 1, column 21: `runtimes.acp.pass` has `A B`: write names of variables, without values",
        ),
    ] {
        let sentence = format!("config.toml, {sentence}");
        told(file(text), &[&sentence]);
    }
    for fine in [
        "listen = '0.0.0.0:1'\nallow_remote = true",
        "listen = '127.8.9.1:1'",
        "listen = '[::ffff:127.0.0.1]:1'",
        "limits.ask_ceiling = '2h'\nsandbox.idle_timeout = 0",
    ] {
        assert!(file(fine).is_ok(), "{fine}");
    }
}

#[test]
fn a_broken_rule_is_told_where_the_strongest_source_speaks() {
    let text = "sandbox.idle_timeout = '10m'";
    let sentence = "FOUNTAIN_LIMITS__ASK_CEILING: `limits.ask_ceiling` (20m) must be below \
        `sandbox.idle_timeout` (10m): lower the first, raise the second, or switch the second off with 0";
    told(
        both(text, &[("FOUNTAIN_LIMITS__ASK_CEILING", "20m")]),
        &[sentence],
    );
    let flags = Flags {
        listen: Some("192.0.2.1:1".parse().unwrap()),
        data_dir: None,
    };
    let sources = Sources {
        file: Some(File {
            name: "config.toml",
            text: "listen = '127.0.0.1:1'",
        }),
        environment: &[],
        flags: Some(&flags),
    };
    told(
        Settings::load(&sources),
        &[
            "--listen: `listen` is 192.0.2.1:1, which other machines can reach: set \
           `allow_remote = true` if that is meant, or listen on 127.0.0.1",
        ],
    );
}
