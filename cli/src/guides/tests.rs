//! What is promised of the guides, as tests.

use std::collections::BTreeSet;

use clap::Parser as _;
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::blocks::{Block, Style, blocks};
use super::*;

const EXAMPLE: &str = "\
# Title

Some `code` and **weight**,
over two lines.

## Part

* one
* two with `more words`

So:

    typed  as it is
    .dot

1. first

| a | b |
|---|---|
| `x` | one two three four five six |
| `y`, z | 7 |
";

fn plain(width: usize) -> String {
    text::render(&blocks(EXAMPLE), width, Paint { on: false })
}

#[test]
fn in_a_pipe_it_reads_as_text() {
    let expect = "\
# Title

Some `code` and weight, over two lines.

## Part

* one
* two with `more words`

So:

    typed  as it is
    .dot

1. first

a       b
`x`     one two three four five six
`y`, z  7
";
    assert_eq!(plain(80), expect);
}

#[test]
fn columns_shrink_and_then_rows_are_stacked() {
    let table = |width: usize| {
        let text = plain(width);
        let at = text.find("a  ").or_else(|| text.find("a\n")).unwrap();
        text[at..].to_owned()
    };
    assert_eq!(
        table(26),
        "a       b\n`x`     one two three four\n        five six\n`y`, z  7\n"
    );
    let long = "| a | b |\n|---|---|\n| some words | a/word/that/is/wider/than/the/line |\n";
    assert_eq!(
        text::render(&blocks(long), 20, Paint { on: false }),
        "a\n    b\nsome words\n    a/word/that/is/wider/than/the/line\n"
    );
}

#[test]
fn on_a_terminal_style_takes_the_place_of_marks() {
    let shown = text::render(&blocks(EXAMPLE), 80, Paint { on: true });
    assert!(shown.contains("\u{1b}[1mPart\u{1b}[0m\n"), "{shown:?}");
    assert!(shown.contains("\u{1b}[2mcode\u{1b}[0m"), "{shown:?}");
    assert!(!shown.contains('`') && !shown.contains('#'), "{shown:?}");
    // Style has no width: without it the lines are the same, but for the marks.
    let bare: String = anstream::adapter::strip_str(&shown).to_string();
    let unmarked = plain(80).replace(['`', '#'], "");
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(words(&bare), words(&unmarked));
}

#[test]
fn a_page_has_its_sections_and_nothing_reads_as_a_request_of_roff() {
    let page = page::render("fountain-title", "what it is", &blocks(EXAMPLE));
    let expect = r#".TH fountain-title 7 " " fountain Guides
.ad l
.nh
.SH NAME
fountain\-title \- what it is
.SH DESCRIPTION
.PP
Some \fBcode\fR and \fBweight\fR, over two lines.
.SH Part
.IP \(bu 2
one
.IP \(bu 2
two with \fBmore words\fR
.PP
So:
.PP
.RS 4
.nf
typed  as it is
\&.dot
.fi
.RE
.IP 1. 4
first
.TP
\fBx\fR
one two three four five six
.TP
\fBy\fR, z
7
.SH "SEE ALSO"
fountain(1)
"#;
    let (_, shown) = page.split_once(".TH ").unwrap();
    assert_eq!(format!(".TH {shown}"), expect);
}

#[test]
fn no_line_is_wider_than_asked_unless_a_word_is() {
    for guide in &GUIDES {
        for width in [40, 80, 100] {
            for line in guide.text(width, Paint { on: false }).lines() {
                let words = line.split_whitespace().count();
                let code = line.starts_with("    ");
                assert!(
                    line.chars().count() <= width || words == 1 || code,
                    "{}, {width}: {line}",
                    guide.name
                );
            }
        }
    }
}

#[test]
fn a_guide_uses_only_what_both_renderings_know() {
    for guide in &GUIDES {
        // Not every man knows other letters.
        assert!(guide.markdown.is_ascii(), "{}", guide.name);
        for event in Parser::new_ext(guide.markdown, Options::ENABLE_TABLES) {
            let known = match &event {
                Event::Start(tag) => matches!(
                    tag,
                    Tag::Heading { .. }
                        | Tag::Paragraph
                        | Tag::CodeBlock(_)
                        | Tag::List(_)
                        | Tag::Item
                        | Tag::Table(_)
                        | Tag::TableHead
                        | Tag::TableRow
                        | Tag::TableCell
                        | Tag::Strong
                        | Tag::Emphasis
                ),
                Event::End(_) | Event::Text(_) | Event::Code(_) | Event::SoftBreak => true,
                _ => false,
            };
            assert!(known, "{}: {event:?}", guide.name);
        }
        let (mut titles, mut names) = (0, BTreeSet::new());
        for block in blocks(guide.markdown) {
            match block {
                Block::Heading(level, spans) => {
                    titles += usize::from(level == 1);
                    let heading = blocks::plain(&spans);
                    // Such a heading would be an argument of a request that cannot hold it.
                    assert!(
                        !heading.contains(['\\', '\n'])
                            && spans.iter().all(|span| span.style == Style::Plain),
                        "{heading}"
                    );
                    assert!(level <= 3 && names.insert(heading));
                }
                Block::Table { head, rows } => {
                    assert_eq!(head.len(), 2, "{}: {head:?}", guide.name);
                    assert!(rows.iter().all(|row| row.len() == 2));
                }
                _ => {}
            }
        }
        assert_eq!(titles, 1, "{}", guide.name);
    }
}

#[test]
fn a_topic_is_no_command_and_is_said_once() {
    let command = crate::command();
    let names: BTreeSet<&str> = GUIDES.iter().map(|guide| guide.name).collect();
    assert_eq!(names.len(), GUIDES.len());
    for guide in &GUIDES {
        assert!(
            command.find_subcommand(guide.name).is_none(),
            "{}",
            guide.name
        );
        assert!(guide.summary.len() < 90 && !guide.summary.ends_with('.'));
        assert!(find(&guide.name.to_uppercase()).is_some());
    }
}

#[test]
fn what_a_guide_tells_to_type_can_be_typed() {
    for guide in &GUIDES {
        let shown = blocks(guide.markdown);
        let lines = shown.iter().filter_map(|block| match block {
            Block::Code(code) => Some(code.lines()),
            _ => None,
        });
        let mut seen = 0;
        for line in lines.flatten().filter(|line| line.starts_with("fountain ")) {
            let words = words(line);
            seen += 1;
            assert!(
                crate::Cli::try_parse_from(&words).is_ok(),
                "{}: {line}",
                guide.name
            );
        }
        assert!(seen > 0, "{}", guide.name);
    }
}

/// As a shell reads it, as far as a guide goes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, piece) in line.split('\'').enumerate() {
        match at % 2 {
            0 => words.extend(piece.split_whitespace().map(str::to_owned)),
            _ => words.push(piece.to_owned()),
        }
    }
    words
}
