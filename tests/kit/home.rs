//! A HOME of its own for each test, and nothing else in the environment.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use rustix::process::Signal;
use tempfile::TempDir;

use super::{Daemon, Done, Editor, Process, Running, Terminal, until};

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_fountain");

/// A HOME, and the environment of everything that runs in it.
pub(crate) struct Home {
    /// Kept until the end, when it is removed.
    _dir: TempDir,
    path: PathBuf,
    variables: Vec<(String, OsString)>,
}

impl Home {
    /// A HOME where nothing has ever been started. No client starts a daemon here: tests say when.
    pub(crate) fn new() -> Self {
        let home = Self::fresh();
        let data = home.path.join("data");
        home.with("FOUNTAIN_NO_AUTOSTART", "1")
            .with("FOUNTAIN_DATA_DIR", data)
    }

    /// Nothing but what keeps tests apart: everything is where it is by default, and a client that needs a daemon
    /// starts one.
    pub(crate) fn fresh() -> Self {
        let dir = tempfile::Builder::new()
            .prefix("fountain-test-")
            .tempdir()
            .unwrap();
        let path = dir.path().canonicalize().unwrap();
        let home = Self {
            _dir: dir,
            variables: Vec::new(),
            path,
        };
        let path = std::env::var_os("PATH").unwrap_or_default();
        home.with("PATH", path)
            .with("LANG", "C.UTF-8")
            .with("TERM", "xterm-256color")
            .with("FOUNTAIN_NO_KEYRING", "1")
            .with("FOUNTAIN_LISTEN", "127.0.0.1:0")
    }

    /// Sets a variable for everything that is started from here on.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The data directory.
    pub(crate) fn data(&self) -> PathBuf {
        let set = self
            .variables
            .iter()
            .find(|(name, _)| name == "FOUNTAIN_DATA_DIR");
        match set {
            Some((_, path)) => path.into(),
            None if cfg!(target_os = "macos") => {
                self.path.join("Library/Application Support/fountain")
            }
            None => self.path.join(".local/share/fountain"),
        }
    }

    /// The credentials file.
    pub(crate) fn credentials(&self) -> PathBuf {
        self.path.join(".fountain").join("credentials")
    }

    /// A value of the credentials file, such as `api_key`; of the first profile that has one.
    pub(crate) fn saved(&self, name: &str) -> String {
        let path = self.credentials();
        let text =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        text.lines()
            .filter_map(|line| line.split_once('='))
            .find(|(key, _)| key.trim() == name)
            .map(|(_, value)| value.trim().trim_matches('"').to_owned())
            .unwrap_or_else(|| panic!("the credentials file has no {name}"))
    }

    /// The environment of everything that runs here.
    pub(crate) fn environment(&self) -> impl Iterator<Item = (OsString, OsString)> {
        let home = ("HOME".into(), self.path.clone().into_os_string());
        let set = self
            .variables
            .iter()
            .map(|(name, value)| (name.into(), value.clone()));
        std::iter::once(home).chain(set)
    }

    /// Any program, in this environment.
    pub(crate) fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(self.environment())
            .current_dir(&self.path)
            .stdin(Stdio::null());
        command
    }

    /// The program under test with these arguments.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.program(PROGRAM);
        command.args(args);
        command
    }

    /// Runs a command to its end, with nothing on its stdin.
    #[track_caller]
    pub(crate) fn run(&self, args: &[&str]) -> Done {
        Running::start(self.command(args)).finish()
    }

    /// Runs a command to its end, with this on its stdin.
    #[track_caller]
    pub(crate) fn run_with(&self, args: &[&str], stdin: &str) -> Done {
        let mut running = self.spawn(args);
        running.write(stdin);
        running.finish()
    }

    /// Starts a command with pipes.
    #[track_caller]
    pub(crate) fn spawn(&self, args: &[&str]) -> Running {
        let mut command = self.command(args);
        command.stdin(Stdio::piped());
        Running::start(command)
    }

    /// Starts a command on a terminal of its own.
    #[track_caller]
    pub(crate) fn terminal(&self, args: &[&str]) -> Terminal {
        Terminal::start(self, PROGRAM, args)
    }

    /// Types a line at a shell on a terminal of its own; `fountain` in it is the program under test.
    #[track_caller]
    pub(crate) fn shell(&self, line: &str) -> Terminal {
        let line = line.replace("fountain", PROGRAM);
        Terminal::start(self, "sh", &["-c", &line])
    }

    /// Starts `fountain acp` with these flags, and nothing said to it yet.
    #[track_caller]
    pub(crate) fn editor(&self, flags: &[&str]) -> Editor {
        let mut command = self.command(&["acp"]);
        command.args(flags);
        self.editor_of(command)
    }

    /// The same with a command of one's own: other variables, or something in between.
    #[track_caller]
    pub(crate) fn editor_of(&self, command: Command) -> Editor {
        Editor::start(command)
    }

    /// Starts a daemon and waits until it listens.
    #[track_caller]
    pub(crate) fn daemon(&self) -> Daemon<'_> {
        Daemon::start(self)
    }

    /// Everything that runs here.
    pub(crate) fn processes(&self) -> Vec<Process> {
        Process::of(&self.path)
    }

    /// The daemons that clients started here.
    pub(crate) fn background(&self) -> Vec<Process> {
        let mut found = self.processes();
        found.retain(|process| process.command.contains(" serve "));
        found
    }

    /// The workspace of the only sandbox.
    #[track_caller]
    pub(crate) fn workspace(&self) -> PathBuf {
        let sandboxes = self.data().join("sandboxes");
        let mut found: Vec<PathBuf> = fs::read_dir(&sandboxes)
            .unwrap_or_else(|error| panic!("{}: {error}", sandboxes.display()))
            .map(|entry| entry.unwrap().path().join("workspace"))
            .collect();
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    fn stop_background(&self) {
        let daemons = self.background();
        for daemon in &daemons {
            daemon.signal(Signal::TERM);
        }
        if !daemons.is_empty() {
            let log = fs::read_to_string(self.data().join("serve.log")).unwrap_or_default();
            assert!(!log.contains("panicked"), "the daemon's log:\n{log}");
        }
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if thread::panicking() {
            for process in self.processes() {
                process.signal(Signal::KILL);
            }
            return;
        }
        self.stop_background();
        until(
            "no process is left with this HOME",
            || self.processes(),
            Vec::is_empty,
        );
    }
}
