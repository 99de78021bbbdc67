//! The checks, in their order. The first difference ends them, and so does a signal; what was made is removed all the
//! same.

use std::time::Instant;

use fountain_core::api::conversations::Create;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::editor::Editor;
use super::play::{Part, Played, play};
use super::{Checked, End, Target};
use crate::client::{self, Filter};
use crate::signals::Signals;

/// The profile, as far as it is.
pub(crate) struct Profile<'a> {
    target: &'a Target,
    /// What nobody else writes.
    nonce: String,
    /// Whether something may have been made.
    made: bool,
    agent: Option<String>,
    conversation: Option<String>,
    sandbox: String,
}

type Result = std::result::Result<(), String>;

impl<'a> Profile<'a> {
    pub(crate) fn new(target: &'a Target) -> Self {
        Self {
            target,
            nonce: uuid::Uuid::new_v4().simple().to_string(),
            made: false,
            agent: None,
            conversation: None,
            sandbox: String::new(),
        }
    }

    /// Goes through all of it.
    pub(crate) async fn run(mut self, signals: &mut Signals, tell: &mut dyn FnMut(Checked)) -> End {
        let end = tokio::select! {
            good = self.checks(tell) => End::of(good),
            signal = signals.next() => End::Stopped(signal),
        };
        let began = Instant::now();
        let left = self.clean(matches!(end, End::Stopped(_))).await;
        let checked = Checked::of("nothing is left behind", began, left);
        let clean = checked.difference.is_none();
        tell(checked);
        end.and(clean)
    }

    async fn checks(&mut self, tell: &mut dyn FnMut(Checked)) -> bool {
        macro_rules! check {
            ($name:literal, $check:expr) => {
                let began = Instant::now();
                let checked = Checked::of($name, began, $check.await);
                let good = checked.difference.is_none();
                tell(checked);
                if !good {
                    return false;
                }
            };
        }
        check!("the instance is ready", self.ready());
        check!("an agent of the fixture is admitted", self.admitted());
        check!("text arrives while the turn runs", self.streams());
        check!("the program in the sandbox is this one", self.program());
        check!("a file has exactly the bytes", self.writes());
        check!("what is permitted runs", self.permitted());
        check!(
            "what is refused does not, and the turn goes on",
            self.refused()
        );
        check!("a turn can be stopped", self.stopped());
        check!("a failure is told as one", self.fails());
        check!("an editor replays and resumes it", self.resumed());
        true
    }

    async fn ready(&self) -> Result {
        self.target.client.ready().await.map_err(told)
    }

    async fn admitted(&mut self) -> Result {
        self.made = true;
        let client = &self.target.client;
        let body = json!({
            "name": self.name(), "runtime": "fountain-fixture",
            "permission_policy": {"default": "auto_allow", "execute": "ask"},
        });
        let agent = match client.create_agent(&body).await {
            Ok(agent) => agent,
            Err(error) => {
                let owner = client.me().await.map(|me| me.id).unwrap_or_default();
                return Err(format!(
                    "{error}; a test instance has `fixture.enabled = true` and `fixture.user_id = \"{owner}\"`"
                ));
            }
        };
        self.agent = Some(agent.id.clone());
        let launch = Create {
            agent_id: agent.id,
            ..Create::default()
        };
        let made = client.create_conversation(&launch).await.map_err(told)?;
        self.sandbox = made.data.sandbox_id.unwrap_or_default();
        self.conversation = Some(made.data.id);
        Ok(())
    }

    async fn play(&self, prompt: &str, part: Part) -> std::result::Result<Played, String> {
        let id = self.conversation.as_deref().unwrap_or_default();
        play(&self.target.client, id, prompt, part).await
    }

    async fn streams(&self) -> Result {
        let played = self.play("slow 0.5", Part::Watch).await?;
        let end = Instant::now();
        played.ends("done")?;
        let first = played.said.first().map(|(at, _)| *at);
        let early = first.is_some_and(|first| end - first >= std::time::Duration::from_millis(200));
        if played.said.len() < 3 || !early {
            return Err(format!(
                "{} pieces came, the first no sooner than the end",
                played.said.len()
            ));
        }
        Ok(())
    }

