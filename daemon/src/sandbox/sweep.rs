//! Ends processes of a sandbox whose first process is gone, found by the marker in their environment.
//! Needs `/proc`; elsewhere it finds nothing.

use rustix::process::Pid;

/// Ends every process of our user whose marker begins with this, and everything below such a process.
///
/// Returns how many there were. Never touches this process or those it runs under. End the prefix with a
/// separator, or a neighbour whose name begins the same is meant as well; an empty one means nobody.
pub fn sweep(prefix: &str) -> usize {
    if prefix.is_empty() {
        return 0;
    }
    sweep_where(None, |marker| marker.starts_with(prefix.as_bytes()))
}

/// Ends every process with exactly this marker, and everything below.
pub(super) fn sweep_one(marker: &str) -> usize {
    sweep_where(None, |found| found == marker.as_bytes())
}

/// Ends every process with exactly this marker and everything below, but not the first process itself.
pub(super) fn sweep_below(first: Pid, marker: &str) -> usize {
    sweep_where(Some(first), |found| found == marker.as_bytes())
}

#[cfg(not(target_os = "linux"))]
fn sweep_where(_first: Option<Pid>, _matches: impl Fn(&[u8]) -> bool) -> usize {
    0
}

#[cfg(all(test, target_os = "linux"))]
pub(super) use linux::holders;
#[cfg(target_os = "linux")]
use linux::sweep_where;

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashSet;
    use std::fs::{self, File};
    use std::io::{self, Read as _};
    use std::os::unix::fs::MetadataExt as _;
    use std::thread;
    use std::time::Duration;

    use rustix::process::{Pid, geteuid, getpid};

    use crate::sandbox::MARKER;
    use crate::sandbox::tree::{self, Identity, Member};

    /// Rounds after which something that cannot be ended is given up.
    const ROUNDS: usize = 10;

    /// Looks in a row that must find nothing: one alone may fall between the ends of a parent and the start of its child.
    const LOOKS: usize = 3;

    /// How often, a millisecond apart, we look again at a process that is becoming another program.
    const EXEC_LOOKS: usize = 200;

    /// How much of an environment is read at once.
    const ONE_CALL: usize = 64 << 10;

    /// How long killed processes may take to be gone before the next round.
    const PATIENCE: Duration = Duration::from_millis(500);

    /// Ends what is marked and what is below that or the first process; this one is spared.
    pub(super) fn sweep_where(first: Option<Pid>, matches: impl Fn(&[u8]) -> bool) -> usize {
        let mut ended = HashSet::new();
        let mut quiet = 0;
        for _ in 0..ROUNDS {
            let found = tree::end(|| with_descendants(first, &matches));
            quiet = if found.is_empty() { quiet + 1 } else { 0 };
            if quiet == LOOKS {
                break;
            }
            tree::ended(&found, PATIENCE);
            ended.extend(found);
        }
        ended.len()
    }

    fn with_descendants(first: Option<Pid>, matches: &impl Fn(&[u8]) -> bool) -> Vec<Identity> {
        let all = tree::all();
        let mut found = holders(&all, matches);
        let marked = found.iter().map(|member| member.identity.pid);
        let roots: Vec<i32> = marked.chain(first).map(Pid::as_raw_pid).collect();
        found.extend(tree::below(&roots, &all));
        let mut spared = ourselves(&all);
        spared.extend(first.map(Pid::as_raw_pid));
        let mut seen = HashSet::new();
        found.retain(|member| {
            let identity = member.identity;
            !member.zombie && !spared.contains(&identity.pid.as_raw_pid()) && seen.insert(identity)
        });
        found.into_iter().map(|member| member.identity).collect()
    }

    /// Finds the processes of our user that carry a marker of this sort.
    pub(in crate::sandbox) fn holders(
        all: &[Member],
        matches: &impl Fn(&[u8]) -> bool,
    ) -> Vec<Member> {
        let user = geteuid().as_raw();
        let holds = |member: &&Member| {
            let pid = member.identity.pid;
            let owner = fs::metadata(format!("/proc/{}", pid.as_raw_pid()));
            owner.is_ok_and(|found| found.uid() == user)
                && marker(&environment(pid)).is_some_and(matches)
                // The number may have changed hands while we read.
                && tree::read(pid).is_some_and(|now| now.identity == member.identity)
        };
        all.iter().filter(holds).copied().collect()
    }

    /// Reads the environment of a process, also while it becomes another program: then it shows none, or a part.
    fn environment(pid: Pid) -> Vec<u8> {
        let mut before = None;
        for _ in 0..EXEC_LOOKS {
            let Ok(text) = read_environment(pid) else {
                break;
            };
            if text.last() == Some(&0) {
                return text;
            }
            match tree::read(pid) {
                Some(now) if !now.zombie => {
                    // Some programs have none, and some write over theirs.
                    if before.as_ref() == Some(&text) && (now.bare || !text.is_empty()) {
                        return text;
                    }
                }
                _ => break,
            }
            before = Some(text);
            thread::sleep(Duration::from_millis(1));
        }
        Vec::new()
    }

    /// Reads it in one call if it is not enormous: the next call may find another program.
    fn read_environment(pid: Pid) -> io::Result<Vec<u8>> {
        let mut file = File::open(format!("/proc/{}/environ", pid.as_raw_pid()))?;
        let mut text = vec![0; ONE_CALL];
        let mut length = 0;
        loop {
            if length == text.len() {
                text.resize(length + ONE_CALL, 0);
            }
            match file.read(&mut text[length..])? {
                0 => break,
                more => length += more,
            }
        }
        text.truncate(length);
        Ok(text)
    }

    fn marker(environment: &[u8]) -> Option<&[u8]> {
        environment
            .split(|byte| *byte == 0)
            .find_map(|pair| pair.strip_prefix(MARKER.as_bytes())?.strip_prefix(b"="))
    }

    /// Lists this process and those above it.
    fn ourselves(all: &[Member]) -> HashSet<i32> {
        let mut line = HashSet::new();
        let mut next = getpid().as_raw_pid();
        while line.insert(next) {
            let Some(member) = all
                .iter()
                .find(|member| member.identity.pid.as_raw_pid() == next)
            else {
                break;
            };
            next = member.parent;
        }
        line
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_marker_is_a_whole_variable() {
            let check = |text: &str, expected: Option<&str>| {
                assert_eq!(marker(text.as_bytes()), expected.map(str::as_bytes));
            };
            check("A=1\0FOUNTAIN_SANDBOX=/data/x\0B=2\0", Some("/data/x"));
            check("FOUNTAIN_SANDBOX=\0", Some(""));
            check("XFOUNTAIN_SANDBOX=/data/x\0", None);
            check(
                "FOUNTAIN_SANDBOXES=/data/x\0A=FOUNTAIN_SANDBOX=/data/x\0",
                None,
            );
            check("", None);
        }
    }
}
