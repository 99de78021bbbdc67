//! The file's text against what other readers of it see.

use proptest::prelude::*;

use super::*;

const FILE: &str = "# mine\n[default]\napi_key = \"ftn_1\"\nbase_url = \"http://127.0.0.1:4780\"\n\n# the big one\n[work]\nbase_url = 'https://f.example' # here\nstorage = \"keyring\"\ncolour = \"blue\"\n";

fn parsed(text: &str) -> Credentials {
    Credentials::parse(text).unwrap()
}

fn with_key(key: &str) -> Profile {
    Profile {
        api_key: Some(Secret::new(key)),
        base_url: Some("http://127.0.0.1:4780".into()),
        ..Profile::default()
    }
}

#[test]
fn a_file_is_read_and_kept_as_it_is() {
    let file = parsed(FILE);
    assert_eq!(file.render(), FILE);
    assert_eq!(file.names(), ["default", "work"]);
    let default = file.get("default").unwrap();
    assert_eq!(default.api_key.as_ref().map(Secret::expose), Some("ftn_1"));
    assert_eq!(default.base_url.as_deref(), Some("http://127.0.0.1:4780"));
    let work = file.get("work").unwrap();
    assert_eq!(work.base_url.as_deref(), Some("https://f.example"));
    assert!(work.in_keyring() && work.api_key.is_none() && !work.is_blank());
    assert_eq!(file.get("other"), None);
}

#[test]
fn the_spellings_of_other_writers_are_read() {
    for (line, expect) in [
        ("api_key=\"a\"", "a"),
        ("  api_key  =  \"a\"  # mine", "a"),
        ("api_key = \"a", "a"),
        ("api_key = 'a'", "a"),
        ("api_key = a", "a"),
        ("api_key = a # mine", "a"),
        ("api_key = \"x\"\napi_key = \"a\"", "a"),
        ("api_key = \"a\"\r", "a"),
    ] {
        let file = parsed(&format!("\u{feff}[default]\n; old\n{line}\n"));
        let key = file.get("default").unwrap().api_key.unwrap();
        assert_eq!(key.expose(), expect, "{line:?}");
    }
    assert!(
        parsed("[default]\napi_key = \"\"")
            .get("default")
            .unwrap()
            .is_blank()
    );
}

#[test]
fn a_damaged_line_is_named_and_not_shown() {
    for (text, line) in [
        ("[default]\nftn_secret\n", 2),
        ("api_key = \"ftn_secret\"\n", 1),
        ("\n\n[ftn_secret\n", 3),
    ] {
        let error = Credentials::parse(text).unwrap_err();
        assert_eq!(error.line, line);
        assert!(!error.to_string().contains("ftn_secret"), "{error}");
    }
    assert!(!format!("{:?}", parsed(FILE)).contains("ftn_1"));
}

#[test]
fn writing_keeps_the_others_and_their_comments() {
    let mut file = parsed(FILE);
    file.set("work", &with_key("ftn_2")).unwrap();
    file.set("alpha", &with_key("ftn_3")).unwrap();
    let text = file.render();
    assert!(
        text.starts_with("# mine\n[default]\napi_key = \"ftn_1\"\n"),
        "{text}"
    );
    assert!(text.contains("# the big one\n[work]\napi_key = \"ftn_2\"\nbase_url = \"http://127.0.0.1:4780\"\ncolour = \"blue\"\n"), "{text}");
    assert_eq!(file.names(), ["default", "alpha", "work"]);
    assert!(file.remove("work") && !file.remove("work"));
    assert!(!file.render().contains("the big one"));
}

#[test]
fn the_default_profile_comes_first() {
    let mut file = Credentials::default();
    for name in ["work", "default", "home"] {
        file.set(name, &with_key("k")).unwrap();
    }
    assert_eq!(file.names(), ["default", "home", "work"]);
    let profile = "api_key = \"k\"\nbase_url = \"http://127.0.0.1:4780\"\n";
    assert_eq!(
        file.render(),
        format!("[default]\n{profile}\n[home]\n{profile}\n[work]\n{profile}")
    );
}

#[test]
fn one_profile_is_selected() {
    let mut file = parsed(FILE);
    assert_eq!(file.selected(), "default");
    assert!(file.select("work") && !file.select("nope"));
    assert_eq!(file.selected(), "work");
    assert!(file.get("work").unwrap().selected);
    assert!(file.select("default"));
    assert_eq!((file.selected(), file.render().as_str()), ("default", FILE));
}

#[test]
fn the_owner_takes_the_default_place_only_when_it_is_free() {
    assert_eq!(Credentials::default().owners_place(), "default");
    assert_eq!(parsed("[default]\n").owners_place(), "default");
    assert_eq!(parsed(FILE).owners_place(), "local");
    assert_eq!(
        parsed("[default]\nstorage = \"keyring\"\n").owners_place(),
        "local"
    );
}

#[test]
fn what_others_would_misread_is_not_written() {
    let mut file = Credentials::default();
    for name in ["", " a", "a]", "a\nb", "a#", "\"a\""] {
        assert_eq!(
            file.set(name, &with_key("k")),
            Err(Unwritable::Name),
            "{name:?}"
        );
    }
    assert_eq!(file.set("a", &with_key("k\"x")), Err(Unwritable::Value));
    assert_eq!(file.set("a", &with_key("k\nx")), Err(Unwritable::Value));
    assert_eq!(file, Credentials::default());
}

#[test]
fn a_name_that_comes_twice_becomes_one() {
    let mut file = parsed("[a]\napi_key = \"1\"\n[b]\n[a]\napi_key = \"2\"\nx = \"y\"\n");
    assert_eq!(file.get("a").unwrap().api_key.unwrap().expose(), "2");
    file.set("a", &with_key("3")).unwrap();
    assert_eq!(file.names(), ["a", "b"]);
    assert_eq!(file.render().matches("[a]").count(), 1);
    assert!(file.render().contains("x = \"y\""));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_and_comes_back(text in "(\\[?[a-z#;=\" ]{0,9}\\]?\n){0,12}") {
        if let Ok(file) = Credentials::parse(&text) {
            let again = Credentials::parse(&file.render()).unwrap();
            for name in file.names() {
                prop_assert_eq!(file.get(name), again.get(name));
            }
        }
    }

    #[test]
    fn what_is_written_is_read_back(
        profiles in proptest::collection::btree_map("[a-z][a-z0-9 ._@-]{0,8}[a-z]", ("[!#-~]{1,40}", "[!#-~]{1,20}"), 0..6),
    ) {
        let mut file = Credentials::default();
        for (name, (key, url)) in &profiles {
            let profile = Profile { api_key: Some(Secret::new(key.as_str())), base_url: Some(url.clone()), ..Profile::default() };
            file.set(name, &profile).unwrap();
        }
        let file = Credentials::parse(&file.render()).unwrap();
        prop_assert_eq!(file.names().len(), profiles.len());
        for (name, (key, url)) in &profiles {
            let profile = file.get(name).unwrap();
            prop_assert_eq!(profile.api_key.as_ref().map(Secret::expose), Some(key.as_str()));
            prop_assert_eq!(profile.base_url.as_deref(), Some(url.as_str()));
        }
    }
}
