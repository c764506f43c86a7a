//! Where the bytes of a file come from.

use std::io;
use std::sync::Arc;

/// Bytes that are asked for at a time, so that memory grows with what is there.
const PIECE: usize = 1 << 20;

/// Bytes one after the other.
pub trait Source: Send + Sync {
    /// Appends at most `limit` bytes; none at the end.
    fn read(&mut self, limit: usize, buffer: &mut Vec<u8>) -> io::Result<usize>;

    /// Skips bytes; gives how many there were.
    fn skip(&mut self, bytes: u64) -> io::Result<u64> {
        let (mut left, mut buffer) = (bytes, Vec::new());
        while left > 0 {
            let piece = usize::try_from(left).unwrap_or(usize::MAX).min(PIECE);
            buffer.clear();
            match self.read(piece, &mut buffer)? {
                0 => break,
                read => left = left.saturating_sub(read as u64),
            }
        }
        Ok(bytes - left)
    }

    /// The same bytes at any offset, where they can be had on any thread.
    fn positioned(&self) -> Option<Arc<dyn ReadAt>> {
        None
    }
}

/// Bytes at any offset.
pub trait ReadAt: Send + Sync {
    /// Bytes of the whole file, as it is now.
    fn size(&self) -> io::Result<u64>;

    /// Reads into the beginning of `buffer`; gives how many bytes, none at the end.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

/// Reads until the buffer has so many bytes; true where the file ends before.
pub fn read_up_to(bytes: usize, source: &mut dyn Source, buffer: &mut Vec<u8>) -> io::Result<bool> {
    while buffer.len() < bytes {
        let missing = bytes - buffer.len();
        if source.read(missing.min(PIECE), buffer)? == 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads all of `buffer`; false where the file ends before.
pub fn read_all_at(source: &dyn ReadAt, offset: u64, buffer: &mut [u8]) -> io::Result<bool> {
    let mut read = 0;
    while read < buffer.len() {
        match read_some_at(source, offset + read as u64, &mut buffer[read..])? {
            0 => return Ok(false),
            more => read += more,
        }
    }
    Ok(true)
}

/// As [`ReadAt::read_at`], again where a signal came in between.
pub fn read_some_at(source: &dyn ReadAt, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read_at(offset, buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
