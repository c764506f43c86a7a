//! Blocks of one counter: a single value, or one per instance.
//!
//! The values are those of PDH_RAW_COUNTER (pdh.h): the first, and the time or base as second.

use super::catalogue::Item;
use super::clock::Source;
use super::context::Context;
use super::cooking::{Clock, CounterType, Raw, clock, counter_type, is_hidden};
use super::faults::Fault;
use super::instances::{Found, Instances, LONGEST_INSTANCE};
use super::series::{Series, machine, numbered, path};
use crate::bytes::{i64_at, len_at, terminated, text, u32_at};

/// PDH_CSTATUS_VALID_DATA and PDH_CSTATUS_NEW_DATA.
const VALID: [u32; 2] = [0, 1];
const ENTRY: usize = 0x18;
const ENTRIES_AT: usize = 0x18;

/// The type of an item's counter; None where it has no values, which is told once.
fn shown_type(item: &Item, context: &mut Context<'_>) -> Option<CounterType> {
    let known = counter_type(item.counter_type);
    if known.is_none() && !is_hidden(item.counter_type) {
        context.faults.add_once(Fault::UnknownType, context.at);
    }
    if known.is_some_and(|known| known.rule.is_multi()) {
        context.faults.add_once(Fault::AssumedMultiTimer, context.at);
    }
    known
}

fn series(item: &Item, number: u32, kind: CounterType, instance: Option<&str>) -> Series {
    Series {
        path: path(&machine(item, ""), &item.object, instance, &item.counter),
        counter_type: kind,
        scale: item.scale,
        time_base: item.time_base,
        item: number,
        counter: 0,
    }
}

fn see_times(kind: CounterType, local: i64, second: i64, context: &mut Context<'_>) {
    if kind.rule.has_time() && clock(kind.code) == Clock::System {
        context.see_both_times(local, second, Source::RawCounter);
    }
}

/// A block with one value (kind 1).
#[derive(Debug, Default)]
pub struct One {
    /// Looked up once; None inside where it has no values, or none that are wanted.
    known: Option<Option<(Option<u32>, CounterType)>>,
}

impl One {
    /// None where the block is too short.
    pub fn read(
        &mut self,
        block: &[u8],
        item: &Item,
        number: u32,
        context: &mut Context<'_>,
    ) -> Option<()> {
        let status = u32_at(block, 0)?;
        let local = i64_at(block, 4)?;
        let raw = Raw {
            first: i64_at(block, 0x10)?,
            second: i64_at(block, 0x18)?,
            multi: i64::from(u32_at(block, 0x20)?),
        };
        let known = *self.known.get_or_insert_with(|| look_up(item, number, context));
        let (series, kind) = match known {
            Some(known) => known,
            None => return Some(()),
        };
        let is_valid = VALID.contains(&status);
        if is_valid {
            // Also of a counter that is not wanted: the clock is that of all.
            see_times(kind, local, raw.second, context);
        }
        match series {
            Some(series) if is_valid => context.deliver(series, kind.rule, raw, item.time_base),
            Some(series) => context.invalid(series),
            None => {}
        }
        Some(())
    }
}

fn look_up(
    item: &Item,
    number: u32,
    context: &mut Context<'_>,
) -> Option<(Option<u32>, CounterType)> {
    let kind = shown_type(item, context)?;
    if item.parent.is_some() {
        context.fault(Fault::AssumedParentName);
    }
    let mut name = item.instance.clone();
    if let (Some(instance), true) = (&mut name, item.instance_index > 0) {
        let index = format!("#{}", item.instance_index);
        if !instance.ends_with(&index) {
            instance.push_str(&index);
        }
        context.fault(Fault::AssumedInstanceIndex);
    }
    let name = match (&item.parent, name) {
        (Some(parent), Some(instance)) => Some(format!("{parent}/{instance}")),
        (_, instance) => instance,
    };
    let series = series(item, number, kind, name.as_deref());
    let series = context.registry.number(series, context.seen, context.at, context.faults);
    Some((series, kind))
}

/// A block with one value per instance (kind 2).
#[derive(Debug, Default)]
pub struct Many {
    kind: Option<Option<CounterType>>,
    instances: Instances,
    /// Series of each slot; None where it is not wanted.
    slots: Vec<Option<u32>>,
}

impl Many {
    /// None where the block ends before its instances do.
    pub fn read(
        &mut self,
        block: &[u8],
        item: &Item,
        number: u32,
        context: &mut Context<'_>,
    ) -> Option<()> {
        let kind = *self.kind.get_or_insert_with(|| shown_type(item, context));
        let kind = match kind {
            Some(kind) => kind,
            None => return Some(()),
        };
        let count = len_at(block, 4)?;
        let is_valid = VALID.contains(&u32_at(block, 8)?);
        let local = i64_at(block, 0x10)?;
        let mut name_bytes = 0;
        self.instances.begin();
        for index in 0..count {
            let entry = block.get(ENTRIES_AT + index * ENTRY..)?.get(..ENTRY)?;
            let (name, _) = terminated(block, len_at(entry, 0)?, LONGEST_INSTANCE)?;
            // Names lie side by side; crafted ones that overlap would multiply.
            name_bytes += name.len();
            if name_bytes > block.len() {
                return None;
            }
            if is_valid {
                // Also of an instance that is not wanted: the clock is that of all.
                see_times(kind, local, i64_at(entry, 0x10)?, context);
            }
            let Some(series) = self.series(name, item, number, kind, context) else { continue };
            if !is_valid {
                context.invalid(series);
                continue;
            }
            let raw = Raw {
                first: i64_at(entry, 8)?,
                second: i64_at(entry, 0x10)?,
                multi: i64::from(u32_at(entry, 4)?),
            };
            context.deliver(series, kind.rule, raw, item.time_base);
        }
        Some(())
    }

    fn series(
        &mut self,
        name: &[u8],
        item: &Item,
        number: u32,
        kind: CounterType,
        context: &mut Context<'_>,
    ) -> Option<u32> {
        let instance = match self.instances.next(name, || text(name)) {
            Found::Slot(slot) => return self.slots[slot as usize],
            Found::New(ordinal) => {
                if ordinal > 0 {
                    context.fault(Fault::AssumedNumbering);
                }
                numbered(&text(name), ordinal)
            }
        };
        let series = series(item, number, kind, Some(&instance));
        let series = context.registry.number(series, context.seen, context.at, context.faults);
        self.instances.put(self.slots.len() as u32);
        self.slots.push(series);
        series
    }
}
