//! How the program of a sandbox ended.

use std::fmt;

use rustix::process::Signal;

/// The one answer to "how did it end".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// It exited with this status.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
    /// It never ran; the system's sentence says why.
    NotStarted(String),
    /// The sandbox's first process was killed, and with it the knowledge. The tree was ended by its marker.
    Lost,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit status {code}"),
            Self::Signal(number) => match signal_name(*number) {
                Some(name) => write!(f, "signal {number} ({name})"),
                None => write!(f, "signal {number}"),
            },
            Self::NotStarted(reason) => write!(f, "not started: {reason}"),
            Self::Lost => f.write_str("lost: the first process of the sandbox was killed"),
        }
    }
}

fn signal_name(number: i32) -> Option<&'static str> {
    Some(match Signal::from_named_raw(number)? {
        Signal::HUP => "SIGHUP",
        Signal::INT => "SIGINT",
        Signal::QUIT => "SIGQUIT",
        Signal::ILL => "SIGILL",
        Signal::TRAP => "SIGTRAP",
        Signal::ABORT => "SIGABRT",
        Signal::BUS => "SIGBUS",
        Signal::FPE => "SIGFPE",
        Signal::KILL => "SIGKILL",
        Signal::USR1 => "SIGUSR1",
        Signal::SEGV => "SIGSEGV",
        Signal::USR2 => "SIGUSR2",
        Signal::PIPE => "SIGPIPE",
        Signal::ALARM => "SIGALRM",
        Signal::TERM => "SIGTERM",
        Signal::XCPU => "SIGXCPU",
        Signal::XFSZ => "SIGXFSZ",
        Signal::SYS => "SIGSYS",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_a_sentence() {
        let check = |exit: Exit, text: &str| assert_eq!(exit.to_string(), text);
        check(Exit::Code(1), "exit status 1");
        check(Exit::Signal(9), "signal 9 (SIGKILL)");
        check(Exit::Signal(64), "signal 64");
        check(
            Exit::NotStarted("Permission denied (os error 13)".to_owned()),
            "not started: Permission denied (os error 13)",
        );
        check(
            Exit::Lost,
            "lost: the first process of the sandbox was killed",
        );
    }
}
