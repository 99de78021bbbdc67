//! Titles, the size of a transcript, and secrets that must not be in it.

use serde_json::json;

use super::kit::{Daemon, until};

#[tokio::test]
async fn a_title_of_the_harness_is_cut_between_characters_and_may_be_revised() {
    let daemon = Daemon::new().await;
    let family = "👨‍👩‍👧‍👦";
    let titles = [
        ("a".repeat(121), json!("a".repeat(120))),
        (
            format!("{}{family}{family}", "a".repeat(119)),
            json!(format!("{}{family}", "a".repeat(119))),
        ),
        (" two\n  words\t".into(), json!("two words")),
        ("x\u{0}y".into(), json!("xy")),
        (" \n ".repeat(70), json!(null)),
        ("last".into(), json!("last")),
    ];
    let blocks: Vec<String> = titles
        .iter()
        .map(|(title, _)| {
            let update = json!({"sessionUpdate": "session_info_update", "title": title});
            format!("on session/prompt\nupdate {update}\nrespond end_turn\n")
        })
        .collect();
    let more = "on session/prompt\nupdate {\"sessionUpdate\":\"session_info_update\"}\nrespond end_turn\non session/prompt\nupdate {\"sessionUpdate\":\"session_info_update\",\"title\":null}\nrespond end_turn\n";
    let chat = daemon
        .scripted(&format!("{}{more}", blocks.concat()), json!(null))
        .await;
    for (title, expect) in titles.into_iter().chain([
        ("absent".into(), json!("last")),
        ("null".into(), json!(null)),
    ]) {
        chat.say("x").await;
        assert_eq!(chat.show().await["title"], expect, "{title:?}");
    }
}

#[tokio::test]
async fn a_title_that_a_person_gave_stays() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    chat.say("title Theirs").await;
    assert_eq!(chat.show().await["title"], "Theirs");
    daemon
        .patch(&chat.path(""), json!({"title": "Mine"}))
        .await
        .is(200);
    chat.say("title Theirs again").await;
    assert_eq!(chat.show().await["title"], "Mine");
    let combining = format!("e{}", "\u{301}".repeat(119));
    daemon
        .patch(&chat.path(""), json!({ "title": combining }))
        .await
        .is(200);
    assert_eq!(chat.show().await["title"], combining.as_str());
    daemon
        .patch(&chat.path(""), json!({"title": "x".repeat(121)}))
        .await
        .refuses(422, "validation_failed");
    assert_eq!(
        daemon.patch(&chat.path(""), json!({})).await.is(200)["data"]["title"],
        combining.as_str()
    );
}

#[tokio::test]
async fn a_transcript_ends_in_one_mark_and_the_turn_goes_on() {
    let daemon = Daemon::with(|settings| settings.limits.transcript = 4_000).await;
    let chat = daemon.built_in(json!({"execute": "ask"})).await;
    let accepted = chat.prompt("flood 100\nask execute x").await;
    let request = chat.request().await;
    chat.pick(&request, "allow_once").await.is(200);
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert_eq!(chat.say("flood 10").await["state"], "done");
    let tags = chat.tags().await;
    assert_eq!(
        tags.iter().filter(|tag| *tag == "transcript/done").count(),
        1,
        "{tags:?}"
    );
    assert_eq!(
        chat.stages("transcript/done").await[0],
        json!({"event": "truncated", "limit_bytes": 4_000})
    );
    let at = tags
        .iter()
        .position(|tag| tag == "transcript/done")
        .unwrap();
    let after: Vec<&str> = tags[at + 1..].iter().map(String::as_str).collect();
    assert_eq!(
        after,
        [
            "request/started",
            "acp",
            "request/done",
            "turn/done",
            "turn/started",
            "turn/done"
        ]
    );
}

#[tokio::test]
async fn a_key_that_an_agent_prints_is_not_in_the_transcript() {
    let daemon = Daemon::new().await;
    let scenario =
        "on session/prompt\nenv FOUNTAIN_TOKEN\npost 1 execute x\nawait 1\nrespond end_turn";
    let chat = daemon.scripted(scenario, json!(null)).await;
    let accepted = chat.prompt("x").await;
    assert_eq!(chat.end(&accepted).await["state"], "done");
    assert_eq!(chat.text(&accepted).await, "[REDACTED]");
    // However it is written: whole, in a title, in what it wants to do, as it dies.
    let chat = daemon.built_in(json!({"default": "ask"})).await;
    let accepted = chat
        .prompt("run echo $FOUNTAIN_TOKEN; echo \"$FOUNTAIN_TOKEN\" >&2")
        .await;
    let request = chat.request().await;
    chat.pick(&request, "allow_once").await.is(200);
    chat.end(&accepted).await;
    let dying = daemon
        .agent(
            "read -r hello; echo \"key $FOUNTAIN_TOKEN\" >&2; exit 1",
            json!(null),
        )
        .await;
    let dying = daemon.chat(&dying).await;
    let end = dying.say("x").await;
    assert!(
        end["reason"].as_str().unwrap().ends_with("key [REDACTED]"),
        "{end}"
    );
    // The only keys anywhere in the database are their hashes and prefixes.
    let everything = [
        "events WHERE body",
        "conversations WHERE title",
        "turns WHERE reason",
        "requests WHERE summary",
    ];
    for place in everything {
        let sql = format!(
            "SELECT count(*) FROM {place} GLOB '*ftn_[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]*'"
        );
        let found = daemon
            .app
            .store
            .read(move |db| Ok(db.query_row(&sql, [], |row| row.get::<_, i64>(0))?));
        assert_eq!(found.await.unwrap(), 0, "{place}");
    }
    let marks = daemon.app.store.read(|db| {
        Ok(db.query_row(
            "SELECT count(*) FROM events WHERE body LIKE '%[REDACTED]%'",
            [],
            |row| row.get::<_, i64>(0),
        )?)
    });
    assert!(marks.await.unwrap() >= 3);
}

#[tokio::test]
async fn an_agent_sees_nothing_of_the_daemons_environment() {
    let daemon = Daemon::with(|settings| {
        let runtime = settings.runtimes.get_mut("acp").unwrap();
        runtime.env.insert(
            "GIVEN".into(),
            fountain_core::settings::Secret::new("given-value-1"),
        );
        runtime.pass.push("CARGO_PKG_NAME".into());
    })
    .await;
    let chat = daemon.built_in(json!(null)).await;
    let accepted = chat.prompt("run env").await;
    chat.end(&accepted).await;
    let said = chat.text(&accepted).await + &format!("{:?}", chat.events().await);
    until("it is there", async || {
        said.contains("FOUNTAIN_CONVERSATION_ID")
    })
    .await;
    assert!(
        said.contains(&format!("FOUNTAIN_CONVERSATION_ID={}", chat.id)),
        "{said}"
    );
    assert!(
        said.contains(&format!("FOUNTAIN_BASE_URL=http://{}", daemon.address)),
        "{said}"
    );
    assert!(
        said.contains("GIVEN=[REDACTED]"),
        "what is given is there, and hidden: {said}"
    );
    assert!(!said.contains("CARGO_MANIFEST_DIR"), "{said}");
    assert!(!said.contains(&daemon.key), "{said}");
}
