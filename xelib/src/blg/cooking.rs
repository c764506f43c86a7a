//! From raw values to what Windows shows: one rule per counter type.
//!
//! Formulas and type codes: winperf.h and Microsoft's pages on the counter types. The order of the
//! operations is Windows' own, so that results are equal to the last bit.

/// Stands for "no value". No cooked value is NaN.
pub const ABSENT: f64 = f64::NAN;

const TIME_BASE_MASK: u32 = 0x0030_0000;
const HIDDEN_MASK: u32 = 0xF000_0000;
const HIDDEN: u32 = 0x4000_0000;
const AVERAGE_BULK: u32 = 0x4002_0500;

/// How a counter type is cooked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The value itself.
    Count,
    /// Change since the sample before.
    Delta,
    /// Change per second.
    Rate,
    /// Change per tick of the clock: a mean queue length.
    QueueLength,
    /// Share of the time, in percent.
    Timer,
    TimerInverse,
    /// Share of the time by a clock of its own, in percent.
    PrecisionTimer,
    /// Share of `base` timers, in percent.
    MultiTimer,
    MultiTimerInverse,
    MultiTimer100Ns,
    MultiTimer100NsInverse,
    /// Value by base, in percent.
    Fraction,
    /// Change of the value by the change of the base, in percent.
    SampleFraction,
    /// Seconds per operation.
    AverageTimer,
    /// Amount per operation.
    AverageBulk,
    /// Seconds since an instant.
    Elapsed,
}

/// A counter type of winperf.h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterType {
    pub code: u32,
    pub name: &'static str,
    pub rule: Rule,
}

const TYPES: &[(u32, &str, Rule)] = &[
    (0x0000_0000, "PERF_COUNTER_RAWCOUNT_HEX", Rule::Count),
    (0x0000_0100, "PERF_COUNTER_LARGE_RAWCOUNT_HEX", Rule::Count),
    (0x0001_0000, "PERF_COUNTER_RAWCOUNT", Rule::Count),
    (0x0001_0100, "PERF_COUNTER_LARGE_RAWCOUNT", Rule::Count),
    (0x0040_0400, "PERF_COUNTER_DELTA", Rule::Delta),
    (0x0040_0500, "PERF_COUNTER_LARGE_DELTA", Rule::Delta),
    (0x0041_0400, "PERF_SAMPLE_COUNTER", Rule::Rate),
    (0x1041_0400, "PERF_COUNTER_COUNTER", Rule::Rate),
    (0x1041_0500, "PERF_COUNTER_BULK_COUNT", Rule::Rate),
    (0x0045_0400, "PERF_COUNTER_QUEUELEN_TYPE", Rule::QueueLength),
    (0x0045_0500, "PERF_COUNTER_LARGE_QUEUELEN_TYPE", Rule::QueueLength),
    (0x0055_0500, "PERF_COUNTER_100NS_QUEUELEN_TYPE", Rule::QueueLength),
    (0x0065_0500, "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", Rule::QueueLength),
    (0x2041_0500, "PERF_COUNTER_TIMER", Rule::Timer),
    (0x2051_0500, "PERF_100NSEC_TIMER", Rule::Timer),
    (0x2061_0500, "PERF_OBJ_TIME_TIMER", Rule::Timer),
    (0x2141_0500, "PERF_COUNTER_TIMER_INV", Rule::TimerInverse),
    (0x2151_0500, "PERF_100NSEC_TIMER_INV", Rule::TimerInverse),
    (0x2047_0500, "PERF_PRECISION_SYSTEM_TIMER", Rule::PrecisionTimer),
    (0x2057_0500, "PERF_PRECISION_100NS_TIMER", Rule::PrecisionTimer),
    (0x2067_0500, "PERF_PRECISION_OBJECT_TIMER", Rule::PrecisionTimer),
    (0x2241_0500, "PERF_COUNTER_MULTI_TIMER", Rule::MultiTimer),
    (0x2341_0500, "PERF_COUNTER_MULTI_TIMER_INV", Rule::MultiTimerInverse),
    (0x2251_0500, "PERF_100NSEC_MULTI_TIMER", Rule::MultiTimer100Ns),
    (0x2351_0500, "PERF_100NSEC_MULTI_TIMER_INV", Rule::MultiTimer100NsInverse),
    (0x2002_0400, "PERF_RAW_FRACTION", Rule::Fraction),
    (0x2002_0500, "PERF_LARGE_RAW_FRACTION", Rule::Fraction),
    (0x20C2_0400, "PERF_SAMPLE_FRACTION", Rule::SampleFraction),
    (0x3002_0400, "PERF_AVERAGE_TIMER", Rule::AverageTimer),
    (0x4002_0500, "PERF_AVERAGE_BULK", Rule::AverageBulk),
    (0x3024_0500, "PERF_ELAPSED_TIME", Rule::Elapsed),
];

