//! What is promised of `new`, as tests.

use serde_json::json;

use super::daemon::{AGENT, CONVERSATION, NOW, agent};
use super::editor::{Direct, demo};
use super::*;
use crate::adapter::Options;

async fn refused(daemon: &Daemon, options: Options) -> (i64, String) {
    let mut editor = Editor::start(daemon, options).await;
    editor
        .refused("session/new", json!({"cwd": "/", "mcpServers": []}))
        .await
}

#[tokio::test]
async fn a_session_is_a_conversation_with_its_model() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::start(&daemon, demo()).await;
    let params =
        json!({"cwd": "C:\\x", "mcpServers": [{"name": "files", "command": "secret-command"}]});
    let new = editor.ok("session/new", params).await;
    assert_eq!(
        new,
        json!({"sessionId": CONVERSATION, "models": {"currentModelId": "anthropic/x", "availableModels": [
            {"modelId": "anthropic/x", "name": "anthropic/x", "description": "The model of the Fountain agent"},
        ]}})
    );
    assert_eq!(
        daemon.fake.called("POST /api/conversations").await.body,
        json!({"agent_id": AGENT})
    );
    assert!(
        editor
            .stderr
            .text()
            .contains("C:\\x, its MCP servers: files")
    );
    assert!(!editor.stderr.text().contains("secret-command"));
}

#[tokio::test]
async fn flags_and_meta_make_the_launch() {
    let daemon = Daemon::start().await;
    let options = Options {
        vault: Some("v".into()),
        environment: Some("e".into()),
        sandbox_mode: Some("ephemeral".into()),
        sandbox: Some("s".into()),
        workspace: Some("/w:copy".into()),
        permission: Ok(Some(json!({"default": "ask"}))),
        ..demo()
    };
    let mut editor = Editor::start(&daemon, options).await;
    editor
        .ok("session/new", json!({"cwd": "/", "mcpServers": null}))
        .await;
    let launch = json!({"agent_id": AGENT, "permission_policy": {"default": "ask"}, "sandbox_mode": "ephemeral",
        "vault_id": "v", "environment_id": "e", "sandbox_id": "s", "workspace": "/w:copy"});
    assert_eq!(
        daemon
            .fake
            .called_times("POST /api/conversations", 1)
            .await
            .body,
        launch
    );
    let meta = json!({"channelId": "c", "freshSession": true, "sandboxMode": "persistent", "sandboxId": "t", "odd": 1});
    editor
        .ok(
            "session/new",
            json!({"cwd": "/", "mcpServers": [], "_meta": meta}),
        )
        .await;
    let mut launch = launch;
    launch["sandbox_mode"] = "persistent".into();
    launch["sandbox_id"] = "t".into();
    launch["channel_id"] = "c".into();
    launch["fresh"] = true.into();
    assert_eq!(
        daemon
            .fake
            .called_times("POST /api/conversations", 2)
            .await
            .body,
        launch
    );
    let meta = json!({"channelId": "", "freshSession": true, "sandboxMode": "", "sandboxId": null});
    editor.ok("session/new", json!({"_meta": meta})).await;
    let body = daemon
        .fake
        .called_times("POST /api/conversations", 3)
        .await
        .body;
    assert_eq!(
        (
            body.get("fresh"),
            body.get("channel_id"),
            &body["sandbox_id"]
        ),
        (None, None, &json!("s"))
    );
    for meta in [
        json!({"channelId": 5}),
        json!({"sandboxMode": "forever"}),
        json!({"freshSession": "yes"}),
    ] {
        assert_eq!(
            editor
                .refused("session/new", json!({"_meta": meta}))
                .await
                .0,
            -32602
        );
    }
}

