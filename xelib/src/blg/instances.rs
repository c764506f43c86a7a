//! Instances of an object, told apart by name and by their order among equals.

use std::collections::HashMap;

use super::case::fold;

/// PDH_MAX_INSTANCE_NAME (pdh.h).
pub const LONGEST_INSTANCE: usize = 1024;

/// Finds the slot of each instance of a sample.
///
/// The n-th repeat of a name within a sample is `name#n`: a position, not an identity. When an
/// earlier one of the name goes, the later ones move up, as in Windows' own logs.
#[derive(Debug, Default)]
pub struct Instances {
    /// Key and name number at each position of the sample before: most samples repeat it.
    last: Vec<(Box<[u8]>, u32)>,
    position: usize,
    by_key: HashMap<Box<[u8]>, u32>,
    by_name: HashMap<String, u32>,
    names: Vec<Name>,
    sample: u32,
}

#[derive(Debug, Default)]
struct Name {
    /// How often it came in sample number `sample`.
    seen: usize,
    sample: u32,
    /// Slot of the first, of `#1`, ...
    slots: Vec<u32>,
}

/// Where an instance belongs.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    Slot(u32),
    /// It has none yet: its number among equals.
    New(usize),
}

impl Instances {
    /// A sample begins.
    pub fn begin(&mut self) {
        self.position = 0;
        self.sample += 1;
    }

    /// Finds the next instance. `key` is its name as it stands in the file; `text` decodes it.
    pub fn next(&mut self, key: &[u8], text: impl FnOnce() -> String) -> Found {
        let number = match self.last.get(self.position) {
            Some((last, number)) if **last == *key => *number,
            _ => self.look_up(key, text),
        };
        self.position += 1;
        let sample = self.sample;
        let name = &mut self.names[number as usize];
        if name.sample != sample {
            name.sample = sample;
            name.seen = 0;
        }
        let ordinal = name.seen;
        name.seen += 1;
        match name.slots.get(ordinal) {
            Some(&slot) => Found::Slot(slot),
            None => Found::New(ordinal),
        }
    }

    /// Gives the instance found last its slot.
    pub fn put(&mut self, slot: u32) {
        if let Some((_, number)) = self.last.get(self.position.wrapping_sub(1)) {
            self.names[*number as usize].slots.push(slot);
        }
    }

    fn look_up(&mut self, key: &[u8], text: impl FnOnce() -> String) -> u32 {
        let number = match self.by_key.get(key) {
            Some(&number) => number,
            None => {
                let next = self.names.len() as u32;
                let number = *self.by_name.entry(fold(&text())).or_insert(next);
                if number == next {
                    self.names.push(Name::default());
                }
                self.by_key.insert(key.into(), number);
                number
            }
        };
        let entry = (key.into(), number);
        match self.last.get_mut(self.position) {
            Some(last) => *last = entry,
            None => self.last.push(entry),
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(instances: &mut Instances, slots: &mut u32, names: &[&str]) -> Vec<u32> {
        instances.begin();
        let mut found = Vec::new();
        for name in names {
            match instances.next(name.as_bytes(), || (*name).to_owned()) {
                Found::Slot(slot) => found.push(slot),
                Found::New(_) => {
                    instances.put(*slots);
                    found.push(*slots);
                    *slots += 1;
                }
            }
        }
        found
    }

    #[test]
    fn repeats_are_numbered_and_move_up() {
        let (mut instances, mut slots) = (Instances::default(), 0);
        let mut next = |names: &[&str]| sample(&mut instances, &mut slots, names);
        assert_eq!(next(&["idle", "svchost", "svchost", "sql", "SvcHost"]), [0, 1, 2, 3, 4]);
        assert_eq!(next(&["idle", "svchost", "sql", "svchost"]), [0, 1, 3, 2]);
        assert_eq!(next(&["new", "idle"]), [5, 0]);
        assert_eq!(next(&["idle", "svchost", "svchost", "sql", "svchost"]), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_new_instance_comes_with_its_number() {
        let mut instances = Instances::default();
        instances.begin();
        assert_eq!(instances.next(b"a", || "A".into()), Found::New(0));
        instances.put(7);
        assert_eq!(instances.next(b"a", || "A".into()), Found::New(1));
    }
}