/// The counter type of a code; None for bases, texts and what winperf.h does not know.
pub fn counter_type(code: u32) -> Option<CounterType> {
    let (code, name, rule) = *TYPES.iter().find(|(known, ..)| *known == code)?;
    Some(CounterType { code, name, rule })
}

/// Bases and the like: never shown, and no fault.
pub fn is_hidden(code: u32) -> bool {
    code & HIDDEN_MASK == HIDDEN && code != AVERAGE_BULK
}

/// Which clock a type is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    Performance,
    /// 100 ns, UTC since 1601.
    System,
    Object,
}

pub fn clock(code: u32) -> Clock {
    match code & TIME_BASE_MASK {
        0x0010_0000 => Clock::System,
        0x0020_0000 | 0x0030_0000 => Clock::Object,
        _ => Clock::Performance,
    }
}

impl Rule {
    /// The second value is a base, not a time.
    pub fn has_base(self) -> bool {
        use Rule::{AverageBulk, AverageTimer, Fraction, PrecisionTimer, SampleFraction};
        matches!(self, PrecisionTimer | Fraction | SampleFraction | AverageTimer | AverageBulk)
    }

    /// A third value counts the timers.
    pub fn is_multi(self) -> bool {
        use Rule::{MultiTimer, MultiTimer100Ns, MultiTimer100NsInverse, MultiTimerInverse};
        matches!(self, MultiTimer | MultiTimerInverse | MultiTimer100Ns | MultiTimer100NsInverse)
    }

    /// The second value is a time, and the first needs no other sample to mean something.
    pub fn has_time(self) -> bool {
        !self.has_base() && !matches!(self, Rule::Count | Rule::Delta)
    }

    /// Needs the sample before.
    pub fn is_change(self) -> bool {
        !matches!(self, Rule::Count | Rule::Fraction | Rule::Elapsed)
    }
}

/// What one sample says of one counter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Raw {
    pub first: i64,
    /// The time or the base, as the type has it.
    pub second: i64,
    /// How many timers, for types of many timers.
    pub multi: i64,
}

/// Cooks a sample, given the one before where there is one.
///
/// `frequency` is what the clock of the type counts in a second. `assumed` is set where a zero
/// denominator was met whose treatment no real log has shown.
pub fn cook(rule: Rule, now: Raw, before: Option<Raw>, frequency: i64, assumed: &mut bool) -> f64 {
    let value = match (rule, before) {
        (Rule::Count, _) => now.first as f64,
        (Rule::Fraction, _) if now.second == 0 => zero(assumed),
        (Rule::Fraction, _) => 100.0 * (now.first as f64 / now.second as f64),
        (Rule::Elapsed, _) => {
            let ticks = now.second.wrapping_sub(now.first);
            if ticks < 0 { ABSENT } else { ticks as f64 / frequency as f64 }
        }
        (_, Some(before)) => cook_change(rule, now, before, frequency, assumed),
        _ => ABSENT,
    };
    if value.is_finite() { value } else { ABSENT }
}

fn cook_change(rule: Rule, now: Raw, before: Raw, frequency: i64, assumed: &mut bool) -> f64 {
    let (first, second) =
        (now.first.wrapping_sub(before.first), now.second.wrapping_sub(before.second));
    // A counter that fell was restarted, or wrapped; its next change is good again.
    if first < 0 || second < 0 {
        return ABSENT;
    }
    let (n, d, f) = (first as f64, second as f64, frequency as f64);
    let no_time = second == 0;
    match rule {
        Rule::Delta => n,
        Rule::AverageTimer | Rule::AverageBulk if no_time => 0.0,
        Rule::PrecisionTimer | Rule::SampleFraction if no_time => zero(assumed),
        _ if no_time => ABSENT,
        Rule::Rate => n / (d / f),
        Rule::QueueLength => n / d,
        Rule::Timer => 100.0 * (n / d),
        // An idle processor reports a little more than the time that went by.
        Rule::TimerInverse => at_least_zero(100.0 * (1.0 - n / d)),
        Rule::PrecisionTimer | Rule::SampleFraction => 100.0 * (n / d),
        Rule::AverageTimer => (n / f) / d,
        Rule::AverageBulk => n / d,
        _ if now.multi == 0 => zero(assumed),
        Rule::MultiTimer => 100.0 * (n / (d / f)) / now.multi as f64,
        Rule::MultiTimer100Ns => 100.0 * (n / d) / now.multi as f64,
        Rule::MultiTimerInverse => {
            at_least_zero(100.0 * (now.multi as f64 - n / (d / f)) / now.multi as f64)
        }
        Rule::MultiTimer100NsInverse => {
            at_least_zero(100.0 * (now.multi as f64 - n / d) / now.multi as f64)
        }
        Rule::Count | Rule::Fraction | Rule::Elapsed => ABSENT,
    }
}

