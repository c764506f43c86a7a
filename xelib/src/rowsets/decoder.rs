//! Finds the rowsets of a text and cuts their rows, as its lines go by.

use memchr::memchr;

use super::assembly::{Assembly, Step};
use super::faults::{Fault, Faults};
use super::layout::{Layout, Padding};
use super::line::{Line, LineRef, Measure, Measured, is_blank};
use super::names::Above;
use super::output::Output;
use super::words::{ends_rowset, is_rule, look, message, time};
use super::{MAX_BROKEN, MAX_LINE};

/// Rows of a rowset that are looked at again when lines do not make up a row.
const MAX_AGAIN: usize = 1_000;

/// Decoder of a text that comes in blocks of UTF-8.
#[derive(Debug)]
pub struct Decoder {
    measure: Measure,
    /// The line at the end of the blocks so far, without its end.
    carry: Vec<u8>,
    /// Characters of it that are not kept.
    dropped: usize,
    number: u64,
    offset: u64,
    /// The line after a server's message is its text.
    text_follows: bool,
    is_first_message: bool,
    /// When the server was looked at, as far as the text says.
    look: Option<i64>,
    rowset: i32,
    state: State,
    above: Above,
    faults: Faults,
    output: Output,
}

#[derive(Debug)]
enum State {
    Between,
    /// Dashes, and how many bytes they are.
    Rules(Vec<Line>, usize),
    Rows(Box<Open>),
}

/// A rowset whose rows go by.
#[derive(Debug)]
struct Open {
    layout: Layout,
    name: Option<Vec<u8>>,
    line: u64,
    offset: u64,
    number: i32,
    row: i32,
    is_told: bool,
    assembly: Assembly,
    again: usize,
}

impl Decoder {
    /// Offsets are told in `measure`, from `offset` on.
    pub fn new(measure: Measure, offset: u64) -> Self {
        Self {
            measure,
            carry: Vec::new(),
            dropped: 0,
            number: 0,
            offset,
            text_follows: false,
            is_first_message: false,
            look: None,
            rowset: 0,
            state: State::Between,
            above: Above::default(),
            faults: Faults::default(),
            output: Output::default(),
        }
    }

    /// Takes the next block.
    pub fn feed(&mut self, block: &[u8]) {
        let mut rest = block;
        while let Some(at) = memchr(b'\n', rest) {
            let (line, after) = rest.split_at(at);
            rest = &after[1..];
            if self.carry.is_empty() && self.dropped == 0 && line.len() <= MAX_LINE {
                self.end_line(line, 1, 0);
            } else {
                self.hold(line);
                let carry = std::mem::take(&mut self.carry);
                let dropped = std::mem::take(&mut self.dropped);
                self.end_line(&carry, 1, dropped);
                self.carry = carry;
                self.carry.clear();
            }
        }
        self.hold(rest);
    }

    /// Tells that the text has ended.
    pub fn finish(&mut self) {
        if !self.carry.is_empty() {
            let carry = std::mem::take(&mut self.carry);
            let dropped = std::mem::take(&mut self.dropped);
            self.end_line(&carry, 0, dropped);
        }
        loop {
            match std::mem::replace(&mut self.state, State::Between) {
                State::Between => break,
                // A header is a rowset, though no row follows.
                State::Rules(rules, _) => self.open(&rules),
                State::Rows(mut open) => {
                    for line in open.assembly.take() {
                        self.faults.add("damaged_row", 0, line.number, line.offset);
                    }
                    break;
                }
            }
        }
    }

    /// Gives what was decoded since it was taken last.
    pub fn take(&mut self) -> Output {
        std::mem::take(&mut self.output)
    }

    /// About how many bytes are held.
    pub fn held(&self) -> usize {
        self.output.size()
    }

    pub fn faults(&self) -> &[Fault] {
        self.faults.found()
    }

    fn hold(&mut self, part: &[u8]) {
        let room = MAX_LINE.saturating_sub(self.carry.len());
        let (kept, dropped) = part.split_at(part.len().min(room));
        self.carry.extend_from_slice(kept);
        self.dropped += dropped.len();
    }

    fn end_line(&mut self, text: &[u8], newline: usize, dropped: usize) {
        self.number += 1;
        let length = self.measure.length(text) as u64 + dropped as u64 + newline as u64;
        let (plain, returned) = match text.strip_suffix(b"\r") {
            Some(plain) if newline == 1 => (plain, 1),
            _ => (text, 0),
        };
        let end = newline + returned;
        let line = LineRef { text: plain, number: self.number, offset: self.offset, end };
        self.offset += length;
        if dropped > 0 {
            self.faults.add("long_line", 0, line.number, line.offset);
        }
        if newline == 0 {
            self.faults.add("no_line_end", 0, line.number, line.offset);
        }
        self.line(line);
    }

