//! The blocks of a file, found one after the other in bytes that come piece by piece.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::block::{BlockHeader, HEADER_BYTES};
use super::faults::{FaultKind, Faults};
use super::file_header::{FileHeader, MAGIC, VERSION};
use super::source::{ReadAt, Source, read_up_to};
use crate::bytes::u32_at;

pub struct Blocks {
    source: Box<dyn Source>,
    /// Part of the file; positions in it hold until [`Blocks::release`].
    buffer: Vec<u8>,
    /// Offset in the file of the first byte of the buffer.
    base: u64,
    /// What begins here was not looked at yet.
    at: usize,
    ended: bool,
    sector: u16,
    /// The last block may still be written: it is left alone until it is whole.
    live: bool,
    damage: Option<Damage>,
}

/// Bytes that are no block, up to where was looked.
#[derive(Debug, Clone, Copy)]
struct Damage {
    from: u64,
    zeros: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    Block(Located),
    /// Another file begins.
    File(FileHeader),
    /// So many bytes are needed to go on.
    More(usize),
    End,
}

/// A block, and where in the buffer its payload lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    pub header: BlockHeader,
    /// Of the block, in the file.
    pub offset: u64,
    pub payload: Range<usize>,
    pub extent: Extent,
}

/// How far a block is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    Whole,
    /// Another block begins inside it.
    Torn,
    /// The file ends inside it.
    Cut,
}

impl Blocks {
    pub fn new(source: Box<dyn Source>, live: bool) -> Self {
        let (buffer, damage) = Default::default();
        let (base, at, ended, sector) = (0, 0, false, 0);
        Self { source, buffer, base, at, ended, sector, live, damage }
    }

    /// Enters the file that begins here: its first sector.
    pub fn enter(&mut self, header: &FileHeader) {
        self.sector = header.sector;
        self.at = self.buffer.len().min(self.at + usize::from(header.sector));
    }

    /// Offset in the file of what was not looked at yet.
    pub fn offset(&self) -> u64 {
        self.damage.map_or(self.base + self.at as u64, |damage| damage.from)
    }

    pub fn offset_of(&self, position: usize) -> u64 {
        self.base + position as u64
    }

    pub fn bytes(&self, range: &Range<usize>) -> &[u8] {
        &self.buffer[range.clone()]
    }

    pub fn sector(&self) -> u16 {
        self.sector
    }

    /// The file at any offset, where it can be had.
    pub fn positioned(&self) -> Option<Arc<dyn ReadAt>> {
        self.source.positioned()
    }

