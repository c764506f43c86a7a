//! Where cells begin and end within one line.
//!
//! A quoted cell ends at the first quote that a separator or the end of the line follows, so that
//! a quote inside a name does not swallow the rest. Cells never span lines.

use memchr::{memchr, memchr_iter};

/// One cell of a line.
#[derive(Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The text between the quotes, or the whole cell when it has none.
    pub text: &'a [u8],
    pub quoted: bool,
    /// False for a quoted cell that the line's end cut before its closing quote.
    pub closed: bool,
    /// Where the next cell starts; `None` after the last.
    pub next: Option<usize>,
}

/// Reads the cell that starts at `start` of `line`.
pub fn cell_at(line: &[u8], start: usize, separator: u8) -> Cell<'_> {
    let rest = &line[start..];
    if rest.first() == Some(&b'"') {
        return quoted_cell(rest, start, separator);
    }
    let end = memchr(separator, rest).unwrap_or(rest.len());
    let next = (end < rest.len()).then(|| start + end + 1);
    Cell { text: &rest[..end], quoted: false, closed: true, next }
}

fn quoted_cell(rest: &[u8], start: usize, separator: u8) -> Cell<'_> {
    for quote in memchr_iter(b'"', &rest[1..]) {
        let after = quote + 2;
        let text = &rest[1..=quote];
        match rest.get(after) {
            None => return Cell { text, quoted: true, closed: true, next: None },
            Some(&byte) if byte == separator => {
                return Cell { text, quoted: true, closed: true, next: Some(start + after + 1) };
            }
            Some(_) => {}
        }
    }
    Cell { text: &rest[1..], quoted: true, closed: false, next: None }
}

/// Splits a header line into the texts of its cells.
///
/// Gives `None` when there are more than `limit` cells. A doubled quote inside a quoted cell
/// stands for one quote.
pub fn split_cells(line: &str, separator: u8, limit: usize) -> Option<Vec<String>> {
    let mut cells = Vec::new();
    let mut next = Some(0);
    while let Some(start) = next {
        if cells.len() == limit {
            return None;
        }
        let cell = cell_at(line.as_bytes(), start, separator);
        let text = String::from_utf8_lossy(cell.text);
        cells.push(if cell.quoted { text.replace("\"\"", "\"") } else { text.into_owned() });
        next = cell.next;
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str, separator: u8) -> Vec<String> {
        split_cells(line, separator, 100).unwrap()
    }

    #[test]
    fn quoted_cells_keep_separators() {
        assert_eq!(split(r#""a","b(0,3)","c""#, b','), ["a", "b(0,3)", "c"]);
    }

    #[test]
    fn unquoted_and_empty_cells() {
        assert_eq!(split("a,,b,", b','), ["a", "", "b", ""]);
        assert_eq!(split("", b','), [""]);
    }

    #[test]
    fn tabs_separate() {
        assert_eq!(split("\"a\"\tb,c", b'\t'), ["a", "b,c"]);
    }

    #[test]
    fn a_quote_inside_a_cell_is_part_of_it() {
        assert_eq!(split(r#""a"b","c""d""#, b','), [r#"a"b"#, r#"c"d"#]);
    }

    #[test]
    fn a_quote_that_is_never_closed_ends_with_the_line() {
        assert_eq!(split(r#""a","b,c"#, b','), ["a", "b,c"]);
        assert!(!cell_at(br#""b,c"#, 0, b',').closed);
        assert!(!cell_at(br#"""#, 0, b',').closed);
        assert!(cell_at(br#""""#, 0, b',').closed);
    }

    #[test]
    fn too_many_cells() {
        assert_eq!(split_cells("a,b,c", b',', 2), None);
        assert_eq!(split_cells("a,b,c", b',', 3).map(|c| c.len()), Some(3));
    }
}
