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

/// A home with a test instance on it, and its address.
fn offering(home: Home) -> Home {
    let owner: Value = {
        let daemon = home.daemon();
        daemon.http().get("/api/auth/me")["id"].clone()
    };
    home.with("DEPLOYED_ACP_FIXTURE_ENABLED", "true")
        .with("DEPLOYED_ACP_FIXTURE_USER_ID", owner.as_str().unwrap())
}

#[test]
fn a_test_instance_is_verified_from_outside() {
    let home = offering(Home::new());
    let daemon = home.daemon();
    let base = format!("http://{}", daemon.address);
    let done = home.run(&["verify", "--base-url", &base]).ok();
    assert_eq!(done.out.matches('✓').count(), 11, "{done}");
    assert_eq!(daemon.http().get("/api/conversations"), json!([]));
    assert_eq!(daemon.http().get("/api/sandboxes"), json!([]));
}

#[test]
fn a_signal_ends_it_and_it_still_leaves_nothing() {
    let home = Home::new();
    let own = home.path().join("tmp");
    std::fs::create_dir(&own).unwrap();
    let home = home.with("TMPDIR", own.as_os_str());
    let running = home.spawn(&["verify"]);
    running.prints("✓ an agent of the fixture is admitted");
    running.terminate();
    let done = running.finish().exits(143);
    assert!(
        done.out.contains("✓ it stops and leaves no process"),
        "{done}"
    );
    assert_eq!(std::fs::read_dir(&own).unwrap().count(), 0, "{done}");

    let home = offering(home);
    let daemon = home.daemon();
    let base = format!("http://{}", daemon.address);
    let before = daemon.http().get("/api/agents");
    let running = home.spawn(&["verify", "--base-url", &base]);
    running.prints("✓ an agent of the fixture is admitted");
    running.interrupt();
    let done = running.finish().exits(130);
    assert!(done.out.contains("✓ nothing is left behind"), "{done}");
    let http = daemon.http();
    assert_eq!(http.get("/api/agents"), before);
    assert_eq!(http.get("/api/conversations"), json!([]));
    assert_eq!(http.get("/api/sandboxes"), json!([]));
}

#[test]
fn at_a_terminal_ctrl_c_leaves_nothing_either() {
    let home = Home::new();
    let own = home.path().join("tmp");
    std::fs::create_dir(&own).unwrap();
    let home = home.with("TMPDIR", own.as_os_str());
    let mut terminal = home.terminal(&["verify"]);
    terminal.shows("an agent of the fixture is admitted");
    terminal.types("\u{3}");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(130), "{screen}");
    assert!(
        screen.contains("✓ it stops and leaves no process"),
        "{screen}"
    );
    assert_eq!(std::fs::read_dir(&own).unwrap().count(), 0);
}
