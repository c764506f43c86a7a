//! Windows event logs in binary form (.evtx) to the columns of a table of events.
//!
//! A file is a head and chunks of 64 KiB, each on its own: records in binary XML, and the names and
//! templates that they share. [`chunk`] finds the records, [`program`] turns binary XML into steps,
//! once for each template of a chunk, [`expansion`] takes the steps with the values of a record, and
//! [`event`] keeps what the table has of them; nothing else is made of the XML. Input is hostile:
//! every bound is checked, what a chunk may cost is bounded ([`budget`]), and a record that cannot be
//! read costs itself alone.
//!
//! Sources: "Windows XML Event Log (EVTX) format" of libevtx; [MS-EVEN6], BinXml.

#![forbid(unsafe_code)]

mod budget;
mod chunk;
mod columns;
mod decoder;
mod event;
mod expansion;
mod program;
mod value;

pub use columns::Columns;
pub use decoder::{Counts, Decoder, NoEventLog};
