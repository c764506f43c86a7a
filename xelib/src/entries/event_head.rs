//! First lines of events, by the forms of their first cells.

use super::cells::Column;
use super::clock::{date_end, is_blank};

const MAX_LEVEL: usize = 40;
const MAX_NAME: usize = 255;

/// What a line that begins an event looks like.
#[derive(Clone, Debug)]
pub enum Heads {
    /// A level in quotes, then a date in quotes.
    QuotedLevel,
    /// A date, as in tables of fixed width.
    Date,
    /// Cells with forms, each with its separator; none: any line that does not begin with a blank.
    Cells { forms: Vec<Column>, separator: u8 },
}

impl Heads {
    /// Finds out how far the first cells of a list have a form.
    pub fn of_list(columns: &[Option<Column>], separator: u8) -> Self {
        let (mut forms, mut strict) = (Vec::new(), 0);
        for column in columns {
            let Some(column) = column.filter(|column| has_form(*column)) else { break };
            if strict == 2 {
                break;
            }
            strict += usize::from(is_strict(column));
            forms.push(column);
        }
        if strict == 0 {
            forms.clear();
        }
        Self::Cells { forms, separator }
    }

    /// Tells whether a line, with its end, begins an event.
    pub fn fits(&self, line: &[u8]) -> bool {
        match self {
            Self::QuotedLevel => begins_quoted(line).is_some(),
            Self::Date => {
                let text = after_blanks(line);
                date_end(text)
                    .is_some_and(|end| text.get(end).is_some_and(|byte| !byte.is_ascii_digit()))
            }
            Self::Cells { forms, .. } if forms.is_empty() => {
                line.first().is_some_and(|&byte| !is_blank(byte))
            }
            Self::Cells { forms, separator } => {
                let cells = forms.iter().try_fold(line, |rest, &form| cell(rest, form, *separator));
                cells.is_some()
            }
        }
    }
}

fn has_form(column: Column) -> bool {
    is_strict(column) || matches!(column, Column::Level | Column::Computer | Column::Source)
}

fn is_strict(column: Column) -> bool {
    use Column::{Clock, Date, EventId, Record, Time};
    matches!(column, EventId | Record | Date | Time | Clock)
}

fn begins_quoted(line: &[u8]) -> Option<usize> {
    let level = line.strip_prefix(b"\"")?;
    let close = memchr::memchr(b'"', &level[..level.len().min(MAX_LEVEL + 1)])?;
    if close == 0 {
        return None;
    }
    date_end(after_blanks(level[close..].strip_prefix(b"\",\"")?))
}

/// Passes over a cell with its separator; `None` where it has another form.
fn cell(line: &[u8], form: Column, separator: u8) -> Option<&[u8]> {
    let text = line.strip_prefix(b"\"").unwrap_or(line);
    let text = if form == Column::Time { after_blanks(text) } else { text };
    let ends = |byte: &u8| *byte == b'"' || *byte == separator;
    let inside = &text[..text.iter().position(ends)?];
    let digits = inside.iter().all(u8::is_ascii_digit);
    let is_it = match form {
        Column::EventId => digits && (1..=10).contains(&inside.len()),
        Column::Record => digits && (1..=20).contains(&inside.len()),
        Column::Date => date_end(inside) == Some(inside.len()),
        Column::Time => date_end(inside).is_some(),
        Column::Clock => inside.windows(3).any(|three| {
            three[0].is_ascii_digit() && b":.".contains(&three[1]) && three[2].is_ascii_digit()
        }),
        Column::Level => (1..=MAX_LEVEL).contains(&inside.len()),
        Column::Computer => inside.len() <= MAX_NAME && !inside.contains(&b' '),
        _ => inside.len() <= MAX_NAME,
    };
    let rest = &text[inside.len()..];
    let rest = rest.strip_prefix(b"\"").unwrap_or(rest);
    rest.strip_prefix(&[separator]).filter(|_| is_it)
}

fn after_blanks(text: &[u8]) -> &[u8] {
    let blank = text.iter().take_while(|&&byte| is_blank(byte)).count();
    &text[blank..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use Column::{Clock, Computer, Date, EventId, Level, Message, Record, Source, Time};

    fn fits(columns: &[Column], separator: u8, line: &str) -> bool {
        let columns: Vec<_> = columns.iter().copied().map(Some).collect();
        Heads::of_list(&columns, separator).fits(line.as_bytes())
    }

    #[test]
    fn lists_begin_with_cells_of_a_form() {
        let columns = [Level, Time, Source, EventId, Message];
        assert!(fits(&columns, b',', "\"Error\",\"2/28/2026 10:10:44 PM\",disk,153,x"));
        assert!(fits(&columns, b',', "Error, 2/28/2026,,1,"));
        assert!(!fits(&columns, b',', "Error,today,disk,153,x"));
        assert!(!fits(&columns, b',', "Error,2/28/2026 10:10:44 PM"));
        assert!(!fits(&columns, b',', ",2/28/2026,disk,153"));
    }

    #[test]
    fn numbers_dates_and_times_have_forms() {
        let columns = [EventId, Computer, Record, Message];
        assert!(fits(&columns, b';', "7036;NODE1;\"12\";x"));
        assert!(!fits(&columns, b';', "12345678901;NODE1;12;x"));
        assert!(!fits(&columns, b';', "7036;NODE 1;12;x"));
        assert!(fits(&[Date, Clock], b'\t', "28.02.2026\t22:10\t"));
        assert!(!fits(&[Date, Clock], b'\t', "28.02.2026 \t22:10\t"));
        assert!(!fits(&[Date, Clock], b'\t', "28.02.2026\tlate\t"));
    }

    #[test]
    fn where_no_form_comes_first_every_line_begins_an_event() {
        assert!(fits(&[Message, Time], b',', "text"));
        assert!(!fits(&[Message, Time], b',', " text"));
        assert!(!fits(&[Source, Message], b',', "\r\n"));
    }

    #[test]
    fn logscout_quotes_the_level_and_the_date() {
        let fits = |line: &str| Heads::QuotedLevel.fits(line.as_bytes());
        assert!(fits("\"Error\",\"2/28/2026 10:10:44 PM\",\"x\""));
        for line in ["\"\",\"2/28/2026\"", "Error,2/28/2026", "\"Error\", \"2/28/2026\""] {
            assert!(!fits(line));
        }
    }

    #[test]
    fn tables_begin_with_a_date() {
        let fits = |line: &str| Heads::Date.fits(line.as_bytes());
        assert!(fits("  2/28/2026 10:10:44 PM  Error") && fits("28.02.26\n"));
        assert!(!fits("28.02.20261") && !fits("28.02.2026") && !fits("on 28.02.2026 "));
    }
}
