//! Time stamps `MM/DD/YYYY HH:MM:SS.mmm`: US order in every locale, local time.

use crate::calendar::midnight;

const MICROS_PER_SECOND: i64 = 1_000_000;
/// FILETIME, which PDH stores before it formats, begins here.
const FIRST_YEAR: i64 = 1601;
/// The last day of the year 9999: in UTC, a local time from here on may be past the calendar of
/// most programs. The other end of the calendar lies far before the first year.
const LAST_DAY: i64 = 253_402_214_400 * MICROS_PER_SECOND;

/// Gives microseconds since 1970-01-01 of a local time stamp; `None` when it is none.
///
/// The fraction may be missing or have up to nine digits (beyond microseconds they are cut).
pub fn parse(text: &[u8]) -> Option<i64> {
    let (fixed, fraction) = text.split_at_checked(19)?;
    for (at, mark) in [(2, b'/'), (5, b'/'), (10, b' '), (13, b':'), (16, b':')] {
        if fixed[at] != mark {
            return None;
        }
    }
    let month = number(&fixed[0..2])?;
    let day = number(&fixed[3..5])?;
    let year = number(&fixed[6..10])?;
    let (hour, minute, second) =
        (number(&fixed[11..13])?, number(&fixed[14..16])?, number(&fixed[17..19])?);
    if year < FIRST_YEAR || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = midnight(year, month, day)? * 86_400 + hour * 3_600 + minute * 60 + second;
    Some(seconds * MICROS_PER_SECOND + micros(fraction)?)
}

/// True where a local time, in microseconds since 1970-01-01, has a UTC in every zone.
pub fn has_utc(micros: i64) -> bool {
    micros < LAST_DAY
}

/// True for what a spreadsheet leaves of a time stamp, `mm:ss.f`: its date and hour are lost.
pub fn is_spreadsheet_remnant(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let Some([b':', tens, ones, b'.', tenth, ..]) = text.get(digits..) else {
        return false;
    };
    (1..=2).contains(&digits) && [tens, ones, tenth].iter().all(|b| b.is_ascii_digit())
}

fn number(digits: &[u8]) -> Option<i64> {
    digits
        .iter()
        .try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0')))
}

fn micros(fraction: &[u8]) -> Option<i64> {
    if fraction.is_empty() {
        return Some(0);
    }
    let digits = fraction.strip_prefix(b".")?;
    if !(1..=9).contains(&digits.len()) {
        return None;
    }
    let scale = 10_i64.pow(9 - digits.len() as u32);
    Some(number(digits)? * scale / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfmon_time_stamps() {
        assert_eq!(parse(b"01/01/1970 00:00:00.000"), Some(0));
        assert_eq!(parse(b"09/19/2017 09:56:39.072"), Some(1_505_814_999_072_000));
        assert_eq!(parse(b"02/29/2024 23:59:59.999"), Some(1_709_251_199_999_000));
        assert_eq!(parse(b"12/31/1969 23:59:59.999"), Some(-1_000));
        assert_eq!(parse(b"01/01/1601 00:00:00.000"), Some(-11_644_473_600_000_000));
        assert_eq!(parse(b"12/31/9999 23:59:59.999"), Some(253_402_300_799_999_000));
    }

    #[test]
    fn the_last_day_of_the_calendar_has_no_utc_everywhere() {
        let at = |text: &[u8]| parse(text).is_some_and(has_utc);
        assert!(at(b"12/30/9999 23:59:59.999"));
        assert!(!at(b"12/31/9999 00:00:00.000"));
    }

    #[test]
    fn other_fractions() {
        assert_eq!(parse(b"01/01/1970 00:00:01"), Some(1_000_000));
        assert_eq!(parse(b"01/01/1970 00:00:01.5"), Some(1_500_000));
        assert_eq!(parse(b"01/01/1970 00:00:01.123456789"), Some(1_123_456));
        assert_eq!(parse(b"01/01/1970 00:00:01."), None);
        assert_eq!(parse(b"01/01/1970 00:00:01.1234567890"), None);
    }

    #[test]
    fn what_no_calendar_holds() {
        for text in [
            "13/01/2020 00:00:00.000",
            "00/01/2020 00:00:00.000",
            "02/30/2020 00:00:00.000",
            "02/29/2023 00:00:00.000",
            "02/29/1900 00:00:00.000",
            "01/01/1600 00:00:00.000",
            "01/01/2020 24:00:00.000",
            "01/01/2020 00:60:00.000",
            "01/01/2020 00:00:60.000",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn other_text() {
        for text in
            ["", "18:41.5", "2020-01-01 00:00:00.000", "01/01/2020", "01/01/2020 0:00:00.000"]
        {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn spreadsheet_remnants() {
        for text in ["18:41.5", "8:41.5", "59:59.123", " 18:41.5 "] {
            assert!(is_spreadsheet_remnant(text.as_bytes()), "{text}");
        }
        for text in ["", "18:41", "118:41.5", "18:41:05.5", "18:4a.5", "a"] {
            assert!(!is_spreadsheet_remnant(text.as_bytes()), "{text}");
        }
    }
}
