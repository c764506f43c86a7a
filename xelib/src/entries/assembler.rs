//! Puts entries together from lines; the last one of a block stays open until it is seen to end.

use std::fmt::Debug;

use super::keeping::Keeping;

/// A whole entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Its lines, as far as they are kept; the last line end is left out.
    pub text: &'a [u8],
    /// Where its first line ends.
    pub head: usize,
    /// Number of that line, from 1.
    pub line: u64,
    /// How many lines follow it, whether they are kept or not.
    pub more: u64,
}

/// What the lines of a log look like, what is kept of its entries, and where they go.
pub trait Layout {
    type Keeping: Keeping;
    /// What a line that begins an entry says of itself.
    type Head: Copy + Debug;

    /// Reads a line that begins an entry, `None` for another one; `line` comes with its end.
    fn head(&mut self, line: &[u8]) -> Option<Self::Head>;
    /// Hears of a line that does, and where in its block it stands.
    fn begins(&mut self, _line: &[u8], _at: usize) {}
    /// Takes a whole entry.
    fn take(&mut self, entry: Entry<'_>, head: Self::Head);
}

/// An entry that more lines may follow.
#[derive(Clone, Copy, Debug)]
struct Open<K, H> {
    what: H,
    line: u64,
    /// Length of its first line.
    head: usize,
    /// All of it so far, with line ends.
    length: usize,
    more: u64,
    keeping: K,
}

impl<K: Keeping, H> Open<K, H> {
    fn new(what: H, line: u64, text: &[u8]) -> Self {
        let (head, mut keeping) = (bare(text), K::default());
        keeping.see(0, head);
        Self { what, line, head, length: text.len(), more: 0, keeping }
    }

    fn add(&mut self, text: &[u8]) {
        self.keeping.see(self.length, bare(text));
        self.length += text.len();
        self.more += 1;
    }
}

/// Takes blocks of whole lines apart into entries.
#[derive(Debug)]
pub struct Assembler<L: Layout> {
    pub layout: L,
    /// Lines still to be passed over: a header.
    skipped: u64,
    /// The open entry, and the bytes kept of what earlier blocks held of it.
    open: Option<Open<L::Keeping, L::Head>>,
    held: Vec<u8>,
    pub lines: u64,
    pub entries: u64,
    /// Lines in front of the first entry.
    pub orphans: u64,
    /// Entries of which not everything is kept.
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
            } else if let Some(what) = self.layout.head(line) {
                self.close(begin.map_or(held.as_slice(), |begin: usize| &block[begin..at]));
                self.layout.begins(line, at);
                (self.open, begin) = (Some(Open::new(what, self.lines, line)), Some(at));
            } else if let Some(open) = &mut self.open {
                open.add(line);
                if begin.is_none() {
                    hold(&mut held, line, open.keeping.room());
                }
            } else {
                self.orphans += 1;
            }
            at = end;
        }
        if let (Some(begin), Some(open)) = (begin, &self.open) {
            held.clear();
            hold(&mut held, &block[begin..], open.keeping.room());
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
        let (end, is_capped) = open.keeping.end(bytes);
        self.capped += u64::from(is_capped);
        self.entries += 1;
        let (text, head) = (&bytes[..end], open.head.min(end));
        let entry = Entry { text, head, line: open.line, more: open.more };
        self.layout.take(entry, open.what);
    }
}

/// Keeps bytes, up to `room` of them in all.
fn hold(held: &mut Vec<u8>, bytes: &[u8], room: usize) {
    let room = room.saturating_sub(held.len());
    held.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

/// Length of a line without its end.
pub(super) fn bare(line: &[u8]) -> usize {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entries::KEPT_BYTES;
    use crate::entries::keeping::Bytes;

    #[derive(Debug, Default)]
    struct Stars(Vec<(String, usize, u64)>);

    impl Layout for Stars {
        type Keeping = Bytes;
        type Head = ();

        fn head(&mut self, line: &[u8]) -> Option<()> {
            line.starts_with(b"*").then_some(())
        }

        fn take(&mut self, entry: Entry<'_>, (): ()) {
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
