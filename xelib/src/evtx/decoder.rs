//! Blocks of a file to columns.

use super::chunk::{self, Record, Records, State};
use super::columns::Columns;
use super::event::Event;
use super::expansion::Templates;
use crate::bytes::{u16_at, u32_at};

const MAGIC: &[u8; 8] = b"ElfFile\0";
const HEAD: usize = 128;
/// Flag of a file: it was not closed, and what is in it may be newer than its checksums.
const DIRTY: u32 = 1;

/// Something that came again and again: how often, and where in the file first.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Met {
    pub count: u64,
    pub first: Option<u64>,
}

impl Met {
    fn meet(&mut self, offset: u64) {
        self.count += 1;
        self.first.get_or_insert(offset);
    }
}

/// What was met in the whole log.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Records that cannot be read, and chunks that do not begin as such.
    pub unread: Met,
    /// Chunks that are not as they were when their checksums were written.
    pub changed: Met,
    /// Records whose head has another time than their event.
    pub moved: u64,
}

/// The file does not begin as an event log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoEventLog;

/// What the file goes on with.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Part {
    #[default]
    Head,
    /// So many bytes up to the first chunk.
    Unused(usize),
    Chunk,
}

#[derive(Debug, Default)]
pub struct Decoder {
    part: Part,
    /// What is there of a part that is not whole yet, and where in the file it begins.
    held: Vec<u8>,
    offset: u64,
    has_checksums: bool,
    counts: Counts,
    templates: Templates,
    event: Event,
    columns: Columns,
}

impl Decoder {
    /// Decodes the next block, of any size.
    ///
    /// # Errors
    ///
    /// It is no event log.
    pub fn feed(&mut self, mut block: &[u8]) -> Result<(), NoEventLog> {
        loop {
            let wanted = self.wanted();
            if self.held.is_empty()
                && let Some((part, rest)) = block.split_at_checked(wanted)
            {
                block = rest;
                self.take_part(part)?;
                continue;
            }
            let (missing, rest) = block.split_at(block.len().min(wanted - self.held.len()));
            self.held.extend_from_slice(missing);
            block = rest;
            if self.held.len() < wanted {
                return Ok(());
            }
            let mut part = std::mem::take(&mut self.held);
            self.take_part(&part)?;
            part.clear();
            self.held = part;
        }
    }

    /// Tells that the file has ended.
    ///
    /// # Errors
    ///
    /// It is no event log.
    pub fn finish(&mut self) -> Result<(), NoEventLog> {
        let part = std::mem::take(&mut self.held);
        match self.part {
            Part::Head => Err(NoEventLog),
            Part::Chunk if !part.is_empty() => self.take_part(&part),
            _ => Ok(()),
        }
    }

    /// Gives the events since they were taken last.
    pub fn take(&mut self) -> Columns {
        let columns = std::mem::take(&mut self.columns);
        self.counts.moved += columns.moved;
        columns
    }

    /// Events that are held, and about how many bytes.
    pub fn held(&self) -> (usize, usize) {
        (self.columns.rows, self.columns.size())
    }

    /// What was met up to what was taken last.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    fn wanted(&self) -> usize {
        match self.part {
            Part::Head => HEAD,
            Part::Unused(bytes) => bytes,
            Part::Chunk => chunk::SIZE,
        }
    }

    fn take_part(&mut self, part: &[u8]) -> Result<(), NoEventLog> {
        self.part = match self.part {
            Part::Head => self.head(part)?,
            Part::Unused(_) => Part::Chunk,
            Part::Chunk => {
                self.chunk(part);
                Part::Chunk
            }
        };
        self.offset += part.len() as u64;
        Ok(())
    }

    fn head(&mut self, head: &[u8]) -> Result<Part, NoEventLog> {
        let size = u16_at(head, 40).map(usize::from).filter(|&size| size >= HEAD);
        let flags = u32_at(head, 120).unwrap_or_default();
        self.has_checksums = flags & (DIRTY | chunk::NO_CHECKSUMS) == 0;
        match size {
            _ if !head.starts_with(MAGIC) => Err(NoEventLog),
            None => Err(NoEventLog),
            Some(HEAD) => Ok(Part::Chunk),
            Some(size) => Ok(Part::Unused(size - HEAD)),
        }
    }

    fn chunk(&mut self, chunk: &[u8]) {
        match chunk::state(chunk) {
            State::Empty => return,
            State::Unreadable => return self.counts.unread.meet(self.offset),
            State::Written => {}
        }
        // Of a part of a chunk there is none.
        if self.has_checksums && chunk.len() == chunk::SIZE && !chunk::is_intact(chunk) {
            self.counts.changed.meet(self.offset);
        }
        self.templates.clear();
        for found in Records::new(chunk) {
            match found {
                Ok(record) if self.expand(chunk, record.begin, record.end) => {
                    self.columns.push(&self.event, record.number, record.written);
                }
                Ok(Record { at, .. }) | Err(at) => {
                    self.counts.unread.meet(self.offset + at as u64);
                }
            }
        }
    }

    /// Tells whether the binary XML of a record is an event that can be read.
    fn expand(&mut self, chunk: &[u8], begin: usize, end: usize) -> bool {
        self.event.clear();
        let expanded = self.templates.expand(chunk, begin, end, &mut self.event);
        expanded.is_some() && self.event.is_event()
    }
}
