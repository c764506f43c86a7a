//! Cells of events, and how lists are cut into them.

const MARK: &[u8] = b"\",\"";
const QUOTED: [Column; 5] =
    [Column::Level, Column::Time, Column::Source, Column::EventId, Column::Category];

/// What a cell means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Date,
    Clock,
    Time,
    Level,
    Computer,
    EventId,
    Source,
    Category,
    User,
    Message,
    Record,
    Log,
}

impl Column {
    const ALL: [(&'static str, Self); 12] = [
        ("date", Self::Date),
        ("clock", Self::Clock),
        ("time", Self::Time),
        ("level", Self::Level),
        ("computer", Self::Computer),
        ("event_id", Self::EventId),
        ("source", Self::Source),
        ("category", Self::Category),
        ("user", Self::User),
        ("message", Self::Message),
        ("record", Self::Record),
        ("log", Self::Log),
    ];

    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, column)| column)
    }
}

/// Cells of an event, by what they mean.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cells<'a>([Option<&'a [u8]>; Column::ALL.len()]);

impl<'a> Cells<'a> {
    pub fn get(&self, column: Column) -> Option<&'a [u8]> {
        self.0[column as usize]
    }

    pub fn set(&mut self, column: Column, cell: &'a [u8]) {
        self.0[column as usize] = Some(cell);
    }
}

/// Cuts at the first five `","`; the message is the rest, whatever quotes it holds.
pub fn cut_quoted<'a>(text: &'a [u8]) -> Option<Cells<'a>> {
    let mut cells = Cells::default();
    let mut at = 1;
    // Marks may share a quote: `","","` has an empty cell.
    let mut from = 0;
    for column in QUOTED {
        let mark = from + memchr::memmem::find(&text[from..], MARK)?;
        cells.set(column, text.get(at..mark).unwrap_or_default());
        (from, at) = (mark + 1, mark + MARK.len());
    }
    let message = &text[at..];
    cells.set(Column::Message, message.strip_suffix(b"\"").unwrap_or(message));
    Some(cells)
}

/// Cuts lists whose quotes are doubled within a cell.
#[derive(Clone, Debug)]
pub struct List {
    columns: Vec<Option<Column>>,
    separator: u8,
    /// Place of the last column that is read.
    last: usize,
    /// Separators that an event has.
    least: usize,
}

impl List {
    pub fn new(columns: Vec<Option<Column>>, separator: u8) -> Self {
        let last = columns.iter().rposition(Option::is_some).unwrap_or(0);
        // A last cell may be missing with its separator; the event is whole as far as it is read.
        let least = last.min(columns.len().saturating_sub(2).max(1));
        Self { columns, separator, last, least }
    }

    /// Gives the cells of an event; `None` where some are missing.
    pub fn cut<'a>(&self, text: &'a [u8]) -> Option<Cells<'a>> {
        let mut cells = Cells::default();
        let (mut number, mut begin, mut is_quoted) = (0, 0, false);
        // A separator behind an odd number of quotes is text.
        for at in memchr::memchr2_iter(b'"', self.separator, text) {
            if text[at] != self.separator {
                is_quoted = !is_quoted;
            } else if !is_quoted {
                self.set(&mut cells, number, &text[begin..at]);
                (number, begin) = (number + 1, at + 1);
                if number > self.last {
                    return Some(cells);
                }
            }
        }
        if number < self.least {
            return None;
        }
        self.set(&mut cells, number, &text[begin..]);
        for missing in number + 1..=self.last {
            self.set(&mut cells, missing, b"");
        }
        Some(cells)
    }

    fn set<'a>(&self, cells: &mut Cells<'a>, number: usize, cell: &'a [u8]) {
        if let Some(Some(column)) = self.columns.get(number)
            && cells.get(*column).is_none()
        {
            cells.set(*column, unquoted(cell));
        }
    }
}

fn unquoted(cell: &[u8]) -> &[u8] {
    match cell {
        [b'"', inside @ .., b'"'] => inside,
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Column::{Category, EventId, Level, Message, Source, Time};

    fn shown<'a>(cells: &Cells<'a>, columns: &[Column]) -> Vec<&'a str> {
        columns.iter().map(|&c| std::str::from_utf8(cells.get(c).unwrap()).unwrap()).collect()
    }

    #[test]
    fn quotes_in_messages_of_logscout_are_text() {
        let cells =
            cut_quoted(b"\"Error\",\"today\",\"\",\"1\",\"(3)\",\"say \"a\",\"b\"\"").unwrap();
        assert_eq!(
            shown(&cells, &[Level, Time, Source, EventId, Category, Message]),
            ["Error", "today", "", "1", "(3)", "say \"a\",\"b\""]
        );
        assert!(cut_quoted(b"\"Error\",\"today\",\"disk\",\"1\",\"(3)").is_none());
    }

    #[test]
    fn separators_in_quotes_are_text() {
        let list = List::new(vec![Some(EventId), None, Some(Message), Some(Source)], b',');
        let cells = list.cut(b"1,x,\"a, \"\"b\"\", c\",disk,y").unwrap();
        assert_eq!(shown(&cells, &[EventId, Message, Source]), ["1", "a, \"\"b\"\", c", "disk"]);
    }

    #[test]
    fn the_last_cells_may_be_missing() {
        let list = List::new(vec![Some(EventId), Some(Source), Some(Message), None], b';');
        let cells = list.cut(b"1;disk;a").unwrap();
        assert_eq!(shown(&cells, &[EventId, Source, Message]), ["1", "disk", "a"]);
        assert!(list.cut(b"1;disk").is_none());
        let shorter = List::new(vec![Some(EventId), Some(Source), Some(Message)], b';');
        assert_eq!(shown(&shorter.cut(b"1;disk").unwrap(), &[Source, Message]), ["disk", ""]);
    }

    #[test]
    fn a_column_that_comes_twice_counts_once() {
        let list = List::new(vec![Some(Source), Some(Source), Some(EventId)], b',');
        assert_eq!(shown(&list.cut(b"a,b,1").unwrap(), &[Source]), ["a"]);
    }
}
