//! The series of a log: names, numbers, and what each said in the sample before.

use std::collections::HashMap;

use super::case::fold;
use super::catalogue::Item;
use super::cooking::{CounterType, Raw};
use super::faults::{Fault, Faults};
use super::glob::Filter;

/// Names may fill this much, whatever the size of the file, and so much per byte of it.
const NAME_BYTES: u64 = 16 << 20;
const NAME_BYTES_PER_BYTE: u64 = 8;

/// A series as it is handed out, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// `\\machine\object(parent/instance#n)\counter`.
    pub path: String,
    pub counter_type: CounterType,
    /// Power of ten by which perfmon's graph scales the values.
    pub scale: i32,
    /// What the clock of the type counts in a second; 0 where the log does not say.
    pub time_base: i64,
    /// Which item of the catalogue it belongs to, and which counter of that item it is.
    pub item: u32,
    pub counter: u32,
}

/// What a series said last, and in which sample.
#[derive(Debug, Clone, Copy, Default)]
pub struct State {
    pub first: i64,
    pub second: i64,
    /// Number of the sample, from 1; 0 for none.
    pub sample: u32,
    /// The sample before had an invalid status.
    pub was_invalid: bool,
}

impl State {
    /// What was said in `sample`.
    pub fn raw(&self, sample: u32) -> Option<Raw> {
        (self.sample == sample).then_some(Raw { first: self.first, second: self.second, multi: 0 })
    }
}

/// Every series, numbered in the order in which they appear.
#[derive(Debug, Default)]
pub struct Registry {
    filter: Filter,
    by_path: HashMap<String, u32>,
    owners: Vec<(u32, u32)>,
    pub states: Vec<State>,
    /// Numbers to give, in the order of appearance; those beyond go on counting.
    order: Vec<u32>,
    met: usize,
    name_bytes: u64,
    fresh: Vec<Series>,
    generation: u32,
}

impl Registry {
    /// `order` must hold each number below its length once.
    pub fn new(filter: Filter, order: Vec<u32>) -> Self {
        Self {
            filter,
            owners: vec![(0, 0); order.len()],
            states: vec![State::default(); order.len()],
            order,
            ..Self::default()
        }
    }

    /// A further catalogue begins: items are counted anew, and no sample came before.
    pub fn renew(&mut self) {
        self.generation += 1;
        self.states.fill(State::default());
    }

    /// Gives the number of a series, a new one where its path is new.
    ///
    /// None where it is not wanted, where another item delivers it, or where names outgrow the
    /// file, of which `seen` bytes have been read.
    pub fn number(
        &mut self,
        series: Series,
        seen: u64,
        at: u64,
        faults: &mut Faults,
    ) -> Option<u32> {
        let folded = fold(&series.path);
        let owner = (self.generation, series.item);
        if let Some(&number) = self.by_path.get(&folded) {
            let known = &mut self.owners[number as usize];
            if known.0 == owner.0 && known.1 != owner.1 {
                faults.add(Fault::DuplicateSeries, at);
                return None;
            }
            *known = owner;
            return Some(number);
        }
        if !self.filter.matches(&folded) {
            return None;
        }
        let cost = 2 * series.path.len() as u64 + 64;
        if self.name_bytes + cost > NAME_BYTES + NAME_BYTES_PER_BYTE * seen {
            faults.add(Fault::TooManySeries, at);
            return None;
        }
        self.name_bytes += cost;
        let number = self.order.get(self.met).copied().unwrap_or(self.met as u32);
        self.met += 1;
        self.by_path.insert(folded, number);
        if number as usize == self.states.len() {
            self.owners.push(owner);
            self.states.push(State::default());
        } else {
            self.owners[number as usize] = owner;
        }
        self.fresh.push(series);
        Some(number)
    }

    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// Hands out the series that are new since the last time.
    pub fn take_fresh(&mut self) -> Vec<Series> {
        std::mem::take(&mut self.fresh)
    }
}

/// `parent/instance#n`; the first of a name has no number.
pub fn numbered(name: &str, index: usize) -> String {
    if index == 0 { name.to_owned() } else { format!("{name}#{index}") }
}

/// Writes a counter path; `machine` comes with its backslashes, or is empty.
pub fn path(machine: &str, object: &str, instance: Option<&str>, counter: &str) -> String {
    match instance {
        Some(instance) => format!("{machine}\\{object}({instance})\\{counter}"),
        None => format!("{machine}\\{object}\\{counter}"),
    }
}

/// The machine of an item with its backslashes, or of the data block where the item names none.
pub fn machine(item: &Item, written_in_block: &str) -> String {
    let bare = item.machine.trim_start_matches('\\');
    let bare = if bare.is_empty() { written_in_block.trim_start_matches('\\') } else { bare };
    if bare.is_empty() { String::new() } else { format!("\\\\{bare}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blg::cooking::counter_type;

    fn series(path: &str, item: u32) -> Series {
        let counter_type = counter_type(0x0001_0000).unwrap();
        Series { path: path.into(), counter_type, scale: 0, time_base: 0, item, counter: 0 }
    }

    #[test]
    fn one_number_per_path_whatever_its_case() {
        let (mut registry, mut faults) = (Registry::default(), Faults::default());
        let mut number = |registry: &mut Registry, path: &str, item| {
            registry.number(series(path, item), 0, 0, &mut faults)
        };
        assert_eq!(number(&mut registry, r"\\A\O\x", 0), Some(0));
        assert_eq!(number(&mut registry, r"\\A\O\y", 1), Some(1));
        assert_eq!(number(&mut registry, r"\\a\o\X", 0), Some(0));
        assert_eq!(number(&mut registry, r"\\a\o\X", 1), None);
        registry.renew();
        assert_eq!(number(&mut registry, r"\\a\o\X", 1), Some(0));
        assert_eq!(faults.tally(Fault::DuplicateSeries).count, 1);
        assert_eq!(registry.take_fresh().len(), 2);
    }

    #[test]
    fn numbers_can_be_given_beforehand() {
        let mut registry = Registry::new(Filter::default(), vec![1, 0]);
        let mut faults = Faults::default();
        let numbers: Vec<_> = ["\\a", "\\b", "\\c"]
            .iter()
            .map(|path| registry.number(series(path, 0), 0, 0, &mut faults))
            .collect();
        assert_eq!(numbers, [Some(1), Some(0), Some(2)]);
        assert_eq!(registry.count(), 3);
    }

    #[test]
    fn names_cannot_outgrow_the_file() {
        let (mut registry, mut faults) = (Registry::default(), Faults::default());
        let long = "x".repeat(4 << 20);
        let given: Vec<bool> = (0..4)
            .map(|n| series(&format!("\\{n}{long}"), 0))
            .map(|s| registry.number(s, 1000, 0, &mut faults).is_some())
            .collect();
        assert_eq!(given, [true, true, false, false]);
        assert_eq!(faults.tally(Fault::TooManySeries).count, 2);
    }
}
