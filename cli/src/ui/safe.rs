//! Text that an agent wrote, made harmless for a terminal: it may hold anything, a terminal obeys a lot.

use unicode_width::UnicodeWidthChar;

/// Drops escape sequences and control characters from a text that comes in pieces; newlines and tabs stay.
/// A sequence that is cut between two pieces is dropped as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// After ESC.
    Escape,
    /// After ESC and an intermediate: one more byte ends it.
    Final,
    /// In a control sequence, until a letter.
    Control,
    /// In a string to the terminal (title, clipboard, link), until BEL or ST.
    Message,
    /// The same, after an ESC that may begin its end.
    MessageEscape,
}

impl Filter {
    /// Appends what is harmless of `piece` to `out`.
    pub(crate) fn push(&mut self, piece: &str, out: &mut String) {
        if self.state == State::Text && !piece.chars().any(is_odd) {
            out.push_str(piece);
            return;
        }
        for c in piece.chars() {
            self.state = match (self.state, c) {
                (State::Message, '\u{7}' | '\u{9c}') => State::Text,
                (State::Message, '\u{1b}') => State::MessageEscape,
                (State::Message, '\n') | (State::Escape | State::Control | State::Final, '\n') => {
                    // No sequence goes over a line: a lone ESC must not swallow the rest.
                    out.push('\n');
                    State::Text
                }
                (State::Message, _) => State::Message,
                (State::MessageEscape, '\\') => State::Text,
                (State::MessageEscape, '\u{1b}') => State::MessageEscape,
                (State::MessageEscape, _) => State::Message,
                (_, '\u{1b}') => State::Escape,
                (_, '\u{9b}') => State::Control,
                (_, '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}') => State::Message,
                (State::Escape, '[') => State::Control,
                (State::Escape, ']' | 'P' | 'X' | '^' | '_') => State::Message,
                (State::Escape, ' '..='/') => State::Final,
                (State::Escape | State::Final, _) => State::Text,
                (State::Control, '@'..='~') => State::Text,
                (State::Control, _) => State::Control,
                (State::Text, c) => {
                    if !is_odd(c) {
                        out.push(c);
                    }
                    State::Text
                }
            };
        }
    }
}

/// A whole text without what a terminal would obey.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    Filter::default().push(text, &mut out);
    out
}

/// One line of a text: white space and line breaks become single spaces, what is invisible or turns the
/// reading order around is written out, so that nobody approves something else than what is read.
pub(crate) fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in self::text(text).split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        spell_out(word, &mut out);
    }
    out
}

/// Several lines of a text, with what is invisible written out.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let text = self::text(text);
    let spelled = text.lines().map(|line| {
        let mut out = String::with_capacity(line.len());
        spell_out(&line.replace('\t', "    "), &mut out);
        out
    });
    spelled.collect()
}

/// The first `width` columns of a line, with an ellipsis when there is more.
pub(crate) fn cut(line: &str, width: usize) -> String {
    let mut used = 0;
    let mut out = String::new();
    let fits = line.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>() <= width;
    if fits {
        return line.to_owned();
    }
    for c in line.chars() {
        let next = c.width().unwrap_or(0);
        if used + next + 1 > width {
            break;
        }
        used += next;
        out.push(c);
    }
    out.push('…');
    out
}

fn spell_out(text: &str, out: &mut String) {
    for c in text.chars() {
        if is_invisible(c) {
            out.push_str(&format!("<U+{:04X}>", u32::from(c)));
        } else {
            out.push(c);
        }
    }
}

/// A character that a terminal acts on instead of showing it.
fn is_odd(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
}

/// A character that shows nothing, or moves what others show.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200c}' | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sequences_are_dropped_whole() {
        for (given, expect) in [
            ("plain ä 漢 🎉\n\tnext", "plain ä 漢 🎉\n\tnext"),
            ("a\u{1b}[31mred\u{1b}[0m", "ared"),
            ("a\u{1b}[2J\u{1b}[1;1Hb", "ab"),
            ("a\u{1b}]0;title\u{7}b", "ab"),
            (
                "a\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\b",
                "alinkb",
            ),
            ("a\u{1b}]52;c;AAAA\u{9c}b", "ab"),
            ("a\u{1b}Pq#0\u{1b}\\b", "ab"),
            ("a\u{1b}(0b", "ab"),
            ("a\u{1b}cb", "ab"),
            ("a\u{9b}31mb", "ab"),
            ("a\rb\u{8}\u{7}\0c", "abc"),
            ("a\r\nb", "a\nb"),
            ("a\u{1b}[\nb", "a\nb"),
            ("a\u{1b}]0;never\nb", "a\nb"),
            ("a\u{1b}", "a"),
        ] {
            assert_eq!(text(given), expect, "{given:?}");
        }
    }

    #[test]
    fn a_sequence_that_is_cut_is_dropped_too() {
        let whole = "a\u{1b}]0;title\u{1b}\\b\u{1b}[1;31mc";
        for at in (0..=whole.len()).filter(|at| whole.is_char_boundary(*at)) {
            let (mut filter, mut out) = (Filter::default(), String::new());
            filter.push(&whole[..at], &mut out);
            filter.push(&whole[at..], &mut out);
            assert_eq!(out, "abc", "cut at {at}");
        }
    }

    #[test]
    fn a_title_is_one_line_and_hides_nothing() {
        assert_eq!(line("rm -rf\n\t x\u{1b}[8m hidden"), "rm -rf x hidden");
        assert_eq!(line("ls \u{202e}fr- mr"), "ls <U+202E>fr- mr");
        assert_eq!(line("a\u{200b}b"), "a<U+200B>b");
        assert_eq!(line("👩\u{200d}💻"), "👩\u{200d}💻");
        assert_eq!(lines("a\tb\r\nc\n"), ["a    b", "c"]);
    }

    #[test]
    fn a_line_is_cut_by_columns() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("漢字漢", 5), "漢字…");
        assert_eq!(cut("漢字漢", 4), "漢…");
    }

    proptest! {
        #[test]
        fn nothing_that_a_terminal_obeys_is_left(given in "\\PC{0,20}[\\x00-\\x1f\\x7f-\\xa0]{0,8}\\PC{0,20}[\\x1b\\]\\[P;0-9a-z\\x07\\x9c]{0,20}") {
            prop_assert!(!text(&given).chars().any(is_odd));
            prop_assert!(!line(&given).chars().any(|c| c.is_control() || is_invisible(c)));
        }

        #[test]
        fn what_is_harmless_stays(given in "[ -~\\n\\täöü漢🎉]{0,60}") {
            prop_assert_eq!(text(&given), given);
        }
    }
}
