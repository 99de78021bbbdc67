//! From Markdown to the few blocks a guide is made of. Both renderings start here, so neither knows more than the
//! other.

use pulldown_cmark::{Event, Options, Parser, Tag};

/// A part of a guide.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Block {
    /// A heading and its level, 1 for the title.
    Heading(usize, Spans),
    /// A paragraph.
    Paragraph(Spans),
    /// Lines that stay as they are.
    Code(String),
    /// Items; numbered from the first number, if there is one.
    List(Option<u64>, Vec<Vec<Block>>),
    /// Rows of cells under a row of headings.
    Table {
        /// The headings.
        head: Vec<Spans>,
        /// The rows.
        rows: Vec<Vec<Spans>>,
    },
}

/// Text in one style.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) text: String,
    pub(super) style: Style,
}

/// How a piece of text stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// It does not.
    Plain,
    /// It matters.
    Strong,
    /// It is meant.
    Emphasis,
    /// It is typed, or a program says it.
    Code,
}

/// A run of text.
pub(super) type Spans = Vec<Span>;

/// Reads Markdown. What a guide never uses comes through as its text.
pub(super) fn blocks(markdown: &str) -> Vec<Block> {
    sequence(&mut Parser::new_ext(markdown, Options::ENABLE_TABLES))
}

/// Blocks up to the end of what holds them. Text that stands there without a paragraph, as in the items of a tight
/// list, is one.
fn sequence(events: &mut Parser<'_>) -> Vec<Block> {
    let mut found = Vec::new();
    let mut loose = Spans::new();
    while let Some(event) = events.next() {
        let block = match event {
            Event::End(_) => break,
            Event::Start(Tag::Heading { level, .. }) => {
                Block::Heading(level as usize, spans(events, Style::Plain))
            }
            Event::Start(Tag::Paragraph) => Block::Paragraph(spans(events, Style::Plain)),
            Event::Start(Tag::CodeBlock(_)) => Block::Code(plain(&spans(events, Style::Code))),
            Event::Start(Tag::List(first)) => Block::List(first, each(events, sequence)),
            Event::Start(Tag::Table(_)) => table(events),
            inline => {
                span(inline, events, Style::Plain, &mut loose);
                continue;
            }
        };
        paragraph(&mut loose, &mut found);
        found.push(block);
    }
    paragraph(&mut loose, &mut found);
    found
}

fn paragraph(loose: &mut Spans, found: &mut Vec<Block>) {
    if !loose.is_empty() {
        found.push(Block::Paragraph(std::mem::take(loose)));
    }
}

fn table(events: &mut Parser<'_>) -> Block {
    let cells = |events: &mut Parser<'_>| each(events, |events| spans(events, Style::Plain));
    let mut rows = each(events, cells);
    let head = match rows.is_empty() {
        true => Vec::new(),
        false => rows.remove(0),
    };
    Block::Table { head, rows }
}

/// Reads one child after the other up to the end of their parent.
fn each<T>(events: &mut Parser<'_>, mut read: impl FnMut(&mut Parser<'_>) -> T) -> Vec<T> {
    let mut found = Vec::new();
    while let Some(Event::Start(_)) = events.next() {
        found.push(read(events));
    }
    found
}

/// Text up to the end of what holds it.
fn spans(events: &mut Parser<'_>, style: Style) -> Spans {
    let mut found = Spans::new();
    while let Some(event) = events.next() {
        if matches!(event, Event::End(_)) {
            break;
        }
        span(event, events, style, &mut found);
    }
    found
}

fn span(event: Event<'_>, events: &mut Parser<'_>, style: Style, found: &mut Spans) {
    let (text, style) = match event {
        Event::Text(text) => (text.into_string(), style),
        Event::Code(text) => (text.into_string(), Style::Code),
        Event::SoftBreak | Event::HardBreak => (" ".to_owned(), Style::Plain),
        Event::Start(tag) => {
            let inner = match tag {
                Tag::Strong => Style::Strong,
                Tag::Emphasis => Style::Emphasis,
                _ => style,
            };
            found.extend(spans(events, inner));
            return;
        }
        _ => return,
    };
    found.push(Span { text, style });
}

/// The text alone.
pub(super) fn plain(spans: &[Span]) -> String {
    spans.iter().map(|span| span.text.as_str()).collect()
}
