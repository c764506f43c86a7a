//! The checksum of a block: CRC-32 of the end of its payload.

/// No more than this many bytes at the end of the payload are covered.
const COVERED: usize = 1024;

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        let mut crc = n as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        table[n] = crc;
        n += 1;
    }
    table
};

/// CRC-32 (IEEE, reflected, begun with all ones) without the usual inversion at the end.
pub fn checksum(payload: &[u8]) -> u32 {
    let covered = &payload[payload.len().saturating_sub(COVERED)..];
    covered.iter().fold(u32::MAX, |crc, &byte| (crc >> 8) ^ TABLE[usize::from(crc as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_crc_32_without_its_inversion() {
        assert_eq!(checksum(b"123456789"), !0xCBF4_3926);
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
