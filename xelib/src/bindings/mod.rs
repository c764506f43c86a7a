//! Python classes and functions, one module per format.

pub mod pdh_text;
