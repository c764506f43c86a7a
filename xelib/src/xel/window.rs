//! A part of a file in memory that is used again and again: small enough to stay in the processor's
//! own cache between being read and being decoded.

use std::io;

use super::source::{ReadAt, read_some_at};

/// Bytes that are read at a time.
const PIECE: usize = 512 << 10;
/// Memory beyond this is not kept for what comes next.
const KEPT: usize = 8 << 20;

#[derive(Debug, Default)]
pub struct Window {
    /// All of it stays initialised; what is beyond `filled` means nothing.
    bytes: Vec<u8>,
    filled: usize,
    at: usize,
    /// Offset in the file of the first byte.
    base: u64,
    ended: bool,
}

impl Window {
    /// Goes to any offset in the file.
    pub fn go_to(&mut self, offset: u64) {
        let within = offset.checked_sub(self.base).and_then(|at| usize::try_from(at).ok());
        match within.filter(|&at| at <= self.filled) {
            Some(at) => self.at = at,
            None => {
                (self.base, self.at, self.filled) = (offset, 0, 0);
                if self.bytes.len() > KEPT {
                    self.bytes = Vec::new();
                }
            }
        }
        // The file may have grown since.
        self.ended = false;
    }

    pub fn go_on(&mut self, bytes: usize) {
        self.at = self.filled.min(self.at + bytes);
    }

    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.at..self.filled]
    }

    /// Offset in the file of what was not looked at yet.
    pub fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// True where the file ends with what is here.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Reads until so many bytes wait to be looked at, or the file ends; for the sake of speed on to
    /// `until`, as far as a piece goes.
    pub fn fill(&mut self, source: &dyn ReadAt, bytes: usize, until: u64) -> io::Result<()> {
        while !self.ended && self.rest().len() < bytes {
            self.bytes.copy_within(self.at..self.filled, 0);
            self.base += self.at as u64;
            self.filled -= self.at;
            self.at = 0;
            let from = self.base + self.filled as u64;
            let wanted = usize::try_from(until.saturating_sub(from)).unwrap_or(usize::MAX);
            let wanted = self.filled.saturating_add(wanted.min(PIECE)).max(bytes);
            if self.bytes.len() < wanted {
                // No more than what there is so far again: sizes that a file claims prove nothing.
                let room = wanted.min(PIECE.max(2 * self.filled));
                self.bytes.resize(room.max(self.bytes.len()), 0);
            }
            let end = wanted.min(self.bytes.len());
            let read = read_some_at(source, from, &mut self.bytes[self.filled..end])?;
            self.filled += read;
            self.ended = read == 0;
        }
        Ok(())
    }
}
