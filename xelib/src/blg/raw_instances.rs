//! Instances of an object as they stand in the file, and the instances on which they hang.

use std::collections::HashMap;
use std::ops::Range;

use super::context::Context;
use super::faults::Fault;
use super::instances::LONGEST_INSTANCE;
use crate::bytes::{i32_at, len_at, terminated, u32_at};

const INSTANCE: usize = 0x18;

/// Where an object lies in its data block.
#[derive(Debug, Clone)]
pub struct Place {
    pub title: u32,
    pub range: Range<usize>,
}

/// The data of an instance, PERF_COUNTER_BLOCK, its length included.
pub fn counter_block(data: &[u8]) -> Option<&[u8]> {
    let length = len_at(data, 0)?;
    if length < 4 { None } else { data.get(..length) }
}

/// An instance as it stands in the file.
#[derive(Debug)]
pub struct RawInstance<'a> {
    pub length: usize,
    parent_title: u32,
    parent_number: u32,
    unique_id: i32,
    name: &'a [u8],
}

impl<'a> RawInstance<'a> {
    /// Reads PERF_INSTANCE_DEFINITION; None where it does not hold together.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let length = len_at(bytes, 0)?;
        let own = bytes.get(..length).filter(|_| length >= INSTANCE)?;
        let name_at = len_at(own, 0x10)?;
        let name_end = name_at.checked_add(len_at(own, 0x14)?)?;
        Some(Self {
            length,
            parent_title: u32_at(own, 4)?,
            parent_number: u32_at(own, 8)?,
            unique_id: i32_at(own, 0x0c)?,
            name: own.get(name_at..name_end)?,
        })
    }

    /// The name as UTF-16, up to its terminator; a number in its place where there is none.
    fn write_name(&self, key: &mut Vec<u8>, is_unicode: bool) {
        let start = key.len();
        if is_unicode {
            match terminated(self.name, 0, LONGEST_INSTANCE) {
                Some((name, _)) => key.extend_from_slice(name),
                None => key.extend_from_slice(&self.name[..self.name.len() & !1]),
            }
        } else {
            let bytes = self.name.iter().take_while(|&&byte| byte != 0);
            key.extend(bytes.flat_map(|&byte| [byte, 0]));
        }
        if key.len() == start && self.unique_id != -1 {
            let number = self.unique_id.to_string();
            key.extend(number.encode_utf16().flat_map(u16::to_le_bytes));
        }
    }

    /// What tells the instance from others: `parent/instance` in UTF-16.
    pub fn write_key(&self, key: &mut Vec<u8>, parents: &mut Parents<'_>, is_unicode: bool) {
        if self.parent_title != 0
            && let Some(parent) = parents.name(self.parent_title, self.parent_number)
        {
            key.extend_from_slice(parent);
            key.extend_from_slice(&[b'/', 0]);
        }
        self.write_name(key, is_unicode);
    }

    #[cold]
    pub fn tell_assumptions(
        &self,
        parents: &mut Parents<'_>,
        is_unicode: bool,
        context: &mut Context<'_>,
    ) {
        if self.parent_title != 0 && parents.name(self.parent_title, self.parent_number).is_some() {
            context.faults.add_once(Fault::AssumedParentInstance, context.at);
        }
        if !is_unicode || (self.unique_id != -1 && self.name.len() <= 2) {
            context.faults.add_once(Fault::AssumedInstanceName, context.at);
        }
    }
}

/// Names of the instances on which others hang, found when they are first asked for.
#[derive(Debug)]
pub struct Parents<'a> {
    block: &'a [u8],
    places: &'a [Place],
    names: HashMap<u32, Vec<Vec<u8>>>,
}

impl<'a> Parents<'a> {
    pub fn new(block: &'a [u8], places: &'a [Place]) -> Self {
        Self { block, places, names: HashMap::new() }
    }

    fn name(&mut self, title: u32, number: u32) -> Option<&[u8]> {
        let (block, places) = (self.block, self.places);
        let names = self.names.entry(title).or_insert_with(|| {
            let place = places.iter().find(|place| place.title == title);
            place.map(|place| instance_names(&block[place.range.clone()])).unwrap_or_default()
        });
        names.get(number as usize).map(Vec::as_slice)
    }
}

fn instance_names(object: &[u8]) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    let count = i32_at(object, 0x28).unwrap_or_default();
    let is_unicode = u32_at(object, 0x2c) == Some(0);
    let mut rest = len_at(object, 4).and_then(|at| object.get(at..)).unwrap_or_default();
    for _ in 0..count {
        let Some(instance) = RawInstance::read(rest) else { break };
        let mut name = Vec::new();
        instance.write_name(&mut name, is_unicode);
        names.push(name);
        let after = rest.get(instance.length..).unwrap_or_default();
        let Some(block) = counter_block(after) else { break };
        rest = &after[block.len()..];
    }
    names
}
