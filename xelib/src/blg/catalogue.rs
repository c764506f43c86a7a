//! The catalogue: which counters the log holds, in the order of the blocks of each sample.

use crate::bytes::{i32_at, i64_at, len_at, terminated, text, u32_at};

/// What the body of a catalogue begins with.
pub const SIGNATURE: [u8; 8] = [0xff, 0x06, 0x00, 0x00, 0x08, 0x00, 0x02, 0x00];
const FIXED: usize = 0x34;
const NONE: u32 = u32::MAX;
/// PDH_MAX_COUNTER_PATH (pdh.h): no name is longer.
pub const LONGEST_NAME: usize = 2048;

/// One entry: a counter, a counter with all its instances, or whole objects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    pub counter_type: u32,
    pub time_base: i64,
    pub scale: i32,
    /// With the backslashes in front, as written; empty where there is none.
    pub machine: String,
    pub object: String,
    pub instance: Option<String>,
    pub parent: Option<String>,
    pub instance_index: u32,
    pub counter: String,
}

/// Reads items until the body ends; false where it ends inside one.
pub fn read_items(body: &[u8]) -> (Vec<Item>, bool) {
    let mut items = Vec::new();
    let mut rest = body.strip_prefix(&SIGNATURE).unwrap_or(body);
    while rest.len() >= 8 {
        let length = len_at(rest, 0).unwrap_or_default();
        let Some(item) = rest.get(..length).and_then(read_item) else {
            return (items, false);
        };
        items.push(item);
        rest = &rest[length..];
    }
    (items, true)
}

fn read_item(bytes: &[u8]) -> Option<Item> {
    let names = bytes.get(FIXED..)?;
    let name = |at: usize| -> Option<String> {
        let offset = u32_at(bytes, at)?;
        Some(text(terminated(names, offset as usize, LONGEST_NAME)?.0))
    };
    let optional = |at: usize| -> Option<Option<String>> {
        if u32_at(bytes, at)? == NONE { Some(None) } else { name(at).map(Some) }
    };
    Some(Item {
        counter_type: u32_at(bytes, 0x0c)?,
        time_base: i64_at(bytes, 0x10)?,
        scale: i32_at(bytes, 0x18)?,
        machine: optional(0x1c)?.unwrap_or_default(),
        object: name(0x20)?,
        instance: optional(0x24)?,
        parent: optional(0x28)?,
        instance_index: u32_at(bytes, 0x2c)?,
        counter: name(0x30)?,
    })
}

/// What a piece made of the pieces before it.
#[derive(Debug, PartialEq, Eq)]
pub enum Taken {
    Whole(Vec<u8>),
    Waiting,
    /// One before it is missing: all are forgotten.
    OutOfOrder,
}

/// Puts the pieces of a catalogue together, whichever way they were cut.
#[derive(Debug, Default)]
pub struct Pieces {
    body: Vec<u8>,
    next: u32,
    of: u32,
}

impl Pieces {
    /// Takes a piece and says what is there now.
    pub fn take(&mut self, piece: u32, of: u32, body: &[u8]) -> Taken {
        if piece == 1 {
            *self = Self { body: body.to_vec(), next: 2, of };
        } else if piece == self.next && of == self.of {
            // A piece may repeat the signature; items are never cut like that.
            self.body.extend_from_slice(body.strip_prefix(&SIGNATURE).unwrap_or(body));
            self.next += 1;
        } else {
            *self = Self::default();
            return Taken::OutOfOrder;
        }
        if self.next <= self.of {
            return Taken::Waiting;
        }
        Taken::Whole(std::mem::take(self).body)
    }

    /// Pieces are waiting for the rest.
    pub fn is_waiting(&self) -> bool {
        self.next > 1
    }
}
