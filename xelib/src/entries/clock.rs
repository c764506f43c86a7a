//! Dates and times of day of event logs, written as the culture of whoever collected them says.

const MICROS_PER_SECOND: i64 = 1_000_000;
/// Words for the half of the day that are remembered; a log has two.
const KNOWN_HALVES: usize = 16;

/// Words for the halves of a day, without dots and blanks, and the hours that they add.
const HALVES: [(&[&str], i64); 2] = [
    (&["am", "a", "vorm", "上午", "午前", "오전", "de", "dop", "sa", "πμ", "ص", "fm"], 0),
    (&["pm", "p", "nachm", "下午", "午後", "오후", "du", "odp", "ch", "μμ", "م", "em"], 12),
];

/// What the times of day of a log show of how they are written.
#[derive(Debug, Default)]
pub struct Clock {
    /// A word for the half of the day was seen.
    pub has_half: bool,
    pub lowest_hour: Option<i64>,
    pub highest_hour: Option<i64>,
    halves: Vec<(Vec<u8>, Option<i64>)>,
}

impl Clock {
    /// Gives microseconds since midnight; `None` where a text is no time of day.
    ///
    /// An hour, minutes and perhaps seconds and a fraction, with whatever else around them.
    pub fn read(&mut self, text: &[u8]) -> Option<i64> {
        let at = text.iter().position(u8::is_ascii_digit)?;
        let (before, rest) = text.split_at(at);
        let (mut hour, rest) = number(rest, 1, 2)?;
        let (minute, mut rest) = number(behind(rest, b":.")?, 2, 2)?;
        let (mut second, mut micros) = (0, 0);
        if let Some((value, more)) = behind(rest, b":.").and_then(|rest| number(rest, 2, 2)) {
            (second, rest) = (value, more);
            if let Some((value, more)) = behind(rest, b".,").and_then(|part| fraction(part)) {
                (micros, rest) = (value, more);
            }
        }
        if rest.iter().any(u8::is_ascii_digit) {
            return None;
        }
        self.highest_hour = self.highest_hour.max(Some(hour));
        self.lowest_hour = Some(self.lowest_hour.map_or(hour, |lowest| lowest.min(hour)));
        if let Some(half) = self.half_of(before).or_else(|| self.half_of(rest)) {
            self.has_half = true;
            if !(1..=12).contains(&hour) {
                return None;
            }
            hour = hour % 12 + half;
        }
        let is_time = hour < 24 && minute < 60 && second < 60;
        is_time.then(|| ((hour * 60 + minute) * 60 + second) * MICROS_PER_SECOND + micros)
    }

    /// Gives the hours that a word for the half of the day adds.
    fn half_of(&mut self, text: &[u8]) -> Option<i64> {
        if text.is_empty() || text == b" " {
            return None;
        }
        if let Some((_, half)) = self.halves.iter().find(|(known, _)| known == text) {
            return *half;
        }
        let word: String = String::from_utf8_lossy(text)
            .chars()
            .filter(|&c| !(is_space(c) || matches!(c, '.' | ',' | '\u{200e}' | '\u{200f}')))
            .flat_map(char::to_lowercase)
            .collect();
        let half =
            HALVES.iter().find(|(words, _)| words.contains(&word.as_str())).map(|&(_, half)| half);
        if self.halves.len() < KNOWN_HALVES {
            self.halves.push((text.to_vec(), half));
        }
        half
    }
}

/// Parts a text into a date and what follows it; `None` where it begins with no date.
pub fn split(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let blank = text.iter().take_while(|&&byte| is_blank(byte)).count();
    let text = &text[blank..];
    let end = date_end(text)?;
    let (day, rest) = text.split_at(end);
    (!rest.first().is_some_and(u8::is_ascii_digit)).then_some((day, rest))
}

/// Gives where a date ends that a text begins with: `28.02.2026`, `2026. 02. 28`.
pub fn date_end(text: &[u8]) -> Option<usize> {
    let mut rest = text;
    for most in [4, 2] {
        (_, rest) = number(rest, 1, most)?;
        rest = behind(rest, b"./-")?;
        rest = rest.strip_prefix(b" ").unwrap_or(rest);
    }
    let digits = rest.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    (digits >= 2).then(|| text.len() - rest.len() + digits)
}

/// Blanks as regular expressions know them.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
}

/// Blanks of Unicode, and the separators of records in ASCII.
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\x1c'..='\x1f').contains(&character)
}

/// Takes a number of `least` to `most` digits off the front of a text; more digits are none.
fn number(text: &[u8], least: usize, most: usize) -> Option<(i64, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = || text[..digits].iter().fold(0, |sum, byte| sum * 10 + i64::from(byte & 15));
    (least..=most).contains(&digits).then(|| (value(), &text[digits..]))
}

fn fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let (_, rest) = number(text, 1, 9)?;
    let digits = &text[..text.len() - rest.len()];
    let micros = (0..6)
        .fold(0, |sum, place| sum * 10 + digits.get(place).map_or(0, |&byte| i64::from(byte & 15)));
    Some((micros, rest))
}

/// Gives what stands behind one of some characters.
fn behind<'a>(text: &'a [u8], marks: &[u8]) -> Option<&'a [u8]> {
    let (first, rest) = text.split_first()?;
    marks.contains(first).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<f64> {
        Clock::default().read(text.as_bytes()).map(|micros| micros as f64 / 1e6)
    }

    #[test]
    fn times_of_day_of_many_cultures() {
        let late = Some(80_000.0);
        for text in [
            " 10:13:20 PM",
            " 22:13:20",
            ". 22.13.20",
            " 下午 10:13:20",
            " 10:13:20 p. m.",
            "\u{202f}10:13:20\u{202f}PM",
        ] {
            assert_eq!(seconds(text), late, "{text}");
        }
        assert_eq!(seconds("12:00 AM"), Some(0.0));
        assert_eq!(seconds("1:02:03.5"), Some(3_723.5));
        assert_eq!(seconds("1:02:03,123456789"), Some(3_723.123456));
    }

    #[test]
    fn texts_that_are_no_time_of_day() {
        for text in [
            "",
            "noon",
            "10",
            "10:1",
            "100:10",
            "10:10:5",
            "13:10 PM",
            "24:00",
            "10:60",
            "10:10:10 5",
            "1:02:03.1234567890",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn the_hours_that_were_seen() {
        let mut clock = Clock::default();
        clock.read(b"9:10:10");
        clock.read(b"12:10:10 ");
        assert_eq!(
            (clock.lowest_hour, clock.highest_hour, clock.has_half),
            (Some(9), Some(12), false)
        );
        clock.read(b"1:10:10 a.m.");
        assert!(clock.has_half);
    }

    #[test]
    fn dates_and_what_follows_them() {
        let split = |text: &'static str| {
            let (day, rest) = split(text.as_bytes())?;
            Some((std::str::from_utf8(day).unwrap(), std::str::from_utf8(rest).unwrap()))
        };
        assert_eq!(split("2/28/2026 10:10"), Some(("2/28/2026", " 10:10")));
        assert_eq!(split(" 2026. 02. 28. 22:10"), Some(("2026. 02. 28", ". 22:10")));
        assert_eq!(split("28-02-26"), Some(("28-02-26", "")));
        for text in ["28.02.20261", "28.02", "x28.02.2026", "12345/2/2026"] {
            assert_eq!(split(text), None, "{text}");
        }
    }
}
