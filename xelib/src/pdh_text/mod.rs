//! PDH text logs ("PDH-CSV 4.0", "PDH-TSV 4.0"): rows of a time stamp and one cell per counter.
//!
//! Input is hostile: every bound is checked, no cell outlives its line, no line outgrows
//! [`MAX_LINE`], and all work is linear in the bytes fed.

#![forbid(unsafe_code)]

mod cells;
mod chunk;
mod decoder;
mod faults;
mod long;
mod number;
mod rows;
mod time;
mod utf16;
mod write;

pub use cells::split_cells;
pub use decoder::{Decoder, Options};
pub use faults::{Faults, Tally};
pub use long::{Long, Plan};
pub use rows::Layout;
pub use utf16::CodeUnits;
pub use write::{LongRows, RowWriter};

/// Longest line, in characters, that is kept while its end is looked for.
pub const MAX_LINE: usize = 64 << 20;
