//! Plain decimals of up to 19 digits, the form that nearly all values have.
//!
//! Lengths of perfmon's numbers vary from cell to cell, so that a parser that branches on them
//! spends its time on mispredictions. This one looks at a window of 24 bytes as three words and
//! branches only on what is rare. Results are rounded correctly, as a general parser's are.

/// Bytes looked at: 19 digits, a point, and room.
const WINDOW: usize = 24;
/// Most digits whose number always fits 64 bits.
const MOST_DIGITS: usize = 19;

const POW10: [u64; MOST_DIGITS + 1] = {
    let mut powers = [1; MOST_DIGITS + 1];
    let mut n = 1;
    while n <= MOST_DIGITS {
        powers[n] = powers[n - 1] * 10;
        n += 1;
    }
    powers
};

/// 10^n shifted until its top bit is set.
const fn divisor(n: usize) -> u64 {
    POW10[n] << POW10[n].leading_zeros()
}

/// 2^127 / divisor(n), rounded down, and kept within 64 bits.
const RECIPROCAL: [u64; MOST_DIGITS + 1] = {
    let mut reciprocals = [u64::MAX; MOST_DIGITS + 1];
    let mut n = 1;
    while n <= MOST_DIGITS {
        reciprocals[n] = ((1 << 127) / divisor(n) as u128) as u64;
        n += 1;
    }
    reciprocals
};

/// For each length, the three words that keep that many bytes at the end of a window.
const LAST_BYTES: [[u64; 3]; WINDOW + 1] = {
    let mut masks = [[0; 3]; WINDOW + 1];
    let mut length = 0;
    while length <= WINDOW {
        let mut place = WINDOW - length;
        while place < WINDOW {
            masks[length][place / 8] |= 0xFF << (place % 8 * 8);
            place += 1;
        }
        length += 1;
    }
    masks
};

/// Reads `digits(.digits)?` that starts at `start`; gives the number and where it ends.
///
/// What follows is the caller's to judge: an exponent, say. `None` means that another parser must
/// look: another form, too many digits, or too near either end of `text`.
#[inline(always)]
pub fn read(text: &[u8], start: usize) -> Option<(f64, usize)> {
    let others = not_digits(text.get(start..start + WINDOW)?);
    let whole = others.trailing_zeros() as usize;
    let next = (others & (others - 1)).trailing_zeros() as usize;
    let has_point = *text.get(start + whole)? == b'.';
    let (length, decimals, kept) =
        if has_point { (next, next - whole - 1, next - whole - 1) } else { (whole, 0, WINDOW) };
    let end = start + length;
    // Nothing before or after the point, too many digits, or no end within the window.
    if (whole == 0)
        | (has_point & (decimals == 0))
        | (decimals > MOST_DIGITS)
        | (length >= WINDOW)
        | (end < WINDOW)
    {
        return None;
    }
    let [high, middle, low] = digits_before(&text[end - WINDOW..end], length, kept);
    // Leading zeros do not count towards the 19 digits that fit; "0.00198.." has more.
    if high > 999 {
        return None;
    }
    let number = (high * 100_000_000 + middle) * 100_000_000 + low;
    Some((divided(number, decimals), end))
}

