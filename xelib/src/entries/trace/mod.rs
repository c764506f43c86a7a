//! Text of trace flags 3004, 3014 and 3213: steps of backups and restores, and their buffers.
//!
//! Lines of the older generation name neither operation nor database; the line that started the
//! operation does, and everything the same source says until it ends belongs to it.

mod buffers;
mod line;
mod operations;
mod prefix;
mod rows;

use std::sync::Arc;

use buffers::{Blocks, Keys};
pub use line::Line;
use operations::{Belongs, Operations};
use prefix::{Prefixed, elapsed_in, prefixed};
pub use rows::{Fields, TraceRows};

use super::beginning::{self, Beginning};
use super::patterns::{Patterns, Scratch};

/// What the texts of one pattern are.
#[derive(Clone, Debug)]
pub struct Phase {
    pub name: String,
    /// Empty for what ends an operation without being a step of it.
    pub topic: String,
    /// Fields that the wording itself states.
    pub says: Vec<(String, String)>,
    /// Too common to be taken without `Backup..:` in front.
    pub only_prefixed: bool,
    pub starts: bool,
    pub ends: bool,
}

/// The parser: what is open stays open from one line to the next.
#[derive(Debug)]
pub struct TraceText {
    patterns: Arc<Patterns>,
    phases: Vec<Phase>,
    prefixes: Vec<Beginning>,
    keys: Keys,
    /// First two bytes of lines that may be something.
    beginnings: Vec<bool>,
    scratch: Scratch,
    operations: Operations,
    blocks: Blocks,
    rows: TraceRows,
}

impl TraceText {
    /// Begins with wordings of phases in the order in which they count, what a line with an
    /// operation in front begins with, and the lines of buffer configurations: spelling and name of
    /// each key, and how the lines and the title begin.
    pub fn new(
        patterns: Arc<Patterns>,
        phases: Vec<Phase>,
        prefixes: Vec<Vec<u8>>,
        keys: Vec<(String, String)>,
        heads: Vec<Vec<u8>>,
        title: Vec<u8>,
    ) -> Self {
        let mut beginnings = vec![false; 1 << 16];
        let all = patterns.heads().chain(prefixes.iter().chain(&heads).map(Vec::as_slice));
        for head in all.chain([title.as_slice()]) {
            // A head of one byte stands in front of any other byte.
            let two = beginning::first_two(beginning::first(head));
            beginnings[two..=if head.len() < 2 { two | 0xFF } else { two }].fill(true);
        }
        Self {
            scratch: patterns.scratch(),
            patterns,
            phases,
            prefixes: prefixes.iter().map(|head| Beginning::of(head)).collect(),
            keys: Keys::new(keys, &heads, &title),
            beginnings,
            operations: Operations::default(),
            blocks: Blocks::default(),
            rows: TraceRows::default(),
        }
    }

    /// Takes the next line.
    pub fn see(&mut self, line: &Line<'_>) {
        let shown = beginning::first(line.message.as_bytes());
        if !self.beginnings[beginning::first_two(shown)] {
            self.blocks.end(line.source);
            return;
        }
        if self.prefixes.iter().any(|prefix| prefix.fits(shown)) {
            if let Some(parts) = prefixed(line.message) {
                self.step(line, &parts, true);
            }
        } else if self.may_be_phase(line.message) {
            let (operation, database) = (line.operation, line.database);
            self.step(line, &Prefixed { operation, database, text: line.message }, false);
        }
        match self.keys.read(line.message, shown) {
            Some(key) => {
                let belongs = self.operations.of(line.source);
                self.blocks.add(line, key, belongs);
            }
            None => self.blocks.end(line.source),
        }
    }

    /// Tells that the log has ended.
    pub fn finish(&mut self) {
        self.blocks.end_all();
    }

    /// Gives the steps since they were given last, then the buffer configurations that ended.
    pub fn give(&mut self) -> TraceRows {
        let mut rows = std::mem::take(&mut self.rows);
        self.blocks.give(&self.keys, &mut rows);
        rows
    }

    fn may_be_phase(&self, text: &str) -> bool {
        self.patterns.any_candidate(text.as_bytes(), |number| !self.phases[number].only_prefixed)
    }

    /// Takes a line that may be a step, with or without an operation in front.
    fn step(&mut self, line: &Line<'_>, parts: &Prefixed<'_>, is_prefixed: bool) {
        let found = self.patterns.first(parts.text, &mut self.scratch);
        let found = found.filter(|&number| is_prefixed || !self.phases[number].only_prefixed);
        let groups = found.map(|number| self.patterns.groups(number, parts.text, &self.scratch));
        let groups: Vec<_> = groups.into_iter().flatten().collect();
        let own = groups.iter().find(|(name, _)| *name == "database");
        let database = own.map_or(parts.database, |&(_, database)| database);
        let phase = found.map(|number| &self.phases[number]);
        let is = |of: fn(&Phase) -> bool| phase.is_some_and(of);
        let (starts, ends) = (is(|phase| phase.starts), is(|phase| phase.ends));
        let known = Belongs { operation: parts.operation, database, started: None };
        let belongs = self.operations.assign(line, &known, starts, ends);
        let either = |own, other| if str::is_empty(own) { other } else { own };
        match phase {
            Some(phase) if !phase.topic.is_empty() => {
                self.rows.begin(line, &phase.topic);
                let fields = &mut self.rows.fields;
                let said = |name: &str| {
                    phase.says.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
                };
                if phase.topic == "phase" {
                    fields.push("phase", &phase.name);
                }
                let operation = either(parts.operation, belongs.operation);
                fields.push("operation", said("operation").unwrap_or(operation));
                fields.push(
                    "database",
                    said("database").unwrap_or(either(database, belongs.database)),
                );
                for (key, value) in &phase.says {
                    if key != "operation" && key != "database" {
                        fields.push(key, value);
                    }
                }
                fields.push_groups(groups.iter().filter(|(name, _)| *name != "database"));
                self.rows.end(belongs.started);
            }
            None if is_prefixed => {
                self.rows.begin(line, "phase");
                let fields = &mut self.rows.fields;
                fields.push("phase", "other");
                fields.push("operation", parts.operation);
                fields.push("database", either(database, belongs.database));
                fields.push("text", parts.text);
                fields.push("elapsed_ms", elapsed_in(parts.text));
                self.rows.end(belongs.started);
            }
            _ => {}
        }
    }
}
