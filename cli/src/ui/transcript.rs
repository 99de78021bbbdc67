//! A conversation as lines on a terminal: the answer to standard output, everything else beside it.

pub(crate) mod reading;
mod stages;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use fountain_core::api::requests::Request;
use fountain_core::request::Resumed;

use super::style::{self, Paint};
use super::{Screen, safe};
use reading::{Entry, Seen, Tool};

/// The longest line beside the answer, where the terminal does not say.
const LINE: usize = 200;

/// What has been shown, as far as it matters for what comes.
pub(crate) struct Transcript {
    look: Look,
    tools: HashMap<String, Card>,
    /// The cards in the order they came.
    order: Vec<String>,
    /// Titles of the questions that were asked, by their id.
    questions: HashMap<String, Question>,
    /// Something stands between the last piece of the answer and the next one.
    apart: bool,
    plan: Vec<Entry>,
    /// The first lines of prompts, by turn.
    prompts: HashMap<String, String>,
}

/// How it is shown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Look {
    /// Colour beside the answer.
    pub(crate) paint: Paint,
    /// Only the answer.
    pub(crate) quiet: bool,
    /// How much more is told.
    pub(crate) verbose: u8,
    /// Columns of the terminal beside the answer.
    pub(crate) width: usize,
    /// Whether each turn has a line of its own.
    pub(crate) turns: bool,
}

#[derive(Default)]
struct Card {
    title: Option<String>,
    kind: Option<String>,
    settled: bool,
    /// It was refused, and that was told: that it failed then is nothing new.
    refused: bool,
}

struct Question {
    title: String,
    /// The agent's id of the tool call, where it is known.
    call: Option<String>,
    /// Name and kind of each option, by id.
    options: HashMap<String, (String, String)>,
}

impl Transcript {
    /// An empty one.
    pub(crate) fn new(look: Look) -> Self {
        Self {
            look,
            tools: HashMap::new(),
            order: Vec::new(),
            questions: HashMap::new(),
            apart: false,
            plan: Vec::new(),
            prompts: HashMap::new(),
        }
    }

    /// Tells what was asked in a turn, for its line.
    pub(crate) fn prompt(&mut self, turn: &str, prompt: &str) {
        self.prompts
            .insert(turn.to_owned(), safe::line(&told(prompt)));
    }

    /// Shows an event.
    pub(crate) fn show(&mut self, seen: &Seen<'_>, screen: &mut Screen) -> io::Result<()> {
        match seen {
            Seen::Text(text) => {
                if std::mem::take(&mut self.apart) {
                    screen.paragraph()?;
                }
                screen.text(text)?;
            }
            Seen::Thought(_) if self.look.quiet => {}
            Seen::Thought(text) => {
                let plain = safe::text(text);
                screen.aside(
                    &self.look.paint.with(style::DIM, &plain),
                    plain.ends_with('\n'),
                );
            }
            Seen::Tool(tool) => self.tool(tool, screen),
            Seen::Plan(entries) => self.plan(entries, screen),
            Seen::Title(Some(title)) => {
                self.dim(&format!("▸ title: {}", safe::line(title)), screen);
            }
            Seen::Asked(asked) => {
                let title = asked.permission.title.clone().or_else(|| {
                    // The instance has redacted what it shows.
                    asked
                        .permission
                        .summary(&fountain_core::redact::Redactor::default(), 240)
                });
                let title = title.unwrap_or_else(|| asked.permission.tool.clone());
                let call = asked.permission.call.as_deref();
                self.question(&asked.id, &title, call, asked.permission.options.raw());
            }
            Seen::Stage(stage) => self.stage(stage, screen),
            Seen::Output { error, stage, line } => {
                // What a set-up prints is wanted; a runtime's own chatter only when asked for.
                if stage.is_some_and(|stage| stage != "turn") || self.look.verbose > 0 {
                    let style = if *error { style::BAD } else { style::DIM };
                    let line = self.look.paint.with(style, &safe::line(line));
                    self.line(&line, screen);
                }
            }
            Seen::Update(kind) if self.look.verbose > 1 => {
                self.dim(&format!("▸ {}", safe::line(kind)), screen);
            }
            Seen::Title(None) | Seen::Update(_) | Seen::Nothing => {}
        }
        Ok(())
    }

    /// What runs right now, for the spinner.
    pub(crate) fn running(&self) -> Option<String> {
        let open = self
            .order
            .iter()
            .rev()
            .find_map(|id| self.tools.get(id).filter(|card| !card.settled));
        open.map(|card| self.cut(&card.label(), 12))
    }