    async fn program(&self) -> Result {
        let found = self.file("bin/fountain-fixture").await?.unwrap_or_default();
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let own = std::fs::read(program).map_err(|error| error.to_string())?;
        let digest = |bytes: &[u8]| {
            let digest = Sha256::digest(bytes);
            digest
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        let (is, wanted) = (digest(&found), digest(&own));
        if is == wanted {
            Ok(())
        } else {
            Err(format!(
                "its SHA-256 is {is}, and this program's is {wanted}"
            ))
        }
    }

    async fn writes(&self) -> Result {
        let prompt = format!("write nonce.txt: {0}\nremember {0}", self.nonce);
        self.play(&prompt, Part::Watch).await?.ends("done")?;
        let found = self.file("workspace/nonce.txt").await?;
        if found.as_deref() == Some(self.nonce.as_bytes()) {
            return Ok(());
        }
        let found = found.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Err(format!("nonce.txt has {found:?}, not {:?}", self.nonce))
    }

    async fn permitted(&self) -> Result {
        let played = self
            .play("run touch permitted.txt", Part::Answer("allow_once"))
            .await?;
        played.ends("done")?;
        if played.asked != 1 {
            return Err(format!("{} questions were asked, not one", played.asked));
        }
        match self.file("workspace/permitted.txt").await? {
            Some(_) => Ok(()),
            None => Err("the command did not run".to_owned()),
        }
    }

    async fn refused(&self) -> Result {
        let prompt = "run touch refused.txt\nsay and on";
        let played = self.play(prompt, Part::Answer("reject_once")).await?;
        played.ends("done")?;
        if !played.text().contains("and on") {
            return Err(format!("the turn said {:?}", played.text()));
        }
        match self.file("workspace/refused.txt").await? {
            None => Ok(()),
            Some(_) => Err("the command ran".to_owned()),
        }
    }

    async fn stopped(&self) -> Result {
        self.play("slow 60", Part::Stop).await?.ends("interrupted")
    }

    async fn fails(&self) -> Result {
        let played = self.play("fail as asked", Part::Watch).await?;
        played.ends("failed")?;
        match played.end["reason"].as_str() {
            Some(reason) if reason.contains("as asked") => Ok(()),
            reason => Err(format!("the reason is {reason:?}")),
        }
    }

    async fn resumed(&self) -> Result {
        let id = self.conversation.clone().unwrap_or_default();
        let agent = self.agent.clone().unwrap_or_default();
        let mut editor = Editor::start(self.target, &agent).await?;
        let load = json!({"sessionId": id, "cwd": "/", "mcpServers": []});
        editor.call("session/load", &load).await?;
        let asked = editor.text("user_message_chunk");
        if !asked.contains(&self.nonce) || !editor.text("agent_message_chunk").contains("and on") {
            return Err("the replay has not everything that was said".to_owned());
        }
        editor.updates.clear();
        let prompt = json!({"sessionId": id, "prompt": [{"type": "text", "text": "recall"}]});
        let end = editor.call("session/prompt", &prompt).await?;
        if end["stopReason"] != "end_turn" {
            return Err(format!("the prompt ended with {end}"));
        }
        let said = editor.text("agent_message_chunk");
        editor.leave().await?;
        match said.contains(&self.nonce) {
            true => Ok(()),
            false => Err(format!("the agent does not remember: it said {said:?}")),
        }
    }

    /// What the agent is called.
    fn name(&self) -> String {
        format!("verify-{}", self.nonce)
    }

    /// Removes what was made, and looks that it is gone. Looked for by its name: a signal may have come before the
    /// answer that told the id.
    async fn clean(&self, stopped: bool) -> Result {
        if !self.made {
            return Ok(());
        }
        let client = &self.target.client;
        let name = self.name();
        let mut active = 0;
        for agent in client.agents(Some(&name)).await.map_err(told)? {
            let filter = Filter {
                agent_id: Some(agent.id.clone()),
                ..Filter::default()
            };
            for conversation in client.conversations(&filter).await.map_err(told)? {
                let id = &conversation.id;
                let turns = client.turns(id).await.map_err(told)?;
                let open = |status: &str| matches!(status, "pending" | "running");
                active += turns.iter().filter(|turn| open(&turn.status)).count();
                client.terminate(id).await.map_err(told)?;
                client.delete_conversation(id).await.map_err(told)?;
            }
            client.delete_agent(&agent.id).await.map_err(told)?;
        }
        if active > 0 && !stopped {
            return Err(format!("{active} turns still ran"));
        }
        let sandbox = &self.sandbox;
        if !sandbox.is_empty() && client.sandbox_is_there(sandbox).await.map_err(told)? {
            return Err("the sandbox is still there".to_owned());
        }
        Ok(())
    }

    async fn file(&self, path: &str) -> std::result::Result<Option<Vec<u8>>, String> {
        let found = self.target.client.sandbox_file(&self.sandbox, path).await;
        match found {
            Ok(bytes) => Ok(Some(bytes.to_vec())),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

fn told(error: client::Error) -> String {
    error.to_string()
}
