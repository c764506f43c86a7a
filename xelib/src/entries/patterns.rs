//! Known wordings among texts: thousands of patterns, of which each text meets the few that begin as
//! it does.

use std::collections::HashMap;
use std::sync::OnceLock;

use regex::{CaptureLocations, Regex};

use crate::texts::Texts;

/// How much of a text's beginning is looked at in one step.
const STEP: usize = 8;
/// Patterns that are tried at once rather than told apart first.
const FEW: usize = 3;

/// One wording.
#[derive(Debug)]
pub struct Pattern {
    pub regex: String,
    /// What a text begins with, in every spelling; none where an argument stands there.
    pub heads: Vec<Vec<u8>>,
    /// A literal piece, to find texts without a head.
    pub fragment: String,
    /// The wording has no letter beyond ASCII.
    pub is_ascii: bool,
}

/// Texts of one pattern: their places, and a column for each named group.
#[derive(Debug)]
pub struct Found {
    pub pattern: usize,
    /// int64 each.
    pub rows: Vec<u8>,
    pub names: Vec<String>,
    pub columns: Vec<Texts>,
    /// Numbers of the groups, and where they stand in the text that is looked at.
    groups: Vec<usize>,
    places: CaptureLocations,
}

/// Patterns that are looked for together; of several that match the first one counts.
#[derive(Debug)]
pub struct Patterns {
    patterns: Vec<(Pattern, OnceLock<Option<Regex>>)>,
    /// First steps of heads and the patterns that have them, in lists by their first two bytes; and
    /// the number of that list for each two bytes, 0 for an empty one.
    by_head: Vec<Vec<(Vec<u8>, Vec<usize>)>>,
    list_of: Vec<u16>,
    headless: Vec<usize>,
    fragments: Option<Regex>,
}

impl Patterns {
    /// Begins with patterns, in the order in which they count.
    ///
    /// # Errors
    ///
    /// One of the fragments is no pattern.
    pub fn new(patterns: Vec<Pattern>) -> Result<Self, regex::Error> {
        let mut by_head = vec![Vec::new()];
        let mut list_of = vec![0; 1 << 16];
        for (number, pattern) in patterns.iter().enumerate() {
            for head in &pattern.heads {
                // A head of one byte stands in front of any other byte.
                let two = first_two(head);
                for list in &mut list_of[two..=if head.len() < 2 { two | 0xFF } else { two }] {
                    if *list == 0 {
                        *list = by_head.len() as u16;
                        by_head.push(Vec::new());
                    }
                    add(&mut by_head[usize::from(*list)], &head[..head.len().min(STEP)], number);
                }
            }
        }
        let headless: Vec<_> =
            (0..patterns.len()).filter(|&number| patterns[number].heads.is_empty()).collect();
        let mut fragments: Vec<_> =
            headless.iter().map(|&number| patterns[number].fragment.as_str()).collect();
        fragments.sort_unstable();
        fragments.dedup();
        let any = ascii_classes(&fragments.join("|"));
        let fragments = if headless.is_empty() { None } else { Some(Regex::new(&any)?) };
        let patterns = patterns.into_iter().map(|pattern| (pattern, OnceLock::new())).collect();
        Ok(Self { patterns, by_head, list_of, headless, fragments })
    }

    /// Gives the numbers of the patterns that a text with this beginning can match, ascending.
    pub fn candidates(&self, text: &[u8], ascii_only: bool) -> Vec<usize> {
        let list = &self.by_head[usize::from(self.list_of[first_two(text)])];
        let mut found: Vec<_> = list
            .iter()
            .filter(|(head, _)| text.starts_with(head))
            .flat_map(|(_, numbers)| numbers.iter().copied())
            .filter(|&number| !ascii_only || self.patterns[number].0.is_ascii)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Finds the patterns in a column of texts; those of a pattern come together, ascending.
    pub fn find<'a>(&self, texts: impl Iterator<Item = &'a str>) -> Vec<Found> {
        let mut found: HashMap<usize, Found> = HashMap::new();
        for (row, text) in texts.enumerate() {
            let is_ascii = text.is_ascii();
            let mut numbers = self.candidates(text.as_bytes(), is_ascii);
            self.tell_apart(text.as_bytes(), &mut numbers);
            self.attempt(row, text, &numbers, &mut found);
            if !is_ascii && self.fragments.as_ref().is_some_and(|any| any.is_match(text)) {
                self.attempt(row, text, &self.headless, &mut found);
            }
        }
        let mut found: Vec<_> = found.into_values().filter(|one| !one.rows.is_empty()).collect();
        found.sort_unstable_by_key(|one| one.pattern);
        found
    }

    /// Looks at the next bytes of a text as long as these tell patterns apart.
    fn tell_apart(&self, text: &[u8], numbers: &mut Vec<usize>) {
        let heads = |number: usize| self.patterns[number].0.heads.iter();
        let mut known = STEP;
        while numbers.len() > FEW
            && numbers.iter().any(|&n| heads(n).any(|head| head.len() > known))
        {
            let ahead = text.get(known..).unwrap_or_default();
            numbers.retain(|&n| {
                heads(n).any(|head| {
                    let rest = head.get(known..).unwrap_or_default();
                    ahead.starts_with(&rest[..rest.len().min(STEP)])
                })
            });
            known += STEP;
        }
    }

    /// Tries patterns in turn, until one takes the text.
    fn attempt(
        &self,
        row: usize,
        text: &str,
        numbers: &[usize],
        found: &mut HashMap<usize, Found>,
    ) {
        for &number in numbers {
            let Some(regex) = self.regex(number) else { continue };
            let one = found.entry(number).or_insert_with(|| Found::of(number, regex));
            if one.took(row, text, regex) {
                return;
            }
        }
    }

