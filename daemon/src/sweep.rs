//! Once a minute: finds what is due and says so to its conversation. It decides nothing.

use fountain_core::settings::Settings;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::app::App;
use crate::conversations::Message;
use crate::store::requests;

/// The most requests of one sweep; the rest are found by the next read, at once.
const BATCH: i64 = 500;

/// Sweeps until the daemon stops; the first time at once.
pub(crate) async fn run(app: App) {
    let every = |settings: &Settings| settings.limits.sweep_interval;
    let mut ticks = interval(every(&app.settings()));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = app.stopping.cancelled() => return,
        }
        let started = Instant::now();
        let found = sweep(&app).await;
        if found > 0 {
            tracing::info!(found, elapsed = ?started.elapsed(), "the sweep found requests whose deadline has passed");
        }
        if ticks.period() != every(&app.settings()) {
            ticks = interval(every(&app.settings()));
            ticks.reset();
        }
    }
}

async fn sweep(app: &App) -> usize {
    let now = app.now();
    let due = match app
        .store
        .read(move |db| requests::due(db, now, BATCH))
        .await
    {
        Ok(due) => due,
        Err(error) => {
            tracing::error!(%error, "the sweep could not read what is due");
            return 0;
        }
    };
    let found = due.len();
    for (request, conversation) in due {
        app.conversations
            .send(app, conversation, Message::Due(request));
    }
    found
}
