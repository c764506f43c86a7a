//! Extended Events files (.xel, file version 10).
//!
//! Modules in the order in which the bytes are met: [`file_header`], [`block`], [`metadata`],
//! [`record`], then values into columns. Input is hostile: every bound is checked, work is linear
//! in the bytes read, and memory stays in proportion to them. Damage becomes a [`faults::Fault`]
//! and costs what it touches; only a file that begins as no such file is an error.

#![forbid(unsafe_code)]

mod block;
mod blocks;
mod catalogue;
mod checksum;
mod columns;
mod decode;
mod error;
mod faults;
mod file_header;
mod guid;
mod kind;
mod metadata;
mod options;
mod plan;
mod planning;
mod reader;
mod reading;
mod record;
mod run;
mod side_by_side;
mod skim;
mod source;
mod text;
mod timestamp;
mod values;
mod walk;
mod window;

pub use catalogue::{Catalogue, Selection};
pub use columns::Buffers;
pub use decode::Batch;
pub use error::FormatError;
pub use faults::{Fault, FaultKind, Severity};
pub use guid::Guid;
pub use metadata::{Event, Map, ObjectId, Package, Value};
pub use options::{Options, Pace};
pub use plan::{ACTION_PREFIX, LEADING, Output, Plan, Role};
pub use reader::{Position, ReadError, Reader};
pub use source::{ReadAt, Source};
