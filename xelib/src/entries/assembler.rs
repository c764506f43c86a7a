//! Puts entries together from lines; the last one of a block stays open until it is seen to end.

use super::KEPT_BYTES;

/// Bytes of an open entry that are carried along: those that are kept, and the rest of a character.
const HELD_BYTES: usize = KEPT_BYTES + 4;

/// A whole entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Its lines; the last line end and blank lines in front of it are left out.
    pub text: &'a [u8],
    /// Where its first line ends.
    pub head: usize,
    /// Number of that line, from 1.
    pub line: u64,
}

/// What the lines of a log look like, and where its entries go.
pub trait Layout {
    /// Tells whether a line begins an entry; `line` comes with its end.
    fn is_head(&self, line: &[u8]) -> bool;
    /// Takes a whole entry.
    fn take(&mut self, entry: Entry<'_>);
}

/// Lengths of an entry as its lines go by, from where it begins.
#[derive(Clone, Copy, Debug)]
struct Open {
    line: u64,
    /// Length of its first line.
    head: usize,
    /// All of it so far, with line ends.
    length: usize,
    /// Up to the end of the last line that is not blank; and of the last one that can be kept.
    text: usize,
    fits: Option<usize>,
}

impl Open {
    fn new(line: u64) -> Self {
        Self { line, head: 0, length: 0, text: 0, fits: None }
    }

    /// Adds a line without its end, and with it.
    fn add(&mut self, bare: usize, whole: usize) {
        let end = self.length + bare;
        if self.length == 0 {
            self.head = bare;
        }
        if bare > 0 {
            self.text = end;
            if end <= KEPT_BYTES {
                self.fits = Some(end);
            }
        }
        self.length += whole;
    }
}

/// Takes blocks of whole lines apart into entries.
#[derive(Debug)]
pub struct Assembler<L> {
    pub layout: L,
    /// Lines still to be passed over: a header.
    skipped: u64,
    /// The open entry, and the bytes kept of what earlier blocks held of it.
    open: Option<Open>,
    held: Vec<u8>,
    pub lines: u64,
    pub entries: u64,
    /// Lines in front of the first entry.
    pub orphans: u64,
    /// Entries of which no more than [`KEPT_BYTES`] are kept.
    pub capped: u64,
}

impl<L: Layout> Assembler<L> {
    /// Begins with a log whose first `skipped` lines are a header.
    pub fn new(layout: L, skipped: u64) -> Self {
        Self {
            layout,
            skipped,
            open: None,
            held: Vec::new(),
            lines: 0,
            entries: 0,
            orphans: 0,
            capped: 0,
        }
    }

    /// Takes a block; it ends with a line end, the last one of a log perhaps not.
    pub fn feed(&mut self, block: &[u8]) {
        let mut held = std::mem::take(&mut self.held);
        // Where the open entry begins, if that is in this block.
        let mut begin = None;
        let mut at = 0;
        while at < block.len() {
            let end = memchr::memchr(b'\n', &block[at..]).map_or(block.len(), |n| at + n + 1);
            let line = &block[at..end];
            self.lines += 1;
            if self.skipped > 0 {
                self.skipped -= 1;
            } else if self.layout.is_head(line) {
                self.close(begin.map_or(held.as_slice(), |begin: usize| &block[begin..at]));
                let mut open = Open::new(self.lines);
                open.add(bare(line), line.len());
                (self.open, begin) = (Some(open), Some(at));
            } else if let Some(open) = &mut self.open {
                open.add(bare(line), line.len());
                if begin.is_none() {
                    hold(&mut held, line);
                }
            } else {
                self.orphans += 1;
            }
            at = end;
        }
        if let Some(begin) = begin {
            held.clear();
            hold(&mut held, &block[begin..]);
        }
        self.held = held;
    }

    /// Tells that the log has ended.
    pub fn finish(&mut self) {
        let held = std::mem::take(&mut self.held);
        self.close(&held);
    }

    /// Gives the open entry away; `bytes` begin with it.
    fn close(&mut self, bytes: &[u8]) {
        let Some(open) = self.open.take() else { return };
        let mut end = open.text;
        if end > KEPT_BYTES {
            self.capped += 1;
            end = open.fits.unwrap_or_else(|| character_end(bytes, KEPT_BYTES));
        }
        self.entries += 1;
        let text = &bytes[..end];
        self.layout.take(Entry { text, head: open.head.min(end), line: open.line });
    }
}

fn hold(held: &mut Vec<u8>, line: &[u8]) {
    let room = HELD_BYTES.saturating_sub(held.len());
    held.extend_from_slice(&line[..line.len().min(room)]);
}

/// Length of a line without its end.
fn bare(line: &[u8]) -> usize {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line).len()
}

/// Gives the last position up to `limit` at which no character is cut.
pub(super) fn character_end(bytes: &[u8], limit: usize) -> usize {
    let begins = |&at: &usize| bytes.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
    (0..=limit.min(bytes.len())).rev().find(begins).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default)]
    struct Stars(Vec<(String, usize, u64)>);

    impl Layout for Stars {
        fn is_head(&self, line: &[u8]) -> bool {
            line.starts_with(b"*")
        }

        fn take(&mut self, entry: Entry<'_>) {
            let text = String::from_utf8(entry.text.to_vec()).unwrap();
            self.0.push((text, entry.head, entry.line));
        }
    }

    fn read(blocks: &[&str]) -> Assembler<Stars> {
        let mut assembler = Assembler::new(Stars::default(), 0);
        for block in blocks {
            assembler.feed(block.as_bytes());
        }
        assembler.finish();
        assembler
    }

    #[test]
    fn continuation_lines_belong_to_the_line_above() {
        let read = read(&["x\r\n*a\r\nb\r\n\r\n", "\r\n*c"]);
        assert_eq!(read.layout.0, [("*a\r\nb".into(), 2, 2), ("*c".into(), 2, 6)]);
        assert_eq!((read.lines, read.orphans, read.capped), (6, 1, 0));
    }

    #[test]
    fn blocks_may_end_behind_any_line() {
        let lines = ["*a\n", "b\n", "\n", "c\n", "*d\n", "*e\n", "\n"];
        let whole = read(&[&lines.concat()]);
        assert_eq!(read(&lines).layout.0, whole.layout.0);
        assert_eq!(whole.layout.0[0].0, "*a\nb\n\nc");
    }

    #[test]
    fn a_header_is_passed_over_and_counted() {
        let mut assembler = Assembler::new(Stars::default(), 2);
        assembler.feed(b"*title\n");
        assembler.feed(b"-----\n*a\n");
        assembler.finish();
        assert_eq!(assembler.layout.0, [("*a".into(), 2, 3)]);
        assert_eq!(assembler.orphans, 0);
    }

    #[test]
    fn of_a_long_entry_whole_lines_are_kept() {
        let line = format!("{}\n", "b".repeat(999));
        let lines = format!("*a\n{}", line.repeat(100));
        for blocks in [vec![lines.as_str()], lines.split_inclusive('\n').collect()] {
            let read = read(&blocks);
            assert_eq!(read.layout.0[0].0, format!("*a\n{}", line.repeat(65)).trim_end());
            assert_eq!(read.capped, 1);
        }
    }

    #[test]
    fn of_a_long_line_whole_characters_are_kept() {
        let line = format!("*{}\n", "ä".repeat(KEPT_BYTES));
        let read = read(&[&line, "b\n"]);
        assert_eq!(read.layout.0[0].0.len(), KEPT_BYTES - 1);
        assert_eq!(read.capped, 1);
    }
}
