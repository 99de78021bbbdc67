//! The questions of a followed conversation: asked on a terminal, told elsewhere, withdrawn when they are settled.

use fountain_core::api::requests::Request;

use super::Following;
use super::question::{Press, Question};
use crate::client;
use crate::ui::when;

impl Following<'_> {
    /// A request is open, and the instance said more about it, or did not answer.
    pub(super) fn request(&mut self, id: &str, request: Option<Box<Request>>) {
        let Some(open) = self.progress.open().iter().find(|open| open.id == id) else {
            return;
        };
        if let Some(request) = request.as_deref() {
            if request.status != "open" {
                return;
            }
            self.transcript.known(request);
        }
        let question = Question::new(open, request.as_deref());
        if self.cx.ui.asks() && !self.stopped {
            self.desk.put(question);
            self.ask_next();
        } else {
            self.tell(&question);
        }
    }

    /// Asks the next question, when none is open.
    pub(super) fn ask_next(&mut self) {
        match self.desk.ask() {
            Ok(Some(question)) => {
                let lines = question.ask(self.cx.ui.paint, when::now());
                self.cx.ui.lines(&lines);
                self.cx.ui.ask(&question.prompt());
            }
            Ok(None) => {}
            Err(question) => self.tell(&question),
        }
    }

    pub(super) fn key(&mut self, key: Option<char>) {
        let Some(question) = self.desk.asked() else {
            return;
        };
        if let Some(key) = key {
            self.cx.ui.echo(key);
        }
        match key.map_or(Press::Leave, |key| question.press(key)) {
            Press::Nothing => {
                self.cx.ui.side("that is none of the keys");
                self.cx.ui.ask(&question.prompt());
                // A key with an arrow on it, or a text that was pasted, is several: none of them is an answer.
                self.desk.forget_keys();
            }
            Press::Details => {
                let mut lines = question.details(self.cx.ui.paint);
                lines.extend(question.ask(self.cx.ui.paint, when::now()));
                self.cx.ui.lines(&lines);
                self.cx.ui.ask(&question.prompt());
            }
            Press::Leave => {
                let question = question.clone();
                self.desk.close();
                self.say("left open; this answers it from anywhere:");
                self.tell(&question);
                self.ask_next();
            }
            Press::Pick(option) => {
                let id = question.id.clone();
                self.desk.close();
                self.desk.answer(id, option);
                self.ask_next();
            }
        }
    }

    pub(super) fn answered(&mut self, id: &str, answer: Result<(), client::Error>) {
        let Err(error) = answer else { return };
        if error.code() == "permission_request_resolved" || error.is_not_found() {
            if self.progress.open().iter().any(|open| open.id == id) {
                self.say(&format!("this answer came too late: {error}"));
            }
            return;
        }
        self.cx
            .ui
            .warning(&format!("the answer was not taken: {error}"));
        self.desk.again(id);
    }

    /// How a question is answered from elsewhere.
    pub(super) fn tell(&mut self, question: &Question) {
        self.desk.told(&question.id);
        self.cx
            .ui
            .lines(&question.elsewhere(self.cx.ui.paint, when::now()));
    }
}
