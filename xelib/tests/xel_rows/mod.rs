//! Rows of batches, comparable whatever the batches: what a file gives, read in one way or another.

#![allow(dead_code)] // each test crate uses its part

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use xelib::xel::{
    Batch, Buffers, Fault, Options, Pace, Position, ReadAt, ReadError, Reader, Selection, Source,
};

/// Bytes in memory that can be read at any offset.
pub struct Anywhere {
    bytes: Arc<Vec<u8>>,
    at: usize,
    read: Arc<AtomicUsize>,
}

struct At {
    bytes: Arc<Vec<u8>>,
    read: Arc<AtomicUsize>,
}

impl Anywhere {
    pub fn new(bytes: &Arc<Vec<u8>>) -> Self {
        Self { bytes: bytes.clone(), at: 0, read: Arc::default() }
    }

    /// Counts the bytes that are read.
    pub fn counter(&self) -> Arc<AtomicUsize> {
        self.read.clone()
    }
}

impl Source for Anywhere {
    fn read(&mut self, limit: usize, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let end = self.bytes.len().min(self.at + limit);
        buffer.extend_from_slice(&self.bytes[self.at..end]);
        let read = end - self.at;
        self.at = end;
        self.read.fetch_add(read, Ordering::Relaxed);
        Ok(read)
    }

    fn skip(&mut self, bytes: u64) -> io::Result<u64> {
        let skipped = ((self.bytes.len() - self.at) as u64).min(bytes);
        self.at += skipped as usize;
        Ok(skipped)
    }

    fn positioned(&self) -> Option<Arc<dyn ReadAt>> {
        Some(Arc::new(At { bytes: self.bytes.clone(), read: self.read.clone() }))
    }
}

impl ReadAt for At {
    fn size(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let from = (offset as usize).min(self.bytes.len());
        let bytes = &self.bytes[from..self.bytes.len().min(from + buffer.len())];
        self.read.fetch_add(bytes.len(), Ordering::Relaxed);
        buffer[..bytes.len()].copy_from_slice(bytes);
        Ok(bytes.len())
    }
}

/// An event: its position in the file, its name, and the bytes of all its values.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    pub seq: i64,
    pub event: String,
    pub values: Vec<Option<Vec<u8>>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub rows: Vec<Row>,
    pub faults: Vec<Fault>,
    pub position: Position,
}

/// How to read.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// Also at any offset, or only from the beginning to the end.
    pub anywhere: bool,
    pub threads: usize,
    pub pace: Pace,
    pub live: bool,
}

/// From the beginning to the end, on one thread.
pub const THROUGH: Way =
    Way { anywhere: false, threads: 1, pace: Pace { run: 4 << 20, skim: 16 << 10 }, live: false };

pub fn open(bytes: &Arc<Vec<u8>>, way: Way, events: Option<&str>) -> Result<Reader, ReadError> {
    let anywhere = Anywhere::new(bytes);
    let source: Box<dyn Source> =
        if way.anywhere { Box::new(anywhere) } else { Box::new(OneWay(anywhere)) };
    Reader::open(source, way.options(events))
}

impl Way {
    pub fn options(self, events: Option<&str>) -> Options {
        let events = events.map(|name| [name.to_owned()].into());
        let selection = Selection { events, columns: None, positions: true };
        Options { selection, threads: self.threads, live: self.live, pace: self.pace }
    }
}

struct OneWay(Anywhere);

impl Source for OneWay {
    fn read(&mut self, limit: usize, buffer: &mut Vec<u8>) -> io::Result<usize> {
        self.0.read(limit, buffer)
    }
}

/// All that a file gives; None where it is none.
pub fn told(bytes: &Arc<Vec<u8>>, way: Way, events: Option<&str>) -> Option<Told> {
    let mut reader = open(bytes, way, events).ok()?;
    Some(rest(&mut reader))
}

pub fn rest(reader: &mut Reader) -> Told {
    let mut rows = Vec::new();
    while let Ok(Some(batches)) = reader.next_group() {
        for batch in &batches {
            rows.extend((0..batch.rows).map(|row| row_of(batch, row)));
        }
    }
    rows.sort();
    let mut faults = reader.faults().list().to_vec();
    faults.sort_by_key(|fault| fault.offset);
    Told { rows, faults, position: reader.position() }
}

fn row_of(batch: &Batch, row: usize) -> Row {
    let plan = &batch.plan;
    let formats = ["l"; 5].into_iter().chain(plan.outputs.iter().map(|output| output.arrow));
    let values: Vec<_> = batch
        .columns
        .iter()
        .zip(formats)
        .map(|(column, arrow)| value(column, arrow, row))
        .collect();
    let seq = values[0].as_ref().and_then(|bytes| bytes.first_chunk()).copied();
    Row { seq: i64::from_le_bytes(seq.unwrap()), event: plan.name.clone(), values }
}

fn value(column: &Buffers, arrow: &str, row: usize) -> Option<Vec<u8>> {
    let bit = |bits: &[u8]| bits[row / 8] >> (row % 8) & 1;
    let first = column.values.first()?;
    if !column.validity.is_empty() && bit(&column.validity) == 0 {
        return None;
    }
    let range = |ends: &[u8], n: usize| {
        let (ends, _) = ends.as_chunks::<4>();
        u32::from_le_bytes(ends[n]) as usize..u32::from_le_bytes(ends[n + 1]) as usize
    };
    Some(match arrow {
        "b" => vec![bit(first)],
        "u" | "z" => column.values[1][range(first, row)].to_vec(),
        "+l" => range(first, row)
            .flat_map(|item| column.values[2][range(&column.values[1], item)].to_vec())
            .collect(),
        _ => {
            let width = match arrow {
                "c" | "C" => 1,
                "s" | "S" => 2,
                "i" | "I" | "f" => 4,
                _ => 8,
            };
            first[row * width..(row + 1) * width].to_vec()
        }
    })
}
