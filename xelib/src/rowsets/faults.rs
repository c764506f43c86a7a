//! What was met beside rowsets: each kind and number once, with its first place.

use std::collections::HashMap;

/// Kinds and numbers that are told one by one.
const MAX_DISTINCT: usize = 200;
/// Bytes of a text that are kept.
const MAX_TEXT: usize = 400;

/// Something met in the file.
#[derive(Clone, Debug)]
pub struct Fault {
    pub kind: &'static str,
    /// Number of a server's message; else 0.
    pub number: u32,
    pub count: u64,
    /// First line, and where it begins.
    pub line: u64,
    pub offset: u64,
    /// What it says, the first time.
    pub text: String,
}

/// Faults in the order of their first places.
#[derive(Debug, Default)]
pub struct Faults {
    found: Vec<Fault>,
    places: HashMap<(&'static str, u32), usize>,
}

impl Faults {
    /// Counts one; true when it is the first of its kind and number.
    pub fn add(&mut self, kind: &'static str, number: u32, line: u64, offset: u64) -> bool {
        let number = if self.found.len() < MAX_DISTINCT { number } else { 0 };
        if let Some(&place) = self.places.get(&(kind, number)) {
            self.found[place].count += 1;
            return false;
        }
        self.places.insert((kind, number), self.found.len());
        self.found.push(Fault { kind, number, count: 1, line, offset, text: String::new() });
        true
    }

    /// Says more of the fault that was added as the last first one.
    pub fn say(&mut self, text: &[u8]) {
        if let Some(fault) = self.found.last_mut() {
            fault.text = String::from_utf8_lossy(&text[..text.len().min(MAX_TEXT)]).into_owned();
        }
    }

    pub fn found(&self) -> &[Fault] {
        &self.found
    }
}
