//! Blocks of a file in, slabs of rows out.

use memchr::{memchr, memrchr};

use super::chunk::Chunk;
use super::faults::{Faults, Tally};
use super::long::Plan;
use super::rows::Layout;
use super::utf16::{self, CodeUnits};

/// Fewest bytes for which a second thread pays.
const WORTH_A_THREAD: usize = 1 << 19;

/// Chunks of fewer values are added to the chunk before them.
const SMALL_CHUNK: usize = 1 << 12;

/// How to decode.
#[derive(Debug, Clone)]
pub struct Options {
    pub layout: Layout,
    pub units: CodeUnits,
    pub threads: usize,
    /// Longer lines are torn rows.
    pub max_line: usize,
    /// Number of the first row fed: good rows of the log before it.
    pub first_row: usize,
}

/// Decodes the rows after the header, fed in blocks of any size.
#[derive(Debug)]
pub struct Decoder {
    options: Options,
    /// Rows of the slab that is being collected.
    held: Vec<Chunk>,
    spare: Vec<Chunk>,
    held_rows: usize,
    first_row: usize,
    /// Start of a line whose end has not been fed yet.
    carry: Vec<u8>,
    /// Position of the first unit of `carry`, or of the next unit when it is empty.
    at: u64,
    /// A line outgrew `max_line`: everything up to its end is skipped.
    skipping: bool,
    stopped: bool,
    odd_byte: Option<u8>,
    faults: Faults,
}

impl Decoder {
    pub fn new(options: Options) -> Self {
        Self {
            first_row: options.first_row,
            options,
            held: Vec::new(),
            spare: Vec::new(),
            held_rows: 0,
            carry: Vec::new(),
            at: 0,
            skipping: false,
            stopped: false,
            odd_byte: None,
            faults: Faults::default(),
        }
    }

    /// Cells of the rows that are held for the next slab.
    pub fn held_cells(&self) -> usize {
        self.held_rows * self.width().max(1)
    }

    /// How many series are decoded.
    pub fn width(&self) -> usize {
        self.options.layout.wanted.len()
    }

    /// Rows held for the next slab.
    pub fn held_rows(&self) -> usize {
        self.held_rows
    }

    /// Number of the first row of the next slab, from 0, good rows only.
    pub fn first_row(&self) -> usize {
        self.first_row
    }

    /// Bytes on disk per position in [`Faults`].
    pub fn unit_bytes(&self) -> u64 {
        match self.options.units {
            CodeUnits::Bytes => 1,
            CodeUnits::Utf16 { .. } => 2,
        }
    }

    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// True when nothing that follows can be part of this log.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Decodes the next bytes of the file.
    pub fn feed(&mut self, block: &[u8]) {
        match self.options.units {
            CodeUnits::Bytes => self.feed_units(block),
            CodeUnits::Utf16 { big_endian } => {
                let mut narrow = Vec::with_capacity(block.len() / 2 + 1);
                let mut rest = block;
                if let (Some(odd), Some((&first, others))) = (self.odd_byte, block.split_first()) {
                    utf16::narrow(&[odd, first], big_endian, &mut narrow);
                    self.odd_byte = None;
                    rest = others;
                }
                utf16::narrow(rest, big_endian, &mut narrow);
                if rest.len() % 2 == 1 {
                    self.odd_byte = rest.last().copied();
                }
                self.feed_units(&narrow);
            }
        }
    }

    /// Decodes what is left when the file ends without a line end.
    ///
    /// Such a last row counts only when its last cell is known to be whole: closed by a quote, or
    /// followed by the first half of a line end.
    pub fn finish(&mut self) {
        if self.odd_byte.take().is_some() {
            // Half a character: no number, so that the row cannot pass for a whole one.
            self.feed_units(&[0x1A]);
        }
        let line = std::mem::take(&mut self.carry);
        if line.is_empty() || self.stopped {
            return;
        }
        let before = self.held_rows;
        let at = self.at;
        if line.ends_with(b"\"") || line.ends_with(b"\r") {
            self.decode(&line, at);
            if self.held_rows > before {
                self.faults.no_line_end.add(at);
            }
        } else {
            let mut chunk = self.spare.pop().unwrap_or_default();
            self.options.layout.decode(&line, at, &mut chunk);
            if !chunk.times.is_empty() {
                self.faults.torn_row.add(at);
            } else {
                self.note(&chunk.faults);
            }
        }
        self.at += line.len() as u64;
    }

