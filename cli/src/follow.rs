//! Follows a conversation: shows what comes, asks what an agent asks, and knows when it is over.
//!
//! One loop waits for the stream, for a key, for a signal, for the clock and for the answers of its own calls,
//! whichever comes first. Nothing is polled, and nothing that was shown is shown again after a reconnection.

mod asking;
mod desk;
mod ending;
mod progress;
pub(crate) mod question;

use std::time::{Duration, Instant};

use fountain_core::time::Timestamp;

use crate::client::sse::Event;
use crate::client::{self, Client, From};
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::signals::{Signal, Signals};
use crate::ui::transcript::{Look, Transcript, reading};
use crate::ui::{self, when};

use desk::{Desk, Heard};
use ending::{Ending, verdict};
use progress::{News, Progress};
use question::Question;

pub(crate) use progress::{Turn, Until};

/// After so long without anything the spinner turns.
const STILL: Duration = Duration::from_millis(400);
/// After so long it turns also below a line of text that is open.
const LONG_STILL: Duration = Duration::from_secs(4);
/// So long a conversation that is over may still tell how it ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What is followed, and how.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The conversation.
    pub(crate) conversation: String,
    /// Events after this one.
    pub(crate) after: i64,
    /// The turn that counts; none named is whichever comes.
    pub(crate) turn: Turn,
    /// When it is over.
    pub(crate) until: Until,
    /// Whether to wait for what comes, or to end with what is stored.
    pub(crate) wait: bool,
    /// Whether Ctrl-C stops the turn the first time; else it only ends the following.
    pub(crate) stops: bool,
    /// Whether events go to standard output as they are, one a line.
    pub(crate) json: bool,
    /// How long to wait at most.
    pub(crate) timeout: Option<Duration>,
    /// Whether a turn that ended waiting for a person is told by the exit code.
    pub(crate) exit_waiting: bool,
}

impl Plan {
    /// One turn, from its beginning to its end.
    pub(crate) fn turn(conversation: String, after: i64, turn: Turn) -> Self {
        Self {
            conversation,
            after,
            turn,
            until: Until::TurnEnds,
            wait: true,
            stops: true,
            json: false,
            timeout: None,
            exit_waiting: false,
        }
    }
}

/// Follows until it is over, and says how it ended.
pub(crate) async fn follow(
    cx: &Context,
    client: &Client,
    plan: Plan,
    transcript: Transcript,
    signals: &mut Signals,
) -> Result<(), Failure> {
    let from = From {
        after: plan.after,
        streams: "",
        blocks: false,
        wait: plan.wait,
    };
    let mut stream = client.follow(&plan.conversation, from);
    let deadline = plan.timeout.map(|timeout| Instant::now() + timeout);
    let mut following = Following {
        cx,
        progress: Progress::new(plan.until, plan.turn.clone()),
        transcript,
        desk: Desk::new(client.clone(), plan.conversation.clone()),
        stopped: false,
        gone: None,
        plan,
    };
    let mut last = Instant::now();
    let ending = 'over: loop {
        while let Some(event) = stream.buffered() {
            if let Some(ending) = following.take(&event)? {
                break 'over Some(ending);
            }
        }
        following.flush()?;
        if following.plan.wait {
            following.desk.look_at(following.progress.open());
        }
        let spins_at = following.spins_at(last);
        tokio::select! {
            more = stream.fill() => match more {
                Ok(true) => last = Instant::now(),
                Ok(false) => break None,
                Err(error) => return Err(following.lost(error)),
            },
            heard = following.desk.next() => following.heard(heard)?,
            signal = signals.next() => following.signal(signal)?,
            () = at(deadline) => return Err(following.gave_up()),
            () = at(following.gone.as_ref().map(|gone| gone.0)) => break following.gone.take().map(|gone| gone.1),
            () = at(spins_at) => following.spin(),
        }
    };
    following.end(ending.as_ref())
}

