//! What is under way while a conversation is followed: calls that were made, and the question that is open.

use std::collections::{HashSet, VecDeque};

use fountain_core::api::conversations::Conversation;
use fountain_core::api::requests::{Answer, Request};
use tokio::task::JoinSet;

use super::progress::Open;
use super::question::Question;
use crate::client::{Client, Error};
use crate::ui::keyboard::Keyboard;

/// What came back.
pub(super) enum Heard {
    /// A key, or that there will be none.
    Key(Option<char>),
    /// What the instance says about a request.
    Request(String, Result<Box<Request>, Error>),
    /// Whether an answer was taken.
    Answered(String, Result<(), Error>),
    /// Whether the turn was told to stop.
    Stopped(Result<(), Error>),
    /// The conversation.
    Conversation(Result<Box<Conversation>, Error>),
}

/// What is under way.
pub(super) struct Desk {
    client: Client,
    conversation: String,
    calls: JoinSet<Heard>,
    /// Requests that were looked at.
    looked: HashSet<String>,
    /// Requests of which it was said how to answer them.
    told: HashSet<String>,
    ready: VecDeque<Question>,
    open: Option<(Question, Keyboard)>,
}

impl Desk {
    pub(super) fn new(client: Client, conversation: String) -> Self {
        Self {
            client,
            conversation,
            calls: JoinSet::new(),
            looked: HashSet::new(),
            told: HashSet::new(),
            ready: VecDeque::new(),
            open: None,
        }
    }

    /// The next thing that comes back; may be dropped at any point.
    pub(super) async fn next(&mut self) -> Heard {
        let key = async {
            match &mut self.open {
                Some((_, keyboard)) => keyboard.next().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            key = key => Heard::Key(key),
            Some(done) = self.calls.join_next(), if !self.calls.is_empty() => match done {
                Ok(heard) => heard,
                // A call that broke off has nothing to say; whoever waits presses Ctrl-C.
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// Asks the instance about requests that came and were not looked at: an old stream may show some that were
    /// settled long ago.
    pub(super) fn look_at(&mut self, open: &[Open]) {
        for open in open {
            if self.looked.insert(open.id.clone()) {
                let (client, id) = (self.client.clone(), open.id.clone());
                self.calls.spawn(async move {
                    let answer = client.request(&id).await.map(Box::new);
                    Heard::Request(id, answer)
                });
            }
        }
    }

    /// Looks at the request again: its answer was not taken.
    pub(super) fn again(&mut self, id: &str) {
        self.looked.remove(id);
    }

    pub(super) fn look_at_conversation(&mut self) {
        let (client, id) = (self.client.clone(), self.conversation.clone());
        self.calls.spawn(async move {
            Heard::Conversation(client.conversation(&id).await.map(Box::new))
        });
    }

    /// Tells the instance to stop the turn.
    pub(super) fn stop(&mut self) {
        let (client, id) = (self.client.clone(), self.conversation.clone());
        self.calls
            .spawn(async move { Heard::Stopped(client.interrupt(&id).await) });
    }

    /// Sends an answer.
    pub(super) fn answer(&mut self, request: String, option: String) {
        let (client, id) = (self.client.clone(), self.conversation.clone());
        self.calls.spawn(async move {
            let answer = Answer {
                option_id: Some(option),
                deny: false,
            };
            let taken = client.answer(&id, &request, &answer).await;
            Heard::Answered(request, taken)
        });
    }

    /// Puts a question behind those that are there.
    pub(super) fn put(&mut self, question: Question) {
        self.ready.push_back(question);
    }

    /// Opens the next question, when none is open; gives it back where there is no terminal to ask at.
    pub(super) fn ask(&mut self) -> Result<Option<&Question>, Box<Question>> {
        if self.open.is_some() {
            return Ok(None);
        }
        let Some(question) = self.ready.pop_front() else {
            return Ok(None);
        };
        match Keyboard::open() {
            Ok(keyboard) => Ok(Some(&self.open.insert((question, keyboard)).0)),
            Err(_) => Err(Box::new(question)),
        }
    }

    /// Drops the keys that were pressed and not looked at yet.
    pub(super) fn forget_keys(&mut self) {
        if let Some((_, keyboard)) = &mut self.open {
            keyboard.forget();
        }
    }

    /// The question that is open.
    pub(super) fn asked(&self) -> Option<&Question> {
        self.open.as_ref().map(|(question, _)| question)
    }

    /// Closes the question and gives the terminal back.
    pub(super) fn close(&mut self) {
        self.open = None;
    }

    /// Closes every question.
    pub(super) fn clear(&mut self) {
        self.open = None;
        self.ready.clear();
    }

    /// Takes a question back, as its request is settled; tells whether it was open.
    pub(super) fn withdraw(&mut self, id: &str) -> bool {
        self.ready.retain(|question| question.id != id);
        if self.asked().is_some_and(|question| question.id == id) {
            self.open = None;
            return true;
        }
        false
    }

    pub(super) fn told(&mut self, id: &str) {
        self.told.insert(id.to_owned());
    }

    pub(super) fn was_told(&self, id: &str) -> bool {
        self.told.contains(id)
    }
}
