//! Patterns that are a sequence: literal pieces, and classes of characters between them.
//!
//! Nearly all wordings are one. They are matched by hand, several times as fast as by an automaton
//! that must follow all ways at once; what this cannot do, or not within a few steps, is left to the
//! pattern itself.

use memchr::memmem::Finder;
use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

/// Steps after which a text is left to the pattern itself, whose work is linear: a node, a character
/// of a class, or so many bytes in which a literal is looked for.
const MOST_STEPS: usize = 5_000;
const BYTES_AT_ONCE: usize = 64;
/// Stands where a group has no place.
pub const NOWHERE: usize = usize::MAX;

/// A pattern that begins where the text does.
#[derive(Debug)]
pub struct Sequence {
    nodes: Vec<Node>,
}

#[derive(Debug)]
enum Node {
    Literal(Box<[u8]>),
    Class(Repeated),
    /// The end of the text.
    End,
    /// Where a group begins or ends.
    Place(usize),
    /// Ways on, of which the first that leads to the end counts.
    Either(Vec<usize>),
    /// Goes on elsewhere.
    Jump(usize),
}

/// Characters of a class, one after the other.
#[derive(Debug)]
struct Repeated {
    class: Members,
    min: u32,
    max: u32,
    greedy: bool,
    /// The literal behind, where any character may stand in front of it.
    until: Option<Box<Finder<'static>>>,
}

#[derive(Debug)]
struct Members {
    ascii: u128,
    others: Vec<(char, char)>,
}

/// Whether a text matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Match,
    None,
    /// Not known within so many steps.
    Unknown,
}

impl Sequence {
    /// Takes a pattern apart; `None` where it is something else.
    pub fn of(pattern: &str) -> Option<Self> {
        let hir = regex_syntax::parse(pattern).ok()?;
        let mut nodes = Vec::new();
        let HirKind::Concat(parts) = hir.kind() else { return None };
        let (first, rest) = parts.split_first()?;
        if !matches!(first.kind(), HirKind::Look(Look::Start)) {
            return None;
        }
        rest.iter().try_for_each(|part| add(part, &mut nodes))?;
        for place in 0..nodes.len() {
            let mut behind = nodes[place + 1..].iter().skip_while(|n| matches!(n, Node::Place(_)));
            let literal = match behind.next() {
                Some(Node::Literal(literal)) => Some(literal.clone()),
                _ => None,
            };
            if let Node::Class(some) = &mut nodes[place] {
                let is_open = some.class.is_any() && !some.greedy && some.max == u32::MAX;
                let finder = literal.filter(|_| is_open).map(|l| Finder::new(&l).into_owned());
                some.until = finder.map(Box::new);
            }
        }
        Some(Self { nodes })
    }

    /// Matches a text; `places` then has where each group begins and ends, as the pattern would
    /// give it.
    pub fn matches(&self, text: &str, places: &mut Vec<usize>) -> Outcome {
        places.fill(NOWHERE);
        let mut run = Run { nodes: &self.nodes, text, places, left: MOST_STEPS };
        let is_match = run.from(0, 0);
        match (run.left, is_match) {
            (0, _) => Outcome::Unknown,
            (_, true) => Outcome::Match,
            (_, false) => Outcome::None,
        }
    }
}

fn add(hir: &Hir, nodes: &mut Vec<Node>) -> Option<()> {
    match hir.kind() {
        HirKind::Empty => {}
        HirKind::Literal(literal) => nodes.push(Node::Literal(literal.0.clone())),
        HirKind::Class(class) => nodes.push(some(Members::of(class)?, 1, Some(1), true)),
        HirKind::Look(Look::End) => nodes.push(Node::End),
        HirKind::Repetition(Repetition { min, max, greedy, sub }) => match sub.kind() {
            HirKind::Class(class) => nodes.push(some(Members::of(class)?, *min, *max, *greedy)),
            HirKind::Literal(literal) if Members::only(&literal.0).is_some() => {
                nodes.push(some(Members::only(&literal.0)?, *min, *max, *greedy));
            }
            _ if (*min, *max, *greedy) == (0, Some(1), true) => {
                let place = nodes.len();
                nodes.push(Node::Either(Vec::new()));
                add(sub, nodes)?;
                nodes[place] = Node::Either(vec![place + 1, nodes.len()]);
            }
            _ => return None,
        },
        HirKind::Capture(capture) => {
            let group = 2 * capture.index as usize;
            nodes.push(Node::Place(group));
            add(&capture.sub, nodes)?;
            nodes.push(Node::Place(group + 1));
        }
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| add(part, nodes))?,
        HirKind::Alternation(parts) => {
            let place = nodes.len();
            nodes.push(Node::Either(Vec::new()));
            let (mut ways, mut ends) = (Vec::new(), Vec::new());
            for part in parts {
                ways.push(nodes.len());
                add(part, nodes)?;
                ends.push(nodes.len());
                nodes.push(Node::Jump(0));
            }
            let behind = nodes.len();
            ends.into_iter().for_each(|end| nodes[end] = Node::Jump(behind));
            nodes[place] = Node::Either(ways);
        }
        _ => return None,
    }
    Some(())
}

