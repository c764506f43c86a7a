//! The first sector of a file.

use super::error::FormatError;
use super::guid::Guid;
use crate::bytes::Cursor;

/// 5A 37 AB EF in the file.
pub const MAGIC: u32 = 0xEFAB_375A;
/// The only version of files and blocks that is known; it has not changed since SQL Server 2012.
pub const VERSION: u16 = 10;
/// Bytes of the header that mean something; the rest of the sector may be stale memory.
pub const HEADER_BYTES: usize = 24;
/// A block header must fit; no disk has larger sectors.
const SECTORS: std::ops::RangeInclusive<u16> = 128..=32768;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileHeader {
    /// Bytes of a sector: the first block begins there, and blocks are multiples of it.
    pub sector: u16,
    /// Uninitialised memory before SQL Server 2017.
    pub guid: Guid,
}

impl FileHeader {
    pub fn read(bytes: &[u8], offset: u64) -> Result<Self, FormatError> {
        let mut cursor = Cursor::new(bytes, offset);
        let magic = cursor.u32("file header")?;
        if magic != MAGIC {
            let (need, have) = (format!("{MAGIC:#010x}"), format!("{magic:#010x}"));
            return Err(FormatError::new(offset, "magic of an Extended Events file", need, have));
        }
        let version = cursor.u16("file version")?;
        if version != VERSION {
            return Err(FormatError::new(offset + 4, "file version", VERSION, version));
        }
        let sector = cursor.u16("sector size")?;
        if !SECTORS.contains(&sector) || !sector.is_power_of_two() {
            let need = format!("a power of two from {} to {}", SECTORS.start(), SECTORS.end());
            return Err(FormatError::new(offset + 6, "sector size", need, sector));
        }
        Ok(Self { sector, guid: Guid(cursor.array("file guid")?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(start: &[u8]) -> Result<FileHeader, FormatError> {
        let mut bytes = [0; 64];
        bytes[..start.len()].copy_from_slice(start);
        FileHeader::read(&bytes, 0)
    }

    #[test]
    fn sector_of_windows_and_of_linux() {
        let windows = header(&[0x5A, 0x37, 0xAB, 0xEF, 10, 0, 0x00, 0x02, 7]).unwrap();
        assert_eq!(windows.sector, 512);
        assert_eq!(windows.guid.0[0], 7);
        let linux = header(&[0x5A, 0x37, 0xAB, 0xEF, 10, 0, 0x00, 0x10]).unwrap();
        assert_eq!(linux.sector, 4096);
    }

    #[test]
    fn another_format_is_named() {
        let error = header(b"PK\x03\x04").unwrap_err();
        let text =
            "magic of an Extended Events file at offset 0 (need 0xefab375a, have 0x04034b50)";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn versions_before_and_after_are_refused() {
        for version in [9, 11] {
            let error = header(&[0x5A, 0x37, 0xAB, 0xEF, version, 0, 0, 2]).unwrap_err();
            assert_eq!((error.offset, error.what), (4, "file version"));
            assert_eq!(error.have, version.to_string());
        }
    }

    #[test]
    fn a_sector_of_no_size_is_refused() {
        for sector in [[0, 0], [1, 0], [0x00, 0x03]] {
            let error = header(&[&[0x5A, 0x37, 0xAB, 0xEF, 10, 0], &sector[..]].concat());
            assert_eq!(error.unwrap_err().offset, 6);
        }
    }

    #[test]
    fn a_cut_header_says_so() {
        let error = FileHeader::read(&[0x5A, 0x37, 0xAB, 0xEF, 10, 0, 0, 2, 1], 0).unwrap_err();
        assert_eq!(error.to_string(), "file guid at offset 8 (need 16 bytes, have 1)");
        assert_eq!(FileHeader::read(&[], 0).unwrap_err().have, "0");
    }
}
