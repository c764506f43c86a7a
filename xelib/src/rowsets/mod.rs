//! Rowsets in the outputs of sqlcmd and the like: tables of fixed width between lines of other text.
//!
//! A line of dashes under a header gives the widths; the name of a rowset stands above the header,
//! as `-- name --` or between rulers. Lines that are wider than sqlcmd's screen are broken, header,
//! dashes and rows alike; values may hold line ends. Input is hostile: every bound is checked,
//! what is kept while its end is looked for is bounded, and all work is linear in the bytes fed.

#![forbid(unsafe_code)]

mod assembly;
mod decoder;
mod faults;
mod layout;
mod line;
mod names;
mod output;
mod words;

pub use decoder::Decoder;
pub use faults::Fault;
pub use line::Measure;
pub use output::{Lists, Output};

/// Bytes of a line that are looked at, and of the lines of a header.
pub const MAX_LINE: usize = 1 << 20;

/// Lines into which a row may be broken.
pub const MAX_BROKEN: usize = 200;

/// Columns of a rowset; SQL Server selects at most 4,096.
pub const MAX_COLUMNS: usize = 4096;

/// Characters of a column's name in SQL Server.
pub const MAX_NAME: usize = 128;
