//! What is promised of `paths`, as tests.

use super::*;

const SESSION: &str = "\"s-1\"";

fn sent(line: &str) -> Option<String> {
    let mut out = Vec::new();
    let sent = update(line, SESSION, &mut out);
    sent.then(|| String::from_utf8(out).unwrap())
}

#[test]
fn only_the_session_id_changes() {
    for (line, expect) in [
        (
            r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"a","update":{"n":1.10,"sessionUpdate":"x_new","u":"\u00e9"}}}"#,
            r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"n":1.10,"sessionUpdate":"x_new","u":"\u00e9"}}}"#,
        ),
        (
            r#" { "params" : { "x":null, "sessionId" : "\u0061\"" }, "method":"session/update", "z":123456789012345678901234567890 }"#,
            r#"{"params":{"x":null,"sessionId":"s-1"},"method":"session/update","z":123456789012345678901234567890}"#,
        ),
        (
            r#"{"method":"session/update","params":{"update":{}}}"#,
            r#"{"method":"session/update","params":{"update":{},"sessionId":"s-1"}}"#,
        ),
    ] {
        assert_eq!(sent(line).unwrap(), format!("{expect}\n"));
    }
}

#[test]
fn what_is_no_update_is_not_sent() {
    for line in [
        "text",
        "{}",
        "[]",
        r#"{"method":"session/update"}"#,
        r#"{"method":"session/update","params":[]}"#,
        r#"{"method":"session/other","params":{"sessionId":"a"}}"#,
        r#"{"id":1,"method":"session/update","params":{"sessionId":"a"}}"#,
        r#"{"id":1,"result":{}}"#,
    ] {
        assert_eq!(sent(line), None, "{line}");
    }
}

#[test]
fn locations_move_in_every_spelling_and_other_meta_stays() {
    let wrap = |update: &str| {
        format!(r#"{{"method":"session/update","params":{{"sessionId":"s-1","update":{update}}}}}"#)
    };
    for (update, expect) in [
        (
            r#"{"sessionUpdate":"tool_call","locations":[{"path":"/w/a","line":1}],"title":"t"}"#,
            r#"{"sessionUpdate":"tool_call","title":"t","_meta":{"fountain.sandboxLocations":[{"path":"/w/a","line":1}]}}"#,
        ),
        (
            r#"{"_meta":{"k":1.0},"sessionUpdate":"tool_call_update","locations":[]}"#,
            r#"{"_meta":{"k":1.0,"fountain.sandboxLocations":[]},"sessionUpdate":"tool_call_update"}"#,
        ),
        (
            r#"{"_meta":null,"l\u006fcations":[1]}"#,
            r#"{"_meta":{"fountain.sandboxLocations":[1]}}"#,
        ),
        (
            r#"{"rawInput":{"locations":[1]}}"#,
            r#"{"rawInput":{"locations":[1]}}"#,
        ),
    ] {
        assert_eq!(sent(&wrap(update)).unwrap(), wrap(expect) + "\n");
    }
}

#[test]
fn a_permission_request_gets_a_new_id_and_keeps_its_options() {
    let line = r#"{"jsonrpc":"2.0","id":"7.0f","method":"session/request_permission","params":{"sessionId":"a","toolCall":{"toolCallId":"c","locations":[{"path":"/w"}],"_meta":{"k":1}},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once","x":1.10},{"odd":1}]}}"#;
    let Line::Permission(permission) = classify(line) else {
        panic!()
    };
    assert_eq!(
        (&*permission.request_id, permission.options),
        ("7.0f", vec!["yes".to_owned()])
    );
    assert_eq!(
        super::permission(line, SESSION, 3).unwrap(),
        r#"{"jsonrpc":"2.0","id":3,"method":"session/request_permission","params":{"sessionId":"s-1","toolCall":{"toolCallId":"c","_meta":{"k":1,"fountain.sandboxLocations":[{"path":"/w"}]}},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once","x":1.10},{"odd":1}]}}"#
    );
}

#[test]
fn a_long_text_is_told_in_lines_an_editor_can_read() {
    let text = "é\"".repeat(LONGEST / 2);
    let line = serde_json::json!({"method": "session/update", "params": {"sessionId": "a",
        "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}}});
    let out = sent(&line.to_string()).unwrap();
    let mut joined = String::new();
    for line in out.lines() {
        assert!(line.len() < LONGEST);
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        joined.push_str(
            line["params"]["update"]["content"]["text"]
                .as_str()
                .unwrap(),
        );
    }
    assert!(joined == text);
    let other = line
        .to_string()
        .replace("agent_message_chunk", "tool_call_update");
    assert_eq!(sent(&other).unwrap().lines().count(), 1);
}
