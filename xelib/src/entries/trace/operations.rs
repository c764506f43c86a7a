//! Which backup or restore a line belongs to.

use std::collections::HashMap;

use super::line::Line;

/// Operation, database, and the line that started it; empty texts are unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Belongs<'a> {
    pub operation: &'a str,
    pub database: &'a str,
    pub started: Option<i64>,
}

#[derive(Debug, Default)]
struct Operation {
    operation: String,
    database: String,
    started: Option<i64>,
}

impl Operation {
    fn belongs(&self) -> Belongs<'_> {
        Belongs { operation: &self.operation, database: &self.database, started: self.started }
    }
}

/// The operation that goes on in each source.
#[derive(Debug, Default)]
pub struct Operations {
    going_on: HashMap<String, Operation>,
    /// The one that ended last: its last line still belongs to it.
    ended: Operation,
}

impl Operations {
    /// Gives what the lines of a source belong to.
    pub fn of(&self, source: &str) -> Belongs<'_> {
        self.going_on.get(source).map(Operation::belongs).unwrap_or_default()
    }

    /// Gives what a line belongs to; a line that names a database says for itself and the next ones.
    pub fn assign(
        &mut self,
        line: &Line<'_>,
        known: &Belongs<'_>,
        starts: bool,
        ends: bool,
    ) -> Belongs<'_> {
        if ends {
            self.ended = self.going_on.remove(line.source).unwrap_or_default();
            return self.ended.belongs();
        }
        let names = !known.database.is_empty();
        if (names || starts) && !self.going_on.contains_key(line.source) {
            self.going_on.insert(line.source.to_owned(), Operation::default());
        }
        let Some(operation) = self.going_on.get_mut(line.source) else { return Belongs::default() };
        if names {
            set(&mut operation.operation, known.operation);
            set(&mut operation.database, known.database);
        }
        if starts {
            operation.started = Some(line.line);
        }
        operation.belongs()
    }
}

fn set(held: &mut String, text: &str) {
    if held != text {
        text.clone_into(held);
    }
}
