//! Single keys from the terminal while a question is open. The terminal is put back as it was on every way out.

use std::io::{self, PipeWriter, Stdin};
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::termios::{LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios};
use rustix::termios::{tcflush, tcgetattr, tcsetattr};
use tokio::sync::mpsc;

/// Keys as they are pressed; Ctrl-C stays a signal.
pub(crate) struct Keyboard {
    keys: mpsc::UnboundedReceiver<char>,
    /// Closing it ends the thread that reads.
    _stop: PipeWriter,
    _mode: Mode,
}

/// The terminal's mode before; it comes back when this is dropped.
struct Mode {
    stdin: Stdin,
    before: Termios,
}

impl Drop for Mode {
    fn drop(&mut self) {
        // What was typed after the answer is no answer to the next question, nor a command for the shell.
        let _ = tcflush(&self.stdin, QueueSelector::IFlush);
        let _ = tcsetattr(&self.stdin, OptionalActions::Now, &self.before);
    }
}

impl Keyboard {
    /// Takes the terminal at stdin. What was typed before the question was there is dropped: nobody can have
    /// meant it as an answer.
    ///
    /// # Errors
    /// When stdin is no terminal.
    pub(crate) fn open() -> io::Result<Self> {
        let stdin = io::stdin();
        let before = tcgetattr(&stdin)?;
        let mut raw = before.clone();
        raw.local_modes
            .remove(LocalModes::ICANON | LocalModes::ECHO);
        raw.special_codes[SpecialCodeIndex::VMIN] = 1;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(&stdin, OptionalActions::Flush, &raw)?;
        let mode = Mode { stdin, before };
        let (stopped, stop) = io::pipe()?;
        let (send, keys) = mpsc::unbounded_channel();
        thread::Builder::new()
            .name("keyboard".into())
            .spawn(move || read_keys(&stopped, &send))?;
        Ok(Self {
            keys,
            _stop: stop,
            _mode: mode,
        })
    }

    /// The next key; none when the terminal is gone.
    pub(crate) async fn next(&mut self) -> Option<char> {
        self.keys.recv().await
    }

    /// Drops what was pressed and not taken yet.
    pub(crate) fn forget(&mut self) {
        while self.keys.try_recv().is_ok() {}
    }
}

fn read_keys(stopped: &io::PipeReader, send: &mpsc::UnboundedSender<char>) {
    let stdin = io::stdin();
    loop {
        let mut fds = [
            PollFd::new(&stdin, PollFlags::IN),
            PollFd::new(stopped, PollFlags::IN),
        ];
        match poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
            Ok(_) => {}
        }
        if !fds[1].revents().is_empty() {
            return;
        }
        // Not through the standard library's buffer: it would keep keys back.
        let mut bytes = [0; 64];
        let Ok(count @ 1..) = rustix::io::read(&stdin, &mut bytes) else {
            return;
        };
        for key in String::from_utf8_lossy(&bytes[..count]).chars() {
            if send.send(key).is_err() {
                return;
            }
        }
    }
}
