//! How many runtimes run at once (`sandbox.max_running`). Who wants to start one waits for a place; those that only
//! keep warm are asked for theirs, the longest idle first. It starts and ends no process itself.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fountain_core::id::ConversationId;
use tokio::sync::oneshot;

/// The places, taken and waited for.
#[derive(Clone, Default)]
pub(super) struct Slots(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// None is no limit.
    limit: Option<usize>,
    taken: usize,
    /// In the order they came.
    waiting: VecDeque<oneshot::Sender<Slot>>,
    /// Conversations whose runtime has nothing to do, the longest idle first.
    idle: VecDeque<ConversationId>,
}

/// A place. Dropping it, once the process is gone, passes it on.
pub(super) struct Slot(Slots);

/// What comes of asking for a place.
pub(super) enum Asked {
    /// Here it is.
    Taken(Slot),
    /// It comes later. Whoever is named keeps warm only, and should be asked for its place.
    Later(oneshot::Receiver<Slot>, Option<ConversationId>),
}

impl Slots {
    /// Asks for a place. `limit` is how many there are now.
    pub(super) fn ask(&self, limit: Option<u32>) -> Asked {
        let mut state = self.lock();
        state.limit = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        state.waiting.retain(|waiting| !waiting.is_closed());
        if state.waiting.is_empty() && state.has_room() {
            state.taken += 1;
            return Asked::Taken(Slot(self.clone()));
        }
        let (give, place) = oneshot::channel();
        state.waiting.push_back(give);
        Asked::Later(place, state.idle.pop_front())
    }

    /// A runtime has nothing to do from now on. True when somebody waits for its place.
    pub(super) fn idle(&self, who: ConversationId) -> bool {
        let mut state = self.lock();
        state.idle.retain(|idle| *idle != who);
        state.waiting.retain(|waiting| !waiting.is_closed());
        let wanted = !state.waiting.is_empty();
        if !wanted {
            state.idle.push_back(who);
        }
        wanted
    }

    /// It works again, or is gone.
    pub(super) fn busy(&self, who: ConversationId) {
        self.lock().idle.retain(|idle| *idle != who);
    }

    fn release(&self) {
        let mut state = self.lock();
        state.taken = state.taken.saturating_sub(1);
        while state.has_room() {
            let Some(waiting) = state.waiting.pop_front() else {
                return;
            };
            if waiting.is_closed() {
                continue;
            }
            state.taken += 1;
            // Given away without the lock: whoever has gone in this moment drops it, which comes back here.
            drop(state);
            let _ = waiting.send(Slot(self.clone()));
            state = self.lock();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing in here panics between two changes that belong together.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn has_room(&self) -> bool {
        self.limit.is_none_or(|limit| self.taken < limit)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(asked: Asked) -> Slot {
        match asked {
            Asked::Taken(slot) => slot,
            Asked::Later(..) => panic!("there was room"),
        }
    }

    fn later(asked: Asked) -> (oneshot::Receiver<Slot>, Option<ConversationId>) {
        match asked {
            Asked::Taken(_) => panic!("there was no room"),
            Asked::Later(place, whom) => (place, whom),
        }
    }

    fn id(number: u128) -> ConversationId {
        ConversationId(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn places_are_passed_on_in_order_and_those_who_left_are_passed_over() {
        let slots = Slots::default();
        let one = taken(slots.ask(Some(2)));
        let two = taken(slots.ask(Some(2)));
        let (mut first, _) = later(slots.ask(Some(2)));
        let (gone, _) = later(slots.ask(Some(2)));
        let (mut third, _) = later(slots.ask(Some(2)));
        drop(gone);
        drop(one);
        let got = first.try_recv().unwrap();
        assert!(third.try_recv().is_err());
        drop(two);
        let last = third.try_recv().unwrap();
        drop((got, last));
        let _all = [taken(slots.ask(Some(2))), taken(slots.ask(Some(2)))];
        drop(later(slots.ask(Some(2))));
        // Somebody who asked and left does not keep the next one out.
        let _more = taken(slots.ask(None));
    }

    #[test]
    fn the_longest_idle_is_asked_and_a_busy_one_is_not() {
        let slots = Slots::default();
        let _one = taken(slots.ask(Some(1)));
        for number in [1, 2, 3] {
            assert!(!slots.idle(id(number)));
        }
        slots.busy(id(1));
        assert!(!slots.idle(id(2)), "it was idle before");
        let (_first, whom) = later(slots.ask(Some(1)));
        assert_eq!(whom, Some(id(3)));
        let (_second, whom) = later(slots.ask(Some(1)));
        assert_eq!(whom, Some(id(2)));
        let (_third, whom) = later(slots.ask(Some(1)));
        assert_eq!(whom, None);
        assert!(slots.idle(id(4)), "who becomes idle hears that others wait");
    }

    #[test]
    fn a_limit_that_grows_lets_more_in() {
        let slots = Slots::default();
        let _one = taken(slots.ask(Some(1)));
        let (mut waits, _) = later(slots.ask(Some(1)));
        // The next one to ask tells of the new limit, and waits behind who came first.
        let (mut next, _) = later(slots.ask(Some(3)));
        slots.release();
        assert!(waits.try_recv().is_ok() && next.try_recv().is_ok());
    }
}
