//! The error that ends reading.

use std::fmt;

/// What was being read, where, what the format needs there and what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// Byte offset in the file.
    pub offset: u64,
    pub what: &'static str,
    pub need: String,
    pub have: String,
}

impl FormatError {
    pub fn new(
        offset: u64,
        what: &'static str,
        need: impl fmt::Display,
        have: impl fmt::Display,
    ) -> Self {
        Self { offset, what, need: need.to_string(), have: have.to_string() }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, what, need, have } = self;
        write!(out, "{what} at offset {offset} (need {need}, have {have})")
    }
}

impl std::error::Error for FormatError {}
