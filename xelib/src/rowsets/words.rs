//! Lines between rowsets that mean something: rules, markers, messages, times.

use super::line::{is_blank, trimmed};

/// Tells whether a line is the dashes under a header; `continues` where it goes on from the line above.
pub fn is_rule(text: &[u8], continues: bool) -> bool {
    let mut rest = text.trim_ascii_end();
    if continues && let [b' ', more @ ..] = rest {
        rest = more;
    }
    if !matches!(rest, [b'-', ..]) {
        return false;
    }
    let mut blank = false;
    for &byte in rest {
        match byte {
            b'-' => blank = false,
            b' ' if !blank => blank = true,
            _ => return false,
        }
    }
    true
}

/// Tells whether a line is a ruler of equal signs around a title.
pub fn is_ruler(text: &[u8]) -> bool {
    let text = trimmed(text);
    text.len() >= 5 && text.iter().all(|&byte| byte == b'=')
}

/// Gives the name in a line such as `-- name --`, `--name--` or `-> name`.
pub fn marker(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii();
    if text.len() > 300 {
        return None;
    }
    let inner = if let Some(rest) = text.strip_prefix(b"-> ") {
        rest
    } else if text.starts_with(b"--") && text.ends_with(b"--") {
        let begin = text.iter().position(|&byte| byte != b'-')?;
        let end = text.iter().rposition(|&byte| byte != b'-')? + 1;
        &text[begin..end]
    } else {
        return None;
    };
    // A line of dashes and blanks names nothing.
    let name = inner.trim_ascii();
    let said = name.iter().any(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80);
    said.then_some(name)
}

/// An error that the server or sqlcmd reports.
#[derive(Debug, PartialEq, Eq)]
pub struct Message {
    pub kind: &'static str,
    /// Number of the message; 0 where it has none.
    pub number: u32,
    /// Whether its text stands on the next line.
    pub has_text: bool,
}

/// Reads a line such as `Msg 8134, Level 16, State 1, Server X, Line 3`, in any language.
pub fn message(text: &[u8]) -> Option<Message> {
    let plain = |kind| Some(Message { kind, number: 0, has_text: false });
    if text.starts_with(b"Sqlcmd: ") {
        return plain("sqlcmd_error");
    }
    if text.starts_with(b"Exception occured in: ") || text.starts_with(b"Exception occurred in: ") {
        return plain("script_error");
    }
    if text.starts_with(b"<<<<< LIMIT OF ") {
        return plain("row_limit");
    }
    // Word and number, three times: number, level, state.
    let mut numbers = [0; 3];
    let mut rest = text;
    for number in &mut numbers {
        let comma = rest.iter().take(40).position(|&byte| byte == b',')?;
        let mut words = rest[..comma].trim_ascii_start().split(|&byte| byte == b' ');
        let (word, digits) = (words.next()?, words.next()?);
        if words.next().is_some() || word.is_empty() || word[0].is_ascii_digit() {
            return None;
        }
        *number = std::str::from_utf8(digits).ok()?.parse().ok()?;
        rest = &rest[comma + 1..];
    }
    // Below level 11 it is information.
    let kind = if numbers[1] > 10 { "server_error" } else { "" };
    Some(Message { kind, number: numbers[0], has_text: true })
}

/// Tells whether a line is `(n rows affected)` in some language.
pub fn is_trailer(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.len() < 100
        && text.starts_with(b"(")
        && text.ends_with(b")")
        && text.get(1).is_some_and(u8::is_ascii_digit)
}

/// Tells whether a line ends a rowset that it stands in.
pub fn ends_rowset(text: &[u8]) -> bool {
    marker(text).is_some()
        || is_ruler(text)
        || is_rule(text, false)
        || is_trailer(text)
        || look(text).is_some()
}

/// Gives the time of a look from a line such as `Start time: 2026-03-01T10:16:35.220`.
pub fn look(text: &[u8]) -> Option<i64> {
    time(text.strip_prefix(b"Start time:")?.trim_ascii())
}

