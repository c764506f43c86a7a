//! Lines to rows.

use memchr::memchr;

use super::cells::cell_at;
use super::chunk::{ABSENT, Chunk};
use super::faults::Tally;
use super::number::{self, Value};
use super::time;

/// Lengths of a line that can be a message of the program that printed the log.
const MESSAGE_LENGTH: std::ops::RangeInclusive<usize> = 4..=500;

/// What the header says about the rows.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Cells of a whole row, that of the time stamp included.
    pub cells: usize,
    pub separator: u8,
    /// Positions in the row of the cells that are decoded, ascending, from 1.
    pub wanted: Vec<u32>,
    /// The header line without its line end, to know it again.
    pub header: Vec<u8>,
}

/// Why a line gives no row.
enum Refused {
    Torn,
    Time,
}

impl Layout {
    /// Decodes `text`, which ends at the end of a line, into rows of `chunk`.
    ///
    /// `at` is the position of its first byte.
    pub fn decode(&self, text: &[u8], at: u64, chunk: &mut Chunk) {
        let mut start = 0;
        while start < text.len() && !chunk.stopped {
            let end = memchr(b'\n', &text[start..]).map_or(text.len(), |n| start + n);
            self.decode_line(&text[start..end], at + start as u64, chunk);
            start = end + 1;
        }
    }

    fn decode_line(&self, line: &[u8], at: u64, chunk: &mut Chunk) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let values_before = chunk.values.len();
        let Err(refused) = self.decode_row(line, at, chunk) else {
            return;
        };
        chunk.values.truncate(values_before);
        if line.trim_ascii().is_empty() {
            return;
        }
        if line.starts_with(b"\"(PDH-") || line.starts_with(b"(PDH-") {
            if line == self.header {
                chunk.faults.repeated_header.add(at);
            } else {
                chunk.faults.other_header.add(at);
                chunk.stopped = true;
            }
        } else if is_message(line) {
            chunk.faults.noise.add(at);
        } else {
            match refused {
                Refused::Torn => chunk.faults.torn_row.add(at),
                Refused::Time => {
                    chunk.faults.bad_time.add(at);
                    let first = cell_at(line, 0, self.separator);
                    if chunk.times.is_empty() && time::is_spreadsheet_remnant(first.text) {
                        chunk.faults.no_date.add(at);
                    }
                }
            }
        }
    }

    /// Appends one row; on refusal the caller takes back the values appended.
    fn decode_row(&self, line: &[u8], at: u64, chunk: &mut Chunk) -> Result<(), Refused> {
        let first = cell_at(line, 0, self.separator);
        let Some(time) = time::parse(first.text.trim_ascii()) else {
            return Err(if self.is_whole(line) { Refused::Time } else { Refused::Torn });
        };
        // Before room is made for a row: short lines must stay cheap under a wide header.
        if line.len() + 1 < self.cells {
            return Err(Refused::Torn);
        }
        let (mut bad, mut commas) = (Tally::default(), Tally::default());
        let values_before = chunk.values.len();
        chunk.values.resize(values_before + self.wanted.len(), ABSENT);
        let mut slots = self.wanted.iter().zip(&mut chunk.values[values_before..]);
        let mut slot = slots.next();
        let mut cell_no = 1;
        let mut next = first.next;
        while let Some(start) = next {
            let value = match slot {
                Some((&wanted, ref mut value)) if wanted == cell_no => value,
                _ => {
                    let cell = cell_at(line, start, self.separator);
                    if !cell.closed {
                        return Err(Refused::Torn);
                    }
                    next = cell.next;
                    cell_no += 1;
                    continue;
                }
            };
            if let Some((number, after)) = self.plain_cell(line, start) {
                **value = number;
                next = after;
            } else {
                let cell = cell_at(line, start, self.separator);
                if !cell.closed {
                    return Err(Refused::Torn);
                }
                next = cell.next;
                match number::value(cell.text) {
                    Value::Number(number) => **value = number,
                    Value::CommaNumber(number) => {
                        commas.add(at + start as u64);
                        **value = number;
                    }
                    Value::Blank => {}
                    Value::Bad => bad.add(at + start as u64),
                }
            }
            slot = slots.next();
            cell_no += 1;
        }
        if cell_no as usize != self.cells {
            return Err(Refused::Torn);
        }
        chunk.times.push(time);
        if !time::has_utc(time) {
            chunk.faults.far_time.add(at);
        }
        chunk.faults.bad_value.append(bad);
        chunk.faults.decimal_comma.append(commas);
        Ok(())
    }

    /// Reads a cell that is nothing but a number or one space; gives where the next one starts.
    #[inline(always)]
    fn plain_cell(&self, line: &[u8], start: usize) -> Option<(f64, Option<usize>)> {
        let quote = usize::from(*line.get(start)? == b'"');
        let begin = start + quote;
        let (value, end) = if line.get(begin) == Some(&b' ') {
            (ABSENT, begin + 1)
        } else {
            let (number, length) = number::leading(line.get(begin..)?)?;
            (number, begin + length)
        };
        if quote == 1 && line.get(end) != Some(&b'"') {
            return None;
        }
        match line.get(end + quote) {
            None => (end + quote == line.len()).then_some((value, None)),
            Some(&byte) if byte == self.separator => Some((value, Some(end + quote + 1))),
            Some(_) => None,
        }
    }

    fn is_whole(&self, line: &[u8]) -> bool {
        let mut count = 0;
        let mut next = Some(0);
        while let Some(start) = next {
            let cell = cell_at(line, start, self.separator);
            if !cell.closed {
                return false;
            }
            count += 1;
            next = cell.next;
        }
        count == self.cells
    }
}

