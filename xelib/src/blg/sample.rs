//! A sample: one block per item of the catalogue.

use super::catalogue::Item;
use super::context::Context;
use super::counters::{Many, One};
use super::faults::Fault;
use super::perf_data::PerfData;
use crate::bytes::len_at;

const MAGIC: [u8; 2] = *b"BL";
const HEADER: usize = 8;

/// Reads the blocks of one item through the whole log.
#[derive(Debug, Default)]
pub struct ItemReader {
    item: Item,
    number: u32,
    one: One,
    many: Many,
    perf_data: PerfData,
}

impl ItemReader {
    pub fn new(number: usize, item: Item) -> Self {
        Self { item, number: number as u32, ..Self::default() }
    }

    fn read(&mut self, kind: u8, block: &[u8], context: &mut Context<'_>) -> bool {
        match kind {
            1 => self.one.read(block, &self.item, self.number, context),
            2 => self.many.read(block, &self.item, self.number, context),
            5 => self.perf_data.read(block, &self.item, self.number, context),
            _ => {
                context.fault(Fault::UnknownBlock);
                Some(())
            }
        }
        .is_some()
    }
}

/// Reads a whole sample; false where it does not begin like one.
pub fn read_sample(record: &[u8], items: &mut [ItemReader], context: &mut Context<'_>) -> bool {
    let Some(length) = len_at(record, 4).filter(|_| record.starts_with(&MAGIC)) else {
        return false;
    };
    if length > record.len() || length < HEADER {
        context.fault(Fault::BadSample);
    }
    let mut rest = &record[HEADER..length.clamp(HEADER, record.len())];
    let mut blocks = 0;
    while rest.len() >= HEADER {
        let length = len_at(rest, 4).unwrap_or_default();
        let is_block = rest.starts_with(&MAGIC) && length >= HEADER && length <= rest.len();
        if !is_block {
            context.fault(Fault::BadSample);
            break;
        }
        if let Some(item) = items.get_mut(blocks)
            && !item.read(rest[3], &rest[HEADER..length], context)
        {
            context.fault(Fault::BadBlock);
        }
        blocks += 1;
        rest = &rest[length..];
    }
    if blocks != items.len() {
        context.fault(Fault::BlockCount);
    }
    true
}
