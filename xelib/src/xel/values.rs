//! The bytes of a value into the columns that show it.

use std::io::Write;

use super::columns::Column;
use super::guid::Guid;
use super::kind::{ACTIVITY_ID_BYTES, Kind};
use super::metadata::Map;
use super::plan::Step;
use super::text::{append_ansi, append_pointer};
use crate::utf16::append_utf16;

/// Why a value is null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    Undefined,
    /// Too few bytes for the type.
    Short,
    OutOfProportion,
}

/// Bytes that may still be filled. Texts of maps and values that share bytes could otherwise fill
/// memory without end from a small file.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    left: i64,
    /// Keeps every column below the 32 bits of Arrow's offsets.
    total: i64,
}

/// Bytes that may be filled for each byte read, beyond a first allowance.
const PROPORTION: i64 = 64;
const ALLOWANCE: i64 = 4 << 20;

impl Budget {
    pub fn new() -> Self {
        Self { left: ALLOWANCE, total: i32::MAX.into() }
    }

    pub fn earn(&mut self, read: usize) {
        self.left = self.left.saturating_add(PROPORTION.saturating_mul(read as i64));
    }

    /// False, and nothing is spent, where there is not enough.
    pub fn spend(&mut self, bytes: usize) -> bool {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let enough = bytes <= self.left.min(self.total);
        if enough {
            self.left -= bytes;
            self.total -= bytes;
        }
        enough
    }
}

/// Bytes that the longest number may fill.
const NUMBER: usize = 24;
/// Bytes that a value of a fixed size may fill as text.
const TEXT: usize = 48;

impl Step {
    /// Adds a value to the columns of its row.
    pub fn append(
        &self,
        bytes: &[u8],
        row: usize,
        columns: &mut [Column],
        budget: &mut Budget,
    ) -> Result<(), Unreadable> {
        if let Kind::Map(map) = &self.kind {
            return self.append_mapped(map, bytes, row, columns, budget);
        }
        let Some(column) = self.value.and_then(|at| columns.get_mut(at)) else {
            return Ok(());
        };
        // Nothing that varies in size makes more than three bytes of one.
        if !budget.spend(3 * bytes.len() + TEXT) {
            return Err(Unreadable::OutOfProportion);
        }
        match &self.kind {
            Kind::Integer { width: 1, .. } => column.push_fixed(row, first::<1>(bytes)?),
            Kind::Integer { width: 2, .. } => column.push_fixed(row, first::<2>(bytes)?),
            Kind::Integer { width: 4, .. } | Kind::Float { width: 4 } => {
                column.push_fixed(row, first::<4>(bytes)?);
            }
            Kind::Integer { .. } | Kind::Float { .. } | Kind::Filetime => {
                column.push_fixed(row, first::<8>(bytes)?);
            }
            Kind::Boolean { width } => {
                let value = bytes.get(..*width).ok_or(Unreadable::Short)?;
                column.push_bool(row, value.iter().any(|&byte| byte != 0));
            }
            Kind::Pointer { width } => {
                let address = number(bytes, *width)?;
                column.push_bytes(row, |out| append_pointer(address, out));
            }
            Kind::Unicode => column.push_bytes(row, |out| append_utf16(bytes, out)),
            Kind::Ansi => column.push_bytes(row, |out| append_ansi(bytes, out)),
            Kind::Guid => {
                // A guid that was not collected is empty.
                let guid = if bytes.is_empty() { Guid::default() } else { Guid(first(bytes)?) };
                column.push_bytes(row, |out| out.extend_from_slice(&guid.text()));
            }
            Kind::Binary => column.push_bytes(row, |out| out.extend_from_slice(bytes)),
            Kind::Opaque { width } => {
                let bytes = bytes.get(..*width).ok_or(Unreadable::Short)?;
                column.push_bytes(row, |out| out.extend_from_slice(bytes));
            }
            Kind::CallStack => {
                let (frames, _) = bytes.as_chunks::<8>();
                let appends = frames.iter().map(|&frame| {
                    move |out: &mut Vec<u8>| append_pointer(u64::from_le_bytes(frame), out)
                });
                column.push_list(row, appends);
            }
            Kind::ActivityId => {
                let id: [u8; ACTIVITY_ID_BYTES] = first(bytes)?;
                let (guid, sequence) = (Guid(first(&id)?), number(&id[16..], 4)?);
                column.push_bytes(row, |out| {
                    out.extend_from_slice(&guid.text());
                    append_number(format_args!(":{sequence}"), out);
                });
            }
            Kind::Map(_) | Kind::Undefined => return Err(Unreadable::Undefined),
        }
        Ok(())
    }

