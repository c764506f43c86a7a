//! Lines that give an error's number, severity and state, in the 21 languages of message 18053.
//!
//! Servers mix languages inside one file, so the language is never taken from the file: any spelling
//! matches anywhere.

use std::sync::LazyLock;

use super::form::decimal;

#[rustfmt::skip]
const ERROR: &[&str] = &[
    "Error", "Fehler", "Erreur", "Errore", "Erro", "Chyba", "Fejl", "Virhe", "Hiba", "Fout", "Feil",
    "Fel", "Hata", "Błąd", "Ошибка", "エラー", "오류", "错误", "錯誤",
];
#[rustfmt::skip]
const SEVERITY: &[&str] = &[
    "Severity", "Schweregrad", "gravité", "gravedad", "gravità", "Gravidade", "závažnost",
    "alvorlighed", "vakavuus", "súlyosság", "code", "alvorsgrad", "allvarlighetsgrad", "Önem",
    "ważność", "серьезность", "重大度", "심각도", "严重性", "嚴重性",
];
#[rustfmt::skip]
const STATE: &[&str] = &[
    "State", "Status", "état", "estado", "stato", "stav", "tilstand", "tila", "állapot", "tillstånd",
    "Durum", "stan", "состояние", "状態", "상태", "状态", "狀態",
];
const COLON: [char; 4] = [' ', '\u{a0}', ':', '：'];
const COMMA: [char; 7] = [' ', '\u{a0}', ',', '，', ';', '；', '、'];
const MAX_DIGITS: usize = 9;

/// What tells an error line from others at a glance: the first bytes of its first word as it is, in
/// small and in large letters, by their first byte.
const GLANCE: usize = 8;
static BEGINNINGS: LazyLock<Vec<Vec<Vec<u8>>>> = LazyLock::new(|| {
    let mut beginnings = vec![Vec::new(); 256];
    for word in ERROR {
        for spelling in [(*word).to_owned(), word.to_lowercase(), word.to_uppercase()] {
            let bytes = spelling.as_bytes();
            beginnings[bytes[0] as usize].push(bytes[..bytes.len().min(GLANCE)].to_vec());
        }
    }
    beginnings
});

/// What an error line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorLine {
    pub error: i64,
    pub severity: i64,
    pub state: i64,
    /// Nothing else is said there. Message 18053 itself has its own text behind its numbers.
    pub is_alone: bool,
}

/// Reads `Error: 18456, Severity: 14, State: 5.`; `None` where a message is something else.
pub fn error_line_of(message: &[u8]) -> Option<ErrorLine> {
    plain_line_of(message).or_else(|| spelled_line_of(message))
}

/// Reads the line as most servers write it, and nothing else.
fn plain_line_of(message: &[u8]) -> Option<ErrorLine> {
    let (error, rest) = plain_number(message.strip_prefix(b"Error: ")?)?;
    let (severity, rest) = plain_number(rest.strip_prefix(b", Severity: ")?)?;
    let (state, rest) = plain_number(rest.strip_prefix(b", State: ")?)?;
    (rest == b".").then_some(ErrorLine { error, severity, state, is_alone: true })
}

fn plain_number(text: &[u8]) -> Option<(i64, &[u8])> {
    let digits = text.iter().take(MAX_DIGITS).take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0).then(|| (decimal(&text[..digits]), &text[digits..]))
}

/// Reads the line in any spelling.
fn spelled_line_of(message: &[u8]) -> Option<ErrorLine> {
    let beginnings = &BEGINNINGS[*message.first()? as usize];
    if !beginnings.iter().any(|beginning| message.starts_with(beginning)) {
        return None;
    }
    let text = std::str::from_utf8(message).ok()?;
    let (error, text) = number_behind(text, ERROR)?;
    let (severity, text) = number_behind(text.trim_start_matches(COMMA), SEVERITY)?;
    let (state, text) = number_behind(text.trim_start_matches(COMMA), STATE)?;
    let text = text.strip_prefix(['.', '。']).unwrap_or(text);
    Some(ErrorLine { error, severity, state, is_alone: text.chars().all(is_space) })
}

/// Gives the number behind one of the words, and the text behind that.
fn number_behind<'a>(text: &'a str, words: &[&str]) -> Option<(i64, &'a str)> {
    // Of words that begin with one another the longest counts.
    let behind =
        words.iter().filter_map(|word| behind(text, word)).min_by_key(|rest| rest.len())?;
    let behind = behind.trim_start_matches(COLON);
    let digits = behind.bytes().take(MAX_DIGITS).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = behind.split_at(digits);
    Some((digits.parse().ok()?, rest))
}

/// Gives the text behind a word, whatever its case.
fn behind<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let mut rest = text.chars();
    word.chars()
        .all(|letter| rest.next().is_some_and(|c| is_same(c, letter)))
        .then_some(rest.as_str())
}

fn is_same(a: char, b: char) -> bool {
    a == b || lowered(a) == lowered(b)
}

fn lowered(c: char) -> char {
    // English lines are the most by far.
    if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(i64, i64, i64, bool)> {
        let line = error_line_of(text.as_bytes())?;
        Some((line.error, line.severity, line.state, line.is_alone))
    }

    #[test]
    fn servers_write_them_in_their_languages() {
        for text in [
            "Error: 18456, Severity: 14, State: 5.",
            "Errore: 18456, gravità: 14, stato: 5.",
            "Erro: 18456, Gravidade: 14, Estado: 5.",
            "Ошибка: 18456, серьезность: 14, состояние: 5.",
            "エラー: 18456、重大度: 14、状態: 5。",
            "错误: 18456，严重性: 14，状态: 5。",
            "Erreur\u{a0}: 18456, Gravité\u{a0}: 14, État\u{a0}: 5.",
            "Fel: 18456, Allvarlighetsgrad: 14, tillstånd: 5",
            "ERROR: 18456, SEVERITY: 14, STATE: 5.\n \u{1f}",
        ] {
            assert_eq!(read(text), Some((18456, 14, 5, true)), "{text}");
        }
    }

    #[test]
    fn the_plain_form_reads_as_any_spelling_does() {
        let line = "Error: 18456, Severity: 14, State: 123456789.";
        for end in 0..=line.len() {
            for odd in ["", " ", "0", ".", "x", ":", "1234567890"] {
                let text = [&line[..end], odd, &line[end..]].concat();
                let spelled = spelled_line_of(text.as_bytes());
                assert_eq!(error_line_of(text.as_bytes()), spelled, "{text}");
                let cut = [&line[..end], odd].concat();
                assert_eq!(error_line_of(cut.as_bytes()), spelled_line_of(cut.as_bytes()), "{cut}");
            }
        }
    }

    #[test]
    fn more_may_be_said_on_the_line() {
        assert_eq!(
            read("Error: 824, Severity: 24, State: 2. (Params:x)"),
            Some((824, 24, 2, false))
        );
        assert_eq!(read("Error: 824, Severity: 24, State: 2\nx"), Some((824, 24, 2, false)));
        assert_eq!(
            read("Error: 8, Severity: 2, State: 1234567890"),
            Some((8, 2, 123_456_789, false))
        );
    }

    #[test]
    fn other_texts_are_none() {
        for text in [
            "",
            "Err",
            "Error",
            "Errors: 1, Severity: 2, State: 3.",
            "Error: 1234567890, Severity: 2, State: 3.",
            "Error: 1, Severity: 2",
            "Error: 1, 2, 3",
            "An Error: 1, Severity: 2, State: 3.",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
