//! A line of the text of trace flags.

/// A line, wherever it comes from; empty texts are missing ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line<'a> {
    pub line: i64,
    pub time: Option<i64>,
    pub source: &'a str,
    pub message: &'a str,
    /// Operation and database, where they are known beside the text.
    pub operation: &'a str,
    pub database: &'a str,
}
