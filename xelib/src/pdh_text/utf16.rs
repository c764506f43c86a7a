//! Code units, and UTF-16 text to one byte per code unit.

/// Written for code units that are not ASCII: no valid number, time or separator holds it.
const NOT_ASCII: u8 = 0x1A;

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
                narrow(text, big_endian, &mut out);
                out
            }
        }
    }
}

/// Appends one byte per code unit of `units` to `out`, so that positions stay proportional.
///
/// Data rows are ASCII in every locale; anything else makes the cell that holds it unreadable. An
/// odd last byte is left for the caller.
pub fn narrow(units: &[u8], big_endian: bool, out: &mut Vec<u8>) {
    let (pairs, _) = units.as_chunks::<2>();
    let ascii = |high: u8, low: u8| if high == 0 && low < 0x80 { low } else { NOT_ASCII };
    if big_endian {
        out.extend(pairs.iter().map(|&[high, low]| ascii(high, low)));
    } else {
        out.extend(pairs.iter().map(|&[low, high]| ascii(high, low)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrowed(units: &[u8], big_endian: bool) -> Vec<u8> {
        let mut out = Vec::new();
        narrow(units, big_endian, &mut out);
        out
    }

    #[test]
    fn both_byte_orders() {
        assert_eq!(narrowed(b"1\0,\0\n\0", false), b"1,\n");
        assert_eq!(narrowed(&[0, b'1', 0, b',', 0, b'\n'], true), b"1,\n");
    }

    #[test]
    fn other_characters_never_look_like_ascii() {
        assert_eq!(narrowed(&[0x0A, 0x04, 0xE9, 0x00], false), [NOT_ASCII, NOT_ASCII]);
    }

    #[test]
    fn an_odd_byte_is_left() {
        assert_eq!(narrowed(b"1\0,", false), b"1");
    }
}
