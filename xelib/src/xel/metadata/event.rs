//! Definition of an event.

use super::ObjectId;
use crate::bytes::{Cursor, Short};
use crate::xel::guid::Guid;

/// The type `guid_ptr` of the first package: a read-only column of it holds its guid.
const GUID_POINTER: ObjectId = ObjectId(0x6000_4000);

#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub id: ObjectId,
    pub name: String,
    pub description: String,
    pub constants: Vec<Constant>,
    /// In the order of the payload.
    pub columns: Vec<Column>,
}

/// A read-only column: the same for every event of the kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    pub type_id: ObjectId,
    pub name: String,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Number(u64),
    Guid(Guid),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Of a type or a map.
    pub type_id: ObjectId,
    pub name: String,
    pub description: String,
    /// Where its slot begins in the payload.
    pub offset: u16,
    /// Collected only where the session asks for it; empty otherwise.
    pub optional: bool,
}

impl Event {
    pub fn read(cursor: &mut Cursor<'_>) -> Result<Self, Short> {
        cursor.take(4, "event version and flags")?;
        let id = ObjectId(cursor.u32("event id")?);
        let name = cursor.zstr("event name")?;
        let description = cursor.zstr("event description")?;
        let constants = cursor.u16("number of read-only columns")?;
        let switches = cursor.u16("number of customisable columns")?;
        let columns = cursor.u16("number of columns")?;
        cursor.u16("number of fixed columns")?;
        let constants =
            (0..constants).map(|_| Constant::read(cursor)).collect::<Result<Vec<_>, _>>()?;
        for _ in 0..switches {
            cursor.u32("customisable column type")?;
            cursor.zstr("customisable column name")?;
            cursor.take(24, "customisable column values")?;
            cursor.zstr("customisable column description")?;
        }
        let columns = (0..columns).map(|_| Column::read(cursor)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { id, name, description, constants, columns })
    }

    pub fn constant(&self, name: &str) -> Option<&Constant> {
        self.constants.iter().find(|constant| constant.name == name)
    }

    /// The guid that is the same in every build.
    pub fn uuid(&self) -> Option<Guid> {
        match self.constant("UUID")?.value {
            Value::Guid(guid) => Some(guid),
            Value::Number(_) => None,
        }
    }
}

impl Constant {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Short> {
        let type_id = ObjectId(cursor.u32("read-only column type")?);
        let name = cursor.zstr("read-only column name")?;
        let value = match type_id {
            GUID_POINTER => Value::Guid(Guid(cursor.array("read-only column value")?)),
            _ => Value::Number(cursor.u64("read-only column value")?),
        };
        cursor.zstr("read-only column description")?;
        Ok(Self { type_id, name, value })
    }
}

impl Column {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Short> {
        let type_id = ObjectId(cursor.u32("column type")?);
        let name = cursor.zstr("column name")?;
        let offset = cursor.u16("column offset")?;
        let optional = cursor.u16("column flags")? & 2 != 0;
        let description = cursor.zstr("column description")?;
        Ok(Self { type_id, name, description, offset, optional })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_in_its_order() {
        let bytes = [
            &b"\x0A\0\x02\0\x02\x04\0\0e\0\0\0d\0\0\0"[..], // id 0x402, "e", "d"
            b"\x02\0\x01\0\x02\0\x01\0",                    // 2 constants, 1 switch, 2 columns
            b"\x00\x40\0\x60U\0U\0I\0D\0\0\0",              // guid_ptr UUID
            b"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\x10\0\0",
            b"\x00\x1C\0\x60V\0\0\0\x07\0\0\0\0\0\0\0\0\0", // uint32 V = 7
            b"\x00\x68\0\x60c\0\0\0\x01\0\0\0\0\0\0\0",     // switch "c"
            b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            b"\x03\xE0\0\x30m\0\0\0\0\0\0\0\0\0", // map column "m" at 0
            b"\x00\x50\0\x60t\0\0\0\x04\0\x03\0x\0\0\0", // text "t" at 4, optional
            b"next",
        ]
        .concat();
        let mut cursor = Cursor::new(&bytes, 0);
        let event = Event::read(&mut cursor).unwrap();
        assert_eq!(cursor.left(), 4);
        assert_eq!((event.id, &*event.name, &*event.description), (ObjectId(0x402), "e", "d"));
        assert_eq!(event.uuid().unwrap().to_string(), "04030201-0605-0807-090a-0b0c0d0e0f10");
        assert_eq!(event.constant("V").unwrap().value, Value::Number(7));
        let columns: Vec<_> = event
            .columns
            .iter()
            .map(|c| (c.type_id.0, &*c.name, &*c.description, c.offset, c.optional))
            .collect();
        let expected = [(0x3000_E003, "m", "", 0, false), (0x6000_5000, "t", "x", 4, true)];
        assert_eq!(columns, expected);
    }

    #[test]
    fn every_cut_is_an_error() {
        let bytes = b"\x0A\0\x02\0\x02\x04\0\0e\0\0\0d\0\0\0\0\0\0\0\x01\0\x01\0\
            \x00\x50\0\x60t\0\0\0\x04\0\x03\0x\0\0\0";
        assert!(Event::read(&mut Cursor::new(bytes, 0)).is_ok());
        for end in 0..bytes.len() {
            assert!(Event::read(&mut Cursor::new(&bytes[..end], 0)).is_err(), "{end}");
        }
    }
}
