//! Little-endian reads that end in None where the bytes do.

pub fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|b| u16::from_le_bytes(*b))
}

pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

pub fn i32_at(bytes: &[u8], at: usize) -> Option<i32> {
    bytes.get(at..)?.first_chunk().map(|b| i32::from_le_bytes(*b))
}

pub fn i64_at(bytes: &[u8], at: usize) -> Option<i64> {
    bytes.get(at..)?.first_chunk().map(|b| i64::from_le_bytes(*b))
}

/// A u32 that is an offset or a length.
pub fn len_at(bytes: &[u8], at: usize) -> Option<usize> {
    u32_at(bytes, at).map(|n| n as usize)
}

/// The bytes of a zero-terminated UTF-16 string, and where what follows it begins.
///
/// None where no terminator follows within `limit` characters.
pub fn terminated(bytes: &[u8], at: usize, limit: usize) -> Option<(&[u8], usize)> {
    let rest = bytes.get(at..)?;
    let units = rest.as_chunks::<2>().0;
    let end = units.iter().take(limit + 1).position(|unit| *unit == [0, 0])?;
    Some((&rest[..end * 2], at + end * 2 + 2))
}

/// Text of UTF-16LE bytes; what is no character becomes U+FFFD.
pub fn text(bytes: &[u8]) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Folds case, so that names compare as Windows compares them.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
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
    fn case_folds_beyond_ascii() {
        assert_eq!(fold("ÄÖ Straße ПРОЦЕСС"), fold("äö STRASSE процесс"));
        assert_eq!(fold("Processor"), "processor");
    }
}
