//! Events in a buffer.

use super::buffers::HEADER;
use crate::bytes::{i64_at, u16_at, u32_at};

/// Provider of all events of a performance log, 933f3bb3-943e-490d-9ced-3cbb14c14479.
pub const PROVIDER: [u8; 16] = [
    0xb3, 0x3b, 0x3f, 0x93, 0x3e, 0x94, 0x0d, 0x49, 0x9c, 0xed, 0x3c, 0xbb, 0x14, 0xc1, 0x44, 0x79,
];
const MARK: u8 = 0xC0;
const SYSTEM_HEADER: usize = 0x20;
const FULL_HEADER: usize = 0x30;
const PDH_HEADER: usize = 0x18;

/// One event.
#[derive(Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The header of the trace file: its payload.
    TraceHeader(&'a [u8]),
    Pdh(PdhEvent<'a>),
    /// An event that no performance log has.
    Foreign,
}

/// An event of a performance log, or a piece of one.
#[derive(Debug, PartialEq, Eq)]
pub struct PdhEvent<'a> {
    /// 0x20 catalogue, 0x22 sample, 0x23 summary, 0x24 name table.
    pub kind: u8,
    /// Local time of the collecting machine, 100 ns since 1601.
    pub time: i64,
    /// Number of this piece, from 1, and of how many.
    pub piece: u32,
    pub pieces: u32,
    pub body: &'a [u8],
}

/// Steps through the events of a buffer of which `bytes` are in use.
#[derive(Debug)]
pub struct Events<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Events<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: HEADER }
    }
}

impl<'a> Iterator for Events<'a> {
    /// The place in the buffer, and the event; None where an event cannot be one, which ends it.
    type Item = (usize, Option<Event<'a>>);

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let rest = self.bytes.get(at..).filter(|rest| rest.len() >= 8)?;
        let Some(bytes) = event_bytes(rest) else {
            self.at = self.bytes.len();
            return Some((at, None));
        };
        self.at = at + bytes.len().next_multiple_of(8);
        Some((at, Some(event(bytes))))
    }
}

fn event_bytes(rest: &[u8]) -> Option<&[u8]> {
    let (kind, mark) = (rest[2], rest[3]);
    // System, compact and kernel performance headers keep their size behind the version (evntrace).
    let size_at = if matches!(kind, 1..=4 | 0x10 | 0x11) { 4 } else { 0 };
    let size = usize::from(u16_at(rest, size_at)?);
    (mark == MARK && size >= 8).then(|| rest.get(..size)).flatten()
}

fn event(bytes: &[u8]) -> Event<'_> {
    match bytes[2] {
        1 | 2 if bytes.len() > SYSTEM_HEADER => Event::TraceHeader(&bytes[SYSTEM_HEADER..]),
        0x0A | 0x14 => pdh_event(bytes).map_or(Event::Foreign, Event::Pdh),
        _ => Event::Foreign,
    }
}

fn pdh_event(bytes: &[u8]) -> Option<PdhEvent<'_>> {
    let payload = bytes.get(FULL_HEADER..)?;
    if bytes[0x18..0x28] != PROVIDER {
        return None;
    }
    Some(PdhEvent {
        kind: bytes[4],
        time: i64_at(bytes, 0x10)?,
        piece: u32_at(payload, 0x10)?,
        pieces: u32_at(payload, 0x14)?,
        body: payload.get(PDH_HEADER..)?,
    })
}
