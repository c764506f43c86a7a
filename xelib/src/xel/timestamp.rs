//! When an event happened.

/// Hundreds of nanoseconds from 1601-01-01 to 1970-01-01.
const UNIX_EPOCH: i64 = 116_444_736_000_000_000;
const PER_SECOND: u64 = 10_000_000;

/// What the ticks of a package's events are counted from, and how fast.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct TimeBase {
    /// UTC, hundreds of nanoseconds since 1601-01-01.
    pub filetime: u64,
    /// Ticks per second; 0 stands for 10,000,000.
    pub frequency: u64,
}

impl TimeBase {
    /// UTC in hundreds of nanoseconds since 1601-01-01; held at the ends of the range.
    ///
    /// Other frequencies are converted in double precision and truncated toward zero, because the
    /// reader that everyone compares with does: exact integers differ by 100 ns now and then.
    pub fn filetime(&self, ticks: i64) -> i64 {
        let elapsed = match self.frequency {
            0 | PER_SECOND => ticks,
            frequency => (ticks as f64 * (PER_SECOND as f64 / frequency as f64)) as i64,
        };
        let time = i128::from(self.filetime) + i128::from(elapsed);
        time.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }
}

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
    fn ten_million_a_second_is_exact() {
        for frequency in [0, 10_000_000] {
            let base = TimeBase { filetime: 130_000_000_000_000_000, frequency };
            assert_eq!(base.filetime(9_007_199_254_740_993), 139_007_199_254_740_993);
            assert_eq!(base.filetime(-3), 129_999_999_999_999_997);
        }
    }

    #[test]
    fn other_frequencies_truncate_toward_zero() {
        let base = TimeBase { filetime: 1_000_000, frequency: 3_320_333 };
        // 1 tick is 3.0117... and 5 are 15.0587... units.
        assert_eq!(base.filetime(5), 1_000_015);
        assert_eq!(base.filetime(-5), 999_985);
    }

    #[test]
    fn double_precision_is_part_of_the_rule() {
        // 10**7 / 2_046_477 is not exact in a double: at 2**53 ticks it shows in the last digits.
        let base = TimeBase { filetime: 0, frequency: 2_046_477 };
        let exact = (9_007_199_254_740_992_i128 * 10_000_000 / 2_046_477) as i64;
        let double = (9_007_199_254_740_992_f64 * (1e7 / 2_046_477_f64)) as i64;
        assert_ne!(exact, double);
        assert_eq!(base.filetime(9_007_199_254_740_992), double);
    }

    #[test]
    fn times_beyond_the_range_stop_at_its_ends() {
        let base = TimeBase { filetime: u64::MAX, frequency: 1 };
        assert_eq!(base.filetime(i64::MAX), i64::MAX);
        assert_eq!(TimeBase::default().filetime(i64::MIN), i64::MIN);
        assert_eq!(unix_micros(i64::MIN), i64::MIN.div_euclid(10));
    }

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
}