/// Tells whether a line that is no marker can name the rowset below it.
pub fn is_title(text: &[u8]) -> bool {
    const NOISE: [&[u8]; 8] = [
        b"Start",
        b"DebugPrint",
        b"Changed ",
        b"Warning",
        b"Script ",
        b"(",
        b"Msg ",
        b"Generating",
    ];
    let text = text.trim_ascii();
    !is_blank(text)
        && text.len() <= 200
        && text.iter().any(|&byte| byte.is_ascii_alphabetic() || byte >= 0x80)
        && !NOISE.iter().any(|noise| text.starts_with(noise))
        && message(text).is_none()
}

/// Reads `yyyy-mm-dd hh:mm:ss[.f]`, with a blank or T between: microseconds since 1970.
pub fn time(text: &[u8]) -> Option<i64> {
    if text.len() < 19 || text.len() > 27 {
        return None;
    }
    let marks = [(4, b'-'), (7, b'-'), (13, b':'), (16, b':')];
    if marks.iter().any(|&(at, mark)| text[at] != mark) || !matches!(text[10], b' ' | b'T') {
        return None;
    }
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = &text[from..to];
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        Some(digits.iter().fold(0, |sum, &digit| sum * 10 + i64::from(digit - b'0')))
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 59 || year < 1 {
        return None;
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    if day < 1 || day > lengths[month as usize - 1] {
        return None;
    }
    let mut micros = 0;
    if text.len() > 19 {
        if text[19] != b'.' || text.len() == 20 {
            return None;
        }
        let digits = (text.len() - 20).min(6);
        micros = number(20, 20 + digits)? * 10_i64.pow(6 - digits as u32);
        number(20 + digits, text.len())?;
    }
    // Days since 1970 by Howard Hinnant's algorithm, years beginning in March.
    let (shifted, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(((days * 24 + hour) * 60 + minute) * 60_000_000 + second * 1_000_000 + micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_with_and_without_blanks() {
        for text in ["-- a b --", "--a b--", " -- a b --", "--- a b ---", "--  a b --", "-> a b"] {
            assert_eq!(marker(text.as_bytes()), Some(&b"a b"[..]), "{text}");
        }
        for text in ["--", "-- --", "-----", "-- a b", "a b --"] {
            assert_eq!(marker(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn rules_have_one_blank_between() {
        assert!(is_rule(b"--- ----- -", false));
        assert!(is_rule(b"---  ", false));
        assert!(is_rule(b" --- --", true));
        for text in ["---  ---", " --- --", "- a -", "", "   "] {
            assert!(!is_rule(text.as_bytes(), false), "{text}");
        }
    }

    #[test]
    fn messages_in_any_language() {
        let error = Message { kind: "server_error", number: 8134, has_text: true };
        assert_eq!(message(b"Msg 8134, Level 16, State 1, Server X, Line 3"), Some(error));
        let german = message("Meldung 208, Ebene 16, Status 1, Server X, Zeile 3".as_bytes());
        assert_eq!(german.map(|found| found.number), Some(208));
        assert_eq!(message(b"Msg 5701, Level 0, State 2, Server X").map(|m| m.kind), Some(""));
        assert_eq!(message(b"Sales 1, Sales 2"), None);
    }

    #[test]
    fn times() {
        assert_eq!(time(b"1970-01-01 00:00:01"), Some(1_000_000));
        assert_eq!(time(b"1970-01-02T00:00:00.5"), Some(86_400_500_000));
        assert_eq!(time(b"2026-03-01 10:15:31.0170000"), Some(1_772_360_131_017_000));
        for text in ["2026-02-29 10:15:31", "2026-03-01 24:00:00", "2026-03-01 10:15:31.", "x"] {
            assert_eq!(time(text.as_bytes()), None, "{text}");
        }
    }
}