fn some(class: Members, min: u32, max: Option<u32>, greedy: bool) -> Node {
    let max = max.unwrap_or(u32::MAX);
    Node::Class(Repeated { class, min, max, greedy, until: None })
}

impl Members {
    fn of(class: &Class) -> Option<Self> {
        let Class::Unicode(class) = class else { return None };
        let ranges = || class.ranges().iter().map(|range| (range.start(), range.end()));
        let mut ascii = 0;
        for (start, end) in ranges().filter(|&(start, _)| start.is_ascii()) {
            for byte in start as u32..=(end as u32).min(127) {
                ascii |= 1 << byte;
            }
        }
        let others = ranges().filter(|&(_, end)| !end.is_ascii()).collect();
        Some(Self { ascii, others })
    }

    /// The class of one character.
    fn only(literal: &[u8]) -> Option<Self> {
        let [byte] = *literal else { return None };
        byte.is_ascii().then(|| Self { ascii: 1 << byte, others: Vec::new() })
    }

    fn is_any(&self) -> bool {
        self.ascii == u128::MAX && self.others == [('\0', char::MAX)]
    }

    /// Gives the length of the character at a place, if it is one of them.
    fn at(&self, text: &str, at: usize) -> Option<usize> {
        let byte = *text.as_bytes().get(at)?;
        if byte.is_ascii() {
            return (self.ascii >> byte & 1 == 1).then_some(1);
        }
        let shown = text[at..].chars().next()?;
        let is_one = self.others.iter().any(|&(start, end)| (start..=end).contains(&shown));
        is_one.then(|| shown.len_utf8())
    }
}

/// A text on its way through the nodes.
struct Run<'a> {
    nodes: &'a [Node],
    text: &'a str,
    places: &'a mut Vec<usize>,
    /// Steps that are left.
    left: usize,
}

