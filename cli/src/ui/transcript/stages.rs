//! Stage events as lines.

use super::reading::Stage;
use super::{Screen, Transcript, style};
use crate::ui::safe;

impl Transcript {
    pub(super) fn stage(&mut self, stage: &Stage, screen: &mut Screen) {
        match (stage.name.as_str(), stage.state.as_str()) {
            ("turn", "started") => self.turn_started(stage, screen),
            ("turn", state) => self.turn_ended(stage, state, screen),
            // Who asks or tells how to answer is decided elsewhere; here it only stands apart from the text.
            ("request", "started") => self.apart = true,
            ("request", _) => self.answered(stage, screen),
            ("policy", _) if stage.text("event") == Some("denied") => self.denied(stage, screen),
            (name, "started") => {
                if self.look.verbose > 0 {
                    self.dim(&format!("▸ {}: started", safe::line(name)), screen);
                }
            }
            (name, "failed") => {
                // Why a sandbox did not start is what the command itself says last.
                let last = name == "provision" && !self.look.turns;
                let why = if last { Vec::new() } else { details(stage) };
                let text = format!("{}: failed{}", safe::line(name), brackets(&why));
                self.marked(false, &text, screen);
            }
            (name, state) => {
                let text = format!(
                    "▸ {}: {}{}",
                    safe::line(name),
                    safe::line(state),
                    brackets(&details(stage))
                );
                self.dim(&text, screen);
            }
        }
    }

    fn turn_started(&mut self, stage: &Stage, screen: &mut Screen) {
        if !self.look.turns {
            return;
        }
        self.apart = true;
        let number = stage.number("turn_number").unwrap_or_default();
        let prompt = stage
            .text("turn_id")
            .and_then(|turn| self.prompts.get(turn));
        let line = match prompt {
            Some(prompt) => format!("▸ turn {number}: {prompt}"),
            None => format!("▸ turn {number}"),
        };
        let line = self.look.paint.with(style::BOLD, &self.cut(&line, 0));
        self.line(&line, screen);
    }

    fn turn_ended(&mut self, stage: &Stage, state: &str, screen: &mut Screen) {
        let waiting = stage.meta["waiting"] == true;
        // What waits is no tool that was left unfinished.
        self.end_turn(waiting, screen);
        self.apart = true;
        let stop = stage.text("stop_reason");
        let usual = state == "done" && (waiting || matches!(stop, None | Some("end_turn")));
        if !self.look.turns && (usual || state != "done") {
            // How it ended is what the command itself says last.
            return;
        }
        let number = stage.number("turn_number").unwrap_or_default();
        let mut details = details(stage);
        if let Some(stop) = stop.filter(|stop| *stop != "end_turn") {
            details.insert(0, safe::line(stop));
        }
        let text = format!("turn {number}: {}{}", safe::line(state), brackets(&details));
        match state {
            "failed" => self.marked(false, &text, screen),
            _ => self.dim(&format!("▸ {text}"), screen),
        }
    }

    fn answered(&mut self, stage: &Stage, screen: &mut Screen) {
        self.apart = true;
        let id = stage.text("request_id").unwrap_or_default();
        let question = self.questions.remove(id);
        let title = question
            .as_ref()
            .map_or("the tool", |question| question.title.as_str());
        let option = stage.text("option_id");
        let picked = question
            .as_ref()
            .and_then(|question| question.options.get(option?));
        let (good, text) = match stage.text("outcome") {
            Some("timeout") => (
                false,
                format!("refused, as nobody answered in time: {title}"),
            ),
            Some("turn_ended") => (false, format!("refused, as its turn ended: {title}")),
            Some("cancelled") => (false, format!("the agent took its question back: {title}")),
            _ => match (picked, option) {
                (Some((name, kind)), _) if kind.starts_with("allow") => {
                    (true, format!("allowed: {title}{}", named(name)))
                }
                (Some((name, kind)), _) if kind.starts_with("reject") => {
                    (false, format!("refused: {title}{}", named(name)))
                }
                (Some((name, _)), _) => (true, format!("answered: {title}{}", named(name))),
                (None, Some(option)) => (true, format!("answered: {title}{}", named(option))),
                (None, None) => (false, format!("refused: {title}")),
            },
        };
        self.marked(good, &text, screen);
        let call = question.and_then(|question| question.call);
        if let Some(card) = call
            .and_then(|call| self.tools.get_mut(&call))
            .filter(|_| !good)
        {
            card.settled = true;
            card.refused = true;
        }
    }

    /// The policy refused by itself. That is the end of the tool's card too, unless it ran all the same.
    fn denied(&mut self, stage: &Stage, screen: &mut Screen) {
        self.apart = true;
        let what = stage.text("summary").or_else(|| stage.text("tool"));
        let card = stage
            .text("tool_call_id")
            .and_then(|call| self.tools.get_mut(call));
        let label = match card {
            Some(card) => {
                card.settled = true;
                card.refused = true;
                card.label()
            }
            None => safe::line(what.unwrap_or("a tool")),
        };
        let key = safe::line(stage.text("key").unwrap_or("default"));
        self.marked(
            false,
            &format!("denied by the policy ({key}): {label}"),
            screen,
        );
    }

    fn marked(&self, good: bool, text: &str, screen: &mut Screen) {
        let (mark, style) = if good {
            ("✓", style::GOOD)
        } else {
            ("✗", style::BAD)
        };
        let line = format!(
            "{} {}",
            self.look.paint.with(style, mark),
            self.cut(text, 2)
        );
        self.line(&line, screen);
    }
}

fn named(option: &str) -> String {
    brackets(&[safe::line(option)])
}

/// What is worth telling of a stage besides its name.
fn details(stage: &Stage) -> Vec<String> {
    let mut details: Vec<String> = [
        "event",
        "outcome",
        "reason",
        "message",
        "effective",
        "detail",
    ]
    .iter()
    .filter_map(|member| stage.text(member).map(safe::line))
    .collect();
    details.dedup();
    if let Some(code) = stage.number("exit_code").filter(|code| *code != 0) {
        details.push(format!("exit status {code}"));
    }
    if let Some(took) = stage
        .duration_ms
        .filter(|took| *took >= 100 && stage.name != "turn")
    {
        details.push(format!("{}.{} s", took / 1000, took % 1000 / 100));
    }
    details
}

fn brackets(details: &[String]) -> String {
    match details
        .iter()
        .filter(|detail| !detail.is_empty())
        .cloned()
        .collect::<Vec<_>>()
        .join(", ")
    {
        none if none.is_empty() => none,
        some => format!(" ({some})"),
    }
}
