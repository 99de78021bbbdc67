//! The sentence for each mistake.

use super::{both, environment, file, told};

#[test]
fn mistakes_in_the_file_name_line_and_column() {
    for (text, sentence) in [
        (
            "[limits]\n  ask_celing = '2s'",
            "line 2, column 3: `limits.ask_celing` is not a setting; did you mean `limits.ask_ceiling`?",
        ),
        (
            "lisen = 'x'",
            "line 1, column 1: `lisen` is not a setting; did you mean `listen`?",
        ),
        (
            "\n[limit]\nask_ceiling = '2s'",
            "line 2, column 2: `limit` is not a setting; did you mean `limits`?",
        ),
        (
            "ask_ceiling = '2s'",
            "line 1, column 1: `ask_ceiling` is not a setting; did you mean `limits.ask_ceiling`?",
        ),
        (
            "stream.speed = 1",
            "line 1, column 8: `stream.speed` is not a setting; there are `stream.heartbeat`, `stream.idle_close`",
        ),
        (
            "runtimes.cluade.enabled = true",
            "line 1, column 10: `runtimes.cluade` is not a setting; did you mean `runtimes.claude`?",
        ),
        (
            "runtimes.claude.mode = 'read-only'",
            "line 1, column 17: `runtimes.claude.mode` is not a setting; did you mean `runtimes.codex.mode`?",
        ),
        (
            "'limits.rate' = 5",
            "line 1, column 1: `\"limits.rate\"` is not a setting; did you mean `limits.rate`?",
        ),
        (
            "limits = 5",
            "line 1, column 10: `limits` is a table of settings, not a number: write it as `[limits]`",
        ),
        (
            "[[limits]]\nrate = 5",
            "line 1, column 1: `limits` is a table of settings, not a list: write it as `[limits]`",
        ),
        (
            "allow_remote = 'true'",
            "line 1, column 16: `allow_remote` must be `true` or `false`, not a text",
        ),
        (
            "limits.ask_ceiling = true",
            "line 1, column 22: `limits.ask_ceiling` must be a duration such as `90s` or `15m`, or a whole number of seconds, not a boolean",
        ),
        (
            "limits.ask_ceiling = 1.5",
            "line 1, column 22: `limits.ask_ceiling` must be a duration such as `90s` or `15m`, or a whole number of seconds, not a number with a point",
        ),
        (
            "limits.ask_ceiling = '5x'",
            "line 1, column 22: `limits.ask_ceiling` cannot be `5x`: `x` is not a unit: the units are d, h, m, s and ms",
        ),
        (
            "limits.ask_ceiling = -5",
            "line 1, column 22: `limits.ask_ceiling` cannot be negative",
        ),
        (
            "sandbox.max_lifetime = '3651d'",
            "line 1, column 24: `sandbox.max_lifetime` cannot be `3651d`: at most 3650d",
        ),
        (
            "sandbox.max_lifetime = 2020-01-01",
            "line 1, column 24: `sandbox.max_lifetime` must be a duration such as `90s` or `15m`, 0 for off, not a date or time",
        ),
        (
            "[limits.ask_ceiling]\nx = 1",
            "line 1, column 1: `limits.ask_ceiling` must be a duration such as `90s` or `15m`, or a whole number of seconds, not a table",
        ),
        (
            "limits.max_body = '64M'",
            "line 1, column 19: `limits.max_body` cannot be `64M`: `M` is not a unit: the units are KiB, MiB, GiB, TiB, kB, MB, GB, TB and B",
        ),
        (
            "sandbox.disk = []",
            "line 1, column 16: `sandbox.disk` must be a size such as `10GiB`, 0 for no limit, not a list",
        ),
        (
            "limits.rate = 'fast'",
            "line 1, column 15: `limits.rate` cannot be `fast`: a rate is a whole number for each s, min or h, as in `1200/min`; 0 switches it off",
        ),
        (
            "listen = 4780",
            "line 1, column 10: `listen` must be an address such as `127.0.0.1:4780`, not a number",
        ),
        (
            "listen = 'example.com:1'",
            "line 1, column 10: `listen` cannot be `example.com:1`: an address is an IP address and a port, as in `127.0.0.1:4780` or `[::1]:4780`",
        ),
        (
            "sandbox.kind = 'docker'",
            "line 1, column 16: `sandbox.kind` cannot be `docker`: the choices are `auto`, `bwrap`, `directory`",
        ),
        (
            "sandbox.max_running = '2'",
            "line 1, column 23: `sandbox.max_running` must be a whole number, 0 for no limit, not a text",
        ),
        (
            "sandbox.max_running = -1",
            "line 1, column 23: `sandbox.max_running` must be a whole number from 0 to 4294967295",
        ),
        (
            "sandbox.read_only = ['/a', 1]",
            "line 1, column 21: `sandbox.read_only` must be a list of paths, not a list with something else in it",
        ),
        (
            "sandbox.read_only = '/a'",
            "line 1, column 21: `sandbox.read_only` must be a list of paths, not a text",
        ),
        (
            "data_dir = ''",
            "line 1, column 12: `data_dir` cannot be empty: leave the key out instead",
        ),
        (
            "telemetry = 'on'",
            "line 1, column 13: `telemetry` must be a table, not a text",
        ),
        (
            "telemetry.x = [1]",
            "line 1, column 1: `telemetry` must have texts for values, but `x` is a list",
        ),
        (
            "x = ",
            "line 1, column 5: this is not TOML: string values must be quoted, expected literal string",
        ),
        (
            "[limits]\nrate = 1\nrate = 2",
            "line 3, column 1: this is not TOML: duplicate key",
        ),
    ] {
        let sentence = format!("config.toml, {sentence}");
        told(file(text), &[&sentence]);
    }
}

