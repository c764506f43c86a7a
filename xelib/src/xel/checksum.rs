//! The checksum of a block: CRC-32 of the end of its payload.

/// No more than this many bytes at the end of the payload are covered.
pub const COVERED: usize = 1024;

/// CRC-32 (IEEE, reflected, begun with all ones) without the usual inversion at the end.
pub fn checksum(payload: &[u8]) -> u32 {
    !crc32fast::hash(&payload[payload.len().saturating_sub(COVERED)..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_crc_32_without_its_inversion() {
        assert_eq!(checksum(b"123456789"), !0xCBF4_3926);
    }

    #[test]
    fn any_length_as_bit_by_bit() {
        let bit_by_bit = |bytes: &[u8]| {
            bytes.iter().fold(u32::MAX, |crc, &byte| {
                (0..8).fold(crc ^ u32::from(byte), |crc, _| {
                    if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 }
                })
            })
        };
        let bytes: Vec<u8> = (0..300u16).map(|n| (n * 37) as u8).collect();
        for length in 0..bytes.len() {
            assert_eq!(checksum(&bytes[..length]), bit_by_bit(&bytes[..length]), "{length}");
        }
    }

    #[test]
    fn only_the_last_1024_bytes_count() {
        let mut payload = vec![7; 3000];
        let whole = checksum(&payload);
        payload[1975] = 8;
        assert_eq!(checksum(&payload), whole);
        payload[1976] = 8;
        assert_ne!(checksum(&payload), whole);
    }
}
