//! `fountain run`: a conversation from its first prompt to the end of its turn.

use std::time::Duration;

use clap::ValueEnum;
use fountain_core::api::conversations::Create;
use fountain_core::duration;
use serde_json::Value;

use crate::client::Client;
use crate::context::Context;
use crate::failure::Failure;
use crate::follow::{self, Plan, Turn, Until};
use crate::signals::{Signal, Signals};
use crate::ui::transcript::Transcript;
use crate::{permission, prompt, resolve};

/// Start a conversation, send a prompt, follow it to the end of its turn
///
/// The agent's answer goes to standard output as it arrives; thoughts, tools, stages and the conversation's id go
/// to standard error. When the agent asks before it runs a tool, you are asked on a terminal; elsewhere it says
/// how to answer. Ctrl-C stops the turn, a second Ctrl-C leaves it running. When standard output is closed, the
/// turn goes on.
///
/// Example: fountain run demo -p "run ls -la" --permission execute=ask
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The agent, by name or id
    agent: String,
    #[command(flatten)]
    prompt: prompt::Args,
    /// What happens before a tool runs, for this conversation: a verdict (ask), or pairs (execute=ask,edit=auto_deny)
    #[arg(long, value_name = "POLICY", value_parser = permission::parse)]
    permission: Option<Value>,
    /// Where the sandbox lives
    #[arg(long, value_enum, value_name = "MODE")]
    sandbox_mode: Option<SandboxMode>,
    /// A title; without one the agent may give one
    #[arg(long)]
    title: Option<String>,
    /// A label of this submission, kept with its turn
    #[arg(long, value_name = "ID")]
    client_request_id: Option<String>,
    #[command(flatten)]
    following: Following,
}

/// How a turn that was started is followed: the same for every command that starts one.
#[derive(clap::Args, Clone, Debug, Default)]
#[group(skip)]
pub(crate) struct Following {
    /// Print the conversation's id and do not follow
    #[arg(long)]
    detach: bool,
    /// When the turn ends waiting for a person, follow on into the turns that answers open
    #[arg(long, conflicts_with = "detach")]
    wait: bool,
    /// Stop following after this long; the turn goes on
    #[arg(long, value_name = "DURATION", value_parser = span, conflicts_with = "detach")]
    timeout: Option<Duration>,
    /// Exit with 7 when the turn ended waiting for a person
    #[arg(long, conflicts_with = "detach")]
    exit_waiting: bool,
    /// Print the events instead of the text, one JSON object a line; with --detach the answer to the call
    #[arg(long)]
    json: bool,
}

/// Where a sandbox lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SandboxMode {
    /// One for this conversation alone.
    Ephemeral,
    /// The agent's own, shared by its conversations. This version refuses it.
    #[value(hide = true)]
    Persistent,
}

impl SandboxMode {
    /// The word on the wire.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Ephemeral => "ephemeral",
            Self::Persistent => "persistent",
        }
    }
}

/// Runs the command.
pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let text = args.prompt.text(cx)?;
    let images = args.prompt.images()?;
    let client = cx.client().await?;
    let agent = resolve::agent(&client, &args.agent).await?;
    permission::warn(args.permission.as_ref(), &cx.ui);
    let body = Create {
        agent_id: agent.id,
        prompt: Some(text),
        images,
        title: args.title,
        permission_policy: args.permission,
        sandbox_mode: args.sandbox_mode.map(|mode| mode.as_str().to_owned()),
        client_request_id: args.client_request_id,
        ..Create::default()
    };
    let following = args.following;
    let mut signals = Signals::listen()?;
    let (created, early) = patiently(client.create_conversation(&body), &mut signals).await?;
    let created = created?;
    if following.detach {
        return match following.json {
            true => cx.ui.json(&created),
            false => cx.ui.data(&created.data.id),
        };
    }
    let id = created.data.id;
    tell_id(cx, &id);
    let meta = created.meta;
    let opened = Opened {
        conversation: id,
        after: meta.after.map_or(0, |after| after.0),
        turn: Turn {
            id: meta.turn_id,
            number: meta.turn_number,
        },
        signals,
        early,
    };
    following.follow(cx, &client, opened).await
}

impl Following {
    /// Whether only the id is wanted.
    pub(crate) fn detach(&self) -> bool {
        self.detach
    }

    /// Whether JSON is wanted.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Follows a turn that was just opened.
    pub(crate) async fn follow(
        self,
        cx: &Context,
        client: &Client,
        opened: Opened,
    ) -> Result<(), Failure> {
        let Opened {
            conversation,
            after,
            turn,
            mut signals,
            early,
        } = opened;
        let plan = Plan {
            until: if self.wait {
                Until::Answered
            } else {
                Until::TurnEnds
            },
            json: self.json,
            timeout: self.timeout,
            exit_waiting: self.exit_waiting,
            ..Plan::turn(conversation, after, turn)
        };
        if early {
            signals.put_back(Signal::Interrupt);
        }
        let transcript = Transcript::new(follow::look(cx, false));
        follow::follow(cx, client, plan, transcript, &mut signals).await
    }
}

/// A turn that was just opened.
pub(crate) struct Opened {
    pub(crate) conversation: String,
    /// The event just before its first one.
    pub(crate) after: i64,
    pub(crate) turn: Turn,
    pub(crate) signals: Signals,
    /// Ctrl-C was pressed while it was being opened.
    pub(crate) early: bool,
}

/// The conversation's id, before anything else is heard of it.
pub(crate) fn tell_id(cx: &Context, id: &str) {
    cx.ui.note(&format!("▸ conversation {id}"));
}

/// Waits for a call that opens a turn. A Ctrl-C meanwhile is kept for the turn, so that it does not run on
/// unseen; a second one ends the command.
pub(crate) async fn patiently<T>(
    call: impl Future<Output = T>,
    signals: &mut Signals,
) -> Result<(T, bool), Failure> {
    let mut early = false;
    tokio::pin!(call);
    loop {
        tokio::select! {
            done = &mut call => return Ok((done, early)),
            signal = signals.next() => match signal {
                Signal::Interrupt if !early => early = true,
                signal => return Err(signal.failure()),
            },
        }
    }
}

/// A duration as a flag.
pub(crate) fn span(text: &str) -> Result<Duration, String> {
    match duration::parse(text) {
        Ok(Duration::ZERO) => Err("it must be longer than nothing".to_owned()),
        Ok(span) => Ok(span),
        Err(why) => Err(why.to_string()),
    }
}
