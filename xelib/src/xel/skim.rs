//! A block of large records of which only those that are wanted are read: of the others, the
//! header, the actions and what the checksum of the block covers.

use std::io;
use std::ops::Range;

use super::block::{BlockHeader, HEADER_BYTES};
use super::blocks::begins;
use super::catalogue::Lookup;
use super::checksum::{COVERED, checksum};
use super::decode::Run;
use super::faults::FaultKind;
use super::metadata::{NULL_TYPE, ObjectId};
use super::reading::Reading;
use super::record::{self, ACTIONS_FOLLOW, MAX_ACTIONS, Record};
use super::source::{ReadAt, read_all_at};
use super::walk::BAD_CHECKSUM;
use super::window::Window;
use crate::bytes::u32_at;

/// Read at once where a record begins or ends: most actions and the next record's header.
const GLANCE: usize = 1 << 10;

/// Memory that is used again for every block.
#[derive(Debug, Default)]
pub struct Skim {
    glance: Glance,
    records: Vec<Skimmed>,
    /// Bytes of the records that are wanted.
    wanted: Vec<u8>,
}

#[derive(Debug)]
struct Skimmed {
    offset: u64,
    length: usize,
    /// Where its bytes are, if it is wanted.
    wanted: Option<Range<usize>>,
}

impl Skim {
    /// Takes the block that begins in the window, and goes behind it.
    ///
    /// None, and nothing is done, where that needs all of its bytes: where anything is not as it
    /// ought to be. A wrong checksum is told, as it is for a block that is read.
    pub fn block(
        &mut self,
        reading: &Reading<'_>,
        window: &mut Window,
        run: &mut Run<'_>,
    ) -> io::Result<Option<BlockHeader>> {
        let Some(header) = BlockHeader::read_plain(window.rest(), reading.sector) else {
            return Ok(None);
        };
        let offset = window.offset();
        // Comes first: then what the header claims is there, and may take memory.
        let Some(checksum) = checksum_of(reading.source, &header, offset)? else { return Ok(None) };
        if !self.records(reading, &header, offset)? {
            return Ok(None);
        }
        window.go_to(offset + u64::from(header.total));
        let until = window.offset() + GLANCE as u64;
        window.fill(reading.source, HEADER_BYTES, until)?;
        let whole = match window.rest() {
            // The padding of the last block may be cut.
            [] => window.ended() && reading.source.size()? >= window.offset(),
            rest => begins(rest, reading.sector),
        };
        if !whole {
            window.go_to(offset);
            window.fill(reading.source, HEADER_BYTES, offset)?;
            return Ok(None);
        }
        if checksum != header.checksum {
            run.faults().add(FaultKind::BadChecksum, offset, BAD_CHECKSUM);
        }
        for Skimmed { offset, length, wanted } in &self.records {
            let record = wanted.clone().map(|wanted| Record::read(&self.wanted[wanted]));
            match record {
                Some(Ok(record)) => run.record(&record, *offset, header.sequence),
                _ => run.pass(*length),
            }
        }
        Ok(Some(header))
    }

    /// Goes through the records of a block; false where one is not as it ought to be.
    fn records(
        &mut self,
        reading: &Reading<'_>,
        header: &BlockHeader,
        block: u64,
    ) -> io::Result<bool> {
        self.records.clear();
        self.wanted.clear();
        let mut at = block + u64::from(header.payload);
        let end = at + u64::from(header.used);
        while at < end {
            let Some(event) = self.glance.event(reading.source, at, end)? else { return Ok(false) };
            let wanted = match reading.catalogue.find(event.id) {
                Lookup::Unknown => return Ok(false),
                Lookup::Unwanted => None,
                Lookup::Wanted(_) => {
                    let from = self.wanted.len();
                    self.wanted.resize(from + event.length, 0);
                    let bytes = &mut self.wanted[from..];
                    if !read_all_at(reading.source, at, bytes)?
                        || !Record::read(bytes).is_ok_and(|record| record.length == event.length)
                    {
                        return Ok(false);
                    }
                    Some(from..self.wanted.len())
                }
            };
            self.records.push(Skimmed { offset: at, length: event.length, wanted });
            at += event.length as u64;
        }
        Ok(true)
    }
}

/// The checksum of the payload of a block; None where that is not there.
fn checksum_of(source: &dyn ReadAt, header: &BlockHeader, block: u64) -> io::Result<Option<u32>> {
    let mut covered = [0; COVERED];
    let used = header.used as usize;
    let covered = &mut covered[..used.min(COVERED)];
    let offset = block + u64::from(header.payload) + (used - covered.len()) as u64;
    let there = read_all_at(source, offset, covered)?;
    Ok(there.then(|| checksum(covered)))
}

#[derive(Debug)]
struct Extent {
    id: ObjectId,
    length: usize,
}

/// A few bytes at any place of the file.
#[derive(Debug, Default)]
struct Glance {
    bytes: Vec<u8>,
    base: u64,
}

impl Glance {
    /// The record at an offset; None where it does not come to an end before `end`.
    fn event(&mut self, source: &dyn ReadAt, offset: u64, end: u64) -> io::Result<Option<Extent>> {
        let Some(header) = self.bytes::<{ record::HEADER_BYTES }>(source, offset, end)? else {
            return Ok(None);
        };
        let word = |at| u32_at(&header, at).unwrap_or_default();
        let (id, bits, zero, length) = (ObjectId(word(0)), word(4), word(8), word(20));
        if !record::is_event(id, bits) || zero != 0 {
            return Ok(None);
        }
        let mut at = offset + record::HEADER_BYTES as u64 + u64::from(length);
        let mut actions = bits & ACTIONS_FOLLOW != 0;
        for _ in 0..MAX_ACTIONS {
            if !actions {
                break;
            }
            let Some(action) = self.bytes::<8>(source, at, end)? else { return Ok(None) };
            let (id, length) = (u32_at(&action, 0), u32_at(&action, 4).unwrap_or_default());
            at += 8 + u64::from(length);
            if id == Some(NULL_TYPE.0) {
                if length != 0 {
                    return Ok(None);
                }
                actions = false;
            }
        }
        let length = usize::try_from(at - offset).unwrap_or(usize::MAX);
        Ok((!actions && at <= end).then_some(Extent { id, length }))
    }

    fn bytes<const N: usize>(
        &mut self,
        source: &dyn ReadAt,
        offset: u64,
        end: u64,
    ) -> io::Result<Option<[u8; N]>> {
        if offset + N as u64 > end {
            return Ok(None);
        }
        if let Some(bytes) = self.at(offset) {
            return Ok(Some(bytes));
        }
        let there = usize::try_from(end - offset).unwrap_or(usize::MAX);
        self.bytes.resize(GLANCE.min(there), 0);
        self.base = offset;
        if !read_all_at(source, offset, &mut self.bytes)? {
            self.bytes.clear();
        }
        Ok(self.at(offset))
    }

    fn at<const N: usize>(&self, offset: u64) -> Option<[u8; N]> {
        let at = usize::try_from(offset.checked_sub(self.base)?).ok()?;
        self.bytes.get(at..)?.first_chunk().copied()
    }
}
