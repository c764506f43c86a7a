//! Definition of an action: a value that a session adds to its events.

use super::ObjectId;
use crate::bytes::{Cursor, Short};

#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    pub id: ObjectId,
    pub name: String,
    pub description: String,
    pub type_id: ObjectId,
}

impl Action {
    pub fn read(cursor: &mut Cursor<'_>) -> Result<Self, Short> {
        cursor.take(4, "action version and flags")?;
        let id = ObjectId(cursor.u32("action id")?);
        let name = cursor.zstr("action name")?;
        let description = cursor.zstr("action description")?;
        let type_id = ObjectId(cursor.u32("action type")?);
        cursor.u64("end of action")?;
        Ok(Self { id, name, description, type_id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_and_type() {
        let bytes = b"\0\0\x02\0\x01\xF0\0\x10s\0\0\0d\0\0\0\x00\x18\0\x60\0\0\0\0\0\0\0\0";
        let action = Action::read(&mut Cursor::new(bytes, 0)).unwrap();
        assert_eq!((action.id.0, action.type_id.0), (0x1000_F001, 0x6000_1800));
        assert_eq!((&*action.name, &*action.description), ("s", "d"));
        assert!(Action::read(&mut Cursor::new(&bytes[..bytes.len() - 1], 0)).is_err());
    }
}
