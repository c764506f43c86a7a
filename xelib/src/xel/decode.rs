//! Data blocks into columns.

use std::collections::HashMap;
use std::sync::Arc;

use super::catalogue::{Catalogue, Lookup};
use super::columns::{Buffers, Column};
use super::faults::{FaultKind, Faults};
use super::metadata::ObjectId;
use super::plan::{Field, Plan};
use super::planning::plan;
use super::record::{Actions, Record};
use super::values::{Budget, Unreadable};
use super::walk::{Block, records};
use crate::filetime::calendar_micros;

/// Events of one kind, in file order.
#[derive(Debug)]
pub struct Batch {
    pub plan: Arc<Plan>,
    pub rows: usize,
    /// Those of [`super::plan::LEADING`] that are wanted, then one per output of the plan.
    pub columns: Vec<Buffers>,
}

/// What a run of blocks gives.
#[derive(Debug)]
pub struct Decoded {
    /// `_seq` counts from the first record of the run.
    pub batches: Vec<Batch>,
    /// Also those that are not wanted.
    pub records: i64,
    pub faults: Faults,
}

/// What the memory of a column without rows costs, at most.
const COLUMN_BYTES: usize = 256;
const SEQ: usize = 0;
/// Kinds of events whose targets are at hand.
const RECENT: usize = 16;
const FAR: &str = "an event at the end of the calendar or beyond it: its time is null";
const TOO_MUCH: &str = "an event that would fill far more memory than it has bytes";

#[derive(Debug)]
struct Builder {
    plan: Arc<Plan>,
    rows: usize,
    leading: Vec<Column>,
    columns: Vec<Column>,
}

/// Decodes consecutive blocks.
pub fn decode(blocks: &[Block<'_>], catalogue: &Catalogue) -> Decoded {
    let mut run = Run::new(catalogue);
    blocks.iter().for_each(|block| run.block(block));
    run.finish()
}

/// Consecutive blocks, one after the other.
pub struct Run<'a> {
    catalogue: &'a Catalogue,
    builders: Vec<Builder>,
    known: HashMap<ObjectId, Target>,
    /// Of the events met last, by their index: what is known without asking.
    recent: [Option<(ObjectId, Target)>; RECENT],
    budget: Budget,
    number: i64,
    faults: Faults,
}

/// Where events of a kind go.
#[derive(Debug, Clone, Copy)]
enum Target {
    Builder(usize),
    Unwanted,
    Unknown,
    OutOfProportion,
}

impl<'a> Run<'a> {
    pub fn new(catalogue: &'a Catalogue) -> Self {
        Self {
            catalogue,
            builders: Vec::new(),
            known: HashMap::new(),
            recent: [None; RECENT],
            budget: Budget::new(),
            number: 0,
            faults: Faults::default(),
        }
    }

    /// Records so far, also those that are not wanted.
    pub fn records(&self) -> i64 {
        self.number
    }

    pub fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    pub fn block(&mut self, block: &Block<'_>) {
        let mut faults = std::mem::take(&mut self.faults);
        block.check(&mut faults);
        records(block, self.catalogue, &mut faults, |record, offset, faults| {
            self.append(record, offset, block.sequence, faults);
        });
        self.faults = faults;
    }

    /// A record that is all right, of a block that may not be.
    pub fn record(&mut self, record: &Record<'_>, offset: u64, block: Option<u32>) {
        let mut faults = std::mem::take(&mut self.faults);
        self.append(record, offset, block, &mut faults);
        self.faults = faults;
    }

    /// Counts a record of so many bytes that is not wanted.
    pub fn pass(&mut self, length: usize) {
        self.number += 1;
        self.budget.earn(length);
    }

    pub fn finish(self) -> Decoded {
        let batches = self.builders.into_iter().map(Builder::finish).collect();
        Decoded { batches, records: self.number, faults: self.faults }
    }

    fn append(
        &mut self,
        record: &Record<'_>,
        offset: u64,
        block: Option<u32>,
        faults: &mut Faults,
    ) {
        let number = self.number;
        self.pass(record.length);
        let builder = match self.target(record.event) {
            Target::Builder(at) => &mut self.builders[at],
            Target::Unwanted => return,
            Target::Unknown => {
                let what = format!("event {:#010x} is not defined", record.event.0);
                return faults.add(FaultKind::UnknownEvent, offset, what);
            }
            Target::OutOfProportion => {
                return faults.add(FaultKind::OutOfProportion, offset, TOO_MUCH);
            }
        };
        if !self.budget.spend(builder.plan.row_bytes) {
            return faults.add(FaultKind::OutOfProportion, offset, TOO_MUCH);
        }
        if !builder.lead(record.ticks, number, block, offset) {
            faults.add(FaultKind::FarTime, offset, FAR);
        }
        builder.fields(record, offset, &mut self.budget, faults);
        builder.actions(record, offset, &mut self.budget, self.catalogue, faults);
        builder.rows += 1;
    }

    fn target(&mut self, event: ObjectId) -> Target {
        let recent = event.index() % RECENT;
        match self.recent[recent] {
            Some((met, target)) if met == event => target,
            _ => {
                let target = self.look_up(event);
                self.recent[recent] = Some((event, target));
                target
            }
        }
    }

