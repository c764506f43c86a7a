//! Entries of logs of lines: a line that begins one, and the lines that continue it.
//!
//! ERRORLOGs, cluster logs, and the lists and tables that support tools make of Windows event logs.
//! UTF-8 goes in, block by block; columns in Arrow's memory layout come out. `patterns` finds known
//! wordings among texts. Input is hostile: what is kept of an entry is bounded, and all work is
//! linear in the bytes fed.

#![forbid(unsafe_code)]

mod assembler;
mod beginning;
mod cells;
mod clock;
mod cluster;
mod cluster_head;
mod columns;
mod error_line;
mod errorlog;
mod errorlog_head;
mod event_head;
mod events;
mod form;
mod keeping;
mod patterns;
mod sequence;
mod table;
mod trace;
mod utf16;

pub use assembler::{Assembler, Entry, Layout};
pub use cells::Column;
pub use cluster::{ClusterLog, Section};
pub use columns::{Numbers, Words};
pub use errorlog::{Counts, Errorlog, ErrorlogColumns};
pub use event_head::Heads;
pub use events::{Cut, EventList};
pub use keeping::{KEPT_LINE_BYTES, KEPT_LINES};
pub use patterns::{Found, Pattern, Patterns};
pub use trace::{Fields, Line, Phase, TraceRows, TraceText};
pub use utf16::to_utf8;

/// Bytes kept of an entry with its continuation lines; a message has a few hundred.
pub const KEPT_BYTES: usize = 64 * 1024;
