//! Settings as TOML, and nothing secret in it.

use super::{environment, file};
use crate::settings::{MASK, Secret, Settings};

const FULL: &str = r#"
listen = "[::]:1"
allow_remote = true
allowed_hosts = ['we"ird', "b"]
cors_origins = ["https://a.example"]
data_dir = "/var/lib/a b\\c"

[limits]
ask_ceiling = "90s"
rate = 0
max_body = 1000

[sandbox]
kind = "directory"
read_only = ["/opt"]
idle_timeout = 0
max_lifetime = "3d"
memory = "1536MiB"

[runtimes.claude]
command = 'x "$HOME"'
env = { ANTHROPIC_API_KEY = "sk-hidden" }
pass = ["A"]

[runtimes.fountain-fixture]
enabled = false

[runtimes.codex]
mode = "read-only"

[credits]
turn_hour_cents = 9223372036854775807

[fixture]
user_id = "u\n1"

[secrets]
key = "k-hidden"

[telemetry]
endpoint = "http://c:4317"
headers.authorization = "t-hidden"
"#;

/// The settings with what the print masks replaced by the mask.
fn masked(mut settings: Settings) -> Settings {
    let mask = || Secret::new(MASK);
    settings.secrets.key = settings.secrets.key.map(|_| mask());
    for runtime in settings.runtimes.values_mut() {
        runtime.env.values_mut().for_each(|value| *value = mask());
    }
    if let Some(header) = settings.telemetry.0.get_mut("headers.authorization") {
        MASK.clone_into(header);
    }
    settings
}

#[test]
fn what_is_printed_reads_back_to_the_same() {
    for text in ["", FULL] {
        let settings = file(text).unwrap();
        let printed = settings.print();
        assert_eq!(file(&printed), Ok(masked(settings.clone())), "{printed}");
        assert_eq!(file(&printed).unwrap().print(), printed);
    }
}

#[test]
fn nothing_secret_is_shown() {
    let settings = file(FULL).unwrap();
    for shown in [
        settings.print(),
        format!("{settings:?}"),
        format!("{settings:#?}"),
    ] {
        assert!(!shown.contains("hidden"), "{shown}");
        assert!(shown.contains(MASK), "{shown}");
    }
    assert_eq!(settings.secrets.key.unwrap().expose(), "k-hidden");
}

#[test]
fn secrets_stay_out_of_what_is_said_about_mistakes() {
    let text = "secrets.key = ['k-hidden']\nruntimes.acp.env = { A = ['k-hidden'], 'B=' = 'k-hidden' }\n\
                runtimes.codex.env = 'k-hidden'\nsecrets.keys = 'k-hidden'";
    let mut told = file(text).unwrap_err().to_string();
    told.push_str(&file("secrets.key = 'k-hidden").unwrap_err().to_string());
    let pairs = [
        ("FOUNTAIN_SECRETS__KEYS", "k-hidden"),
        ("FOUNTAIN_RUNTIMES__ACP__ENV", "{ A = k-hidden }"),
        ("FOUNTAIN_RUNTIMES__CODEX__ENV", "k-hidden"),
        ("FOUNTAIN_RUNTIMES__CLAUDE__ENV__A=", "k-hidden"),
    ];
    told.push_str(&environment(&pairs).unwrap_err().to_string());
    assert!(!told.contains("hidden"), "{told}");
}

#[test]
fn the_print_of_a_fresh_installation() {
    let printed = Settings::default().print();
    let wanted = [
        "listen = \"127.0.0.1:4780\"\nallow_remote = false\n",
        "# data_dir is not set\n",
        "telemetry = {}\n\n[limits]\nask_ceiling = \"5m\"\n",
        "\n[sandbox]\nkind = \"auto\"\nread_only = []\nidle_timeout = \"1h\"\nmax_lifetime = 0\n",
        "\n[runtimes.codex]\n# command is not set\nenv = {}\npass = []\nshare_login = false\n\
         enabled = true\nmode = \"workspace-write\"\n",
        "\n[secrets]\n# key is not set\n",
    ];
    for part in wanted {
        assert!(printed.contains(part), "{part}\n--\n{printed}");
    }
    assert!(!printed.contains("fountain-fixture"), "{printed}");
}
