//! Extended Events files of a few kilobytes, made by hand: what every test here starts from.

#![allow(dead_code)] // each test crate uses its part

use std::io;

use xelib::xel::{Batch, Options, Pace, ReadError, Reader, Selection, Source};

pub const SECTOR: usize = 512;
pub const NUMBERED: u32 = 0x0000_0400;
pub const STACKED: u32 = 0x0000_0800;
pub const WHO: u32 = 0x1000_0400;
const RUN: [u8; 16] = [0x52; 16];
/// 2024-01-01, UTC.
pub const TIME_BASE: u64 = 133_485_408_000_000_000;

pub fn zstr(text: &str) -> Vec<u8> {
    text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
}

fn event(id: u32, name: &str, columns: &[(u32, &str, u16)]) -> Vec<u8> {
    let mut bytes = [&10u32.to_le_bytes()[..], &id.to_le_bytes()].concat();
    bytes.extend(zstr(name));
    bytes.extend(zstr("an event"));
    for n in [1, 1, columns.len() as u16, 1] {
        bytes.extend(n.to_le_bytes());
    }
    bytes.extend(0x6000_4000u32.to_le_bytes());
    bytes.extend(zstr("UUID"));
    bytes.extend([7; 16]);
    bytes.extend(zstr(""));
    bytes.extend(0x6000_6800u32.to_le_bytes());
    bytes.extend(zstr("collect_text"));
    bytes.extend([0; 24]);
    bytes.extend(zstr(""));
    for (type_id, name, offset) in columns {
        bytes.extend(type_id.to_le_bytes());
        bytes.extend(zstr(name));
        bytes.extend(offset.to_le_bytes());
        bytes.extend(0u16.to_le_bytes());
        bytes.extend(zstr("a column"));
    }
    bytes
}

fn map(id: u32, flags: u16, texts: &[(u32, &str)]) -> Vec<u8> {
    let mut bytes = [&[0, 0][..], &flags.to_le_bytes(), &id.to_le_bytes()].concat();
    bytes.extend(zstr("a map"));
    bytes.extend(zstr(""));
    bytes.push(4);
    bytes.extend((texts.len() as u16).to_le_bytes());
    for (key, text) in texts {
        bytes.extend(key.to_le_bytes());
        bytes.extend(zstr(text));
    }
    bytes
}

fn type_(index: u32, name: &str, size: u8) -> Vec<u8> {
    let id = 0x6000_0000 | index << 10;
    [&[0; 4][..], &id.to_le_bytes(), &zstr(name), &zstr(""), &[size]].concat()
}

/// The definitions of two events, an action, two maps and the types that they need.
pub fn metadata() -> Vec<u8> {
    let events = [
        event(
            NUMBERED,
            "numbered",
            &[
                (0x6000_1C00, "number", 0),
                (0x6000_5000, "text", 4),
                (0x3000_0000, "state", 12),
                (0x3000_0400, "bits", 16),
            ],
        ),
        event(
            STACKED,
            "stacked",
            &[(0x6000_5C00, "stack", 0), (0x6000_5400, "guid", 8), (0x6000_5800, "data", 16)],
        ),
    ];
    let action = [&[0; 4][..], &WHO.to_le_bytes(), &zstr("who"), &zstr("an action")].concat();
    let action = [&action[..], &0x6000_1C00u32.to_le_bytes(), &[0; 8]].concat();
    let maps = [
        map(0x3000_0000, 0, &[(1, "on"), (0, "off")]),
        map(0x3000_0400, 0x100, &[(1, "a"), (2, "b"), (0x8000_0000, "top")]),
    ];
    let types = [
        (7, "uint32", 4),
        (13, "ptr", 8),
        (16, "guid_ptr", 8),
        (20, "unicode_string", 0),
        (21, "guid", 0),
        (22, "binary_data", 0),
        (23, "callstack", 0),
        (26, "boolean", 1),
    ];
    let types: Vec<_> = types.iter().map(|&(index, name, size)| type_(index, name, size)).collect();
    let mut bytes =
        [&10u16.to_le_bytes()[..], &[0; 4], &RUN, &[0, 0, 1, 0, 0, 0, 0, 0, 0, 0]].concat();
    bytes.extend(TIME_BASE.to_le_bytes());
    bytes.extend(10_000_000u64.to_le_bytes());
    bytes.extend([10, 0, 0, 4]);
    bytes.extend(0x8000_0000u32.to_le_bytes());
    bytes.extend(zstr("sample"));
    bytes.extend(zstr(""));
    bytes.extend([1; 32]);
    bytes.extend([0; 2]);
    bytes.extend([1, 0, 0, 0]);
    bytes.extend([0; 12]);
    let mut list = |objects: &[Vec<u8>]| {
        bytes.extend((objects.len() as u32).to_le_bytes());
        objects.iter().for_each(|object| bytes.extend(object));
    };
    list(&events);
    list(&[action]);
    list(&maps);
    list(&types);
    bytes.extend([0xEE; 3]);
    let length = bytes.len() as u32;
    bytes[2..6].copy_from_slice(&length.to_le_bytes());
    bytes
}

pub fn record(event: u32, ticks: i64, payload: &[u8], actions: &[(u32, &[u8])]) -> Vec<u8> {
    let follow = if actions.is_empty() { 0 } else { 1u32 << 31 };
    let mut bytes = [event.to_le_bytes(), (10 | follow).to_le_bytes(), [0; 4]].concat();
    bytes.extend(ticks.to_le_bytes());
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend(payload);
    for (id, value) in actions {
        bytes.extend(id.to_le_bytes());
        bytes.extend((value.len() as u32).to_le_bytes());
        bytes.extend(*value);
    }
    if follow != 0 {
        bytes.extend(0x6000_0000u64.to_le_bytes());
    }
    bytes
}