#[tokio::test]
async fn each_error_says_what_to_change() {
    let daemon = Daemon::start().await;
    let base = daemon.fake.base.clone();
    let (code, message) = refused(&daemon, Options::default()).await;
    assert_eq!(code, -32602);
    assert!(
        message.starts_with("no Fountain agent configured"),
        "{message}"
    );

    let options = Options {
        permission: Err("--permission: `maybe` is no verdict".into()),
        ..demo()
    };
    assert_eq!(
        refused(&daemon, options).await,
        (-32602, "--permission: `maybe` is no verdict".into())
    );

    let options = Options {
        sandbox_mode: Some("forever".into()),
        ..demo()
    };
    assert_eq!(refused(&daemon, options).await.0, -32602);

    let options = Options {
        agent: Some("nope".into()),
        ..Options::default()
    };
    let (code, message) = refused(&daemon, options).await;
    assert_eq!(code, -32603);
    assert!(
        message.starts_with(&format!("could not resolve agent \"nope\" on {base}: ")),
        "{message}"
    );
    assert!(message.contains("demo"), "{message}");

    daemon.instead(
        "POST /api/conversations",
        422,
        json!({"error": "permission_policy_widens", "message": "`execute` would be loosened.", "key": "execute"}),
    );
    assert_eq!(
        refused(&daemon, demo()).await,
        (
            -32603,
            "the conversation could not be started: `execute` would be loosened.".into()
        )
    );

    daemon.agents(vec![agent("demo", false)]);
    let (code, message) = refused(&daemon, demo()).await;
    assert_eq!(code, -32602);
    assert!(
        message.starts_with("agent \"demo\" runs the acp runtime, which does not speak ACP"),
        "{message}"
    );

    daemon.instead(
        "GET /api/agents",
        401,
        json!({"error": "x", "reason": "api_key_invalid"}),
    );
    let (code, message) = refused(&daemon, demo()).await;
    assert_eq!(code, -32000);
    assert!(
        message.starts_with(&format!("credentials for {base} were rejected")),
        "{message}"
    );
}

#[tokio::test]
async fn with_nothing_listening_it_fails_at_once_and_the_next_try_looks_again() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let mut editor = Editor::bare(
        demo(),
        Direct {
            base: base.clone(),
            key: true,
        },
    );
    editor.ok("initialize", json!({})).await;
    let (code, message) = editor
        .refused("session/new", json!({"cwd": "/", "mcpServers": []}))
        .await;
    assert_eq!(code, -32603);
    assert!(
        message.contains(&base) && message.contains("refused"),
        "{message}"
    );
}

#[tokio::test]
async fn options_are_heard_and_not_applied() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    for config in ["model", "thinking"] {
        let params = json!({"sessionId": CONVERSATION, "configId": config, "value": "x"});
        let answer = editor.ok("session/set_config_option", params).await;
        assert_eq!(answer["_meta"]["fountain"]["applied"], false);
        assert_eq!(answer["_meta"]["fountain"]["configId"], config);
        assert_eq!(answer.as_object().unwrap().len(), 1);
    }
    let unknown = json!({"sessionId": "x", "configId": "model", "value": "x"});
    assert_eq!(
        editor.refused("session/set_config_option", unknown).await.0,
        -32602
    );
}

#[tokio::test]
async fn the_list_echoes_the_editors_directory() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::with_session(&daemon).await;
    let list = editor.ok("session/list", json!({})).await;
    let row = json!({"sessionId": CONVERSATION, "cwd": "/here", "updatedAt": "2026-01-01T00:00:00.000Z", "title": "A title"});
    assert_eq!(list, json!({"sessions": [row]}));
    assert_eq!(
        editor.ok("session/list", json!({"cwd": "/other"})).await["sessions"][0]["cwd"],
        "/other"
    );
    let call = daemon.fake.called("GET /api/conversations").await;
    assert_eq!(call.query, format!("agent_id={AGENT}&limit=50"));
}

#[tokio::test]
async fn a_long_list_comes_in_pages() {
    let daemon = Daemon::start().await;
    let row = json!({"id": CONVERSATION, "runtime": "acp", "acp": true, "status": "idle", "source": "api",
        "turn_count": 0, "last_active_at": NOW, "inserted_at": NOW, "updated_at": NOW});
    let meta = json!({"limit": 50, "has_more": true, "next_cursor": "5~7"});
    daemon.instead(
        "GET /api/conversations",
        200,
        json!({"data": [row], "meta": meta}),
    );
    let mut editor = Editor::start(&daemon, demo()).await;
    let page = editor.ok("session/list", json!({})).await;
    assert_eq!(page["nextCursor"], "5~7");
    let first = daemon.fake.called("GET /api/conversations").await;
    assert!(!first.query.contains("after"), "{}", first.query);
    editor
        .ok("session/list", json!({"cursor": page["nextCursor"]}))
        .await;
    let calls = daemon.fake.calls();
    let queries: Vec<&str> = calls
        .iter()
        .filter(|call| call.line() == "GET /api/conversations")
        .map(|call| call.query.as_str())
        .collect();
    assert!(queries.last().unwrap().contains("after=5~7"), "{queries:?}");
    daemon.instead(
        "GET /api/conversations",
        400,
        json!({"error": "invalid_cursor", "message": "x"}),
    );
    assert_eq!(
        editor
            .refused("session/list", json!({"cursor": "odd"}))
            .await
            .0,
        -32602
    );
}
