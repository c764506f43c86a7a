//! Forms of what stands at fixed places of a line.

/// Tells whether bytes have a form: a digit where it has `0`, else the same byte.
///
/// Each byte is looked at, whatever the ones before it are: a few steps for many bytes at once.
pub fn fits<const N: usize>(bytes: &[u8; N], form: &[u8; N]) -> bool {
    let wrong = |(&byte, &form): (&u8, &u8)| byte ^ form > if form == b'0' { 9 } else { 0 };
    !bytes.iter().zip(form).map(wrong).fold(false, |any, one| any | one)
}

/// Tells whether all bytes are hexadecimal digits.
pub fn is_hexadecimal<const N: usize>(bytes: &[u8; N]) -> bool {
    bytes.iter().map(u8::is_ascii_hexdigit).fold(true, |all, one| all & one)
}

/// Gives the value of decimal digits.
pub fn decimal(digits: &[u8]) -> i64 {
    digits.iter().fold(0, |sum, byte| sum * 10 + i64::from(byte & 15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_form() {
        for place in 0..4 {
            for byte in 0..=u8::MAX {
                let mut bytes = *b"1-2:";
                bytes[place] = byte;
                let is_plain = match place {
                    0 | 2 => byte.is_ascii_digit(),
                    1 => byte == b'-',
                    _ => byte == b':',
                };
                assert_eq!(fits(&bytes, b"0-0:"), is_plain, "{bytes:?}");
                assert_eq!(is_hexadecimal(&[b'0', byte]), byte.is_ascii_hexdigit());
            }
        }
    }
}
