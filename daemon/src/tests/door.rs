//! The local door, and bodies that are not what they should be.

use serde_json::json;

use super::kit::Daemon;
use super::kit::http::Call;

#[tokio::test]
async fn only_a_host_that_is_served_gets_in() {
    let daemon = Daemon::with(|settings| settings.allowed_hosts.push("fountain.test".into())).await;
    let port = daemon.address.port();
    let call = |host: &str| Call::new(daemon.address, "GET", "/health").set("host", host);
    for host in [
        "localhost".to_owned(),
        format!("localhost:{port}"),
        "127.0.0.1".into(),
        format!("127.0.0.1:{port}"),
        "[::1]".into(),
        format!("[::1]:{port}"),
        "LocalHost:1".into(),
        "fountain.test:80".into(),
    ] {
        call(&host).send().await.is(200);
    }
    for host in [
        "evil.test",
        "evil.test:80",
        "localhost.evil.test",
        "127.0.0.1.evil.test",
        "fountain.test.evil.test",
        "8.8.8.8",
        "evil.test:127.0.0.1",
        ":80",
    ] {
        let reply = call(host).send().await;
        // A host that is none at all is refused before it gets here.
        if reply.status != 400 {
            reply.refuses(421, "unknown_host");
        }
    }
    call("").send().await.refuses(421, "unknown_host");
}

#[tokio::test]
async fn a_foreign_origin_has_no_effect() {
    let daemon =
        Daemon::with(|settings| settings.cors_origins.push("https://ours.test".into())).await;
    let fields = |name: &str| json!({"name": name, "runtime": "acp", "runtime_command": "true"});
    let create = |name: &str, origin: &str| {
        daemon
            .call("POST", "/api/agents")
            .json(&fields(name))
            .header("origin", origin)
    };
    for origin in [
        "https://evil.test",
        "null",
        "http://localhost:1",
        "https://ours.test.evil.test",
    ] {
        create("evil", origin)
            .send()
            .await
            .refuses(403, "foreign_origin");
    }
    create("ours", "https://ours.test").send().await.is(201);
    let agents = daemon.get("/api/agents?search=evil").await.is(200);
    assert_eq!(agents["data"], json!([]));
    // It is refused also where no key is needed.
    let health = daemon
        .call("GET", "/health")
        .header("origin", "https://evil.test");
    health.send().await.refuses(403, "foreign_origin");
}

#[tokio::test]
async fn a_body_must_be_json_by_its_type() {
    let daemon = Daemon::new().await;
    let fields =
        |name: &str| json!({"name": name, "runtime": "acp", "runtime_command": "true"}).to_string();
    for content_type in [
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/jsonx",
    ] {
        let call = daemon
            .call("POST", "/api/agents")
            .body(content_type, fields("a"));
        call.send().await.refuses(415, "unsupported_media_type");
    }
    for (name, content_type) in [
        ("b", "application/json; charset=utf-8"),
        ("c", "Application/JSON"),
    ] {
        let call = daemon
            .call("POST", "/api/agents")
            .body(content_type, fields(name));
        call.send().await.is(201);
    }
    // Without a body there is nothing to have a type.
    let empty = daemon.call("POST", "/api/agents").send().await;
    assert_eq!(
        empty.refuses(422, "validation_failed")["errors"]["name"][0],
        "must have 1 to 200 characters"
    );
}

#[tokio::test]
async fn a_body_that_is_too_large_is_told_its_limit() {
    let daemon = Daemon::with(|settings| settings.limits.max_body = 64 * 1024).await;
    let text = "x".repeat(70_000);
    for path in ["/api/agents", "/api/conversations"] {
        let reply = daemon
            .post(path, json!({ "name": text, "prompt": text }))
            .await;
        let body = reply.refuses(413, "body_too_large");
        assert!(
            body["message"].as_str().unwrap().contains("64KiB"),
            "{body}"
        );
    }
    let fits = json!({"name": "a", "runtime": "acp", "runtime_command": "true", "system": "x".repeat(60_000)});
    daemon.post("/api/agents", fits).await.is(201);
}

#[tokio::test]
async fn a_body_that_is_no_json_or_does_not_fit_is_told_why() {
    let daemon = Daemon::new().await;
    for body in ["{", "{\"name\": }", "x", "{}{}", "\u{feff}{}", "{\"a\":1,}"] {
        let call = daemon
            .call("POST", "/api/agents")
            .body("application/json", body);
        call.send().await.refuses(400, "invalid_json");
    }
    let call = daemon
        .call("POST", "/api/agents")
        .body("application/json", b"{\"name\": \"\xff\"}".to_vec());
    let status = call.send().await.status;
    assert!(status == 400 || status == 422, "{status}");
    let nested = format!(
        "{{\"metadata\": {}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let call = daemon
        .call("POST", "/api/agents")
        .body("application/json", nested);
    call.send().await.refuses(400, "invalid_json");
    let agent = daemon.agent("true", json!(null)).await;
    for body in [
        json!([]),
        json!("x"),
        json!(5),
        json!({"agent_id": 5}),
        json!({"agent_id": agent, "prompt": 5}),
        json!({"agent_id": agent, "images": "x"}),
    ] {
        let refused = daemon
            .post("/api/conversations", body)
            .await
            .refuses(422, "validation_failed");
        assert!(refused["errors"]["body"][0].is_string(), "{refused}");
    }
    assert_eq!(
        daemon.get("/api/conversations").await.is(200)["data"],
        json!([])
    );
}

#[tokio::test]
async fn a_head_or_a_path_that_is_too_long_is_answered() {
    let daemon = Daemon::new().await;
    let long = "a".repeat(600_000);
    let call = daemon.call("GET", "/health").header("x-long", &long);
    assert!((400..500).contains(&call.send().await.status));
    let call = daemon.call("GET", &format!("/api/{}", &long[..100_000]));
    assert!((400..500).contains(&call.send().await.status));
}

#[tokio::test]
async fn a_body_that_names_a_member_twice_is_refused_by_its_name() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 1 execute x\nrespond end_turn",
            json!({"default": "ask"}),
        )
        .await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    let id = request["request_id"].as_str().unwrap();
    let agents = "/api/agents".to_owned();
    for (path, body, name) in [
        (
            agents,
            r#"{"name":"a","runtime":"acp","runtime_command":"x","permission_policy":{"execute":"auto_deny","execute":"auto_allow"}}"#,
            "execute",
        ),
        (
            chat.path(&format!("/requests/{id}")),
            r#"{"option_id":"no","option_id":"yes"}"#,
            "option_id",
        ),
    ] {
        let call = daemon.call("POST", &path).body("application/json", body);
        let refused = call.send().await.refuses(422, "validation_failed");
        assert!(
            refused["errors"][name][0]
                .as_str()
                .unwrap()
                .contains("twice"),
            "{refused}"
        );
    }
    assert_eq!(chat.request().await, request);
    chat.pick(&request, "no").await.is(200);
    chat.end(&accepted).await;
}
