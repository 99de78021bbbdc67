//! Removing a conversation: no rows, no disk, no process.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use serde_json::json;

use super::kit::{self, Daemon, tag, until};
use crate::sandbox::{Capabilities, Directory, Disk, Kind, Launch, Process};

/// Sandboxes whose disk takes its time to come into being.
struct Slow {
    kind: Directory,
    begun: AtomicBool,
    made: AtomicBool,
    destroyed: AtomicBool,
    go_on: std::sync::Mutex<mpsc::Receiver<()>>,
}

impl Kind for Slow {
    fn name(&self) -> &'static str {
        self.kind.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.kind.capabilities()
    }

    fn provision(&self, disk: &Disk) -> io::Result<()> {
        self.begun.store(true, Ordering::SeqCst);
        let _ = self.go_on.lock().unwrap().recv();
        let made = self.kind.provision(disk);
        self.made.store(true, Ordering::SeqCst);
        made
    }

    fn install(&self, disk: &Disk, name: &str) -> io::Result<()> {
        self.kind.install(disk, name)
    }

    fn start(&self, disk: &Disk, launch: &Launch) -> io::Result<Process> {
        self.kind.start(disk, launch)
    }

    fn destroy(&self, disk: &Disk) -> io::Result<()> {
        let destroyed = self.kind.destroy(disk);
        self.destroyed.store(true, Ordering::SeqCst);
        destroyed
    }
}

#[tokio::test]
async fn a_disk_that_is_being_made_is_gone_when_the_removal_is_told() {
    let (release, go_on) = mpsc::channel();
    let slow = Arc::new(Slow {
        kind: kit::sandboxes(),
        begun: AtomicBool::new(false),
        made: AtomicBool::new(false),
        destroyed: AtomicBool::new(false),
        go_on: std::sync::Mutex::new(go_on),
    });
    let home = tempfile::tempdir().unwrap();
    let daemon = Daemon::on_kind(home, Arc::clone(&slow) as Arc<dyn Kind>, |_| {}).await;
    let chat = daemon.scripted("", json!(null)).await;
    chat.prompt("x").await;
    until("its disk is being made", async || {
        slow.begun.load(Ordering::SeqCst)
    })
    .await;
    let path = chat.path("");
    let removal = daemon.delete(&path);
    let making = async {
        // Whoever does not wait for it destroys it first.
        for _ in 0..100 {
            if slow.destroyed.load(Ordering::SeqCst) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        release.send(()).unwrap();
    };
    let (reply, ()) = tokio::join!(removal, making);
    assert_eq!(reply.status, 204);
    until("it was made", async || slow.made.load(Ordering::SeqCst)).await;
    let sandboxes = daemon.folder().join("data").join("sandboxes");
    let left: Vec<_> = std::fs::read_dir(&sandboxes)
        .map(|entries| entries.map(|entry| entry.unwrap().file_name()).collect())
        .unwrap_or_default();
    assert_eq!(left, [] as [std::ffi::OsString; 0]);
    assert!(daemon.processes(None).is_empty());
    assert_eq!(chat.heard_times("start"), 0);
}

#[tokio::test]
async fn a_conversation_that_is_removed_leaves_nothing() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted_by(
            "(setsid sleep 1000 &) ; ",
            "on session/prompt\nchunk half\npost 1 execute x\nhang",
            json!({"default": "ask"}),
        )
        .await;
    let other = daemon.built_in(json!(null)).await;
    other.say("say hi").await;
    let accepted = chat.prompt("x").await;
    chat.request().await;
    let shown = chat.show().await;
    let disk = daemon
        .folder()
        .join("data")
        .join("sandboxes")
        .join(shown["sandbox_id"].as_str().unwrap());
    assert!(disk.join("workspace").is_dir());
    assert!(daemon.processes(Some(&shown)).len() >= 3);
    let mut stream = chat.follow(&accepted["after"]).await;
    assert_eq!(daemon.delete(&chat.path("")).await.status, 204);
    assert!(
        daemon.processes(Some(&shown)).is_empty(),
        "it is told when nothing is left"
    );
    assert!(!disk.exists());
    for (table, left) in [
        ("conversations", 1),
        ("turns", 1),
        ("requests", 0),
        ("events", 0),
    ] {
        let sql = format!(
            "SELECT count(*) FROM {table} WHERE {} IS NOT NULL",
            if table == "events" { "NULL" } else { "rowid" }
        );
        let count = daemon
            .app
            .store
            .read(move |db| Ok(db.query_row(&sql, [], |row| row.get::<_, i64>(0))?));
        assert_eq!(count.await.unwrap(), left, "{table}");
    }
    assert_eq!(
        daemon
            .count("SELECT count(DISTINCT conversation) FROM events")
            .await,
        1
    );
    assert_eq!(
        daemon
            .count(
                "SELECT count(*) FROM keys WHERE conversation IS NOT NULL AND revoked_at IS NULL"
            )
            .await,
        1
    );
    while let Some(frame) = stream.frame().await {
        assert!(frame.comment.is_some() || tag(&frame.value()) != "turn/done");
    }
    for path in ["", "/turns", "/events", "/stream"] {
        daemon.get(&chat.path(path)).await.refuses(404, "not_found");
    }
    chat.try_prompt("x").await.refuses(404, "not_found");
    daemon
        .delete(&chat.path(""))
        .await
        .refuses(404, "not_found");
    assert_eq!(
        daemon.audit("conversation.deleted").await[0]["id"],
        json!(chat.id)
    );
    assert_eq!(other.say("say more").await["state"], "done");
}

#[tokio::test]
async fn a_conversation_that_is_removed_as_it_starts_leaves_nothing_either() {
    let daemon = Daemon::new().await;
    let sandboxes = daemon.folder().join("data").join("sandboxes");
    for round in 0..12 {
        let chat = daemon.scripted("", json!(null)).await;
        if round % 3 != 0 {
            chat.prompt("x").await;
        }
        for _ in 0..round % 4 {
            tokio::task::yield_now().await;
        }
        assert_eq!(daemon.delete(&chat.path("")).await.status, 204);
        chat.show_is_gone().await;
    }
    until("no process is left", async || {
        daemon.processes(None).is_empty()
    })
    .await;
    let left: Vec<_> = std::fs::read_dir(&sandboxes)
        .map(|entries| entries.map(|entry| entry.unwrap().file_name()).collect())
        .unwrap_or_default();
    assert_eq!(left, [] as [std::ffi::OsString; 0]);
    assert_eq!(daemon.count("SELECT count(*) FROM turns").await, 0);
}

#[tokio::test]
async fn of_several_removals_one_is_told_that_it_was_there() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    chat.say("say hi").await;
    let path = chat.path("");
    let replies = futures_util::future::join_all((0..4).map(|_| daemon.delete(&path))).await;
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 204).count(),
        1,
        "{replies:?}"
    );
    for reply in replies.iter().filter(|reply| reply.status != 204) {
        reply.refuses(404, "not_found");
    }
}
