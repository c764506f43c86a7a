//! Entries of an ERRORLOG to columns: sources, errors joined with their texts, and messages.

use super::assembler::{Assembler, Entry, Layout, bare};
use super::columns::{Numbers, push_plain};
use super::error_line::{ErrorLine, error_line_of};
use super::errorlog_head::{Head, HeadReader, is_far, spid_of};
use super::keeping::Lines;
use crate::texts::Texts;

/// Takes an ERRORLOG apart, block by block.
#[derive(Debug)]
pub struct Errorlog {
    assembler: Assembler<Entries>,
    /// Lines that stand for missing ones, and lines in front of the first entry before there were any.
    gaps: u64,
    orphans: Option<u64>,
}

/// What was met in a whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub lines: u64,
    /// Header lines.
    pub entries: u64,
    pub continuation_lines: u64,
    pub error_pairs: u64,
    /// Header lines without a message.
    pub empty_messages: u64,
    /// Lines in front of the first entry.
    pub orphans: u64,
    /// Entries of which not all lines are kept.
    pub capped: u64,
    /// Entries dated where no UTC can be given.
    pub far: u64,
}

impl Errorlog {
    /// Begins with a log; in one with the newest entry first the text of an error stands above it.
    pub fn new(newest_first: bool) -> Self {
        let entries = Entries { newest_first, ..Entries::default() };
        Self { assembler: Assembler::new(entries, 0), gaps: 0, orphans: None }
    }

    /// Takes a block of whole lines; the one behind the last line end of a log `is_last`.
    ///
    /// Gives where in the block the first entry of the log begins that is dated where no UTC can be
    /// given.
    pub fn feed(&mut self, block: &[u8], is_last: bool) -> Option<usize> {
        let last = memchr::memrchr(b'\n', block).map_or(0, |at| at + 1);
        let end = last + bare(&block[last..]);
        let is_torn = is_last && self.assembler.layout.heads.is_cut_short(&block[last..end]);
        self.assembler.feed(if is_torn { &block[..last] } else { block });
        self.assembler.layout.first_far.take()
    }

    /// Passes a line that stands for missing ones: nothing is joined across it, and the lines up to
    /// the next header belong to an entry that is missing.
    pub fn part(&mut self) {
        self.finish();
        self.assembler.lines += 1;
        self.gaps += 1;
        self.orphans.get_or_insert(self.assembler.orphans);
    }

    /// Tells that the log has ended.
    pub fn finish(&mut self) {
        self.assembler.finish();
        self.assembler.layout.release();
    }

    /// The rows since they were cleared.
    pub fn columns(&self) -> &ErrorlogColumns {
        &self.assembler.layout.columns
    }

    /// Forgets the rows; what held them holds the next ones.
    pub fn clear(&mut self) {
        self.assembler.layout.columns.clear();
    }

    /// Gives what was met up to the last entry that is whole.
    pub fn counts(&self) -> Counts {
        let Assembler { layout, lines, entries, orphans, capped, .. } = &self.assembler;
        Counts {
            lines: *lines,
            entries: *entries,
            continuation_lines: lines - entries - self.gaps,
            error_pairs: layout.error_pairs,
            empty_messages: layout.empty_messages,
            orphans: self.orphans.unwrap_or(*orphans),
            capped: *capped,
            far: layout.far,
        }
    }
}

/// Columns of an ERRORLOG, filled row by row.
#[derive(Debug, Default)]
pub struct ErrorlogColumns {
    pub rows: usize,
    pub line: Numbers,
    pub time: Numbers,
    pub source: Texts,
    pub spid: Numbers,
    pub error: Numbers,
    pub severity: Numbers,
    pub state: Numbers,
    pub message: Texts,
    pub continuation_lines: Numbers,
}

impl ErrorlogColumns {
    fn push(&mut self, row: &Row<'_>) {
        let error = row.error;
        self.line.push(Some(row.line as i64));
        self.time.push(Some(row.time));
        self.source.push(Some(row.source));
        self.spid.push(spid_of(row.source));
        self.error.push(error.map(|error| error.error));
        self.severity.push(error.map(|error| error.severity));
        self.state.push(error.map(|error| error.state));
        push_plain(&mut self.message, row.message, row.more > 0, false);
        self.continuation_lines.push(Some(row.more.min(i32::MAX as u64) as i64));
        self.rows += 1;
    }

