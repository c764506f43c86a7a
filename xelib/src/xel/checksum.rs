//! The checksum of a block: CRC-32 of the end of its payload.

/// No more than this many bytes at the end of the payload are covered.
const COVERED: usize = 1024;

/// Bytes that are taken in at once.
const STRIDE: usize = 16;

/// What a byte adds to the checksum when so many bytes of its stride follow it.
const TABLES: [[u32; 256]; STRIDE] = {
    let mut tables = [[0; 256]; STRIDE];
    let mut n = 0;
    while n < 256 {
        let mut crc = n as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        tables[0][n] = crc;
        n += 1;
    }
    let mut following = 1;
    while following < STRIDE {
        let mut n = 0;
        while n < 256 {
            let crc = tables[following - 1][n];
            tables[following][n] = (crc >> 8) ^ tables[0][(crc & 0xFF) as usize];
            n += 1;
        }
        following += 1;
    }
    tables
};

/// CRC-32 (IEEE, reflected, begun with all ones) without the usual inversion at the end.
pub fn checksum(payload: &[u8]) -> u32 {
    let covered = &payload[payload.len().saturating_sub(COVERED)..];
    let (strides, rest) = covered.as_chunks::<STRIDE>();
    let crc = strides.iter().fold(u32::MAX, |crc, &(mut stride)| {
        // The checksum so far goes into the first bytes, then each byte adds its own part.
        for (byte, so_far) in stride.iter_mut().zip(crc.to_le_bytes()) {
            *byte ^= so_far;
        }
        (0..STRIDE).fold(0, |crc, n| crc ^ TABLES[STRIDE - 1 - n][usize::from(stride[n])])
    });
    rest.iter().fold(crc, |crc, &byte| (crc >> 8) ^ TABLES[0][usize::from(crc as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_crc_32_without_its_inversion() {
        assert_eq!(checksum(b"123456789"), !0xCBF4_3926);
    }

    #[test]
    fn strides_and_what_is_left_of_them() {
        let bit_by_bit = |bytes: &[u8]| {
            bytes.iter().fold(u32::MAX, |crc, &byte| {
                (0..8).fold(crc ^ u32::from(byte), |crc, _| {
                    if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 }
                })
            })
        };
        let bytes: Vec<u8> = (0..40u8).map(|n| n.wrapping_mul(37)).collect();
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
