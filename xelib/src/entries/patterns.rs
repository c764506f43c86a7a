//! Known wordings among texts: thousands of patterns, of which each text meets the few that begin as
//! it does.

use std::collections::HashMap;
use std::sync::OnceLock;

use regex::{CaptureLocations, Regex};

use super::beginning::{self, Beginning};
use super::sequence::{NOWHERE, Outcome, Sequence};
use crate::texts::Texts;

/// How much of a text's beginning is looked at in one step.
const STEP: usize = beginning::BYTES;
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
    /// Numbers of the groups.
    groups: Vec<usize>,
}

/// What is used again for each text: numbers of patterns that it may match; where the groups of the
/// pattern that matched begin and end in it; and the same as each pattern itself gives it.
#[derive(Debug, Default)]
pub struct Scratch {
    numbers: Vec<usize>,
    places: Vec<usize>,
    locations: Vec<Option<CaptureLocations>>,
}

/// How a text is matched.
#[derive(Debug)]
struct Matcher {
    sequence: Option<Sequence>,
    regex: Regex,
}

/// Patterns that are looked for together; of several that match the first one counts.
#[derive(Debug)]
pub struct Patterns {
    patterns: Vec<(Pattern, OnceLock<Option<Matcher>>)>,
    /// First steps of heads and the patterns that have them, in lists by their first two bytes; and
    /// the number of that list for each two bytes, 0 for an empty one.
    by_head: Vec<Vec<(Beginning, Vec<usize>)>>,
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
                let two = beginning::first_two(beginning::first(head));
                for list in &mut list_of[two..=if head.len() < 2 { two | 0xFF } else { two }] {
                    if *list == 0 {
                        *list = by_head.len() as u16;
                        by_head.push(Vec::new());
                    }
                    add(&mut by_head[usize::from(*list)], Beginning::of(head), number);
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
        let mut found = Vec::new();
        self.collect(text, ascii_only, &mut found);
        found
    }

    /// What the texts of all patterns begin with.
    pub fn heads(&self) -> impl Iterator<Item = &[u8]> {
        self.patterns.iter().flat_map(|(pattern, _)| pattern.heads.iter().map(Vec::as_slice))
    }

    pub fn scratch(&self) -> Scratch {
        Scratch { locations: vec![None; self.patterns.len()], ..Scratch::default() }
    }

    /// Finds the patterns in a column of texts; those of a pattern come together, ascending.
    pub fn find<'a>(&self, texts: impl Iterator<Item = &'a str>) -> Vec<Found> {
        let mut found: HashMap<usize, Found> = HashMap::new();
        let mut scratch = self.scratch();
        let mut took = |row: usize, text: &str, number: Option<usize>, scratch: &Scratch| {
            let Some(number) = number else { return };
            let Some(Matcher { regex, .. }) = self.matcher(number) else { return };
            let one = found.entry(number).or_insert_with(|| Found::of(number, regex));
            one.take(row, text, scratch);
        };
        for (row, text) in texts.enumerate() {
            let number = self.first(text, &mut scratch);
            took(row, text, number, &scratch);
            if let Some(fragments) = &self.fragments
                && !text.is_ascii()
                && fragments.is_match(text)
            {
                let number =
                    self.attempt(text, &self.headless, &mut scratch.places, &mut scratch.locations);
                took(row, text, number, &scratch);
            }
        }
        let mut found: Vec<_> = found.into_values().collect();
        found.sort_unstable_by_key(|one| one.pattern);
        found
    }

    /// Gives the first pattern whose head a text has and that matches it.
    pub fn first(&self, text: &str, scratch: &mut Scratch) -> Option<usize> {
        if !self.any_candidate(text.as_bytes(), |_| true) {
            return None;
        }
        scratch.numbers.clear();
        self.collect(text.as_bytes(), text.is_ascii(), &mut scratch.numbers);
        self.tell_apart(text.as_bytes(), &mut scratch.numbers);
        self.attempt(text, &scratch.numbers, &mut scratch.places, &mut scratch.locations)
    }

    /// Gives names and texts of the groups of a pattern that has just matched a text.
    pub fn groups<'a>(
        &'a self,
        number: usize,
        text: &'a str,
        scratch: &'a Scratch,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        let names = self.matcher(number).map(|one| one.regex.capture_names().enumerate());
        names
            .into_iter()
            .flatten()
            .filter_map(move |(group, name)| Some((name?, scratch.text_of(group, text))))
    }

    /// Tells whether a text with this beginning can match one of the patterns that are asked for.
    pub fn any_candidate(&self, text: &[u8], wanted: impl Fn(usize) -> bool) -> bool {
        let shown = beginning::first(text);
        let mut heads = self.list(shown).iter().filter(|(head, _)| head.fits(shown));
        heads.any(|(_, numbers)| numbers.iter().any(|&number| wanted(number)))
    }

    fn list(&self, shown: u64) -> &[(Beginning, Vec<usize>)] {
        &self.by_head[usize::from(self.list_of[beginning::first_two(shown)])]
    }

    fn collect(&self, text: &[u8], ascii_only: bool, found: &mut Vec<usize>) {
        let shown = beginning::first(text);
        let heads = self.list(shown).iter().filter(|(head, _)| head.fits(shown));
        let numbers = heads.flat_map(|(_, numbers)| numbers.iter().copied());
        found.extend(numbers.filter(|&number| !ascii_only || self.patterns[number].0.is_ascii));
        found.sort_unstable();
        found.dedup();
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

    /// Tries patterns in turn, and gives the one that takes the text.
    fn attempt(
        &self,
        text: &str,
        numbers: &[usize],
        places: &mut Vec<usize>,
        locations: &mut [Option<CaptureLocations>],
    ) -> Option<usize> {
        numbers.iter().copied().find(|&number| {
            self.matcher(number).is_some_and(|one| one.takes(text, places, &mut locations[number]))
        })
    }

    /// Gives how a pattern is matched; that is made when a text first meets it.
    fn matcher(&self, number: usize) -> Option<&Matcher> {
        let (pattern, matcher) = &self.patterns[number];
        let made = || {
            let pattern = ascii_classes(&pattern.regex);
            Some(Matcher { regex: Regex::new(&pattern).ok()?, sequence: Sequence::of(&pattern) })
        };
        matcher.get_or_init(made).as_ref()
    }
}

