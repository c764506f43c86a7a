//! UTF-16 to UTF-8, many characters of ASCII at a time.

/// Code units that are looked at together.
const STEP: usize = 64;
const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// Appends the UTF-8 of UTF-16; gives how many characters were none and became U+FFFD.
pub fn to_utf8(text: &[u8], big_endian: bool, out: &mut Vec<u8>) -> usize {
    let (units, odd) = text.as_chunks::<2>();
    out.reserve(units.len());
    if big_endian {
        decoded(units, u16::from_be_bytes, odd, out)
    } else {
        decoded(units, u16::from_le_bytes, odd, out)
    }
}

fn decoded(
    units: &[[u8; 2]],
    unit: impl Fn([u8; 2]) -> u16 + Copy,
    odd: &[u8],
    out: &mut Vec<u8>,
) -> usize {
    let (mut at, mut replaced, mut is_cut) = (0, 0, !odd.is_empty());
    while at < units.len() {
        while let Some(step) = units[at..].first_chunk::<STEP>() {
            if step.iter().fold(0, |all, &one| all | unit(one)) >= 0x80 {
                break;
            }
            let mut ascii = [0; STEP];
            for (byte, &one) in ascii.iter_mut().zip(step) {
                *byte = unit(one) as u8;
            }
            out.extend_from_slice(&ascii);
            at += STEP;
        }
        for _ in 0..STEP.min(units.len() - at) {
            let Some(&first) = units.get(at) else { break };
            let pair = units.get(at + 1).map(|&second| unit(second));
            let shown = match (unit(first), pair) {
                (high @ 0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => {
                    at += 1;
                    let low = u32::from(low - 0xDC00);
                    char::from_u32(0x1_0000 + (u32::from(high - 0xD800) << 10 | low))
                }
                (0xD800..=0xDBFF, None) => {
                    // Half a character takes the half of a code unit behind it along.
                    is_cut = false;
                    None
                }
                (one, _) => char::from_u32(u32::from(one)),
            };
            at += 1;
            replaced += usize::from(shown.is_none());
            push(shown.unwrap_or(REPLACEMENT), out);
        }
    }
    if is_cut {
        push(REPLACEMENT, out);
    }
    replaced + usize::from(is_cut)
}

fn push(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, character by character.
    fn plain(units: &[u16]) -> (Vec<u8>, usize) {
        let text: Vec<_> = char::decode_utf16(units.iter().copied()).collect();
        let replaced = text.iter().filter(|one| one.is_err()).count();
        let text: String = text.into_iter().map(|one| one.unwrap_or(REPLACEMENT)).collect();
        (text.into_bytes(), replaced)
    }

    fn read(units: &[u16], big_endian: bool) -> (Vec<u8>, usize) {
        let bytes = |unit: &u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
        let mut out = Vec::new();
        let replaced =
            to_utf8(&units.iter().flat_map(bytes).collect::<Vec<_>>(), big_endian, &mut out);
        (out, replaced)
    }

    #[test]
    fn texts_read_as_character_by_character() {
        let odd =
            [0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFD];
        let mut state = 1_u64;
        let mut chance = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for round in 0..2_000 {
            let rare = 1 + round % 80;
            let units: Vec<u16> = (0..chance(200))
                .map(
                    |_| if chance(rare) == 0 { odd[chance(odd.len())] } else { chance(128) as u16 },
                )
                .collect();
            for big_endian in [false, true] {
                assert_eq!(read(&units, big_endian), plain(&units), "{units:x?}");
            }
        }
    }

    #[test]
    fn half_a_character_at_the_end_is_replaced_once() {
        for (bytes, shown) in [
            (b"a\0b".as_slice(), "a\u{FFFD}"),
            (b"a\0\x00\xD8", "a\u{FFFD}"),
            (b"a\0\x00\xD8\x01", "a\u{FFFD}"),
            (b"a\0\x00\xDC\x01", "a\u{FFFD}\u{FFFD}"),
        ] {
            let mut out = Vec::new();
            let replaced = to_utf8(bytes, false, &mut out);
            assert_eq!((out, replaced), (shown.into(), shown.chars().count() - 1));
        }
    }
}
