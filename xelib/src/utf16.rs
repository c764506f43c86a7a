//! UTF-16 texts of binary formats to UTF-8.

#![forbid(unsafe_code)]

/// Code units that are looked at together.
const STRIDE: usize = 16;

/// Appends UTF-16LE text; a lone surrogate or half a unit becomes U+FFFD, zeros are kept.
pub fn append_utf16(bytes: &[u8], out: &mut Vec<u8>) {
    let (mut units, odd) = bytes.as_chunks::<2>();
    out.reserve(units.len());
    while !units.is_empty() {
        while let Some((stride, rest)) = units.split_first_chunk::<STRIDE>() {
            let all = stride.iter().fold(0, |all, &unit| all | u16::from_le_bytes(unit));
            if all >= 0x80 {
                break;
            }
            out.extend_from_slice(&stride.map(|[low, _]| low));
            units = rest;
        }
        units = append_units(units, out);
    }
    if !odd.is_empty() {
        append_char(char::REPLACEMENT_CHARACTER, out);
    }
}

/// Appends at least a stride of units, or all; gives the rest.
fn append_units<'a>(units: &'a [[u8; 2]], out: &mut Vec<u8>) -> &'a [[u8; 2]] {
    let mut at = 0;
    while at < units.len().min(STRIDE) {
        let unit = u16::from_le_bytes(units[at]);
        at += 1;
        if unit < 0x80 {
            out.push(unit as u8);
            continue;
        }
        let low = units.get(at).map(|&unit| u16::from_le_bytes(unit));
        let pair = [unit, low.unwrap_or_default()];
        let pair = if low.is_some() { &pair[..] } else { &pair[..1] };
        let decoded = char::decode_utf16(pair.iter().copied()).next();
        let decoded = decoded.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER);
        at += decoded.len_utf16() - 1;
        append_char(decoded, out);
    }
    &units[at..]
}

fn append_char(character: char, out: &mut Vec<u8>) {
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf8(units: &[u16]) -> String {
        let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let mut out = Vec::new();
        append_utf16(&bytes, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn any_text_at_any_length() {
        let text = "plain text that is longer than a stride, Größe, 日本語, 😀 and some more text";
        for skip in 0..text.chars().count() {
            let text: String = text.chars().skip(skip).collect();
            assert_eq!(utf8(&text.encode_utf16().collect::<Vec<_>>()), text);
        }
    }

    #[test]
    fn zeros_are_kept() {
        assert_eq!(utf8(&[0x61, 0, 0x62, 0]), "a\0b\0");
    }

    #[test]
    fn every_lone_surrogate_becomes_one_replacement() {
        assert_eq!(utf8(&[0xD83D]), "\u{FFFD}");
        assert_eq!(utf8(&[0xD83D, 0x61]), "\u{FFFD}a");
        assert_eq!(utf8(&[0xDE00, 0xD83D, 0xDE00]), "\u{FFFD}😀");
        assert_eq!(utf8(&[0xD83D, 0xD83D, 0xDE00]), "\u{FFFD}😀");
    }

    #[test]
    fn a_pair_across_two_strides_stays_whole() {
        for before in 0..40 {
            let text = "é".repeat(before) + "😀" + &"b".repeat(40);
            assert_eq!(utf8(&text.encode_utf16().collect::<Vec<_>>()), text, "{before}");
        }
    }

    #[test]
    fn half_a_unit_becomes_a_replacement() {
        let mut out = Vec::new();
        append_utf16(b"a\0b", &mut out);
        assert_eq!(out, "a\u{FFFD}".as_bytes());
    }
}
