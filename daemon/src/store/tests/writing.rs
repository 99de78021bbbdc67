//! Committing: what is queued is one commit, and a job that fails takes back its own.

use std::sync::atomic::Ordering;

use super::*;

#[tokio::test]
async fn a_job_that_fails_takes_back_its_own_and_its_ids_and_no_other() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    place.rung();
    let held = Held::new(&store);
    let lost = Arc::default();
    let first = store.submit(&lost, move |tx| say(tx, key, "a"));
    let broken = store.submit(&Arc::default(), move |tx| {
        say(tx, key, "never")?;
        say(tx, key, "never")?;
        Err::<(), _>(refused())
    });
    let last = store.submit(&lost, move |tx| say(tx, key, "b"));
    held.release();
    assert_eq!(first.await.unwrap().unwrap(), Seq(1));
    assert!(broken.await.unwrap().is_err());
    assert_eq!(last.await.unwrap().unwrap(), Seq(2));
    assert_eq!(
        log(&store, key, 0).await,
        [(1, "a".to_owned()), (2, "b".to_owned())]
    );
    assert_eq!(place.rung(), [vec![(key, Seq(2))]], "one commit, told once");
    assert!(!lost.load(Ordering::Acquire));
}

#[tokio::test]
async fn one_commit_tells_each_log_once_and_where_it_is_now() {
    let place = Place::new();
    let store = place.open();
    let (a, _) = conversation(&store).await;
    let (b, _) = conversation(&store).await;
    assert_eq!(place.rung(), Vec::<Vec<_>>::new(), "no log grew");
    let held = Held::new(&store);
    let mut promises = Vec::new();
    for key in [a, b, a, a, b] {
        promises.push(store.submit(&Arc::default(), move |tx| say(tx, key, "x")));
    }
    held.release();
    for promise in promises {
        promise.await.unwrap().unwrap();
    }
    assert_eq!(place.rung(), [vec![(a, Seq(4)), (b, Seq(5))]]);
}

#[tokio::test]
async fn the_bell_is_rung_once_others_can_read_and_before_the_job_is_told() {
    let place = Place::new();
    let path = place.file();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let committed = move |grown: &[(Key, Seq)]| {
        let reader = connect(&path, true).unwrap();
        let newest = events::newest(&reader, grown[0].0).unwrap();
        noted.lock().unwrap().push((grown[0].1, newest));
    };
    let store = Store::open(&place.file(), Box::new(committed)).unwrap();
    let (key, _) = conversation(&store).await;
    for number in 1..=20 {
        store.write(move |tx| say(tx, key, "x")).await.unwrap();
        let (told, read) = *seen.lock().unwrap().last().expect("it was rung");
        assert_eq!((told, read), (Seq(number), Seq(number)));
    }
}

#[tokio::test]
async fn a_lost_update_is_known_before_the_next_job_runs() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    let lost: Arc<AtomicBool> = Arc::default();
    for _ in 0..50 {
        lost.store(false, Ordering::Release);
        drop(store.submit(&lost, |_| Err::<(), _>(refused())));
        // This job may be in the same group: it is then told with it, and the one after must know.
        store.write(move |tx| say(tx, key, "x")).await.unwrap();
        let knows = Arc::clone(&lost);
        let next = store.write(move |_| Ok(knows.load(Ordering::Acquire)));
        assert!(next.await.unwrap());
    }
}

#[tokio::test]
async fn an_update_that_is_lost_in_a_group_is_known_to_the_next_of_the_group() {
    let place = Place::new();
    let store = place.open();
    let lost: Arc<AtomicBool> = Arc::default();
    let held = Held::new(&store);
    drop(store.submit(&lost, |_| Err::<(), _>(refused())));
    let knows = Arc::clone(&lost);
    let next = store.submit(&Arc::default(), move |_| Ok(knows.load(Ordering::Acquire)));
    held.release();
    assert!(next.await.unwrap().unwrap());
}

#[tokio::test]
async fn readers_see_what_is_committed_and_nothing_else() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    let (told, hear) = mpsc::channel();
    let (release, wait) = mpsc::channel::<()>();
    let job = store.submit(&Arc::default(), move |tx| {
        say(tx, key, "half")?;
        told.send(()).unwrap();
        let _ = wait.recv();
        say(tx, key, "whole")
    });
    tokio::task::spawn_blocking(move || hear.recv().unwrap())
        .await
        .unwrap();
    assert_eq!(log(&store, key, 0).await, []);
    release.send(()).unwrap();
    job.await.unwrap().unwrap();
    assert_eq!(log(&store, key, 0).await.len(), 2);
}

