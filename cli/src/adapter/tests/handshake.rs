//! What is promised of `handshake`, as tests.

use serde_json::{Value, json};

use super::editor::{Direct, demo};
use super::*;
use crate::adapter::Options;

fn nowhere(key: bool) -> Direct {
    // Nothing is asked there: the handshake needs nobody.
    Direct {
        base: "http://127.0.0.1:9".to_owned(),
        key,
    }
}

#[tokio::test]
async fn initialize_answers_from_what_the_process_holds() {
    let mut editor = Editor::bare(Options::default(), nowhere(true));
    let result = editor
        .ok(
            "initialize",
            json!({"protocolVersion": 2, "clientCapabilities": {"terminal": true}}),
        )
        .await;
    assert_eq!(
        result,
        json!({
            "protocolVersion": 1,
            "agentInfo": {"name": "fountain", "title": "Fountain", "version": env!("CARGO_PKG_VERSION")},
            "agentCapabilities": {
                "loadSession": true,
                "promptCapabilities": {"image": true, "audio": false, "embeddedContext": false},
                "sessionCapabilities": {"list": {}, "resume": {}, "close": {}},
            },
            "authMethods": [],
        })
    );
    assert_eq!(
        editor.ok("initialize", json!({})).await["protocolVersion"],
        1
    );
    assert!(
        editor
            .stderr
            .text()
            .contains("instance http://127.0.0.1:9, profile default, key from FOUNTAIN_API_KEY")
    );
}

#[tokio::test]
async fn without_a_key_one_method_says_how_to_log_in() {
    let mut editor = Editor::bare(demo(), nowhere(false));
    let result = editor.ok("initialize", json!({"protocolVersion": 1})).await;
    assert_eq!(result["authMethods"].as_array().unwrap().len(), 1);
    assert_eq!(result["authMethods"][0]["id"], "fountain-cli-login");
    assert_eq!(
        result["authMethods"][0]["description"],
        "run fountain auth login"
    );
    let login = (
        -32000,
        "no credentials for http://127.0.0.1:9: run fountain auth login".to_owned(),
    );
    assert_eq!(
        editor
            .refused("session/new", json!({"cwd": "/", "mcpServers": []}))
            .await,
        login
    );
    assert_eq!(
        editor
            .refused("authenticate", json!({"methodId": "fountain-cli-login"}))
            .await,
        login
    );
    assert_eq!(
        editor
            .refused("authenticate", json!({"methodId": "other"}))
            .await
            .0,
        -32602
    );
}

#[tokio::test]
async fn authenticate_asks_the_instance() {
    let daemon = Daemon::start().await;
    let mut editor = Editor::start(&daemon, demo()).await;
    assert_eq!(
        editor.ok("authenticate", json!({"methodId": ""})).await,
        json!({})
    );
    daemon.instead(
        "GET /api/auth/me",
        401,
        json!({"error": "no", "reason": "api_key_revoked"}),
    );
    let (code, message) = editor
        .refused("authenticate", json!({"methodId": "fountain-cli-login"}))
        .await;
    let base = &daemon.fake.base;
    assert_eq!(code, -32000);
    assert_eq!(
        message,
        format!(
            "credentials for {base} were rejected (api_key_revoked): run fountain auth login, then try again"
        )
    );
}

#[tokio::test]
async fn a_line_that_is_no_message_is_answered_and_the_next_one_is_read() {
    let mut editor = Editor::bare(demo(), nowhere(true));
    for (line, id, code) in [
        ("{", json!(null), -32700),
        ("Welcome", json!(null), -32700),
        ("[]", json!(null), -32600),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"initialize"}]"#,
            json!(null),
            -32600,
        ),
        ("5", json!(null), -32600),
        ("{}", json!(null), -32600),
        (r#"{"id":7,"method":5}"#, json!(7), -32600),
        (r#"{"id":null,"method":"initialize"}"#, json!(null), -32600),
    ] {
        editor.raw(line).await;
        let answer = editor.next().await;
        assert_eq!(
            (&answer["id"], answer["error"]["code"].as_i64()),
            (&id, Some(code)),
            "{line}"
        );
    }
    editor.raw("").await;
    editor.raw(r#"{"id":1,"result":{}}"#).await;
    editor
        .raw(r#"{"jsonrpc":"2.0","method":"x/unknown","params":{}}"#)
        .await;
    editor.raw("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}}\r").await;
    let answer = editor.next().await;
    assert_eq!(
        (&answer["id"], &answer["result"]["protocolVersion"]),
        (&json!(7), &json!(1))
    );
}

#[tokio::test]
async fn ids_come_back_with_their_type_and_value() {
    let mut editor = Editor::bare(demo(), nowhere(true));
    for id in ["0", "\"0\"", "-1", "9007199254740993", "\"é\"", "1.5"] {
        editor
            .raw(&format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{}}}}"#
            ))
            .await;
        let answer = editor.next().await;
        assert_eq!(answer["id"], serde_json::from_str::<Value>(id).unwrap());
        assert!(answer.get("result").is_some());
    }
}

#[tokio::test]
async fn a_line_that_is_too_long_is_an_error_and_not_the_end() {
    let mut editor = Editor::bare(demo(), nowhere(true));
    let piece = "x".repeat(1024 * 1024);
    for _ in 0..66 {
        editor.part(&piece).await;
    }
    editor.raw("").await;
    assert_eq!(editor.next().await["error"]["code"], -32600);
    assert_eq!(
        editor.ok("initialize", json!({})).await["protocolVersion"],
        1
    );
}

#[tokio::test]
async fn methods_have_their_time_and_unknown_ones_an_answer() {
    let mut editor = Editor::bare(demo(), nowhere(true));
    for method in [
        "session/new",
        "session/prompt",
        "session/load",
        "session/list",
        "authenticate",
    ] {
        let (code, message) = editor.refused(method, json!({})).await;
        assert_eq!(
            (code, message),
            (
                -32600,
                format!("{method} came before initialize: send initialize first")
            )
        );
    }
    editor
        .notify("session/cancel", json!({"sessionId": "x"}))
        .await;
    editor.ok("initialize", json!({})).await;
    for method in [
        "session/set_model",
        "session/set_mode",
        "session/delete",
        "session/fork",
        "_vendor/x",
        "logout",
    ] {
        assert_eq!(editor.refused(method, json!({})).await.0, -32601);
    }
    for params in [json!({"protocolVersion": "x"}), json!([])] {
        assert_eq!(editor.refused("initialize", params).await.0, -32602);
    }
}
