//! Local time of the collecting machine, and its distance from UTC.

/// 1970-01-01 in 100 ns since 1601.
const UNIX_EPOCH: i64 = 116_444_736_000_000_000;
/// The year 10000, beyond which calendars of other libraries end.
const LAST: i64 = 2_650_467_744_000_000_000;
/// The last day of the year 9999: in UTC, a local time from here on may lie beyond it.
const LAST_DAY: i64 = 253_402_214_400_000_000;
const TICKS_PER_MINUTE: i64 = 600_000_000;
/// All zones of the world lie at whole quarters of an hour.
const QUARTER: i64 = 15 * TICKS_PER_MINUTE;
const TOLERANCE: i64 = TICKS_PER_MINUTE;
const MOST_MINUTES: i64 = 15 * 60;
/// More changes than clocks make in years.
const MOST_CHANGES: usize = 1000;

/// Microseconds since 1970 of a time in 100 ns since 1601; None outside of the years 1601 to 9999.
pub fn micros(time: i64) -> Option<i64> {
    (0..LAST).contains(&time).then_some((time - UNIX_EPOCH).div_euclid(10))
}

/// True where a local time, in microseconds since 1970, has a UTC in every zone.
pub fn has_utc(micros: i64) -> bool {
    micros < LAST_DAY
}

/// 100 ns since 1601 of a SYSTEMTIME; None where it is none.
pub fn system_time(fields: [u16; 8]) -> Option<i64> {
    let [year, month, _weekday, day, hour, minute, second, millisecond] = fields.map(i64::from);
    let fits = (1601..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60
        && millisecond < 1000;
    if !fits {
        return None;
    }
    // Days since 1600-03-01, in years that begin in March: leap days come last.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
    let days_of_1601 = 365 * 1600 + 1600 / 4 - 1600 / 100 + 1600 / 400 + (153 * 10 + 2) / 5;
    let seconds = ((days - days_of_1601) * 24 + hour) * 3600 + minute * 60 + second;
    Some(seconds * 10_000_000 + millisecond * 10_000)
}

/// What said how far local time is from UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A data block, which holds both times.
    DataBlock,
    /// A raw counter that is measured by the system clock.
    RawCounter,
}

/// From which sample on local time is so far from UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offset {
    pub tick: i32,
    /// Local time, microseconds since 1970.
    pub time: i64,
    /// Local minus UTC.
    pub minutes: i32,
    pub source: Source,
}

/// Follows the distance through the log.
#[derive(Debug, Default)]
pub struct Offsets {
    changes: Vec<Offset>,
}

impl Offsets {
    /// Takes note of an instant told in both; true when the distance has changed.
    pub fn see(&mut self, tick: i32, time: i64, local: i64, utc: i64, source: Source) -> bool {
        let Some(minutes) = distance(local, utc) else { return false };
        let last = self.changes.last().map(|offset| offset.minutes);
        if last == Some(minutes) || self.changes.len() >= MOST_CHANGES {
            return false;
        }
        self.changes.push(Offset { tick, time, minutes, source });
        last.is_some()
    }

    pub fn changes(&self) -> &[Offset] {
        &self.changes
    }
}

fn distance(local: i64, utc: i64) -> Option<i32> {
    let ticks = local.checked_sub(utc)?;
    let quarters = (ticks.checked_add(QUARTER / 2)?).div_euclid(QUARTER);
    let minutes = quarters * 15;
    let fits = (ticks - quarters * QUARTER).abs() <= TOLERANCE && minutes.abs() <= MOST_MINUTES;
    fits.then_some(minutes as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_from_1601_and_handed_out_from_1970() {
        assert_eq!(system_time([1601, 1, 1, 1, 0, 0, 0, 0]), Some(0));
        assert_eq!(system_time([1970, 1, 4, 1, 0, 0, 0, 0]), Some(UNIX_EPOCH));
        assert_eq!(
            system_time([2016, 11, 6, 26, 13, 46, 30, 874]).and_then(micros),
            Some(1_480_167_990_874_000)
        );
        assert_eq!(
            system_time([2000, 2, 2, 29, 0, 0, 0, 0]).and_then(micros),
            Some(951_782_400_000_000)
        );
        assert_eq!(system_time([2000, 13, 2, 29, 0, 0, 0, 0]), None);
        assert_eq!(micros(-1), None);
        assert_eq!(micros(i64::MAX), None);
        assert_eq!(micros(LAST - 10), Some(253_402_300_799_999_999));
        assert!(!has_utc(253_402_214_400_000_000) && has_utc(253_402_214_399_999_999));
    }

    #[test]
    fn the_distance_is_a_whole_quarter_of_an_hour_or_nothing() {
        let hour = 60 * TICKS_PER_MINUTE;
        assert_eq!(distance(0, 8 * hour), Some(-480));
        assert_eq!(distance(345 * TICKS_PER_MINUTE + 7_000, 0), Some(345));
        assert_eq!(distance(5 * TICKS_PER_MINUTE, 0), None);
        assert_eq!(distance(i64::MAX, i64::MIN), None);
        assert_eq!(distance(20 * hour, 0), None);
    }

    #[test]
    fn a_change_opens_a_new_stretch() {
        let mut offsets = Offsets::default();
        let hour = 60 * TICKS_PER_MINUTE;
        assert!(!offsets.see(0, 5, 2 * hour, 0, Source::DataBlock));
        assert!(!offsets.see(1, 6, 2 * hour + 9, 0, Source::DataBlock));
        assert!(offsets.see(2, 7, 3 * hour, 2 * hour, Source::DataBlock));
        let minutes: Vec<_> = offsets.changes().iter().map(|o| (o.tick, o.minutes)).collect();
        assert_eq!(minutes, [(0, 120), (2, 60)]);
    }
}
