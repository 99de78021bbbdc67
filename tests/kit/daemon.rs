//! `fountain serve` as a child of the test.

use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;

use rustix::process::Signal;

use super::processes::send;
use super::{Home, Http, PATIENCE, until};

/// A daemon that runs until the end of the test, unless the test stops it before.
pub(crate) struct Daemon<'h> {
    home: &'h Home,
    child: Child,
    /// `127.0.0.1:PORT`.
    pub(crate) address: String,
    over: bool,
}

impl<'h> Daemon<'h> {
    #[track_caller]
    pub(super) fn start(home: &'h Home) -> Self {
        let (child, address) = spawn(home, None);
        Self {
            home,
            child,
            address,
            over: false,
        }
    }

    /// Its process.
    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).unwrap()
    }

    /// A client with the owner's key.
    pub(crate) fn http(&self) -> Http {
        Http::new(
            &format!("http://{}", self.address),
            &self.home.saved("api_key"),
        )
    }

    /// Everything it has logged.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.home.path().join("daemon.log")).unwrap_or_default()
    }

    /// Ends it as a power cut does: nobody is told.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.over = true;
    }

    /// Asks it to stop.
    pub(crate) fn terminate(&self) {
        send(self.pid(), Signal::TERM);
    }

    /// Asks it to stop and waits until it has.
    #[track_caller]
    pub(crate) fn stop(&mut self) -> ExitStatus {
        self.terminate();
        self.ended()
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let status = until(
            "the daemon ends",
            || self.child.try_wait().unwrap(),
            Option::is_some,
        );
        self.over = true;
        status.unwrap()
    }

    /// Starts another one on the same data and the same port.
    #[track_caller]
    pub(crate) fn start_again(&mut self) {
        assert!(self.over, "it still runs");
        let (child, address) = spawn(self.home, Some(&self.address));
        assert_eq!(address, self.address);
        self.child = child;
        self.over = false;
    }
}

impl Drop for Daemon<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.child.kill();
            let _ = self.child.wait();
            eprintln!("--- the daemon's log\n{}---", self.log());
            return;
        }
        if !self.over {
            let alive = self.child.try_wait().unwrap();
            assert_eq!(alive, None, "the daemon died; its log:\n{}", self.log());
            let status = self.stop();
            assert!(status.success(), "{status}; its log:\n{}", self.log());
        }
        let log = self.log();
        assert!(!log.contains("panicked"), "the daemon's log:\n{log}");
    }
}

/// Starts one and reads where it listens.
#[track_caller]
fn spawn(home: &Home, listen: Option<&str>) -> (Child, String) {
    let path = home.path().join("daemon.log");
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .unwrap();
    let mut command = home.command(&["serve"]);
    if let Some(address) = listen {
        command.args(["--listen", address]);
    }
    let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let (first, line) = mpsc::channel();
    thread::spawn(move || {
        let mut line = String::new();
        while let Ok(1..) = stdout.read_line(&mut line) {
            // After the first line nobody listens, but it is still read.
            let _ = first.send(std::mem::take(&mut line));
        }
    });
    let line = line.recv_timeout(PATIENCE).unwrap_or_default();
    let address = line.trim().strip_prefix("listening on http://");
    let address = address.unwrap_or_else(|| {
        let _ = child.kill();
        let _ = child.wait();
        let log = fs::read_to_string(&path).unwrap_or_default();
        panic!("the daemon does not listen: {line:?}; its log:\n{log}")
    });
    (child, address.to_owned())
}
