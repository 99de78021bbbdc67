//! Which source wins, and which variables are looked at.

use std::time::Duration;

use super::{both, environment, file};
use crate::settings::{File, Flags, Secret, Settings, Sources};

#[test]
fn the_environment_goes_over_the_file_and_flags_over_both() {
    let flags = Flags {
        listen: Some("127.0.0.1:3".parse().unwrap()),
        data_dir: Some("/flag".into()),
    };
    let text = "listen = '127.0.0.1:1'\ndata_dir = '/file'\n[limits]\nask_ceiling = '1s'\nhandshake = '1s'";
    let environment = [
        ("FOUNTAIN_LISTEN".to_owned(), "127.0.0.1:2".to_owned()),
        ("FOUNTAIN_LIMITS__ASK_CEILING".to_owned(), "2s".to_owned()),
    ];
    let mut sources = Sources {
        file: Some(File {
            name: "config.toml",
            text,
        }),
        environment: &environment,
        flags: None,
    };
    let settings = Settings::load(&sources).unwrap();
    assert_eq!(settings.listen.port(), 2);
    assert_eq!(settings.data_dir.as_deref(), Some("/file".as_ref()));
    assert_eq!(settings.limits.ask_ceiling, Duration::from_secs(2));
    assert_eq!(settings.limits.handshake, Duration::from_secs(1));
    sources.flags = Some(&flags);
    let settings = Settings::load(&sources).unwrap();
    assert_eq!(settings.listen.port(), 3);
    assert_eq!(settings.data_dir.as_deref(), Some("/flag".as_ref()));
    let none = Flags::default();
    sources.flags = Some(&none);
    assert_eq!(Settings::load(&sources).unwrap().listen.port(), 2);
}

#[test]
fn a_keys_own_variable_goes_over_its_alias_and_the_alias_over_the_file() {
    let text = "credits.turn_hour_cents = 1";
    let cents = |pairs: &[(&str, &str)]| both(text, pairs).unwrap().credits.turn_hour_cents;
    let own = ("FOUNTAIN_CREDITS__TURN_HOUR_CENTS", "3");
    let alias = ("CREDIT_TURN_HOUR_CENTS", "2");
    assert_eq!(cents(&[]), 1);
    assert_eq!(cents(&[alias]), 2);
    assert_eq!(cents(&[own, alias]), 3);
    assert_eq!(cents(&[alias, own]), 3);
}

#[test]
fn lists_are_replaced_and_tables_of_names_are_joined() {
    let text = "[runtimes.claude]\npass = ['A']\nenv = { A = 'file', B = 'file' }\n\
                [telemetry]\nendpoint = 'file'\nprotocol = 'grpc'";
    let settings = both(
        text,
        &[
            ("FOUNTAIN_RUNTIMES__CLAUDE__PASS", "B"),
            ("FOUNTAIN_RUNTIMES__CLAUDE__ENV__C__D", "entry"),
            ("FOUNTAIN_RUNTIMES__CLAUDE__ENV__B", "entry"),
            (
                "FOUNTAIN_RUNTIMES__CLAUDE__ENV",
                "{ A = 'table', B = 'table' }",
            ),
            ("FOUNTAIN_TELEMETRY__ENDPOINT", "variable"),
        ],
    )
    .unwrap();
    let claude = &settings.runtimes["claude"];
    assert_eq!(claude.pass, ["B"]);
    let env = |name: &str| claude.env.get(name).map(Secret::expose);
    assert_eq!(env("A"), Some("table"));
    assert_eq!(env("B"), Some("entry"));
    assert_eq!(env("C__D"), Some("entry"));
    assert_eq!(settings.telemetry.0["endpoint"], "variable");
    assert_eq!(settings.telemetry.0["protocol"], "grpc");
}

#[test]
fn variables_that_are_not_configuration_are_passed_over() {
    let others = [
        ("FOUNTAIN_API_KEY", "k"),
        ("FOUNTAIN_BASE_URL", "http://x"),
        ("FOUNTAIN_CONFIG", "/x"),
        ("FOUNTAIN_LISTEM", "x"),
        ("FOUNTAIN_LIMITS", "x"),
        ("FOUNTAIN_TELEMETRY", "x"),
        ("FOUNTAIN_NO_AUTOSTART", "1"),
        ("OTHER_LIMITS__ASK_CEILING", "x"),
        ("LIMITS__ASK_CEILING", "x"),
        ("listen", "x"),
        ("", ""),
    ];
    assert_eq!(environment(&others), Ok(Settings::default()));
}

#[test]
fn an_empty_variable_is_not_set() {
    let text = "listen = '127.0.0.1:1'\ncredits.enabled = true";
    let empty = [
        ("FOUNTAIN_LISTEN", ""),
        ("CREDITS_ENABLED", ""),
        ("FOUNTAIN_ALLOWED_HOSTS", ""),
        ("FOUNTAIN_NOT__KNOWN", ""),
    ];
    assert_eq!(both(text, &empty), file(text));
}

#[test]
fn a_file_may_have_a_mark_windows_line_ends_and_comments() {
    let text = "\u{feff}# ours\r\n[limits] # these\r\nask_ceiling = \"2s\"\r\n";
    let settings = file(text).unwrap();
    assert_eq!(settings.limits.ask_ceiling, Duration::from_secs(2));
}

#[test]
fn where_a_daemon_would_be_is_known_whatever_else_is_wrong() {
    let text = "listen = '127.0.0.1:1'\nodd = 5\n[limits]\nask_ceiling = 'soon'";
    let of = |text, environment: &[(String, String)]| {
        Flags::of(&Sources {
            file: Some(File {
                name: "config.toml",
                text,
            }),
            environment,
            flags: None,
        })
    };
    let listen = |flags: Flags| flags.listen.map(|address| address.port());
    assert_eq!(listen(of(text, &[])), Some(1));
    let variable = [("FOUNTAIN_LISTEN".to_owned(), "0.0.0.0:2".to_owned())];
    assert_eq!(listen(of(text, &variable)), Some(2));
    assert_eq!(of("[limits", &[]), Flags::default());
    let dir = of("data_dir = '/d'", &[]);
    assert_eq!(
        (dir.listen, dir.data_dir.as_deref()),
        (None, Some("/d".as_ref()))
    );
}
