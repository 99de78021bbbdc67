//! `fountain verify`: an instance that is as it should be, and ones that are not.

use serde_json::{Value, json};

use crate::kit::Home;

#[test]
fn a_private_instance_is_as_it_should_be_and_leaves_nothing() {
    let home = Home::new();
    let done = home.run(&["verify", "--json"]).ok().json();
    let checks = done.as_array().unwrap();
    assert_eq!(checks.len(), 13, "{done}");
    assert!(checks.iter().all(|check| check["ok"] == true), "{done}");
    // Nothing of it is this home's: no daemon, no data, no profile.
    assert!(home.background().is_empty());
    assert!(!home.data().exists() && !home.credentials().exists());
}

#[test]
fn an_instance_that_works_for_people_says_what_it_lacks_and_keeps_nothing() {
    let home = Home::new();
    let daemon = home.daemon();
    let base = format!("http://{}", daemon.address);
    let done = home.run(&["verify", "--base-url", &base]).exits(1);
    assert!(
        done.out.contains("✗ an agent of the fixture is admitted"),
        "{done}"
    );
    let owner = daemon.http().get("/api/auth/me")["id"].clone();
    let lacks = format!("`fixture.user_id = {owner}`");
    assert!(done.out.contains(&lacks), "{lacks}: {done}");
    assert_eq!(daemon.http().get("/api/conversations"), json!([]));
    assert_eq!(
        daemon.http().get("/api/agents").as_array().map(Vec::len),
        Some(1)
    );
}

#[test]
fn a_test_instance_is_verified_from_outside() {
    let home = Home::new();
    let owner: Value = {
        let daemon = home.daemon();
        daemon.http().get("/api/auth/me")["id"].clone()
    };
    let home = home
        .with("DEPLOYED_ACP_FIXTURE_ENABLED", "true")
        .with("DEPLOYED_ACP_FIXTURE_USER_ID", owner.as_str().unwrap());
    let daemon = home.daemon();
    let base = format!("http://{}", daemon.address);
    let done = home.run(&["verify", "--base-url", &base]).ok();
    assert_eq!(done.out.matches('✓').count(), 11, "{done}");
    assert_eq!(daemon.http().get("/api/conversations"), json!([]));
    assert_eq!(daemon.http().get("/api/sandboxes"), json!([]));
}
