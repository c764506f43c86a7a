//! An object of a data block: its counters, its instances, and their values.
//!
//! PERF_OBJECT_TYPE, PERF_COUNTER_DEFINITION, PERF_INSTANCE_DEFINITION and PERF_COUNTER_BLOCK of
//! winperf.h. The layout is the same for 32 and 64-bit writers.

use std::ops::Range;

use super::case::fold;
use super::catalogue::Item;
use super::context::Context;
use super::cooking::{Clock, CounterType, Raw, clock, counter_type, is_hidden};
use super::definitions::{Field, RawDefinition, raw_definitions};
use super::faults::Fault;
use super::instances::{Found, Instances};
use super::raw_instances::{Parents, RawInstance, counter_block};
use super::series::{Series, numbered, path};
use crate::bytes::{i32_at, i64_at, len_at, text, u32_at};

const OBJECT_HEADER: usize = 0x40;
const ALL: &str = "*";

/// Time and frequency of each clock in this sample.
#[derive(Debug, Clone, Copy)]
pub struct Clocks {
    pub performance: (i64, i64),
    pub system: (i64, i64),
    pub object: (i64, i64),
}

impl Clocks {
    fn of(&self, clock: Clock) -> (i64, i64) {
        match clock {
            Clock::Performance => self.performance,
            Clock::System => self.system,
            Clock::Object => self.object,
        }
    }
}

/// A counter that is shown.
#[derive(Debug, Clone)]
struct Definition {
    name: String,
    kind: CounterType,
    clock: Clock,
    value: Field,
    base: Option<Field>,
    scale: i32,
    number: u32,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    definition: u32,
    series: u32,
}

/// Reads one object through the whole log.
#[derive(Debug)]
pub struct Object {
    index: u32,
    machine: String,
    name: String,
    /// Instance and counter that the item asks for; None for all.
    instance: Option<String>,
    counter: Option<String>,
    shown: bool,
    /// Everything in the object's header and definitions that does not change.
    skeleton: Vec<u8>,
    definitions: Vec<Definition>,
    instances: Instances,
    slots: Vec<Range<u32>>,
    cells: Vec<Cell>,
    only: Option<u32>,
    key: Vec<u8>,
}

impl Object {
    pub fn new(index: u32, machine: String, name: String, item: &Item, shown: bool) -> Self {
        let narrowed = |text: &str| (text != ALL).then(|| fold(text));
        Self {
            index,
            machine,
            name,
            instance: item.instance.as_deref().and_then(narrowed),
            counter: narrowed(&item.counter),
            shown,
            skeleton: Vec::new(),
            definitions: Vec::new(),
            instances: Instances::default(),
            slots: Vec::new(),
            cells: Vec::new(),
            only: None,
            key: Vec::new(),
        }
    }

    /// Reads the object of one sample. None where it ends before its parts do.
    pub fn read(
        &mut self,
        bytes: &[u8],
        item: u32,
        clocks: &Clocks,
        parents: &mut Parents<'_>,
        context: &mut Context<'_>,
    ) -> Option<()> {
        if !self.shown {
            return Some(());
        }
        let definitions_end = len_at(bytes, 4)?;
        let header = len_at(bytes, 8)?;
        if header < OBJECT_HEADER || definitions_end < header {
            return None;
        }
        let fixed =
            [bytes.get(4..0x28)?, bytes.get(0x2c..0x30)?, bytes.get(header..definitions_end)?];
        let clocks = Clocks { object: (i64_at(bytes, 0x30)?, i64_at(bytes, 0x38)?), ..*clocks };
        if !is_concatenation(&self.skeleton, fixed) {
            self.skeleton = fixed.concat();
            self.define(bytes, header, context);
        }
        let data = &bytes[definitions_end..];
        match i32_at(bytes, 0x28)? {
            count if count < 0 => self.read_only(data, item, &clocks, context),
            count => {
                let is_unicode = u32_at(bytes, 0x2c)? == 0;
                self.read_instances(data, count, is_unicode, item, &clocks, parents, context)
            }
        }
    }

    fn define(&mut self, bytes: &[u8], header: usize, context: &mut Context<'_>) {
        self.definitions.clear();
        self.instances = Instances::default();
        self.slots.clear();
        self.cells.clear();
        self.only = None;
        let raw = raw_definitions(bytes, header);
        if raw.len() != len_at(bytes, 0x20).unwrap_or_default() {
            context.fault(Fault::BadBlock);
        }
        for (number, this) in raw.iter().enumerate() {
            if let Some(definition) = self.definition(number, this, raw.get(number + 1), context) {
                self.definitions.push(definition);
            }
        }
    }

