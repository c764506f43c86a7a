//! Rows as they are decoded: times, and values row after row.

use super::faults::Faults;

/// Stands for a cell without a value. No value read is NaN: only finite numbers are values.
pub const ABSENT: f64 = f64::NAN;

/// Consecutive good rows of the file.
#[derive(Debug, Default)]
pub struct Chunk {
    /// Microseconds since 1970-01-01, local time; one per row.
    pub times: Vec<i64>,
    /// Wanted columns of row 0, then of row 1, ...
    pub values: Vec<f64>,
    pub faults: Faults,
    /// Another header was met: nothing after it belongs to this log.
    pub stopped: bool,
}

impl Chunk {
    /// Makes the chunk empty and keeps its memory.
    pub fn clear(&mut self) {
        self.times.clear();
        self.values.clear();
        self.faults = Faults::default();
        self.stopped = false;
    }
}
