//! Name tables: what the numbers of objects and counters mean on a machine.

use std::collections::HashMap;

use super::bytes::{fold, terminated, text};
use super::catalogue::LONGEST_NAME;

/// The names of every machine of a log.
#[derive(Debug, Default)]
pub struct StringTables {
    machines: HashMap<String, HashMap<u32, String>>,
}

impl StringTables {
    /// Adds the names of one event; false where it ends inside a pair.
    pub fn add(&mut self, body: &[u8]) -> bool {
        let Some((machine, mut at)) = terminated(body, 0, LONGEST_NAME) else { return false };
        let names = self.machines.entry(key(&text(machine))).or_default();
        while body.len() > at + 2 {
            let Some((index, name_at)) = terminated(body, at, LONGEST_NAME) else { return false };
            if index.is_empty() {
                // Padding.
                return true;
            }
            let Some((name, next)) = terminated(body, name_at, LONGEST_NAME) else { return false };
            let Ok(index) = text(index).parse() else { return false };
            names.insert(index, text(name));
            at = next;
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
