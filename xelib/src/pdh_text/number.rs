//! Values of cells: decimals with a point, exponents, and what else is met.

/// What a cell says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Number(f64),
    /// A number written with a decimal comma.
    CommaNumber(f64),
    /// No sample: empty or spaces. Never zero.
    Blank,
    /// Neither a number nor blank, or no finite number (`-1.#IND`, `1.#QNAN`, `NaN`).
    Bad,
}

/// Reads the finite number at the start of `text`; gives it and its length.
pub fn leading(text: &[u8]) -> Option<(f64, usize)> {
    match fast_float2::parse_partial::<f64, _>(text) {
        Ok((number, length)) if number.is_finite() => Some((number, length)),
        _ => None,
    }
}

/// Reads a whole cell.
pub fn value(text: &[u8]) -> Value {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Value::Blank;
    }
    match leading(text) {
        Some((number, length)) if length == text.len() => Value::Number(number),
        _ => comma_number(text).map_or(Value::Bad, Value::CommaNumber),
    }
}

/// A decimal comma counts when it is the only one and there is no point beside it.
fn comma_number(text: &[u8]) -> Option<f64> {
    let commas = text.iter().filter(|&&byte| byte == b',').count();
    // No finite number needs more; a crafted cell may be as long as its line.
    if commas != 1 || text.contains(&b'.') || text.len() > 1_000 {
        return None;
    }
    let pointed: Vec<u8> =
        text.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect();
    leading(&pointed).filter(|&(_, length)| length == pointed.len()).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_perfmon() {
        assert_eq!(value(b"0"), Value::Number(0.0));
        assert_eq!(value(b"238133020971008"), Value::Number(238_133_020_971_008.0));
        assert_eq!(value(b"0.0019876778911682054"), Value::Number(0.001_987_677_891_168_205_4));
        assert_eq!(value(b"16.177316769893700155"), Value::Number(16.177_316_769_893_7));
        assert_eq!(value(b"7.0600000000000001e-005"), Value::Number(7.06e-5));
        assert_eq!(value(b"-1"), Value::Number(-1.0));
        assert_eq!(value(b"1E3"), Value::Number(1000.0));
        assert_eq!(value(b" 5 "), Value::Number(5.0));
    }

    #[test]
    fn blanks_are_not_zero() {
        assert_eq!(value(b""), Value::Blank);
        assert_eq!(value(b" "), Value::Blank);
        assert_eq!(value(b"   "), Value::Blank);
    }

    #[test]
    fn decimal_comma() {
        assert_eq!(value(b"1,5"), Value::CommaNumber(1.5));
        assert_eq!(value(b"-0,25e1"), Value::CommaNumber(-2.5));
        assert_eq!(value(b"1,234,567"), Value::Bad);
        assert_eq!(value(b"1,234.5"), Value::Bad);
    }

    #[test]
    fn no_numbers() {
        for text in [
            "-1.#IND",
            "1.#QNAN",
            "1.#INF",
            "NaN",
            "inf",
            "-Infinity",
            "1e999",
            "-",
            "x",
            "1x",
            "0x10",
            ",",
            "\"",
        ] {
            assert_eq!(value(text.as_bytes()), Value::Bad, "{text}");
        }
    }

    #[test]
    fn a_number_at_the_start() {
        assert_eq!(leading(b"12.5\",\"3"), Some((12.5, 4)));
        assert_eq!(leading(b"nan\""), None);
        assert_eq!(leading(b" 1"), None);
        assert_eq!(leading(b""), None);
    }

    #[test]
    fn halfway_cases_round_to_even() {
        // Exactly between two doubles, or just beside.
        for text in [
            "9007199254740993",
            "9007199254740993.001",
            "9007199254740992.999",
            "4503599627370496.5",
            "4503599627370497.501",
            "1.000000000000000111",
            "0.0000000000000000001",
            "0.9999999999999999999",
        ] {
            assert_eq!(value(text.as_bytes()), Value::Number(text.parse().unwrap()), "{text}");
        }
    }
}
