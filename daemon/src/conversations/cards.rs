//! The tools' cards of a turn, as far as a request may be about them. It decides nothing.

use std::collections::{HashMap, VecDeque};

use fountain_core::card::Card;

/// The most cards that are kept; the oldest go first.
const MOST: usize = 1_024;

#[derive(Default)]
pub(super) struct Cards {
    cards: HashMap<String, Card>,
    order: VecDeque<String>,
}

impl Cards {
    /// Takes a card, or news of one.
    pub(super) fn take(&mut self, (call, news): (String, Card)) {
        if let Some(card) = self.cards.get_mut(&call) {
            return card.update(news);
        }
        if self.order.len() >= MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.cards.remove(&oldest);
        }
        self.order.push_back(call.clone());
        self.cards.insert(call, news);
    }

    /// What was said of a call.
    pub(super) fn of(&self, call: &str) -> Option<Card> {
        self.cards.get(call).cloned()
    }
}
