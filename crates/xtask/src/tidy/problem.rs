//! A problem that a check found: the file, the line, and what is wrong.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    file: String,
    line: usize,
    what: String,
}

impl Problem {
    pub fn at(file: impl Into<String>, line: usize, what: impl Into<String>) -> Problem {
        Problem { file: file.into(), line, what: what.into() }
    }

    pub fn missing(file: &str) -> Problem {
        Problem::at(file, 1, "the file is missing")
    }
}

/// In the form that editors and terminals make a link of.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

/// The problems as lines, for tests.
#[cfg(test)]
pub fn lines(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(Problem::to_string).collect()
}
