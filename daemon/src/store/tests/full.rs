//! A disk without room: jobs are told, nothing half is stored, and it works again once there is room.

use std::sync::atomic::Ordering;

use super::*;

/// Lets the file grow to this many pages; none is any number.
async fn room(store: &Store, pages: Option<i64>) {
    let pages = pages.unwrap_or(1_000_000_000);
    let set = store.write(move |tx| {
        let set: i64 =
            tx.connection()
                .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |row| {
                    row.get(0)
                })?;
        Ok(set)
    });
    set.await.unwrap();
}

async fn pages(store: &Store) -> i64 {
    let count = store.read(|db| Ok(db.pragma_query_value(None, "page_count", |row| row.get(0))?));
    count.await.unwrap()
}

#[tokio::test]
async fn a_full_disk_is_told_and_forgotten_once_there_is_room() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    store.write(move |tx| say(tx, key, "first")).await.unwrap();
    room(&store, Some(pages(&store).await + 4)).await;
    place.rung();
    let line = "x".repeat(3_000);
    let mut stored = vec![1];
    let lost: Arc<AtomicBool> = Arc::default();
    loop {
        let line = line.clone();
        match store
            .submit(&lost, move |tx| say(tx, key, &line))
            .await
            .unwrap()
        {
            Ok(seq) => stored.push(seq.0),
            Err(error) => {
                assert!(error.to_string().contains("full"), "{error}");
                break;
            }
        }
    }
    assert!(lost.load(Ordering::Acquire));
    // It is told as long as it lasts, to each; readers do not mind.
    let huge = "x".repeat(100_000);
    let again = store.write(move |tx| say(tx, key, &huge)).await;
    assert!(again.is_err());
    let found: Vec<i64> = log(&store, key, 0)
        .await
        .iter()
        .map(|(id, _)| *id)
        .collect();
    assert_eq!(found, stored);
    room(&store, None).await;
    let next = store.write(move |tx| say(tx, key, "last")).await.unwrap();
    assert_eq!(next.0, stored.last().unwrap() + 1);
    assert_eq!(place.rung().last().unwrap()[..], [(key, next)]);
}

#[tokio::test]
async fn in_a_full_group_whoever_was_told_of_success_is_stored() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    room(&store, Some(pages(&store).await + 6)).await;
    let held = Held::new(&store);
    let promises: Vec<_> = (0..20)
        .map(|number| {
            let line = "x".repeat(if number % 3 == 0 { 10 } else { 5_000 });
            store.submit(&Arc::default(), move |tx| say(tx, key, &line))
        })
        .collect();
    held.release();
    let mut stored = Vec::new();
    let mut refused = 0;
    for promise in promises {
        match promise.await.unwrap() {
            Ok(seq) => stored.push(seq.0),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 0, "there was room for everything");
    let found: Vec<i64> = log(&store, key, 0)
        .await
        .iter()
        .map(|(id, _)| *id)
        .collect();
    assert_eq!(found, stored);
    room(&store, None).await;
    let next = store.write(move |tx| say(tx, key, "x")).await.unwrap().0;
    assert!(stored.iter().all(|id| *id < next));
    store.close().await;
    let again = place.open();
    assert_eq!(log(&again, key, 0).await.last().unwrap().0, next);
    assert_eq!(
        again.write(move |tx| say(tx, key, "x")).await.unwrap().0,
        next + 1
    );
}
