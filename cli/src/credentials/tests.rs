//! Login, logout and the order of credentials, as tests.

use super::*;

const FILE: &str = "[default]\napi_key = \"ftn_d\"\nbase_url = \"http://127.0.0.1:4780\"\n\n\
    [kept]\nbase_url = \"https://k.example\"\nstorage = \"keyring\"\n\n\
    [work]\napi_key = \"ftn_w\"\nbase_url = \"https://f.example/\"\n";

fn resolved(
    flags: (Option<&str>, Option<&str>),
    set: &[(&str, &str)],
    file: &str,
) -> Result<Resolved, Failure> {
    let flags = Flags {
        profile: flags.0.map(str::to_owned),
        base_url: flags.1.map(str::to_owned),
    };
    let environment =
        Environment::from(|name| Some(set.iter().find(|(known, _)| *known == name)?.1.to_owned()));
    resolve(&flags, &environment, &Credentials::parse(file).unwrap())
}

/// Instance, key and the two sources, as one line.
fn told(resolved: &Resolved) -> String {
    let key = match &resolved.key {
        Key::Held(key, from) => format!("{} {from:?}", key.expose()),
        other => format!("{other:?}"),
    };
    format!(
        "{} {:?} {} {key}",
        resolved.base_url, resolved.base_from, resolved.profile
    )
}

#[test]
fn flag_then_environment_then_profile() {
    for (flags, set, expect) in [
        (
            (None, None),
            &[][..],
            "http://127.0.0.1:4780 Profile default ftn_d Profile",
        ),
        (
            (Some("work"), None),
            &[],
            "https://f.example Profile work ftn_w Profile",
        ),
        (
            (None, None),
            &[("FOUNTAIN_PROFILE", "work")],
            "https://f.example Profile work ftn_w Profile",
        ),
        (
            (Some("default"), None),
            &[("FOUNTAIN_PROFILE", "work")],
            "http://127.0.0.1:4780 Profile default ftn_d Profile",
        ),
        (
            (Some("kept"), None),
            &[],
            "https://k.example Profile kept Keyring",
        ),
        (
            (None, None),
            &[("FOUNTAIN_API_KEY", " ftn_e\r\n")],
            "http://127.0.0.1:4780 Profile default ftn_e Variable(\"FOUNTAIN_API_KEY\")",
        ),
        (
            (None, None),
            &[
                ("FOUNTAIN_TOKEN", "ftn_t"),
                ("FOUNTAIN_BASE_URL", "http://h:1/api/"),
            ],
            "http://h:1 Variable(\"FOUNTAIN_BASE_URL\") default ftn_t Variable(\"FOUNTAIN_TOKEN\")",
        ),
        (
            (None, Some("http://localhost:4780")),
            &[],
            "http://127.0.0.1:4780 Flag default ftn_d Profile",
        ),
        (
            (None, Some("http://127.0.0.1:4780/")),
            &[("FOUNTAIN_BASE_URL", "http://h")],
            "http://127.0.0.1:4780 Flag default ftn_d Profile",
        ),
    ] {
        assert_eq!(
            told(&resolved(flags, set, FILE).unwrap()),
            expect,
            "{flags:?} {set:?}"
        );
    }
}

#[test]
fn without_a_file_there_is_the_default_instance_and_no_key() {
    let nothing = resolved((None, None), &[], "").unwrap();
    assert_eq!(told(&nothing), "http://127.0.0.1:4780 Default default None");
    assert_eq!(nothing.missing().kind.code(), 4);
    assert_eq!(nothing.key_source(), None);
}

#[test]
fn a_saved_key_goes_nowhere_else() {
    let elsewhere = resolved(
        (None, None),
        &[("FOUNTAIN_BASE_URL", "http://other:9")],
        FILE,
    )
    .unwrap();
    assert!(matches!(
        elsewhere.key,
        Key::Elsewhere { instead: None, .. }
    ));
    let failure = elsewhere.missing();
    assert_eq!(failure.kind.code(), 4);
    insta::assert_snapshot!(failure.message, @"the key of profile `default` was saved for http://127.0.0.1:4780 and is not sent to http://other:9");
    let known = resolved((None, Some("https://f.example")), &[], FILE)
        .unwrap()
        .missing();
    assert_eq!(
        known.hints,
        ["profile `work` is for that instance: --profile work"]
    );
    let keyring = resolved((Some("kept"), Some("https://f.example")), &[], FILE).unwrap();
    assert!(matches!(keyring.key, Key::Elsewhere { .. }));
    // A name that only begins with `localhost` is another machine.
    let trick = resolved((None, Some("http://localhost.evil:4780")), &[], FILE).unwrap();
    assert!(matches!(trick.key, Key::Elsewhere { .. }));
}

#[test]
fn an_unknown_profile_is_an_error_that_lists_the_known() {
    for (flags, set, expect) in [
        ((Some("nope"), None), &[][..], "there is no profile `nope`"),
        (
            (None, None),
            &[("FOUNTAIN_PROFILE", "nope"), ("FOUNTAIN_API_KEY", "k")],
            "there is no profile `nope` (FOUNTAIN_PROFILE)",
        ),
    ] {
        let failure = resolved(flags, set, FILE).unwrap_err();
        assert_eq!((failure.kind.code(), failure.message.as_str()), (4, expect));
        assert_eq!(failure.hints, ["the saved profiles: default, kept, work"]);
    }
}

#[test]
fn a_selected_profile_is_used() {
    let file = FILE.replace("[work]\n", "[work]\nselected = \"true\"\n");
    assert_eq!(
        told(&resolved((None, None), &[], &file).unwrap()),
        "https://f.example Profile work ftn_w Profile"
    );
}

#[test]
fn what_cannot_be_used_is_named_without_the_key() {
    for (flags, set, file, part, code) in [
        ((None, Some("ftp://h")), &[][..], FILE, "ftp", 2),
        (
            (None, None),
            &[("FOUNTAIN_API_KEY", "ftn secret")],
            FILE,
            "FOUNTAIN_API_KEY: the API key holds a space",
            4,
        ),
        (
            (None, None),
            &[],
            "[default]\napi_key = \"ftn secret\"\n",
            "profile `default`: the API key holds a space",
            4,
        ),
    ] {
        let failure = resolved(flags, set, file).unwrap_err();
        assert_eq!(failure.kind.code(), code);
        assert!(
            failure.message.contains(part) && !failure.message.contains("secret"),
            "{}",
            failure.message
        );
    }
}

#[test]
fn a_mixed_pair_is_told() {
    let mixed = resolved((Some("work"), None), &[("FOUNTAIN_API_KEY", "k")], FILE).unwrap();
    assert!(mixed.mixed().unwrap().contains("https://f.example"));
    for set in [
        &[][..],
        &[("FOUNTAIN_API_KEY", "k"), ("FOUNTAIN_BASE_URL", "http://h")],
    ] {
        assert_eq!(resolved((None, None), set, FILE).unwrap().mixed(), None);
    }
}