#[test]
fn mistakes_in_the_environment_name_the_variable() {
    for (name, value, sentence) in [
        (
            "FOUNTAIN_LIMITS__ASK_CELING",
            "2s",
            "this is not a setting; did you mean `FOUNTAIN_LIMITS__ASK_CEILING`?",
        ),
        (
            "FOUNTAIN_LIMIT__ASK_CEILING",
            "2s",
            "this is not a setting; did you mean `FOUNTAIN_LIMITS__ASK_CEILING`?",
        ),
        (
            "FOUNTAIN_LIMITS__ask_ceiling",
            "2s",
            "this is not a setting; did you mean `FOUNTAIN_LIMITS__ASK_CEILING`?",
        ),
        (
            "FOUNTAIN_ASK__CEILING",
            "2s",
            "this is not a setting; did you mean `FOUNTAIN_LIMITS__ASK_CEILING`?",
        ),
        (
            "FOUNTAIN_RUNTIMES__FOUNTAIN_FIXTUR__ENABLED",
            "1",
            "this is not a setting; did you mean `FOUNTAIN_RUNTIMES__FOUNTAIN_FIXTURE__ENABLED`?",
        ),
        (
            "FOUNTAIN_NO__SUCH_KEY",
            "1",
            "this is not a setting; there is none like it",
        ),
        (
            "FOUNTAIN_LISTEN__",
            "1",
            "this is not a setting; did you mean `FOUNTAIN_LISTEN`?",
        ),
        (
            "FOUNTAIN_LIMITS__ASK_CEILING",
            "5x",
            "`limits.ask_ceiling` cannot be `5x`: `x` is not a unit: the units are d, h, m, s and ms",
        ),
        (
            "CREDITS_ENABLED",
            "maybe",
            "`credits.enabled` must be `true` or `false`, not `maybe`",
        ),
        (
            "FOUNTAIN_SANDBOX__MAX_RUNNING",
            "many",
            "`sandbox.max_running` must be a whole number, 0 for no limit, not `many`",
        ),
        (
            "FOUNTAIN_CREDITS__BALANCE_CENTS",
            "1.5",
            "`credits.balance_cents` must be a whole number of cents, not `1.5`",
        ),
        (
            "FOUNTAIN_CREDITS__BALANCE_CENTS",
            "-1",
            "`credits.balance_cents` must be a whole number from 0 to 9223372036854775807",
        ),
        (
            "FOUNTAIN_RUNTIMES__ACP__ENV",
            "A=1",
            "`runtimes.acp.env` must be a table such as `{ NAME = \"value\" }`",
        ),
    ] {
        let sentence = format!("{name}: {sentence}");
        told(environment(&[(name, value)]), &[&sentence]);
    }
}

#[test]
fn all_mistakes_are_told_at_once_in_the_order_of_the_sources() {
    let text = "z = 1\nlisten = '0.0.0.0:1'\n[sandbox]\nkind = 1\nidle_timeout = 'x'\n[limits]\nask_ceiling = '2h'\nrat = 1";
    told(
        both(
            text,
            &[("FOUNTAIN_LIMITS__HANDSHAKE", "?"), ("FOUNTAIN_X__Y", "1")],
        ),
        &[
            "config.toml, line 1, column 1: `z` is not a setting; there are `account`, `allow_remote`, `allowed_hosts`, `cors_origins`, `credits`, `data_dir`, `fixture`, `limits`, `listen`, `runtimes`, `sandbox`, `secrets`, `stream`, `telemetry`, `webhooks`",
            "config.toml, line 4, column 8: `sandbox.kind` must be one of `auto`, `bwrap` and `directory`, not a number",
            "config.toml, line 5, column 16: `sandbox.idle_timeout` cannot be `x`: there is no number before `x`: write a duration such as `90s`, `15m` or `2h`",
            "config.toml, line 8, column 1: `limits.rat` is not a setting; did you mean `limits.rate`?",
            "FOUNTAIN_LIMITS__HANDSHAKE: `limits.handshake` cannot be `?`: there is no number before `?`: write a duration such as `90s`, `15m` or `2h`",
            "FOUNTAIN_X__Y: this is not a setting; there is none like it",
            "config.toml, line 2, column 10: `listen` is 0.0.0.0:1, which other machines can reach: set `allow_remote = true` if that is meant, or listen on 127.0.0.1",
        ],
    );
}

#[test]
fn a_file_that_is_no_toml_leaves_the_environment_to_be_looked_at() {
    let text = "a = = 1\nlimits.ask_ceiling = '2h'\nb = 'x";
    let error = both(
        text,
        &[
            ("FOUNTAIN_X__Y", "1"),
            ("FOUNTAIN_SANDBOX__IDLE_TIMEOUT", "1m"),
        ],
    );
    let error = error.expect_err("no TOML").to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 3, "{error}");
    assert!(
        lines[0].starts_with("config.toml, line 1, column 5: this is not TOML: "),
        "{error}"
    );
    assert!(
        lines[1].starts_with("config.toml, line 3, column "),
        "{error}"
    );
    assert!(lines[2].starts_with("FOUNTAIN_X__Y: "), "{error}");
}
