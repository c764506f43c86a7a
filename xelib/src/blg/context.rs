//! What every reader of a part of a sample is handed.

use super::clock::{Offsets, Source};
use super::cooking::{Raw, Rule, cook};
use super::faults::{Fault, Faults};
use super::long::{Rows, Values};
use super::series::{Registry, State};
use super::string_table::StringTables;

/// What reading a sample reads and writes besides its bytes.
pub struct Context<'a> {
    pub registry: &'a mut Registry,
    pub rows: &'a mut Rows,
    pub faults: &'a mut Faults,
    pub offsets: &'a mut Offsets,
    pub names: &'a StringTables,
    pub values: Values,
    /// Number of the sample in the file, from 2: the first of a catalogue is `first_sample`.
    pub sample: u32,
    pub first_sample: u32,
    /// Number of the row, and its local time in microseconds.
    pub tick: i32,
    pub time: i64,
    /// Where the sample begins in the file, and how much of the file has been read.
    pub at: u64,
    pub seen: u64,
    pub knows_offset: bool,
}

impl Context<'_> {
    pub fn fault(&mut self, fault: Fault) {
        self.faults.add(fault, self.at);
    }

    /// Takes what a counter says in this sample, and cooks it.
    #[inline]
    pub fn deliver(&mut self, series: u32, rule: Rule, raw: Raw, frequency: i64) {
        let state = &mut self.registry.states[series as usize];
        if state.sample == self.sample {
            // The same series twice in a sample: the first counts.
            self.faults.add(Fault::DuplicateSeries, self.at);
            return;
        }
        let before = state.raw(self.sample - 1);
        let was_invalid = state.was_invalid;
        *state =
            State { first: raw.first, second: raw.second, sample: self.sample, was_invalid: false };
        match self.values {
            Values::Cooked => {
                let mut assumed = false;
                let value = cook(rule, raw, before, frequency, &mut assumed);
                if assumed {
                    self.fault(Fault::AssumedZeroBase);
                }
                if before.is_none() && self.sample != self.first_sample && rule.is_change() {
                    self.missed(was_invalid);
                }
                self.rows.push_cooked(series, value);
            }
            Values::Raw => self.rows.push_raw(series, raw.first, raw.second),
            Values::None => {}
        }
    }

    #[cold]
    fn missed(&mut self, was_invalid: bool) {
        self.fault(if was_invalid {
            Fault::AssumedAfterInvalid
        } else {
            Fault::AssumedFirstAppearance
        });
    }

    /// A counter has no valid value in this sample.
    pub fn invalid(&mut self, series: u32) {
        let state = &mut self.registry.states[series as usize];
        *state = State { was_invalid: true, ..State::default() };
        self.fault(Fault::InvalidStatus);
    }

    /// Takes note of an instant told in local time and in UTC; the first of a sample speaks for it.
    pub fn see_both_times(&mut self, local: i64, utc: i64, source: Source) {
        if !self.knows_offset {
            self.knows_offset = true;
            if self.offsets.see(self.tick, self.time, local, utc, source) {
                self.fault(Fault::AssumedClockChange);
            }
        }
    }
}
