//! The only printing: data on standard output, everything else on standard error.

pub(crate) mod keyboard;
pub(crate) mod safe;
mod screen;
pub(crate) mod style;
mod table;
pub(crate) mod transcript;
pub(crate) mod when;

use std::io::{self, BufRead as _, IsTerminal as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::failure::{Failure, Kind};

pub(crate) use screen::{Outputs, Screen};
pub(crate) use style::Paint;
pub(crate) use table::Table;

/// When there is colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` says otherwise.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How a process talks to whoever started it.
pub(crate) struct Ui {
    /// Only the result, warnings, questions and errors.
    pub(crate) quiet: bool,
    /// How much more is told.
    pub(crate) verbose: u8,
    /// Colour on standard error.
    pub(crate) paint: Paint,
    /// Colour on standard output.
    out_paint: Paint,
    /// Whether a person sits there to be asked.
    asks: bool,
    outputs: Outputs,
    screen: Mutex<Screen>,
}

impl Color {
    /// Makes this the choice of the whole process, the help texts included.
    pub(crate) fn choose(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

impl Ui {
    /// For a command: both outputs.
    pub(crate) fn new(quiet: bool, verbose: u8) -> Self {
        let out_terminal = io::stdout().is_terminal();
        let err_terminal = io::stderr().is_terminal();
        let asks = io::stdin().is_terminal() && err_terminal;
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let outputs = Outputs {
            out_terminal,
            err_terminal,
            one: is_one(&io::stdout(), &io::stderr()),
            spinner: asks && !quiet && !dumb,
        };
        Self {
            quiet,
            verbose,
            paint: Paint {
                on: colored(anstream::AutoStream::choice(&io::stderr())),
            },
            out_paint: Paint {
                on: colored(anstream::AutoStream::choice(&io::stdout())),
            },
            asks,
            outputs,
            screen: Mutex::new(Screen::standard(outputs)),
        }
    }

    /// For a process whose standard output belongs to a protocol: nothing is ever written there, and nobody is
    /// asked.
    pub(crate) fn protocol(quiet: bool, verbose: u8) -> Self {
        let outputs = Outputs {
            err_terminal: io::stderr().is_terminal(),
            ..Outputs::default()
        };
        let screen = Screen::new(outputs, Box::new(io::sink()), Box::new(io::stderr()));
        Self {
            asks: false,
            outputs,
            screen: Mutex::new(screen),
            ..Self::new(quiet, verbose)
        }
    }

    /// For a test, on a screen of its own.
    #[cfg(test)]
    pub(crate) fn for_test(screen: Screen) -> Self {
        let outputs = Outputs::default();
        let paint = Paint::default();
        Self {
            quiet: false,
            verbose: 0,
            paint,
            out_paint: paint,
            asks: false,
            outputs,
            screen: Mutex::new(screen),
        }
    }

    /// Whether a person sits there to be asked.
    pub(crate) fn asks(&self) -> bool {
        self.asks
    }

    /// Whether the result goes to a terminal.
    pub(crate) fn shows(&self) -> bool {
        self.outputs.out_terminal
    }

    /// Colour on standard output.
    pub(crate) fn out_paint(&self) -> Paint {
        self.out_paint
    }

    /// The two outputs, for a transcript.
    pub(crate) fn screen(&self) -> MutexGuard<'_, Screen> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The width of the terminal that shows the result; none where there is none.
    pub(crate) fn width(&self) -> Option<usize> {
        self.outputs.out_terminal.then(|| columns(&io::stdout()))
    }

    /// The width of the terminal beside the result, or what people expect.
    pub(crate) fn side_width(&self) -> usize {
        match self.outputs.err_terminal {
            true => columns(&io::stderr()),
            false => usize::MAX,
        }
    }

    /// A result, with a newline after it. On a terminal it is made harmless.
    pub(crate) fn data(&self, text: &str) -> Result<(), Failure> {
        let mut screen = self.screen();
        let text = text.strip_suffix('\n').unwrap_or(text);
        screen
            .text(text)
            .and_then(|()| screen.text("\n"))
            .map_err(output)?;
        screen.flush().map_err(output)
    }

    /// Bytes that are a result as they are.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.screen().bytes(bytes).map_err(output)
    }

    /// One JSON document.
    pub(crate) fn json(&self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value).map_err(|error| {
            Failure::failed(format!("the answer cannot be written as JSON: {error}"))
        })?;
        self.data(&text)
    }

    /// One line of JSON among several.
    pub(crate) fn json_line(&self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|error| {
            Failure::failed(format!("the answer cannot be written as JSON: {error}"))
        })?;
        self.data(&text)
    }

    /// Rows for people; `none` is said on the side when there are no rows.
    pub(crate) fn table(&self, table: Table, none: &str) -> Result<(), Failure> {
        if table.is_empty() {
            self.status(none);
            return Ok(());
        }
        self.data(&table.render(self.width()))
    }

    /// Names and values of one thing, a line each; what has no value is left out.
    pub(crate) fn facts(&self, facts: &[(&str, Option<String>)]) -> Result<(), Failure> {
        let told = || {
            facts
                .iter()
                .filter_map(|(name, value)| Some((*name, value.as_deref()?)))
        };
        let wide = told().map(|(name, _)| name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for (name, value) in told() {
            let name = self.out_paint.with(style::DIM, &format!("{name:wide$}"));
            text.push_str(&format!("{name}  {}\n", safe::line(value)));
        }
        self.painted(&text)
    }

    /// What happened, in one line; not when quiet.
    pub(crate) fn status(&self, text: &str) {
        if !self.quiet {
            self.side(text);
        }
    }

    /// The same, less loud.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            let mut screen = self.screen();
            screen.line(&self.paint.with(style::DIM, &safe::text(text)));
            let _ = screen.flush();
        }
    }

    /// A line beside the result that is told also when quiet.
    pub(crate) fn side(&self, text: &str) {
        let mut screen = self.screen();
        screen.line(&safe::text(text));
        let _ = screen.flush();
    }

    /// Lines about a question, painted already; told also when quiet.
    pub(crate) fn lines(&self, painted: &[String]) {
        let mut screen = self.screen();
        painted.iter().for_each(|line| screen.line(line));
        let _ = screen.flush();
    }

    /// A question whose line stays open for a key; told also when quiet.
    pub(crate) fn ask(&self, painted: &str) {
        let mut screen = self.screen();
        screen.ask(painted);
        let _ = screen.flush();
    }

    /// The key that was pressed, on the line that asked for it: the terminal does not show it by itself.
    pub(crate) fn echo(&self, key: char) {
        let mut screen = self.screen();
        if screen.asks() && key.is_ascii_graphic() {
            screen.aside(&key.to_string(), false);
            let _ = screen.flush();
        }
    }

    /// What is told with `-v`.
    pub(crate) fn verbose(&self, text: &str) {
        if self.verbose > 0 {
            self.side(text);
        }
    }

    /// Something that may be wrong.
    pub(crate) fn warning(&self, text: &str) {
        self.labelled(style::CARE, "warning:", text);
    }

    /// What could be done.
    pub(crate) fn hint(&self, text: &str) {
        self.labelled(style::PICK, "hint:", text);
    }

    /// Why the command failed. Says nothing about an end that was told already.
    pub(crate) fn failure(&self, failure: &Failure) {
        if failure.kind == Kind::Closed {
            return;
        }
        // One line says what happened; what else is known of it stands below.
        let mut lines = failure.message.lines();
        if let Some(first) = lines.next() {
            self.labelled(style::BAD, "error:", first);
        }
        lines.for_each(|line| self.side(&format!("  {}", line.trim_end())));
        failure.hints.iter().for_each(|hint| self.hint(hint));
    }

    /// Asks for a yes; anything else is a no. Only on a terminal.
    pub(crate) fn confirm(&self, question: &str) -> Result<bool, Failure> {
        let answer = self.line(&format!("{question} [y/N] "))?;
        Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    /// Refuses to remove something where nobody can be asked and nobody said `--yes`.
    pub(crate) fn may_remove(&self, yes: bool) -> Result<(), Failure> {
        if yes || self.asks() {
            return Ok(());
        }
        Err(Failure::usage(
            "without a terminal to ask at, --yes is needed to remove something",
        ))
    }

    /// Asks whether something is to be removed, unless somebody said `--yes`; fails when it is not.
    pub(crate) fn removes(&self, yes: bool, question: &str) -> Result<(), Failure> {
        if yes || self.confirm(question)? {
            return Ok(());
        }
        self.status("nothing was removed");
        Err(Failure::silent(Kind::Failed))
    }

    /// Asks for one line.
    pub(crate) fn line(&self, question: &str) -> Result<String, Failure> {
        {
            let mut screen = self.screen();
            screen.aside(&safe::text(question), true);
            let _ = screen.flush();
        }
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(0) => {
                self.side("");
                Err(Failure::usage("nothing was answered"))
            }
            Ok(_) => Ok(line.trim_end_matches(['\n', '\r']).to_owned()),
            Err(error) => Err(Failure::failed(format!(
                "cannot read from the terminal: {error}"
            ))),
        }
    }

    /// Asks for something that is not shown while it is typed.
    pub(crate) fn secret(&self, question: &str) -> Result<String, Failure> {
        let _ = self.screen().flush();
        dialoguer::Password::new()
            .with_prompt(question)
            .allow_empty_password(true)
            .report(false)
            .interact()
            .map_err(|error| Failure::failed(format!("cannot read from the terminal: {error}")))
    }

    fn labelled(&self, style: anstyle::Style, label: &str, text: &str) {
        let label = self.paint.with(style, label);
        let mut screen = self.screen();
        screen.line(&format!("{label} {}", safe::line(text)));
        let _ = screen.flush();
    }

    /// A result that holds styles of our own and nothing harmful.
    pub(crate) fn painted(&self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }
}

/// What a failed write of the result means.
pub(crate) fn output(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::silent(Kind::Closed),
        _ => Failure::failed(format!("cannot write to standard output: {error}")),
    }
}

fn colored(choice: anstream::ColorChoice) -> bool {
    !matches!(choice, anstream::ColorChoice::Never)
}

/// Whether both are one file, one pipe or one socket.
fn is_one(out: &impl std::os::fd::AsFd, err: &impl std::os::fd::AsFd) -> bool {
    let of = |output| rustix::fs::fstat(output).map(|stat| (stat.st_dev, stat.st_ino));
    let (out, err) = (of(out.as_fd()), of(err.as_fd()));
    out.is_ok() && out == err
}

fn columns(terminal: &impl std::os::fd::AsFd) -> usize {
    let size = rustix::termios::tcgetwinsize(terminal);
    size.map_or(80, |size| {
        if size.ws_col == 0 {
            80
        } else {
            usize::from(size.ws_col)
        }
    })
}
