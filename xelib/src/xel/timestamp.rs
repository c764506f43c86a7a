//! When an event happened.

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
    }
}