    fn look_up(&mut self, event: ObjectId) -> Target {
        if let Some(&target) = self.known.get(&event) {
            return target;
        }
        let target = match self.catalogue.find(event) {
            Lookup::Unknown => Target::Unknown,
            Lookup::Unwanted => Target::Unwanted,
            Lookup::Wanted(planned) => {
                if self.budget.spend(planned.columns() * COLUMN_BYTES) {
                    let positions = self.catalogue.selection().positions;
                    self.builders.push(Builder::new(planned.plan(plan), positions));
                    Target::Builder(self.builders.len() - 1)
                } else {
                    Target::OutOfProportion
                }
            }
        };
        self.known.insert(event, target);
        target
    }
}

impl Builder {
    fn new(plan: Arc<Plan>, positions: bool) -> Self {
        let leading = vec![Column::new("l"); if positions { 5 } else { 3 }];
        let columns = plan.outputs.iter().map(|output| Column::new(output.arrow)).collect();
        Self { plan, rows: 0, leading, columns }
    }

    /// False where the event has a time that no calendar holds.
    fn lead(&mut self, ticks: i64, number: i64, block: Option<u32>, offset: u64) -> bool {
        let row = self.rows;
        let time = self.plan.time_base.filetime(ticks);
        let micros = calendar_micros(time);
        let values =
            [Some(number), micros, Some(time), block.map(i64::from), Some(offset.cast_signed())];
        for (column, value) in self.leading.iter_mut().zip(values) {
            if let Some(value) = value {
                column.push_fixed(row, value.to_le_bytes());
            }
        }
        micros.is_some()
    }

    fn fields(
        &mut self,
        record: &Record<'_>,
        offset: u64,
        budget: &mut Budget,
        faults: &mut Faults,
    ) {
        let mut missing = 0;
        for field in &self.plan.fields {
            let outcome = match field.value(record.payload) {
                Slot::Value(value) => {
                    field.step.append(value, self.rows, &mut self.columns, budget)
                }
                Slot::Missing => {
                    missing += 1;
                    continue;
                }
                Slot::Outside => Err(Unreadable::Short),
            };
            if let Err(why) = outcome {
                report(why, field.step.name(&self.plan), offset, faults);
            }
        }
        if missing > 0 {
            let what = format!("{missing} columns do not fit in the event");
            faults.add(FaultKind::ShortPayload, offset, what);
        }
    }

    fn actions(
        &mut self,
        record: &Record<'_>,
        offset: u64,
        budget: &mut Budget,
        catalogue: &Catalogue,
        faults: &mut Faults,
    ) {
        for (id, value) in Actions(record.actions) {
            let Some(step) = self.plan.action(id) else {
                if !catalogue.has_action(id) {
                    let what = format!("action {:#010x} is not defined", id.0);
                    faults.add(FaultKind::UnknownAction, offset, what);
                }
                continue;
            };
            if let Err(why) = step.append(value, self.rows, &mut self.columns, budget) {
                report(why, step.name(&self.plan), offset, faults);
            }
        }
    }

    fn finish(self) -> Batch {
        let columns = self.leading.into_iter().chain(self.columns);
        let columns = columns.map(|column| column.finish(self.rows)).collect();
        Batch { plan: self.plan, rows: self.rows, columns }
    }
}

fn report(why: Unreadable, name: &str, offset: u64, faults: &mut Faults) {
    let (kind, what) = match why {
        Unreadable::Undefined => (FaultKind::UnknownType, "is of a type that is not defined"),
        Unreadable::Short => (FaultKind::BadValue, "does not lie within the event"),
        Unreadable::OutOfProportion => {
            (FaultKind::OutOfProportion, "would fill far more memory than the event has bytes")
        }
    };
    faults.add(kind, offset, format_args!("{name} {what}"));
}

enum Slot<'a> {
    Value(&'a [u8]),
    /// The payload ends before the slot does.
    Missing,
    /// The slot refers to bytes beyond the payload.
    Outside,
}

impl Field {
    fn value<'a>(&self, payload: &'a [u8]) -> Slot<'a> {
        let slot = |size| payload.get(self.offset..self.offset + size);
        let Some(size) = self.size else {
            let Some(slot) = slot(8) else { return Slot::Missing };
            let (words, _) = slot.as_chunks::<4>();
            let [begin, length] =
                [words[0], words[1]].map(|word| u32::from_le_bytes(word) as usize);
            if length == 0 {
                return Slot::Value(&[]);
            }
            let end = begin.saturating_add(length);
            return payload.get(begin..end).map_or(Slot::Outside, Slot::Value);
        };
        slot(size).map_or(Slot::Missing, Slot::Value)
    }
}

impl Decoded {
    /// Memory of all columns.
    pub fn bytes(&self) -> usize {
        let columns = self.batches.iter().flat_map(|batch| &batch.columns);
        columns.flat_map(|column| &column.values).map(Vec::len).sum()
    }

    /// Makes `_seq` count from the first record of the file, and sorts the batches by it.
    pub fn number_from(&mut self, base: i64) {
        for batch in &mut self.batches {
            for column in batch.columns[SEQ].values.iter_mut() {
                let (numbers, _) = column.as_chunks_mut::<8>();
                numbers.iter_mut().for_each(|n| *n = (base + i64::from_le_bytes(*n)).to_le_bytes());
            }
        }
        let first = |batch: &Batch| {
            let column = batch.columns[SEQ].values.first();
            column.and_then(|numbers| numbers.first_chunk()).map(|&n| i64::from_le_bytes(n))
        };
        self.batches.sort_by_key(first);
    }
}
