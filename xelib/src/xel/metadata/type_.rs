//! Definition of a type.

use super::ObjectId;
use crate::bytes::{Cursor, Short};

#[derive(Debug, Clone, PartialEq)]
pub struct Type {
    pub id: ObjectId,
    pub name: String,
    /// Bytes of a value; 0 where they vary.
    pub size: u8,
}

impl Type {
    pub fn read(cursor: &mut Cursor<'_>) -> Result<Self, Short> {
        cursor.take(4, "type version and flags")?;
        let id = ObjectId(cursor.u32("type id")?);
        let name = cursor.zstr("type name")?;
        cursor.zstr("type description")?;
        Ok(Self { id, name, size: cursor.u8("type size")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_and_size() {
        let bytes = b"\0\0\0\x01\x00\x34\0\x60p\0\0\0d\0\0\0\x08";
        let ptr = Type::read(&mut Cursor::new(bytes, 0)).unwrap();
        assert_eq!(ptr, Type { id: ObjectId(0x6000_3400), name: "p".into(), size: 8 });
    }
}
