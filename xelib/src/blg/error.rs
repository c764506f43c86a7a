//! The error that ends reading.

/// Why a file is not read at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub what: &'static str,
    pub offset: u64,
    pub need: String,
    pub have: String,
}
