//! Bounds-checked little-endian reads.

use super::error::FormatError;
use super::guid::Guid;

/// Reads one structure after the other; every read names what it reads.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Offset in the file of the first of `bytes`.
    base: u64,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], base: u64) -> Self {
        Self { bytes, at: 0, base }
    }

    /// Offset in the file of the next byte.
    pub fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn take(&mut self, n: usize, what: &'static str) -> Result<&'a [u8], FormatError> {
        let end = self.at.checked_add(n).filter(|&end| end <= self.bytes.len());
        let Some(end) = end else {
            let (need, have) = (format!("{n} bytes"), self.left());
            return Err(FormatError::new(self.offset(), what, need, have));
        };
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], FormatError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, what)?);
        Ok(array)
    }

    pub fn u8(&mut self, what: &'static str) -> Result<u8, FormatError> {
        self.array(what).map(u8::from_le_bytes)
    }

    pub fn u16(&mut self, what: &'static str) -> Result<u16, FormatError> {
        self.array(what).map(u16::from_le_bytes)
    }

    pub fn u32(&mut self, what: &'static str) -> Result<u32, FormatError> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub fn u64(&mut self, what: &'static str) -> Result<u64, FormatError> {
        self.array(what).map(u64::from_le_bytes)
    }

    pub fn guid(&mut self, what: &'static str) -> Result<Guid, FormatError> {
        self.array(what).map(Guid)
    }

    /// UTF-16LE text up to a zero unit, which may begin at an odd offset.
    pub fn zstr(&mut self, what: &'static str) -> Result<String, FormatError> {
        let (pairs, _) = self.bytes[self.at..].as_chunks::<2>();
        let Some(units) = pairs.iter().position(|&pair| pair == [0, 0]) else {
            return Err(FormatError::new(self.offset(), what, "a terminating zero", "none"));
        };
        let units = self.take(2 * units + 2, what)?;
        let (units, _) = units[..units.len() - 2].as_chunks::<2>();
        Ok(char::decode_utf16(units.iter().map(|&unit| u16::from_le_bytes(unit)))
            .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect())
    }
}

/// The four bytes at `at`, where they are there.
pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|&four| u32::from_le_bytes(four))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_little_endian_and_moves_on() {
        let mut cursor = Cursor::new(&[1, 2, 0, 3, 0, 0, 0, 9], 100);
        assert_eq!(cursor.u8("a"), Ok(1));
        assert_eq!(cursor.u16("b"), Ok(2));
        assert_eq!(cursor.u32("c"), Ok(3));
        assert_eq!((cursor.offset(), cursor.left()), (107, 1));
    }

    #[test]
    fn a_short_read_names_the_place_and_moves_nothing() {
        let mut cursor = Cursor::new(&[1, 2, 3], 10);
        cursor.u8("a").unwrap();
        let error = cursor.u32("object id").unwrap_err();
        assert_eq!(error.to_string(), "object id at offset 11 (need 4 bytes, have 2)");
        assert_eq!(cursor.left(), 2);
    }

    #[test]
    fn text_ends_at_a_zero_unit_and_may_begin_anywhere() {
        let mut cursor = Cursor::new(b"\x07a\0b\0\0\0\0\0\x09", 0);
        cursor.u8("a").unwrap();
        assert_eq!(cursor.zstr("name").as_deref(), Ok("ab"));
        assert_eq!(cursor.zstr("description").as_deref(), Ok(""));
        assert_eq!(cursor.u8("z"), Ok(9));
    }

    #[test]
    fn text_without_an_end_is_an_error() {
        let error = Cursor::new(b"a\0b\0\0", 0).zstr("name").unwrap_err();
        assert_eq!(error.need, "a terminating zero");
    }
}
