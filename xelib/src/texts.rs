//! Columns of texts in Arrow's memory layout, as the decoders of text logs fill them.

/// Texts, some of them NULL.
#[derive(Debug, Default)]
pub struct Texts {
    pub offsets: Vec<u8>,
    pub bytes: Vec<u8>,
    pub valid: Bits,
}

/// A bitmap, least significant bit first.
#[derive(Debug, Default)]
pub struct Bits {
    pub bytes: Vec<u8>,
    pub len: usize,
}

impl Bits {
    pub fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if bit && let Some(last) = self.bytes.last_mut() {
            *last |= 1 << (self.len % 8);
        }
        self.len += 1;
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.len = 0;
    }
}

impl Texts {
    pub fn push(&mut self, text: Option<&[u8]>) {
        if let Some(text) = text {
            self.bytes.extend_from_slice(text);
        }
        self.end(text.is_some());
    }

    /// Ends a text whose bytes were appended, or one that is NULL.
    pub fn end(&mut self, is_there: bool) {
        if self.offsets.is_empty() {
            self.offsets.extend_from_slice(&0_i32.to_ne_bytes());
        }
        self.valid.push(is_there);
        self.offsets.extend_from_slice(&(self.bytes.len() as i32).to_ne_bytes());
    }

    /// The texts, empty where one is NULL.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        texts_in(&self.offsets, &self.bytes)
    }

    /// Forgets the texts; what held them holds the next ones.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.bytes.clear();
        self.valid.clear();
    }

    pub fn len(&self) -> usize {
        self.valid.len
    }
}

/// The texts of a column of Arrow's, by its offsets (int32); all are empty where it is no UTF-8.
pub fn texts_in<'a>(offsets: &'a [u8], bytes: &'a [u8]) -> impl Iterator<Item = &'a str> {
    let place = |offset: &[u8; 4]| i32::from_ne_bytes(*offset) as usize;
    let whole = std::str::from_utf8(bytes).unwrap_or_default();
    let ends = offsets.as_chunks::<4>().0.windows(2);
    ends.map(move |ends| whole.get(place(&ends[0])..place(&ends[1])).unwrap_or_default())
}
