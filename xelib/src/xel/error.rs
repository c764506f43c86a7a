//! The error that ends reading.

use std::fmt;

use crate::bytes::{Need, Short};

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

impl From<Short> for FormatError {
    fn from(Short { what, offset, need, have }: Short) -> Self {
        match need {
            Need::Bytes(n) => Self::new(offset, what, format_args!("{n} bytes"), have),
            Need::Terminator => Self::new(offset, what, "a terminating zero", "none"),
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, what, need, have } = self;
        write!(out, "{what} at offset {offset} (need {need}, have {have})")
    }
}

impl std::error::Error for FormatError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_end_too_early_say_what_is_missing() {
        let short = Short { what: "object id", offset: 11, need: Need::Bytes(4), have: 2 };
        let text = FormatError::from(short).to_string();
        assert_eq!(text, "object id at offset 11 (need 4 bytes, have 2)");
        let text = FormatError::from(Short { need: Need::Terminator, ..short }).to_string();
        assert_eq!(text, "object id at offset 11 (need a terminating zero, have none)");
    }
}
