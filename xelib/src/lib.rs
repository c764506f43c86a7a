//! Byte-level decoders of capture formats, one module per format, and their Python bindings.
//!
//! The decoders are plain, safe Rust: bytes in, columns in Arrow's memory layout out. Only
//! `bindings` knows Python, and only when the `python` feature is on.

// Not `forbid`: the code that pyo3's macros generate has to allow it. Each decoder forbids it.
#![deny(unsafe_code)]

pub mod blg;
mod bytes;
mod calendar;
pub mod entries;
pub mod evtx;
mod filetime;
pub mod pdh_text;
pub mod rowsets;
mod texts;
mod utf16;
pub mod xel;

#[cfg(feature = "python")]
mod bindings;

#[cfg(feature = "python")]
#[pyo3::pymodule]
mod _xelib {
    #[pymodule_export]
    use crate::bindings::blg::{BlgDecoder, BlgSlab, read_trace_header, sniff_trace};
    #[pymodule_export]
    const KEPT_BYTES: usize = crate::entries::KEPT_BYTES;
    #[pymodule_export]
    const KEPT_LINES: usize = crate::entries::KEPT_LINES;
    #[pymodule_export]
    const KEPT_LINE_BYTES: usize = crate::entries::KEPT_LINE_BYTES;
    #[pymodule_export]
    use crate::bindings::entries::{
        ClusterLogDecoder, ErrorlogDecoder, EventListDecoder, utf8_of_utf16,
    };
    #[pymodule_export]
    use crate::bindings::entry_slab::EntrySlab;
    #[pymodule_export]
    use crate::bindings::evtx::EvtxDecoder;
    #[pymodule_export]
    use crate::bindings::patterns::Wordings;
    #[pymodule_export]
    use crate::bindings::pdh_text::{PdhRowWriter, PdhSlab, PdhTextDecoder, split_cells};
    #[pymodule_export]
    use crate::bindings::rowsets::{RowsetDecoder, RowsetSlab};
    #[pymodule_export]
    use crate::bindings::trace::TraceParser;
    #[pymodule_export]
    use crate::bindings::xel::{XelBatch, XelReader};
}
