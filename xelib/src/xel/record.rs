//! An event as it lies in the payload of a data block.

use super::catalogue::Catalogue;
use super::file_header::VERSION;
use super::metadata::{NULL_TYPE, ObjectId};

/// Bytes before the payload of an event.
pub const HEADER_BYTES: usize = 24;
const VERSION_BITS: u32 = 0x3F;
pub const ACTIONS_FOLLOW: u32 = 1 << 31;
/// More actions than any server defines; following them costs time each time it is tried.
pub const MAX_ACTIONS: usize = 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    pub event: ObjectId,
    /// Since the time base of the package; negative after the clock was set back.
    pub ticks: i64,
    pub payload: &'a [u8],
    /// As far as they can be followed, without what ends them.
    pub actions: &'a [u8],
    /// Bytes of the whole record.
    pub length: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable<'a> {
    /// The bytes end inside the record.
    Cut,
    /// These bytes do not begin a record.
    NoRecord,
    /// The payload is there, the end of the actions is not.
    NoEnd(Record<'a>),
}

impl<'a> Record<'a> {
    /// Reads the record that begins `bytes`.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Unreadable<'a>> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Err(Unreadable::Cut);
        };
        let (words, _) = header.as_chunks::<4>();
        let word = |n: usize| u32::from_le_bytes(words[n]);
        let (event, bits, length) = (ObjectId(word(0)), word(1), word(5));
        let ticks = u64::from(word(3)) | u64::from(word(4)) << 32;
        if !is_event(event, bits) {
            return Err(Unreadable::NoRecord);
        }
        let Some(payload) = rest.get(..length as usize) else {
            return Err(Unreadable::Cut);
        };
        let mut record = Self {
            event,
            ticks: ticks.cast_signed(),
            payload,
            actions: &[],
            length: HEADER_BYTES + payload.len(),
        };
        if bits & ACTIONS_FOLLOW == 0 {
            return Ok(record);
        }
        let rest = &bytes[record.length..];
        let mut actions = Actions(rest);
        let followed = actions.by_ref().take(MAX_ACTIONS).count();
        let read = rest.len() - actions.0.len();
        record.actions = &rest[..read];
        record.length += read;
        let end = actions.0.first_chunk::<8>().map(|&end| u64::from_le_bytes(end));
        if followed == MAX_ACTIONS || end != Some(NULL_TYPE.0.into()) {
            return Err(Unreadable::NoEnd(record));
        }
        record.length += 8;
        Ok(record)
    }

    /// True where damage hardly looks like this: a known event in front of its usual zero.
    pub fn begins(bytes: &[u8], catalogue: &Catalogue) -> bool {
        let Some((header, _)) = bytes.split_first_chunk::<12>() else { return false };
        let (words, _) = header.as_chunks::<4>();
        u32::from_le_bytes(words[1]) & VERSION_BITS == u32::from(VERSION)
            && words[2] == [0; 4]
            && catalogue.has_event(ObjectId(u32::from_le_bytes(words[0])))
    }
}

/// Whether the first two words of a record can be: the bits between are uninitialised memory.
pub fn is_event(id: ObjectId, bits: u32) -> bool {
    id.is_event() && bits & VERSION_BITS == u32::from(VERSION)
}

/// Actions one after the other, up to their end or the first that does not fit.
#[derive(Debug, Clone)]
pub struct Actions<'a>(pub &'a [u8]);

impl<'a> Iterator for Actions<'a> {
    type Item = (ObjectId, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (head, rest) = self.0.split_first_chunk::<8>()?;
        let (words, _) = head.as_chunks::<4>();
        let [id, length] = [words[0], words[1]].map(u32::from_le_bytes);
        let value = rest.get(..length as usize)?;
        if id == NULL_TYPE.0 {
            return None;
        }
        self.0 = &rest[value.len()..];
        Some((ObjectId(id), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &[u8] = b"\x02\x04\0\0\x4A\xFF\xFF\x7F\0\0\0\0\
        \xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02\0\0\0";

    fn with_actions(actions: &[u8]) -> Vec<u8> {
        let mut bytes = [HEADER, b"pl", actions].concat();
        bytes[7] = 0xFF;
        bytes
    }

    #[test]
    fn a_record_with_stale_bits_and_negative_ticks() {
        let bytes = [HEADER, b"plnext"].concat();
        let record = Record::read(&bytes).unwrap();
        assert_eq!((record.event, record.ticks), (ObjectId(0x402), -2));
        assert_eq!((record.payload, record.actions, record.length), (&b"pl"[..], &b""[..], 26));
    }

    #[test]
    fn actions_up_to_their_end() {
        let bytes =
            with_actions(b"\x01\0\0\x10\x03\0\0\0abc\x02\0\0\x10\0\0\0\0\0\0\0\x60\0\0\0\0next");
        let record = Record::read(&bytes).unwrap();
        let actions: Vec<_> = Actions(record.actions).map(|(id, value)| (id.0, value)).collect();
        assert_eq!(actions, [(0x1000_0001, &b"abc"[..]), (0x1000_0002, b"")]);
        assert_eq!(record.length, bytes.len() - 4);
    }

    #[test]
    fn actions_without_end_give_those_before() {
        let bytes = with_actions(b"\x01\0\0\x10\x03\0\0\0abc\x02\0\0\x10\xFF\0\0\0\0");
        let Err(Unreadable::NoEnd(record)) = Record::read(&bytes) else { panic!() };
        assert_eq!((Actions(record.actions).count(), record.payload), (1, &b"pl"[..]));
    }

    #[test]
    fn every_cut_is_seen() {
        let bytes = with_actions(b"\x01\0\0\x10\x03\0\0\0abc\0\0\0\x60\0\0\0\0");
        for end in 0..bytes.len() {
            let outcome = Record::read(&bytes[..end]);
            match end {
                0..26 => assert_eq!(outcome, Err(Unreadable::Cut), "{end}"),
                _ => assert!(matches!(outcome, Err(Unreadable::NoEnd(_))), "{end}"),
            }
        }
    }

    #[test]
    fn other_versions_and_classes_are_no_records() {
        for (at, value) in [(4, 0x4B), (3, 0x10)] {
            let mut bytes = [HEADER, b"pl"].concat();
            bytes[at] = value;
            assert_eq!(Record::read(&bytes), Err(Unreadable::NoRecord));
        }
    }
}
