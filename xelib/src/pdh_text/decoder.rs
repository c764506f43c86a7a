//! Blocks of a file in, slabs of rows out.

use memchr::{memchr, memrchr};

use super::chunk::Chunk;
use super::faults::{Faults, Tally};
use super::long::Plan;
use super::rows::Layout;
use super::utf16;

/// Fewest bytes for which a second thread pays.
const WORTH_A_THREAD: usize = 1 << 19;

/// Chunks of fewer values are added to the chunk before them.
const SMALL_CHUNK: usize = 1 << 12;

/// How the file's characters are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeUnits {
    /// One byte holds an ASCII character: UTF-8 and every ANSI code page.
    Bytes,
    Utf16 {
        big_endian: bool,
    },
}

impl CodeUnits {
    /// Gives one byte per code unit.
    pub fn narrow(self, text: &[u8]) -> Vec<u8> {
        match self {
            CodeUnits::Bytes => text.to_vec(),
            CodeUnits::Utf16 { big_endian } => {
                let mut out = Vec::with_capacity(text.len() / 2);
                utf16::narrow(text, big_endian, &mut out);
                out
            }
        }
    }
}

/// How to decode.
#[derive(Debug, Clone)]
pub struct Options {
    pub layout: Layout,
    pub units: CodeUnits,
    pub threads: usize,
    /// Longer lines are torn rows.
    pub max_line: usize,
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
            options,
            held: Vec::new(),
            spare: Vec::new(),
            held_rows: 0,
            first_row: 0,
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
mod tests {
    use super::*;
    use crate::pdh_text::long::Long;

    fn decoder(units: CodeUnits, max_line: usize, threads: usize) -> Decoder {
        let layout = Layout {
            cells: 3,
            separator: b',',
            wanted: vec![1, 2],
            header: b"\"(PDH-CSV 4.0)\",\"a\",\"b\"".to_vec(),
        };
        Decoder::new(Options { layout, units, threads, max_line })
    }

    fn bytes_decoder() -> Decoder {
        decoder(CodeUnits::Bytes, 1_000, 1)
    }

    fn rows(numbers: std::ops::Range<usize>) -> String {
        numbers
            .map(|n| format!("\"01/01/1970 00:00:{:02}.000\",\"{n}\",\" \"\r\n", n % 60))
            .collect()
    }

    fn values(decoder: &Decoder) -> Vec<f64> {
        let plan = decoder.plan();
        let n = plan.values();
        let (mut series, mut row, mut value) = (vec![0; n * 4], vec![0; n * 4], vec![0; n * 8]);
        plan.fill(Long { series: &mut series, row: &mut row, value: &mut value }, 1);
        value.as_chunks::<8>().0.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect()
    }

    fn fed(mut decoder: Decoder, data: &[u8], block: usize) -> Decoder {
        data.chunks(block).for_each(|part| decoder.feed(part));
        decoder.finish();
        decoder
    }

    #[test]
    fn blocks_of_any_size_give_the_same() {
        let text = rows(0..9) + "torn\n5,\n" + &rows(9..20) + "\"01/01/19";
        let whole = fed(bytes_decoder(), text.as_bytes(), text.len());
        assert_eq!(values(&whole), (0..20).map(|n| n as f64).collect::<Vec<_>>());
        assert_eq!(whole.faults().torn_row.count, 2);
        for block in [1, 2, 7, 50, 64] {
            let other = fed(bytes_decoder(), text.as_bytes(), block);
            assert_eq!(values(&other), values(&whole), "{block}");
            assert_eq!(other.faults(), whole.faults(), "{block}");
            assert!(other.times().eq(whole.times()), "{block}");
        }
    }

