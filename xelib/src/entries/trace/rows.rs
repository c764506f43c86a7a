//! Rows of the parser: what each line says, name by name.

use super::line::Line;
use crate::entries::columns::Numbers;
use crate::texts::Texts;

/// Names and values of each row, as the entries of a map.
#[derive(Debug, Default)]
pub struct Fields {
    /// int32, one more than there are rows.
    pub offsets: Vec<u8>,
    pub names: Texts,
    pub values: Texts,
}

impl Fields {
    /// Adds a field to the row that is being written; empty values are left out.
    pub fn push(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            self.names.push(Some(name.as_bytes()));
            self.values.push(Some(value.as_bytes()));
        }
    }

    /// Adds what a pattern found; bytes in hexadecimal are written in decimal, with how many there
    /// are.
    pub fn push_groups<'a>(&mut self, groups: impl Iterator<Item = &'a (&'a str, &'a str)>) {
        let (mut start, mut end) = (None, None);
        for &(name, text) in groups {
            let bytes = match name {
                "start_byte" => &mut start,
                "end_byte" => &mut end,
                _ => {
                    self.push(name, text);
                    continue;
                }
            };
            *bytes = text.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
            self.push(name, &bytes.map_or_else(String::new, |bytes| bytes.to_string()));
        }
        if let (Some(start), Some(end)) = (start, end) {
            self.push("bytes", &(i128::from(end) - i128::from(start)).to_string());
        }
    }

    /// Ends the row that is being written.
    fn end(&mut self) {
        if self.offsets.is_empty() {
            self.offsets.extend_from_slice(&0_i32.to_ne_bytes());
        }
        self.offsets.extend_from_slice(&(self.names.len() as i32).to_ne_bytes());
    }
}

/// Rows in Arrow's memory layout.
#[derive(Debug, Default)]
pub struct TraceRows {
    pub rows: usize,
    pub line: Numbers,
    pub time: Numbers,
    pub source: Texts,
    pub topic: Texts,
    pub fields: Fields,
}

impl TraceRows {
    /// Begins a row; its fields follow.
    pub fn begin(&mut self, line: &Line<'_>, topic: &str) {
        self.line.push(Some(line.line));
        self.time.push(line.time);
        self.source.push(Some(line.source.as_bytes()));
        self.topic.push(Some(topic.as_bytes()));
        self.rows += 1;
    }

    /// Ends it with the line that started the operation.
    pub fn end(&mut self, started: Option<i64>) {
        if let Some(line) = started {
            self.fields.push("operation_line", &line.to_string());
        }
        self.fields.end();
    }
}