    fn clear(&mut self) {
        self.rows = 0;
        for numbers in [
            &mut self.line,
            &mut self.time,
            &mut self.spid,
            &mut self.error,
            &mut self.severity,
            &mut self.state,
            &mut self.continuation_lines,
        ] {
            numbers.clear();
        }
        self.source.clear();
        self.message.clear();
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug, Default)]
struct Row<'a> {
    line: u64,
    time: i64,
    source: &'a [u8],
    error: Option<ErrorLine>,
    message: &'a [u8],
    more: u64,
}

impl Row<'_> {
    /// Gives the number of an error whose text stands elsewhere.
    fn is_number(&self) -> bool {
        self.error.is_some_and(|error| error.is_alone)
    }
}

/// A row that may be half of an error, with room for the texts of the next one.
#[derive(Debug, Default)]
struct Held {
    row: Option<Row<'static>>,
    source: Vec<u8>,
    message: Vec<u8>,
}

impl Held {
    fn row(&self) -> Option<Row<'_>> {
        Some(Row { source: &self.source, message: &self.message, ..self.row? })
    }

    fn hold(&mut self, row: &Row<'_>) {
        for (held, text) in [(&mut self.source, row.source), (&mut self.message, row.message)] {
            held.clear();
            held.extend_from_slice(text);
        }
        self.row = Some(Row { source: b"", message: b"", ..*row });
    }
}

/// Rows of entries; one that may be half of an error is held until the next one is known.
#[derive(Debug, Default)]
struct Entries {
    newest_first: bool,
    heads: HeadReader,
    held: Held,
    columns: ErrorlogColumns,
    error_pairs: u64,
    empty_messages: u64,
    far: u64,
    /// Where in its block the first of these stands, until that is asked for.
    first_far: Option<usize>,
}

impl Entries {
    /// Joins the number of an error with its text, of the same time and source: the text of an error
    /// is never another error's number.
    fn joined<'a>(&self, first: Row<'a>, second: Row<'a>) -> Option<Row<'a>> {
        let (number, text) = if self.newest_first { (second, first) } else { (first, second) };
        let is_pair = number.is_number()
            && !text.is_number()
            && number.time == text.time
            && number.source == text.source;
        is_pair.then(|| Row { message: text.message, more: number.more + text.more, ..number })
    }

    /// Takes the row that is held for one of its own.
    fn release(&mut self) {
        if let Some(row) = self.held.row() {
            self.columns.push(&row);
        }
        self.held.row = None;
    }
}

impl Layout for Entries {
    type Keeping = Lines;
    type Head = Head;

    fn head(&mut self, line: &[u8]) -> Option<Head> {
        self.heads.head_of(&line[..bare(line)])
    }

    fn begins(&mut self, line: &[u8], at: usize) {
        if is_far(line) {
            self.first_far = (self.far == 0).then_some(at).or(self.first_far);
            self.far += 1;
        }
    }

