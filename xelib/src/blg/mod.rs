//! Perfmon's binary logs (.blg): an event trace file of raw counter values, cooked as Windows does.
//!
//! The modules follow the bytes: `buffers` and `events` are the container, `trace_header` says
//! who wrote it in which time zone, `catalogue` and `string_table` name what is logged, and
//! `sample` holds one block per catalogue entry: single counters (`counters`) or whole objects
//! (`perf_data`, `objects`). `log` drives them event by event, `decoder` buffer by buffer.
//!
//! Input is hostile: every bound is checked, names cannot outgrow the file, and all work is linear
//! in the bytes fed. Where no real log has shown what Windows does, the sensible thing is done and
//! counted as a `faults::Fault` that starts with `Assumed`.

#![forbid(unsafe_code)]

pub mod buffers;
mod case;
pub mod catalogue;
pub mod clock;
mod context;
pub mod cooking;
mod counters;
mod decoder;
mod definitions;
mod error;
pub mod events;
pub mod faults;
mod glob;
mod instances;
mod log;
mod long;
mod objects;
mod options;
mod perf_data;
mod raw_instances;
pub mod sample;
pub mod series;
pub mod string_table;
pub mod trace_header;

pub use decoder::Decoder;
pub use error::Refused;
pub use long::{Plan, Values};
pub use options::Options;