    #[test]
    fn threads_give_the_same() {
        let text = rows(0..50_000) + "5,\n" + &rows(0..50_000);
        let one = fed(decoder(CodeUnits::Bytes, 1_000, 1), text.as_bytes(), text.len());
        let four = fed(decoder(CodeUnits::Bytes, 1_000, 4), text.as_bytes(), text.len());
        assert_eq!(one.held_rows(), 100_000);
        assert_eq!(values(&one), values(&four));
        assert_eq!(one.faults(), four.faults());
        assert_eq!(four.faults().torn_row.first, rows(0..50_000).len() as u64);
    }

    #[test]
    fn utf16_in_blocks_of_any_size() {
        let text = rows(0..5) + "\u{444}\u{44b},x\n";
        for big_endian in [false, true] {
            let bytes: Vec<u8> = text
                .encode_utf16()
                .flat_map(|u| if big_endian { u.to_be_bytes() } else { u.to_le_bytes() })
                .collect();
            for block in [1, 3, 1_000] {
                let units = CodeUnits::Utf16 { big_endian };
                let got = fed(decoder(units, 1_000, 1), &bytes, block);
                assert_eq!(values(&got), [0.0, 1.0, 2.0, 3.0, 4.0]);
                assert_eq!(got.faults().noise.first, rows(0..5).len() as u64);
            }
        }
    }

    #[test]
    fn a_last_row_without_line_end() {
        let last = |text: &str| {
            let got = fed(bytes_decoder(), (rows(0..1) + text).as_bytes(), 1_000);
            (got.held_rows(), got.faults().no_line_end.count, got.faults().torn_row.count)
        };
        let row = "\"01/01/1970 00:00:01.000\",\"1\",\"23\"";
        assert_eq!(last(row), (2, 1, 0));
        assert_eq!(last(&format!("{row}\r")), (2, 1, 0));
        assert_eq!(last(&row[..row.len() - 1]), (1, 0, 1));
        assert_eq!(last(&row[..row.len() - 3]), (1, 0, 1));
        assert_eq!(last("01/01/1970 00:00:01.000,1,23"), (1, 0, 1));
        assert_eq!(last("01/01/1970 00:00:01.000,1,23\r"), (2, 1, 0));
        assert_eq!(last("Exiting, pl"), (1, 0, 0));
    }

    #[test]
    fn half_a_character_at_the_end_is_a_torn_row() {
        let text = rows(0..1);
        let mut bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes.push(b'"');
        let got = fed(decoder(CodeUnits::Utf16 { big_endian: false }, 1_000, 1), &bytes, 1_000);
        assert_eq!((got.held_rows(), got.faults().torn_row.count), (1, 1));
    }

    #[test]
    fn a_line_that_never_ends_is_skipped() {
        let text = rows(0..1) + &"x".repeat(5_000) + "\n" + &rows(1..2);
        for block in [1, 999, 2_500] {
            let got = fed(bytes_decoder(), text.as_bytes(), block);
            assert_eq!(values(&got), [0.0, 1.0]);
            assert_eq!(got.faults().torn_row, Tally { count: 1, first: rows(0..1).len() as u64 });
        }
    }

    #[test]
    fn slabs_go_on_where_the_last_ended() {
        let mut decoder = bytes_decoder();
        decoder.feed(rows(0..3).as_bytes());
        assert_eq!((decoder.first_row(), decoder.held_rows(), decoder.held_cells()), (0, 3, 6));
        decoder.drop_held();
        decoder.feed(rows(3..5).as_bytes());
        assert_eq!((decoder.first_row(), values(&decoder)), (3, vec![3.0, 4.0]));
    }

    #[test]
    fn nothing_is_read_after_another_header() {
        let text = rows(0..2) + "\"(PDH-CSV 4.0)\",\"c\",\"d\"\n" + &rows(2..40_000);
        for threads in [1, 2] {
            let got = fed(decoder(CodeUnits::Bytes, 1_000, threads), text.as_bytes(), text.len());
            assert!(got.stopped());
            assert_eq!(got.held_rows(), 2);
        }
    }
}
