//! First lines of entries of an ERRORLOG.
//!
//! `2019-03-14 21:52:29.41 spid17s     Always On: ..`: the time with two digits of the second (three
//! in copies), blanks or tabs, a source without blanks, and the message.

use super::form::{decimal, fits};
use crate::calendar::midnight;

const STAMP: &[u8; 22] = b"0000-00-00 00:00:00.00";
/// Bytes of a stamp, a blank and a source at least.
const SHORTEST: usize = STAMP.len() + 2;

const MILLIS_PER_DAY: i64 = 86_400_000;

/// The first and the last day of the calendar have no UTC in some zone.
const FAR: [&[u8]; 2] = [b"0001-01-01", b"9999-12-31"];

/// Parts of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Microseconds since 1970-01-01, local time.
    pub time: i64,
    /// Where the source begins and ends.
    pub source: (usize, usize),
    /// Where the message begins.
    pub message: usize,
}

/// Reads headers, and remembers the day of the last one: it is that of the next one, too.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadReader {
    date: [u8; 10],
    day: i64,
}

impl HeadReader {
    /// Takes a line without its end apart; `None` where it is no header.
    pub fn head_of(&mut self, line: &[u8]) -> Option<Head> {
        let (time, stamp) = self.stamp_of(line)?;
        let begin = stamp + blanks(&line[stamp..]);
        let end = begin + line[begin..].iter().take_while(|&&byte| !is_blank(byte)).count();
        let message = end + blanks(&line[end..]);
        (begin < end).then_some(Head { time, source: (begin, end), message })
    }

    /// Tells whether a line ends in its time or its source: cut short, that would belong to nobody,
    /// and part an error from its text.
    pub fn is_cut_short(&mut self, line: &[u8]) -> bool {
        self.stamp_of(line).is_some()
            && self.head_of(line).is_none_or(|head| head.source.1 == line.len())
    }

    /// Gives the time that a line begins with, and where the blanks behind it begin.
    fn stamp_of(&mut self, line: &[u8]) -> Option<(i64, usize)> {
        let (stamp, behind) = line.split_first_chunk::<{ STAMP.len() }>()?;
        if line.len() < SHORTEST || !fits(stamp, STAMP) {
            return None;
        }
        let third = usize::from(behind[0].is_ascii_digit());
        let number = |begin: usize, end: usize| decimal(&stamp[begin..end]);
        let day = self.day_of(stamp.first_chunk()?)?;
        let (hour, minute, second) = (number(11, 13), number(14, 16), number(17, 19));
        if !is_blank(behind[third]) || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let millis = number(20, 22) * 10 + decimal(&behind[..third]);
        let seconds = (hour * 60 + minute) * 60 + second;
        Some(((day * MILLIS_PER_DAY + seconds * 1_000 + millis) * 1_000, STAMP.len() + third))
    }

    fn day_of(&mut self, date: &[u8; 10]) -> Option<i64> {
        if self.date != *date {
            let number = |begin: usize, end: usize| decimal(&date[begin..end]);
            self.day = midnight(number(0, 4), number(5, 7), number(8, 10))?;
            self.date = *date;
        }
        Some(self.day)
    }
}

/// Tells whether the time of a header has no UTC in some zone.
pub fn is_far(head: &[u8]) -> bool {
    FAR.iter().any(|day| head.starts_with(day))
}

/// Gives the number of a session that is a source: `spid51` and `spid7s`, but not `Server`.
pub fn spid_of(source: &[u8]) -> Option<i64> {
    let number = source.strip_prefix(b"spid")?;
    let number = number.strip_suffix(b"s").unwrap_or(number);
    let is_number = (1..=9).contains(&number.len()) && number.iter().all(u8::is_ascii_digit);
    is_number.then(|| decimal(number))
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_blank(byte)).count()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: i64 = 1_706_177_187_840_000;

    fn head_of(line: &[u8]) -> Option<Head> {
        HeadReader::default().head_of(line)
    }

    fn is_cut_short(line: &[u8]) -> bool {
        HeadReader::default().is_cut_short(line)
    }

    #[test]
    fn a_header_is_time_source_and_message() {
        let head = Head { time: TIME, source: (23, 29), message: 35 };
        assert_eq!(head_of(b"2024-01-25 10:06:27.84 spid51      Starting"), Some(head));
    }

    #[test]
    fn a_day_is_remembered_only_if_there_is_one() {
        let mut reader = HeadReader::default();
        let mut time =
            |day: &str| Some(reader.head_of(format!("{day} 00:00:00.00 a b").as_bytes())?.time);
        let midnight = TIME - TIME % (MILLIS_PER_DAY * 1_000);
        let days = ["2024-01-25", "2024-01-25", "2024-01-32", "2024-01-32", "2024-01-25"];
        let is_one = [true, true, false, false, true];
        assert_eq!(days.map(&mut time), is_one.map(|is| is.then_some(midnight)));
        assert_eq!(time("0000-00-00"), None);
    }

    #[test]
    fn copies_have_three_digits_of_the_second() {
        let head = Head { time: TIME + 7_000, source: (24, 29), message: 31 };
        assert_eq!(head_of(b"2024-01-25 10:06:27.847\tspid5\t\tx"), Some(head));
    }

    #[test]
    fn a_message_may_be_missing() {
        for (line, message) in
            [("2024-01-25 10:06:27.84 spid5", 28), ("2024-01-25 10:06:27.84 spid5  ", 30)]
        {
            assert_eq!(head_of(line.as_bytes()).map(|head| head.message), Some(message));
        }
    }

    #[test]
    fn other_lines_begin_nothing() {
        for line in [
            "",
            "2024-01-25 10:06:27.84",
            "2024-01-25 10:06:27.84    ",
            "2024-02-30 10:06:27.84 spid5       no such date",
            "0000-01-25 10:06:27.84 spid5       no such year",
            "2024-01-25 24:06:27.84 spid5       no such hour",
            "2024-01-25 10:60:27.84 spid5       no such minute",
            "2024-01-25 10:06:27.8 spid5       one digit",
            "2024-01-25 10:06:27.8400 spid5       four digits",
            "2024-01-25T10:06:27.84 spid5       not a blank",
            " 2024-01-25 10:06:27.84 spid5       indented",
        ] {
            assert_eq!(head_of(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_line_may_be_cut_in_its_source() {
        for line in ["2024-01-25 10:06:27.84 spi", "2024-01-25 10:06:27.84   "] {
            assert!(is_cut_short(line.as_bytes()), "{line}");
        }
        for line in ["2024-01-25 10:06:27.84 spid5 ", "2024-01-25 10:06", "text"] {
            assert!(!is_cut_short(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn sessions_have_numbers() {
        assert_eq!([b"spid51".as_slice(), b"spid7s"].map(spid_of), [Some(51), Some(7)]);
        for source in ["Server", "spid", "spids", "spid7ss", "spid1234567890", "Spid7"] {
            assert_eq!(spid_of(source.as_bytes()), None, "{source}");
        }
    }

    #[test]
    fn the_ends_of_the_calendar_are_far() {
        assert!(is_far(b"9999-12-31 00:00:00.00 Server x"));
        assert!(is_far(b"0001-01-01 23:59:59.99 Server x"));
        assert!(!is_far(b"0001-01-02 00:00:00.00 Server x"));
        assert!(!is_far(b"9999-12-30 23:59:59.99 Server x"));
    }
}
