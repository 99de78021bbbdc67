//! Rows: settled once, removed whole, readable when damaged, found by their index.

use fountain_core::outcome::Outcome;
use fountain_core::request::{Resolution, Settled};
use rusqlite::Params;

use super::*;

fn settled(by: &str) -> Settled {
    Settled {
        resolution: Resolution::Answered,
        outcome: Outcome::Cancelled,
        by: by.into(),
        at: NOW,
    }
}

#[tokio::test]
async fn of_many_answers_one_changes_the_row() {
    let place = Place::new();
    let store = place.open();
    let (key, id) = conversation(&store).await;
    let open = request("7.1", turn(1).id, NOW);
    store
        .write(move |tx| requests::insert(tx, key, &open))
        .await
        .unwrap();
    let tasks: Vec<_> = (0..20)
        .map(|number| {
            let store = store.clone();
            let by = format!("person {number}");
            tokio::spawn(async move {
                let request = RequestId::from_text("7.1");
                let mine = settled(&by);
                let won = store
                    .write(move |tx| requests::settle(tx, &request, &mine))
                    .await;
                (won.unwrap(), by)
            })
        })
        .collect();
    let mut winners = Vec::new();
    for task in tasks {
        let (won, by) = task.await.unwrap();
        winners.extend(won.then_some(by));
    }
    assert_eq!(winners.len(), 1);
    let ended = store
        .read(move |db| requests::ended(db, id, &RequestId::from_text("7.1")))
        .await;
    assert_eq!(ended.unwrap().unwrap().unwrap().by, winners[0]);
}

#[tokio::test]
async fn a_settled_request_can_no_longer_be_detached() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    let open = request("7.1", turn(1).id, NOW);
    let request = open.clone();
    let found = store.write(move |tx| {
        requests::insert(tx, key, &open)?;
        requests::settle(tx, &open.id, &settled("me"))?;
        requests::detach(tx, &request)?;
        requests::open(tx.connection(), key)
    });
    assert_eq!(found.await.unwrap(), []);
}

#[tokio::test]
async fn a_request_comes_back_as_it_was_stored() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    let open = request("a-b.0f", turn(1).id, NOW);
    let stored = open.clone();
    store
        .write(move |tx| requests::insert(tx, key, &stored))
        .await
        .unwrap();
    let found = store.read(move |db| requests::open(db, key)).await.unwrap();
    assert_eq!(found, [open]);
}

#[tokio::test]
async fn removing_a_conversation_removes_everything_of_it() {
    let place = Place::new();
    let store = place.open();
    let (key, id) = conversation(&store).await;
    let (other, _) = conversation(&store).await;
    for key in [key, other] {
        let turn = turn(1);
        let open = request(&format!("7.{key}"), turn.id, NOW);
        let submission = turns::Submission {
            prompt: "look".into(),
            images: vec![turns::Picture {
                media_type: "image/png".into(),
                data: vec![1, 2, 3],
            }],
            client_request_id: None,
        };
        let filled = store.write(move |tx| {
            turns::insert(tx, key, &turn, &submission, NOW)?;
            requests::insert(tx, key, &open)?;
            let decided = decisions::Decided {
                request: open.id,
                turn: turn.id,
                title: None,
                kind: None,
                tool: "execute".into(),
                verdict: "ask",
                key: "default".into(),
                source: "policy".into(),
                option: None,
                latency_ms: 0,
            };
            decisions::decided(tx, key, &decided, NOW)?;
            say(tx, key, "x")
        });
        filled.await.unwrap();
    }
    assert!(
        store
            .write(move |tx| conversations::delete(tx, id))
            .await
            .unwrap()
    );
    assert!(
        !store
            .write(move |tx| conversations::delete(tx, id))
            .await
            .unwrap()
    );
    for table in [
        "conversations",
        "turns",
        "images",
        "events",
        "requests",
        "decisions",
    ] {
        let left = store.read(move |db| {
            let sql = format!("SELECT count(*) FROM {table}");
            Ok(db.query_row(&sql, [], |row| row.get::<_, i64>(0))?)
        });
        assert_eq!(left.await.unwrap(), 1, "{table}");
    }
}

