//! Entries of a cluster log to columns: the parts of their first lines, and the whole text.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::assembler::{Entry, Layout, bare};
use super::cluster_head::{IDS, STAMP, hexadecimal, prefix_of, stamp_of, time_of, title_of};
use super::columns::{Numbers, push_plain};
use super::keeping::Bytes;
use crate::texts::{Bits, Texts};

/// Levels are padded to five characters and a blank; a text may begin with blanks of its own.
const LEVELS: [&[u8]; 4] = [b"INFO", b"WARN", b"ERR", b"DBG"];
const LEVEL_WIDTH: usize = 6;
const COMPONENT: usize = 34;
/// Characters in front of the name of a resource, and of that name.
const MAX_TYPE: usize = 100;
const MAX_RESOURCE: usize = 260;

/// A title of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub name: String,
    pub line: u64,
    /// Rows since the last slab that stand in front of it.
    pub rows_before: usize,
}

/// Columns of a cluster log, filled entry by entry.
#[derive(Debug, Default)]
pub struct ClusterLog {
    pub rows: usize,
    pub line: Numbers,
    pub time: Numbers,
    pub process: Numbers,
    pub thread: Numbers,
    pub section: Texts,
    pub channel: Texts,
    pub level: Texts,
    pub component: Texts,
    pub resource: Texts,
    pub text: Texts,
    /// Rows whose lines are numbered by a search tool.
    pub numbered: Bits,
    /// int64 each: rows that may be a sample which the resource of a group took.
    pub samples: Vec<u8>,
    pub sections: Vec<Section>,
    current: Option<Vec<u8>>,
}

impl ClusterLog {
    /// Forgets what was filled in, and fills the same memory again; the section goes on.
    pub fn clear(&mut self) {
        self.rows = 0;
        for numbers in [&mut self.line, &mut self.time, &mut self.process, &mut self.thread] {
            numbers.clear();
        }
        for texts in [
            &mut self.section,
            &mut self.channel,
            &mut self.level,
            &mut self.component,
            &mut self.resource,
            &mut self.text,
        ] {
            texts.clear();
        }
        self.numbered.clear();
        self.samples.clear();
        self.sections.clear();
    }

    fn section(&mut self, name: &[u8], line: u64) {
        self.current = Some(name.to_vec());
        let name = String::from_utf8_lossy(name).into_owned();
        self.sections.push(Section { name, line, rows_before: self.rows });
    }
}

impl Layout for ClusterLog {
    type Keeping = Bytes;
    /// Where the stamp of an entry begins; none for a title.
    type Head = Option<usize>;

    fn head(&mut self, line: &[u8]) -> Option<Option<usize>> {
        let line = &line[..bare(line)];
        stamp_of(line).map(Some).or_else(|| title_of(line).map(|_| None))
    }

    fn take(&mut self, entry: Entry<'_>, stamp: Option<usize>) {
        let first = &entry.text[..entry.head];
        let Some(stamp) = stamp else {
            if let Some(name) = title_of(first) {
                self.section(name, entry.line);
            }
            return;
        };
        let ids = stamp - IDS;
        let prefix = if ids > 0 { prefix_of(&first[..ids]) } else { None };
        let (level, begin) = level_of(first, stamp + STAMP);
        let text = &entry.text[begin..];
        let component = component_of(&first[begin..]);
        let resource = if component == Some(b"RES") { resource_of(text) } else { None };
        if component == Some(b"RES") && is_sample(text) {
            self.samples.extend_from_slice(&(self.rows as i64).to_ne_bytes());
        }
        self.line.push(Some(entry.line as i64));
        self.time.push(time_of(&first[stamp..]));
        self.process.push(Some(hexadecimal(&first[ids..ids + 8])));
        self.thread.push(Some(hexadecimal(&first[ids + 9..ids + 17])));
        self.section.push(self.current.as_deref());
        self.channel.push(prefix.and_then(|prefix| prefix.channel));
        self.level.push(level);
        self.component.push(component);
        self.resource.push(resource);
        push_plain(&mut self.text, text, entry.text.len() > entry.head, false);
        self.numbered.push(prefix.is_some_and(|prefix| prefix.is_numbered));
        self.rows += 1;
    }
}

/// Gives the level at a position, none for an unknown word, and where the text behind it begins.
fn level_of(line: &[u8], at: usize) -> (Option<&'static [u8]>, usize) {
    let shown = &line[at..];
    let found = LEVELS.into_iter().find(|level| {
        shown.strip_prefix(*level).is_some_and(|behind| behind.first() == Some(&b' '))
    });
    let Some(level) = found else { return (None, at) };
    let blanks = shown[level.len()..].iter().take_while(|&&byte| byte == b' ').count();
    (Some(level), at + (level.len() + blanks).min(LEVEL_WIDTH))
}

/// Gives the word in brackets that a text begins with.
fn component_of(text: &[u8]) -> Option<&[u8]> {
    let inside = text[..text.len().min(COMPONENT)].strip_prefix(b"[")?;
    let close = memchr::memchr(b']', inside)?;
    let is_word = close > 0 && inside[..close].iter().all(|&byte| byte > b' ');
    is_word.then(|| &inside[..close])
}

