//! Says that a conversation's log grew, and to where. It carries no event: whoever hears it reads the log.

use std::collections::HashMap;
use std::sync::Mutex;

use fountain_core::id::Seq;
use tokio::sync::watch;

use crate::store::Key;

/// One bell for each conversation that somebody listens to.
#[derive(Debug, Default)]
pub struct Bell {
    listened: Mutex<HashMap<Key, watch::Sender<Seq>>>,
}

impl Bell {
    /// Listens to a conversation. What was rung before is not heard: read the log first, then wait.
    pub fn listen(&self, conversation: Key) -> watch::Receiver<Seq> {
        let Ok(mut listened) = self.listened.lock() else {
            return watch::channel(Seq(0)).1;
        };
        listened
            .entry(conversation)
            .or_insert_with(|| watch::channel(Seq(0)).0)
            .subscribe()
    }

    /// Tells the listeners where the logs are now. Called after the commit, never before.
    pub fn ring(&self, grown: &[(Key, Seq)]) {
        let Ok(mut listened) = self.listened.lock() else {
            return;
        };
        for (conversation, seq) in grown {
            let Some(sender) = listened.get(conversation) else {
                continue;
            };
            if sender.receiver_count() == 0 {
                listened.remove(conversation);
            } else {
                sender.send_replace(*seq);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_ring_between_the_read_and_the_wait_is_not_missed() {
        let bell = Bell::default();
        let mut listener = bell.listen(1);
        bell.ring(&[(1, Seq(5)), (2, Seq(6))]);
        assert!(listener.changed().await.is_ok());
        assert_eq!(*listener.borrow_and_update(), Seq(5));
    }

    #[test]
    fn nobody_listening_costs_nothing() {
        let bell = Bell::default();
        drop(bell.listen(1));
        bell.ring(&[(1, Seq(5))]);
        assert!(bell.listened.lock().unwrap().is_empty());
    }
}
