//! Blocks of whole objects: PERF_DATA_BLOCK of winperf.h, as Windows hands it to its readers.

use std::ops::Range;

use super::case::fold;
use super::catalogue::Item;
use super::clock::{Source, system_time};
use super::context::Context;
use super::faults::Fault;
use super::objects::{Clocks, Object};
use super::raw_instances::{Parents, Place};
use crate::bytes::{i64_at, len_at, text, u16_at, u32_at};

const SIGNATURE: [u8; 8] = *b"P\0E\0R\0F\0";
const OBJECT_HEADER: usize = 0x40;

/// Reads the data blocks of one item through the whole log.
#[derive(Debug, Default)]
pub struct PerfData {
    /// Numbers of the objects' names, as in the sample before.
    titles: Vec<u32>,
    objects: Vec<Object>,
    places: Vec<Place>,
}

impl PerfData {
    /// None where the block ends before its parts do.
    pub fn read(
        &mut self,
        block: &[u8],
        item: &Item,
        number: u32,
        context: &mut Context<'_>,
    ) -> Option<()> {
        if !block.starts_with(&SIGNATURE) {
            return None;
        }
        let clocks = Clocks {
            performance: (i64_at(block, 0x38)?, i64_at(block, 0x40)?),
            system: (i64_at(block, 0x48)?, 10_000_000),
            object: (0, 0),
        };
        see_times(block, clocks.system.0, context);
        let whole = self.find_objects(block)?;
        self.choose(block, item, context);
        let Self { objects, places, .. } = self;
        let mut parents = Parents::new(block, places);
        for (object, place) in objects.iter_mut().zip(places.iter()) {
            let bytes = &block[place.range.clone()];
            object.read(bytes, number, &clocks, &mut parents, context)?;
        }
        whole.then_some(())
    }

    /// Finds where each object lies; false where the last ones are cut.
    fn find_objects(&mut self, block: &[u8]) -> Option<bool> {
        let mut at = len_at(block, 0x18)?;
        let count = len_at(block, 0x1c)?;
        self.places.clear();
        for _ in 0..count {
            let Some(range) = object_range(block, at) else { return Some(false) };
            let title = u32_at(block, at + 0x0c)?;
            at = range.end;
            self.places.push(Place { title, range });
        }
        Some(true)
    }

    /// Decides, whenever other objects come, which of them the item means.
    ///
    /// The system adds the objects on which others hang (Process to Thread): those give names only.
    fn choose(&mut self, block: &[u8], item: &Item, context: &mut Context<'_>) {
        if self.titles.iter().eq(self.places.iter().map(|place| &place.title)) {
            return;
        }
        self.titles = self.places.iter().map(|place| place.title).collect();
        let machine = super::series::machine(item, &block_machine(block));
        let names: Vec<Option<String>> = self
            .titles
            .iter()
            .map(|&title| context.names.name(&machine, title).map(str::to_owned))
            .collect();
        let wanted = fold(&item.object);
        let is_meant = |name: &Option<String>| name.as_ref().is_some_and(|n| fold(n) == wanted);
        let any_meant = names.iter().any(is_meant);
        if names.len() > 1 || !any_meant {
            context.fault(Fault::AssumedObjectChoice);
        }
        self.objects = names
            .into_iter()
            .enumerate()
            .map(|(index, name)| {
                let shown = is_meant(&name) || !any_meant;
                // An object that the name table lacks is the item's own where it is alone.
                let name = name.unwrap_or_else(|| {
                    if self.titles.len() == 1 {
                        item.object.clone()
                    } else {
                        self.titles[index].to_string()
                    }
                });
                Object::new(index as u32, machine.clone(), name, item, shown)
            })
            .collect();
    }
}

fn object_range(block: &[u8], at: usize) -> Option<Range<usize>> {
    let end = at.checked_add(len_at(block, at)?)?;
    (end >= at + OBJECT_HEADER && end <= block.len()).then_some(at..end)
}

fn block_machine(block: &[u8]) -> String {
    let found = || {
        let length = len_at(block, 0x50)?;
        let at = len_at(block, 0x54)?;
        let bytes = block.get(at..at.checked_add(length)?)?;
        Some(text(bytes).trim_end_matches('\0').to_owned())
    };
    found().unwrap_or_default()
}

fn see_times(block: &[u8], utc: i64, context: &mut Context<'_>) {
    let mut fields = [0; 8];
    for (number, field) in fields.iter_mut().enumerate() {
        *field = u16_at(block, 0x24 + 2 * number).unwrap_or_default();
    }
    if let Some(local) = system_time(fields) {
        context.see_both_times(local, utc, Source::DataBlock);
    }
}
