//! Two outputs that are often one terminal: standard output for the answer, standard error for everything else.
//! It knows where the cursor stands, so that neither breaks a line of the other.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rustix::event::{PollFd, PollFlags, poll};

use super::safe::Filter;

/// So much is kept before it is written, between two flushes.
const BUFFER: usize = 64 * 1024;

/// What is known about the two outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outputs {
    /// Standard output is a terminal.
    pub(crate) out_terminal: bool,
    /// Standard error is a terminal.
    pub(crate) err_terminal: bool,
    /// Both are one file or one pipe, as after `2>&1`.
    pub(crate) one: bool,
    /// A spinner may be drawn.
    pub(crate) spinner: bool,
}

impl Outputs {
    fn shared(self) -> bool {
        self.out_terminal && self.err_terminal || self.one
    }
}

/// The two outputs and what stands on them.
pub(crate) struct Screen {
    outputs: Outputs,
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
    out_buffer: String,
    err_buffer: String,
    filter: Filter,
    /// The end of what standard output got: two characters are enough to know its last line.
    tail: [char; 2],
    /// Standard output got text whose line is open.
    out_open: bool,
    /// Standard error got text whose line is open.
    err_open: bool,
    /// That line waits for a key.
    asks: bool,
    /// A failed write that nobody was told of yet.
    failed: Option<io::Error>,
    spinner: Option<ProgressBar>,
}

impl Screen {
    /// On the process's own outputs.
    pub(crate) fn standard(outputs: Outputs) -> Self {
        Self::new(outputs, Box::new(Standard), Box::new(io::stderr()))
    }

    /// On any two.
    pub(crate) fn new(
        outputs: Outputs,
        out: Box<dyn Write + Send>,
        err: Box<dyn Write + Send>,
    ) -> Self {
        Self {
            outputs,
            out,
            err,
            out_buffer: String::new(),
            err_buffer: String::new(),
            filter: Filter::default(),
            tail: ['\n'; 2],
            out_open: false,
            err_open: false,
            asks: false,
            failed: None,
            spinner: None,
        }
    }

    /// Text of the answer: exact where there is no terminal, harmless where there is one.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.still();
        if self.err_open {
            self.close_err();
        }
        self.flush_err();
        let start = self.out_buffer.len();
        if self.outputs.out_terminal {
            self.filter.push(text, &mut self.out_buffer);
        } else {
            self.out_buffer.push_str(text);
        }
        let mut backwards = self.out_buffer[start..].chars().rev();
        self.tail = match (backwards.next(), backwards.next()) {
            (Some(last), Some(before)) => [before, last],
            (Some(last), None) => [self.tail[1], last],
            (None, _) => self.tail,
        };
        self.out_open = self.tail[1] != '\n';
        if self.out_buffer.len() >= BUFFER {
            self.flush_out()?;
        }
        Ok(())
    }

    /// Bytes that are a result as they are, after everything that came before them.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.flush()?;
        self.out.write_all(bytes)?;
        self.out.flush()
    }

    /// What follows is another message: a blank line between the two, unless something else stands there.
    pub(crate) fn paragraph(&mut self) -> io::Result<()> {
        if self.tail == ['\n'; 2] || self.outputs.shared() && !self.out_open {
            return Ok(());
        }
        self.text(if self.out_open && !self.outputs.shared() {
            "\n\n"
        } else {
            "\n"
        })
    }

    /// Text beside the answer that comes in pieces, painted already.
    pub(crate) fn aside(&mut self, painted: &str, ends_line: bool) {
        self.still();
        self.break_out();
        self.flush_out_quietly();
        self.err_buffer.push_str(painted);
        self.err_open = !ends_line;
    }

    /// The last line, open, for a key that is waited for.
    pub(crate) fn ask(&mut self, painted: &str) {
        if self.err_open {
            self.close_err();
        }
        self.aside(painted, false);
        self.asks = true;
    }

    /// Whether the last line waits for a key.
    pub(crate) fn asks(&self) -> bool {
        self.asks && self.err_open
    }

    /// A line beside the answer, painted already.
    pub(crate) fn line(&mut self, painted: &str) {
        self.still();
        if self.err_open {
            self.close_err();
        }
        self.break_out();
        self.flush_out_quietly();
        self.err_buffer.push_str(painted);
        self.err_buffer.push('\n');
    }

    /// Closes the lines that are open: the answer ends with a newline.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.still();
        if self.err_open {
            self.close_err();
        }
        let unfinished = if self.outputs.shared() {
            self.out_open
        } else {
            self.tail[1] != '\n'
        };
        if unfinished {
            self.text("\n")?;
        }
        self.flush()
    }

    /// Lets everything be seen.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.flush_err();
        self.flush_out()
    }

    /// Shows that something is waited for, on a line of its own.
    pub(crate) fn spin(&mut self, what: &str) {
        if !self.may_spin() {
            return;
        }
        if self.err_open {
            self.close_err();
        }
        self.break_out();
        self.flush_err();
        let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg:.dim} {elapsed:.dim}") {
            spinner.set_style(style);
        }
        spinner.set_message(what.to_owned());
        spinner.enable_steady_tick(Duration::from_millis(120));
        self.spinner = Some(spinner);
    }

    /// Whether a spinner may be drawn and is not.
    pub(crate) fn may_spin(&self) -> bool {
        self.outputs.spinner && self.spinner.is_none()
    }

    /// Whether a line is open that a spinner would break.
    pub(crate) fn is_open(&self) -> bool {
        self.err_open || self.out_open && self.outputs.shared()
    }

    /// Takes the spinner away.
    pub(crate) fn still(&mut self) {
        if let Some(spinner) = self.spinner.take() {
            spinner.finish_and_clear();
        }
    }

    /// Ends the open line of the answer for what comes beside it, where both stand on one terminal. The newline
    /// goes to standard error: it is no part of the answer.
    fn break_out(&mut self) {
        if self.out_open && self.outputs.shared() {
            self.flush_out_quietly();
            self.err_buffer.push('\n');
            self.out_open = false;
        }
    }

    fn close_err(&mut self) {
        self.err_buffer.push('\n');
        self.err_open = false;
        self.asks = false;
    }

    fn flush_err(&mut self) {
        if !self.err_buffer.is_empty() {
            // With standard error gone there is nobody left to tell.
            let _ = self.err.write_all(self.err_buffer.as_bytes());
            let _ = self.err.flush();
            self.err_buffer.clear();
        }
    }

    fn flush_out(&mut self) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.out_buffer.is_empty() {
            return Ok(());
        }
        let written = self.out.write_all(self.out_buffer.as_bytes());
        self.out_buffer.clear();
        written.and_then(|()| self.out.flush())
    }

    /// Keeps the order, wherever the two go: what comes beside the answer stands after it. An error comes back
    /// with the next flush of the answer.
    fn flush_out_quietly(&mut self) {
        if self.failed.is_none() {
            self.failed = self.flush_out().err();
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.still();
        let _ = self.flush();
    }
}

/// Standard output, also where whoever started this process made it non-blocking.
struct Standard;

impl Write for Standard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut stdout = io::stdout().lock();
        loop {
            match stdout.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => wait_for_room(&stdout)?,
                other => return other,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        loop {
            match stdout.flush() {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => wait_for_room(&stdout)?,
                other => return other,
            }
        }
    }
}

fn wait_for_room(output: &impl AsFd) -> io::Result<()> {
    poll(&mut [PollFd::new(output, PollFlags::OUT)], None)?;
    Ok(())
}

#[cfg(test)]
mod tests;