    /// Gives a pattern; they are made when a text first meets them.
    fn regex(&self, number: usize) -> Option<&Regex> {
        let (pattern, regex) = &self.patterns[number];
        regex.get_or_init(|| Regex::new(&ascii_classes(&pattern.regex)).ok()).as_ref()
    }
}

impl Found {
    fn of(pattern: usize, regex: &Regex) -> Self {
        let named = || regex.capture_names().enumerate().filter_map(|(n, name)| Some((n, name?)));
        Self {
            pattern,
            rows: Vec::new(),
            names: named().map(|(_, name)| name.to_owned()).collect(),
            columns: named().map(|_| Texts::default()).collect(),
            groups: named().map(|(number, _)| number).collect(),
            places: regex.capture_locations(),
        }
    }

    /// Takes a text, if the pattern matches it.
    fn took(&mut self, row: usize, text: &str, regex: &Regex) -> bool {
        if regex.captures_read(&mut self.places, text).is_none() {
            return false;
        }
        self.rows.extend_from_slice(&(row as i64).to_ne_bytes());
        for (&group, column) in self.groups.iter().zip(&mut self.columns) {
            let place = self.places.get(group).and_then(|(begin, end)| text.get(begin..end));
            column.push(Some(place.unwrap_or_default().as_bytes()));
        }
        true
    }
}

fn first_two(text: &[u8]) -> usize {
    let byte = |at: usize| usize::from(text.get(at).copied().unwrap_or(0));
    byte(0) << 8 | byte(1)
}

fn add(heads: &mut Vec<(Vec<u8>, Vec<usize>)>, head: &[u8], number: usize) {
    match heads.iter_mut().find(|(known, _)| known == head) {
        Some((_, numbers)) => numbers.push(number),
        None => heads.push((head.to_vec(), vec![number])),
    }
}

/// Gives a pattern of RE2 in the words of this one: there `\s`, `\d` and `\w` are of ASCII.
fn ascii_classes(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() * 2);
    let mut is_class = false;
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        let class = match c {
            '\\' => match rest.next() {
                Some('s') => r"\t\n\x0C\r\x20",
                Some('d') => "0-9",
                Some('w') => "0-9A-Za-z_",
                Some(other) => {
                    out.extend(['\\', other]);
                    continue;
                }
                None => r"\\",
            },
            _ => {
                is_class = c == '[' || (is_class && c != ']');
                out.push(c);
                continue;
            }
        };
        if is_class {
            out.push_str(class);
        } else {
            out.extend(["[", class, "]"]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(regex: &str, heads: &[&str], fragment: &str) -> Pattern {
        Pattern {
            regex: regex.into(),
            heads: heads.iter().map(|head| head.as_bytes().to_vec()).collect(),
            fragment: fragment.into(),
            is_ascii: regex.is_ascii(),
        }
    }

    fn found(patterns: Vec<Pattern>, texts: &[&str]) -> Vec<(usize, Vec<i64>, Vec<String>)> {
        let found = Patterns::new(patterns).unwrap().find(texts.iter().copied());
        let shown = |column: &Texts| String::from_utf8(column.bytes.clone()).unwrap();
        let rows = |rows: &[u8]| {
            rows.as_chunks::<8>().0.iter().map(|row| i64::from_ne_bytes(*row)).collect()
        };
        found
            .iter()
            .map(|f| (f.pattern, rows(&f.rows), f.columns.iter().map(shown).collect()))
            .collect()
    }

    #[test]
    fn a_text_is_of_the_first_pattern_that_matches() {
        let patterns = || {
            vec![
                pattern(r"(?s)^Started (?P<name>\w+)$", &["Started"], ""),
                pattern(r"(?s)^Started (?P<name>.*)$", &["Started"], ""),
            ]
        };
        let texts = ["Started a", "Stopped b", "Started b c", "Started d"];
        let a = (0, vec![0, 3], vec!["ad".into()]);
        assert_eq!(found(patterns(), &texts), [a, (1, vec![2], vec!["b c".into()])]);
    }

    #[test]
    fn long_beginnings_are_told_apart() {
        let heads: Vec<_> = (0..10).map(|n| format!("The same beginning {n}")).collect();
        let patterns =
            heads.iter().map(|head| pattern(&format!("^{head}$"), &[head], "")).collect();
        assert_eq!(found(patterns, &["The same beginning 7", "The same"]), [(7, vec![0], vec![])]);
    }

    #[test]
    fn a_beginning_may_be_one_letter() {
        let percent = || vec![pattern(r"^4(?P<rest>.*)$", &["4"], "")];
        assert_eq!(
            found(percent(), &["42 percent", "4", "5"]),
            [(0, vec![0, 1], vec!["2 percent".into()])]
        );
    }

    #[test]
    fn wordings_that_begin_with_an_argument_are_found_by_a_piece() {
        let wording = || vec![pattern("^(?P<name>.*?) gestartet ü$", &[], "gestartet ü")];
        assert_eq!(
            found(wording(), &["x gestartet ü", "gestartet"]),
            [(0, vec![0], vec!["x".into()])]
        );
    }

    #[test]
    fn classes_are_of_ascii() {
        assert_eq!(ascii_classes(r"[\s\x{A0}]\d\.\]"), r"[\t\n\x0C\r\x20\x{A0}][0-9]\.\]");
        assert!(found(vec![pattern(r"^a\s*b", &["a"], "")], &["a\u{2003}b"]).is_empty());
    }
}
