//! Who follows a conversation: one task per session, from the first prompt or load until the session is closed.

use std::sync::Arc;

use fountain_core::rpc::Error;
use tokio::sync::watch;

use super::feed::{Feed, Mode};
use super::sessions::{Follower, Session};
use super::{Adapter, refusal};
use crate::client::{self, Client, Follow, From};

const STREAMS: &str = "acp,stage";

/// Follows from the last thing the editor was told, or from `after`, unless somebody does already.
pub(super) fn start(adapter: &Arc<Adapter>, session: &Arc<Session>, client: &Client, after: i64) {
    let feed = Feed::new(adapter, session, client.clone(), Mode::Live);
    start_with(feed, client, after);
}

/// The same, going on with what a replay has found.
pub(super) fn start_with(feed: Feed, client: &Client, after: i64) {
    let session = Arc::clone(feed.session());
    let mut state = session.state();
    if state.follower.is_some() {
        session.wake.notify_one();
        return;
    }
    let after = *state.cursor.get_or_insert(after);
    let follow = client.follow(
        &session.id,
        From {
            after,
            streams: STREAMS,
            blocks: false,
            wait: true,
        },
    );
    let (stop, stopped) = watch::channel(false);
    let task = tokio::spawn(live(feed, follow, stopped));
    state.follower = Some(Follower { stop, task });
}

/// Everything that is stored after a point, to its end. Gives the point where it ends.
pub(super) async fn past(
    feed: &mut Feed,
    client: &Client,
    after: i64,
    streams: &str,
) -> Result<i64, client::Error> {
    let from = From {
        after,
        streams,
        blocks: false,
        wait: false,
    };
    let mut follow = client.follow(&feed.session().id, from);
    loop {
        while let Some(event) = follow.buffered() {
            feed.take(&event).await?;
        }
        feed.flush().await;
        if !follow.fill().await? {
            return Ok(follow.cursor());
        }
    }
}

/// What a session shows and asks from a point on, all streams.
pub(super) async fn everything(feed: &mut Feed, client: &Client) -> Result<i64, client::Error> {
    past(feed, client, 0, STREAMS).await
}

async fn live(mut feed: Feed, mut follow: Follow, mut stop: watch::Receiver<bool>) {
    let session = Arc::clone(feed.session());
    loop {
        while let Some(event) = follow.buffered() {
            // Live, nothing in it fails.
            let _ = feed.take(&event).await;
        }
        feed.flush().await;
        session.state().cursor = Some(follow.cursor());
        tokio::select! {
            filled = follow.fill() => {
                if let Err(error) = filled && !lost(&feed, &mut follow, &error) {
                    return;
                }
            }
            () = session.wake.notified() => follow.hurry(),
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}

/// The stream is gone. Prompts that wait on it are answered; without one, an instance that cannot be reached is
/// tried for as long as the session is open. Gives whether to go on.
fn lost(feed: &Feed, follow: &mut Follow, error: &client::Error) -> bool {
    let (adapter, session) = (feed.adapter(), feed.session());
    let again = matches!(error, client::Error::Unreachable { .. });
    let prompts = {
        let mut state = session.state();
        if !again {
            state.follower = None;
        }
        std::mem::take(&mut state.prompts)
    };
    if prompts.is_empty() {
        adapter.log.debug(format!(
            "the stream of conversation {} is gone: {error}",
            session.id
        ));
    }
    for prompt in prompts.into_values() {
        adapter.respond(&prompt.id, Err(told(&session.id, error)));
    }
    session.ended.notify_one();
    if again {
        follow.restart();
    } else {
        let adapter = Arc::clone(adapter);
        tokio::spawn(async move { adapter.link.forget().await });
    }
    again
}

fn told(conversation: &str, error: &client::Error) -> Error {
    let Error { code, message, .. } = refusal::call("the stream of the turn was lost", error);
    let rest = format!(
        "the turn may still be running: it is conversation {conversation}, open it again with session/load"
    );
    Error::new(code, format!("{message}; {rest}"))
}
