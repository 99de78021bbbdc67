//! Opening: from nothing, again, and never a newer one.

use super::*;

/// The bytes of the database and of what lies beside it, if there are any.
fn bytes(place: &Place) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let entries = std::fs::read_dir(place.folder.path()).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap())
        // The index of the write-ahead log is no data: it is made anew by whoever opens the file.
        .filter(|entry| !entry.file_name().to_string_lossy().ends_with("-shm"))
        .map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap()))
        .filter(|(_, bytes)| !bytes.is_empty())
        .collect();
    files.sort();
    files
}

#[tokio::test]
async fn a_database_is_made_from_nothing() {
    let place = Place::new();
    let store = place.open();
    let found = store.read(|db| {
        let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let mode: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        let strict: i64 = db.query_row(
            "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' AND NOT strict",
            [],
            |row| row.get(0),
        )?;
        Ok((version, mode, strict))
    });
    assert_eq!(found.await.unwrap(), (2, "wal".to_owned(), 0));
    let pragmas = store.write(|tx| {
        let number = |name| {
            tx.connection()
                .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
        };
        Ok((number("synchronous")?, number("foreign_keys")?))
    });
    assert_eq!(pragmas.await.unwrap(), (2, 1));
}

#[tokio::test]
async fn what_was_stored_is_there_when_it_is_opened_again() {
    let place = Place::new();
    let store = place.open();
    let (key, id) = conversation(&store).await;
    store.write(move |tx| say(tx, key, "one")).await.unwrap();
    store.close().await;
    let again = place.open();
    assert_eq!(log(&again, key, 0).await, [(1, "one".to_owned())]);
    let live = again.read(move |db| conversations::find(db, id)).await;
    assert_eq!(live.unwrap().unwrap().key, key);
    assert_eq!(
        again.write(move |tx| say(tx, key, "two")).await.unwrap(),
        Seq(2)
    );
}

#[tokio::test]
async fn what_was_committed_is_there_also_when_nobody_closed_it() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    store.write(move |tx| say(tx, key, "one")).await.unwrap();
    // As a kill leaves them: the files with everything still in the write-ahead log.
    let copy = Place::new();
    for (name, bytes) in bytes(&place) {
        std::fs::write(copy.folder.path().join(name), bytes).unwrap();
    }
    assert_eq!(log(&copy.open(), key, 0).await, [(1, "one".to_owned())]);
}

#[tokio::test]
async fn a_newer_database_is_refused_and_not_touched() {
    let place = Place::new();
    let store = place.open();
    store
        .write(|tx| Ok(tx.connection().pragma_update(None, "user_version", 7)?))
        .await
        .unwrap();
    // Once as it was closed, once as a kill left it.
    let killed = Place::new();
    for (name, bytes) in bytes(&place) {
        std::fs::write(killed.folder.path().join(name), bytes).unwrap();
    }
    store.close().await;
    drop(store);
    for place in [place, killed] {
        let before = bytes(&place);
        let refused = Store::open(&place.file(), Box::new(|_| {})).err().unwrap();
        assert!(
            matches!(
                refused,
                OpenError::Newer {
                    found: 7,
                    known: 2,
                    ..
                }
            ),
            "{refused}"
        );
        let sentence = refused.to_string();
        assert!(
            sentence.contains("version 7") && sentence.contains("knows 2"),
            "{sentence}"
        );
        assert!(bytes(&place) == before, "a file was touched");
    }
}

#[test]
fn a_newer_database_in_another_mode_keeps_its_mode() {
    let place = Place::new();
    let other = Connection::open(place.file()).unwrap();
    other
        .execute_batch("CREATE TABLE t (x); PRAGMA user_version = 9;")
        .unwrap();
    drop(other);
    let before = bytes(&place);
    assert!(Store::open(&place.file(), Box::new(|_| {})).is_err());
    assert!(bytes(&place) == before, "the file was touched");
}

#[test]
fn what_is_no_database_is_refused_by_its_path() {
    let place = Place::new();
    std::fs::write(place.file(), vec![b'x'; 8192]).unwrap();
    let before = bytes(&place);
    let refused = Store::open(&place.file(), Box::new(|_| {})).err().unwrap();
    assert!(refused.to_string().contains("fountain.db"), "{refused}");
    assert!(bytes(&place) == before, "the file was touched");
}

#[tokio::test]
async fn a_closed_store_says_so() {
    let place = Place::new();
    let store = place.open();
    store.close().await;
    store.close().await;
    let refused = store.write(|_| Ok(())).await;
    assert!(matches!(refused, Err(Error::Closed)), "{refused:?}");
}
