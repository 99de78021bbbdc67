//! Editors that cannot run here: Zed, JetBrains, Buzz. What they send was read in their sources or reports, with their
//! capabilities, their ids, their `_meta` and the fields that are theirs alone; what they get is judged by the schema.

use serde_json::{Value, json};

use crate::clients::Recorder;
use crate::kit::{Answer, Editor, Home, Http};

/// One of those editors, with ids of its own kind.
struct Scripted {
    editor: Editor,
    id: fn(u32) -> Value,
    next: u32,
    /// Fields that it adds to every request.
    more: Value,
}

impl Scripted {
    fn start(home: &Home, recorder: &Recorder<'_>, id: fn(u32) -> Value, more: Value) -> Self {
        let [record, folder, program] = recorder.command();
        let mut command = home.program(record.to_str().unwrap());
        command.arg(folder).arg(program);
        command.args(["acp", "--agent", "demo"]);
        Self {
            editor: home.editor_of(command),
            id,
            next: 0,
            more,
        }
    }

    /// Sends a request; gives its id.
    fn send(&mut self, method: &str, params: Value) -> Value {
        let id = (self.id)(self.next);
        self.next += 1;
        let mut line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let more = self.more.as_object().unwrap().clone();
        line.as_object_mut().unwrap().extend(more);
        self.editor.line(&line.to_string());
        id
    }

    fn notify(&mut self, method: &str, params: Value) {
        let line = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.editor.line(&line.to_string());
    }

    /// The answer to a request, whose id has to be the very one.
    #[track_caller]
    fn answer(&mut self, id: &Value) -> Value {
        self.editor.comes(&format!("an answer to {id}"), |message| {
            message.get("method").is_none() && message["id"] == *id
        })
    }

