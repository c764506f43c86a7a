//! The header of the trace file: who wrote it, when, and in which time zone.
//!
//! Layout: TRACE_LOGFILE_HEADER (evntrace.h) and TIME_ZONE_INFORMATION, for either pointer size.

use super::buffers::{HEADER, buffer_size};
use super::events::{Event, Events, PROVIDER};
use crate::bytes::{Cursor, Short, i64_at, len_at, text, u32_at};

const CIRCULAR: u32 = 0x2;
const ZONE_NAME_CHARACTERS: usize = 32;
const LONGEST_NAME: usize = 32 * 1024;

/// A rule of the time zone: on which day of the year the other half begins (SYSTEMTIME).
pub type ZoneDate = [u16; 8];

/// The header of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceHeader {
    pub os_major: u8,
    pub os_minor: u8,
    pub os_build: u32,
    pub pointer_bytes: u32,
    /// UTC in 100 ns since 1601, 0 where the logger did not come to write it.
    pub end: i64,
    pub start: i64,
    pub boot: i64,
    pub perf_frequency: i64,
    pub mode: u32,
    pub buffers_written: u32,
    pub events_lost: u32,
    pub buffers_lost: u32,
    pub zone: Zone,
    pub logger: String,
    /// Where the log was written.
    pub file: String,
}

/// The time zone of the collecting machine. Biases are UTC minus local time, in minutes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Zone {
    pub bias: i32,
    pub standard_name: String,
    pub standard_date: ZoneDate,
    pub standard_bias: i32,
    pub daylight_name: String,
    pub daylight_date: ZoneDate,
    pub daylight_bias: i32,
}

impl TraceHeader {
    /// Reads the payload of the first event; None where it is too short.
    pub fn read(payload: &[u8]) -> Option<Self> {
        let pointer_bytes = u32_at(payload, 0x2c)?;
        let wide = pointer_bytes == 8;
        let zone_at = if wide { 0x48 } else { 0x40 };
        let times_at = if wide { 0xF8 } else { 0xF0 };
        let names_at = times_at + 0x20;
        let mut names = Cursor::new(payload.get(names_at..)?, 0);
        Some(Self {
            os_major: *payload.get(4)?,
            os_minor: *payload.get(5)?,
            os_build: u32_at(payload, 0x08)?,
            pointer_bytes,
            end: i64_at(payload, 0x10)?,
            mode: u32_at(payload, 0x20)?,
            buffers_written: u32_at(payload, 0x24)?,
            events_lost: u32_at(payload, 0x30)?,
            zone: Zone::read(&mut Cursor::new(payload.get(zone_at..)?, 0)).ok()?,
            boot: i64_at(payload, times_at)?,
            perf_frequency: i64_at(payload, times_at + 0x08)?,
            start: i64_at(payload, times_at + 0x10)?,
            buffers_lost: u32_at(payload, times_at + 0x1c)?,
            logger: name(&mut names),
            file: name(&mut names),
        })
    }

    /// The writer began again at the front when the file had reached its size.
    pub fn is_circular(&self) -> bool {
        self.mode & CIRCULAR != 0
    }

    /// Performance logs are written by a session whose name is a guid as text.
    pub fn is_named_by_guid(&self) -> bool {
        let bare = self.logger.trim_matches(['{', '}']);
        bare.len() == 36
            && bare.char_indices().all(|(at, c)| match at {
                8 | 13 | 18 | 23 => c == '-',
                _ => c.is_ascii_hexdigit(),
            })
    }
}

impl Zone {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Short> {
        Ok(Self {
            bias: cursor.i32("bias")?,
            standard_name: zone_name(cursor)?,
            standard_date: date(cursor)?,
            standard_bias: cursor.i32("standard bias")?,
            daylight_name: zone_name(cursor)?,
            daylight_date: date(cursor)?,
            daylight_bias: cursor.i32("daylight bias")?,
        })
    }
}

fn zone_name(cursor: &mut Cursor<'_>) -> Result<String, Short> {
    let place = cursor.take(2 * ZONE_NAME_CHARACTERS, "name of the zone")?;
    Ok(name(&mut Cursor::new(place, 0)))
}

fn date(cursor: &mut Cursor<'_>) -> Result<ZoneDate, Short> {
    let mut date = ZoneDate::default();
    for field in &mut date {
        *field = cursor.u16("date of the zone")?;
    }
    Ok(date)
}

/// A string that may fill its place without a terminator.
fn name(cursor: &mut Cursor<'_>) -> String {
    text(cursor.terminated(LONGEST_NAME, "name").unwrap_or_else(|_| cursor.rest()))
}

/// The header of the trace that begins with `head`, of which one buffer is enough.
pub fn find(head: &[u8]) -> Option<TraceHeader> {
    let size = buffer_size(head)?;
    let used = len_at(head, 0x30)?.min(head.len()).min(size);
    Events::new(&head[..used]).find_map(|(_, event)| match event {
        Some(Event::TraceHeader(payload)) => TraceHeader::read(payload),
        _ => None,
    })
}

/// What a file is, told from its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sniffed {
    PerformanceLog,
    /// An event trace of something else.
    OtherTrace,
    NoTrace,
}

/// Tells a performance log from other event traces, and from anything else.
pub fn sniff(head: &[u8]) -> Sniffed {
    let Some(size) = buffer_size(head) else { return Sniffed::NoTrace };
    let provider = |at: usize| head.get(at + HEADER + 0x18..at + HEADER + 0x28);
    let is_log = provider(size).is_some_and(|second| second == PROVIDER)
        || find(head).is_some_and(|header| header.is_named_by_guid());
    if is_log { Sniffed::PerformanceLog } else { Sniffed::OtherTrace }
}
