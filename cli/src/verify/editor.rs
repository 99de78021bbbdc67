//! `fountain acp` as an editor drives it: a process of this very program, JSON lines on its stdio.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::Target;

/// The longest wait for a line.
const SILENCE: Duration = Duration::from_secs(30);

pub(super) struct Editor {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    next: i64,
    /// Every update that came, as `(kind, text)`.
    pub(super) updates: Vec<(String, String)>,
}

impl Editor {
    pub(super) async fn start(target: &Target, agent: &str) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut process = Command::new(program)
            .args(["acp", "--agent", agent])
            .env("FOUNTAIN_BASE_URL", target.client.base())
            .env("FOUNTAIN_API_KEY", target.key.expose())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| error.to_string())?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("fountain acp has no stdio".to_owned());
        };
        let mut editor = Self {
            process,
            input,
            output: BufReader::new(output).lines(),
            next: 0,
            updates: Vec::new(),
        };
        let hello = json!({"protocolVersion": 1, "clientCapabilities": {}});
        editor.call("initialize", &hello).await?;
        Ok(editor)
    }

    /// Asks, and takes what comes until the answer.
    pub(super) async fn call(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        let id = self.next;
        self.next += 1;
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let line = format!("{line}\n");
        let written = self.input.write_all(line.as_bytes()).await;
        written.map_err(|error| format!("fountain acp: {error}"))?;
        loop {
            let line = tokio::time::timeout(SILENCE, self.output.next_line()).await;
            let line = line
                .map_err(|_| format!("fountain acp did not answer `{method}`"))?
                .map_err(|error| error.to_string())?
                .ok_or_else(|| format!("fountain acp ended in `{method}`"))?;
            let message: Value = serde_json::from_str(&line)
                .map_err(|_| format!("a line of fountain acp is no JSON: {line}"))?;
            if message["method"] == "session/update" {
                let update = &message["params"]["update"];
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                self.updates.push((
                    text(&update["sessionUpdate"]),
                    text(&update["content"]["text"]),
                ));
            } else if message["id"] == id && message.get("method").is_none() {
                return match message.get("result") {
                    Some(result) => Ok(result.clone()),
                    None => Err(format!("`{method}`: {}", message["error"]["message"])),
                };
            }
        }
    }

    /// Everything of one kind of update, as one text.
    pub(super) fn text(&self, kind: &str) -> String {
        let texts = self.updates.iter().filter(|(of, _)| of == kind);
        texts.map(|(_, text)| text.as_str()).collect()
    }

    /// Goes away; the process has to end well.
    pub(super) async fn leave(self) -> Result<(), String> {
        let Self {
            mut process, input, ..
        } = self;
        drop(input);
        match tokio::time::timeout(SILENCE, process.wait()).await {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(Ok(status)) => Err(format!("fountain acp ended with {status}")),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("fountain acp did not end with its input".to_owned()),
        }
    }
}
