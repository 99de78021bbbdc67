//! The tree's own source, read as text: comments and strings apart from code.

use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of the repository by its path, except what is built.
pub(super) fn files() -> Vec<String> {
    pub(super) fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name();
            if name == ".git" || name == "target" || name == "node_modules" {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), found);
            } else {
                found.push(entry.path());
            }
        }
    }
    let mut found = Vec::new();
    walk(root(), &mut found);
    let relative = |path: PathBuf| {
        path.strip_prefix(root())
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    };
    let mut found: Vec<String> = found.into_iter().map(relative).collect();
    found.sort();
    found
}

/// A file of Rust.
pub(super) struct Source {
    pub(super) path: String,
    pub(super) text: String,
    /// The text without comments and literals.
    pub(super) code: String,
}

pub(super) fn rust() -> Vec<Source> {
    let read = |path: String| {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        let code = code(&text);
        Source { path, text, code }
    };
    files()
        .into_iter()
        .filter(|path| path.ends_with(".rs"))
        .map(read)
        .collect()
}

impl Source {
    /// Lines of code with this word, as a whole word.
    pub(super) fn lines_with(&self, word: &str) -> Vec<String> {
        let lines = (1..).zip(self.code.lines());
        lines
            .filter(|(_, line)| has_word(line, word))
            .map(|(number, line)| format!("{}:{number}: {}", self.path, line.trim()))
            .collect()
    }

    /// Its module path in a package, `store::events` as two names; nothing when it is of another one.
    pub(super) fn module(&self, package: &str) -> Option<Vec<String>> {
        let path = self
            .path
            .strip_prefix(package)?
            .strip_prefix('/')?
            .strip_suffix(".rs")?;
        Some(path.split('/').map(str::to_owned).collect())
    }

    /// Every path into its own package that it names, from the root: `store::events`.
    pub(super) fn names(&self, package: &str) -> Vec<String> {
        let module = self.module(package).unwrap_or_default();
        let mut found = Vec::new();
        for (at, _) in self.code.match_indices("crate::") {
            if !self.code[..at].ends_with(is_name) && !self.code[..at].ends_with('$') {
                paths(&self.code[at + "crate::".len()..], "", &mut found);
            }
        }
        for (at, _) in self.code.match_indices("super::") {
            if self.code[..at].ends_with(is_name) || self.code[..at].ends_with("super::") {
                continue;
            }
            let mut rest = &self.code[at..];
            let mut depth = module.len();
            while let Some(more) = rest.strip_prefix("super::") {
                rest = more;
                depth = depth.saturating_sub(1);
            }
            let parent: String = module[..depth]
                .iter()
                .flat_map(|name| [name, "::"])
                .collect();
            paths(rest, &parent, &mut found);
        }
        found
    }
}

/// Reads a path, or a group of them in braces, that begins here.
pub(super) fn paths(text: &str, before: &str, found: &mut Vec<String>) {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        let mut depth = 0;
        let mut start = 0;
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    paths(&group[start..at], before, found);
                    start = at + 1;
                    if c == '}' {
                        return;
                    }
                }
                _ => {}
            }
        }
        return;
    }
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let path = format!("{before}{}", &text[..end]);
    match text[end..].strip_prefix("::") {
        Some(rest) if !rest.starts_with('<') => paths(rest, &format!("{path}::"), found),
        _ => found.push(path),
    }
}

/// Whether a path is this module or something in it.
pub(super) fn within(path: &str, module: &str) -> bool {
    path.strip_prefix(module)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

pub(super) fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let after = &line[at + word.len()..];
        !line[..at].ends_with(is_name)
            && (word.ends_with('!') || word.ends_with('(') || !after.starts_with(is_name))
    })
}

pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The text without what stands in comments and in quotes; its lines keep their numbers.
pub(super) fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(hashes) = raw(rest).filter(|_| !code.ends_with(is_name)) {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = hashes + 2;
            rest[start..]
                .find(&end)
                .map_or(rest.len(), |at| start + at + end.len())
        } else if c == '"' {
            quoted(rest, '"')
        } else if c == '\'' && !is_lifetime(rest) {
            quoted(rest, '\'')
        } else {
            0
        };
        if skipped == 0 {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            code.extend(rest[..skipped].chars().filter(|c| *c == '\n'));
            rest = &rest[skipped..];
        }
    }
    code
}

/// How many hashes a raw string begins with, if one begins here.
pub(super) fn raw(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('r')?;
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    rest[hashes..].starts_with('"').then_some(hashes)
}

pub(super) fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

pub(super) fn is_lifetime(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    chars.next().is_some_and(|c| c != '\\') && chars.next() != Some('\'')
}
