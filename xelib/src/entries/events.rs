//! Events of the lists and tables that are made of Windows event logs, to columns.

use super::assembler::{Entry, Layout};
use super::cells::{Column, List, cut_quoted};
use super::clock::{Clock, is_space, split};
use super::columns::{Numbers, Words, push_plain};
use super::event_head::Heads;
use super::keeping::Bytes;
use super::table::Table;
use crate::texts::Texts;

/// Digits of a number that is read.
const MAX_DIGITS: usize = 18;

/// How the cells of an event are found.
#[derive(Clone, Debug)]
pub enum Cut {
    /// Six quoted cells whose quotes are not doubled.
    Quoted,
    Table(Table),
    List(List),
}

impl Cut {
    /// Cuts a table by the widths of what stands in front of the message.
    pub fn table(columns: Vec<(Column, usize)>) -> Self {
        Self::Table(Table::new(columns))
    }

    /// Cuts a list whose quotes are doubled.
    pub fn list(columns: Vec<Option<Column>>, separator: u8) -> Self {
        Self::List(List::new(columns, separator))
    }
}

/// Columns of events, filled event by event.
#[derive(Debug)]
pub struct EventList {
    heads: Heads,
    cut: Cut,
    pub rows: usize,
    /// Events whose cells cannot be told apart.
    pub damaged: usize,
    pub line: Numbers,
    pub day: Words,
    /// Microseconds since midnight.
    pub clock: Numbers,
    pub level: Words,
    pub event_id: Numbers,
    pub record: Numbers,
    pub log: Texts,
    pub source: Texts,
    pub computer: Texts,
    pub category: Texts,
    pub user: Texts,
    pub message: Texts,
    pub clocks: Clock,
}

impl EventList {
    pub fn new(heads: Heads, cut: Cut) -> Self {
        Self {
            heads,
            cut,
            rows: 0,
            damaged: 0,
            line: Numbers::default(),
            day: Words::default(),
            clock: Numbers::default(),
            level: Words::default(),
            event_id: Numbers::default(),
            record: Numbers::default(),
            log: Texts::default(),
            source: Texts::default(),
            computer: Texts::default(),
            category: Texts::default(),
            user: Texts::default(),
            message: Texts::default(),
            clocks: Clock::default(),
        }
    }

    /// Gives what was filled in.
    pub fn give(&mut self) -> Self {
        let next = Self::new(self.heads.clone(), self.cut.clone());
        std::mem::replace(self, next)
    }
}

impl Layout for EventList {
    type Keeping = Bytes;
    type Head = ();

    fn head(&mut self, line: &[u8]) -> Option<()> {
        self.heads.fits(line).then_some(())
    }

    fn take(&mut self, entry: Entry<'_>, (): ()) {
        let found = match &self.cut {
            Cut::Quoted => cut_quoted(entry.text),
            Cut::Table(table) => table.cut(&entry),
            Cut::List(list) => list.cut(entry.text),
        };
        let Some(cells) = found else {
            self.damaged += 1;
            return;
        };
        let time = cells.get(Column::Time);
        let parts = time.or(cells.get(Column::Date)).and_then(split);
        let clock = match time {
            Some(_) => parts.map(|(_, clock)| clock),
            None => cells.get(Column::Clock),
        };
        self.line.push(Some(entry.line as i64));
        self.day.push(parts.map(|(day, _)| day));
        self.clock.push(clock.and_then(|clock| self.clocks.read(clock)));
        self.level.push(cells.get(Column::Level));
        self.event_id.push(cells.get(Column::EventId).and_then(integer));
        self.record.push(cells.get(Column::Record).and_then(integer));
        self.log.push(cells.get(Column::Log));
        self.source.push(cells.get(Column::Source).and_then(trimmed));
        self.computer.push(cells.get(Column::Computer).and_then(trimmed));
        self.category.push(cells.get(Column::Category).and_then(trimmed));
        self.user.push(cells.get(Column::User).and_then(trimmed));
        match cells.get(Column::Message) {
            Some(text) => {
                let has_lines = entry.text.len() > entry.head;
                push_plain(&mut self.message, text, has_lines, matches!(self.cut, Cut::List(_)));
            }
            None => self.message.push(None),
        }
        self.rows += 1;
    }
}

fn integer(text: &[u8]) -> Option<i64> {
    let is_number = (1..=MAX_DIGITS).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    is_number.then(|| text.iter().fold(0, |sum, byte| sum * 10 + i64::from(byte & 15)))
}

/// Takes the blanks off both ends; `None` where nothing is left.
fn trimmed(text: &[u8]) -> Option<&[u8]> {
    let whole = match (text.first()?, text.last()?) {
        (b'!'..=b'~', b'!'..=b'~') => text,
        _ => std::str::from_utf8(text).map_or(text, |text| text.trim_matches(is_space).as_bytes()),
    };
    (!whole.is_empty()).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entries::Assembler;

    fn read(columns: &str, text: &str) -> EventList {
        let columns: Vec<_> = columns.split(',').map(Column::of_name).collect();
        let heads = Heads::of_list(&columns, b',');
        let mut assembler = Assembler::new(EventList::new(heads, Cut::list(columns, b',')), 0);
        assembler.feed(text.as_bytes());
        assembler.finish();
        assembler.layout.give()
    }

    fn number(numbers: &Numbers) -> i64 {
        i64::from_ne_bytes(numbers.values[..8].try_into().unwrap())
    }

    #[test]
    fn cells_become_columns() {
        let log = read(
            "time,event_id,source,level,message",
            "2/28/2026 1:00:00 PM,7036, disk ,Error,\"a\r\n\"\"b\"\"\"\r\n",
        );
        assert_eq!((log.rows, log.damaged), (1, 0));
        assert_eq!(
            (log.day.words, log.level.words),
            (vec!["2/28/2026".into()], vec!["Error".into()])
        );
        assert_eq!((number(&log.clock), number(&log.event_id)), (46_800_000_000, 7036));
        assert_eq!((log.source.bytes, log.message.bytes), (b"disk".to_vec(), b"a\n\"b\"".to_vec()));
        assert_eq!((log.record.valid.bytes, log.user.valid.bytes), (vec![0], vec![0]));
    }

    #[test]
    fn date_and_time_of_day_may_stand_apart() {
        let log = read("date,clock,event_id,source,level", "28.02.2026,13:00,1,disk,Error\n");
        assert_eq!(
            (log.day.words, number(&log.clock)),
            (vec!["28.02.2026".into()], 46_800_000_000)
        );
    }

    #[test]
    fn events_without_all_cells_are_left_out() {
        let log = read("event_id,time,source,message", "1,2/28/2026,\n1,2/28/2026,disk,x\n");
        assert_eq!((log.rows, log.damaged), (2, 0));
        let log = read("event_id,time,source,message", "1,2/28/2026,\"disk,\n");
        assert_eq!((log.rows, log.damaged), (1, 0));
        let log = read("event_id,message,source,time,computer", "1,a\n1,a,disk,2/28/2026\n");
        assert_eq!((log.rows, log.damaged), (1, 1));
    }

    #[test]
    fn blanks_around_words_are_no_part_of_them() {
        assert_eq!(trimmed("\u{a0} disk\t".as_bytes()), Some(b"disk".as_slice()));
        assert_eq!((trimmed(b" "), trimmed(b"")), (None, None));
    }
}
