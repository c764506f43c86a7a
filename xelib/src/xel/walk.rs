//! The records of a block, whole or damaged.

use super::catalogue::Catalogue;
use super::checksum::checksum;
use super::faults::{FaultKind, Faults};
use super::record::{HEADER_BYTES, Record, Unreadable};

pub const BAD_CHECKSUM: &str = "the checksum of a block is not that of its payload";

/// The payload of a data block.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    pub payload: &'a [u8],
    /// In the file.
    pub block_offset: u64,
    /// Of the payload, in the file.
    pub offset: u64,
    /// None where the session does not number its blocks.
    pub sequence: Option<u32>,
    /// The block does not come to its end.
    pub cut: bool,
    /// What the checksum of the payload ought to be.
    pub checksum: u32,
}

impl Block<'_> {
    /// Tells where the checksum is wrong; that of a block that is cut tells nothing.
    pub fn check(&self, faults: &mut Faults) {
        if !self.cut && checksum(self.payload) != self.checksum {
            faults.add(FaultKind::BadChecksum, self.block_offset, BAD_CHECKSUM);
        }
    }
}

/// Calls `each` for every record and its offset in the file.
///
/// Damage costs the records that it touches: the next that looks like one is searched for. Columns
/// lie at fixed places, so that even a record whose length is wrong gives right values.
pub fn records<'a>(
    block: &Block<'a>,
    catalogue: &Catalogue,
    faults: &mut Faults,
    mut each: impl FnMut(&Record<'a>, u64, &mut Faults),
) {
    let bytes = block.payload;
    let mut at = 0;
    while at < bytes.len() {
        let (rest, offset) = (&bytes[at..], block.offset + at as u64);
        let read = Record::read(rest);
        // The third word is always zero; an event that is not defined must at least have that.
        let known =
            |record: &Record<'_>| rest[8..12] == [0; 4] || catalogue.has_event(record.event);
        match read {
            Ok(record) if known(&record) => {
                each(&record, offset, faults);
                at += record.length;
            }
            Err(Unreadable::NoEnd(record)) if known(&record) && !block.cut => {
                each(&record, offset, faults);
                let next = next(bytes, at + HEADER_BYTES, catalogue);
                let what = format!("actions of an event without end; {} bytes", next - at);
                faults.add(FaultKind::BadActions, offset, what);
                at = next;
            }
            read => {
                let next = next(bytes, at + 1, catalogue);
                let cut = matches!(read, Err(Unreadable::Cut | Unreadable::NoEnd(_)));
                // The end of a file inside its last record is told with the block.
                if !(cut && block.cut && next == bytes.len()) {
                    let what = format!("{} bytes that are no event", next - at);
                    faults.add(FaultKind::BadRecord, offset, what);
                }
                at = next;
            }
        }
    }
}

/// Where the next bytes from `from` on lie that look like a record; the end where none do.
fn next(bytes: &[u8], from: usize, catalogue: &Catalogue) -> usize {
    let looks_like_one = |&at: &usize| {
        let rest = &bytes[at..];
        Record::begins(rest, catalogue)
            && matches!(Record::read(rest), Ok(_) | Err(Unreadable::NoEnd(_)))
    };
    (from..bytes.len()).find(looks_like_one).unwrap_or(bytes.len())
}
