//! The store on real files: what it opens, what it commits, what it survives.

mod fixture;
mod full;
mod opening;
mod rows;
mod writing;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};

use fountain_core::api::agents::Agent;
use fountain_core::event::Event;
use fountain_core::id::{AgentId, ConversationId, RequestId, SandboxId, TurnId};
use fountain_core::outcome::Options;
use fountain_core::policy::Policy;
use fountain_core::redact::Redactor;
use fountain_core::request::Request;
use fountain_core::time::Timestamp;
use fountain_core::turn::{Origin, Turn};
use serde_json::json;
use tempfile::TempDir;
use uuid::Uuid;

use super::*;

const NOW: Timestamp = Timestamp(1_788_772_442_113);

/// What a bell was told, a list for each commit.
type Rung = Vec<Vec<(Key, Seq)>>;

/// A folder with a database in it, and what its bell was told.
struct Place {
    folder: TempDir,
    rung: Arc<Mutex<Rung>>,
}

impl Place {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            rung: Arc::default(),
        }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("fountain.db")
    }

    fn open(&self) -> Store {
        let rung = Arc::clone(&self.rung);
        let committed = move |grown: &[(Key, Seq)]| rung.lock().unwrap().push(grown.to_vec());
        Store::open(&self.file(), Box::new(committed)).unwrap()
    }

    /// What the bell was told since the last look.
    fn rung(&self) -> Rung {
        std::mem::take(&mut self.rung.lock().unwrap())
    }
}

fn agent(name: &str) -> Agent {
    Agent {
        id: Uuid::now_v7().to_string(),
        name: name.into(),
        description: Some("An agent.".into()),
        system: None,
        model: None,
        runtime: "acp".into(),
        runtime_command: Some("true".into()),
        acp: true,
        sandbox_provider: None,
        sandbox_mode: Some("ephemeral".into()),
        metadata: serde_json::Map::new(),
        permission_policy: Some(json!({"default": "ask", "read": "auto_allow"})),
        conversation_count: 0,
        inserted_at: NOW,
        updated_at: NOW,
    }
}

/// Stores an agent and one conversation of it.
async fn conversation(store: &Store) -> (Key, ConversationId) {
    let agent = agent(&format!("agent {}", Uuid::new_v4()));
    let new = new_conversation(agent.id.parse().unwrap());
    let id = new.id;
    let key = store
        .write(move |tx| {
            agents::insert(tx, &agent)?;
            conversations::insert(tx, &new, NOW)
        })
        .await;
    (key.unwrap(), id)
}

fn new_conversation(agent: AgentId) -> conversations::New {
    conversations::New {
        id: ConversationId(Uuid::now_v7()),
        agent,
        runtime: "acp".into(),
        title: None,
        launch: Policy::default(),
        parents: Vec::new(),
        parent: None,
        sandbox: SandboxId(Uuid::now_v7()),
        sandbox_mode: "ephemeral".into(),
        sandbox_provider: "directory".into(),
    }
}

fn turn(number: i64) -> Turn {
    Turn::pending(TurnId(Uuid::now_v7()), number, Origin::User)
}

fn request(id: &str, turn: TurnId, deadline: Timestamp) -> Request {
    Request {
        id: RequestId::from_text(id),
        rpc_id: "7".into(),
        turn,
        kind: Some("execute".into()),
        tool: "execute".into(),
        summary: Some("touch x".into()),
        options: Options::new(vec![json!({"optionId": "yes", "kind": "allow_once"})]),
        timeout: Some(60),
        key: "default".into(),
        asked_at: NOW,
        deadline,
        detached: false,
    }
}

/// Appends a line to a log.
fn say(tx: &mut Tx<'_>, key: Key, text: &str) -> Result<Seq, Error> {
    let event = Redactor::default().event(Event::acp(text));
    events::append(tx, key, None, &event, NOW)
}

/// What a log says after a position.
async fn log(store: &Store, key: Key, after: i64) -> Vec<(i64, String)> {
    let read = store.read(move |db| {
        let mut rows = Vec::new();
        events::after(db, key, Seq(after), i64::MAX, |row| {
            rows.push((row.id.0, row.body.to_owned()));
            true
        })?;
        Ok(rows)
    });
    read.await.unwrap()
}

/// Keeps the writer busy with a job until it is let go: what is queued meanwhile is in one group with it.
struct Held(mpsc::Sender<()>);

impl Held {
    fn new(store: &Store) -> Self {
        let (release, wait) = mpsc::channel::<()>();
        drop(store.submit(&Arc::default(), move |_| {
            let _ = wait.recv();
            Ok(())
        }));
        Self(release)
    }

    fn release(self) {
        let _ = self.0.send(());
    }
}

fn refused() -> Error {
    Error::Commit("the test says no".into())
}