    pub fn in_damage(&self) -> bool {
        self.damage.is_some()
    }

    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.at..]
    }

    /// Forgets the bytes that were looked at.
    pub fn release(&mut self) {
        self.buffer.drain(..self.at);
        self.base += self.at as u64;
        self.at = 0;
    }

    /// Reads until so many bytes wait to be looked at, or the file ends.
    pub fn fill(&mut self, bytes: usize) -> io::Result<()> {
        let bytes = self.at.saturating_add(bytes);
        self.ended = self.ended || read_up_to(bytes, &mut *self.source, &mut self.buffer)?;
        Ok(())
    }

    /// Goes on at an offset further back in the file.
    pub fn skip_to(&mut self, offset: u64) -> io::Result<()> {
        let ahead = offset.saturating_sub(self.offset());
        let buffered = self.rest().len();
        match usize::try_from(ahead) {
            Ok(ahead) if ahead <= buffered => self.at += ahead,
            _ => {
                let missing = ahead - buffered as u64;
                let skipped = self.source.skip(missing)?;
                self.ended |= skipped < missing;
                self.base += self.buffer.len() as u64 + skipped;
                self.buffer.clear();
                self.at = 0;
            }
        }
        Ok(())
    }

    /// Finds the next block in the bytes read so far.
    pub fn next(&mut self, faults: &mut Faults) -> Next {
        loop {
            let have = self.rest().len();
            if have < HEADER_BYTES {
                return if self.ended { self.tail(faults) } else { Next::More(HEADER_BYTES) };
            }
            if let Some(header) = begins_file(self.rest()) {
                let sector = usize::from(header.sector);
                if have < sector && !self.ended {
                    return Next::More(sector);
                }
                self.end_damage(faults);
                return Next::File(header);
            }
            if let Some(header) = BlockHeader::read(self.rest(), self.sector) {
                return self.block(header, faults);
            }
            let here = Damage { from: self.base + self.at as u64, zeros: true };
            let damage = self.damage.get_or_insert(here);
            let found = find(&self.buffer, self.at + 1, self.sector);
            let until = found.unwrap_or_else(|| match self.ended {
                true => self.buffer.len(),
                false => self.buffer.len() - (HEADER_BYTES - 1),
            });
            damage.zeros &= self.buffer[self.at..until].iter().all(|&byte| byte == 0);
            self.at = until;
        }
    }

    fn block(&mut self, header: BlockHeader, faults: &mut Faults) -> Next {
        let (extent, length) = match self.extent(&header) {
            Ok(found) => found,
            Err(needed) => return Next::More(needed),
        };
        if extent == Extent::Cut && self.live {
            return Next::End;
        }
        self.end_damage(faults);
        let offset = self.base + self.at as u64;
        if extent != Extent::Whole || length != header.total as usize || header.used_beyond(length)
        {
            report(&header, extent, &self.rest()[..length], offset, faults);
        }
        let payload = header.payload_range(length);
        let payload = self.at + payload.start..self.at + payload.end;
        self.at += length;
        Next::Block(Located { header, offset, payload, extent })
    }

    /// How far the block is there that begins here, and its bytes; or how many bytes are needed
    /// to tell. Checksums are only looked at in doubt: those of whole blocks are checked later.
    fn extent(&self, header: &BlockHeader) -> Result<(Extent, usize), usize> {
        let have = self.rest().len();
        let enough = |bytes: usize| if have < bytes && !self.ended { Err(bytes) } else { Ok(()) };
        let follows =
            |bytes: usize| self.rest().get(bytes..).is_some_and(|rest| begins(rest, self.sector));
        let total = header.total as usize;
        // A damaged size must not swallow the blocks that follow.
        let used = header.size_by_payload(self.sector);
        if used < total {
            enough(used + HEADER_BYTES)?;
            if follows(used) && header.checks(self.rest()) {
                return Ok((Extent::Whole, used));
            }
        }
        enough(total + HEADER_BYTES)?;
        let block = &self.rest()[..total.min(have)];
        if have == total || follows(total) || have > total && header.checks(block) {
            return Ok((Extent::Whole, total));
        }
        let within = &self.buffer[..self.at + block.len()];
        match find(within, self.at + 1, self.sector) {
            Some(next) => Ok((Extent::Torn, next - self.at)),
            None if have >= total => Ok((Extent::Whole, total)),
            None => Ok((Extent::Cut, have)),
        }
    }

    fn tail(&mut self, faults: &mut Faults) -> Next {
        let left = self.rest().len();
        if left == 0 && self.damage.is_none() || self.live {
            return Next::End;
        }
        if self.damage.is_none() && self.rest().iter().any(|&byte| byte != 0) {
            let what = format!("the file ends after {left} bytes of a block's header");
            faults.add(FaultKind::TruncatedTail, self.offset(), what);
        } else {
            let zeros = self.rest().iter().all(|&byte| byte == 0);
            let from = self.offset();
            let zeros = zeros && self.damage.is_none_or(|damage| damage.zeros);
            let bytes = self.base + self.buffer.len() as u64 - from;
            let (kind, what) = match zeros {
                true => (FaultKind::ZeroTail, "zeros"),
                false => (FaultKind::GarbageTail, "bytes that are no block"),
            };
            faults.add(kind, from, format_args!("the file ends with {bytes} {what}"));
        }
        self.at = self.buffer.len();
        self.damage = None;
        Next::End
    }

    fn end_damage(&mut self, faults: &mut Faults) {
        if let Some(damage) = self.damage.take() {
            let bytes = self.base + self.at as u64 - damage.from;
            let what = format!("{bytes} bytes that are no block");
            faults.add(FaultKind::BadBlock, damage.from, what);
        }
    }
}

/// Tells what is wrong with the bounds of a block.
fn report(header: &BlockHeader, extent: Extent, block: &[u8], offset: u64, faults: &mut Faults) {
    let (BlockHeader { total, used, .. }, length) = (header, block.len());
    let (kind, what) = match extent {
        Extent::Torn => {
            let what = format!("of a block of {total} bytes, {length} are there before another");
            (FaultKind::TornBlock, what)
        }
        Extent::Cut if header.checks(block) => {
            let what = "the file ends after the payload of its last block";
            (FaultKind::CutPadding, what.to_owned())
        }
        Extent::Cut => {
            let what = format!("of the last block, {length} of {total} bytes are there");
            (FaultKind::TruncatedTail, what)
        }
        Extent::Whole => {
            let what = format!("a block is said to have {total} bytes, of which {used} are used");
            (FaultKind::BadBlockSize, what)
        }
    };
    faults.add(kind, offset, what);
}

fn begins_file(bytes: &[u8]) -> Option<FileHeader> {
    (u32_at(bytes, 0) == Some(MAGIC)).then(|| FileHeader::read(bytes, 0).ok())?
}

pub fn begins(bytes: &[u8], sector: u16) -> bool {
    begins_file(bytes).is_some() || BlockHeader::read(bytes, sector).is_some()
}

/// Where in `bytes` the next block or file begins beyond doubt.
fn find(bytes: &[u8], from: usize, sector: u16) -> Option<usize> {
    let last = bytes.len().checked_sub(HEADER_BYTES)?;
    (from..=last).find(|&at| {
        let bytes = &bytes[at..];
        if bytes[0x0C..0x0E] != VERSION.to_le_bytes() {
            return bytes[0] == MAGIC as u8 && begins_file(bytes).is_some();
        }
        let header = BlockHeader::read(bytes, sector);
        header.is_some_and(|header| {
            header.is_certain(bytes)
                && bytes.get(..header.total as usize).is_none_or(|block| header.checks(block))
        })
    })
}
