//! Where the columns of a rowset stand.

use super::line::{Line, Measure, Measured};
use super::words::is_rule;
use super::{MAX_COLUMNS, MAX_NAME};

/// Whether rows are filled up with blanks to their full width, as the header tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    Yes,
    No,
    /// The last name is as wide as its column.
    Unknown,
}

/// The columns of a rowset, from its header and the dashes under it.
#[derive(Debug)]
pub struct Layout {
    /// Begin and end of each column, in characters.
    pub spans: Vec<(usize, usize)>,
    /// Characters of each line into which a row is broken.
    pub widths: Vec<usize>,
    /// Names as written; empty where a column has none.
    pub names: Vec<Vec<u8>>,
    /// Characters of a whole row.
    pub total: usize,
    pub padding: Padding,
    /// The column that holds the time of the row.
    pub runtime: Option<usize>,
    /// First line of the header, which sqlcmd may repeat.
    pub title: Vec<u8>,
}

impl Layout {
    /// Reads a header and its dashes; None where they do not belong together.
    ///
    /// Lines are broken at the width of the screen. Where they are broken between columns instead,
    /// the blank between is lost, and the next line begins with a name.
    pub fn new(titles: &[&Line], rules: &[&Line]) -> Option<Self> {
        if titles.len() != rules.len() || titles.iter().any(|title| is_rule(&title.text, false)) {
            return None;
        }
        let plain: Vec<usize> = rules.iter().map(|rule| rule.text.len()).collect();
        let mut spaced = plain.clone();
        for at in 0..rules.len().checked_sub(1)? {
            let begins_with_name = titles[at + 1].text.first().is_some_and(|&byte| byte != b' ');
            spaced[at] += usize::from(begins_with_name && rules[at].text.ends_with(b"-"));
        }
        let broken = &plain[..plain.len() - 1];
        let is_one_screen = broken.windows(2).all(|pair| pair[0] == pair[1])
            && (broken.len() > 1 || broken.first().is_none_or(|&width| width == 80 || width > 200));
        let (first, second) = if is_one_screen { (plain, spaced) } else { (spaced, plain) };
        Self::with_widths(titles, rules, first).or_else(|| Self::with_widths(titles, rules, second))
    }

    fn with_widths(titles: &[&Line], rules: &[&Line], widths: Vec<usize>) -> Option<Self> {
        let last = rules.len() - 1;
        let rule = flat(rules.iter().map(|line| &line.text[..]), &widths);
        let spans = spans(&rule)?;
        let title = flat(titles.iter().map(|line| &line.text[..]), &widths);
        let total = spans.last()?.1;
        let header = Measured::new(&title, Measure::Units);
        let mut names = Vec::with_capacity(spans.len());
        for (place, &(begin, end)) in spans.iter().enumerate() {
            let is_last = place + 1 == spans.len();
            let name = header.cell(begin, if is_last { usize::MAX } else { end });
            let starts_late = !name.is_empty() && header.is_gap(begin);
            let is_name = name.len() <= 4 * MAX_NAME && !name.windows(2).any(|pair| pair == b"  ");
            if starts_late || !is_name || !(is_last || header.is_gap(end)) {
                return None;
            }
            names.push(name.to_vec());
        }
        if names.len() > 1 && names.iter().all(|name| name.is_empty()) {
            return None;
        }
        let runtime = names.iter().position(|name| name.eq_ignore_ascii_case(b"runtime"));
        let padding = match Measure::Units.length(&titles[last].text) {
            length if length < rules[last].text.trim_ascii_end().len() => Padding::No,
            _ if titles[last].text.ends_with(b" ") => Padding::Yes,
            _ => Padding::Unknown,
        };
        let title = titles[0].text.clone();
        Some(Self { spans, widths, names, total, padding, runtime, title })
    }

    /// Tells whether a single column has no name: `SELECT GETDATE()`.
    pub fn is_unnamed(&self) -> bool {
        self.names.len() == 1 && self.names[0].is_empty()
    }

    /// Tells whether the dashes may be those under the title of a text.
    pub fn may_be_underline(&self) -> bool {
        self.names.len() == 1 && Measure::Units.length(&self.names[0]) == self.total
    }

    /// Tells whether blanks stand between the columns of a row.
    pub fn fits(&self, row: &Measured<'_>) -> bool {
        let inner = &self.spans[..self.spans.len() - 1];
        let length = row.len();
        inner.iter().take_while(|span| span.1 < length).all(|span| row.is_gap(span.1))
            && (length <= self.total
                || self.padding == Padding::No
                || row.cell(self.total, length).is_empty())
    }

    /// Gives a row in the measure in which it fits, of the length that it needs to have.
    pub fn measured<'a>(&self, text: &'a [u8], length: Option<usize>) -> Option<Measured<'a>> {
        for measure in [Measure::Units, Measure::Columns] {
            let row = Measured::new(text, measure);
            if length.is_none_or(|length| row.len() == length) && self.fits(&row) {
                return Some(row);
            }
            if row.is_ascii() {
                break;
            }
        }
        None
    }

    /// Gives the cells of a row, as far as it goes.
    pub fn cells<'a>(&'a self, row: &'a Measured<'a>) -> impl Iterator<Item = &'a [u8]> {
        let length = row.len();
        let last = self.spans.len() - 1;
        self.spans.iter().enumerate().take_while(move |(_, span)| span.0 < length).map(
            move |(place, &(begin, end))| {
                row.cell(
                    begin,
                    if place == last && self.padding == Padding::No { length } else { end },
                )
            },
        )
    }
}

/// Puts the lines of a broken row together, each filled up to its width.
pub fn flat<'a>(parts: impl Iterator<Item = &'a [u8]>, widths: &[usize]) -> Vec<u8> {
    let mut whole = Vec::new();
    for (at, part) in parts.enumerate() {
        whole.extend_from_slice(part);
        if at + 1 < widths.len() {
            let length = Measure::Units.length(part);
            whole.resize(whole.len() + widths[at].saturating_sub(length), b' ');
        }
    }
    whole
}

fn spans(rule: &[u8]) -> Option<Vec<(usize, usize)>> {
    let mut found = Vec::new();
    let mut begin = None;
    for (at, &byte) in rule.iter().chain(b" ").enumerate() {
        match (byte, begin) {
            (b'-', None) => begin = Some(at),
            (b' ', Some(from)) => {
                found.push((from, at));
                begin = None;
            }
            _ => {}
        }
    }
    (!found.is_empty() && found.len() <= MAX_COLUMNS).then_some(found)
}
