//! Dates of the proleptic Gregorian calendar.

/// Days from 1970-01-01 to a date of the years 1 to 9999; `None` where there is no such date.
pub fn midnight(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_date = (1..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=days_in(year, month)).contains(&day);
    is_date.then(|| days_since_1970(year, month, day))
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days of the proleptic Gregorian calendar; the year is counted from March so that the leap day
/// is its last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let day_of_year = (153 * m + 2) / 5 + day - 1;
    let days_since_0000_03_01 = y * 365 + y / 4 - y / 100 + y / 400 + day_of_year;
    days_since_0000_03_01 - 719_468
}

/// Year, month and day of a day counted from 1970-01-01.
pub fn civil(days: i64) -> (i64, i64, i64) {
    // Days are counted from 0000-03-01, so that leap days come last in eras of 400 years.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        assert_eq!(midnight(1970, 1, 1), Some(0));
        assert_eq!(midnight(2024, 2, 29), Some(19_782));
        assert_eq!(midnight(1, 1, 1), Some(-719_162));
    }

    #[test]
    fn a_date_of_a_day_gives_that_day() {
        for days in (-719_162..2_932_897).step_by(97) {
            let (year, month, day) = civil(days);
            assert_eq!(midnight(year, month, day), Some(days));
        }
    }

    #[test]
    fn days_that_there_are_not() {
        for (year, month, day) in [(2026, 2, 29), (2026, 0, 1), (2026, 13, 1), (0, 1, 1)] {
            assert_eq!(midnight(year, month, day), None);
        }
    }
}