    fn take(&mut self, entry: Entry<'_>, head: Head) {
        self.empty_messages += u64::from(head.message == entry.head);
        let message = &entry.text[head.message..];
        let row = Row {
            line: entry.line,
            time: head.time,
            source: &entry.text[head.source.0..head.source.1],
            error: error_line_of(message),
            message,
            more: entry.more,
        };
        let joined = self.held.row().and_then(|held| self.joined(held, row));
        if let Some(joined) = joined {
            self.columns.push(&joined);
            self.error_pairs += 1;
            self.held.row = None;
            return;
        }
        self.release();
        if row.is_number() == self.newest_first {
            self.columns.push(&row);
        } else {
            self.held.hold(&row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBER: &str =
        "2024-01-25 10:06:27.84 Logon       Error: 18456, Severity: 14, State: 38.\n";
    const TEXT: &str = "2024-01-25 10:06:27.84 Logon       Login failed.\n";
    const OTHER: &str = "2024-01-25 10:06:27.84 Server      Another.\n";

    /// Line, number of an error, and message.
    type Shown = (i64, i64, String);

    fn shown(columns: &ErrorlogColumns) -> Vec<Shown> {
        let numbers = |numbers: &Numbers| -> Vec<i64> {
            let values = numbers.values.as_chunks::<8>().0;
            values.iter().map(|value| i64::from_ne_bytes(*value)).collect()
        };
        let ends = columns.message.offsets.as_chunks::<4>().0;
        let ends: Vec<_> = ends.iter().map(|end| i32::from_ne_bytes(*end) as usize).collect();
        let texts = ends.windows(2).map(|span| {
            String::from_utf8(columns.message.bytes[span[0]..span[1]].to_vec()).unwrap()
        });
        let numbers = numbers(&columns.line).into_iter().zip(numbers(&columns.error));
        numbers.zip(texts).map(|((line, error), text)| (line, error, text)).collect()
    }

    fn read(newest_first: bool, blocks: &[&str]) -> (Vec<Shown>, Counts) {
        let mut log = Errorlog::new(newest_first);
        for block in blocks {
            log.feed(block.as_bytes(), !block.ends_with('\n'));
        }
        log.finish();
        (shown(log.columns()), log.counts())
    }

    fn row(line: i64, error: i64, text: &str) -> Shown {
        (line, error, text.into())
    }

    #[test]
    fn the_number_of_an_error_is_joined_with_its_text() {
        let rows = [row(1, 18456, "Login failed."), row(3, 0, "Another.")];
        let (read_whole, counts) = read(false, &[&[NUMBER, TEXT, OTHER].concat()]);
        assert_eq!((read_whole.as_slice(), counts.error_pairs, counts.entries), (&rows[..], 1, 3));
        assert_eq!(read(false, &[NUMBER, TEXT, OTHER]).0, rows);
    }

    #[test]
    fn the_text_stands_above_where_the_newest_is_first() {
        let rows = [row(1, 0, "Another."), row(3, 18456, "Login failed.")];
        assert_eq!(read(true, &[OTHER, TEXT, NUMBER]).0, rows);
    }

    #[test]
    fn a_number_alone_is_an_entry() {
        let number = "Error: 18456, Severity: 14, State: 38.";
        let rows = [row(1, 18456, number), row(2, 18456, "Login failed.")];
        assert_eq!(read(false, &[NUMBER, NUMBER, TEXT]).0, rows);
        assert_eq!(read(false, &[NUMBER, OTHER]).0, [row(1, 18456, number), row(2, 0, "Another.")]);
        assert_eq!(read(false, &[NUMBER]).0, [row(1, 18456, number)]);
    }

    #[test]
    fn lines_that_follow_decide_whether_a_number_is_alone() {
        let number = "Error: 18456, Severity: 14, State: 38.\nx";
        let rows = [row(1, 18456, "Login failed.")];
        assert_eq!(read(false, &[NUMBER, "\r\n", TEXT]).0, rows);
        assert_eq!(read(false, &[NUMBER, "x\n", TEXT]).0[0], row(1, 18456, number));
        let rows = [row(1, 18456, "Error: 18456, Severity: 14, State: 38.\nx")];
        assert_eq!(read(false, &[NUMBER, NUMBER, "x\n"]).0, rows);
    }

    #[test]
    fn line_ends_become_line_feeds_and_blank_lines_stay() {
        let (rows, counts) = read(false, &["x\r\n", OTHER, "\tb\r\n", "\r\n"]);
        assert_eq!(rows, [row(2, 0, "Another.\n\tb\n")]);
        assert_eq!((counts.orphans, counts.continuation_lines, counts.lines), (1, 3, 4));
    }

    #[test]
    fn a_header_cut_short_is_left_out() {
        let (rows, counts) = read(false, &[OTHER, "2024-01-25 10:06:27.84 Serv"]);
        assert_eq!((rows.len(), counts.lines), (1, 1));
        let (rows, _) = read(false, &[OTHER, "2024-01-25 10:06:27.84 Server b"]);
        assert_eq!(rows[1], row(2, 0, "b"));
    }

    #[test]
    fn nothing_is_joined_across_a_gap() {
        let mut log = Errorlog::new(false);
        log.feed(NUMBER.as_bytes(), false);
        log.part();
        assert_eq!(shown(log.columns()).len(), 1);
        log.clear();
        log.feed(format!("of a missing entry\n{TEXT}").as_bytes(), false);
        log.finish();
        assert_eq!(shown(log.columns()), [row(4, 0, "Login failed.")]);
        let counts = log.counts();
        assert_eq!((counts.lines, counts.continuation_lines, counts.orphans), (4, 1, 0));
    }

    #[test]
    fn the_first_far_time_is_placed_in_its_block() {
        let mut log = Errorlog::new(false);
        let far = "9999-12-31 10:06:27.84 Server      x\n";
        assert_eq!(log.feed(OTHER.as_bytes(), false), None);
        let block = [OTHER, far, far].concat();
        assert_eq!(log.feed(block.as_bytes(), false), Some(OTHER.len()));
        assert_eq!(log.feed(far.as_bytes(), false), None);
        assert_eq!(log.counts().far, 3);
    }
}
