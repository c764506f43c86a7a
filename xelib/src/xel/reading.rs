//! What the readers of parts of one file share.

use super::catalogue::Catalogue;
use super::source::ReadAt;

/// What is the same for all parts.
pub struct Reading<'a> {
    pub source: &'a dyn ReadAt,
    pub catalogue: &'a Catalogue,
    pub sector: u16,
    /// As in [`super::options::Pace`]; None where everything is wanted.
    pub skim: Option<usize>,
    pub seen: Seen,
}

/// Records met so far, and their bytes.
#[derive(Debug, Default, Clone, Copy)]
pub struct Seen {
    pub records: u64,
    pub bytes: u64,
}

impl Seen {
    /// With what was met since.
    pub fn and(self, records: i64, bytes: u64) -> Self {
        Self { records: self.records + records.unsigned_abs(), bytes: self.bytes + bytes }
    }

    /// Whether records are so large on average; unknown before the first.
    pub fn is_worth(self, skim: usize) -> bool {
        self.records > 0 && self.bytes / self.records >= skim as u64
    }
}
