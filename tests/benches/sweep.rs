//! The sweep over a million requests that wait: none due, then a thousand at once.

use std::fs::File;
use std::time::{Duration, Instant, SystemTime};

use rusqlite::{Connection, params};
use serde_json::json;

use crate::kit::{Daemon, Home, tell};

const ALL: i64 = 1_000_000;
const DUE: i64 = 1_000;

/// A tick while none is due, and the time from the deadline of a thousand until each agent has been told.
pub(crate) fn sweep() {
    let home = Home::new();
    let daemon = Daemon::start(&home);
    let agent =
        json!({"name": "figures", "runtime": "acp", "runtime_command": "exec fountain fixture"});
    let agent = daemon.post("/api/agents", &agent)["data"]["id"].clone();
    for _ in 0..=DUE {
        daemon.post("/api/conversations", &json!({ "agent_id": agent }));
    }
    drop(daemon);
    let database = find(home.path());
    let deadline = now_ms() + 45_000;
    fill(&database, deadline);
    let log = home.path().join("sweep.log");
    let daemon = Daemon::logging(
        &home,
        File::create(&log).unwrap(),
        &[("FOUNTAIN_LIMITS__SWEEP_INTERVAL", "1s")],
    );
    while now_ms() < deadline - 500 {
        std::thread::sleep(Duration::from_millis(100));
    }
    let quiet = ticks(&log);
    let none: Vec<Duration> = quiet.iter().map(|(_, took)| *took).collect();
    tell("sweep, none of 1 M due", &none);
    while now_ms() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    let start = Instant::now();
    let look = Connection::open(&database).unwrap();
    look.busy_timeout(Duration::from_secs(5)).unwrap();
    let count = |sql: &str| look.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    while count("SELECT count(*) FROM requests WHERE outcome = 'timeout'") < DUE {
        std::thread::sleep(Duration::from_millis(5));
    }
    let settled = start.elapsed();
    while count("SELECT count(*) FROM turns WHERE status = 'completed'") < DUE {
        std::thread::sleep(Duration::from_millis(20));
    }
    let found = ticks(&log).into_iter().find(|(found, _)| *found > 0);
    println!(
        "sweep, 1,000 of 1 M due  found in {:.2?}, all settled after {settled:.2?}, every agent told and its turn over after {:.2?}",
        found.map_or(Duration::ZERO, |(_, took)| took),
        start.elapsed()
    );
    drop(daemon);
}

fn fill(database: &std::path::Path, deadline: i64) {
    let mut db = Connection::open(database).unwrap();
    let keys: Vec<i64> = db
        .prepare("SELECT key FROM conversations ORDER BY key")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let asked = now_ms();
    let options = r#"[{"optionId":"yes","kind":"allow_once","name":"Yes"},{"optionId":"no","kind":"reject_once","name":"No"}]"#;
    let tx = db.transaction().unwrap();
    let mut insert = tx
        .prepare(
            "INSERT INTO requests (id, conversation, turn, rpc_id, tool, kind, summary, options, policy_key, asked_at,
            deadline, detached) VALUES (?1, ?2, '019ad0b2-6c00-7000-8000-0000000000ff', '1', 'execute', 'execute', 'x', ?3, 'execute', ?4, ?5, 1)",
        )
        .unwrap();
    for number in 0..ALL {
        // One conversation each for those that come due, and one that holds all the others.
        let (key, due) = match usize::try_from(number) {
            Ok(at) if number < DUE => (keys[at], deadline),
            _ => (keys[keys.len() - 1], deadline + 86_400_000 + number),
        };
        let id = format!("{number}.{number:016x}");
        insert
            .execute(params![id, key, options, asked, due])
            .unwrap();
    }
    drop(insert);
    tx.commit().unwrap();
}

/// How many each tick found, and the time it took, as the log tells.
fn ticks(log: &std::path::Path) -> Vec<(i64, Duration)> {
    let text = std::fs::read_to_string(log).unwrap();
    let mut found: Vec<(i64, Duration)> = text
        .lines()
        .filter(|line| line.contains("swept"))
        .filter_map(|line| {
            let number = |name: &str| {
                let rest = line.split_once(name)?.1;
                let end = rest
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(rest.len());
                rest[..end].parse::<i64>().ok()
            };
            let micros = u64::try_from(number("micros=")?).ok()?;
            Some((number("found=")?, Duration::from_micros(micros)))
        })
        .collect();
    found.sort_by_key(|(_, took)| *took);
    found
}

fn find(home: &std::path::Path) -> std::path::PathBuf {
    let mut folders = vec![home.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name == "fountain.db") {
                return path;
            }
        }
    }
    panic!("there is no database")
}

fn now_ms() -> i64 {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap();
    i64::try_from(since.as_millis()).unwrap()
}
