//! Names compare without regard to case.

/// Folds case, so that names compare as Windows compares them.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_folds_beyond_ascii() {
        assert_eq!(fold("ÄÖ Straße ПРОЦЕСС"), fold("äö STRASSE процесс"));
        assert_eq!(fold("Processor"), "processor");
    }
}
