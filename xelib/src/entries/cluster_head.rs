//! First lines of entries of cluster logs, and titles of their sections.
//!
//! `00001a2c.000020b8::2026/02/28-22:10:41.004 `: process and thread, hexadecimal, and the time.
//! Sections with events of a channel have `[System] ` in front; copies made with a search tool
//! number their lines.

use super::form::{decimal, fits, is_hexadecimal};
use crate::calendar::midnight;

/// Length of the ids, and of the stamp behind them.
pub const IDS: usize = b"00001a2c.000020b8::".len();
pub const STAMP: usize = b"0000/00/00-00:00:00.000 ".len();

/// Bytes of a line in which the colons behind the ids are looked for, and in which a title ends.
const SHOWN: usize = 64;
const TITLE: usize = 256;
const MAX_CHANNEL: usize = 40;
const MAX_NAME: usize = 200;

const MICROS_PER_DAY: i64 = 86_400_000_000;

/// What stands in front of the ids of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix<'a> {
    pub channel: Option<&'a [u8]>,
    pub is_numbered: bool,
}

/// Gives where the stamp of a line begins.
pub fn stamp_of(line: &[u8]) -> Option<usize> {
    if is_head_at(line, IDS) {
        return Some(IDS);
    }
    let first = *line.first()?;
    if !(first == b'[' || first == b' ' || first.is_ascii_digit()) {
        return None;
    }
    let shown = &line[..line.len().min(SHOWN)];
    memchr::memchr_iter(b':', shown)
        .filter(|&at| shown.get(at + 1) == Some(&b':'))
        .map(|at| at + 2)
        .find(|&at| at >= IDS && is_head_at(line, at) && prefix_of(&line[..at - IDS]).is_some())
}

/// Tells whether ids end and a stamp begins at a position of a line.
fn is_head_at(line: &[u8], at: usize) -> bool {
    let Some((ids, rest)) = line[at - IDS..].split_first_chunk::<IDS>() else { return false };
    let Some(stamp) = rest.first_chunk::<STAMP>() else { return false };
    let Some((process, thread)) = ids.split_first_chunk::<9>() else { return false };
    fits(stamp, b"0000/00/00-00:00:00.000 ")
        && process[8] == b'.'
        && thread.ends_with(b"::")
        && thread.first_chunk::<8>().is_some_and(is_hexadecimal)
        && process.first_chunk::<8>().is_some_and(is_hexadecimal)
}

/// Takes apart what stands in front of the ids; `None` where it is something else.
pub fn prefix_of(text: &[u8]) -> Option<Prefix<'_>> {
    let rest = trim_start(text);
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = trim_start(&rest[digits..]);
    let is_numbered = digits > 0;
    if rest.is_empty() {
        return Some(Prefix { channel: None, is_numbered });
    }
    let inside = rest.strip_prefix(b"[")?;
    let close = memchr::memchr(b']', inside)?;
    let behind = &inside[close + 1..];
    let is_whole = (1..=MAX_CHANNEL).contains(&close)
        && !behind.is_empty()
        && behind.iter().all(|&byte| is_space(byte));
    is_whole.then_some(Prefix { channel: Some(&inside[..close]), is_numbered })
}

/// Gives the name in a title `[=== Cluster ===]`.
pub fn title_of(line: &[u8]) -> Option<&[u8]> {
    if !line.starts_with(b"[=== ") {
        return None;
    }
    let shown = &line[..line.len().min(TITLE)];
    let blank = shown.iter().rev().take_while(|&&byte| is_space(byte)).count();
    let name = shown[..shown.len() - blank].strip_prefix(b"[=== ")?.strip_suffix(b" ===]")?;
    if !(1..=MAX_NAME).contains(&name.len()) {
        return None;
    }
    let end = memchr::memmem::find(&name[1..], b" ===]").map_or(name.len(), |at| at + 1);
    Some(&name[..end])
}

/// Gives microseconds since 1970-01-01 of a stamp; `None` where there is no such time.
pub fn time_of(stamp: &[u8]) -> Option<i64> {
    let stamp = stamp.first_chunk::<{ STAMP - 1 }>()?;
    let number = |from: usize, to: usize| decimal(&stamp[from..to]);
    let day = midnight(number(0, 4), number(5, 7), number(8, 10))?;
    let (hour, minute, second) = (number(11, 13), number(14, 16), number(17, 19));
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let millis = ((hour * 60 + minute) * 60 + second) * 1_000 + number(20, 23);
    Some(day * MICROS_PER_DAY + millis * 1_000)
}

/// Gives the value of hexadecimal digits.
pub fn hexadecimal(digits: &[u8]) -> i64 {
    digits.iter().fold(0, |sum, &byte| {
        let value = if byte.is_ascii_digit() { byte & 15 } else { (byte & 15) + 9 };
        sum * 16 + i64::from(value)
    })
}

fn trim_start(text: &[u8]) -> &[u8] {
    let blank = text.iter().take_while(|&&byte| is_space(byte)).count();
    &text[blank..]
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &[u8] = b"00001a2c.000020B8::2026/02/28-22:10:41.004 ERR   x";

    #[test]
    fn the_usual_line_begins_with_its_ids() {
        assert_eq!(stamp_of(HEAD), Some(IDS));
        assert_eq!(time_of(&HEAD[IDS..]), Some(1_772_316_641_004_000));
        assert_eq!((hexadecimal(&HEAD[..8]), hexadecimal(&HEAD[9..17])), (0x1a2c, 0x20b8));
    }

    #[test]
    fn a_channel_and_a_number_may_stand_in_front() {
        let line = [b" 12 [System] ", HEAD].concat();
        let stamp = stamp_of(&line).unwrap();
        assert_eq!(stamp, 13 + IDS);
        let channel = Some(b"System".as_slice());
        assert_eq!(prefix_of(&line[..13]), Some(Prefix { channel, is_numbered: true }));
        assert_eq!(prefix_of(b"  "), Some(Prefix { channel: None, is_numbered: false }));
        assert_eq!(prefix_of(b"[] "), None);
        assert_eq!(prefix_of(b"[System]"), None);
    }

    #[test]
    fn other_lines_begin_nothing() {
        let words = [b"[System] Event ", HEAD].concat();
        for line in [&HEAD[1..], &HEAD[..IDS + STAMP - 1], b"", b"   second line", &words] {
            assert_eq!(stamp_of(line), None);
        }
    }

    #[test]
    fn times_that_there_are_not() {
        assert_eq!(time_of(b"2026/02/30-22:10:41.004 "), None);
        assert_eq!(time_of(b"2026/02/28-24:10:41.004 "), None);
        assert_eq!(time_of(b"2026/02"), None);
    }

    #[test]
    fn titles_of_sections() {
        assert_eq!(title_of(b"[=== Cluster Logs ===]  "), Some(b"Cluster Logs".as_slice()));
        assert_eq!(title_of(b"[=== a ===] b ===]"), Some(b"a".as_slice()));
        for line in [b"[=== ===]".as_slice(), b"[=== a ===] b", b"[=== a", b" [=== a ===]"] {
            assert_eq!(title_of(line), None);
        }
    }
}
