//! First bytes of texts, compared in one step.

/// How many bytes.
pub const BYTES: usize = 8;

/// What texts begin with, as far as it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning {
    value: u64,
    mask: u64,
}

impl Beginning {
    pub fn of(head: &[u8]) -> Self {
        let bits = 8 * (BYTES - head.len().min(BYTES)) as u32;
        let mask = u64::MAX.checked_shl(bits).unwrap_or(0);
        Self { value: first(head), mask }
    }

    /// Tells whether a text has it; `shown` are its first bytes.
    pub fn fits(self, shown: u64) -> bool {
        (shown ^ self.value) & self.mask == 0
    }
}

/// Gives the first bytes of a text as a number; what is missing counts as 0, which no head holds.
pub fn first(text: &[u8]) -> u64 {
    if let Some(bytes) = text.first_chunk::<BYTES>() {
        return u64::from_be_bytes(*bytes);
    }
    let mut bytes = [0; BYTES];
    bytes[..text.len()].copy_from_slice(text);
    u64::from_be_bytes(bytes)
}

/// Gives the first two of them.
pub fn first_two(shown: u64) -> usize {
    (shown >> 48) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_beginnings() {
        let text = b"Backup(db): a";
        for end in 0..=text.len() {
            let beginning = Beginning::of(&text[..end]);
            for length in 0..=text.len() {
                let has = length >= end.min(BYTES);
                assert_eq!(beginning.fits(first(&text[..length])), has, "{end} of {length}");
            }
            for place in 0..end.min(BYTES) {
                let mut other = *text;
                other[place] ^= 1;
                assert!(!beginning.fits(first(&other)));
            }
        }
        assert_eq!(first_two(first(b"AB")), 0x4142);
        assert_eq!(first_two(first(b"A")), 0x4100);
    }
}
