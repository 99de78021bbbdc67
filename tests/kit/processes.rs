//! Who runs with a HOME of ours in its environment, read from `/proc`; elsewhere nobody is found.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::process::{Pid, Signal, kill_process};

/// A process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    /// Its number.
    pub(crate) pid: i32,
    /// Its command line.
    pub(crate) command: String,
}

impl Process {
    /// Every process whose environment or command line names this folder. One that ended and waits to be reaped has
    /// neither.
    pub(crate) fn of(folder: &Path) -> Vec<Self> {
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        let wanted = folder.as_os_str().as_bytes();
        entries
            .filter_map(|entry| {
                let pid = entry.ok()?.file_name().to_str()?.parse().ok()?;
                let read = |what: &str| fs::read(format!("/proc/{pid}/{what}")).ok();
                let command = read("cmdline")?;
                let names = |bytes: &[u8]| bytes.windows(wanted.len()).any(|part| part == wanted);
                if !names(&read("environ")?) && !names(&command) {
                    return None;
                }
                let command = String::from_utf8_lossy(&command).replace('\0', " ");
                Some(Self { pid, command })
            })
            .collect()
    }

    /// Sends it a signal; one that is gone does not mind.
    pub(crate) fn signal(&self, signal: Signal) {
        send(self.pid, signal);
    }
}

/// Sends a signal to a process of ours.
pub(super) fn send(pid: i32, signal: Signal) {
    let pid = Pid::from_raw(pid).expect("a process has a number");
    let _ = kill_process(pid, signal);
}