impl Run<'_> {
    /// Tells whether the nodes from one on match at a place.
    fn from(&mut self, mut node: usize, mut at: usize) -> bool {
        let nodes = self.nodes;
        while let Some(this) = nodes.get(node) {
            if !self.charge(1) {
                return false;
            }
            match this {
                Node::Literal(literal) => {
                    if !self.text.as_bytes()[at..].starts_with(literal) {
                        return false;
                    }
                    at += literal.len();
                }
                Node::End if at < self.text.len() => return false,
                Node::End => {}
                Node::Place(place) => {
                    if *place >= self.places.len() {
                        self.places.resize(place + 1, NOWHERE);
                    }
                    let before = std::mem::replace(&mut self.places[*place], at);
                    if self.from(node + 1, at) {
                        return true;
                    }
                    self.places[*place] = before;
                    return false;
                }
                Node::Either(ways) => return ways.iter().any(|&way| self.from(way, at)),
                Node::Jump(target) => {
                    node = *target;
                    continue;
                }
                Node::Class(some) => {
                    if (some.min, some.max) != (1, 1) {
                        return self.some(some, node + 1, at);
                    }
                    let Some(length) = some.class.at(self.text, at) else { return false };
                    at += length;
                }
            }
            node += 1;
        }
        true
    }

    /// Takes steps; false once none are left.
    fn charge(&mut self, steps: usize) -> bool {
        self.left = self.left.saturating_sub(steps);
        self.left > 0
    }

    /// The same behind characters of a class.
    fn some(&mut self, some: &Repeated, behind: usize, mut at: usize) -> bool {
        for _ in 0..some.min {
            let Some(length) = some.class.at(self.text, at) else { return false };
            at += length;
        }
        if let Some(literal) = &some.until {
            let text = self.text;
            loop {
                let rest = &text.as_bytes()[at..];
                let found = literal.find(rest);
                if !self.charge(found.unwrap_or(rest.len()) / BYTES_AT_ONCE) {
                    return false;
                }
                let Some(found) = found.map(|found| at + found) else { return false };
                if self.from(behind, found) {
                    return true;
                }
                at = found + text[found..].chars().next().map_or(1, char::len_utf8);
            }
        }
        let (least, more) = (at, some.max - some.min);
        let mut count = 0;
        while some.greedy || !self.from(behind, at) {
            let length = some.class.at(self.text, at);
            let Some(length) = length.filter(|_| count < more && self.charge(1)) else {
                return some.greedy && self.shorter(behind, least, at);
            };
            (at, count) = (at + length, count + 1);
        }
        true
    }

    /// Gives characters back, one after the other.
    fn shorter(&mut self, behind: usize, least: usize, mut at: usize) -> bool {
        while self.left > 0 {
            if self.from(behind, at) {
                return true;
            }
            if at <= least {
                return false;
            }
            at = (least..at).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(least);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    fn both(pattern: &str) -> (Sequence, Regex) {
        (Sequence::of(pattern).unwrap(), Regex::new(pattern).unwrap())
    }

    fn same((sequence, regex): &(Sequence, Regex), text: &str) -> Outcome {
        let mut places = Vec::new();
        let outcome = sequence.matches(text, &mut places);
        if outcome == Outcome::Unknown {
            return outcome;
        }
        let expected = regex.captures(text);
        assert_eq!(outcome == Outcome::Match, expected.is_some(), "{regex} on {text:?}");
        for group in 1..regex.captures_len() {
            let place = |at: usize| places.get(at).copied().filter(|&place| place != NOWHERE);
            let ours = place(2 * group).zip(place(2 * group + 1));
            let theirs = expected.as_ref().and_then(|found| found.get(group));
            let theirs = theirs.map(|found| (found.start(), found.end()));
            if expected.is_some() {
                assert_eq!(ours, theirs, "group {group} of {regex} on {text:?}");
            }
        }
        outcome
    }

    const PATTERNS: [&str; 10] = [
        r"(?s)^ab(?P<a>.*?)cd(?P<b>-?[0-9]+) e",
        r"(?s)^(?P<a>.*?)a(?P<b>.*?)b(?P<c>.*?)c$",
        r"^a(?: \(b = (?P<a>[0-9]+) c\))?\.?[ \t]*(?P<b>[^\n]+?)(?: d)?$",
        r"(?s)^['‘’](?P<a>[^'‘’]+?)['‘’]a[\s\x{A0}]*b",
        r"^(?P<a>[A-Z][A-Z ]*?) a(?P<b>[a-d]{2,3}?)b",
        r"^(?P<a>[a-c]*)(?P<b>[b-d]*)d",
        r"(?s)^a(?P<a>.*)b(?P<b>ü?)c[.。]?\s*$",
        r"^(?P<a>.*?)\n",
        r"(?s)^(?:(?P<a>a)|b(?P<b>.*?)c|)(?P<c>x| a)",
        r"^(?P<a>[a-d]*?)(?:\.| 1)?[ \t]*(?:\n|$)",
    ];

    #[test]
    fn texts_match_as_by_the_pattern_itself() {
        let pieces = [
            "a",
            "b",
            "c",
            "d",
            "ab",
            "cd",
            " e",
            "12",
            "-3",
            "\n",
            " ",
            "\u{a0}",
            "ü",
            "。",
            ".",
            "‘",
            "'",
            " (b = 5 c)",
            "A",
            "Z ",
            " a",
            "\u{FEFF}",
            "x",
        ];
        let mut state = 49_u64;
        let mut chance = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let mut outcomes = [0; 3];
        let patterns = PATTERNS.map(both);
        for _ in 0..5_000 {
            let text: String = (0..chance(12)).map(|_| pieces[chance(pieces.len())]).collect();
            for pattern in &patterns {
                outcomes[same(pattern, &text) as usize] += 1;
            }
        }
        assert!(outcomes[Outcome::Match as usize] > 1_000, "{outcomes:?}");
        assert!(outcomes[Outcome::Unknown as usize] < 100, "{outcomes:?}");
    }

    #[test]
    fn what_has_too_many_ways_is_left_to_the_pattern() {
        let text = format!("{}x", "ab".repeat(5_000));
        assert_eq!(same(&both(PATTERNS[1]), &text), Outcome::Unknown);
        assert_eq!(
            same(&both(PATTERNS[0]), &format!("ab{}cd1 e", "x".repeat(5_000))),
            Outcome::Match
        );
    }

    #[test]
    fn other_patterns_are_none() {
        for pattern in ["a", "^(?:ab)*c", "^a|b", r"^a\b", "^(?:a+b)+", "^(a)*b", "(?m)^a$b"] {
            assert!(Sequence::of(pattern).is_none(), "{pattern}");
        }
    }
}
