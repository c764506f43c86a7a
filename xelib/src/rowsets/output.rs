//! Rows and heads of rowsets in Arrow's memory layout.

use crate::texts::{Bits, Texts};

/// Lines of a table of which each has a list of texts: the rows of rowsets, or their heads.
#[derive(Debug, Default)]
pub struct Lists {
    /// int32 each: the rowset, and the row in it.
    pub rowset: Vec<u8>,
    pub row: Vec<u8>,
    /// int64 each: the line, from 1, and where it begins.
    pub line: Vec<u8>,
    pub offset: Vec<u8>,
    /// int64: microseconds since 1970, local time of the server; 0 where not known.
    pub time: Vec<u8>,
    pub time_valid: Bits,
    /// Names of rowsets; only for heads.
    pub names: Texts,
    /// int32: where each list begins among the texts.
    pub begins: Vec<u8>,
    pub texts: Texts,
}

impl Lists {
    /// How many lines.
    pub fn len(&self) -> usize {
        self.time_valid.len
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Begins a line; its texts are pushed, then it is ended.
    pub fn begin(&mut self, rowset: i32, row: i32, line: u64, offset: u64, time: Option<i64>) {
        if self.begins.is_empty() {
            self.begins.extend_from_slice(&0_i32.to_ne_bytes());
        }
        self.rowset.extend_from_slice(&rowset.to_ne_bytes());
        self.row.extend_from_slice(&row.to_ne_bytes());
        self.line.extend_from_slice(&line.to_ne_bytes());
        self.offset.extend_from_slice(&offset.to_ne_bytes());
        self.time.extend_from_slice(&time.unwrap_or(0).to_ne_bytes());
        self.time_valid.push(time.is_some());
    }

    pub fn end(&mut self) {
        self.begins.extend_from_slice(&(self.texts.len() as i32).to_ne_bytes());
    }
}

/// What was decoded since the last slab.
#[derive(Debug, Default)]
pub struct Output {
    pub heads: Lists,
    pub rows: Lists,
}

impl Output {
    /// About how many bytes are held.
    pub fn size(&self) -> usize {
        let of = |lists: &Lists| {
            lists.len() * 40
                + lists.texts.len() * 5
                + lists.texts.bytes.len()
                + lists.names.bytes.len()
        };
        of(&self.heads) + of(&self.rows)
    }
}