    fn line(&mut self, line: LineRef<'_>) {
        match std::mem::replace(&mut self.state, State::Between) {
            State::Between => self.between(line),
            State::Rules(mut rules, bytes) => {
                let bytes = bytes + line.text.len();
                if is_rule(line.text, true) && rules.len() < MAX_BROKEN && bytes <= MAX_LINE {
                    rules.push(line.keep());
                    self.state = State::Rules(rules, bytes);
                } else {
                    self.open(&rules);
                    self.line(line);
                }
            }
            State::Rows(open) => self.row(open, line),
        }
    }

    fn between(&mut self, line: LineRef<'_>) {
        if is_rule(line.text, false) {
            self.state = State::Rules(vec![line.keep()], line.text.len());
        } else if !self.is_message(line) {
            self.look = look(line.text).or(self.look);
            self.above.push(line);
        }
    }

    /// Takes note of the messages of a server or of sqlcmd, and of the text under them.
    fn is_message(&mut self, line: LineRef<'_>) -> bool {
        if std::mem::take(&mut self.text_follows) {
            if self.is_first_message {
                self.faults.say(line.text);
            }
            return true;
        }
        let Some(found) = message(line.text) else {
            return false;
        };
        self.is_first_message = !found.kind.is_empty()
            && self.faults.add(found.kind, found.number, line.number, line.offset);
        if self.is_first_message && !found.has_text {
            self.faults.say(line.text);
        }
        self.text_follows = found.has_text;
        true
    }

    /// Begins a rowset under the dashes, where they are those of a header; the state is `Between`.
    fn open(&mut self, rules: &[Line]) {
        let all: Vec<&Line> = rules.iter().collect();
        for height in [rules.len(), 1] {
            let found = self.above.last(height).and_then(|t| Layout::new(&t, &all[..height]));
            let Some(layout) = found else { continue };
            let (name, is_marked) = self.above.name(height);
            if layout.may_be_underline() && !is_marked {
                continue;
            }
            let first = self.above.last(height).map_or((0, 0), |titles| {
                titles.first().map_or((0, 0), |title| (title.number, title.offset))
            });
            let mut open = Box::new(Open {
                layout,
                name,
                line: first.0,
                offset: first.1,
                number: 0,
                row: 0,
                is_told: false,
                assembly: Assembly::default(),
                again: 0,
            });
            if !open.layout.is_unnamed() {
                self.tell(&mut open);
            }
            self.state = State::Rows(open);
            for line in &rules[height..] {
                self.line(line.by_ref());
            }
            return;
        }
        for rule in rules {
            self.above.push(rule.by_ref());
        }
    }

    /// Gives the head of a rowset.
    fn tell(&mut self, open: &mut Open) {
        open.is_told = true;
        open.number = self.rowset;
        self.rowset = self.rowset.saturating_add(1);
        self.above.clear();
        let heads = &mut self.output.heads;
        heads.begin(open.number, 0, open.line, open.offset, self.look);
        heads.names.push(open.name.as_deref());
        for name in &open.layout.names {
            heads.texts.push(Some(name));
        }
        heads.end();
    }

    /// Takes a line of a rowset; the state is `Between`.
    fn row(&mut self, mut open: Box<Open>, line: LineRef<'_>) {
        if open.layout.widths.len() > 1 {
            return self.broken_row(open, line);
        }
        let total = open.layout.total;
        // Most lines: a whole row.
        if total > 1
            && !self.text_follows
            && let Some(row) = open.layout.measured(line.text, Some(total))
        {
            if !open.assembly.is_empty() {
                open.again = MAX_AGAIN;
                return self.again(open, Some(line));
            }
            return self.emit(open, &row, line);
        }
        if line.text == open.layout.title {
            // sqlcmd repeats the header where it is asked to.
            return self.close(open, Some(line));
        }
        if self.is_message(line) {
            self.state = State::Rows(open);
            return;
        }
        let is_blank = line.is_blank();
        if ends_rowset(line.text) || (is_blank && open.assembly.is_empty()) {
            return self.close(open, Some(line));
        }
        let begins_last = open.layout.spans.last().map_or(0, |span| span.0);
        let is_row = match open.layout.padding {
            Padding::Yes => false,
            Padding::Unknown => open.assembly.is_empty(),
            Padding::No => true,
        };
        if is_row
            && !is_blank
            && let Some(row) = open.layout.measured(line.text, None)
        {
            let is_cut = line.end == 0 && row.len() <= begins_last;
            if !is_cut && (open.layout.padding == Padding::No || row.len() > begins_last) {
                return self.emit(open, &row, line);
            }
        }
        if line.end == 0 {
            self.faults.add("truncated", 0, line.number, line.offset);
            return self.close(open, None);
        }
        if open.layout.padding == Padding::No || open.again >= MAX_AGAIN {
            self.faults.add("damaged_row", 0, line.number, line.offset);
            self.state = State::Rows(open);
            return;
        }
        let step = open.assembly.add_line(line, &open.layout);
        self.step(open, step);
    }

