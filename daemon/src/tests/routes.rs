//! Every route: served, behind a key, and calm about ids that are not there.

use fountain_core::api::{self, Method, Route};
use serde_json::json;

use super::kit::Daemon;
use super::kit::http::Call;

fn word(route: &Route) -> &'static str {
    match route.method {
        Method::Get => "GET",
        Method::Post => "POST",
        Method::Patch => "PATCH",
        Method::Put => "PUT",
        Method::Delete => "DELETE",
    }
}

fn call(daemon: &Daemon, route: &Route, ids: &[&str]) -> Call {
    let call = Call::new(daemon.address, word(route), &route.at(ids));
    match route.method {
        Method::Get | Method::Delete => call,
        _ => call.json(&json!({"agent_id": ids[0], "prompt": "x", "option_id": "x"})),
    }
}

#[tokio::test]
async fn every_route_is_served() {
    let daemon = Daemon::new().await;
    let id = uuid::Uuid::new_v4().to_string();
    for route in api::ALL {
        let reply = call(&daemon, route, &[&id, &id, "0"])
            .key(&daemon.key)
            .send()
            .await;
        let body = String::from_utf8_lossy(&reply.body).into_owned();
        assert!(reply.status != 405, "{route:?}: {body}");
        assert!(
            !body.contains("There is no such route."),
            "{route:?}: {body}"
        );
        assert!(reply.status < 500, "{route:?}: {body}");
    }
}

#[tokio::test]
async fn every_route_but_health_needs_a_key() {
    let daemon = Daemon::new().await;
    let id = uuid::Uuid::new_v4().to_string();
    for route in api::ALL {
        let reply = call(&daemon, route, &[&id, &id, "0"]).send().await;
        if [api::HEALTH, api::READY].contains(route) {
            assert_eq!(reply.is(200)["status"], "ok");
        } else {
            let body = reply.refuses(401, "api_key_invalid");
            assert_eq!(body["reason"], "api_key_invalid", "{route:?}");
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_found_whatever_its_id_looks_like() {
    let daemon = Daemon::new().await;
    let random = uuid::Uuid::new_v4().to_string();
    let long = "a".repeat(3_000);
    let ids = [
        random.as_str(),
        "nonsense",
        "1",
        "-1",
        "0.0",
        "\0",
        "a b",
        "..",
        "漢字",
        "019ad0b2-6c00-7000-8000-0000000000fg",
        &long,
    ];
    let with_id = api::ALL.iter().filter(|route| route.path.contains('{'));
    for route in with_id {
        for id in ids {
            let reply = call(&daemon, route, &[id, id, "0"])
                .key(&daemon.key)
                .send()
                .await;
            reply.refuses(404, "not_found");
        }
    }
    // A create names its agent in the body; bytes that are no text are no id either.
    for body in [json!({"agent_id": random}), json!({"agent_id": "nonsense"})] {
        daemon
            .post("/api/conversations", body)
            .await
            .refuses(404, "not_found");
    }
    for path in ["/api/agents/%ff", "/api/conversations/%c3%28/turns"] {
        daemon.get(path).await.refuses(404, "not_found");
    }
}

#[tokio::test]
async fn a_part_of_another_conversation_is_not_found() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 1 execute x\nrespond end_turn",
            json!({"default": "ask"}),
        )
        .await;
    let other = daemon.scripted("", json!(null)).await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    other.pick(&request, "yes").await.refuses(404, "not_found");
    let turn = accepted["turn_id"].as_str().unwrap();
    let image = other.path(&format!("/turns/{turn}/images/0"));
    daemon.get(&image).await.refuses(404, "not_found");
    chat.pick(&request, "yes").await.is(200);
    chat.end(&accepted).await;
}

#[tokio::test]
async fn an_unknown_route_and_a_wrong_method_are_told_in_json() {
    let daemon = Daemon::new().await;
    for path in [
        "/",
        "/api",
        "/api/",
        "/api/agents/",
        "/api/team",
        "/api/agents/a/b",
        "/%ff",
    ] {
        daemon.get(path).await.refuses(404, "not_found");
    }
    for (method, path) in [
        ("PUT", "/api/conversations"),
        ("DELETE", "/health"),
        ("POST", "/api/auth/me"),
        ("OPTIONS", "/api/agents"),
    ] {
        daemon
            .call(method, path)
            .send()
            .await
            .refuses(405, "method_not_allowed");
    }
}

#[tokio::test]
async fn health_tells_the_version_and_whether_the_database_answers() {
    let daemon = Daemon::new().await;
    let health = daemon.get("/health").await.is(200);
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        daemon.get("/health/ready").await.is(200)["checks"]["database"],
        "ok"
    );
    daemon.app.stopping.cancel();
    // Who is connected already is still told; nobody new is let in.
}
