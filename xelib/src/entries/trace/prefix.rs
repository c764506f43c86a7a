//! `Backup(database): ` in front of a step, and the time that one took.

const WORDS: [&str; 3] = ["Database", "Log", "File"];

/// A line with its parts; empty texts are missing ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefixed<'a> {
    pub operation: &'a str,
    pub database: &'a str,
    pub text: &'a str,
}

/// Takes `Backup(db): text`, `Backup: text` and `BackupDatabase: text` apart.
pub fn prefixed(line: &str) -> Option<Prefixed<'_>> {
    let begins = |word| line.strip_prefix(word);
    let (operation, rest) = match (begins("Backup"), begins("Restore")) {
        (Some(rest), _) => ("backup", rest),
        (_, Some(rest)) => ("restore", rest),
        _ => return None,
    };
    let rest = WORDS.iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    if let Some(text) = rest.strip_prefix(": ") {
        return Some(Prefixed { operation, database: "", text });
    }
    // Names of databases may hold brackets.
    let (database, text) = rest.strip_prefix('(')?.split_once("): ")?;
    Some(Prefixed { operation, database, text })
}

/// Gives the digits of the first `(elapsed = 90 ms)`; empty where there is none.
pub fn elapsed_in(text: &str) -> &str {
    let numbers = text.split("(elapsed = ").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        (end > 0 && rest[end..].starts_with(" ms)")).then(|| &rest[..end])
    });
    numbers.into_iter().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_stand_in_front() {
        for (line, operation, database, text) in [
            ("Backup(d): a", "backup", "d", "a"),
            ("Restore(a)b): c\nd): e", "restore", "a)b", "c\nd): e"),
            ("BackupDatabase: a", "backup", "", "a"),
            ("RestoreLog(d): ", "restore", "d", ""),
            ("Backup(): a", "backup", "", "a"),
        ] {
            assert_eq!(prefixed(line), Some(Prefixed { operation, database, text }), "{line}");
        }
        for line in ["Backup a", "Backup(d) a", "BackupX: a", "backup: a", "Backup/Restore buffer"]
        {
            assert_eq!(prefixed(line), None, "{line}");
        }
    }

    #[test]
    fn the_time_may_stand_anywhere() {
        assert_eq!(elapsed_in("a (elapsed = 90 ms) (elapsed = 91 ms)"), "90");
        assert_eq!(elapsed_in("(elapsed =  ms) (elapsed = 1) (elapsed = 91 ms)"), "91");
        assert_eq!(elapsed_in("(elapsed = 90"), "");
    }
}
