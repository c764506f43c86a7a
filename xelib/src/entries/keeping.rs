//! What is kept of the lines of an entry, which may be many and long.

use std::fmt::Debug;

use super::KEPT_BYTES;

/// Continuation lines that an ERRORLOG's entry keeps, and their bytes, each with a line feed.
pub const KEPT_LINES: usize = 64;
pub const KEPT_LINE_BYTES: usize = 16 * 1024;

/// Sees the lines of an entry go by, and tells what is kept of them.
pub trait Keeping: Copy + Debug + Default {
    /// Sees a line: where in the entry it begins, and its length without its end.
    fn see(&mut self, at: usize, bare: usize);
    /// How many bytes of what was seen may still be asked for.
    fn room(&self) -> usize;
    /// Gives where the kept text ends, and whether that leaves something out; `bytes` begin with the
    /// entry, as far as there was room for them.
    fn end(&self, bytes: &[u8]) -> (usize, bool);
}

/// Keeps so many bytes of an entry, its first line included; blank lines at its end are no part of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bytes {
    /// Up to the end of the last line that is not blank; and of the last one that can be kept.
    text: usize,
    fits: Option<usize>,
}

impl Keeping for Bytes {
    fn see(&mut self, at: usize, bare: usize) {
        if bare > 0 {
            self.text = at + bare;
            if self.text <= KEPT_BYTES {
                self.fits = Some(self.text);
            }
        }
    }

    fn room(&self) -> usize {
        // The rest of a character that lies across the end.
        KEPT_BYTES + 4
    }

    fn end(&self, bytes: &[u8]) -> (usize, bool) {
        if self.text <= KEPT_BYTES {
            return (self.text, false);
        }
        (self.fits.unwrap_or_else(|| character_end(bytes, KEPT_BYTES)), true)
    }
}

/// Keeps the first line of an entry whole, and so many lines behind it, blank or not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lines {
    end: usize,
    lines: usize,
    bytes: usize,
    is_full: bool,
}

impl Keeping for Lines {
    fn see(&mut self, at: usize, bare: usize) {
        if at > 0 {
            (self.lines, self.bytes) = (self.lines + 1, self.bytes + bare + 1);
            self.is_full |= self.lines > KEPT_LINES || self.bytes > KEPT_LINE_BYTES;
        }
        if !self.is_full {
            self.end = at + bare;
        }
    }

    fn room(&self) -> usize {
        if self.is_full { self.end } else { usize::MAX }
    }

    fn end(&self, _bytes: &[u8]) -> (usize, bool) {
        (self.end, self.is_full)
    }
}

/// Gives the last position up to `limit` at which no character is cut.
pub fn character_end(bytes: &[u8], limit: usize) -> usize {
    let begins = |&at: &usize| bytes.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
    (0..=limit.min(bytes.len())).rev().find(begins).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(lengths: &[usize]) -> (usize, bool) {
        let mut lines = Lines::default();
        let mut at = 0;
        for &length in lengths {
            lines.see(at, length);
            at += length + 1;
        }
        lines.end(b"")
    }

    #[test]
    fn the_first_line_is_kept_whole() {
        assert_eq!(kept(&[1_000_000]), (1_000_000, false));
    }

    #[test]
    fn so_many_lines_are_kept_behind_it() {
        assert_eq!(kept(&[9; 1 + KEPT_LINES]), (10 * KEPT_LINES + 9, false));
        assert_eq!(kept(&[9; 2 + KEPT_LINES]), (10 * KEPT_LINES + 9, true));
    }

    #[test]
    fn so_many_bytes_are_kept_behind_it() {
        assert_eq!(kept(&[5, 8191, 8191]), (5 + 2 * 8192, false));
        assert_eq!(kept(&[5, 8191, 8192]), (5 + 8192, true));
    }

    #[test]
    fn behind_a_line_that_was_left_out_none_is_kept() {
        assert_eq!(kept(&[5, 20_000, 1]), (5, true));
    }
}