    /// A request that was read from the instance instead of the stream.
    pub(crate) fn known(&mut self, request: &Request) {
        if !self.questions.contains_key(&request.pending.request_id) {
            let title = request
                .pending
                .summary
                .as_deref()
                .unwrap_or(&request.pending.tool);
            let options = &request.pending.options;
            self.question(&request.pending.request_id, title, None, options);
        }
    }

    fn question(
        &mut self,
        id: &str,
        title: &str,
        call: Option<&str>,
        options: &[serde_json::Value],
    ) {
        let text = |option: &serde_json::Value, member: &str| {
            option[member].as_str().unwrap_or_default().to_owned()
        };
        let options = options.iter().map(|option| {
            (
                text(option, "optionId"),
                (text(option, "name"), text(option, "kind")),
            )
        });
        self.questions.insert(
            id.to_owned(),
            Question {
                title: safe::line(title),
                call: call.map(str::to_owned),
                options: options.collect(),
            },
        );
    }

    /// Cards that were never settled are told at the end of a turn; agents number them anew in the next one.
    fn end_turn(&mut self, waiting: bool, screen: &mut Screen) {
        for id in std::mem::take(&mut self.order) {
            let open = |card: &&Card| !card.settled && !waiting;
            if let Some(card) = self.tools.get(&id).filter(open) {
                let line = self.cut(&format!("· {} (not finished)", card.label()), 0);
                self.dim(&line, screen);
            }
        }
        // A tool that waits is settled in a later turn; others are numbered anew there.
        self.tools.retain(|_, card| waiting && !card.settled);
        self.plan.clear();
    }

    fn tool(&mut self, tool: &Tool, screen: &mut Screen) {
        self.apart = true;
        if !self.tools.contains_key(&tool.id) {
            self.order.push(tool.id.clone());
        }
        let card = self.tools.entry(tool.id.clone()).or_default();
        card.title = tool.title.clone().or(card.title.take());
        card.kind = tool.kind.clone().or(card.kind.take());
        let good = match tool.status.as_deref() {
            Some("completed") => true,
            Some("failed" | "cancelled") => false,
            _ => {
                card.settled = card.refused;
                return;
            }
        };
        let told = std::mem::replace(&mut card.settled, true);
        // One that ran although it was refused is told.
        let again = if card.refused { !good } else { told };
        if again {
            return;
        }
        card.refused = false;
        let label = card.label();
        let why = tool.says.as_deref().and_then(|says| {
            safe::lines(says)
                .into_iter()
                .find(|line| !line.trim().is_empty())
        });
        let (mark, style) = if good {
            ("✓", style::GOOD)
        } else {
            ("✗", style::BAD)
        };
        let text = match why.filter(|_| !good) {
            Some(why) => format!("{label}: {}", why.trim()),
            None => label,
        };
        let line = format!(
            "{} {}",
            self.look.paint.with(style, mark),
            self.cut(&text, 2)
        );
        self.line(&line, screen);
    }

    fn plan(&mut self, entries: &[Entry], screen: &mut Screen) {
        if entries.is_empty() || self.plan == entries {
            return;
        }
        entries.clone_into(&mut self.plan);
        let done = entries
            .iter()
            .filter(|entry| entry.status == "completed")
            .count();
        let now = entries.iter().find(|entry| entry.status == "in_progress");
        let now = now.or_else(|| entries.iter().find(|entry| entry.status == "pending"));
        let now = now.map_or_else(String::new, |entry| {
            format!(": {}", safe::line(&entry.what))
        });
        let line = self.cut(&format!("▸ plan {done}/{}{now}", entries.len()), 0);
        self.dim(&line, screen);
    }

    fn dim(&self, line: &str, screen: &mut Screen) {
        let line = self.look.paint.with(style::DIM, &self.cut(line, 0));
        self.line(&line, screen);
    }

    fn line(&self, painted: &str, screen: &mut Screen) {
        if !self.look.quiet {
            screen.line(painted);
        }
    }

    /// A line that fits, with room for `less` columns.
    fn cut(&self, line: &str, less: usize) -> String {
        safe::cut(line, self.look.width.min(LINE).saturating_sub(less).max(20))
    }
}

/// What was asked, as people read it: what an answer opened is told in the words of the answer.
pub(crate) fn told(prompt: &str) -> Cow<'_, str> {
    match Resumed::read(prompt) {
        Some(resumed) => resumed.to_string().into(),
        None => prompt.into(),
    }
}

impl Card {
    /// Title and kind on one line.
    fn label(&self) -> String {
        let title = self
            .title
            .as_deref()
            .map_or_else(|| "a tool".to_owned(), safe::line);
        match self.kind.as_deref() {
            Some(kind) if kind != "other" && kind != title => {
                format!("{title} ({})", safe::line(kind))
            }
            _ => title,
        }
    }
}

#[cfg(test)]
mod tests;
