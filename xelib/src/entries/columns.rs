//! Columns of entries in Arrow's memory layout; `texts` has those of texts.

use std::collections::HashMap;

use crate::texts::{Bits, Texts};

/// int64 each; 0 where one is NULL.
#[derive(Debug, Default)]
pub struct Numbers {
    pub values: Vec<u8>,
    pub valid: Bits,
}

impl Numbers {
    pub fn push(&mut self, value: Option<i64>) {
        self.values.extend_from_slice(&value.unwrap_or(0).to_ne_bytes());
        self.valid.push(value.is_some());
    }

    pub fn clear(&mut self) {
        self.values.clear();
        self.valid.clear();
    }
}

/// Texts that come again and again: each once, and int32 which of them stands in each row.
#[derive(Debug, Default)]
pub struct Words {
    pub codes: Vec<u8>,
    pub valid: Bits,
    pub words: Vec<String>,
    known: HashMap<Vec<u8>, i32>,
    last: Option<i32>,
}

impl Words {
    pub fn push(&mut self, word: Option<&[u8]>) {
        let code = word.map(|word| self.code_of(word));
        self.codes.extend_from_slice(&code.unwrap_or(0).to_ne_bytes());
        self.valid.push(code.is_some());
        self.last = code;
    }

    fn code_of(&mut self, word: &[u8]) -> i32 {
        if let Some(last) = self.last
            && self.words.get(last as usize).is_some_and(|known| known.as_bytes() == word)
        {
            return last;
        }
        if let Some(&code) = self.known.get(word) {
            return code;
        }
        let code = self.words.len() as i32;
        self.words.push(String::from_utf8_lossy(word).into_owned());
        self.known.insert(word.to_vec(), code);
        code
    }
}

/// Pushes a text with line feeds for its line ends where it `has_lines`, and one quote for two
/// where they are `doubled`.
pub fn push_plain(texts: &mut Texts, text: &[u8], has_lines: bool, doubled: bool) {
    if !has_lines && !doubled {
        return texts.push(Some(text));
    }
    let mut from = 0;
    for at in memchr::memchr2_iter(b'\r', b'"', text) {
        if at < from {
            continue;
        }
        match (text[at], text.get(at + 1)) {
            (b'\r', Some(b'\n')) if has_lines => {
                texts.bytes.extend_from_slice(&text[from..at]);
                from = at + 1;
            }
            (b'"', Some(b'"')) if doubled => {
                texts.bytes.extend_from_slice(&text[from..=at]);
                from = at + 2;
            }
            _ => {}
        }
    }
    texts.push(Some(&text[from..]));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, has_lines: bool, doubled: bool) -> String {
        let mut texts = Texts::default();
        push_plain(&mut texts, text.as_bytes(), has_lines, doubled);
        String::from_utf8(texts.bytes).unwrap()
    }

    #[test]
    fn line_ends_become_line_feeds() {
        assert_eq!(plain("a\r\nb\n\rc\r\n", true, false), "a\nb\n\rc\n");
        assert_eq!(plain("a\r\n\"\"", false, false), "a\r\n\"\"");
    }

    #[test]
    fn doubled_quotes_become_one() {
        assert_eq!(plain("\"\"a\"\"\"\r\n\"", false, true), "\"a\"\"\r\n\"");
        assert_eq!(plain("\"\"\"\"\r\n", true, true), "\"\"\n");
    }

    #[test]
    fn words_are_kept_once() {
        let mut words = Words::default();
        for word in [Some("a"), Some("b"), None, Some("a"), Some("a")] {
            words.push(word.map(str::as_bytes));
        }
        assert_eq!(words.words, ["a", "b"]);
        let codes: Vec<u8> = words.codes.iter().step_by(4).copied().collect();
        assert_eq!(codes, if cfg!(target_endian = "little") { [0, 1, 0, 0, 0] } else { [0; 5] });
        assert_eq!(words.valid.bytes, [0b11011]);
    }
}
