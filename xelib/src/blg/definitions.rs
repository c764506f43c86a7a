//! Counter definitions of an object: PERF_COUNTER_DEFINITION of winperf.h.

use crate::bytes::{i32_at, i64_at, len_at, u32_at};

const DEFINITION: usize = 0x28;

/// A number in a counter block.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    at: usize,
    wide: bool,
}

impl Field {
    pub fn read(self, block: &[u8]) -> Option<i64> {
        if self.wide { i64_at(block, self.at) } else { u32_at(block, self.at).map(i64::from) }
    }
}

/// A definition as it stands in the file.
#[derive(Debug)]
pub struct RawDefinition {
    pub title: u32,
    pub code: u32,
    pub scale: i32,
    /// None where the size is neither 4 nor 8.
    pub field: Option<Field>,
}

/// Reads the definitions of an object whose header is `header` bytes long.
pub fn raw_definitions(bytes: &[u8], header: usize) -> Vec<RawDefinition> {
    let count = len_at(bytes, 0x20).unwrap_or_default();
    let end = len_at(bytes, 4).unwrap_or_default().min(bytes.len());
    let mut rest = bytes.get(header..end).unwrap_or_default();
    let mut found = Vec::new();
    while found.len() < count {
        let length = len_at(rest, 0).unwrap_or_default();
        let Some(bytes) = rest.get(..length).filter(|_| length >= DEFINITION) else { break };
        // By the size, not by the size bits of the type: those of an average timer say otherwise.
        let wide = match u32_at(bytes, 0x20) {
            Some(4) => Some(false),
            Some(8) => Some(true),
            _ => None,
        };
        found.push(RawDefinition {
            title: u32_at(bytes, 4).unwrap_or_default(),
            code: u32_at(bytes, 0x1c).unwrap_or_default(),
            scale: i32_at(bytes, 0x14).unwrap_or_default(),
            field: wide.zip(len_at(bytes, 0x24)).map(|(wide, at)| Field { at, wide }),
        });
        rest = &rest[length..];
    }
    found
}