    /// The rows held, to be turned to long form; [`Decoder::drop_held`] then makes room.
    pub fn plan(&self) -> Plan<'_> {
        Plan::new(&self.held, self.width(), self.first_row as i32)
    }

    /// Local times of the rows held, microseconds since 1970-01-01.
    pub fn times(&self) -> impl Iterator<Item = i64> + '_ {
        self.held.iter().flat_map(|chunk| chunk.times.iter().copied())
    }

    /// Forgets the rows held; the next slab begins.
    pub fn drop_held(&mut self) {
        for mut chunk in self.held.drain(..) {
            chunk.clear();
            self.spare.push(chunk);
        }
        self.first_row += self.held_rows;
        self.held_rows = 0;
    }

    fn feed_units(&mut self, block: &[u8]) {
        if self.stopped {
            return;
        }
        let mut block = block;
        if self.skipping || !self.carry.is_empty() {
            let Some(end) = memchr(b'\n', block) else {
                return self.carry_over(block);
            };
            let (line_end, rest) = block.split_at(end + 1);
            self.complete_line(line_end);
            block = rest;
        }
        let whole = memrchr(b'\n', block).map_or(0, |end| end + 1);
        self.decode(&block[..whole], self.at);
        self.at += whole as u64;
        if !self.stopped {
            self.carry_over(&block[whole..]);
        }
    }

    fn carry_over(&mut self, part: &[u8]) {
        if self.skipping {
            self.at += part.len() as u64;
        } else if self.carry.len() + part.len() > self.options.max_line {
            self.faults.torn_row.add(self.at);
            self.at += (self.carry.len() + part.len()) as u64;
            self.carry = Vec::new();
            self.skipping = true;
        } else {
            self.carry.extend_from_slice(part);
        }
    }

    fn complete_line(&mut self, line_end: &[u8]) {
        if self.skipping {
            self.skipping = false;
            self.at += line_end.len() as u64;
            return;
        }
        let mut line = std::mem::take(&mut self.carry);
        line.extend_from_slice(line_end);
        self.decode(&line, self.at);
        self.at += line.len() as u64;
        line.clear();
        self.carry = line;
    }

    fn decode(&mut self, text: &[u8], at: u64) {
        if text.is_empty() || self.stopped {
            return;
        }
        let parts = parts(text, self.options.threads);
        let layout = &self.options.layout;
        let mut chunks: Vec<Chunk> =
            parts.iter().map(|_| self.spare.pop().unwrap_or_default()).collect();
        std::thread::scope(|scope| {
            let mut start = at;
            let last = parts.len() - 1;
            for (i, (part, chunk)) in parts.iter().zip(&mut chunks).enumerate() {
                let begin = start;
                start += part.len() as u64;
                if i == last {
                    layout.decode(part, begin, chunk);
                } else {
                    scope.spawn(move || layout.decode(part, begin, chunk));
                }
            }
        });
        for chunk in chunks {
            self.hold(chunk);
        }
    }

    fn hold(&mut self, mut chunk: Chunk) {
        if self.stopped {
            chunk.clear();
        }
        self.stopped |= chunk.stopped;
        self.note(&chunk.faults);
        self.held_rows += chunk.times.len();
        match self.held.last_mut() {
            // Lines fed one by one must not become chunks of one row.
            Some(last) if chunk.values.len() < SMALL_CHUNK => {
                last.times.extend_from_slice(&chunk.times);
                last.values.extend_from_slice(&chunk.values);
                chunk.clear();
                self.spare.push(chunk);
            }
            _ => self.held.push(chunk),
        }
    }

    fn note(&mut self, faults: &Faults) {
        let mut faults = *faults;
        if self.first_row + self.held_rows > 0 {
            faults.no_date = Tally::default();
        }
        self.faults.append(&faults);
    }
}

/// Cuts `text` after line ends into up to `threads` parts of about the same size.
fn parts(text: &[u8], threads: usize) -> Vec<&[u8]> {
    let count = (text.len() / WORTH_A_THREAD).clamp(1, threads.max(1));
    let share = text.len().div_ceil(count);
    let mut parts = Vec::with_capacity(count);
    let mut rest = text;
    while rest.len() > share {
        let Some(end) = memchr(b'\n', &rest[share..]) else {
            break;
        };
        let (part, others) = rest.split_at(share + end + 1);
        parts.push(part);
        rest = others;
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

#[cfg(test)]
mod tests;