    fn definition(
        &self,
        number: usize,
        this: &RawDefinition,
        next: Option<&RawDefinition>,
        context: &mut Context<'_>,
    ) -> Option<Definition> {
        if is_hidden(this.code) {
            return None;
        }
        let (Some(kind), Some(value)) = (counter_type(this.code), this.field) else {
            context.fault(Fault::UnknownType);
            return None;
        };
        let name = match context.names.name(&self.machine, this.title) {
            Some(name) => name.to_owned(),
            None => {
                context.fault(Fault::UnnamedIndex);
                this.title.to_string()
            }
        };
        if self.counter.as_ref().is_some_and(|wanted| fold(&name) != *wanted) {
            return None;
        }
        let base = next.filter(|next| is_hidden(next.code)).and_then(|next| next.field);
        let needs_base = kind.rule.has_base() || kind.rule.is_multi();
        if needs_base && base.is_none() {
            context.fault(Fault::NoBase);
            return None;
        }
        if kind.rule.is_multi() {
            context.faults.add_once(Fault::AssumedMultiTimer, context.at);
        }
        Some(Definition {
            name,
            kind,
            clock: clock(this.code),
            value,
            base: base.filter(|_| needs_base),
            scale: this.scale,
            number: number as u32,
        })
    }

    fn read_only(
        &mut self,
        data: &[u8],
        item: u32,
        clocks: &Clocks,
        context: &mut Context<'_>,
    ) -> Option<()> {
        let slot = match self.only {
            Some(slot) => slot,
            None => {
                let slot = self.add_slot(None, item, clocks, context);
                *self.only.insert(slot)
            }
        };
        let block = counter_block(data)?;
        self.read_counters(slot, block, clocks, context)
    }

    #[expect(clippy::too_many_arguments)]
    fn read_instances(
        &mut self,
        data: &[u8],
        count: i32,
        is_unicode: bool,
        item: u32,
        clocks: &Clocks,
        parents: &mut Parents<'_>,
        context: &mut Context<'_>,
    ) -> Option<()> {
        self.instances.begin();
        let mut rest = data;
        let mut key_bytes = 0;
        let mut whole = Some(());
        for _ in 0..count {
            let instance = RawInstance::read(rest)?;
            let after = rest.get(instance.length..)?;
            let block = counter_block(after)?;
            rest = &after[block.len()..];
            let mut key = std::mem::take(&mut self.key);
            key.clear();
            instance.write_key(&mut key, parents, is_unicode);
            // Crafted parents with long names would multiply.
            key_bytes += key.len();
            if key_bytes > data.len() {
                return None;
            }
            let slot = match self.instances.next(&key, || text(&key)) {
                Found::Slot(slot) => slot,
                Found::New(ordinal) => {
                    let name = numbered(&text(&key), ordinal);
                    instance.tell_assumptions(parents, is_unicode, context);
                    let slot = self.add_slot(Some(&name), item, clocks, context);
                    self.instances.put(slot);
                    slot
                }
            };
            self.key = key;
            if self.read_counters(slot, block, clocks, context).is_none() {
                whole = None;
            }
        }
        whole
    }

    fn add_slot(
        &mut self,
        instance: Option<&str>,
        item: u32,
        clocks: &Clocks,
        context: &mut Context<'_>,
    ) -> u32 {
        let first = self.cells.len() as u32;
        let is_asked = match (&self.instance, instance) {
            (Some(wanted), Some(name)) => fold(name) == *wanted,
            _ => true,
        };
        for (number, definition) in self.definitions.iter().enumerate().filter(|_| is_asked) {
            let series = Series {
                path: path(&self.machine, &self.name, instance, &definition.name),
                counter_type: definition.kind,
                scale: definition.scale,
                time_base: clocks.of(definition.clock).1,
                item,
                counter: (self.index << 16) | (definition.number & 0xFFFF),
            };
            let registry = &mut *context.registry;
            if let Some(series) = registry.number(series, context.seen, context.at, context.faults)
            {
                self.cells.push(Cell { definition: number as u32, series });
            }
        }
        self.slots.push(first..self.cells.len() as u32);
        (self.slots.len() - 1) as u32
    }

    fn read_counters(
        &self,
        slot: u32,
        block: &[u8],
        clocks: &Clocks,
        context: &mut Context<'_>,
    ) -> Option<()> {
        let range = self.slots[slot as usize].clone();
        let mut whole = Some(());
        for cell in &self.cells[range.start as usize..range.end as usize] {
            let definition = &self.definitions[cell.definition as usize];
            let rule = definition.kind.rule;
            let (time, frequency) = clocks.of(definition.clock);
            let base = match definition.base {
                Some(field) => field.read(block),
                None => Some(time),
            };
            let (Some(first), Some(base)) = (definition.value.read(block), base) else {
                whole = None;
                continue;
            };
            let raw = if rule.is_multi() {
                Raw { first, second: time, multi: base }
            } else {
                Raw { first, second: base, multi: 1 }
            };
            context.deliver(cell.series, rule, raw, frequency);
        }
        whole
    }
}

fn is_concatenation(whole: &[u8], parts: [&[u8]; 3]) -> bool {
    let mut rest = whole;
    for part in parts {
        match rest.strip_prefix(part) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty() && !whole.is_empty()
}
