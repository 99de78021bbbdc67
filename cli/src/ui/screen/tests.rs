//! What is promised of `screen`, as tests.

use std::sync::{Arc, Mutex};

use super::*;

/// What both outputs got, in the order it came, as `o` and `e` pieces.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<(char, String)>>>);

struct Tap(char, Seen);

impl Write for Tap {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let mut seen = self.1.0.lock().unwrap();
        match seen.last_mut() {
            Some((side, last)) if *side == self.0 => last.push_str(&text),
            _ => seen.push((self.0, text)),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seen {
    fn screen(&self, out_terminal: bool, err_terminal: bool) -> Screen {
        self.screen_of(Outputs {
            out_terminal,
            err_terminal,
            ..Outputs::default()
        })
    }

    fn screen_of(&self, outputs: Outputs) -> Screen {
        Screen::new(
            outputs,
            Box::new(Tap('o', self.clone())),
            Box::new(Tap('e', self.clone())),
        )
    }

    fn of(&self, side: char) -> String {
        self.0
            .lock()
            .unwrap()
            .iter()
            .filter(|(at, _)| *at == side)
            .map(|(_, text)| text.as_str())
            .collect()
    }

    fn together(&self) -> String {
        self.0
            .lock()
            .unwrap()
            .iter()
            .map(|(_, text)| text.as_str())
            .collect()
    }
}

fn talk(screen: &mut Screen) {
    screen.aside("thinking", false);
    screen.aside(" more", false);
    screen.text("one\u{1b}[31m two").unwrap();
    screen.line("card");
    screen.paragraph().unwrap();
    screen.text("three").unwrap();
    screen.finish().unwrap();
}

#[test]
fn on_one_terminal_nobody_breaks_a_line_of_the_other() {
    let seen = Seen::default();
    talk(&mut seen.screen(true, true));
    assert_eq!(seen.together(), "thinking more\none two\ncard\nthree\n");
}

#[test]
fn in_a_pipe_the_answer_is_exact() {
    let seen = Seen::default();
    talk(&mut seen.screen(false, true));
    assert_eq!(seen.of('o'), "one\u{1b}[31m two\n\nthree\n");
    assert_eq!(seen.of('e'), "thinking more\ncard\n");
}

#[test]
fn what_comes_first_stands_first() {
    let seen = Seen::default();
    talk(&mut seen.screen(false, false));
    assert_eq!(
        seen.together(),
        "thinking more\none\u{1b}[31m twocard\n\n\nthree\n"
    );
    let seen = Seen::default();
    talk(&mut seen.screen_of(Outputs {
        one: true,
        ..Outputs::default()
    }));
    assert_eq!(
        seen.together(),
        "thinking more\none\u{1b}[31m two\ncard\nthree\n"
    );
}

#[test]
fn chunks_are_written_together() {
    #[derive(Clone, Default)]
    struct Count(Arc<Mutex<usize>>);
    impl Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            *self.0.lock().unwrap() += 1;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (out, err) = (Count::default(), Box::new(io::sink()));
    let mut screen = Screen::new(Outputs::default(), Box::new(out.clone()), err);
    for _ in 0..100_000 {
        screen.text("chunk ").unwrap();
    }
    screen.finish().unwrap();
    let writes = *out.0.lock().unwrap();
    assert!(writes <= 100_000 * 6 / BUFFER + 2, "{writes} writes");
}

#[test]
fn a_line_that_asks_gives_way_to_what_comes() {
    let seen = Seen::default();
    let mut screen = seen.screen(true, true);
    screen.text("text").unwrap();
    screen.ask("answer: ");
    assert!(screen.asks());
    screen.ask("answer: ");
    screen.line("card");
    assert!(!screen.asks());
    screen.finish().unwrap();
    assert_eq!(seen.together(), "text\nanswer: \nanswer: \ncard\n");
}

#[test]
fn the_answer_ends_with_one_newline() {
    for (pieces, expect) in [
        (&["a\n"][..], "a\n"),
        (&["a", "\n"], "a\n"),
        (&["a"], "a\n"),
        (&[], ""),
        (&["a\n\n"], "a\n\n"),
    ] {
        let seen = Seen::default();
        let mut screen = seen.screen(false, false);
        pieces.iter().for_each(|piece| screen.text(piece).unwrap());
        screen.finish().unwrap();
        assert_eq!(seen.of('o'), expect, "{pieces:?}");
    }
}

#[test]
fn a_new_message_stands_apart() {
    for (before, expect) in [
        ("a", "a\n\nb\n"),
        ("a\n", "a\n\nb\n"),
        ("a\n\n", "a\n\nb\n"),
        ("", "b\n"),
    ] {
        let seen = Seen::default();
        let mut screen = seen.screen(false, false);
        screen.text(before).unwrap();
        screen.paragraph().unwrap();
        screen.text("b").unwrap();
        screen.finish().unwrap();
        assert_eq!(seen.of('o'), expect, "{before:?}");
    }
}

#[test]
fn a_closed_output_is_told() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut screen = Screen::new(Outputs::default(), Box::new(Closed), Box::new(io::sink()));
    for line in [false, true] {
        screen.text("x").unwrap();
        if line {
            screen.line("beside it");
        }
        assert_eq!(
            screen.flush().unwrap_err().kind(),
            io::ErrorKind::BrokenPipe
        );
    }
}
