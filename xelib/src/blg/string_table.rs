//! Name tables: what the numbers of objects and counters mean on a machine.

use std::collections::HashMap;

use super::case::fold;
use super::catalogue::LONGEST_NAME;
use crate::bytes::{Cursor, text};

/// The names of every machine of a log.
#[derive(Debug, Default)]
pub struct StringTables {
    machines: HashMap<String, HashMap<u32, String>>,
}

impl StringTables {
    /// Adds the names of one event; false where it ends inside a pair.
    pub fn add(&mut self, body: &[u8]) -> bool {
        let mut cursor = Cursor::new(body, 0);
        let Ok(machine) = cursor.terminated(LONGEST_NAME, "machine") else { return false };
        let names = self.machines.entry(key(&text(machine))).or_default();
        while cursor.left() > 2 {
            let Ok(index) = cursor.terminated(LONGEST_NAME, "index") else { return false };
            if index.is_empty() {
                // Padding.
                return true;
            }
            let Ok(name) = cursor.terminated(LONGEST_NAME, "name") else { return false };
            let Ok(index) = text(index).parse() else { return false };
            names.insert(index, text(name));
        }
        true
    }

    /// The name of an index on a machine, which may be written with or without backslashes.
    pub fn name(&self, machine: &str, index: u32) -> Option<&str> {
        self.machines.get(&key(machine))?.get(&index).map(String::as_str)
    }
}

fn key(machine: &str) -> String {
    fold(machine.trim_start_matches('\\'))
}
