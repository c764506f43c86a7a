//! Lines, how long they are in the characters that sqlcmd counts, and where they stand.

use std::borrow::Cow;

/// What a character counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Bytes of UTF-8.
    Bytes,
    /// Units of UTF-16, which is what SQL Server and sqlcmd count.
    Units,
    /// Columns of a console, or bytes of an East Asian code page: two for wide characters.
    Columns,
}

impl Measure {
    /// Length of a character.
    fn of(self, character: char) -> usize {
        match self {
            Self::Bytes => character.len_utf8(),
            Self::Units => character.len_utf16(),
            Self::Columns => match character as u32 {
                0..=0x7f | 0xff61..=0xff9f => 1,
                _ => 2,
            },
        }
    }

    /// Length of a text.
    pub fn length(self, text: &[u8]) -> usize {
        if self == Self::Bytes || text.is_ascii() {
            return text.len();
        }
        String::from_utf8_lossy(text).chars().map(|character| self.of(character)).sum()
    }
}

/// A line that is kept, without its end.
#[derive(Clone, Debug)]
pub struct Line {
    pub text: Vec<u8>,
    /// Number from 1.
    pub number: u64,
    /// Where it begins, in the measure of the file.
    pub offset: u64,
    /// Characters of its end: 0 where there is none, 2 for CR LF.
    pub end: usize,
}

/// A line as it goes by.
#[derive(Clone, Copy, Debug)]
pub struct LineRef<'a> {
    pub text: &'a [u8],
    pub number: u64,
    pub offset: u64,
    pub end: usize,
}

impl LineRef<'_> {
    pub fn keep(&self) -> Line {
        Line { text: self.text.to_vec(), number: self.number, offset: self.offset, end: self.end }
    }

    pub fn is_blank(&self) -> bool {
        is_blank(self.text)
    }
}

impl Line {
    pub fn by_ref(&self) -> LineRef<'_> {
        LineRef { text: &self.text, number: self.number, offset: self.offset, end: self.end }
    }
}

pub fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|&byte| byte == b' ' || byte == b'\t')
}

/// A text that can be cut at positions of a measure.
pub struct Measured<'a> {
    text: Cow<'a, [u8]>,
    /// Byte at which each position begins; none where positions are bytes.
    starts: Option<Vec<u32>>,
}

impl<'a> Measured<'a> {
    pub fn new(text: &'a [u8], measure: Measure) -> Self {
        if text.is_ascii() {
            return Self { text: Cow::Borrowed(text), starts: None };
        }
        let decoded = String::from_utf8_lossy(text);
        let mut starts = Vec::with_capacity(decoded.len() + 1);
        for (at, character) in decoded.char_indices() {
            for _ in 0..measure.of(character) {
                starts.push(at as u32);
            }
        }
        starts.push(decoded.len() as u32);
        let text = match decoded {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
        Self { text, starts: Some(starts) }
    }

    pub fn is_ascii(&self) -> bool {
        self.starts.is_none()
    }

    /// Length in the measure.
    pub fn len(&self) -> usize {
        match &self.starts {
            None => self.text.len(),
            Some(starts) => starts.len() - 1,
        }
    }

    /// Tells whether a blank, or nothing, stands at a position.
    pub fn is_gap(&self, position: usize) -> bool {
        match &self.starts {
            None => self.text.get(position).is_none_or(|&byte| byte == b' '),
            Some(starts) => starts
                .get(position)
                .is_none_or(|&at| self.text.get(at as usize).is_none_or(|&byte| byte == b' ')),
        }
    }

    /// Gives what stands between two positions, without blanks around it.
    pub fn cell(&self, begin: usize, end: usize) -> &[u8] {
        let (begin, end) = match &self.starts {
            None => (begin.min(self.text.len()), end.min(self.text.len())),
            Some(starts) => {
                let last = starts.len() - 1;
                (starts[begin.min(last)] as usize, starts[end.min(last)] as usize)
            }
        };
        trimmed(&self.text[begin..end])
    }
}

/// Takes blanks off both ends.
pub fn trimmed(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&byte| byte != b' ').map_or(0, |at| at + 1);
    let begin = text[..end].iter().position(|&byte| byte != b' ').unwrap_or(end);
    &text[begin..end]
}
