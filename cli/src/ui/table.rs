//! Rows for people: aligned, without borders, cut to the terminal's width and never cut anywhere else.

use comfy_table::{ColumnConstraint, ContentArrangement, Row, Table as Grid, presets};

use super::safe;

/// A table in the making.
pub(crate) struct Table {
    grid: Grid,
    /// Columns whose text is never cut: somebody will copy it.
    whole: &'static [usize],
    rows: usize,
}

impl Table {
    /// A table with its headings; the columns in `whole` are never cut.
    pub(crate) fn new(headings: &[&str], whole: &'static [usize]) -> Self {
        let mut grid = Grid::new();
        grid.load_style(presets::NOTHING);
        grid.set_header(Row::from(headings.to_vec()));
        Self {
            grid,
            whole,
            rows: 0,
        }
    }

    /// Adds a row; whatever is in a cell becomes one harmless line.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        let mut row = Row::from(cells.map(|cell| safe::line(&cell)).to_vec());
        row.max_height(1);
        self.grid.add_row(row);
        self.rows += 1;
    }

    /// Whether it has no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The lines. `width` is the terminal's, none where there is no terminal.
    pub(crate) fn render(mut self, width: Option<usize>) -> String {
        if let Some(width) = width {
            self.grid
                .set_content_arrangement(ContentArrangement::Dynamic)
                .set_width(u16::try_from(width.max(20)).unwrap_or(u16::MAX));
            for at in self.whole {
                if let Some(column) = self.grid.column_mut(*at) {
                    column.set_constraint(ColumnConstraint::ContentWidth);
                }
            }
        } else {
            self.grid
                .set_content_arrangement(ContentArrangement::Disabled);
        }
        let last = self.grid.column_count().saturating_sub(1);
        for (at, column) in self.grid.column_iter_mut().enumerate() {
            column.set_padding((0, if at == last { 0 } else { 2 }));
        }
        let mut text = String::new();
        for line in self.grid.lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["ID", "TITLE", "AGE"], &[0]);
        table.row([
            "0123456789".into(),
            "A title that goes on and on\nand on".into(),
            "5m".into(),
        ]);
        table.row(["1".into(), "漢字\u{1b}[31m".into(), "2h".into()]);
        table
    }

    #[test]
    fn nothing_is_cut_off_a_terminal() {
        insta::assert_snapshot!(table().render(None), @r"
        ID          TITLE                               AGE
        0123456789  A title that goes on and on and on  5m
        1           漢字                                2h
        ");
    }

    #[test]
    fn a_terminal_gets_its_width_and_whole_ids() {
        let text = table().render(Some(36));
        insta::assert_snapshot!(text, @r"
        ID          TITLE                AGE
        0123456789  A title that goes…   5m
        1           漢字                 2h
        ");
        assert!(!table().is_empty());
    }
}
