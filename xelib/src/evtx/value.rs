//! Values of binary XML as text.

use std::io::Write;

use crate::bytes::{array_at, i64_at, u16_at};
use crate::calendar::{civil, midnight};
use crate::filetime::calendar_micros;
use crate::utf16::append_utf16;
use crate::xel::Guid;

/// What a value is; with [`ARRAY`] many of them.
pub mod kind {
    pub const NULL: u8 = 0x00;
    pub const STRING: u8 = 0x01;
    pub const ANSI: u8 = 0x02;
    pub const INT8: u8 = 0x03;
    pub const UINT8: u8 = 0x04;
    pub const INT16: u8 = 0x05;
    pub const UINT16: u8 = 0x06;
    pub const INT32: u8 = 0x07;
    pub const UINT32: u8 = 0x08;
    pub const INT64: u8 = 0x09;
    pub const UINT64: u8 = 0x0A;
    pub const FLOAT: u8 = 0x0B;
    pub const DOUBLE: u8 = 0x0C;
    pub const BOOLEAN: u8 = 0x0D;
    pub const GUID: u8 = 0x0F;
    pub const SIZE: u8 = 0x10;
    pub const FILETIME: u8 = 0x11;
    pub const SYSTEMTIME: u8 = 0x12;
    pub const SID: u8 = 0x13;
    pub const HEX32: u8 = 0x14;
    pub const HEX64: u8 = 0x15;
    pub const XML: u8 = 0x21;
    pub const XML_TEXT: u8 = 0x23;
    pub const ARRAY: u8 = 0x80;
}

const MICROS_PER_DAY: i64 = 86_400_000_000;
/// Bytes of a SID in front of its parts.
const SID_HEAD: usize = 8;

/// Appends a value as text; `None` where it is none of its kind. Of an unknown kind the bytes are
/// shown, as of a binary one.
pub fn append(kind: u8, bytes: &[u8], out: &mut Vec<u8>) -> Option<()> {
    if bytes.is_empty() || kind == kind::NULL {
        return Some(());
    }
    match kind {
        kind::STRING | kind::XML_TEXT => append_string(bytes, out),
        kind::ANSI => {
            let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
            // Latin-1: the code page is not in the file.
            out.extend(text.iter().flat_map(|&byte| char::from(byte).to_string().into_bytes()));
        }
        kind::INT8 | kind::INT16 | kind::INT32 | kind::INT64 => {
            append_signed(signed(bytes, width(kind)), out);
        }
        kind::UINT8 | kind::UINT16 | kind::UINT32 | kind::UINT64 => {
            append_unsigned(unsigned(bytes, width(kind)), out);
        }
        kind::FLOAT => shown(format_args!("{:?}", f32::from_le_bytes(array_at(bytes, 0)?)), out),
        kind::DOUBLE => shown(format_args!("{:?}", f64::from_le_bytes(array_at(bytes, 0)?)), out),
        kind::BOOLEAN => match unsigned(bytes, 4) {
            0 => out.extend_from_slice(b"False"),
            1 => out.extend_from_slice(b"True"),
            // Programs write other numbers for true.
            other => append_signed(i64::from(other as u32 as i32), out),
        },
        kind::GUID => {
            let text = Guid(array_at(bytes, 0)?).text();
            out.extend(text.iter().map(u8::to_ascii_uppercase));
        }
        kind::SIZE | kind::HEX32 | kind::HEX64 => append_hex(unsigned(bytes, 8), out),
        kind::FILETIME => append_moment(moment(bytes)?, out),
        kind::SYSTEMTIME => append_moment(system_time(bytes)?, out),
        kind::SID => append_sid(bytes, out)?,
        _ => bytes.iter().for_each(|&byte| out.extend_from_slice(&digits(byte))),
    }
    Some(())
}

/// Bytes of each item of an array; `None` where they have not all the same size.
pub fn item_size(kind: u8, bytes: &[u8]) -> Option<usize> {
    match kind {
        kind::INT8..=kind::UINT64 | kind::SIZE | kind::HEX32 | kind::HEX64 => Some(width(kind)),
        kind::FLOAT | kind::BOOLEAN => Some(4),
        kind::DOUBLE | kind::FILETIME => Some(8),
        kind::GUID | kind::SYSTEMTIME => Some(16),
        kind::SID => bytes.get(1).map(|&parts| SID_HEAD + 4 * usize::from(parts)),
        _ => None,
    }
}

/// Appends UTF-16 up to a zero.
pub fn append_string(units: &[u8], out: &mut Vec<u8>) {
    let begin = out.len();
    append_utf16(units, out);
    if let Some(end) = memchr::memchr(0, &out[begin..]) {
        out.truncate(begin + end);
    }
}