    fn append_mapped(
        &self,
        map: &Map,
        bytes: &[u8],
        row: usize,
        columns: &mut [Column],
        budget: &mut Budget,
    ) -> Result<(), Unreadable> {
        let size = usize::from(map.key_size);
        let value = number(bytes, size)?;
        if let Some(column) = self.key.and_then(|at| columns.get_mut(at)) {
            let key = value.to_le_bytes();
            match size {
                1 => column.push_fixed(row, first::<1>(&key)?),
                2 => column.push_fixed(row, first::<2>(&key)?),
                3 | 4 => column.push_fixed(row, first::<4>(&key)?),
                _ => column.push_fixed(row, key),
            }
        }
        let Some(column) = self.value.and_then(|at| columns.get_mut(at)) else {
            return Ok(());
        };
        // Keys of texts are 32 bits wide whatever the width of the value.
        let text = map.text(value as u32).filter(|_| !map.flags);
        let cost = match text {
            Some(text) => text.len(),
            None => flags(map, value).map(|(_, text)| text.len() + 1).sum::<usize>() + NUMBER,
        };
        if !budget.spend(cost) {
            return Err(Unreadable::OutOfProportion);
        }
        column.push_bytes(row, |out| match text {
            Some(text) => out.extend_from_slice(text.as_bytes()),
            None if map.flags => append_flags(map, value, out),
            None => append_unmapped(value, size, out),
        });
        Ok(())
    }
}