    #[track_caller]
    fn ok(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let answer = self.answer(&id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The code of an error.
    #[track_caller]
    fn refused(&mut self, method: &str, params: Value) -> i64 {
        let id = self.send(method, params);
        let answer = self.answer(&id);
        answer["error"]["code"].as_i64().unwrap_or_else(|| {
            panic!("{method} was not refused: {answer}");
        })
    }

    /// The question with this number; they are counted from 0.
    #[track_caller]
    fn asked(&mut self, number: usize) -> Value {
        self.editor.comes("a question", |message| {
            message["method"] == "session/request_permission" && message["id"] == number
        })
    }
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// The only conversation there is.
fn only(http: &Http) -> Value {
    let all = http.get("/api/conversations");
    assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
    all[0].clone()
}

#[test]
fn zed() {
    let home = Home::new();
    let daemon = home.daemon();
    let recorder = Recorder::new(&home);
    // Its requests have random ids, which are strings.
    let id = |number| json!(format!("7f6f2a54-6a0d-4c5b-9a55-{number:012}"));
    let mut zed = Scripted::start(&home, &recorder, id, json!({}));
    let capabilities = json!({
        "fs": {"readTextFile": true, "writeTextFile": true},
        "terminal": true,
        "auth": {"terminal": true},
        "session": {"configOptions": {"boolean": {}}},
        "elicitation": {"form": {}, "url": {}},
        "_meta": {"terminal_output": true, "terminal-auth": true},
    });
    let hello = json!({
        "protocolVersion": 1,
        "clientCapabilities": capabilities,
        "clientInfo": {"name": "zed", "title": "Zed", "version": "1.9.0"},
    });
    let hello = zed.ok("initialize", hello);
    assert_eq!(hello["protocolVersion"], 1);
    assert_eq!(hello["authMethods"], json!([]));
    let servers = json!([
        {"name": "files", "command": "/usr/bin/mcp", "args": ["--stdio"], "env": [{"name": "A", "value": "b"}]},
        {"type": "http", "name": "search", "url": "https://localhost/mcp", "headers": [{"name": "X", "value": "y"}]},
    ]);
    let new = json!({"cwd": "/home/somebody/project", "mcpServers": servers, "_meta": null});
    let session = zed.ok("session/new", new)["sessionId"].clone();
    assert_eq!(only(&daemon.http())["id"], session);

    // The options that the user has as defaults are set at once, whether the agent has them or not.
    let option =
        json!({"sessionId": session, "configId": "thinking", "type": "boolean", "value": true});
    let set = zed.ok("session/set_config_option", option);
    assert_eq!(set["_meta"]["fountain"]["applied"], false);
    assert!(set.get("configOptions").is_none(), "{set}");
    let mode = json!({"sessionId": session, "modeId": "ask"});
    assert_eq!(zed.refused("session/set_mode", mode), -32601);

    // A mention is a resource; the question is answered with what the agent offered.
    zed.editor.answers(Answer::Kind("allow_once"));
    let mention = json!({"type": "resource", "resource": {"uri": "zed:///agent/file?path=a.rs", "text": "fn a() {}", "mimeType": null}});
    let link = json!({"type": "resource_link", "uri": "file:///home/somebody/project/a.rs", "name": "a.rs"});
    let prompt = json!([text("run touch allowed"), mention, link]);
    let end = zed.ok(
        "session/prompt",
        json!({"sessionId": session, "prompt": prompt}),
    );
    assert_eq!(end["stopReason"], "end_turn");
    assert!(home.workspace().join("allowed").exists());

    // Stop: a cancel, and every open question closed.
    zed.editor.answers(Answer::Nothing);
    let prompt = json!({"sessionId": session, "prompt": [text("run touch stopped")]});
    let running = zed.send("session/prompt", prompt);
    let ask = zed.asked(1);
    zed.notify("session/cancel", json!({"sessionId": session}));
    let closed =
        json!({"jsonrpc": "2.0", "id": ask["id"], "result": {"outcome": {"outcome": "cancelled"}}});
    zed.editor.line(&closed.to_string());
    assert_eq!(zed.answer(&running)["result"]["stopReason"], "cancelled");
    assert!(!home.workspace().join("stopped").exists());

    // The thread view is closed and opened again from the history.
    zed.ok("session/close", json!({"sessionId": session}));
    let list = zed.ok("session/list", json!({"cwd": "/home/somebody/project"}));
    assert_eq!(list["sessions"][0]["sessionId"], session);
    assert_eq!(list["sessions"][0]["cwd"], "/home/somebody/project");
    let load = json!({"sessionId": session, "cwd": "/home/somebody/project", "mcpServers": []});
    zed.ok("session/load", load);
    for method in ["session/delete", "logout", "session/fork"] {
        assert_eq!(
            zed.refused(method, json!({"sessionId": session})),
            -32601,
            "{method}"
        );
    }
    drop(zed);
    let _ = recorder.judged("what Zed sends");
}

#[test]
fn jetbrains() {
    let home = Home::new();
    let daemon = home.daemon();
    let recorder = Recorder::new(&home);
    // Its ids are whole numbers from 1.
    let mut idea = Scripted::start(&home, &recorder, |number| json!(number + 1), json!({}));
    let hello = json!({
        "protocolVersion": 1,
        "clientCapabilities": {"fs": {"readTextFile": true, "writeTextFile": true, "_meta": null}, "terminal": true},
        "clientInfo": {"name": "JetBrains.IntelliJ IDEA", "title": "IntelliJ IDEA 2026.3", "version": "263.1"},
        "_meta": {"com.example/ide": {"build": "IU-263.1"}},
    });
    let hello = idea.ok("initialize", hello);
    // Where the protocol has objects, a boolean ends the connection there.
    let capabilities = hello["agentCapabilities"]["sessionCapabilities"]
        .as_object()
        .unwrap();
    assert!(
        capabilities.values().all(Value::is_object),
        "{capabilities:?}"
    );
    let own = json!({
        "name": "idea",
        "command": "/opt/idea/jbr/bin/java",
        "args": ["-classpath", "/opt/idea/lib/*", "com.intellij.mcpserver.stdio.McpStdioRunnerKt"],
        "env": [{"name": "IJ_MCP_SERVER_PORT", "value": "64342"}],
    });
    let before = idea.editor.seen.len();
    let session = idea.ok(
        "session/new",
        json!({"cwd": "/home/x/IdeaProjects/p", "mcpServers": [own]}),
    );
    // It hangs on anything that comes before the answer.
    assert_eq!(idea.editor.seen[before]["result"], session);
    let session = session["sessionId"].clone();
    assert!(idea.editor.stderr().contains("idea"));

    idea.editor.answers(Answer::Kind("reject_once"));
    let prompt = |text_: &str| json!({"sessionId": session, "prompt": [text(text_)], "_meta": {"com.example/turn": 1}});
    let end = idea.ok("session/prompt", prompt("run touch refused\nsay went on"));
    assert_eq!(end["stopReason"], "end_turn");
    assert!(!home.workspace().join("refused").exists());
    // A bare "Internal error" would be all that is shown.
    let failed = idea.send("session/prompt", prompt("fail the model is away"));
    let failed = idea.answer(&failed)["error"].clone();
    assert!(
        failed["message"]
            .as_str()
            .unwrap()
            .contains("the model is away"),
        "{failed}"
    );
    // A request of it is cancelled by its number.
    let running = idea.send("session/prompt", prompt("say begun\nslow 600"));
    idea.editor.comes("it has begun", |message| {
        message["params"]["update"]["content"]["text"] == "begun"
    });
    idea.notify("$/cancel_request", json!({"requestId": running}));
    assert_eq!(idea.answer(&running)["result"]["stopReason"], "cancelled");
    // Somebody else answers: the question is taken back by its number.
    let running = idea.send("session/prompt", prompt("run touch elsewhere"));
    idea.editor.answers(Answer::Nothing);
    let ask = idea.asked(1);
    let http = daemon.http();
    let id = session.as_str().unwrap();
    let request = http.asked(id)["request_id"].as_str().unwrap().to_owned();
    let answered = http.answer(id, &request, &json!({"option_id": "allow_once"}));
    let _ = answered.ok();
    let withdrawn = idea.editor.comes("it is withdrawn", |message| {
        message["method"] == "$/cancel_request"
    });
    assert_eq!(withdrawn["params"]["requestId"], ask["id"]);
    let late = json!({"jsonrpc": "2.0", "id": ask["id"], "error": {"code": -32800, "message": "cancelled"}});
    idea.editor.line(&late.to_string());
    assert_eq!(idea.answer(&running)["result"]["stopReason"], "end_turn");
    assert!(home.workspace().join("elsewhere").exists());
    drop(idea);
    let _ = recorder.judged("what JetBrains sends");
}

#[test]
fn buzz() {
    let home = Home::new();
    let daemon = home.daemon();
    let recorder = Recorder::new(&home);
    let start = || {
        // Its ids begin at 0, and it asks for a version that is a draft.
        let mut buzz = Scripted::start(
            &home,
            &recorder,
            |number| json!(number),
            json!({"trace": true}),
        );
        let hello = json!({
            "protocolVersion": 2,
            "clientCapabilities": {},
            "clientInfo": {"name": "buzz-acp", "version": "0.4.0"},
        });
        assert_eq!(buzz.ok("initialize", hello)["protocolVersion"], 1);
        buzz
    };
    let open = |buzz: &mut Scripted, more: Value| {
        let server = json!({"name": "buzz", "command": "buzz-mcp", "args": [], "env": []});
        let mut meta = json!({"channelId": "nostr:room", "traceparent": "00-1-2-01"});
        meta.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let new = json!({"cwd": "/srv/buzz", "mcpServers": [server], "systemPrompt": "You are a bee.", "_meta": meta});
        let opened = buzz.ok("session/new", new);
        // It refuses an agent without a model.
        let models = &opened["models"];
        assert_eq!(
            models["availableModels"][0]["modelId"],
            models["currentModelId"]
        );
        opened["sessionId"].clone()
    };
    let mut buzz = start();
    let session = open(&mut buzz, json!({}));
    let option = json!({"sessionId": session, "configId": "model", "value": "default"});
    let set = buzz.ok("session/set_config_option", option);
    assert_eq!(set["_meta"]["fountain"]["configId"], "model");
    let model = json!({"sessionId": session, "modelId": "default"});
    assert_eq!(buzz.refused("session/set_model", model), -32601);

    // A command of a person is a block of its own, the context of the room the next one.
    let blocks = json!([text("/plan a; b"), text("say seen")]);
    let end = buzz.ok(
        "session/prompt",
        json!({"sessionId": session, "prompt": blocks}),
    );
    assert_eq!(end["stopReason"], "end_turn");
    // The demo agent knows no such command, and says so.
    let said = buzz.editor.said(session.as_str().unwrap());
    assert!(said.contains("`/plan a; b`"), "{said}");

    // It allows once by the kind. Steering is another agent's method.
    buzz.editor.answers(Answer::Kind("allow_once"));
    let blocks = json!([text("run touch allowed\nslow 600")]);
    let running = buzz.send(
        "session/prompt",
        json!({"sessionId": session, "prompt": blocks}),
    );
    buzz.editor.comes("it ticks", |message| {
        message["params"]["update"]["content"]["text"] == "tick 1 "
    });
    assert!(home.workspace().join("allowed").exists());
    let steer = json!({"sessionId": session, "expectedRunId": "1", "prompt": [text("faster")]});
    assert_eq!(buzz.refused("_goose/unstable/session/steer", steer), -32601);
    buzz.notify("session/cancel", json!({"sessionId": session}));
    assert_eq!(buzz.answer(&running)["result"]["stopReason"], "cancelled");
    drop(buzz);

    // It forgets its sessions when it ends, and a rotation gives the room a new one.
    let mut buzz = start();
    assert_eq!(open(&mut buzz, json!({})), session);
    let rotated = open(&mut buzz, json!({"freshSession": true}));
    assert_ne!(rotated, session);
    let all = daemon.http().get("/api/conversations");
    assert_eq!(all.as_array().unwrap().len(), 2, "{all}");
    drop(buzz);
    let _ = recorder.judged("what Buzz sends");
}
