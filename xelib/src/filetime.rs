//! Times as Windows counts them: hundreds of nanoseconds since 1601-01-01.

#![forbid(unsafe_code)]

/// Hundreds of nanoseconds from 1601-01-01 to 1970-01-01.
const UNIX_EPOCH: i64 = 116_444_736_000_000_000;

/// Microseconds since 1970-01-01 of a FILETIME, rounded down.
pub fn unix_micros(filetime: i64) -> i64 {
    filetime.saturating_sub(UNIX_EPOCH).div_euclid(10)
}

/// Seconds from 1970-01-01 to 0001-01-02 and to 9999-12-31.
const CALENDAR: std::ops::Range<i64> = -62_135_510_400..253_402_214_400;

/// Microseconds since 1970-01-01 of a FILETIME; `None` at the ends of the years 1 to 9999 and beyond
/// them, where the calendars of other programs end.
pub fn calendar_micros(filetime: i64) -> Option<i64> {
    let micros = unix_micros(filetime);
    CALENDAR.contains(&micros.div_euclid(1_000_000)).then_some(micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calendar_ends_a_day_before_its_last_and_begins_a_day_after_its_first() {
        let at = |seconds: i64, ticks: i64| UNIX_EPOCH + seconds * 10_000_000 + ticks;
        assert_eq!(calendar_micros(at(CALENDAR.start, 0)), Some(-62_135_510_400_000_000));
        assert_eq!(calendar_micros(at(CALENDAR.start, -1)), None);
        assert_eq!(calendar_micros(at(CALENDAR.end, -1)), Some(253_402_214_399_999_999));
        assert_eq!(calendar_micros(at(CALENDAR.end, 0)), None);
        assert_eq!((calendar_micros(i64::MIN), calendar_micros(i64::MAX)), (None, None));
    }

    #[test]
    fn microseconds_round_down_before_1970_too() {
        assert_eq!(unix_micros(UNIX_EPOCH), 0);
        assert_eq!(unix_micros(UNIX_EPOCH + 19), 1);
        assert_eq!(unix_micros(UNIX_EPOCH - 1), -1);
    }

    #[test]
    fn times_beyond_the_range_stop_at_its_ends() {
        assert_eq!(unix_micros(i64::MIN), i64::MIN.div_euclid(10));
    }
}
