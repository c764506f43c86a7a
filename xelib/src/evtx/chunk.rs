//! The records of a chunk.

use super::value;
use crate::bytes::{array_at, len_at, u32_at};

/// Bytes of a chunk.
pub const SIZE: usize = 64 << 10;
/// Where the records of a chunk begin.
const RECORDS: usize = 512;
/// Bytes of a chunk's head that its checksum is of: all but flags and checksum.
const HEAD: [std::ops::Range<usize>; 2] = [0..120, 128..RECORDS];
/// Where its head says where they end.
const FREE: usize = 48;
const MAGIC: &[u8; 8] = b"ElfChnk\0";
const RECORD_MAGIC: [u8; 4] = [0x2A, 0x2A, 0, 0];
/// Magic, size, number and time in front of a record, and its size once more behind it.
const RECORD_HEAD: usize = 24;
const RECORD_TAIL: usize = 4;
/// Flags of a file and of a chunk: nothing has computed its checksums.
pub const NO_CHECKSUMS: u32 = 4;

/// What a chunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing was written to it.
    Empty,
    Written,
    /// It does not begin as one.
    Unreadable,
}

pub fn state(chunk: &[u8]) -> State {
    match array_at::<8>(chunk, 0) {
        Some(magic) if magic == *MAGIC && chunk.len() >= RECORDS => State::Written,
        Some(magic) if magic == [0; 8] => State::Empty,
        _ => State::Unreadable,
    }
}

/// Tells whether a chunk is as it was when its checksums were written.
pub fn is_intact(chunk: &[u8]) -> bool {
    let mut head = crc32fast::Hasher::new();
    for part in HEAD {
        head.update(&chunk[part]);
    }
    let records = len_at(chunk, FREE).and_then(|end| chunk.get(RECORDS..end));
    let records = records.map(crc32fast::hash);
    u32_at(chunk, 120).is_some_and(|flags| flags & NO_CHECKSUMS != 0)
        || (u32_at(chunk, 124) == Some(head.finalize()) && u32_at(chunk, 52) == records)
}

/// A record, and where in the chunk its binary XML is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    pub at: usize,
    pub number: u64,
    /// When it was written: microseconds since 1970.
    pub written: Option<i64>,
    pub begin: usize,
    pub end: usize,
}

/// Goes through the records; the place of one that cannot be told from what follows is an error,
/// and the last that is given.
pub struct Records<'a> {
    chunk: &'a [u8],
    at: usize,
    end: usize,
    last: u64,
}

impl<'a> Records<'a> {
    pub fn new(chunk: &'a [u8]) -> Self {
        let last = array_at(chunk, 32).map_or(u64::MAX, u64::from_le_bytes);
        Self { chunk, at: RECORDS, end: len_at(chunk, FREE).unwrap_or_default(), last }
    }

    fn record(&self) -> Option<Record> {
        let head = self.chunk.get(self.at..self.at.checked_add(RECORD_HEAD)?)?;
        let size = len_at(head, 4)?;
        let end = self.at.checked_add(size).filter(|&end| end <= self.chunk.len())?;
        let is_record = head.starts_with(&RECORD_MAGIC) && size >= RECORD_HEAD + RECORD_TAIL;
        is_record.then_some(Record {
            at: self.at,
            number: array_at(head, 8).map(u64::from_le_bytes)?,
            written: value::moment(&head[16..]),
            begin: self.at + RECORD_HEAD,
            end: end - RECORD_TAIL,
        })
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, usize>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let found = self.record().ok_or(self.at);
        self.at = match found {
            Ok(record) if record.number != self.last => record.end + RECORD_TAIL,
            _ => self.end,
        };
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(sizes: &[u32], last: u64) -> Vec<u8> {
        let mut chunk = vec![0; RECORDS];
        for (number, &size) in sizes.iter().enumerate() {
            let at = chunk.len();
            chunk.extend_from_slice(&RECORD_MAGIC);
            chunk.extend_from_slice(&size.to_le_bytes());
            chunk.extend_from_slice(&(number as u64 + 1).to_le_bytes());
            chunk.resize(at + 40, 0);
        }
        chunk[..8].copy_from_slice(MAGIC);
        chunk[32..40].copy_from_slice(&last.to_le_bytes());
        let free = chunk.len() as u32;
        chunk[FREE..FREE + 4].copy_from_slice(&free.to_le_bytes());
        chunk
    }

    fn numbers(chunk: &[u8]) -> Vec<Result<u64, usize>> {
        Records::new(chunk).map(|found| found.map(|record| record.number)).collect()
    }

    #[test]
    fn records_end_where_the_head_says() {
        assert_eq!(numbers(&chunk(&[40; 3], 3)), [Ok(1), Ok(2), Ok(3)]);
        // What lies behind the last number is older.
        assert_eq!(numbers(&chunk(&[40; 3], 2)), [Ok(1), Ok(2)]);
        assert_eq!(numbers(&chunk(&[40; 3], u64::MAX)), [Ok(1), Ok(2), Ok(3)]);
    }

    #[test]
    fn a_record_whose_size_cannot_be_ends_the_chunk() {
        for size in [0, 27, 90, u32::MAX] {
            assert_eq!(numbers(&chunk(&[40, size, 40], 3)), [Ok(1), Err(RECORDS + 40)], "{size}");
        }
    }

    #[test]
    fn a_chunk_that_was_cut_says_where() {
        let chunk = chunk(&[40; 3], 3);
        assert_eq!(numbers(&chunk[..RECORDS + 80]), [Ok(1), Ok(2), Err(RECORDS + 80)]);
        assert_eq!(numbers(&chunk[..RECORDS + 70]), [Ok(1), Err(RECORDS + 40)]);
    }

    #[test]
    fn states() {
        assert_eq!(state(&chunk(&[], 0)), State::Written);
        assert_eq!(state(&[0; RECORDS]), State::Empty);
        assert_eq!(state(&[1; RECORDS]), State::Unreadable);
        assert_eq!(state(MAGIC), State::Unreadable);
        assert_eq!(state(b"Elf"), State::Unreadable);
    }
}
