//! Processes as `/proc` shows them: listed whole, followed from parent to child.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, kill_process, pidfd_open, pidfd_send_signal,
    set_child_subreaper,
};

/// Passes after which a set that still grows is killed as it is.
const PASSES: usize = 100;

/// One process, and no later one with the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::sandbox) struct Identity {
    pub(in crate::sandbox) pid: Pid,
    started: u64,
}

/// A process as `/proc` shows it.
#[derive(Debug, Clone, Copy)]
pub(in crate::sandbox) struct Member {
    pub(in crate::sandbox) identity: Identity,
    pub(in crate::sandbox) parent: i32,
    /// It ended and waits for its parent to notice.
    pub(in crate::sandbox) zombie: bool,
    /// It runs without any environment. One that becomes another program just now shows none either, and is not bare.
    pub(in crate::sandbox) bare: bool,
}

/// Makes every orphan below this process its child.
pub(in crate::sandbox) fn prepare() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Everything below this process.
pub(in crate::sandbox) struct Tree;

impl Tree {
    /// The program itself needs no mention: it is below us like the rest.
    pub(in crate::sandbox) fn new(_program: Pid) -> Self {
        Self
    }

    /// Asks every process to end, stopped ones too.
    pub(in crate::sandbox) fn terminate(&self) {
        for Member { identity, .. } in Self::members() {
            signal(identity, Signal::TERM);
            signal(identity, Signal::CONT);
        }
    }

    /// Ends every process that is there. One that slips through becomes our child; the next call meets it.
    ///
    /// Returns those of our own children that are sure to end by it.
    pub(in crate::sandbox) fn kill(&self) -> HashSet<Pid> {
        let mut children = HashSet::new();
        let killed = end(|| {
            let members = Self::members();
            let ours = members
                .iter()
                .filter(|member| member.parent == getpid().as_raw_pid());
            children.extend(ours.map(|member| member.identity));
            members.iter().map(|member| member.identity).collect()
        });
        killed
            .into_iter()
            .filter(|one| children.contains(one))
            .map(|one| one.pid)
            .collect()
    }

    fn members() -> Vec<Member> {
        below(&[getpid().as_raw_pid()], &all())
    }
}

/// Stops what `find` finds until it finds nothing new, then kills it all. A stopped process starts no other.
///
/// Returns what was killed: not what belongs to another user.
pub(in crate::sandbox) fn end(mut find: impl FnMut() -> Vec<Identity>) -> Vec<Identity> {
    let mut stopped = HashSet::new();
    for _ in 0..PASSES {
        let before = stopped.len();
        for identity in find() {
            if stopped.insert(identity) {
                signal(identity, Signal::STOP);
            }
        }
        if stopped.len() == before {
            break;
        }
    }
    stopped.retain(|identity| signal(*identity, Signal::KILL));
    stopped.into_iter().collect()
}

/// Waits until they have all ended, or for this long.
pub(in crate::sandbox) fn ended(processes: &[Identity], patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    processes.iter().all(|identity| {
        let Ok(handle) = open(*identity) else {
            return true;
        };
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).ok();
        let mut waiting = [PollFd::new(&handle, PollFlags::IN)];
        matches!(poll(&mut waiting, timeout.as_ref()), Ok(1..))
    })
}

/// Lists every process.
pub(in crate::sandbox) fn all() -> Vec<Member> {
    let Ok(folder) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    folder
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(|number| read(Pid::from_raw(number)?))
        .collect()
}

