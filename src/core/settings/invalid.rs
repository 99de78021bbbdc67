//! What is wrong with the settings, all of it, each mistake with its place and a sentence.

use std::fmt;

/// Settings that cannot be used. Shows one mistake a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// Every mistake found: those of the file, the environment, then of the whole. Never empty.
    pub mistakes: Vec<Mistake>,
}

/// One thing to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Where it was written.
    pub place: Place,
    /// What is wrong and what would be right. Holds no secret.
    pub sentence: String,
}

/// Where a value was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the configuration file.
    File {
        /// The file's name as the caller gave it.
        name: String,
        /// Counted from 1.
        line: usize,
        /// In characters, counted from 1.
        column: usize,
    },
    /// In this environment variable.
    Variable(String),
    /// With this flag.
    Flag(&'static str),
    /// Nowhere: it is a default.
    Defaults,
}

impl std::error::Error for Invalid {}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mistake) in self.mistakes.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            mistake.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.sentence)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { name, line, column } => {
                write!(f, "{name}, line {line}, column {column}")
            }
            Self::Variable(name) => f.write_str(name),
            Self::Flag(name) => f.write_str(name),
            Self::Defaults => f.write_str("default settings"),
        }
    }
}
