//! What the caller asks for.

use super::long::Values;

/// What to read of a log.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Globs over counter paths; empty for all.
    pub counters: Vec<String>,
    /// First and last local time, both included, in microseconds since 1970.
    pub begin: Option<i64>,
    pub end: Option<i64>,
    pub values: Values,
    /// Numbers of the series in the order of their appearance, each below the length once; empty
    /// to count them.
    pub order: Vec<u32>,
}
