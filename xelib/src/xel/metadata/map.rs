//! Definition of a map: texts for the values of a column.

use super::ObjectId;
use crate::bytes::{Cursor, Short};

const BIT_FLAGS: u16 = 0x0100;

#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    pub id: ObjectId,
    pub name: String,
    pub description: String,
    /// Each value is a set of bits, each with a text of its own.
    pub flags: bool,
    /// Bytes of a value in the payload of an event; not of the keys here.
    pub key_size: u8,
    /// By ascending key, which is not the order of the file; the first text of a key counts.
    pub texts: Vec<(u32, String)>,
}

impl Map {
    pub fn read(cursor: &mut Cursor<'_>) -> Result<Self, Short> {
        cursor.u16("map version")?;
        let flags = cursor.u16("map flags")? & BIT_FLAGS != 0;
        let id = ObjectId(cursor.u32("map id")?);
        let name = cursor.zstr("map name")?;
        let description = cursor.zstr("map description")?;
        let key_size = cursor.u8("size of the map's keys")?;
        let n = cursor.u16("number of map texts")?;
        let mut texts = Vec::new();
        for _ in 0..n {
            texts.push((cursor.u32("map key")?, cursor.zstr("map text")?));
        }
        texts.sort_by_key(|&(key, _)| key);
        texts.dedup_by_key(|&mut (key, _)| key);
        Ok(Self { id, name, description, flags, key_size, texts })
    }

    pub fn text(&self, key: u32) -> Option<&str> {
        let at = self.texts.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        Some(&self.texts[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &[u8] = b"\0\0\0\x01\x00\x04\0\x30m\0\0\0d\0\0\0\x04\x03\0\
        \x08\0\0\0A\0\0\0\x01\0\0\0B\0\0\0\x08\0\0\0C\0\0\0";

    #[test]
    fn texts_by_key_and_the_first_of_a_key() {
        let map = Map::read(&mut Cursor::new(MAP, 0)).unwrap();
        assert_eq!((map.id.0, &*map.name, map.flags, map.key_size), (0x3000_0400, "m", true, 4));
        assert_eq!(map.texts, [(1, "B".to_string()), (8, "A".to_string())]);
        assert_eq!((map.text(8), map.text(2)), (Some("A"), None));
    }

    #[test]
    fn a_count_beyond_the_bytes_is_an_error() {
        let mut bytes = MAP.to_vec();
        bytes[17..19].fill(0xFF);
        assert_eq!(Map::read(&mut Cursor::new(&bytes, 0)).unwrap_err().what, "map key");
    }
}