    fn broken_row(&mut self, mut open: Box<Open>, line: LineRef<'_>) {
        if self.is_message(line) {
            self.state = State::Rows(open);
            return;
        }
        let begins = open.assembly.is_empty();
        let ends = line.text.len() < 2 && is_blank(line.text);
        if (begins && (ends || line.text == open.layout.title)) || ends_rowset(line.text) {
            return self.close(open, Some(line));
        }
        let step = open.assembly.add_broken(line, &open.layout);
        if line.end == 0 && !matches!(step, Step::Whole(_)) {
            self.faults.add("truncated", 0, line.number, line.offset);
            open.assembly.take();
            self.state = State::Rows(open);
            return;
        }
        self.step(open, step);
    }

    /// Goes on after a line was added to a row.
    fn step(&mut self, mut open: Box<Open>, step: Step) {
        match step {
            Step::Open => self.state = State::Rows(open),
            Step::Failed => self.again(open, None),
            Step::Whole(text) => match open.layout.measured(&text, None) {
                Some(row) => {
                    let lines = open.assembly.take();
                    match lines.first() {
                        Some(first) => self.emit(open, &row, first.by_ref()),
                        None => self.state = State::Rows(open),
                    }
                }
                None => self.again(open, None),
            },
        }
    }

    /// Counts the first line of what is no row as damaged, and looks at the others again.
    fn again(&mut self, mut open: Box<Open>, next: Option<LineRef<'_>>) {
        let lines = open.assembly.take();
        let keep = open.again;
        open.again = if open.layout.widths.len() > 1 { keep + 1 } else { MAX_AGAIN };
        let gives_up = open.layout.widths.len() > 1 && keep >= MAX_AGAIN;
        self.state = State::Rows(open);
        for (at, line) in lines.iter().enumerate() {
            if at == 0 || gives_up {
                self.faults.add("damaged_row", 0, line.number, line.offset);
            } else {
                self.line(line.by_ref());
            }
        }
        if let State::Rows(open) = &mut self.state
            && open.layout.widths.len() == 1
        {
            open.again = 0;
        }
        if let Some(line) = next {
            self.line(line);
        }
    }

    /// Ends a rowset; what is held of a row is looked at once more, then the line that ended it.
    fn close(&mut self, mut open: Box<Open>, line: Option<LineRef<'_>>) {
        if !open.assembly.is_empty() {
            let is_broken = open.layout.widths.len() > 1;
            if is_broken {
                for held in open.assembly.take() {
                    self.faults.add("damaged_row", 0, held.number, held.offset);
                }
            } else {
                return self.again(open, line);
            }
        }
        self.state = State::Between;
        if let Some(line) = line {
            self.between(line);
        }
    }

    fn emit(&mut self, mut open: Box<Open>, row: &Measured<'_>, line: LineRef<'_>) {
        if open.layout.is_unnamed() {
            // SELECT GETDATE() says when the server was looked at; other dashes are no rowset.
            let span = open.layout.spans[0];
            match time(row.cell(span.0, span.1)) {
                Some(at) => self.look = Some(at),
                None if !open.is_told => return self.between(line),
                None => {}
            }
            if !open.is_told {
                self.tell(&mut open);
            }
        }
        let mut at = self.look;
        if let Some(place) = open.layout.runtime {
            let (begin, end) = open.layout.spans[place];
            at = time(row.cell(begin, end)).or(at);
        }
        let rows = &mut self.output.rows;
        rows.begin(open.number, open.row, line.number, line.offset, at);
        let first = rows.texts.len();
        for cell in open.layout.cells(row) {
            rows.texts.push((cell != b"NULL").then_some(cell));
        }
        rows.end();
        if open.layout.names[0] == b"Name" && rows.texts.len() == first + 2 {
            let (begin, end) = open.layout.spans[0];
            if row.cell(begin, end) == b"Script Begin Time" {
                self.look = time(row.cell(open.layout.spans[1].0, row.len())).or(self.look);
            }
        }
        open.row = open.row.saturating_add(1);
        self.state = State::Rows(open);
    }
}

#[cfg(test)]
mod tests;
