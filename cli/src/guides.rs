//! The guides: Markdown that `fountain help TOPIC` shows and that section 7 of the manual is made of. A guide is
//! parsed when somebody asks for it; until then it is bytes in the program and costs nothing.

mod blocks;
mod page;
mod text;

use crate::ui::Paint;

/// One guide.
pub(crate) struct Guide {
    /// The topic, as it is typed.
    pub(crate) name: &'static str,
    /// What it tells, in one line.
    pub(crate) summary: &'static str,
    markdown: &'static str,
}

/// Every guide, in the order they are listed.
pub(crate) static GUIDES: [Guide; 2] = [
    Guide {
        name: "policies",
        summary: "what may run before anybody is asked, who answers, and what is kept",
        markdown: include_str!("guides/policies.md"),
    },
    Guide {
        name: "editors",
        summary: "settings for editors, what they show, and what their errors mean",
        markdown: include_str!("guides/editors.md"),
    },
];

/// The guide of that name.
pub(crate) fn find(name: &str) -> Option<&'static Guide> {
    GUIDES
        .iter()
        .find(|guide| guide.name.eq_ignore_ascii_case(name))
}

impl Guide {
    /// For a person to read, in lines of that width.
    pub(crate) fn text(&self, width: usize, paint: Paint) -> String {
        text::render(&blocks::blocks(self.markdown), width, paint)
    }

    /// The name of its manual page, without the section.
    pub(crate) fn title(&self) -> String {
        format!("fountain-{}", self.name)
    }

    /// Its manual page.
    pub(crate) fn page(&self) -> String {
        page::render(&self.title(), self.summary, &blocks::blocks(self.markdown))
    }
}

#[cfg(test)]
mod tests;
