//! A command on a terminal, with somebody who reads and types.

use std::io::{Read as _, Write as _};
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use pty_process::blocking::{Command, Pty, open};

use super::{Home, until};

/// A command, and the screen it runs on.
pub(crate) struct Terminal {
    what: String,
    child: Child,
    pty: Arc<Pty>,
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    /// Up to here the screen was read.
    read: usize,
}

impl Terminal {
    #[track_caller]
    pub(super) fn start(home: &Home, program: &str, args: &[&str]) -> Self {
        let (pty, pts) = open().unwrap();
        pty.resize(pty_process::Size::new(40, 120)).unwrap();
        let child = Command::new(program)
            .args(args)
            .env_clear()
            .envs(home.environment())
            .current_dir(home.path())
            .spawn(pts)
            .unwrap();
        let pty = Arc::new(pty);
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (from, to) = (Arc::clone(&pty), Arc::clone(&bytes));
        let reader = thread::spawn(move || {
            let mut buffer = [0; 16 * 1024];
            // It fails when the last one that has the terminal open is gone.
            while let Ok(count @ 1..) = (&*from).read(&mut buffer) {
                to.lock().unwrap().extend_from_slice(&buffer[..count]);
            }
        });
        Self {
            what: args.join(" "),
            child,
            pty,
            bytes,
            reader: Some(reader),
            read: 0,
        }
    }

    /// Everything that was shown, without colours and movements of the cursor.
    pub(crate) fn screen(&self) -> String {
        plain(&String::from_utf8_lossy(&self.bytes.lock().unwrap()))
    }

    /// Waits until this is shown after what was expected before.
    #[track_caller]
    pub(crate) fn shows(&mut self, text: &str) {
        let (what, from) = (&self.what, self.read);
        let screen = until(
            &format!("`{what}` shows {text:?}"),
            || self.screen(),
            |screen| screen.get(from..).is_some_and(|new| new.contains(text)),
        );
        self.read = from + screen[from..].find(text).unwrap() + text.len();
    }

    /// Types this.
    pub(crate) fn types(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the end of the command; gives its exit code and the whole screen.
    #[track_caller]
    pub(crate) fn finish(mut self) -> (Option<i32>, String) {
        let what = format!("`{}` ends", self.what);
        let (status, _): (Option<ExitStatus>, String) = until(
            &what,
            || (self.child.try_wait().unwrap(), self.screen()),
            |(status, _)| status.is_some(),
        );
        if let Some(reader) = self.reader.take() {
            until(
                "the terminal is at its end",
                || reader.is_finished(),
                |over| *over,
            );
            reader.join().unwrap();
        }
        let screen = self.screen();
        assert!(!screen.contains("panicked"), "{screen}");
        (status.unwrap().code(), screen)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has ended, unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of what a terminal was sent.
fn plain(sent: &str) -> String {
    let mut text = String::with_capacity(sent.len());
    let mut chars = sent.chars();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => {
                if chars.next() == Some('[') {
                    let _ = chars.by_ref().find(|c| ('@'..='~').contains(c));
                }
            }
            '\r' => {}
            c => text.push(c),
        }
    }
    text
}

#[test]
fn a_screen_is_read_as_text() {
    assert_eq!(plain("a\u{1b}[1;32mb\u{1b}[0m\r\nc\u{1b}[2K"), "ab\nc");
}