#[cold]
fn zero(assumed: &mut bool) -> f64 {
    *assumed = true;
    0.0
}

fn at_least_zero(value: f64) -> f64 {
    if value < 0.0 { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cooked(code: u32, before: (i64, i64), now: (i64, i64), frequency: i64) -> Option<f64> {
        multi(code, before, now, 1, frequency)
    }

    fn multi(
        code: u32,
        before: (i64, i64),
        now: (i64, i64),
        multi: i64,
        frequency: i64,
    ) -> Option<f64> {
        let rule = counter_type(code).unwrap().rule;
        let raw = |(first, second)| Raw { first, second, multi };
        let value = cook(rule, raw(now), Some(raw(before)), frequency, &mut false);
        (!value.is_nan()).then_some(value)
    }

    #[test]
    fn every_type_by_its_formula() {
        let rows: &[(u32, f64)] = &[
            (0x1041_0400, 30.0 / (200.0 / 1000.0)),
            (0x1041_0500, 150.0),
            (0x0041_0400, 150.0),
            (0x2041_0500, 15.0),
            (0x2051_0500, 15.0),
            (0x2061_0500, 15.0),
            (0x2141_0500, 85.0),
            (0x2151_0500, 85.0),
            (0x2047_0500, 15.0),
            (0x2057_0500, 15.0),
            (0x2067_0500, 15.0),
            (0x20C2_0400, 15.0),
            (0x0001_0000, 40.0),
            (0x0001_0100, 40.0),
            (0x0000_0000, 40.0),
            (0x0000_0100, 40.0),
            (0x0045_0400, 0.15),
            (0x0045_0500, 0.15),
            (0x0055_0500, 0.15),
            (0x0065_0500, 0.15),
            (0x3002_0400, 30.0 / 1000.0 / 200.0),
            (0x4002_0500, 0.15),
            (0x0040_0400, 30.0),
            (0x0040_0500, 30.0),
            (0x3024_0500, (300.0 - 40.0) / 1000.0),
            (0x2002_0400, 100.0 * (40.0 / 300.0)),
            (0x2002_0500, 100.0 * (40.0 / 300.0)),
        ];
        for &(code, expected) in rows {
            assert_eq!(cooked(code, (10, 100), (40, 300), 1000), Some(expected), "{code:08x}");
        }
        assert_eq!(multi(0x2251_0500, (10, 100), (40, 300), 2, 1000), Some(7.5));
        assert_eq!(multi(0x2241_0500, (10, 100), (40, 300), 2, 1000), Some(7500.0));
        assert_eq!(multi(0x2351_0500, (10, 100), (40, 300), 2, 1000), Some(92.5));
        assert_eq!(multi(0x2341_0500, (10, 100), (40, 300), 2, 1000), Some(0.0));
        assert_eq!(rows.len() + 4, TYPES.len());
    }

    #[test]
    fn a_fall_is_missing_but_an_inverse_timer_ends_at_zero() {
        assert_eq!(cooked(0x1041_0400, (40, 100), (10, 300), 1000), None);
        assert_eq!(cooked(0x1041_0400, (i64::from(u32::MAX), 100), (0, 300), 1000), None);
        assert_eq!(cooked(0x1041_0400, (10, 300), (40, 100), 1000), None);
        assert_eq!(cooked(0x2151_0500, (0, 100), (201, 300), 1000), Some(0.0));
        assert_eq!(cooked(0x2151_0500, (300, 100), (0, 300), 1000), None);
    }

    #[test]
    fn a_zero_denominator_is_zero_for_averages_and_missing_for_rates() {
        assert_eq!(cooked(0x3002_0400, (10, 100), (10, 100), 1000), Some(0.0));
        assert_eq!(cooked(0x4002_0500, (10, 100), (40, 100), 1000), Some(0.0));
        assert_eq!(cooked(0x1041_0500, (10, 100), (40, 100), 1000), None);
        let mut assumed = false;
        let nothing = Raw { first: 3, second: 0, multi: 1 };
        assert_eq!(cook(Rule::Fraction, nothing, None, 1, &mut assumed), 0.0);
        assert!(assumed);
        assert_eq!(cooked(0x1041_0500, (0, 0), (5, 5), 0), Some(0.0));
        assert_eq!(cooked(0x3024_0500, (0, 0), (5, 6), 0), None);
    }

    #[test]
    fn nothing_is_cut_at_a_hundred_percent() {
        assert_eq!(cooked(0x2051_0500, (0, 0), (450, 100), 1), Some(450.0));
    }

    #[test]
    fn bases_are_hidden_and_bulk_averages_are_not() {
        for code in [0x4003_0401, 0x4003_0402, 0x4003_0403, 0x4003_0500, 0x4203_0500, 0x4000_0200] {
            assert!(is_hidden(code) && counter_type(code).is_none());
        }
        assert!(!is_hidden(0x4002_0500));
    }
}
