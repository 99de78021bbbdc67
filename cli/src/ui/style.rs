//! The few styles there are. A style that is off leaves the text alone.

use anstyle::{AnsiColor, Style};

/// What is not the answer: thoughts, stages, hints.
pub(crate) const DIM: Style = Style::new().dimmed();
/// What is to be seen first.
pub(crate) const BOLD: Style = Style::new().bold();
/// What went well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What did not.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// What needs a look.
pub(crate) const CARE: Style = AnsiColor::Yellow.on_default();
/// What can be picked or typed.
pub(crate) const PICK: Style = AnsiColor::Cyan.on_default();

/// Paints texts, or does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Paint {
    /// Whether there is colour.
    pub(crate) on: bool,
}

impl Paint {
    /// The text in that style.
    pub(crate) fn with(self, style: Style, text: &str) -> String {
        if self.on && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}
