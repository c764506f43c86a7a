//! Cells of tables of fixed width; a long computer name and a long category move what follows.

use super::assembler::Entry;
use super::cells::{Cells, Column};
use super::keeping::character_end;

/// Bytes of a computer's name that are looked at, and blanks behind a long category.
const MAX_COMPUTER: usize = 300;
const MAX_BLANKS: usize = 50;
/// Blanks that are taken off the end of a cell.
const MAX_STRIPPED: usize = 64;

/// Cuts by width, in characters.
#[derive(Clone, Debug)]
pub struct Table {
    /// What stands in front of the message, with its width.
    columns: Vec<(Column, usize)>,
    /// Bytes that an event has: the columns in front of the source.
    least: usize,
}

impl Table {
    pub fn new(columns: Vec<(Column, usize)>) -> Self {
        let before = columns.iter().take_while(|(column, _)| *column != Column::Source);
        let least = before.map(|(_, width)| width).sum();
        Self { columns, least }
    }

    /// Gives the cells of an event; `None` where its first line is too short.
    pub fn cut<'a>(&self, entry: &Entry<'a>) -> Option<Cells<'a>> {
        let line = &entry.text[..entry.head];
        if line.len() < self.least {
            return None;
        }
        let mut cells = Cells::default();
        let (mut at, mut is_long) = (0, false);
        for &(column, width) in &self.columns {
            let begin = at;
            let mut end = moved(line, at, width);
            if column == Column::Computer {
                end = computer_end(line, at, end);
            }
            if column == Column::Category {
                is_long = begin < end && end < line.len() && line[end - 1] != b' ';
            }
            cells.set(column, stripped(&line[begin..end]));
            at = end;
            if column == Column::User && is_long {
                let blanks = line[at..].iter().take(MAX_BLANKS).take_while(|&&byte| byte == b' ');
                at += blanks.count();
            }
        }
        cells.set(Column::Message, stripped(&entry.text[at..]));
        Some(cells)
    }
}

/// Gives the position so many characters further on, or the end of the line.
fn moved(line: &[u8], at: usize, characters: usize) -> usize {
    let end = line.len().min(at + characters);
    if line[at..end].is_ascii() {
        return end;
    }
    let mut begins = (at..line.len()).filter(|&place| line[place] & 0xC0 != 0x80);
    begins.nth(characters).unwrap_or(line.len())
}

/// Finds the end of a name that fills its column, and beyond which the number follows at once.
fn computer_end(line: &[u8], at: usize, end: usize) -> usize {
    if end == 0 || line[end - 1] == b' ' {
        return end;
    }
    let shown = &line[at..];
    let shown = &shown[..character_end(shown, MAX_COMPUTER)];
    let word = shown.split(|&byte| byte == b' ').next().unwrap_or_default();
    let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    at + word.len() - digits
}

fn stripped(cell: &[u8]) -> &[u8] {
    let blanks = cell.iter().rev().take(MAX_STRIPPED).take_while(|&&byte| byte == b' ').count();
    &cell[..cell.len() - blanks]
}

#[cfg(test)]
mod tests {
    use super::*;
    use Column::{Category, Computer, EventId, Level, Message, Source, Time, User};

    fn cut(line: &str) -> Option<Vec<String>> {
        let columns = [
            (Time, 8),
            (Level, 6),
            (Computer, 6),
            (EventId, 5),
            (Source, 7),
            (Category, 5),
            (User, 7),
        ];
        let text = line.as_bytes();
        let head = memchr::memchr(b'\n', text).unwrap_or(text.len());
        let cells = Table::new(columns.into()).cut(&Entry { text, head, line: 1, more: 0 })?;
        let all = [Time, Level, Computer, EventId, Source, Category, User, Message];
        Some(all.map(|c| String::from_utf8(cells.get(c).unwrap().to_vec()).unwrap()).to_vec())
    }

    #[test]
    fn cells_stand_where_their_titles_do() {
        let whole = ["28.02.26", "Error", "NODE1", "1135", "disk", "(3)", "Größe", "lost\nx"];
        assert_eq!(
            cut("28.02.26Error NODE1 1135 disk   (3)  Größe  lost\nx  "),
            Some(whole.map(String::from).to_vec())
        );
    }

    #[test]
    fn a_long_name_runs_into_the_number() {
        let cells = cut("28.02.26Error NODE1.lan1135 disk   (3)  user   lost").unwrap();
        assert_eq!(cells[2..5], ["NODE1.lan", "1135", "disk"]);
    }

    #[test]
    fn a_long_category_moves_the_message() {
        let cells = cut("28.02.26Error NODE1 1135 disk   (3456 user      lost").unwrap();
        assert_eq!(cells[5..], ["(3456", " user", "lost"]);
    }

    #[test]
    fn a_name_without_end_is_cut_between_characters() {
        let cells = cut(&format!("28.02.26Error {}", "ä".repeat(400))).unwrap();
        assert_eq!(cells[2], "ä".repeat(150));
        let cells = cut(&format!("28.02.26Error N{}", "ä".repeat(400))).unwrap();
        assert_eq!(cells[2].len(), 299);
    }

    #[test]
    fn a_torn_line_has_empty_cells_or_is_left_out() {
        let cells = cut("28.02.26Error NODE1 1135 di").unwrap();
        assert_eq!(cells[3..], ["1135", "di", "", "", ""]);
        assert_eq!(cut("28.02.26Error NODE1 11"), None);
    }
}