fn width(kind: u8) -> usize {
    match kind {
        kind::INT8 | kind::UINT8 => 1,
        kind::INT16 | kind::UINT16 => 2,
        kind::INT32 | kind::UINT32 | kind::HEX32 => 4,
        _ => 8,
    }
}

/// The number in the first `width` bytes, or in fewer where there are not so many.
fn unsigned(bytes: &[u8], width: usize) -> u64 {
    let bytes = &bytes[..bytes.len().min(width)];
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn signed(bytes: &[u8], width: usize) -> i64 {
    let unused = 64 - 8 * bytes.len().min(width) as u32;
    ((unsigned(bytes, width) << unused) as i64) >> unused
}

pub fn append_unsigned(mut number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

fn append_signed(number: i64, out: &mut Vec<u8>) {
    if number < 0 {
        out.push(b'-');
    }
    append_unsigned(number.unsigned_abs(), out);
}

fn append_hex(number: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(b"0x");
    let length = (64 - number.leading_zeros()).div_ceil(4).max(1);
    for place in (0..length).rev() {
        out.push(b"0123456789abcdef"[(number >> (4 * place)) as usize & 15]);
    }
}

fn digits(byte: u8) -> [u8; 2] {
    [byte >> 4, byte & 15].map(|half| b"0123456789ABCDEF"[usize::from(half)])
}

/// Appends `2026-03-01T03:10:44.123456Z`.
fn append_moment(micros: i64, out: &mut Vec<u8>) {
    let (year, month, day) = civil(micros.div_euclid(MICROS_PER_DAY));
    let rest = micros.rem_euclid(MICROS_PER_DAY);
    let (second, micro) = (rest / 1_000_000, rest % 1_000_000);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    shown(
        format_args!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micro:06}Z"),
        out,
    );
}

/// Microseconds since 1970 of a FILETIME; `None` where it is none, or beyond the calendar.
pub fn moment(filetime: &[u8]) -> Option<i64> {
    calendar_micros(i64_at(filetime, 0).filter(|&filetime| filetime >= 0)?)
}

fn system_time(bytes: &[u8]) -> Option<i64> {
    let part = |number: usize| u16_at(bytes, number * 2).map(i64::from);
    let days = midnight(part(0)?, part(1)?, part(3)?)?;
    let (hour, minute, second, milli) = (part(4)?, part(5)?, part(6)?, part(7)?);
    let is_time = hour < 24 && minute < 60 && second < 60 && milli < 1000;
    let millis = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + milli;
    is_time.then_some(millis * 1000)
}

fn append_sid(bytes: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let [version, parts, authority @ ..] = array_at::<SID_HEAD>(bytes, 0)?;
    let authority = authority.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
    out.extend_from_slice(b"S-");
    append_unsigned(version.into(), out);
    out.push(b'-');
    append_unsigned(authority, out);
    for part in bytes.get(SID_HEAD..SID_HEAD + 4 * usize::from(parts))?.as_chunks::<4>().0 {
        out.push(b'-');
        append_unsigned(u32::from_le_bytes(*part).into(), out);
    }
    Some(())
}

fn shown(text: std::fmt::Arguments<'_>, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(kind: u8, bytes: &[u8]) -> Option<String> {
        let mut out = Vec::new();
        append(kind, bytes, &mut out)?;
        Some(String::from_utf8(out).unwrap())
    }

    #[test]
    fn numbers_of_fewer_bytes_than_their_kind() {
        assert_eq!(shown(kind::INT32, &[0xFE, 0xFF]).as_deref(), Some("-2"));
        assert_eq!(shown(kind::UINT64, &[1, 1]).as_deref(), Some("257"));
        assert_eq!(shown(kind::UINT8, &[1, 1]).as_deref(), Some("1"));
        assert_eq!(shown(kind::BOOLEAN, &[1]).as_deref(), Some("True"));
    }

    #[test]
    fn what_is_too_short_is_none() {
        for kind in [kind::FLOAT, kind::DOUBLE, kind::GUID, kind::FILETIME, kind::SYSTEMTIME] {
            assert_eq!(shown(kind, &[1]), None, "{kind}");
        }
        assert_eq!(shown(kind::SID, &[1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0]), None);
    }

    #[test]
    fn every_kind_of_any_bytes_is_text() {
        for kind in 0..=u8::MAX {
            for bytes in 0..40 {
                let _ = shown(kind, &vec![0xD8; bytes]);
                assert_ne!(item_size(kind, &vec![0; bytes]), Some(0));
            }
        }
    }
}