/// Sets a bit for each byte of the window that is no digit, and the one after the last.
#[inline(always)]
fn not_digits(window: &[u8]) -> u32 {
    let mut bits = 1 << WINDOW;
    for (n, bytes) in window.as_chunks::<8>().0.iter().enumerate() {
        let word = u64::from_le_bytes(*bytes) ^ 0x3030_3030_3030_3030;
        let high_bits = (((word & 0x7F7F_7F7F_7F7F_7F7F) + 0x7676_7676_7676_7676) | word)
            & 0x8080_8080_8080_8080;
        // Gathers the eight high bits in order, the first byte's lowest.
        let gathered = (high_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= (gathered as u32) << (8 * n);
    }
    bits
}

/// Gives the last `length` bytes of a window, eight digits to a number.
///
/// What stands before the last `kept` bytes moves one place on, over the point.
#[inline(always)]
fn digits_before(window: &[u8], length: usize, kept: usize) -> [u64; 3] {
    let (words, _) = window.as_chunks::<8>();
    let mask = &LAST_BYTES[length];
    let [a, b, c] =
        [0, 1, 2].map(|n| u64::from_le_bytes(words[n]) & 0x0F0F_0F0F_0F0F_0F0F & mask[n]);
    let moved = [a << 8, b << 8 | a >> 56, c << 8 | b >> 56];
    let after = &LAST_BYTES[kept];
    let joined = |n: usize, word: u64| eight_digits((word & after[n]) | (moved[n] & !after[n]));
    [joined(0, a), joined(1, b), joined(2, c)]
}

/// Gives the number that eight digits make; each is a byte from 0 to 9, the first the lowest.
#[inline(always)]
fn eight_digits(bytes: u64) -> u64 {
    let pairs = (bytes.wrapping_mul(10) + (bytes >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    (fours.wrapping_mul(10_000) + (fours >> 32)) & 0xFFFF_FFFF
}

/// Gives `number / 10^decimals`, rounded once.
///
/// Both are shifted until their top bit is set; their quotient, taken 2^63 times, then has 63 or 64
/// bits, of which a double keeps 53. Multiplying by the rounded-down reciprocal gives it at most 2
/// too low, which decides the rounding unless a halfway point lies in between.
#[inline(always)]
fn divided(number: u64, decimals: usize) -> f64 {
    let up = (number | 1).leading_zeros();
    let dividend = number << up;
    let mut quotient = ((u128::from(dividend) * u128::from(RECIPROCAL[decimals])) >> 64) as u64;
    let halfway = 1 << (9 + (quotient >> 63));
    let dropped = quotient & (2 * halfway - 1);
    if dropped.wrapping_sub(halfway - 1) <= 1 {
        quotient = exact_quotient(dividend, decimals);
    }
    // Halved, and the lost bit noted in the next: signed integers convert faster.
    let halved = (quotient >> 1 | quotient & 1) as i64;
    let exponent = 1023 - 62 + u64::from(POW10[decimals].leading_zeros()) - u64::from(up);
    halved as f64 * f64::from_bits(exponent << 52)
}

/// The quotient with a lowest bit that is set when anything was left.
#[cold]
fn exact_quotient(dividend: u64, decimals: usize) -> u64 {
    let (dividend, divisor) = (u128::from(dividend) << 63, u128::from(divisor(decimals)));
    (dividend / divisor) as u64 | u64::from(dividend % divisor != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a cell as it stands in a row; gives the number and its length.
    fn cell(text: &str) -> Option<(f64, usize)> {
        let row = format!("\"01/01/1970 00:00:01.000\",\"{text}\",\"0\",\"12345678901234567890\"");
        read(row.as_bytes(), 27).map(|(value, end)| (value, end - 27))
    }

    fn assert_like_std(text: &str) {
        let expected: f64 = text.parse().unwrap();
        let got = cell(text).map(|(value, length)| (value.to_bits(), length));
        assert_eq!(got, Some((expected.to_bits(), text.len())), "{text}");
    }

    #[test]
    fn plain_decimals() {
        for text in [
            "0",
            "7",
            "1234567",
            "12345678",
            "123456789",
            "238133020971008",
            "9007199254740993",
            "0.5",
            "0.0019876778911682054",
            "8.1668773157007823",
            "00012.50",
            "0.0000000000000000001",
            "9999999999999999999",
            "0.9999999999999999999",
        ] {
            assert_like_std(text);
        }
    }

    #[test]
    fn what_is_left_to_the_general_parser() {
        for text in [
            "",
            "-1",
            ".5",
            "5.",
            "+5",
            "x",
            " 1",
            "12345678901234567890",
            "16.177316769893700155",
            "1.0000000000000000000",
            "000000000000000000000000001",
        ] {
            assert_eq!(cell(text), None, "{text}");
        }
        assert_eq!(read(b"\"1234\",\"0\"", 1), None);
        assert_eq!(read(b"", 0), None);
    }

    #[test]
    fn the_end_is_where_the_number_ends() {
        assert_eq!(cell("1.2.3"), Some((1.2, 3)));
        assert_eq!(cell("1x"), Some((1.0, 1)));
        assert_eq!(cell("1,5"), Some((1.0, 1)));
        assert_eq!(cell("1.5e3"), Some((1.5, 3)));
        assert_eq!(cell("1\u{e9}"), Some((1.0, 1)));
    }

    #[test]
    fn the_same_bits_as_the_standard_library() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..300_000 {
            let number = (random() >> (random() % 64)) % 10_u64.pow(19);
            let decimals = (random() % 20) as usize;
            let mut text = format!("{number:0width$}", width = decimals + 1);
            if decimals > 0 {
                text.insert(text.len() - decimals, '.');
            }
            assert_like_std(&text);
        }
    }

    #[test]
    fn halfway_cases_round_to_even() {
        // Exactly between two doubles, or just beside.
        for text in [
            "9007199254740993",
            "900719925474099.3",
            "9007199254740993.0",
            "9007199254740993.001",
            "9007199254740992.999",
            "4503599627370496.5",
            "4503599627370497.5",
            "4503599627370497.501",
            "4503599627370497.499",
            "1.000000000000000111",
            "1.000000000000000110",
        ] {
            assert_like_std(text);
        }
        for exponent in 0..10_u32 {
            for mantissa in [(1_u64 << 53) + 1, (1 << 53) + 3, (1 << 54) - 1] {
                assert_like_std(&(mantissa << exponent).to_string());
                assert_like_std(&((mantissa << exponent) + 1).to_string());
                assert_like_std(&((mantissa << exponent) - 1).to_string());
            }
        }
    }
}