/// Event number `n`, with its number as text, and the action on every other.
pub fn numbered(n: u32) -> Vec<u8> {
    let text: Vec<u8> = n.to_string().encode_utf16().flat_map(u16::to_le_bytes).collect();
    let words = [n, 20, text.len() as u32, n % 3, n % 8];
    let mut payload: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    payload.extend(text);
    let who = n.to_le_bytes();
    let actions = [(WHO, &who[..])];
    record(NUMBERED, i64::from(n) - 2, &payload, if n.is_multiple_of(2) { &actions } else { &[] })
}

pub fn stacked(frames: &[u64]) -> Vec<u8> {
    let stack: Vec<u8> = frames.iter().flat_map(|frame| frame.to_le_bytes()).collect();
    let words = [24, stack.len() as u32, 0, 0, 24, 4.min(stack.len() as u32)];
    let mut payload: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    payload.extend(stack);
    record(STACKED, 5, &payload, &[])
}

pub fn checksum(payload: &[u8]) -> u32 {
    payload[payload.len().saturating_sub(1024)..].iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 }
        })
    })
}

fn block(block_type: u16, sequence: u32, run: &[u8; 16], payload: &[u8]) -> Vec<u8> {
    let begin = if block_type == 1 { 0x4C } else { 0x4D };
    let total = (begin + payload.len()).next_multiple_of(SECTOR);
    let mut bytes = vec![0; total];
    bytes[0x08..0x0C].copy_from_slice(&sequence.to_le_bytes());
    bytes[0x0C] = 10;
    bytes[0x0E..0x10].copy_from_slice(&block_type.to_le_bytes());
    bytes[0x10..0x14].copy_from_slice(&(total as u32).to_le_bytes());
    bytes[0x16] = begin as u8;
    bytes[0x18..0x1C].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    bytes[0x1C..0x20].copy_from_slice(&checksum(payload).to_le_bytes());
    bytes[0x20..0x30].copy_from_slice(run);
    bytes[0x4C] = 0xCC;
    bytes[begin..begin + payload.len()].copy_from_slice(payload);
    bytes
}

pub fn metadata_block(payload: &[u8]) -> Vec<u8> {
    block(1, u32::MAX, &[0; 16], payload)
}

pub fn data_block(sequence: u32, records: &[Vec<u8>]) -> Vec<u8> {
    block(0, sequence, &RUN, &records.concat())
}

/// Header and metadata.
pub fn head() -> Vec<u8> {
    let mut bytes = vec![0; SECTOR];
    bytes[..8].copy_from_slice(&[0x5A, 0x37, 0xAB, 0xEF, 10, 0, 0x00, 0x02]);
    bytes[8..24].fill(0xF1);
    bytes.extend(metadata_block(&metadata()));
    bytes
}

/// A file of `blocks` blocks of `events` numbered events each.
pub fn file(blocks: u32, events: u32) -> Vec<u8> {
    let mut bytes = head();
    for block in 0..blocks {
        let records: Vec<_> = (0..events).map(|n| numbered(block * events + n)).collect();
        bytes.extend(data_block(block + 1, &records));
    }
    bytes
}

/// Bytes in memory, given in pieces of any size.
pub struct Bytes {
    pub bytes: Vec<u8>,
    pub at: usize,
    pub piece: usize,
}

impl Source for Bytes {
    fn read(&mut self, limit: usize, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let end = self.bytes.len().min(self.at + limit.min(self.piece));
        buffer.extend_from_slice(&self.bytes[self.at..end]);
        let read = end - self.at;
        self.at = end;
        Ok(read)
    }
}

pub fn open(bytes: &[u8], live: bool, piece: usize) -> Result<Reader, ReadError> {
    let source = Bytes { bytes: bytes.to_vec(), at: 0, piece };
    let selection = Selection { positions: true, ..Selection::default() };
    Reader::open(Box::new(source), Options { selection, threads: 2, live, pace: Pace::default() })
}

/// Numbers, offsets and faults (kind, offset) of what a file gives.
#[derive(Debug, Default, PartialEq)]
pub struct Given {
    pub numbers: Vec<u32>,
    pub faults: Vec<(&'static str, u64)>,
}

pub fn given(bytes: &[u8]) -> Given {
    let mut reader = open(bytes, false, usize::MAX).unwrap();
    drain(&mut reader)
}

pub fn drain(reader: &mut Reader) -> Given {
    let mut given = Given::default();
    while let Some(batches) = reader.next_group().unwrap() {
        for batch in batches.iter().filter(|batch| batch.plan.event.0 == NUMBERED) {
            given.numbers.extend(column(batch, "number"));
        }
    }
    let faults = reader.faults().list().iter();
    given.faults = faults.map(|fault| (fault.kind.name(), fault.offset)).collect();
    given.faults.sort_by_key(|&(_, offset)| offset);
    given
}

/// Values of a column of 32-bit numbers.
pub fn column(batch: &Batch, name: &str) -> Vec<u32> {
    let at = batch.plan.outputs.iter().position(|output| output.name == name).unwrap();
    let bytes = batch.columns[5 + at].values.first();
    let (words, _) = bytes.map_or(&[][..], |bytes| bytes).as_chunks::<4>();
    words.iter().map(|&word| u32::from_le_bytes(word)).collect()
}