/// True for words like "Exiting, please wait..." in any language: no quotes, no digits.
fn is_message(line: &[u8]) -> bool {
    let starts_with_letter =
        line.first().is_some_and(|&b| b.is_ascii_alphabetic() || !b.is_ascii() || b == 0x1A);
    starts_with_letter
        && MESSAGE_LENGTH.contains(&line.len())
        && !line.iter().any(|b| *b == b'"' || b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: &str = "01/01/1970 00:00:01.000";

    fn decode_with(layout: &Layout, text: &str) -> Chunk {
        let mut chunk = Chunk::default();
        layout.decode(text.as_bytes(), 100, &mut chunk);
        chunk
    }

    fn layout(cells: usize, separator: u8) -> Layout {
        let wanted = (1..cells as u32).collect();
        Layout { cells, separator, wanted, header: b"\"(PDH-CSV 4.0)\",\"x\"".to_vec() }
    }

    fn decode(text: &str) -> Chunk {
        decode_with(&layout(3, b','), &text.replace("TIME", TIME))
    }

    fn values(chunk: &Chunk) -> Vec<Option<f64>> {
        chunk.values.iter().map(|&v| (!v.is_nan()).then_some(v)).collect()
    }

    #[test]
    fn quoted_row() {
        let chunk = decode("\"TIME\",\"1.5\",\" \"\r\n\"TIME\",\"\",\"-2\"\n");
        assert_eq!(chunk.times, [1_000_000, 1_000_000]);
        assert_eq!(values(&chunk), [Some(1.5), None, None, Some(-2.0)]);
        assert_eq!(chunk.faults, Default::default());
    }

    #[test]
    fn unquoted_row() {
        let chunk = decode("TIME,1.5, \nTIME,,7e-2\n");
        assert_eq!(values(&chunk), [Some(1.5), None, None, Some(0.07)]);
    }

    #[test]
    fn decimal_comma_in_quotes_only() {
        let chunk = decode("\"TIME\",\"1,5\",\"2\"\nTIME,1,5,2\n");
        assert_eq!(values(&chunk), [Some(1.5), Some(2.0)]);
        assert_eq!(chunk.faults.decimal_comma, Tally { count: 1, first: 126 });
        assert_eq!(chunk.faults.torn_row.count, 1);
    }

    #[test]
    fn decimal_comma_between_tabs() {
        let chunk = decode_with(&layout(3, b'\t'), &format!("{TIME}\t1,5\t2\n"));
        assert_eq!(values(&chunk), [Some(1.5), Some(2.0)]);
    }

    #[test]
    fn cells_that_are_no_numbers() {
        let chunk = decode("\"TIME\",\"-1.#IND\",\"2\"\n\"TIME\",\"1\",\"NaN\"\n");
        assert_eq!(values(&chunk), [None, Some(2.0), Some(1.0), None]);
        assert_eq!(chunk.faults.bad_value, Tally { count: 2, first: 126 });
    }

    #[test]
    fn torn_rows_leave_nothing() {
        for line in [
            "\"TIME\",\"1\"",
            "\"TIME\",\"1\",\"2\",\"3\"",
            "\"TIME\",\"1\",\"2",
            "\"TIME\",\"NaN\",\"",
            "\"TIME\"",
            "\"TI",
            "5\",\"7\"",
        ] {
            let chunk = decode(&format!("{line}\n\"TIME\",\"1\",\"2\"\n"));
            assert_eq!(values(&chunk), [Some(1.0), Some(2.0)], "{line}");
            assert_eq!(chunk.faults.torn_row, Tally { count: 1, first: 100 }, "{line}");
            assert_eq!(chunk.faults.bad_value.count, 0, "{line}");
        }
    }

    #[test]
    fn rows_without_a_time() {
        let chunk = decode("\"x\",\"1\",\"2\"\n\"13/01/2020 00:00:00.000\",\"1\",\"2\"\n");
        assert_eq!(chunk.faults.bad_time, Tally { count: 2, first: 100 });
        assert_eq!((chunk.times.len(), chunk.values.len()), (0, 0));
    }

    #[test]
    fn rows_at_the_end_of_the_calendar_are_kept_and_counted() {
        let chunk = decode(concat!(
            "\"12/30/9999 23:59:59.999\",\"1\",\"2\"\n",
            "\"12/31/9999 00:00:00.000\",\"3\",\"4\"\n",
        ));
        assert_eq!(chunk.faults.far_time, Tally { count: 1, first: 134 });
        assert_eq!((chunk.times.len(), chunk.values.len()), (2, 4));
    }

    #[test]
    fn rows_that_a_spreadsheet_saved() {
        let chunk = decode("18:41.5,3526, \n");
        assert_eq!(chunk.faults.no_date, Tally { count: 1, first: 100 });
        let chunk = decode("TIME,1,2\n18:41.5,3526, \n");
        assert_eq!((chunk.faults.no_date.count, chunk.faults.bad_time.count), (0, 1));
    }

    #[test]
    fn messages_of_the_collector() {
        let chunk =
            decode("\n  \nExiting, please wait...\nThe command completed successfully.\n\n");
        assert_eq!(chunk.faults.noise, Tally { count: 2, first: 104 });
        assert_eq!(chunk.faults.torn_row.count, 0);
    }

    #[test]
    fn the_header_again() {
        let chunk =
            decode("\"TIME\",\"1\",\"2\"\n\"(PDH-CSV 4.0)\",\"x\"\r\n\"TIME\",\"3\",\"4\"\n");
        assert_eq!((chunk.times.len(), chunk.faults.repeated_header.count), (2, 1));
    }

    #[test]
    fn another_header_ends_the_log() {
        let chunk = decode("\"TIME\",\"1\",\"2\"\n\"(PDH-CSV 4.0)\",\"y\"\n\"TIME\",\"3\",\"4\"\n");
        assert_eq!((chunk.times.len(), chunk.faults.other_header.count), (1, 1));
        assert!(chunk.stopped);
    }

    #[test]
    fn only_wanted_cells_are_decoded() {
        let mut layout = layout(4, b',');
        layout.wanted = vec![2];
        let chunk = decode_with(&layout, &format!("\"{TIME}\",\"x\",\"2\",\"y\"\n"));
        assert_eq!(values(&chunk), [Some(2.0)]);
        assert_eq!(chunk.faults.bad_value.count, 0);
    }
}
