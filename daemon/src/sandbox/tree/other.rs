//! Without `/proc`: a process that leaves its group is out of reach, and the kind promises no more.

use std::collections::HashSet;
use std::io;

use rustix::process::{Pid, Signal, kill_process_group};

pub(in crate::sandbox) fn prepare() -> io::Result<()> {
    Ok(())
}

/// The process group of the program.
pub(in crate::sandbox) struct Tree(Pid);

impl Tree {
    pub(in crate::sandbox) fn new(program: Pid) -> Self {
        Self(program)
    }

    pub(in crate::sandbox) fn terminate(&self) {
        // A group without processes is what we want.
        let _ = kill_process_group(self.0, Signal::TERM);
    }

    pub(in crate::sandbox) fn kill(&self) -> HashSet<Pid> {
        let _ = kill_process_group(self.0, Signal::KILL);
        HashSet::new()
    }
}
