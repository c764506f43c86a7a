//! The header of a block.

use std::ops::Range;

use super::checksum::checksum;
use super::file_header::{MAGIC, VERSION};
use super::guid::Guid;
use crate::bytes::{array_at, u16_at, u32_at};

/// Bytes of a block header; the payload begins here in metadata, one byte later in data.
pub const HEADER_BYTES: usize = 0x4C;
/// Largest block that is taken for one. Events of 6 MB are known; a damaged size field must not
/// make the reader hold gigabytes.
pub const MAX_BLOCK: u32 = 256 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockType {
    Data,
    Metadata,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockHeader {
    /// Counts the data blocks of a session run; None where the session does not number them.
    pub sequence: Option<u32>,
    pub block_type: BlockType,
    /// Bytes from this header to the next.
    pub total: u32,
    /// Where the payload begins, from the start of the block.
    pub payload: u16,
    /// Bytes of the payload.
    pub used: u32,
    pub checksum: u32,
    /// Same as in the packages of the session; zero in metadata.
    pub session_run: Guid,
}

impl BlockHeader {
    /// Reads the header that begins `bytes`; None where these cannot be one.
    pub fn read(bytes: &[u8], sector: u16) -> Option<Self> {
        let header = bytes.get(..HEADER_BYTES)?;
        let block_type = match (u16_at(header, 0x0C)?, u16_at(header, 0x0E)?) {
            (VERSION, 0) => BlockType::Data,
            (VERSION, 1) => BlockType::Metadata,
            _ => return None,
        };
        let header = Self {
            sequence: u32_at(header, 0x08).filter(|&sequence| sequence != u32::MAX),
            block_type,
            total: u32_at(header, 0x10)?,
            payload: u16_at(header, 0x16)?,
            used: u32_at(header, 0x18)?,
            checksum: u32_at(header, 0x1C)?,
            session_run: Guid(array_at(header, 0x20)?),
        };
        header.fits(sector).then_some(header)
    }

    /// Reads the header of a data block without contradictions.
    pub fn read_plain(bytes: &[u8], sector: u16) -> Option<Self> {
        let header = Self::read(bytes, sector)?;
        let plain = header.block_type == BlockType::Data
            && header.size_by_payload(sector) == header.total as usize
            && u32_at(bytes, 0) != Some(MAGIC);
        plain.then_some(header)
    }

    fn fits(&self, sector: u16) -> bool {
        let payload = u32::from(self.payload);
        (HEADER_BYTES as u32..=self.total).contains(&payload)
            && self.total <= MAX_BLOCK
            && self.total.is_multiple_of(u32::from(sector))
    }

    /// True where the bytes that no known file sets to anything else hold what they always hold.
    pub fn is_certain(&self, bytes: &[u8]) -> bool {
        let zeros = bytes.get(0x30..HEADER_BYTES).is_some_and(|zeros| zeros == [0; 28]);
        zeros
            && u32_at(bytes, 0) == Some(0)
            && bytes[0x14..0x16] == [0, 0]
            && usize::from(self.payload) <= HEADER_BYTES + 1
            && self.used <= self.total - u32::from(self.payload)
    }

    /// What `total` is where nothing is damaged.
    pub fn size_by_payload(&self, sector: u16) -> usize {
        let end = usize::from(self.payload).saturating_add(self.used as usize);
        end.checked_next_multiple_of(usize::from(sector)).unwrap_or(usize::MAX)
    }

    /// Whether the payload would not fit in a block of so many bytes.
    pub fn used_beyond(&self, bytes: usize) -> bool {
        usize::from(self.payload).saturating_add(self.used as usize) > bytes
    }

    /// Where the payload lies in a block of which so many bytes are there.
    pub fn payload_range(&self, bytes: usize) -> Range<usize> {
        let begin = bytes.min(usize::from(self.payload));
        begin..bytes.min(begin.saturating_add(self.used as usize))
    }

    pub fn payload_of<'a>(&self, block: &'a [u8]) -> &'a [u8] {
        &block[self.payload_range(block.len())]
    }

    /// Whether the payload is all there and has this checksum.
    pub fn checks(&self, block: &[u8]) -> bool {
        !self.used_beyond(block.len()) && checksum(self.payload_of(block)) == self.checksum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A data block of one sector with the payload "123456789".
    fn block() -> Vec<u8> {
        let mut block = vec![0; 512];
        block[0x04] = 2; // slot
        block[0x08..0x0C].copy_from_slice(&1874u32.to_le_bytes());
        block[0x0C] = 10;
        block[0x10..0x14].copy_from_slice(&512u32.to_le_bytes());
        block[0x16] = 0x4D;
        block[0x18] = 9;
        block[0x1C..0x20].copy_from_slice(&(!0xCBF4_3926u32).to_le_bytes());
        block[0x20] = 5;
        block[0x4C] = 0xCC;
        block[0x4D..0x56].copy_from_slice(b"123456789");
        block
    }

    #[test]
    fn fields_of_a_data_block() {
        let block = block();
        let header = BlockHeader::read(&block, 512).unwrap();
        assert_eq!(header.sequence, Some(1874));
        assert_eq!(header.block_type, BlockType::Data);
        assert_eq!((header.total, header.payload, header.used), (512, 0x4D, 9));
        assert_eq!(header.session_run.0[0], 5);
        assert_eq!(header.payload_of(&block), b"123456789");
        assert!(header.checks(&block) && header.is_certain(&block));
    }

    #[test]
    fn a_block_may_be_without_number() {
        let mut block = block();
        block[0x08..0x0C].fill(0xFF);
        assert_eq!(BlockHeader::read(&block, 512).unwrap().sequence, None);
    }

    #[test]
    fn what_cannot_be_a_header_is_none() {
        let changed = |at: usize, value: u8| {
            let mut block = block();
            block[at] = value;
            BlockHeader::read(&block, 512)
        };
        assert_eq!(changed(0x0C, 9), None); // version
        assert_eq!(changed(0x0E, 2), None); // type
        assert_eq!(changed(0x10, 1), None); // no multiple of the sector
        assert_eq!(changed(0x11, 0), None); // no size
        assert_eq!(changed(0x13, 0x20), None); // too large
        assert_eq!(changed(0x16, 0x4B), None); // payload inside the header
        assert_eq!(changed(0x17, 0x03), None); // payload outside the block
        assert_eq!(BlockHeader::read(&block()[..0x4B], 512), None);
    }

    #[test]
    fn a_payload_that_is_cut_gives_what_is_there() {
        let block = block();
        let header = BlockHeader::read(&block, 512).unwrap();
        assert_eq!(header.payload_of(&block[..0x50]), b"123");
        assert_eq!(header.payload_of(&block[..0x4C]), b"");
        assert!(!header.checks(&block[..0x50]));
    }

    #[test]
    fn stale_memory_is_no_certain_header() {
        for at in [0x00, 0x14, 0x30, 0x4B] {
            let mut block = block();
            block[at] = 1;
            assert!(!BlockHeader::read(&block, 512).unwrap().is_certain(&block), "{at:#x}");
        }
    }
}