impl Map {
    /// The text of a value; its number where there is none.
    pub fn render(&self, value: u64) -> String {
        let mut out = Vec::new();
        match self.text(value as u32).filter(|_| !self.flags) {
            Some(text) => out.extend_from_slice(text.as_bytes()),
            None if self.flags => append_flags(self, value, &mut out),
            None => append_unmapped(value, 8, &mut out),
        }
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// The bits of `value` that have a text, ascending; entries of several bits do not count.
fn flags(map: &Map, value: u64) -> impl Iterator<Item = (u64, &str)> {
    let bits = map.texts.iter().filter(|_| map.flags);
    let bits = bits.map(|(key, text)| (u64::from(*key), &**text));
    bits.filter(move |&(key, _)| key.is_power_of_two() && value & key != 0)
}

/// Texts of the bits that are set, by ascending bit; the whole number where a bit has none.
fn append_flags(map: &Map, value: u64, out: &mut Vec<u8>) {
    let begin = out.len();
    let mut rest = value;
    for (key, text) in flags(map, value) {
        if out.len() > begin {
            out.push(b',');
        }
        out.extend_from_slice(text.as_bytes());
        rest &= !key;
    }
    if rest != 0 {
        if out.len() > begin {
            out.push(b',');
        }
        append_number(format_args!("{value}"), out);
    }
}

/// A number without a text: signed, but for a single byte.
fn append_unmapped(value: u64, size: usize, out: &mut Vec<u8>) {
    match size {
        1 => append_number(format_args!("{value}"), out),
        2 => append_number(format_args!("{}", value as i16), out),
        3 | 4 => append_number(format_args!("{}", value as i32), out),
        _ => append_number(format_args!("{}", value as i64), out),
    }
}

fn append_number(number: std::fmt::Arguments<'_>, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = out.write_fmt(number);
}

fn first<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Unreadable> {
    bytes.first_chunk().copied().ok_or(Unreadable::Short)
}

/// Unsigned number of up to eight bytes.
fn number(bytes: &[u8], width: usize) -> Result<u64, Unreadable> {
    let bytes = bytes.get(..width).ok_or(Unreadable::Short)?;
    let mut wide = [0; 8];
    wide[..width].copy_from_slice(bytes);
    Ok(u64::from_le_bytes(wide))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xel::metadata::{ObjectId, Type};
    use std::sync::Arc;

    fn column(kind: Kind, bytes: &[u8]) -> Result<Vec<Vec<u8>>, Unreadable> {
        let mut columns = [Column::new(kind.arrow())];
        let step = Step { kind, value: Some(0), key: None };
        step.append(bytes, 0, &mut columns, &mut Budget::new())?;
        let [column] = columns;
        Ok(column.finish(1).values)
    }

    fn text(kind: Kind, bytes: &[u8]) -> String {
        String::from_utf8(column(kind, bytes).unwrap().swap_remove(1)).unwrap()
    }

    fn of_type(name: &str, size: u8) -> Kind {
        Kind::of_type(&Type { id: ObjectId(0), name: name.into(), size })
    }

    fn map(flags: bool, key_size: u8, texts: &[(u32, &str)]) -> Kind {
        let texts = texts.iter().map(|&(key, text)| (key, text.to_owned())).collect();
        let (id, name, description) = Default::default();
        Kind::Map(Arc::new(Map { id, name, description, flags, key_size, texts }))
    }

    #[test]
    fn numbers_as_they_lie() {
        assert_eq!(column(of_type("int16", 2), b"\xFE\xFF").unwrap(), [b"\xFE\xFF"]);
        assert_eq!(column(of_type("float32", 4), b"\0\0\x80\x3F").unwrap(), [b"\0\0\x80\x3F"]);
        assert_eq!(column(of_type("boolean", 1), b"\x02").unwrap(), [b"\x01"]);
        assert_eq!(column(of_type("boolean", 4), b"\0\0\0\0").unwrap(), [b"\0"]);
    }

    #[test]
    fn a_value_of_too_few_bytes_is_unreadable() {
        for (name, size, have) in [("uint64", 8, 7), ("guid", 0, 15), ("activity_id", 20, 19)] {
            let outcome = column(of_type(name, size), &vec![1; have]);
            assert_eq!(outcome, Err(Unreadable::Short), "{name}");
        }
    }

    #[test]
    fn an_empty_guid_is_zero() {
        assert_eq!(text(of_type("guid", 0), b""), "00000000-0000-0000-0000-000000000000");
    }

    #[test]
    fn activity_id_and_pointers() {
        let id = [&[0x11; 16][..], b"\x02\x01\0\0"].concat();
        let expected = "11111111-1111-1111-1111-111111111111:258";
        assert_eq!(text(of_type("activity_id_xfer", 20), &id), expected);
        assert_eq!(text(of_type("ptr", 8), &[0xAB, 0, 0, 0, 0, 0, 0, 0]), "0x00000000000000AB");
        assert_eq!(text(of_type("ptr", 4), &[0xAB, 0, 0, 0xFF]), "0x00000000FF0000AB");
    }

    #[test]
    fn call_stacks_ignore_a_remainder() {
        let bytes = [1, 0, 0, 0, 0, 0, 0, 0, 9, 9];
        let frames = column(of_type("callstack", 0), &bytes).unwrap();
        assert_eq!(frames[2], b"0x0000000000000001");
    }

    #[test]
    fn plain_maps_and_what_they_do_not_hold() {
        let texts = [(1, "one"), (0xFFFF, "all")];
        assert_eq!(text(map(false, 4, &texts), &[1, 0, 0, 0]), "one");
        assert_eq!(text(map(false, 2, &texts), &[0xFF, 0xFF]), "all");
        assert_eq!(text(map(false, 1, &texts), &[0xFE]), "254");
        assert_eq!(text(map(false, 2, &texts), &[0xFE, 0xFF]), "-2");
        assert_eq!(text(map(false, 4, &texts), &[0xFE, 0xFF, 0xFF, 0xFF]), "-2");
        assert_eq!(text(map(false, 8, &texts), &[1, 0, 0, 0, 7, 0, 0, 0]), "one");
    }

    #[test]
    fn flags_by_ascending_bit() {
        let texts = [(0, "none"), (1, "a"), (3, "both"), (4, "c"), (0x8000_0000, "top")];
        let flags = |value: u32| text(map(true, 4, &texts), &value.to_le_bytes());
        assert_eq!(flags(0), "");
        assert_eq!(flags(5), "a,c");
        assert_eq!(flags(3), "a,3");
        assert_eq!(flags(8), "8");
        assert_eq!(flags(0x8000_0001), "a,top");
        assert_eq!(flags(0xC000_0000), "top,3221225472");
    }

    #[test]
    fn the_key_stands_beside_the_text() {
        let kind = map(false, 4, &[(7, "seven")]);
        let mut columns = [Column::new("u"), Column::new("I")];
        let step = Step { kind, value: Some(0), key: Some(1) };
        step.append(&[7, 0, 0, 0], 0, &mut columns, &mut Budget::new()).unwrap();
        let [text, key] = columns.map(|column| column.finish(1).values);
        assert_eq!((&*text[1], &*key[0]), (&b"seven"[..], &[7, 0, 0, 0][..]));
    }

    #[test]
    fn long_texts_of_maps_are_out_of_proportion_at_some_point() {
        let step = Step { kind: map(false, 1, &[(1, "long text")]), value: Some(0), key: None };
        let (mut columns, mut budget) = ([Column::new("u")], Budget { left: 20, total: 1000 });
        let outcomes = [0, 1, 2].map(|row| step.append(&[1], row, &mut columns, &mut budget));
        assert_eq!(outcomes, [Ok(()), Ok(()), Err(Unreadable::OutOfProportion)]);
    }
}
