//! A guide for a person to read: filled lines, aligned columns, and a little style where there is colour. Nothing
//! is ever cut: what is too long for a line has one of its own.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use super::blocks::{Block, Span, Style, plain};
use crate::ui::{Paint, style};

/// Between two columns.
const GAP: usize = 2;
/// No column is made narrower than this to let another one in.
const NARROW: usize = 12;

/// Something without a space in it, and how wide it is on a screen.
struct Word {
    painted: String,
    width: usize,
}

/// What both renderings of a block need.
struct Pen {
    width: usize,
    paint: Paint,
}

/// The whole guide.
pub(super) fn render(blocks: &[Block], width: usize, paint: Paint) -> String {
    let mut text = String::new();
    Pen { width, paint }.blocks(blocks, 0, &mut text);
    text
}

impl Pen {
    fn blocks(&self, blocks: &[Block], indent: usize, text: &mut String) {
        for (at, block) in blocks.iter().enumerate() {
            if at > 0 {
                text.push('\n');
            }
            self.block(block, indent, text);
        }
    }

    fn block(&self, block: &Block, indent: usize, text: &mut String) {
        match block {
            Block::Heading(level, spans) => {
                let heading = self.paint.with(style::BOLD, &plain(spans));
                // Without colour the levels are told apart by their marks.
                let marks = match self.paint.on {
                    true => String::new(),
                    false => format!("{} ", "#".repeat(*level)),
                };
                let _ = writeln!(text, "{marks}{heading}");
            }
            Block::Paragraph(spans) => self.filled(spans, indent, text),
            Block::Code(code) => {
                for line in code.lines() {
                    let line = self.paint.with(style::DIM, line);
                    push(text, indent + 4, &line);
                }
            }
            Block::List(first, items) => {
                for (at, item) in (0..).zip(items) {
                    let mark = first.map_or("* ".to_owned(), |first| format!("{}. ", first + at));
                    let mut inner = String::new();
                    self.blocks(item, indent + mark.len(), &mut inner);
                    let _ = write!(text, "{:indent$}{mark}{}", "", inner.trim_start());
                }
            }
            Block::Table { head, rows } => self.table(head, rows, indent, text),
        }
    }

    fn filled(&self, spans: &[Span], indent: usize, text: &mut String) {
        for line in fill(&self.words(spans), self.width.saturating_sub(indent)) {
            push(text, indent, &line.painted);
        }
    }

    /// Aligned where the columns have room, else each row as a line with the rest of it below.
    fn table(&self, head: &[Vec<Span>], rows: &[Vec<Vec<Span>>], indent: usize, text: &mut String) {
        let bold = |spans: &Vec<Span>| {
            let all = [Span {
                text: plain(spans),
                style: Style::Strong,
            }];
            self.words(&all)
        };
        let mut grid: Vec<Vec<Vec<Word>>> = vec![head.iter().map(bold).collect()];
        grid.extend(
            rows.iter()
                .map(|row| row.iter().map(|cell| self.words(cell)).collect()),
        );
        match columns(&grid, self.width.saturating_sub(indent)) {
            Some(widths) => grid
                .iter()
                .for_each(|row| aligned(row, &widths, indent, text)),
            None => {
                for row in &grid {
                    for (at, cell) in row.iter().enumerate() {
                        let indent = indent + if at == 0 { 0 } else { 4 };
                        for line in fill(cell, self.width.saturating_sub(indent)) {
                            push(text, indent, &line.painted);
                        }
                    }
                }
            }
        }
    }

    fn words(&self, spans: &[Span]) -> Vec<Word> {
        let mut words = Vec::new();
        let mut word = None::<Word>;
        for span in spans {
            let (shown, style) = match span.style {
                Style::Code if self.paint.on => (span.text.clone(), style::DIM),
                Style::Code => (format!("`{}`", span.text), style::DIM),
                Style::Strong | Style::Emphasis => (span.text.clone(), style::BOLD),
                Style::Plain => (span.text.clone(), anstyle::Style::new()),
            };
            for (at, piece) in shown.split([' ', '\n']).enumerate() {
                if at > 0 {
                    words.extend(word.take());
                }
                if piece.is_empty() {
                    continue;
                }
                let painted = match span.style {
                    Style::Plain => piece.to_owned(),
                    _ => self.paint.with(style, piece),
                };
                let word = word.get_or_insert(Word {
                    painted: String::new(),
                    width: 0,
                });
                word.painted.push_str(&painted);
                word.width += piece.width();
            }
        }
        words.extend(word);
        words
    }
}

/// Words in lines that are no wider than that, where the words allow it.
fn fill(words: &[Word], width: usize) -> Vec<Word> {
    let mut lines: Vec<Word> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.width + 1 + word.width <= width => {
                line.painted.push(' ');
                line.painted.push_str(&word.painted);
                line.width += 1 + word.width;
            }
            _ => lines.push(Word {
                painted: word.painted.clone(),
                width: word.width,
            }),
        }
    }
    lines
}

/// How wide each column is: as wide as its cells, or narrower so that all of them fit; none where they cannot.
fn columns(grid: &[Vec<Vec<Word>>], width: usize) -> Option<Vec<usize>> {
    let count = grid.iter().map(Vec::len).max().unwrap_or(0);
    let over = |measure: &dyn Fn(&[Word]) -> usize| -> Vec<usize> {
        (0..count)
            .map(|at| {
                let cells = grid.iter().filter_map(|row| row.get(at));
                cells.map(|cell| measure(cell)).max().unwrap_or(0)
            })
            .collect()
    };
    let mut widths = over(&|cell| {
        let words: usize = cell.iter().map(|word| word.width).sum();
        words + cell.len().saturating_sub(1)
    });
    let longest = over(&|cell| cell.iter().map(|word| word.width).max().unwrap_or(0));
    let room = width.checked_sub(GAP * count.saturating_sub(1))?;
    while widths.iter().sum::<usize>() > room {
        let widest = (0..count)
            .filter(|at| widths[*at] > longest[*at].max(NARROW))
            .max_by_key(|at| widths[*at])?;
        widths[widest] -= 1;
    }
    Some(widths)
}

fn aligned(row: &[Vec<Word>], widths: &[usize], indent: usize, text: &mut String) {
    let cells: Vec<Vec<Word>> = row
        .iter()
        .zip(widths)
        .map(|(cell, width)| fill(cell, *width))
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..height {
        let mut line = String::new();
        // Spaces are owed until something follows them.
        let mut owed = 0;
        for (cell, width) in cells.iter().zip(widths) {
            let shown = cell.get(at);
            if let Some(shown) = shown {
                let _ = write!(line, "{:owed$}{}", "", shown.painted);
                owed = 0;
            }
            owed += width + GAP - shown.map_or(0, |shown| shown.width.min(*width));
        }
        push(text, indent, &line);
    }
}

fn push(text: &mut String, indent: usize, line: &str) {
    if line.is_empty() {
        text.push('\n');
    } else {
        let _ = writeln!(text, "{:indent$}{line}", "");
    }
}
