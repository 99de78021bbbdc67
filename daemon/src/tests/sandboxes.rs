//! Sandboxes over HTTP: listed, shown with their conversations, their files read and nothing outside them.

use serde_json::json;

use super::kit::Daemon;

#[tokio::test]
async fn a_sandbox_is_listed_and_its_files_are_read() {
    let daemon = Daemon::new().await;
    let chat = daemon.built_in(json!(null)).await;
    chat.say("write a/b.txt: hello").await;
    let id = chat.show().await["sandbox_id"].as_str().unwrap().to_owned();
    let listed = daemon
        .get("/api/sandboxes?status=ready,suspended")
        .await
        .is(200);
    assert_eq!(listed["data"][0]["id"], json!(id));
    let none = daemon.get("/api/sandboxes?status=terminated").await.is(200);
    assert_eq!(none["data"], json!([]));
    daemon
        .get("/api/sandboxes?status=sleepy")
        .await
        .refuses(400, "invalid_status");
    let shown = daemon.get(&format!("/api/sandboxes/{id}")).await.is(200);
    assert_eq!(
        (
            &shown["data"]["status"],
            &shown["data"]["conversations"][0]["id"]
        ),
        (&json!("ready"), &json!(chat.id))
    );
    let file = |path: &str| format!("/api/sandboxes/{id}/file?path={path}");
    let read = daemon.get(&file("workspace/a/b.txt")).await;
    assert_eq!((read.status, read.body.as_slice()), (200, &b"hello"[..]));
    assert_eq!(read.header("x-content-type-options"), Some("nosniff"));
    for path in ["workspace/none", "../../../etc/passwd", "/etc/passwd"] {
        daemon.get(&file(path)).await.refuses(404, "not_found");
    }
    daemon
        .get(&file("workspace/a"))
        .await
        .refuses(422, "wrong_kind");
    let folder = daemon
        .get(&format!("/api/sandboxes/{id}/directory?path=workspace/a"))
        .await
        .is(200);
    assert_eq!(
        folder["data"],
        json!([{"name": "b.txt", "kind": "file", "size": 5}])
    );
    let unknown = uuid::Uuid::new_v4();
    for rest in [
        "",
        "/file?path=workspace/a/b.txt",
        "/directory?path=workspace",
    ] {
        daemon
            .get(&format!("/api/sandboxes/{unknown}{rest}"))
            .await
            .refuses(404, "not_found");
    }
    daemon.delete(&chat.path("")).await;
    daemon
        .get(&format!("/api/sandboxes/{id}"))
        .await
        .refuses(404, "not_found");
}

#[tokio::test]
async fn the_fixture_runtime_is_a_seam_that_one_user_may_use() {
    let daemon = Daemon::new().await;
    let body = json!({"name": "seam", "runtime": "fountain-fixture", "permission_policy": {"execute": "auto_deny"}});
    let refused = daemon
        .post("/api/agents", body.clone())
        .await
        .refuses(422, "validation_failed");
    assert!(!refused["errors"]["runtime"].to_string().contains("fixture"));
    let set = |enabled: bool, user: Option<String>| {
        let mut settings = (*daemon.app.settings()).clone();
        settings.fixture.enabled = enabled;
        settings.fixture.user_id = user;
        daemon.app.configure(settings);
    };
    set(true, Some("somebody else".into()));
    daemon
        .post("/api/agents", body.clone())
        .await
        .refuses(422, "validation_failed");
    set(true, Some(daemon.app.owner.clone()));
    let agent = daemon.post("/api/agents", body).await.is(201)["data"]["id"].clone();
    // Switched off again, what was made cannot be launched.
    set(false, Some(daemon.app.owner.clone()));
    daemon
        .post("/api/conversations", json!({"agent_id": agent}))
        .await
        .refuses(422, "runtime_unavailable");
}
