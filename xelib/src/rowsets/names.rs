//! What the lines above a rowset say: its name, and the time of the look.

use std::collections::VecDeque;

use super::MAX_LINE;
use super::line::{Line, LineRef, is_blank};
use super::words::{is_ruler, is_title, marker};

/// Lines above a header that are kept.
const MAX_ABOVE: usize = 400;
/// Bytes of a name that are kept.
const MAX_TITLE: usize = 200;

/// The lines since the last rowset, as far as they are kept.
#[derive(Debug, Default)]
pub struct Above {
    lines: VecDeque<Line>,
    bytes: usize,
}

impl Above {
    pub fn push(&mut self, line: LineRef<'_>) {
        self.bytes += line.text.len();
        self.lines.push_back(line.keep());
        while self.lines.len() > MAX_ABOVE || self.bytes > MAX_LINE + MAX_LINE / 2 {
            match self.lines.pop_front() {
                Some(line) => self.bytes -= line.text.len(),
                None => break,
            }
        }
    }

    pub fn clear(&mut self) {
        self.lines.clear();
        self.bytes = 0;
    }

    /// Gives the last lines, the first one first; None where there are not so many.
    pub fn last(&self, count: usize) -> Option<Vec<&Line>> {
        let from = self.lines.len().checked_sub(count)?;
        Some(self.lines.range(from..).collect())
    }

    /// Gives the name of a rowset whose header is the last lines, and whether a marker says it.
    ///
    /// A marker wins, then a title between rulers, then the nearest line that can be a title.
    pub fn name(&self, header: usize) -> (Option<Vec<u8>>, bool) {
        let end = self.lines.len().saturating_sub(header);
        let lines: Vec<&[u8]> = self.lines.range(..end).map(|line| &line.text[..]).collect();
        let nearest = lines.iter().rposition(|text| !is_blank(text));
        if let Some(at) = nearest
            && is_ruler(lines[at])
            && let Some(title) = between_rulers(&lines[..at])
        {
            return (Some(title), true);
        }
        if let Some(name) = lines.iter().rev().find_map(|text| marker(text)) {
            return (Some(name.to_vec()), true);
        }
        let title = nearest.map(|at| lines[at]).filter(|text| is_title(text));
        (title.map(|text| text.trim_ascii().to_vec()), false)
    }
}

fn between_rulers(lines: &[&[u8]]) -> Option<Vec<u8>> {
    let from = lines.iter().rposition(|text| is_ruler(text))?;
    let title = lines[from + 1..].join(&b' ');
    let title = title.trim_ascii();
    (!title.is_empty() && title.len() <= MAX_TITLE).then(|| title.to_vec())
}
