//! Buffer configurations of trace flag 3213, in every layout (docs/formats/errorlog.md, section 4).
//!
//! A block is a run of `key: value` lines of one source. Blocks of sessions that back up at the same
//! time lie interleaved.

use std::collections::HashMap;

use super::line::Line;
use super::operations::Belongs;
use super::rows::TraceRows;
use crate::entries::beginning::Beginning;

/// Of a value; more would be no number of buffers.
const MAX_DIGITS: usize = 15;
const LEAST_KEYS: usize = 2;

/// Names of the values by their spellings without blanks.
#[derive(Debug)]
pub struct Keys {
    names: Vec<String>,
    spellings: HashMap<String, usize>,
    heads: Vec<Beginning>,
    title: Beginning,
}

/// What a line of a block says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Title,
    /// Number of a name, and the value in the unit of that name.
    Value(usize, i64),
}

impl Keys {
    pub fn new(keys: Vec<(String, String)>, heads: &[Vec<u8>], title: &[u8]) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut spellings = HashMap::new();
        for (spelling, name) in keys {
            let number = names.iter().position(|known| *known == name).unwrap_or(names.len());
            if number == names.len() {
                names.push(name);
            }
            spellings.insert(spelling, number);
        }
        let heads = heads.iter().map(|head| Beginning::of(head)).collect();
        Self { names, spellings, heads, title: Beginning::of(title) }
    }

    /// Reads `key: value unit`; `shown` are the first bytes.
    pub fn read(&self, text: &str, shown: u64) -> Option<Key> {
        if self.title.fits(shown) {
            return Some(Key::Title);
        }
        if !self.heads.iter().any(|head| head.fits(shown)) {
            return None;
        }
        let (spelled, rest) = text.split_once(':')?;
        let is_key = spelled.starts_with(|c: char| c.is_ascii_alphabetic())
            && spelled
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b' '));
        if !is_key {
            return None;
        }
        let spelled: String =
            spelled.bytes().filter(|&byte| byte != b' ').map(char::from).collect();
        let key = *self.spellings.get(&spelled.to_ascii_lowercase())?;
        let rest = rest.trim_start_matches(' ');
        let digits = rest.bytes().take(MAX_DIGITS).take_while(u8::is_ascii_digit).count();
        let (digits, rest) = rest.split_at(digits);
        let rest = rest.trim_start_matches(' ');
        let unit = rest.get(..2).filter(|unit| matches!(*unit, "KB" | "MB"));
        let behind = &rest[unit.map_or(0, str::len)..];
        // The line ends here, or the text does.
        let blank = behind.trim_start_matches(['\t', '\x0C', '\r', ' ']);
        if !(blank.is_empty() || blank.starts_with('\n')) {
            return None;
        }
        let value: i64 = digits.parse().ok()?;
        Some(Key::Value(
            key,
            match (self.names[key].ends_with("_mb"), unit) {
                (false, Some("MB")) => value * 1024,
                (true, Some("KB")) => value / 1024,
                _ => value,
            },
        ))
    }

    fn value_of(&self, name: &str, block: &Block) -> Option<i64> {
        let number = self.names.iter().position(|known| known == name)?;
        block.values.iter().find(|(key, _)| *key == number).map(|&(_, value)| value)
    }
}

/// The lines of a block, at the first one.
#[derive(Debug)]
struct Block {
    line: i64,
    time: Option<i64>,
    source: String,
    operation: String,
    database: String,
    started: Option<i64>,
    /// What its first value is of, unless its last line is a title.
    first: Option<usize>,
    /// Of each key the first value.
    values: Vec<(usize, i64)>,
}

impl Block {
    fn of(line: &Line<'_>, belongs: Belongs<'_>) -> Self {
        Self {
            line: line.line,
            time: line.time,
            source: line.source.into(),
            operation: belongs.operation.into(),
            database: belongs.database.into(),
            started: belongs.started,
            first: None,
            values: Vec::new(),
        }
    }

    fn put(&mut self, key: usize, value: i64) {
        self.first.get_or_insert(key);
        if self.values.iter().all(|(known, _)| *known != key) {
            self.values.push((key, value));
        }
    }
}

/// Puts lines of blocks together.
#[derive(Debug, Default)]
pub struct Blocks {
    open: HashMap<String, Block>,
    ended: Vec<Block>,
}

impl Blocks {
    /// Takes a line of a block. One begins with a title, behind a line of another kind, or where the
    /// first key of the block before comes again.
    pub fn add(&mut self, line: &Line<'_>, key: Key, belongs: Belongs<'_>) {
        let goes_on = self.open.get(line.source).is_some_and(|block| match key {
            Key::Title => false,
            Key::Value(key, _) => block.first != Some(key),
        });
        if !goes_on {
            self.end(line.source);
            self.open.insert(line.source.to_owned(), Block::of(line, belongs));
        }
        if let (Key::Value(key, value), Some(block)) = (key, self.open.get_mut(line.source)) {
            block.put(key, value);
        }
    }

    /// Tells that a source says something else.
    pub fn end(&mut self, source: &str) {
        if !self.open.is_empty()
            && let Some(block) = self.open.remove(source)
        {
            self.ended.push(block);
        }
    }

    pub fn end_all(&mut self) {
        self.ended.extend(self.open.drain().map(|(_, block)| block));
    }

    /// Gives the blocks that have ended, by line; one with a single key is none.
    pub fn give(&mut self, keys: &Keys, rows: &mut TraceRows) {
        self.ended.sort_unstable_by_key(|block| block.line);
        for block in self.ended.drain(..).filter(|block| block.values.len() >= LEAST_KEYS) {
            let line = Line {
                line: block.line,
                time: block.time,
                source: &block.source,
                ..Line::default()
            };
            rows.begin(&line, "buffer_configuration");
            for &(key, value) in &block.values {
                rows.fields.push(&keys.names[key], &value.to_string());
            }
            if let Some(matches) = total_matches(keys, &block) {
                rows.fields.push("total_matches", if matches { "true" } else { "false" });
            }
            rows.fields.push("operation", &block.operation);
            rows.fields.push("database", &block.database);
            rows.end(block.started);
        }
    }
}

/// Checks total = sets x count x size; 2005 has no sets and means one.
fn total_matches(keys: &Keys, block: &Block) -> Option<bool> {
    let value = |name| keys.value_of(name, block).map(|value| value as f64);
    let sets = value("sets_of_buffers").unwrap_or(1.0);
    let (count, size) = (value("buffer_count")?, value("max_transfer_size_kb")?);
    Some((sets * count * size / 1024.0 - value("total_mb")?).abs() < 1.0)
}
