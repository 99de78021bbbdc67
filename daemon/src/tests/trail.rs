//! The audit trail: one row for each refusal, whoever refused, and nothing of what it was about.

use std::time::Duration;

use serde_json::json;

use super::kit::Daemon;

#[tokio::test]
async fn of_seven_calls_the_four_refusals_leave_a_row_each() {
    let daemon = Daemon::new().await;
    let scenario = "on session/prompt\nask 1 read SECRET-INPUT a\nask 2 read SECRET-INPUT b\nask 3 read SECRET-INPUT c\nask 4 delete SECRET-INPUT d\nask 5 delete SECRET-INPUT e\nask 6 execute SECRET-INPUT f\nask 7 edit SECRET-INPUT g\nrespond end_turn";
    let policy = json!({"read": "auto_allow", "delete": "auto_deny", "default": "ask"});
    let chat = daemon.scripted(scenario, policy).await;
    let accepted = chat.prompt("x").await;
    let request = chat.request().await;
    chat.pick(&request, "no").await.is(200);
    super::kit::until("the next one asks", async || {
        chat.show().await["pending_requests"][0]["kind"] == "edit"
    })
    .await;
    let request = chat.request().await;
    daemon.clock.advance(Duration::from_secs(301));
    chat.pick(&request, "yes")
        .await
        .refuses(409, "permission_request_resolved");
    assert_eq!(chat.end(&accepted).await["state"], "done");
    let trail = daemon.audit("conversation.permission_denied").await;
    let rows: Vec<_> = trail.iter().map(|row| row["metadata"].clone()).collect();
    assert_eq!(
        rows,
        [
            json!({"tool": "delete", "verdict": "auto_deny", "key": "delete"}),
            json!({"tool": "delete", "verdict": "auto_deny", "key": "delete"}),
            json!({"tool": "execute", "verdict": "person", "key": "default"}),
            json!({"tool": "edit", "verdict": "timeout", "key": "default"}),
        ]
    );
    assert!(trail.iter().all(|row| row["id"] == json!(chat.id)));
    let secrets = "SELECT count(*) FROM audit WHERE metadata LIKE '%SECRET%' OR resource_id LIKE '%SECRET%' OR action LIKE '%SECRET%'";
    assert_eq!(daemon.count(secrets).await, 0);
    // Every verdict is kept beside it, with how it came about.
    assert_eq!(daemon.count("SELECT count(*) FROM decisions").await, 7);
    assert_eq!(
        daemon
            .count("SELECT count(*) FROM decisions WHERE source LIKE 'answered by owner%'")
            .await,
        1
    );
    assert_eq!(
        daemon
            .count("SELECT count(*) FROM decisions WHERE source = 'timeout by deadline'")
            .await,
        1
    );
}

#[tokio::test]
async fn a_refusal_by_title_names_the_word_and_never_the_title() {
    let daemon = Daemon::new().await;
    let chat = daemon
        .scripted(
            "on session/prompt\nask 1 execute rm -rf SECRET\nrespond end_turn",
            json!({"rm -rf SECRET": "auto_deny"}),
        )
        .await;
    chat.say("x").await;
    let trail = daemon.audit("conversation.permission_denied").await;
    assert_eq!(
        trail[0]["metadata"],
        json!({"tool": "execute", "verdict": "auto_deny", "key": "title"})
    );
}
