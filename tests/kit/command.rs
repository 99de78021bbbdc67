//! A command with pipes: while it runs, and when it has ended.

use std::fmt;
use std::io::{Read, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use super::processes::send;
use super::until::until_within;
use super::{PATIENCE, until};

/// A command that runs.
pub(crate) struct Running {
    what: String,
    child: Child,
    stdin: Option<ChildStdin>,
    out: Drain,
    err: Drain,
}

impl Running {
    /// Starts it. What is not redirected yet becomes a pipe that is read all the time.
    #[track_caller]
    pub(crate) fn start(mut command: Command) -> Self {
        command.stdout(Stdio::piped());
        Self::start_as_is(command)
    }

    /// The same with the stdout that the command has already.
    #[track_caller]
    pub(crate) fn start_as_is(mut command: Command) -> Self {
        let args: Vec<_> = command
            .get_args()
            .map(|arg| arg.to_string_lossy())
            .collect();
        let what = args.join(" ");
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        Self {
            what,
            stdin: child.stdin.take(),
            out: Drain::of(child.stdout.take()),
            err: Drain::of(child.stderr.take()),
            child,
        }
    }

    /// Writes to its stdin and closes it.
    pub(crate) fn write(&mut self, text: &str) {
        let mut stdin = self.stdin.take().expect("its stdin is open");
        // Who does not read its stdin does not mind.
        let _ = stdin.write_all(text.as_bytes());
    }

    /// Its process.
    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).unwrap()
    }

    /// What Ctrl-C sends.
    pub(crate) fn interrupt(&self) {
        send(self.pid(), Signal::INT);
    }

    /// What `kill` sends.
    pub(crate) fn terminate(&self) {
        send(self.pid(), Signal::TERM);
    }

    /// Waits until this stands in its stdout.
    #[track_caller]
    pub(crate) fn prints(&self, text: &str) -> String {
        self.out.wait_for(text, &self.what)
    }

    /// Waits until this stands in its stderr.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> String {
        self.err.wait_for(text, &self.what)
    }

    /// Waits for its end. Its stdin is closed first.
    #[track_caller]
    pub(crate) fn finish(self) -> Done {
        self.finish_within(PATIENCE)
    }

    /// The same for something that may take longer than anything else.
    #[track_caller]
    pub(crate) fn finish_within(mut self, patience: Duration) -> Done {
        self.stdin = None;
        let what = self.what.clone();
        let status = until_within(
            patience,
            &format!("`{what}` ends"),
            || Progress {
                status: self.child.try_wait().unwrap(),
                out: self.out.text(),
                err: self.err.text(),
            },
            |progress| progress.status.is_some(),
        );
        let done = Done {
            what,
            status: status.status.unwrap(),
            out: self.out.rest(),
            err: self.err.rest(),
        };
        assert!(!done.err.contains("panicked"), "{done}");
        done
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended, unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How far a command is, for whoever reads that it did not end.
#[derive(Debug)]
#[expect(dead_code, reason = "it is read where it is printed")]
struct Progress {
    status: Option<ExitStatus>,
    out: String,
    err: String,
}

/// Reads a pipe to its end.
struct Drain {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Drain {
    fn of(pipe: Option<impl Read + Send + 'static>) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let reader = pipe.map(|mut pipe| {
            let bytes = Arc::clone(&bytes);
            thread::spawn(move || {
                let mut buffer = [0; 64 * 1024];
                while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                    bytes.lock().unwrap().extend_from_slice(&buffer[..count]);
                }
            })
        });
        Self { bytes, reader }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }

    #[track_caller]
    fn wait_for(&self, text: &str, what: &str) -> String {
        let what = format!("`{what}` prints {text:?}");
        until(&what, || self.text(), |printed| printed.contains(text))
    }

    /// Everything. A daemon that the command started does not hold its pipes, so the end comes with the command's.
    fn rest(&mut self) -> String {
        if let Some(reader) = self.reader.take() {
            until(
                "the pipe is at its end",
                || reader.is_finished(),
                |over| *over,
            );
            reader.join().unwrap();
        }
        String::from_utf8(self.bytes.lock().unwrap().clone()).expect("the output is UTF-8")
    }
}

/// A command that has ended.
#[must_use = "what came of it has to be looked at"]
#[derive(Debug)]
pub(crate) struct Done {
    what: String,
    status: ExitStatus,
    /// Its stdout.
    pub(crate) out: String,
    /// Its stderr.
    pub(crate) err: String,
}

impl Done {
    /// Makes sure that it ended well.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        self.exits(0)
    }

    /// Makes sure of its exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.status.code(), Some(code), "{self}");
        self
    }

    /// Its exit code; none when a signal ended it.
    pub(crate) fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// Makes sure that this stands in its stderr.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.err.contains(text), "{text:?} is not on stderr: {self}");
        self
    }

    /// Makes sure that this stands in its stdout.
    #[track_caller]
    pub(crate) fn prints(self, text: &str) -> Self {
        assert!(self.out.contains(text), "{text:?} is not on stdout: {self}");
        self
    }

    /// Its stdout as one JSON document.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// Its stdout as a JSON document on each line.
    #[track_caller]
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        let read =
            |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.out.lines().map(read).collect()
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = |text: &str| match text.char_indices().nth(8_000) {
            Some((at, _)) => format!("{} …", &text[..at]),
            None => text.to_owned(),
        };
        let Self { what, status, .. } = self;
        let (out, err) = (cut(&self.out), cut(&self.err));
        write!(
            f,
            "`{what}` ended with {status}\n--- stdout\n{out}\n--- stderr\n{err}\n---"
        )
    }
}