#[tokio::test]
async fn what_is_due_is_found_by_its_index_the_soonest_first() {
    let place = Place::new();
    let store = place.open();
    let (key, id) = conversation(&store).await;
    let turn = turn(1).id;
    store
        .write(move |tx| {
            for (name, deadline, detached, over) in [
                ("late", 20, true, false),
                ("early", 10, true, false),
                ("in its turn", 10, false, false),
                ("settled", 10, true, true),
                ("not yet", 31, true, false),
            ] {
                let open = request(name, turn, Timestamp(deadline));
                requests::insert(tx, key, &open)?;
                if detached {
                    requests::detach(tx, &open)?;
                }
                if over {
                    requests::settle(tx, &open.id, &settled("me"))?;
                }
            }
            Ok(())
        })
        .await
        .unwrap();
    let due = store
        .read(|db| requests::due(db, Timestamp(30), None, 10))
        .await
        .unwrap();
    let names: Vec<&str> = due.iter().map(|due| due.request.as_str()).collect();
    assert_eq!(names, ["early", "late"]);
    assert!(due.iter().all(|due| due.conversation == id));
    let one = store
        .read(|db| requests::due(db, Timestamp(30), None, 1))
        .await
        .unwrap();
    assert_eq!(one.len(), 1);
    let last = (one[0].deadline, one[0].request.clone());
    let next = store
        .read(move |db| requests::due(db, Timestamp(30), Some(&last), 10))
        .await
        .unwrap();
    assert_eq!(next[0].request.as_str(), "late");
    let plan = plan(&store, requests::DUE, (30, 0, "", 10)).await;
    assert!(
        plan.contains("requests_due") && !plan.contains("TEMP B-TREE"),
        "{plan}"
    );
}

#[tokio::test]
async fn a_log_is_read_by_its_key_alone() {
    let place = Place::new();
    let store = place.open();
    let plan = plan(&store, events::AFTER, (1, 0, 10)).await;
    assert!(plan.contains("SEARCH events USING PRIMARY KEY"), "{plan}");
    assert!(!plan.contains("TEMP B-TREE"), "{plan}");
}

#[tokio::test]
async fn what_runs_is_found_among_the_open_turns_alone() {
    let place = Place::new();
    let plan = plan(&place.open(), credits::RUNNING, ()).await;
    assert!(plan.contains("USING INDEX turns_open"), "{plan}");
}

/// How SQLite would look for it, a line for each step.
async fn plan(store: &Store, sql: &'static str, with: impl Params + Send + 'static) -> String {
    let lines = store.read(move |db| {
        let mut statement = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        let lines = statement.query_map(with, |row| row.get::<_, String>(3))?;
        Ok(lines.collect::<Result<Vec<_>, _>>()?)
    });
    lines.await.unwrap().join("\n")
}

#[tokio::test]
async fn a_damaged_row_is_shown_as_it_is_and_hides_no_other() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    for number in 1..=100 {
        let line = format!("{{\"n\":{number}}}");
        store.write(move |tx| say(tx, key, &line)).await.unwrap();
    }
    let damaged = store.write(move |tx| {
        tx.execute("UPDATE events SET body = '{broken' WHERE id = 50", [])?;
        // Bytes that are no text at all.
        tx.execute(
            "UPDATE events SET body = CAST(x'ff00fe' AS TEXT) WHERE id = 60",
            [],
        )
    });
    assert_eq!(damaged.await.unwrap(), 1);
    let rows = log(&store, key, 0).await;
    assert_eq!(rows.len(), 100);
    assert_eq!(rows[49].1, "{broken");
    assert_eq!(rows[59].1, "");
    assert_eq!(rows[60].1, r#"{"n":61}"#);
    assert_eq!(
        store.write(move |tx| say(tx, key, "on")).await.unwrap(),
        Seq(101)
    );
}

#[tokio::test]
async fn an_agent_that_is_removed_leaves_its_conversations() {
    let place = Place::new();
    let store = place.open();
    let (_, id) = conversation(&store).await;
    let agent = store
        .read(move |db| conversations::find(db, id))
        .await
        .unwrap()
        .unwrap()
        .agent
        .unwrap();
    assert!(
        store
            .write(move |tx| agents::delete(tx, agent))
            .await
            .unwrap()
    );
    let live = store.read(move |db| conversations::find(db, id)).await;
    assert_eq!(live.unwrap().unwrap().agent, None);
}

#[tokio::test]
async fn a_turn_that_is_over_stays_as_it_ended() {
    let place = Place::new();
    let store = place.open();
    let (key, id) = conversation(&store).await;
    let turn = turn(1);
    let first = fountain_core::turn::Ending {
        usage: Some((3, 4)),
        ..fountain_core::turn::Ending::interrupted("one")
    };
    let second = fountain_core::turn::Ending {
        usage: Some((3, 4)),
        ..fountain_core::turn::Ending::failed("two")
    };
    let ended = store.write(move |tx| {
        turns::insert(tx, key, &turn, &turns::Submission::default(), NOW)?;
        turns::start(tx, turn.id, 1, NOW)?;
        turns::end(tx, key, turn.id, &first, first.reason.as_deref(), NOW)?;
        turns::end(tx, key, turn.id, &second, second.reason.as_deref(), NOW)?;
        turns::start(tx, turn.id, 2, NOW)
    });
    ended.await.unwrap();
    let shown = store.read(move |db| turns::list(db, id)).await.unwrap();
    assert_eq!(
        (shown[0].status.as_str(), shown[0].reason.as_deref()),
        ("interrupted", Some("one"))
    );
    let total = store
        .read(move |db| conversations::show(db, id))
        .await
        .unwrap()
        .unwrap();
    assert_eq!((total.usage_total.input, total.usage_total.output), (3, 4));
}
