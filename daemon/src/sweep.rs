//! Once a minute, and when a deadline comes: finds what is due and says so to its conversation. It decides nothing.

use std::time::Duration;

use fountain_core::settings::Settings;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::app::App;
use crate::conversations::Message;
use crate::store::{credits, requests};

/// The most requests of one read.
const BATCH: i64 = 500;

/// Sweeps until the daemon stops: at once, every interval, and when the next deadline comes. What could not be
/// delivered then waits for the next interval.
pub(crate) async fn run(app: App) {
    let every = |settings: &Settings| settings.limits.sweep_interval;
    let mut ticks = interval(every(&app.settings()));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let next = next(&app).await;
        tokio::select! {
            _ = ticks.tick() => {}
            () = until(next) => {}
            // Something waits that did not before; its deadline may be sooner.
            () = app.waits.notified() => continue,
            () = app.stopping.cancelled() => return,
        }
        let started = Instant::now();
        alive(&app).await;
        let found = sweep(&app).await;
        tracing::debug!(found, micros = started.elapsed().as_micros(), "swept");
        if found > 0 {
            tracing::info!(found, elapsed = ?started.elapsed(), "the sweep found requests whose deadline has passed");
        }
        if ticks.period() != every(&app.settings()) {
            ticks = interval(every(&app.settings()));
            ticks.reset();
        }
    }
}

async fn until(next: Option<Instant>) {
    match next {
        Some(next) => tokio::time::sleep_until(next).await,
        None => std::future::pending().await,
    }
}

/// When the next deadline comes that has not come yet.
async fn next(app: &App) -> Option<Instant> {
    let now = app.now();
    let next = app.store.read(move |db| requests::next_due(db, now)).await;
    let deadline = next.ok().flatten()?;
    // One millisecond more, so that it has come when it is looked at.
    Instant::now().checked_add(deadline.since(now) + Duration::from_millis(1))
}

/// Notes that the daemon lives, where turn time costs: should it be killed, what runs is charged up to here.
async fn alive(app: &App) {
    if !app.settings().credits.enabled {
        return;
    }
    let now = app.now();
    let noted = app
        .store
        .write(move |tx| credits::note_alive(tx, now))
        .await;
    if let Err(error) = noted {
        tracing::warn!(%error, "that the daemon lives could not be noted");
    }
}

async fn sweep(app: &App) -> usize {
    let now = app.now();
    let mut after = None;
    let mut found = 0;
    loop {
        let from = after.clone();
        let due = app
            .store
            .read(move |db| requests::due(db, now, from.as_ref(), BATCH))
            .await;
        let due = match due {
            Ok(due) => due,
            Err(error) => {
                tracing::error!(%error, "the sweep could not read what is due");
                return found;
            }
        };
        found += due.len();
        let more = i64::try_from(due.len()).is_ok_and(|count| count == BATCH);
        after = due
            .last()
            .map(|due| (due.deadline, due.request.clone()))
            .filter(|_| more);
        for due in due {
            app.conversations
                .send(app, due.conversation, Message::Due(due.request));
        }
        if after.is_none() {
            return found;
        }
    }
}
