//! A database of the first version, kept for ever: every later program opens it and reads what is in it.

use fountain_core::api::auth::Scope;

use super::*;

/// Made once by that version's own functions and dumped as text; never edited.
const V1: &str = include_str!("../fixtures/v1.sql");

const AGENT: &str = "019ad0b2-6c00-7000-8000-00000000000a";
const CONVERSATION: &str = "019ad0b2-6c00-7000-8000-0000000000c1";

#[tokio::test]
async fn a_database_of_the_first_version_is_opened_and_read() {
    let place = Place::new();
    Connection::open(place.file())
        .unwrap()
        .execute_batch(V1)
        .unwrap();
    let store = place.open();
    let conversation: ConversationId = CONVERSATION.parse().unwrap();
    let read = store.read(move |db| {
        assert_eq!(
            instance::get(db, "owner")?.as_deref(),
            Some("019ad0b2-6c00-7000-8000-000000000001")
        );
        let agents = agents::list(db, "")?;
        assert_eq!(
            (agents.len(), agents[0].id.as_str(), agents[0].name.as_str()),
            (1, AGENT, "Old Agent")
        );
        assert_eq!(
            agents[0].permission_policy,
            Some(json!({"execute": "ask", "ask_timeout": 3600}))
        );
        let shown = conversations::show(db, conversation)?.unwrap();
        assert_eq!(
            (shown.title.as_deref(), shown.turn_count),
            (Some("An old title"), 2)
        );
        assert_eq!(
            shown.permission_policy,
            Some(json!({"delete": "auto_deny"}))
        );
        let turns = turns::list(db, conversation)?;
        let ends: Vec<_> = turns
            .iter()
            .map(|turn| (turn.turn_number, turn.status.as_str(), turn.waiting))
            .collect();
        assert_eq!(ends, [(1, "completed", true), (2, "running", false)]);
        let image = turns::image(db, conversation, turns[0].id.parse().unwrap(), 0)?.unwrap();
        assert_eq!(image.data, b"\x89PNG\r\n\x1a\n");
        let live = conversations::find(db, conversation)?.unwrap();
        let mut rows = Vec::new();
        events::after(db, live.key, Seq(0), 100, |row| {
            rows.push((row.id.0, row.tag.to_owned(), row.body.to_owned()));
            true
        })?;
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[1].1, "acp");
        assert!(rows[1].2.contains("漢字 🎉"), "{rows:?}");
        let open = requests::open(db, live.key)?;
        assert_eq!(
            (open.len(), open[0].detached, open[0].options.raw().len()),
            (1, true, 2)
        );
        let settled = requests::ended(
            db,
            conversation,
            &RequestId::from_text("1.000000000000000f"),
        )?;
        assert_eq!(settled.unwrap().unwrap().outcome, "answered");
        let key = keys::by_hash(db, "an old hash")?.unwrap();
        assert_eq!((key.scope, key.revoked_at), (Scope::Full, None));
        Ok(live.key)
    });
    let key = read.await.unwrap();
    // And it goes on from where it was.
    assert_eq!(
        store.write(move |tx| say(tx, key, "on")).await.unwrap(),
        Seq(42)
    );
    assert!(
        store
            .write(move |tx| conversations::delete(tx, conversation))
            .await
            .unwrap()
    );
    store.close().await;
}

#[tokio::test]
async fn an_old_database_becomes_what_a_new_one_is() {
    let (old, new) = (Place::new(), Place::new());
    Connection::open(old.file())
        .unwrap()
        .execute_batch(V1)
        .unwrap();
    let mut shapes = Vec::new();
    for place in [old, new] {
        let store = place.open();
        let read = store.read(|db| {
            let mut statement = db.prepare(
                "SELECT t.name, t.strict, c.name, c.type, c.\"notnull\", c.dflt_value, c.pk
                 FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c
                 WHERE t.schema = 'main' ORDER BY t.name, c.name",
            )?;
            let columns = statement
                .query_map([], |row| {
                    let (table, strict): (String, i64) = (row.get(0)?, row.get(1)?);
                    let (column, kind): (String, String) = (row.get(2)?, row.get(3)?);
                    let (required, default): (i64, Option<String>) = (row.get(4)?, row.get(5)?);
                    Ok((
                        table,
                        strict,
                        column,
                        kind,
                        required,
                        default,
                        row.get::<_, i64>(6)?,
                    ))
                })?
                .collect::<Result<Vec<_>, _>>()?;
            let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
            Ok((version, columns))
        });
        shapes.push(read.await.unwrap());
    }
    assert_eq!(shapes[0], shapes[1]);
}
