//! Events in Arrow's memory layout.

use super::event::{Event, Field};
use crate::entries::Numbers;
use crate::texts::Texts;

/// The head of a record has 1601, where its time was not written: microseconds from 1970 to 1990.
const EARLIEST: i64 = 631_152_000_000_000;
/// By how many microseconds the head of a record and its event may differ: the event is created
/// before it is written.
const APART: u64 = 1_000_000;
const AUDIT_FAILURE: u64 = 0x10_0000_0000_0000;
const EVENT_IDS: std::ops::Range<i64> = 0..1 << 31;

#[derive(Debug, Default)]
pub struct Columns {
    pub rows: usize,
    /// Number of the record.
    pub line: Numbers,
    /// Microseconds since 1970, UTC.
    pub time: Numbers,
    pub event_id: Numbers,
    pub record: Numbers,
    pub log: Texts,
    pub level: Texts,
    pub source: Texts,
    pub computer: Texts,
    pub category: Texts,
    pub user: Texts,
    pub message: Texts,
    /// Records whose head has another time than their event.
    pub moved: u64,
}

impl Columns {
    /// Adds an event; the head of its record has its number and when it was written.
    pub fn push(&mut self, event: &Event, number: u64, written: Option<i64>) {
        let line = (number & i64::MAX as u64) as i64;
        let created = event.created();
        if let (Some(created), Some(written)) = (created, written) {
            self.moved += u64::from(created.abs_diff(written) > APART);
        }
        self.rows += 1;
        self.line.push(Some(line));
        self.time.push(created.or(written.filter(|&written| written >= EARLIEST)));
        self.event_id.push(event.number(Field::EventId).filter(|id| EVENT_IDS.contains(id)));
        self.record.push(event.number(Field::Record).or(Some(line)));
        self.log.push(event.text(Field::Log));
        self.level.push(level(event).map(str::as_bytes));
        self.source.push(event.text(Field::Source));
        self.computer.push(event.text(Field::Computer));
        self.category.push(event.text(Field::Task));
        self.user.push(event.text(Field::User));
        event.append_message(&mut self.message.bytes);
        self.message.end(true);
    }

    /// About how many bytes are held.
    pub fn size(&self) -> usize {
        let texts = [
            &self.log,
            &self.level,
            &self.source,
            &self.computer,
            &self.category,
            &self.user,
            &self.message,
        ];
        self.rows * 64 + texts.iter().map(|texts| texts.bytes.len()).sum::<usize>()
    }
}

/// The level of an event; a failed audit is a warning, which it has by its keywords alone.
fn level(event: &Event) -> Option<&'static str> {
    match event.number(Field::Level)? {
        0 if keywords(event) & AUDIT_FAILURE != 0 => Some("Warning"),
        0 | 4 | 5 => Some("Information"),
        1 | 2 => Some("Error"),
        3 => Some("Warning"),
        _ => None,
    }
}

fn keywords(event: &Event) -> u64 {
    let text = event.text(Field::Keywords).and_then(|text| std::str::from_utf8(text).ok());
    let digits = text.map(|text| text.trim_start_matches("0x"));
    digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}
