//! Waking a conversation: a disk, a process, a handshake. It runs beside the mailbox, so that a stop is heard.

use std::ffi::OsString;
use std::sync::Arc;

use fountain_core::acp::one_line;
use fountain_core::api::auth::Scope;
use fountain_core::conversation::Status;
use fountain_core::event::{Event, State};
use fountain_core::id::{ConversationId, KeyId};
use fountain_core::redact::Redactor;
use fountain_core::turn::{Effect, Finish, Turn};
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use super::actor::Actor;
use super::agent::Agent;
use crate::app::App;
use crate::runtime::link::{FromAgent, Link};
use crate::runtime::session::{self, How, Session, Wanted};
use crate::runtime::{self, FIXTURE};
use crate::sandbox::{Disk, Environment, Launch};
use crate::secret::Secret;
use crate::store::{agents, conversations, keys, turns};

/// A runtime that takes prompts.
pub(super) struct Opened {
    link: Link,
    batches: mpsc::Receiver<Vec<FromAgent>>,
    session: Session,
}

/// Why there is none.
pub(super) struct NotOpened {
    /// In words.
    pub(super) reason: String,
    /// The runtime's exit status, when that was it.
    pub(super) code: Option<i64>,
}

/// What the task that opens needs to know.
struct Start {
    app: App,
    disk: Disk,
    making: Arc<tokio::sync::Mutex<()>>,
    /// Whether it is the built-in agent under its own name.
    fixture: bool,
    command: String,
    environment: Environment,
    known: Option<String>,
    model: Option<String>,
}

impl Actor {
    /// Starts the runtime for the turn that waits.
    pub(super) async fn wake(&mut self) {
        let agent = match self.live.agent {
            Some(id) => self
                .app
                .store
                .read(move |db| agents::show(db, id))
                .await
                .ok()
                .flatten(),
            None => None,
        };
        let start = runtime::find(&self.live.runtime).and_then(|runtime| runtime.start);
        let fixture = start == Some(runtime::Start::Fixture);
        let command = agent.as_ref().and_then(|agent| match fixture {
            true => Some(format!("exec {FIXTURE} fixture")),
            false => agent.runtime_command.clone(),
        });
        let Some(command) = command else {
            let reason =
                "the agent has no command to run (`runtime_command`), or was deleted".to_owned();
            return self.not_opened(NotOpened { reason, code: None }).await;
        };
        self.attempt += 1;
        let secret = Secret::mint();
        let settings = self.app.settings();
        let extra: Vec<(OsString, OsString)> = settings
            .runtimes
            .get(&self.live.runtime)
            .map(runtime_variables)
            .unwrap_or_default();
        let hidden = extra.iter().filter_map(|(_, value)| value.to_str());
        self.redactor = Arc::new(Redactor::new(
            std::iter::once(secret.expose()).chain(hidden),
        ));
        let event = Event::stage(
            "provision",
            State::Started,
            json!({"provider": self.app.sandboxes.name()}),
        );
        let (key, id, now) = (self.live.key, self.live.id, self.app.now());
        let row = sandbox_key(id, &secret);
        let hash = secret.hash();
        let turn = self.turn.as_ref().map(|turn| turn.id);
        let stored = self
            .commit(turn, vec![Effect::Record(event)], move |tx| {
                keys::take_back(tx, id)?;
                keys::insert(tx, &row, &hash, now)?;
                conversations::set_sandbox(tx, key, "starting", now)
            })
            .await;
        if let Err(error) = stored {
            return self.storage_failed(&error);
        }
        let start = Start {
            app: self.app.clone(),
            disk: self.app.disk(self.sandbox()),
            making: Arc::clone(&self.making),
            fixture,
            command,
            environment: Environment {
                base_url: self.app.base_url.clone(),
                token: Some(secret.expose().to_owned()),
                conversation_id: id.to_string(),
                extra,
            },
            known: self.live.session.clone(),
            model: agent.and_then(|agent| agent.model),
        };
        let (done, result) = oneshot::channel();
        let task = tokio::spawn(async move {
            let _ = done.send(start.run().await);
        });
        self.agent = Agent::Opening { task, result };
        self.timers.opening = Some(now);
    }

    pub(super) async fn opened(&mut self, result: Result<Opened, NotOpened>) {
        let opened = match result {
            Ok(opened) => opened,
            Err(failed) => return self.not_opened(failed).await,
        };
        let Opened {
            link,
            batches,
            session,
        } = opened;
        let now = self.app.now();
        let started = self.timers.opening.take();
        let done = json!({"provider": self.app.sandboxes.name(), "session": how(session.how)});
        let mut effects = vec![Effect::Record(
            Event::stage("provision", State::Done, done).took(started, now),
        )];
        if session.how == How::Forgotten {
            let reset = json!({"event": "reset", "reason": "session_gone", "message": "The runtime has forgotten this conversation; it starts without memory."});
            effects.push(Effect::Record(Event::stage("session", State::Done, reset)));
        }
        let submission = self.submission.take();
        let mut turn = self.turn.clone();
        if let (Some(turn), Some(submission)) = (&mut turn, &submission) {
            effects.extend(self.started(turn, submission, false));
        }
        let status = if turn.is_some() {
            Status::with(turn.as_ref())
        } else {
            self.live.status
        };
        let (key, attempt, id) = (self.live.key, self.attempt, session.id.clone());
        let turn_id = turn.as_ref().map(|turn: &Turn| turn.id);
        self.agent = Agent::Awake {
            link,
            batches,
            images: session.images,
        };
        let stored = self
            .commit(turn_id, effects, move |tx| {
                conversations::set_session(tx, key, Some(&id))?;
                conversations::set_sandbox(tx, key, "ready", now)?;
                if let Some(turn) = turn_id {
                    turns::start(tx, turn, attempt, now)?;
                }
                conversations::set_status(tx, key, status, now)
            })
            .await;
        if let Err(error) = stored {
            return self.storage_failed(&error);
        }
        self.live.session = Some(session.id);
        self.live.status = status;
        self.turn = turn;
        if self.turn.is_none() {
            self.rests();
        }
        if let Some(submission) = submission {
            self.deliver(&submission).await;
        }
    }