#[tokio::test]
async fn ids_are_never_used_again_also_after_a_delete_and_a_restart() {
    let place = Place::new();
    let store = place.open();
    let (key, id) = conversation(&store).await;
    for _ in 0..3 {
        store.write(move |tx| say(tx, key, "x")).await.unwrap();
    }
    assert!(
        store
            .write(move |tx| conversations::delete(tx, id))
            .await
            .unwrap()
    );
    let (other, _) = conversation(&store).await;
    assert_ne!(
        other, key,
        "whoever follows the deleted log must not read this one"
    );
    assert_eq!(
        store.write(move |tx| say(tx, other, "y")).await.unwrap(),
        Seq(4)
    );
    store.close().await;
    let store = place.open();
    assert_eq!(
        store.write(move |tx| say(tx, other, "z")).await.unwrap(),
        Seq(5)
    );
}

#[tokio::test]
async fn when_a_group_cannot_begin_nothing_of_it_is_stored() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    store
        .write(|tx| Ok(tx.connection().busy_timeout(std::time::Duration::ZERO)?))
        .await
        .unwrap();
    let mut other = Connection::open(place.file()).unwrap();
    let blocker = other
        .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
        .unwrap();
    let lost: Arc<AtomicBool> = Arc::default();
    let promise = store.submit(&lost, move |tx| say(tx, key, "never"));
    assert!(matches!(promise.await.unwrap(), Err(Error::Commit(_))));
    assert!(lost.load(Ordering::Acquire));
    drop(blocker);
    assert_eq!(log(&store, key, 0).await, []);
    assert_eq!(
        store.write(move |tx| say(tx, key, "x")).await.unwrap(),
        Seq(1)
    );
    assert_eq!(place.rung(), [vec![(key, Seq(1))]]);
}

#[tokio::test]
async fn when_a_group_is_rolled_back_half_way_nothing_of_it_is_stored() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    place.rung();
    let held = Held::new(&store);
    let before = store.submit(&Arc::default(), move |tx| say(tx, key, "before"));
    // What SQLite does by itself when the disk is full or broken.
    let broken = store.submit(&Arc::default(), move |tx| {
        say(tx, key, "broken")?;
        tx.connection().execute_batch("ROLLBACK")?;
        Err::<(), _>(refused())
    });
    let after = store.submit(&Arc::default(), move |tx| say(tx, key, "after"));
    held.release();
    let stored = [before.await.unwrap(), after.await.unwrap()];
    assert!(broken.await.unwrap().is_err());
    assert!(stored[0].is_err(), "it was rolled back with the rest");
    // The one after may have been stored by a commit of its own; whatever was told is true.
    let said: Vec<String> = stored
        .iter()
        .flatten()
        .map(|seq| format!("{}", seq.0))
        .collect();
    let found: Vec<String> = log(&store, key, 0)
        .await
        .iter()
        .map(|(id, _)| id.to_string())
        .collect();
    assert_eq!(said, found);
    assert!(store.write(move |tx| say(tx, key, "x")).await.is_ok());
}

#[tokio::test]
async fn many_writers_each_get_an_id_of_their_own() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    let tasks: Vec<_> = (0..200)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.write(move |tx| say(tx, key, "x")).await.unwrap().0 })
        })
        .collect();
    let mut ids = Vec::new();
    for task in tasks {
        ids.push(task.await.unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, (1..=200).collect::<Vec<_>>());
    let newest = place.rung().last().unwrap()[0].1;
    assert_eq!(newest, Seq(200));
}

#[tokio::test]
async fn a_job_that_panics_takes_back_its_own_and_the_writer_goes_on() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    let panics = store.write(move |tx| -> Result<(), Error> {
        say(tx, key, "never")?;
        panic!("as a fault of ours would")
    });
    assert!(matches!(panics.await, Err(Error::Panicked)));
    assert_eq!(
        store.write(move |tx| say(tx, key, "x")).await.unwrap(),
        Seq(1)
    );
    assert_eq!(log(&store, key, 0).await, [(1, "x".to_owned())]);
}

#[tokio::test]
async fn a_file_that_cannot_grow_is_noticed_and_so_is_that_it_can_again() {
    let place = Place::new();
    let store = place.open();
    let (key, _) = conversation(&store).await;
    store.check().await.unwrap();
    let most = |pages: &'static str| {
        store.write(move |tx| {
            let set = format!("PRAGMA max_page_count = {pages}");
            Ok(tx.connection().query_row(&set, [], |_| Ok(()))?)
        })
    };
    // Less than it has means what it has.
    most("1").await.unwrap();
    let long = "x".repeat(100_000);
    assert!(store.write(move |tx| say(tx, key, &long)).await.is_err());
    assert!(store.check().await.is_err());
    assert!(store.check().await.is_err());
    most("1000000").await.unwrap();
    store.check().await.unwrap();
}
