//! Globs over counter paths.

use super::case::fold;

/// Paths that match any of some globs; all when there are none.
///
/// `*` stands for any text and `?` for one character; brackets stand for themselves, for perfmon
/// writes them into instance names. Case does not count. A glob matches a whole path, with
/// `\\host` in front or without it.
#[derive(Debug, Default)]
pub struct Filter {
    globs: Vec<Vec<char>>,
}

impl Filter {
    pub fn new(globs: &[String]) -> Self {
        Self { globs: globs.iter().map(|glob| fold(glob).chars().collect()).collect() }
    }

    /// `folded` is the path after [`fold`].
    pub fn matches(&self, folded: &str) -> bool {
        if self.globs.is_empty() {
            return true;
        }
        let whole: Vec<char> = folded.chars().collect();
        let bare = folded.strip_prefix("\\\\").and_then(|rest| rest.find('\\'));
        let bare = bare.map(|at| folded[at + 2..].chars().collect::<Vec<char>>());
        self.globs
            .iter()
            .any(|glob| is_match(glob, &whole) || bare.as_ref().is_some_and(|b| is_match(glob, b)))
    }
}

/// Linear in practice: only the last star is ever tried again.
fn is_match(glob: &[char], text: &[char]) -> bool {
    let (mut g, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match glob.get(g) {
            Some('*') => {
                star = Some((g, t));
                g += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                g += 1;
                t += 1;
            }
            _ => {
                let Some((after, from)) = star else { return false };
                star = Some((after, from + 1));
                g = after + 1;
                t = from + 1;
            }
        }
    }
    glob[g..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_whole_paths_with_or_without_the_machine() {
        let matches = |glob: &str, path: &str| Filter::new(&[glob.into()]).matches(&fold(path));
        let path = r"\\HOST\Network Interface(intel[r] X)\Bytes Total/sec";
        assert!(matches(r"*\bytes total/sec", path));
        assert!(matches(r"\Network Interface(intel[r] ?)\*", path));
        assert!(matches(r"\\host\*", path));
        assert!(!matches(r"Bytes Total/sec", path));
        assert!(!matches(r"\Network Interface(*)\Bytes", path));
        assert!(Filter::new(&[]).matches("anything"));
        assert!(matches("*a*b*c*", "xxaxxbxxcxx"));
        assert!(!matches("*a*b*c*", "xxaxxcxxbxx"));
    }
}
