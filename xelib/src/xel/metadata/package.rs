//! A package: the definitions of one module of the server, as far as the session uses them.

use super::{Action, Event, Map, ObjectId, Type};
use crate::bytes::{Cursor, Short};
use crate::xel::error::FormatError;
use crate::xel::guid::Guid;
use crate::xel::timestamp::TimeBase;

#[derive(Debug, Default, Clone, PartialEq)]
pub struct Package {
    pub id: ObjectId,
    pub name: String,
    pub description: String,
    pub guid: Guid,
    /// The module that holds the package.
    pub module: Guid,
    pub session_run: Guid,
    pub time_base: TimeBase,
    pub events: Vec<Event>,
    pub actions: Vec<Action>,
    pub maps: Vec<Map>,
    pub types: Vec<Type>,
}

/// Version and length: what is needed to find the next package.
const LENGTH_END: usize = 6;

impl Package {
    /// Reads a package that fills `bytes`, but for its padding; also what could be read of a damaged one.
    pub fn read(bytes: &[u8], offset: u64) -> (Self, Result<(), FormatError>) {
        let mut package = Self::default();
        let outcome = package.fill(&mut Cursor::new(bytes, offset));
        (package, outcome.map_err(FormatError::from))
    }

    /// Bytes of the package that begins `bytes`.
    pub fn length(bytes: &[u8], offset: u64) -> Result<usize, FormatError> {
        let mut cursor = Cursor::new(bytes, offset);
        cursor.u16("package version")?;
        let length = cursor.u32("length of the package")? as usize;
        if length < LENGTH_END || length > bytes.len() {
            let need = format!("{LENGTH_END} to {}", bytes.len());
            return Err(FormatError::new(offset + 2, "length of the package", need, length));
        }
        Ok(length)
    }

    fn fill(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Short> {
        cursor.take(LENGTH_END, "package version and length")?;
        self.session_run = Guid(cursor.array("session run")?);
        cursor.take(10, "package constants")?;
        self.time_base.filetime = cursor.u64("time base")?;
        self.time_base.frequency = cursor.u64("tick frequency")?;
        cursor.take(4, "package version and flags")?;
        self.id = ObjectId(cursor.u32("package id")?);
        self.name = cursor.zstr("package name")?;
        self.description = cursor.zstr("package description")?;
        self.guid = Guid(cursor.array("package guid")?);
        self.module = Guid(cursor.array("module guid")?);
        cursor.u16("end of package header")?;
        // Sizes of the object tables of the whole package; what is stored here is a selection.
        for _ in 0..cursor.u32("number of object classes")? {
            cursor.take(12, "object class")?;
        }
        for _ in 0..cursor.u32("number of events")? {
            self.events.push(Event::read(cursor)?);
        }
        for _ in 0..cursor.u32("number of actions")? {
            self.actions.push(Action::read(cursor)?);
        }
        for _ in 0..cursor.u32("number of maps")? {
            self.maps.push(Map::read(cursor)?);
        }
        for _ in 0..cursor.u32("number of types")? {
            self.types.push(Type::read(cursor)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package() -> Vec<u8> {
        let mut bytes = [
            &b"\x0A\0\0\0\0\0"[..],
            &[1; 16],                                  // session run
            b"\0\0\x01\0\0\0\0\0\0\0",                 // constants
            b"\0\x80\x3E\xD5\xDE\xB1\x9D\x01",         // time base
            b"\x40\x42\x0F\0\0\0\0\0",                 // 1,000,000 a second
            b"\x0A\0\0\x04\x02\0\0\x80p\0\0\0d\0\0\0", // id, name, description
            &[2; 16],
            &[3; 16],
            b"\0\0\x01\0\0\0\0\0\0\0\0\0\x2A\0\0\0\0\0", // one object class
            b"\0\0\0\0",                                 // no events
            b"\x01\0\0\0\0\0\0\0\x02\0\0\x10a\0\0\0\0\0\x00\x18\0\x60\0\0\0\0\0\0\0\0",
            b"\x01\0\0\0\0\0\0\0\x02\0\0\x30m\0\0\0\0\0\x04\0\0",
            b"\x01\0\0\0\0\0\0\0\x02\0\0\x60t\0\0\0\0\0\x08",
            b"\xEE\xEE\xEE", // stale padding
        ]
        .concat();
        let length = bytes.len() as u32;
        bytes[2..6].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    #[test]
    fn header_and_objects() {
        let (package, outcome) = Package::read(&package(), 0);
        assert_eq!(outcome, Ok(()));
        let time_base = TimeBase { filetime: 116_444_736_000_000_000, frequency: 1_000_000 };
        assert_eq!(package.time_base, time_base);
        assert_eq!((package.id.0, &*package.name, &*package.description), (0x8000_0002, "p", "d"));
        assert_eq!((package.guid, package.module), (Guid([2; 16]), Guid([3; 16])));
        assert_eq!(package.session_run, Guid([1; 16]));
        assert_eq!(package.actions[0].name, "a");
        assert_eq!(package.maps[0].name, "m");
        assert_eq!((&*package.types[0].name, package.types[0].size), ("t", 8));
    }

    #[test]
    fn what_comes_before_the_damage_is_kept() {
        let bytes = package();
        let (package, outcome) = Package::read(&bytes[..bytes.len() - 8], 500);
        assert_eq!((package.maps.len(), package.types.len()), (1, 0));
        let error = outcome.unwrap_err();
        assert_eq!(error.what, "type name");
        assert!(error.offset > 500);
    }

    #[test]
    fn a_count_without_end_stops_at_the_end_of_the_bytes() {
        let mut bytes = package();
        let classes = bytes.iter().position(|&byte| byte == 0x2A).unwrap() - 12;
        bytes[classes..classes + 4].fill(0xFF);
        assert_eq!(Package::read(&bytes, 0).1.unwrap_err().what, "object class");
    }

    #[test]
    fn a_length_must_lie_within_the_payload() {
        let bytes = package();
        assert_eq!(Package::length(&bytes, 0), Ok(bytes.len()));
        for length in [0, 5, bytes.len() as u32 + 1, u32::MAX] {
            let mut bytes = bytes.clone();
            bytes[2..6].copy_from_slice(&length.to_le_bytes());
            assert_eq!(Package::length(&bytes, 7).unwrap_err().offset, 9, "{length}");
        }
    }
}