/// Reads one process, if it is there.
pub(in crate::sandbox) fn read(pid: Pid) -> Option<Member> {
    let stat = fs::read(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    parse(pid, &String::from_utf8_lossy(&stat))
}

fn parse(pid: Pid, stat: &str) -> Option<Member> {
    // The name comes second, in brackets, and may itself hold blanks and brackets.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let zombie = matches!(fields.next()?, "Z" | "X");
    let parent = fields.next()?.parse().ok()?;
    let started = fields.nth(17)?.parse().ok()?;
    // Where the environment starts and ends; the end is set last in an exec.
    let (start, end) = (fields.nth(27)?, fields.next()?);
    let bare = start == end && end != "0";
    let identity = Identity { pid, started };
    Some(Member {
        identity,
        parent,
        zombie,
        bare,
    })
}

/// Picks those below the roots, the roots themselves excluded.
pub(in crate::sandbox) fn below(roots: &[i32], all: &[Member]) -> Vec<Member> {
    let mut children: HashMap<i32, Vec<Member>> = HashMap::new();
    for member in all {
        children.entry(member.parent).or_default().push(*member);
    }
    let mut found = Vec::new();
    let mut next = roots.to_vec();
    while let Some(parent) = next.pop() {
        for member in children.remove(&parent).unwrap_or_default() {
            next.push(member.identity.pid.as_raw_pid());
            found.push(member);
        }
    }
    found
}

/// Holds on to a process: what the descriptor means cannot change once the start time was seen behind it.
fn open(identity: Identity) -> rustix::io::Result<OwnedFd> {
    let handle = pidfd_open(identity.pid, PidfdFlags::empty())?;
    match read(identity.pid) {
        Some(member) if member.identity == identity => Ok(handle),
        _ => Err(Errno::SRCH),
    }
}

/// Says whether the signal was sent. What has ended, or belongs to another user, cannot be signalled.
fn signal(identity: Identity, signal: Signal) -> bool {
    let sent = match open(identity) {
        Ok(handle) => pidfd_send_signal(handle, signal),
        // A kernel before 5.3: look once more, right before.
        Err(Errno::NOSYS) if read(identity.pid).is_some_and(|now| now.identity == identity) => {
            kill_process(identity.pid, signal)
        }
        Err(error) => Err(error),
    };
    sent.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(pid: i32, parent: i32) -> Member {
        let pid = Pid::from_raw(pid).expect("a positive number");
        let identity = Identity { pid, started: 1 };
        Member {
            identity,
            parent,
            zombie: false,
            bare: false,
        }
    }

    #[test]
    fn a_name_with_brackets_is_read() {
        let stat = |state: &str, environment: &str| {
            let skipped = "0 ".repeat(27);
            let line = format!(
                "7 (a) S (b 1) {state} 3 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 8512 {skipped}{environment} 0"
            );
            parse(Pid::INIT, &line).unwrap()
        };
        let found = stat("Z", "0 0");
        assert_eq!((found.parent, found.identity.started), (3, 8512));
        assert_eq!((found.zombie, found.bare), (true, false));
        assert!(!stat("R", "0 0").bare);
        assert!(!stat("R", "140724 140725").bare);
        assert!(stat("R", "140724 140724").bare);
        assert!(parse(Pid::INIT, "7 (short) S 1").is_none());
    }

    #[test]
    fn a_tree_is_everything_below_its_roots() {
        let all = [
            member(1, 0),
            member(2, 1),
            member(3, 2),
            member(4, 3),
            member(5, 1),
            member(6, 2),
        ];
        let mut found: Vec<_> = below(&[2], &all)
            .iter()
            .map(|m| m.identity.pid.as_raw_pid())
            .collect();
        found.sort_unstable();
        assert_eq!(found, [3, 4, 6]);
    }

    #[test]
    fn a_number_that_was_given_away_again_is_left_alone() {
        let mut stranger = std::process::Command::new("sleep")
            .arg("1000")
            .spawn()
            .unwrap();
        let pid = Pid::from_child(&stranger);
        let now = read(pid).unwrap().identity;
        let before = Identity {
            started: now.started - 1,
            ..now
        };
        assert!(!signal(before, Signal::KILL));
        assert!(signal(now, Signal::KILL));
        assert_eq!(stranger.wait().unwrap().to_string(), "signal: 9 (SIGKILL)");
    }
}
