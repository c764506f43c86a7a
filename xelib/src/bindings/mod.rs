//! Python classes and functions, one module per format.

pub mod blg;
pub mod pdh_text;
mod slab;
pub mod xel;