impl Matcher {
    fn takes(
        &self,
        text: &str,
        places: &mut Vec<usize>,
        locations: &mut Option<CaptureLocations>,
    ) -> bool {
        match self.sequence.as_ref().map(|sequence| sequence.matches(text, places)) {
            Some(Outcome::Match) => return true,
            Some(Outcome::None) => return false,
            Some(Outcome::Unknown) | None => {}
        }
        let locations = locations.get_or_insert_with(|| self.regex.capture_locations());
        if self.regex.captures_read(locations, text).is_none() {
            return false;
        }
        let ends = (0..locations.len()).map(|group| locations.get(group));
        places.clear();
        places.extend(ends.flat_map(|ends| <[usize; 2]>::from(ends.unwrap_or((NOWHERE, NOWHERE)))));
        true
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
        }
    }

    /// Takes a text that the pattern has just matched.
    fn take(&mut self, row: usize, text: &str, scratch: &Scratch) {
        self.rows.extend_from_slice(&(row as i64).to_ne_bytes());
        for (&group, column) in self.groups.iter().zip(&mut self.columns) {
            column.push(Some(scratch.text_of(group, text).as_bytes()));
        }
    }
}

impl Scratch {
    /// Gives the text of a group of the pattern that matched last; empty where it has none.
    fn text_of<'a>(&self, group: usize, text: &'a str) -> &'a str {
        let place = |at: usize| self.places.get(at).copied().unwrap_or(NOWHERE);
        text.get(place(2 * group)..place(2 * group + 1)).unwrap_or_default()
    }
}

fn add(heads: &mut Vec<(Beginning, Vec<usize>)>, head: Beginning, number: usize) {
    match heads.iter_mut().find(|(known, _)| *known == head) {
        Some((_, numbers)) => numbers.push(number),
        None => heads.push((head, vec![number])),
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

    /// The texts and the patterns that find them, by the patterns alone.
    fn matched(patterns: &[Pattern], texts: &[String]) -> Vec<(usize, usize)> {
        let regexes: Vec<_> =
            patterns.iter().map(|one| Regex::new(&ascii_classes(&one.regex)).unwrap()).collect();
        let first = |text: &String| regexes.iter().position(|regex| regex.is_match(text));
        texts.iter().enumerate().filter_map(|(row, text)| Some((row, first(text)?))).collect()
    }

    #[test]
    fn no_text_is_lost_by_its_beginning() {
        let wordings = [
            ("Database backed up. Database: ", r"(?P<a>.*?), pages: (?P<b>[0-9]+)"),
            ("Database backed up", r"(?P<a>.*)"),
            ("Database ", r"(?P<a>\w+) done"),
            ("D", r"(?P<a>[0-9]+)"),
            ("Data", ""),
            ("Größe der Datei ", r"(?P<a>[0-9]+) ü"),
            ("Größe", r"(?P<a>.*)"),
            ("7", r" percent"),
        ];
        let patterns = || -> Vec<Pattern> {
            let made = |(head, rest): &(&str, &str)| {
                pattern(&format!("(?s)^{}{rest}", regex::escape(head)), &[head], "")
            };
            wordings.iter().map(made).collect()
        };
        let mut state = 49_u64;
        let mut chance = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let ends = ["x, pages: 12", "x done", "12", "", "12 ü", " percent", "\0", "ß"];
        let texts: Vec<String> = (0..5_000)
            .map(|_| {
                let head = wordings[chance(wordings.len())].0;
                let mut text: Vec<char> =
                    head.chars().chain(ends[chance(ends.len())].chars()).collect();
                for _ in 0..chance(3) {
                    let place = chance(text.len().max(1)).min(text.len());
                    match chance(3) {
                        0 => text.truncate(place),
                        1 => text.insert(place, ['D', ' ', 'ö', '7', '\0'][chance(5)]),
                        _ => drop((place < text.len()).then(|| text.remove(place))),
                    }
                }
                text.into_iter().collect()
            })
            .collect();
        let found = found(patterns(), &texts.iter().map(String::as_str).collect::<Vec<_>>());
        let mut pairs: Vec<_> = found
            .iter()
            .flat_map(|(number, rows, _)| rows.iter().map(|&row| (row as usize, *number)))
            .collect();
        pairs.sort_unstable();
        assert_eq!(pairs, matched(&patterns(), &texts));
        assert!(pairs.len() > 1_000);
    }

    #[test]
    fn classes_are_of_ascii() {
        assert_eq!(ascii_classes(r"[\s\x{A0}]\d\.\]"), r"[\t\n\x0C\r\x20\x{A0}][0-9]\.\]");
        assert!(found(vec![pattern(r"^a\s*b", &["a"], "")], &["a\u{2003}b"]).is_empty());
    }
}
