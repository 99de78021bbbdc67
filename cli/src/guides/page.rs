//! A guide as a manual page of section 7.

use ::roff::{Inline, Roff, bold, italic, roman};

use super::blocks::{Block, Span, Style, plain};

/// A first column as wide as this stands beside its row; a wider one above it.
const TAG: usize = 24;

/// The page. The guide's own title is left out: the page has one.
pub(super) fn render(title: &str, summary: &str, blocks: &[Block]) -> String {
    let mut page = Roff::new();
    // A date would make each build another one; the space keeps its place.
    page.control("TH", [title, "7", " ", "fountain", "Guides"])
        // Names of keys and tests are long: lines are neither stretched nor broken inside a word.
        .control("ad", ["l"])
        .control("nh", [])
        .control("SH", ["NAME"])
        .text([roman(format!("{title} - {summary}"))])
        .control("SH", ["DESCRIPTION"]);
    for block in blocks {
        put(block, &mut page);
    }
    page.control("SH", ["SEE ALSO"])
        .text([roman("fountain(1)")]);
    page.render()
}

fn put(block: &Block, page: &mut Roff) {
    match block {
        Block::Heading(1, _) => {}
        Block::Heading(2, spans) => {
            page.control("SH", [plain(spans).as_str()]);
        }
        Block::Heading(_, spans) => {
            page.control("SS", [plain(spans).as_str()]);
        }
        Block::Paragraph(spans) => {
            page.control("PP", []).text(inlines(spans));
        }
        Block::Code(code) => {
            page.control("PP", []).control("RS", ["4"]);
            page.control("nf", []);
            for line in code.lines() {
                page.text([roman(line)]);
            }
            page.control("fi", []).control("RE", []);
        }
        Block::List(first, items) => {
            for (at, item) in (0..).zip(items) {
                match first {
                    Some(first) => page.control("IP", [format!("{}.", first + at).as_str(), "4"]),
                    None => page.control("IP", ["\\(bu", "2"]),
                };
                item_of(item, page);
            }
        }
        Block::Table { rows, .. } => {
            let wide =
                |row: &Vec<Vec<Span>>| row.first().is_some_and(|cell| plain(cell).len() > TAG);
            let wide = rows.iter().any(wide);
            for row in rows {
                let Some((first, rest)) = row.split_first() else {
                    continue;
                };
                if wide {
                    page.control("PP", []).text(inlines(first));
                    page.control("RS", ["4"]);
                } else {
                    page.control("TP", []).text(inlines(first));
                }
                for cell in rest {
                    page.text(inlines(cell));
                }
                if wide {
                    page.control("RE", []);
                }
            }
        }
    }
}

/// The text of an item stands beside its mark, what else it has below.
fn item_of(item: &[Block], page: &mut Roff) {
    let rest = match item {
        [Block::Paragraph(spans), rest @ ..] => {
            page.text(inlines(spans));
            rest
        }
        all => all,
    };
    if !rest.is_empty() {
        page.control("RS", ["4"]);
        rest.iter().for_each(|block| put(block, page));
        page.control("RE", []);
    }
}

fn inlines(spans: &[Span]) -> Vec<Inline> {
    let inline = |span: &Span| match span.style {
        Style::Plain => roman(&span.text),
        Style::Emphasis => italic(&span.text),
        Style::Strong | Style::Code => bold(&span.text),
    };
    spans.iter().map(inline).collect()
}
