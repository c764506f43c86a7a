//! Rows that take more than one line: broken at the width of the screen, or at line ends in values.

use super::MAX_BROKEN;
use super::layout::{Layout, flat};
use super::line::{Line, LineRef, Measure};

/// Lines that a value may hold.
const MAX_LINES: usize = 10_000;

/// Lines of a row that is not whole yet.
#[derive(Debug, Default)]
pub struct Assembly {
    pub lines: Vec<Line>,
    length: usize,
}

/// What became of a row when a line was added.
#[derive(Debug)]
pub enum Step {
    /// More lines are needed.
    Open,
    /// The text of a whole row.
    Whole(Vec<u8>),
    /// These lines are none.
    Failed,
}

impl Assembly {
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn take(&mut self) -> Vec<Line> {
        self.length = 0;
        std::mem::take(&mut self.lines)
    }

    /// Adds a line of a row that is broken at the width of the screen.
    pub fn add_broken(&mut self, line: LineRef<'_>, layout: &Layout) -> Step {
        let at = self.lines.len().min(layout.widths.len() - 1);
        let is_too_long = Measure::Units.length(line.text) > layout.widths[at]
            && Measure::Columns.length(line.text) > layout.widths[at];
        self.lines.push(line.keep());
        if is_too_long || self.lines.len() > MAX_BROKEN {
            return Step::Failed;
        }
        if self.lines.len() < layout.widths.len() {
            return Step::Open;
        }
        Step::Whole(flat(self.lines.iter().map(|line| &line.text[..]), &layout.widths))
    }

    /// Adds a line of a row that has line ends in its values: whole, it is as wide as its dashes.
    pub fn add_line(&mut self, line: LineRef<'_>, layout: &Layout) -> Step {
        let end = self.lines.last().map_or(0, |line| line.end);
        self.length += end + Measure::Units.length(line.text);
        self.lines.push(line.keep());
        if self.length > layout.total || self.lines.len() > MAX_LINES {
            return Step::Failed;
        }
        if self.length < layout.total || self.lines.len() == 1 {
            return Step::Open;
        }
        let mut whole = Vec::with_capacity(layout.total);
        for (at, line) in self.lines.iter().enumerate() {
            whole.extend_from_slice(&line.text);
            if at + 1 < self.lines.len() {
                whole.extend_from_slice(if line.end == 2 { b"\r\n" } else { b"\n" });
            }
        }
        Step::Whole(whole)
    }
}
