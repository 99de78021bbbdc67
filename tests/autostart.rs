//! The daemon that a command starts: it comes back wherever it was, and takes nobody's address.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use rustix::process::Signal;

use crate::kit::{Home, Running, until};

/// An address where nobody listens.
fn free() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

/// Something that listens and is no Fountain: it says 404 to everything, or nothing at all.
fn other(answers: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let mut held = Vec::new();
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            if answers {
                let _ = socket.read(&mut [0; 4096]);
                let body = "<h1>Not Found</h1>";
                let head = format!(
                    "HTTP/1.1 404 Not Found\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                let _ = socket.write_all(format!("{head}{body}").as_bytes());
            }
            held.push(socket);
        }
    });
    address
}

/// Stops the daemons that commands started.
fn stop(home: &Home) {
    let daemons = home.background();
    assert_eq!(daemons.len(), 1, "{daemons:?}");
    daemons[0].signal(Signal::TERM);
    until(
        "the daemon is gone",
        || home.background(),
        |left| left.is_empty(),
    );
}

#[test]
fn a_daemon_comes_back_where_it_was_told_to_listen() {
    let address = free();
    let url = format!("http://{address}");
    let home = Home::fresh().with("FOUNTAIN_LISTEN", &address);
    for _ in 0..2 {
        let _ = home.run(&["status"]).ok().says("starting").prints(&url);
        assert_eq!(home.saved("base_url"), url);
        assert!(!home.run(&["status"]).ok().err.contains("starting"));
        stop(&home);
    }
    // Without the variable it is still where the profile has it.
    let home = home.with("FOUNTAIN_LISTEN", "");
    let _ = home.run(&["status"]).ok().says("starting").prints(&url);
    stop(&home);
    // Another address moves it.
    let moved = free();
    let home = home.with("FOUNTAIN_LISTEN", &moved);
    let done = home.run(&["status"]).ok().says("starting");
    let _ = done.prints(&format!("http://{moved}"));
}

#[test]
fn a_daemon_comes_back_where_the_configuration_has_it() {
    let address = free();
    let home = Home::fresh().with("FOUNTAIN_LISTEN", "");
    let config = home.path().join("config.toml");
    fs::write(&config, format!("listen = \"{address}\"\n")).unwrap();
    let home = home.with("FOUNTAIN_CONFIG", config);
    for _ in 0..2 {
        let done = home.run(&["status"]).ok().says("starting");
        let _ = done.prints(&format!("http://{address}"));
        stop(&home);
    }
}

#[test]
fn a_daemon_that_was_started_by_hand_comes_back() {
    let home = Home::fresh();
    let mut daemon = home.daemon();
    let url = format!("http://{}", daemon.address);
    daemon.stop();
    let _ = home.run(&["status"]).ok().says("starting").prints(&url);
}

#[test]
fn an_address_that_somebody_has_is_told_and_another_one_is_used() {
    for answers in [true, false] {
        let taken = other(answers);
        let home = Home::fresh().with("FOUNTAIN_LISTEN", &taken);
        let done = home.run(&["status"]).exits(6);
        let done = done.says(&format!("something else listens at {taken}"));
        let done = done.says("set FOUNTAIN_LISTEN to a free address");
        assert!(!done.err.contains("4780"), "{done}");
        assert!(!home.credentials().exists());
        let address = free();
        let home = home.with("FOUNTAIN_LISTEN", &address);
        let _ = home.run(&["status"]).ok().prints(&address);
    }
}

#[test]
fn an_address_that_was_lost_is_told_and_given_up_for_another_one() {
    let home = Home::fresh();
    let mut daemon = home.daemon();
    let address = daemon.address.clone();
    daemon.stop();
    let home_of = |listen: &str| {
        let mut command = home.command(&["status"]);
        command.env("FOUNTAIN_LISTEN", listen);
        Running::start(command).finish()
    };
    let taken = TcpListener::bind(&address).unwrap();
    let _ = home_of("").exits(6).says("something else listens at");
    let moved = free();
    let _ = home_of(&moved).ok().prints(&moved);
    drop(taken);
}

#[test]
fn somebody_elses_fountain_is_left_alone() {
    let theirs = Home::new();
    let daemon = theirs.daemon();
    let ours = Home::fresh().with("FOUNTAIN_LISTEN", &daemon.address);
    let done = ours.run(&["status"]).exits(4);
    let _ = done
        .says("somebody else's")
        .says("set FOUNTAIN_LISTEN to a free address");
    assert!(ours.background().is_empty());
    let address = free();
    let ours = ours.with("FOUNTAIN_LISTEN", &address);
    let _ = ours.run(&["status"]).ok().prints(&address);
}

#[test]
fn what_is_no_fountain_is_told_as_that() {
    let home = Home::new()
        .with("FOUNTAIN_API_KEY", "ftn_x")
        .with("FOUNTAIN_BASE_URL", format!("http://{}", other(true)));
    let _ = home.run(&["status"]).exits(6).says("is no Fountain");
    let _ = home
        .run(&["run", "demo", "-p", "x"])
        .exits(6)
        .says("is no Fountain");
}

#[test]
fn without_autostart_it_says_where_nobody_listens() {
    let address = free();
    let home = Home::new().with("FOUNTAIN_LISTEN", &address);
    let done = home.run(&["status"]).exits(6);
    let _ = done
        .says(&format!("nothing listens at http://{address}"))
        .says("without FOUNTAIN_NO_AUTOSTART");
}