/// How a transcript looks here.
pub(crate) fn look(cx: &Context, turns: bool) -> Look {
    Look {
        paint: cx.ui.paint,
        quiet: cx.ui.quiet,
        verbose: cx.ui.verbose,
        width: cx.ui.side_width(),
        turns,
    }
}

struct Following<'a> {
    cx: &'a Context,
    plan: Plan,
    progress: Progress,
    transcript: Transcript,
    desk: Desk,
    /// The user pressed Ctrl-C.
    stopped: bool,
    /// The conversation is over, and its last events have until then to tell how.
    gone: Option<(Instant, Ending)>,
}

impl Following<'_> {
    /// Shows an event and takes in what it means.
    fn take(&mut self, event: &Event<'_>) -> Result<Option<Ending>, Failure> {
        let seen = reading::read(event);
        {
            let mut screen = self.cx.ui.screen();
            let shown = if self.plan.json {
                screen
                    .text(&with_id(event))
                    .and_then(|()| screen.text("\n"))
            } else {
                self.transcript.show(&seen, &mut screen)
            };
            shown.map_err(ui::output)?;
        }
        match self.progress.see(&seen) {
            News::None | News::Opened => Ok(None),
            News::Settled { id, elsewhere } => {
                if self.desk.withdraw(&id) && elsewhere {
                    self.say("somebody else answered, so the question is withdrawn");
                }
                self.ask_next();
                Ok(None)
            }
            News::Waits { deadline } => {
                self.say_waits(deadline.as_deref());
                Ok(None)
            }
            News::Ended(ending) => Ok(Some(ending)),
            News::Look => {
                if self.plan.wait {
                    self.desk.look_at_conversation();
                }
                Ok(None)
            }
        }
    }

    /// Takes in what came back from a call, or a key.
    fn heard(&mut self, heard: Heard) -> Result<(), Failure> {
        match heard {
            Heard::Key(key) => self.key(key),
            Heard::Request(id, answer) => self.request(&id, answer.ok()),
            Heard::Answered(id, answer) => self.answered(&id, answer),
            Heard::Stopped(answer) => return self.stopped(answer),
            Heard::Conversation(Ok(conversation))
                if matches!(&*conversation.status, "failed" | "terminated") =>
            {
                let why = format!("the conversation is {}", conversation.status);
                let soon = Instant::now() + LAST_WORDS;
                self.gone.get_or_insert((soon, Ending::Failed(why)));
            }
            Heard::Conversation(_) => {}
        }
        Ok(())
    }

    fn signal(&mut self, signal: Signal) -> Result<(), Failure> {
        match signal {
            Signal::Interrupt if self.plan.stops && !self.stopped => {
                self.stopped = true;
                self.desk.clear();
                self.cx
                    .ui
                    .side("stopping the turn; Ctrl-C again leaves it running");
                self.desk.stop();
                Ok(())
            }
            Signal::Interrupt => Err(self.left(Kind::Interrupted)),
            Signal::Terminate => Err(self.left(Kind::Terminated)),
        }
    }

    /// The instance answered to the wish to stop the turn.
    fn stopped(&mut self, answer: Result<(), client::Error>) -> Result<(), Failure> {
        match answer {
            Ok(()) => Ok(()),
            // Its end is on its way.
            Err(error) if error.status() == Some(409) && self.progress.in_turn() => Ok(()),
            Err(error) if error.status() == Some(409) => Err(self.left(Kind::Interrupted)),
            Err(error) => {
                self.cx
                    .ui
                    .warning(&format!("the turn could not be stopped: {error}"));
                Err(self.left(Kind::Interrupted))
            }
        }
    }

    /// Leaves the conversation to itself.
    fn left(&mut self, kind: Kind) -> Failure {
        self.close();
        let failure = Failure::silent(kind);
        if self.plan.stops {
            failure.hint(self.reattach())
        } else {
            failure
        }
    }

    fn gave_up(&mut self) -> Failure {
        self.close();
        let waited = self.plan.timeout.map_or_else(String::new, when::span);
        Failure::failed(format!("not over after {waited}")).hint(self.reattach())
    }

    fn lost(&mut self, error: client::Error) -> Failure {
        self.close();
        if error.is_not_found() {
            return Failure::not_found(format!(
                "the conversation {} is gone",
                self.plan.conversation
            ));
        }
        let mut failure = Failure::from(error);
        if failure.kind == Kind::Unreachable {
            // Whether it goes on is not known here.
            failure.hints = vec![format!(
                "once the instance answers again, `fountain conv stream {} --turn` shows how it went on",
                self.plan.conversation
            )];
            return failure;
        }
        failure.hint(self.reattach())
    }

    fn reattach(&self) -> String {
        format!(
            "it goes on without you; `fountain conv stream {} --turn` shows it again",
            self.plan.conversation
        )
    }

    /// Says what is left to say, and how it ended.
    fn end(&mut self, ending: Option<&Ending>) -> Result<(), Failure> {
        self.desk.clear();
        self.cx.ui.screen().finish().map_err(ui::output)?;
        let Some(ending) = ending else { return Ok(()) };
        if let Ending::Done {
            waiting, deadline, ..
        } = ending
            && !waiting.is_empty()
        {
            self.say_waits(deadline.as_deref());
            for open in self.progress.open().to_vec() {
                if waiting.contains(&open.id) && !self.desk.was_told(&open.id) {
                    self.tell(&Question::new(&open, None));
                }
            }
        }
        if self.plan.until == Until::Gone {
            return Ok(());
        }
        verdict(ending, self.stopped, self.plan.exit_waiting)
    }

    fn close(&mut self) {
        self.desk.clear();
        // What cannot be written any more is not the last thing to say.
        let _ = self.cx.ui.screen().finish();
    }

    fn flush(&self) -> Result<(), Failure> {
        self.cx.ui.screen().flush().map_err(ui::output)
    }

    /// When the spinner begins to turn, if nothing comes until then.
    fn spins_at(&self, last: Instant) -> Option<Instant> {
        if !self.plan.wait {
            return None;
        }
        let screen = self.cx.ui.screen();
        if self.desk.asked().is_some() {
            // Something else came below the question: once that is over, it is told again what is awaited.
            return (!screen.asks()).then(|| last + STILL);
        }
        if !screen.may_spin() {
            return None;
        }
        // A tool that runs ended the text before it; a pause between two words does not.
        let soon = self.transcript.running().is_some() || !screen.is_open();
        Some(last + if soon { STILL } else { LONG_STILL })
    }

    fn spin(&self) {
        if let Some(question) = self.desk.asked() {
            self.cx.ui.ask(&question.prompt());
            return;
        }
        let what = match self.transcript.running() {
            _ if self.stopped => "stopping".to_owned(),
            // The tool does not run: it waits.
            _ if !self.progress.open().is_empty() => "waiting for an answer".to_owned(),
            Some(tool) => tool,
            None if self.progress.in_turn() => "working".to_owned(),
            None => "waiting".to_owned(),
        };
        self.cx.ui.screen().spin(&what);
    }

    fn say_waits(&self, deadline: Option<&str>) {
        let until = deadline.and_then(|deadline| deadline.parse::<Timestamp>().ok());
        let until = until.map_or_else(String::new, |until| {
            format!(", for {} at most", when::until(until, when::now()))
        });
        self.say(&format!("the turn ended and waits for a person{until}"));
    }

    fn say(&self, text: &str) {
        self.cx.ui.status(text);
    }
}

/// A moment that may never come.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment.into()).await,
        None => std::future::pending().await,
    }
}

/// The event as one line of JSON, with its position: on a stream that stands beside it.
fn with_id(event: &Event<'_>) -> String {
    match event.raw.strip_prefix('{') {
        Some(rest) if event.id > 0 && !rest.trim_start().starts_with("\"id\"") => {
            format!("{{\"id\":{},{rest}", event.id)
        }
        _ => event.raw.to_owned(),
    }
}

#[cfg(test)]
mod tests;
