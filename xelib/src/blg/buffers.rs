//! The container: an event trace file is a row of buffers of one size.

use crate::bytes::{i64_at, len_at, u32_at};

pub const HEADER: usize = 0x48;
const SIZES: std::ops::RangeInclusive<usize> = 0x200..=0x0100_0000;

/// Size of the buffers of a file that begins with `head`; None where it is no event trace.
pub fn buffer_size(head: &[u8]) -> Option<usize> {
    let size = len_at(head, 0)?;
    let first_event = head.get(HEADER..HEADER + 4)?;
    let is_trace = SIZES.contains(&size)
        && size.is_multiple_of(8)
        && matches!(first_event[2], 1 | 2)
        && first_event[3] == 0xC0;
    is_trace.then_some(size)
}

/// What the header of a buffer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferHeader {
    /// When it was written, UTC in 100 ns since 1601; 0 in the first buffer of most files.
    pub written: i64,
    /// Bytes in use, the header included.
    pub used: usize,
}

/// What a buffer is.
#[derive(Debug, PartialEq, Eq)]
pub enum Buffer {
    Good(BufferHeader),
    Unwritten,
    Bad,
}

/// Reads the header of a buffer that should be `size` bytes long and may be cut.
pub fn buffer(bytes: &[u8], size: usize) -> Buffer {
    let header = (len_at(bytes, 0), i64_at(bytes, 0x10), u32_at(bytes, 0x30));
    match header {
        (Some(own), Some(written), Some(used)) if own == size => {
            let used = used as usize;
            if used > size {
                return Buffer::Bad;
            }
            Buffer::Good(BufferHeader { written, used: used.min(bytes.len()) })
        }
        _ if bytes.iter().all(|&b| b == 0) => Buffer::Unwritten,
        _ => Buffer::Bad,
    }
}

/// Cuts what is fed into whole buffers.
#[derive(Debug, Default)]
pub struct Splitter {
    pub size: usize,
    held: Vec<u8>,
    /// Where `held` begins in the file.
    pub offset: u64,
}

impl Splitter {
    /// Takes bytes and gives each whole buffer, with its place in the file, to `each`.
    pub fn feed<E>(
        &mut self,
        mut block: &[u8],
        mut each: impl FnMut(&[u8], u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let size = self.size;
        if !self.held.is_empty() {
            let take = block.len().min(size - self.held.len());
            self.held.extend_from_slice(&block[..take]);
            block = &block[take..];
            if self.held.len() < size {
                return Ok(());
            }
            each(&self.held, self.offset)?;
            self.held.clear();
            self.offset += size as u64;
        }
        let mut whole = block.chunks_exact(size);
        for bytes in &mut whole {
            each(bytes, self.offset)?;
            self.offset += size as u64;
        }
        self.held.extend_from_slice(whole.remainder());
        Ok(())
    }

    /// What is left of the last buffer when the file ends.
    pub fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_feed_gives_the_same_buffers() {
        let file: Vec<u8> = (0..50).collect();
        for step in [1, 3, 8, 16, 50] {
            let mut splitter = Splitter { size: 16, ..Splitter::default() };
            let mut got = Vec::new();
            for block in file.chunks(step) {
                splitter
                    .feed(block, |bytes, offset| {
                        got.push((offset, bytes.to_vec()));
                        Ok::<(), ()>(())
                    })
                    .unwrap();
            }
            let starts: Vec<u64> = got.iter().map(|(offset, _)| *offset).collect();
            assert_eq!(starts, [0, 16, 32]);
            assert_eq!(got[2].1, &file[32..48]);
            assert_eq!(splitter.rest(), &file[48..]);
        }
    }

    #[test]
    fn a_buffer_that_claims_more_than_its_size_is_bad() {
        let mut bytes = vec![0; 0x200];
        assert_eq!(buffer(&bytes, 0x200), Buffer::Unwritten);
        bytes[1] = 2;
        bytes[0x30..0x34].copy_from_slice(&0x100u32.to_le_bytes());
        assert_eq!(buffer(&bytes, 0x200), Buffer::Good(BufferHeader { written: 0, used: 0x100 }));
        bytes[0x30..0x34].copy_from_slice(&0x201u32.to_le_bytes());
        assert_eq!(buffer(&bytes, 0x200), Buffer::Bad);
        assert_eq!(buffer(&bytes, 0x400), Buffer::Bad);
    }
}
