//! One prompt played to its end over the API: what was said and when, and how the turn ended.

use std::time::{Duration, Instant};

use fountain_core::api::conversations::Prompt;
use fountain_core::api::requests::Answer;
use serde_json::Value;

use crate::client::{Client, From};
use crate::ui::transcript::reading::{self, Asked, Seen};

/// The longest a turn may say nothing.
const SILENCE: Duration = Duration::from_secs(30);

/// What is done while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Nothing.
    Watch,
    /// Answer the question with the first option of this kind.
    Answer(&'static str),
    /// Stop it once it has said something.
    Stop,
}

/// A turn that is over.
#[derive(Debug, Default)]
pub(super) struct Played {
    /// Its text, by when it came.
    pub(super) said: Vec<(Instant, String)>,
    /// How many questions it asked.
    pub(super) asked: usize,
    /// `done`, `failed` or `interrupted`.
    pub(super) state: String,
    /// What else its end tells.
    pub(super) end: Value,
}

impl Played {
    pub(super) fn text(&self) -> String {
        self.said.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// An error unless it ended like this.
    pub(super) fn ends(&self, state: &str) -> Result<(), String> {
        if self.state == state {
            Ok(())
        } else {
            let (is, end) = (&self.state, &self.end);
            Err(format!("the turn ended `{is}`, not `{state}`: {end}"))
        }
    }
}

pub(super) async fn play(
    client: &Client,
    id: &str,
    prompt: &str,
    part: Part,
) -> Result<Played, String> {
    let told = |error: crate::client::Error| error.to_string();
    let prompt = Prompt {
        prompt: prompt.to_owned(),
        ..Prompt::default()
    };
    let accepted = client.prompt(id, &prompt).await.map_err(told)?;
    let from = From {
        after: accepted.after.0,
        streams: "acp,stage",
        blocks: false,
        wait: true,
    };
    let mut stream = client.follow(id, from);
    let mut played = Played::default();
    let mut stopped = false;
    loop {
        let mut questions: Vec<Asked> = Vec::new();
        while let Some(event) = stream.buffered() {
            match reading::read(&event) {
                Seen::Text(text) => played.said.push((Instant::now(), text.into_owned())),
                Seen::Asked(asked) => questions.push(*asked),
                Seen::Stage(stage)
                    if stage.name == "turn"
                        && stage.state != "started"
                        && stage.text("turn_id") == Some(&accepted.turn_id) =>
                {
                    played.state = stage.state;
                    played.end = stage.meta;
                    return Ok(played);
                }
                _ => {}
            }
        }
        for asked in questions {
            played.asked += 1;
            if let Part::Answer(kind) = part {
                answer(client, id, &asked, kind).await?;
            }
        }
        if part == Part::Stop && !stopped && !played.said.is_empty() {
            client.interrupt(id).await.map_err(told)?;
            stopped = true;
        }
        match tokio::time::timeout(SILENCE, stream.fill()).await {
            Err(_) => return Err(format!("the turn said nothing for {SILENCE:?}")),
            Ok(Err(error)) => return Err(error.to_string()),
            Ok(Ok(_)) => {}
        }
    }
}

async fn answer(client: &Client, id: &str, asked: &Asked, kind: &str) -> Result<(), String> {
    let options = asked.permission.options.raw();
    let option = options
        .iter()
        .find(|option| option["kind"] == kind)
        .and_then(|option| option["optionId"].as_str())
        .ok_or_else(|| format!("no option of the kind {kind} was offered"))?;
    let answer = Answer {
        option_id: Some(option.to_owned()),
        deny: false,
    };
    let answered = client.answer(id, &asked.id, &answer).await;
    answered.map_err(|error| error.to_string())
}