    async fn not_opened(&mut self, failed: NotOpened) {
        let now = self.app.now();
        let started = self.timers.opening.take();
        let event = Event::stage(
            "provision",
            State::Failed,
            json!({"reason": failed.reason, "exit_code": failed.code}),
        );
        let turn = self.turn.as_ref().map(|turn| turn.id);
        let (key, id) = (self.live.key, self.live.id);
        let stored = self
            .commit(
                turn,
                vec![Effect::Record(event.took(started, now))],
                move |tx| conversations::suspended(tx, key, id, now),
            )
            .await;
        if let Err(error) = stored {
            return self.storage_failed(&error);
        }
        let reason = format!("the sandbox never started: {}", failed.reason);
        self.finish(Finish::Exited {
            code: failed.code,
            reason,
        })
        .await;
    }
}

impl Start {
    async fn run(self) -> Result<Opened, NotOpened> {
        let plain = |reason: String| NotOpened { reason, code: None };
        let place = self.app.conversations.place(&self.app).await;
        let (kind, disk) = (Arc::clone(&self.app.sandboxes), self.disk.clone());
        let making = Arc::clone(&self.making).lock_owned().await;
        let fixture = self.fixture;
        let provision = move || {
            let _making = making;
            kind.provision(&disk)?;
            match fixture {
                true => kind.install(&disk, FIXTURE),
                false => Ok(()),
            }
        };
        let provisioned = tokio::task::spawn_blocking(provision).await;
        match provisioned {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(plain(format!("its disk could not be made: {error}"))),
            Err(error) => return Err(plain(error.to_string())),
        }
        let launch = Launch {
            program: "sh".into(),
            args: vec!["-c".into(), (&self.command).into()],
            env: self.environment.build(&self.disk),
            cwd: self.disk.workspace(),
            marker: self.disk.marker(),
        };
        let process = self
            .app
            .sandboxes
            .start(&self.disk, &launch)
            .map_err(|error| plain(format!("its process could not be started: {error}")))?;
        let limits = &self.app.settings().limits;
        let frame = usize::try_from(limits.max_frame).unwrap_or(usize::MAX);
        let (link, batches) = Link::open(process, frame, place);
        let cwd = self.disk.workspace();
        let wanted = Wanted {
            cwd: &cwd,
            known: self.known.as_deref(),
            model: self.model.as_deref(),
            limit: limits.handshake,
        };
        match session::open(&link, wanted).await {
            Ok(session) => Ok(Opened {
                link,
                batches,
                session,
            }),
            Err(failed) => Err(explain(link, batches, failed, &self.command).await),
        }
    }
}

/// Ends a runtime whose handshake failed, and says what its process tells about it.
async fn explain(
    link: Link,
    mut batches: mpsc::Receiver<Vec<FromAgent>>,
    failed: session::Failed,
    command: &str,
) -> NotOpened {
    link.stop();
    let mut closed = None;
    while let Some(batch) = batches.recv().await {
        closed = batch.into_iter().find_map(|item| match item {
            FromAgent::Closed(closed) => Some(closed),
            _ => None,
        });
        if closed.is_some() {
            break;
        }
    }
    let command = one_line(command, 120);
    let gone = matches!(failed, session::Failed::Gone(_));
    let reason = match &closed {
        Some(closed) if gone => format!("{failed} of `{command}`: {}", closed.reason()),
        Some(closed) if !closed.stderr.is_empty() => {
            format!("{failed} (`{command}`)\n{}", closed.stderr)
        }
        _ => format!("{failed} (`{command}`)"),
    };
    // Where we ended it because it did not answer, its exit status says nothing.
    let code = closed.filter(|_| gone).and_then(|closed| closed.code());
    NotOpened { reason, code }
}

fn how(how: How) -> &'static str {
    match how {
        How::New => "new",
        How::Resumed => "resumed",
        How::Forgotten => "fresh",
    }
}

fn runtime_variables(
    settings: &fountain_core::settings::RuntimeSettings,
) -> Vec<(OsString, OsString)> {
    let passed = settings
        .pass
        .iter()
        .filter_map(|name| Some((name.into(), std::env::var_os(name)?)));
    let given = settings
        .env
        .iter()
        .map(|(name, value)| (name.into(), value.expose().into()));
    passed.chain(given).collect()
}

fn sandbox_key(conversation: ConversationId, secret: &Secret) -> keys::Key {
    keys::Key {
        id: KeyId(Uuid::now_v7()),
        name: "sandbox".into(),
        prefix: secret.prefix(),
        scope: Scope::Sandbox,
        conversation: Some(conversation),
        expires_at: None,
        revoked_at: None,
    }
}
