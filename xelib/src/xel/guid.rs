//! Identifiers of 16 bytes, in Windows order.

use std::fmt;

/// First three parts little-endian, the rest as it stands.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Guid(pub [u8; 16]);

/// Which byte of the identifier each pair of digits shows.
const ORDER: [usize; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
const DIGITS: &[u8; 16] = b"0123456789abcdef";

impl Guid {
    pub fn is_zero(&self) -> bool {
        self.0 == [0; 16]
    }

    /// Lower-case text with hyphens.
    pub fn text(&self) -> [u8; 36] {
        let mut text = [b'-'; 36];
        let mut at = 0;
        for (n, &from) in ORDER.iter().enumerate() {
            if matches!(n, 4 | 6 | 8 | 10) {
                at += 1;
            }
            let byte = self.0[from];
            text[at] = DIGITS[usize::from(byte >> 4)];
            text[at + 1] = DIGITS[usize::from(byte & 15)];
            at += 2;
        }
        text
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().iter().try_for_each(|&digit| write!(out, "{}", char::from(digit)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_order_in_lower_case() {
        let guid = Guid([
            0xBF, 0x9F, 0xAA, 0x60, 0x3B, 0x67, 0x53, 0x45, 0xB7, 0xED, 0x71, 0xDC, 0xA7, 0xF5,
            0xE9, 0x72,
        ]);
        assert_eq!(guid.to_string(), "60aa9fbf-673b-4553-b7ed-71dca7f5e972");
    }
}