/// Gives the name in `[RES] SQL Server Availability Group <AG1>: `.
fn resource_of(text: &[u8]) -> Option<&[u8]> {
    let kind = text.strip_prefix(b"[RES] ")?;
    let open = kind.iter().position(|byte| b"<:[\n".contains(byte))?;
    let name = kind[open..].strip_prefix(b"<")?;
    let close = name.iter().position(|byte| b">\n".contains(byte))?;
    let is_named = (1..=MAX_TYPE).contains(&characters(&kind[..open]))
        && (1..=MAX_RESOURCE).contains(&characters(&name[..close]))
        && name[close..].starts_with(b">: ");
    is_named.then(|| &name[..close])
}

fn characters(text: &[u8]) -> usize {
    text.iter().filter(|&byte| byte & 0xC0 != 0x80).count()
}

/// Tells whether a text says `[hadrag] 2/28/2026 `, as samples begin.
fn is_sample(text: &[u8]) -> bool {
    static MARK: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"[hadrag] "));
    MARK.find_iter(text).any(|at| {
        let mut rest = &text[at + MARK.needle().len()..];
        for (most, mark) in [(2, b'/'), (2, b'/'), (4, b' ')] {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_whole = if most == 4 { digits == 4 } else { (1..=most).contains(&digits) };
            if !is_whole || rest.get(digits) != Some(&mark) {
                return false;
            }
            rest = &rest[digits + 1..];
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entries::Assembler;

    fn read(text: &str) -> ClusterLog {
        let mut assembler = Assembler::new(ClusterLog::default(), 0);
        assembler.feed(text.as_bytes());
        assembler.finish();
        assembler.layout
    }

    fn only(texts: &Texts) -> Option<&str> {
        (texts.valid.bytes == [1]).then(|| std::str::from_utf8(&texts.bytes).unwrap())
    }

    #[test]
    fn parts_of_an_entry() {
        let log = read(
            "[=== Cluster Logs ===]\r\n00001a2c.000020b8::2026/02/28-22:10:41.004 ERR   [RES] SQL \
             Server Availability Group <AG1>: [hadrag] lost\r\n  second\r\n\r\n",
        );
        assert_eq!(log.rows, 1);
        assert_eq!(log.sections[0].name, "Cluster Logs");
        let parts = [&log.section, &log.level, &log.component, &log.resource].map(only);
        assert_eq!(parts, [Some("Cluster Logs"), Some("ERR"), Some("RES"), Some("AG1")]);
        assert_eq!(
            only(&log.text),
            Some("[RES] SQL Server Availability Group <AG1>: [hadrag] lost\n  second")
        );
        assert_eq!((only(&log.channel), log.samples.len()), (None, 0));
    }

    #[test]
    fn a_section_goes_on_in_the_next_slab() {
        let mut assembler = Assembler::new(ClusterLog::default(), 0);
        assembler.feed(b"[=== A ===]\nx\n00001a2c.000020b8::2026/02/28-22:10:41.004 INFO  a\n");
        assert_eq!(assembler.layout.rows, 0);
        assembler.finish();
        assert_eq!(only(&assembler.layout.section), Some("A"));
        assembler.layout.clear();
        assembler.feed(b"00001a2c.000020b8::2026/02/28-22:10:41.004 INFO  b\n");
        assembler.finish();
        assert_eq!(only(&assembler.layout.section), Some("A"));
    }

    #[test]
    fn levels_and_the_blanks_behind_them() {
        let level = |text: &'static str| level_of(text.as_bytes(), 0);
        assert_eq!(level("INFO  [RES]"), (Some(b"INFO".as_slice()), 6));
        assert_eq!(level("ERR     x"), (Some(b"ERR".as_slice()), 6));
        assert_eq!(level("DBG "), (Some(b"DBG".as_slice()), 4));
        assert_eq!(level("INFORM x"), (None, 0));
        assert_eq!(level("INFO"), (None, 0));
    }

    #[test]
    fn components_are_words() {
        assert_eq!(component_of(b"[RES] x"), Some(b"RES".as_slice()));
        for text in
            ["[] x", "[a b] x", "RES] x", "[RES", "", "[0123456789012345678901234567890123]"]
        {
            assert_eq!(component_of(text.as_bytes()), None);
        }
    }

    #[test]
    fn resources_stand_in_front_of_a_colon() {
        assert_eq!(resource_of("[RES] Name <Größe>: x".as_bytes()), Some("Größe".as_bytes()));
        for text in ["[RES] <a>: x", "[RES] a: <b>: x", "[RES] a <b> x", "[RES] a <b\nc>: x"] {
            assert_eq!(resource_of(text.as_bytes()), None);
        }
    }

    #[test]
    fn samples_begin_with_a_date() {
        assert!(is_sample(b"<A>: [hadrag] x [hadrag] 2/28/2026 22:10:21.0, 1"));
        for text in ["[hadrag] 2/28/26 1", "[hadrag] 2/281/2026 1", "[hadrag] lost", "2/28/2026 1"]
        {
            assert!(!is_sample(text.as_bytes()));
        }
    }
}
