//! Python classes and functions, one module per format.

pub mod blg;
pub mod entries;
pub mod entry_slab;
pub mod evtx;
pub mod patterns;
pub mod pdh_text;
pub mod rowsets;
mod slab;
pub mod trace;
pub mod xel;
