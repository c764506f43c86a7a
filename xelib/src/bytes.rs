//! Bounds-checked little-endian reads, for every binary format.
//!
//! The layout says which way a structure is read. Fields at fixed places are read by place: None
//! where the bytes end before. Parts that follow one another, texts among them, are read by a
//! [`Cursor`]: what it cannot read it names, and each format makes an error of its own of that.

#![forbid(unsafe_code)]

/// The `N` bytes at a place.
pub fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

pub fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    array_at(bytes, at).map(u16::from_le_bytes)
}

pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

pub fn i32_at(bytes: &[u8], at: usize) -> Option<i32> {
    array_at(bytes, at).map(i32::from_le_bytes)
}

pub fn i64_at(bytes: &[u8], at: usize) -> Option<i64> {
    array_at(bytes, at).map(i64::from_le_bytes)
}

/// A u32 that is an offset or a length.
pub fn len_at(bytes: &[u8], at: usize) -> Option<usize> {
    u32_at(bytes, at).map(|n| n as usize)
}

/// The bytes of a zero-terminated UTF-16 string, which may begin at an odd place, and where what
/// follows it begins.
///
/// None where no terminator follows within `limit` characters.
pub fn terminated(bytes: &[u8], at: usize, limit: usize) -> Option<(&[u8], usize)> {
    let rest = bytes.get(at..)?;
    let units = rest.as_chunks::<2>().0;
    let end = units.iter().take(limit.saturating_add(1)).position(|unit| *unit == [0, 0])?;
    Some((&rest[..end * 2], at + end * 2 + 2))
}

/// Text of UTF-16LE bytes; what is no character becomes U+FFFD.
pub fn text(bytes: &[u8]) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The bytes end before what was to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Short {
    pub what: &'static str,
    /// Where it begins, counted as the cursor counts.
    pub offset: u64,
    pub need: Need,
    /// Bytes that are left.
    pub have: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Bytes(usize),
    /// The zero that ends a text.
    Terminator,
}

/// Reads one part after the other; every read names what it reads. One that fails moves nothing.
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

    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// All that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }

    pub fn take(&mut self, n: usize, what: &'static str) -> Result<&'a [u8], Short> {
        let end = self.at.checked_add(n).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| self.short(what, Need::Bytes(n)))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Short> {
        let array =
            array_at(self.bytes, self.at).ok_or_else(|| self.short(what, Need::Bytes(N)))?;
        self.at += N;
        Ok(array)
    }

    pub fn u8(&mut self, what: &'static str) -> Result<u8, Short> {
        self.array(what).map(u8::from_le_bytes)
    }

    pub fn u16(&mut self, what: &'static str) -> Result<u16, Short> {
        self.array(what).map(u16::from_le_bytes)
    }

    pub fn u32(&mut self, what: &'static str) -> Result<u32, Short> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub fn i32(&mut self, what: &'static str) -> Result<i32, Short> {
        self.array(what).map(i32::from_le_bytes)
    }

    pub fn u64(&mut self, what: &'static str) -> Result<u64, Short> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// The bytes of a zero-terminated UTF-16 string of at most `limit` characters.
    pub fn terminated(&mut self, limit: usize, what: &'static str) -> Result<&'a [u8], Short> {
        let found = terminated(self.bytes, self.at, limit);
        let (found, next) = found.ok_or_else(|| self.short(what, Need::Terminator))?;
        self.at = next;
        Ok(found)
    }

    /// A zero-terminated UTF-16 string of any length.
    pub fn zstr(&mut self, what: &'static str) -> Result<String, Short> {
        self.terminated(usize::MAX, what).map(text)
    }

    fn short(&self, what: &'static str, need: Need) -> Short {
        Short { what, offset: self.base + self.at as u64, need, have: self.left() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn reads_end_where_the_bytes_do() {
        assert_eq!(u32_at(&[1, 2, 3, 4], 0), Some(0x0403_0201));
        assert_eq!(u32_at(&[1, 2, 3, 4], 1), None);
        assert_eq!(i64_at(&[0xff; 8], 0), Some(-1));
        assert_eq!(u16_at(&[], usize::MAX), None);
    }

    #[test]
    fn strings_need_their_terminator_within_the_limit() {
        let bytes = utf16("ab\0c");
        let (found, next) = terminated(&bytes, 0, 2).unwrap();
        assert_eq!((text(found).as_str(), next), ("ab", 6));
        assert_eq!(terminated(&bytes, 0, 1), None);
        assert_eq!(terminated(&bytes, 6, 10), None);
    }

    #[test]
    fn a_cursor_moves_on() {
        let mut cursor = Cursor::new(&[1, 2, 0, 3, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 9], 100);
        assert_eq!(cursor.u8("a"), Ok(1));
        assert_eq!(cursor.u16("b"), Ok(2));
        assert_eq!(cursor.u32("c"), Ok(3));
        assert_eq!(cursor.i32("d"), Ok(-1));
        assert_eq!((cursor.left(), cursor.rest(), cursor.left()), (1, &[9][..], 0));
    }

    #[test]
    fn a_short_read_names_the_place_and_moves_nothing() {
        let mut cursor = Cursor::new(&[1, 2, 3], 10);
        cursor.u8("a").unwrap();
        let short = |n| Short { what: "object id", offset: 11, need: Need::Bytes(n), have: 2 };
        assert_eq!(cursor.u32("object id"), Err(short(4)));
        assert_eq!(cursor.take(usize::MAX, "object id"), Err(short(usize::MAX)));
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
        let short = Short { what: "name", offset: 5, need: Need::Terminator, have: 5 };
        assert_eq!(Cursor::new(b"a\0b\0\0", 5).zstr("name"), Err(short));
        let short = Short { have: 6, ..short };
        assert_eq!(Cursor::new(b"a\0b\0\0\0", 5).terminated(1, "name"), Err(short));
    }
}
