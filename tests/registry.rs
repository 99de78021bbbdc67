//! `cli/registry/`: what is there keeps the rules of the ACP registry, and promises nothing that is not there.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::kit::Home;

const FIELDS: [&str; 11] = [
    "id",
    "name",
    "version",
    "description",
    "repository",
    "website",
    "authors",
    "license",
    "license_url",
    "icon",
    "distribution",
];
const PLATFORMS: [&str; 6] = [
    "darwin-aarch64",
    "darwin-x86_64",
    "linux-aarch64",
    "linux-x86_64",
    "windows-aarch64",
    "windows-x86_64",
];
/// Installers are no archives.
const NOT_ARCHIVES: [&str; 6] = [".dmg", ".pkg", ".deb", ".rpm", ".msi", ".appimage"];

fn read(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/registry/fountain");
    fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn the_entry_keeps_the_rules() {
    let entry: Value = serde_json::from_str(&read("agent.json")).unwrap();
    let entry = entry.as_object().unwrap();
    let unknown: Vec<&String> = entry
        .keys()
        .filter(|key| !FIELDS.contains(&key.as_str()))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let text = |key: &str| entry[key].as_str().unwrap();
    // The folder has its name.
    assert_eq!(text("id"), "fountain");
    assert!(!text("name").is_empty());
    assert_eq!(text("version"), env!("CARGO_PKG_VERSION"));
    assert_eq!(text("description"), env!("CARGO_PKG_DESCRIPTION"));
    assert_eq!(text("license"), env!("CARGO_PKG_LICENSE"));
    assert_eq!(entry["authors"], json!([env!("CARGO_PKG_AUTHORS")]));
    for address in ["repository", "website", "license_url"] {
        if let Some(address) = entry.get(address) {
            assert!(
                address.as_str().unwrap().starts_with("https://"),
                "{address}"
            );
        }
    }
    // The one field that the registry demands and that cannot be filled in truthfully before there is a release.
    if let Some(distribution) = entry.get("distribution") {
        let wrong = wrong_with(distribution, env!("CARGO_PKG_VERSION"));
        assert_eq!(wrong, Vec::<String>::new());
    }
}

/// What the registry would say about a distribution.
fn wrong_with(distribution: &Value, version: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let Some(kinds) = distribution.as_object().filter(|kinds| !kinds.is_empty()) else {
        return vec!["it is no object with a kind".to_owned()];
    };
    for (kind, value) in kinds {
        let empty = Map::new();
        let map = value.as_object().unwrap_or(&empty);
        match kind.as_str() {
            "binary" if map.is_empty() => wrong.push("no platform".to_owned()),
            "binary" => {
                for (platform, target) in map {
                    if !PLATFORMS.contains(&platform.as_str()) {
                        wrong.push(format!("{platform} is no platform"));
                    }
                    let archive = target["archive"].as_str().unwrap_or_default();
                    let lower = archive.to_lowercase();
                    if !archive.starts_with("https://")
                        || archive.contains("/latest/")
                        || NOT_ARCHIVES.iter().any(|end| lower.ends_with(end))
                    {
                        wrong.push(format!("{platform}: {archive:?} is no archive"));
                    }
                    if !archive.contains(&format!("/v{version}/")) {
                        wrong.push(format!("{platform}: {archive:?} is not of {version}"));
                    }
                    if !target["cmd"].is_string() {
                        wrong.push(format!("{platform}: no cmd"));
                    }
                    if target["args"] != json!(["acp", "--agent", "demo"]) {
                        wrong.push(format!("{platform}: no session would open"));
                    }
                }
            }
            "npx" | "uvx" => {
                let package = map.get("package").and_then(Value::as_str);
                if !package.is_some_and(|package| package.ends_with(&format!("@{version}"))) {
                    wrong.push(format!("{kind}: {package:?} is not of {version}"));
                }
            }
            other => wrong.push(format!("{other} is no kind")),
        }
    }
    wrong
}

#[test]
fn a_distribution_is_held_to_the_rules_once_there_is_one() {
    let binary = |archive: &str| json!({"binary": {"linux-x86_64": {"archive": archive, "cmd": "./fountain", "args": ["acp", "--agent", "demo"]}}});
    let good = "https://example.org/download/v1.2.3/fountain.tar.gz";
    assert!(wrong_with(&binary(good), "1.2.3").is_empty());
    assert!(wrong_with(&json!({"npx": {"package": "@a/b@1.2.3"}}), "1.2.3").is_empty());
    for bad in [
        json!(null),
        json!({}),
        json!({"cargo": {"crate": "fountain"}}),
        json!({"binary": {}}),
        json!({"binary": {"linux": {}}}),
        json!({"binary": {"linux-x86_64": {"archive": good, "args": ["acp", "--agent", "demo"]}}}),
        json!({"binary": {"linux-x86_64": {"archive": good, "cmd": "./fountain"}}}),
        binary("https://example.org/latest/fountain.tar.gz"),
        binary("https://example.org/v1.2.3/fountain.deb"),
        binary("https://example.org/v1.2.2/fountain.tar.gz"),
        binary("http://example.org/v1.2.3/fountain.tar.gz"),
        json!({"npx": {"package": "@a/b@latest"}}),
        json!({"uvx": {}}),
    ] {
        assert!(!wrong_with(&bad, "1.2.3").is_empty(), "{bad}");
    }
}

/// 16 by 16, in the one colour of whoever shows it.
#[test]
fn the_icon_takes_the_colour_of_its_surroundings() {
    let icon = read("icon.svg");
    let head = icon.split_once('>').unwrap().0;
    for part in [
        "<svg ",
        "width=\"16\"",
        "height=\"16\"",
        "viewBox=\"0 0 16 16\"",
    ] {
        assert!(head.contains(part), "{part}: {head}");
    }
    for word in ["<!--", "style", "<image", "href"] {
        assert!(!icon.contains(word), "{word}");
    }
    let mut drawn = 0;
    for attribute in [" fill=\"", " stroke=\""] {
        for value in icon.split(attribute).skip(1) {
            match value.split_once('"').unwrap().0 {
                "currentColor" => drawn += 1,
                "none" | "inherit" => {}
                other => panic!("{attribute}{other}"),
            }
        }
    }
    assert!(drawn > 0, "nothing has currentColor");
    let opened = icon.matches('<').count();
    assert_eq!(opened, icon.matches('>').count());
    assert!(icon.trim_end().ends_with("</svg>"));
}

/// The registry starts each agent with an empty HOME and wants to be told how to log in.
#[test]
fn a_stranger_is_told_how_to_log_in() {
    let home = Home::new();
    let mut editor = home.editor(&["--agent", "demo"]);
    let params = json!({
        "protocolVersion": 1,
        "clientInfo": {"name": "ACP Registry Validator", "version": "1.0.0"},
        "clientCapabilities": {"terminal": true, "fs": {"readTextFile": true, "writeTextFile": true},
            "_meta": {"terminal_output": true, "terminal-auth": true}},
    });
    let hello = editor.ok("initialize", params);
    let methods = hello["authMethods"].as_array().unwrap();
    // A method without a type is one of the agent.
    assert!(
        methods
            .iter()
            .any(|method| method.get("type").is_none_or(|kind| kind == "agent")),
        "{hello}"
    );
}
