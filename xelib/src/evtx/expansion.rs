//! Steps of programs with the values of a record.

use std::collections::HashMap;
use std::sync::Arc;

use super::budget::Budget;
use super::event::Event;
use super::program::{Instance, Program, Step, instance, token};
use super::value::kind;
use crate::bytes::u16_at;

/// Binary XML in values of binary XML; events have one in another.
const DEEPEST: usize = 16;

/// The templates of a chunk, and what is left to spend on it.
#[derive(Debug, Default)]
pub struct Templates {
    known: HashMap<usize, Arc<Program>>,
    values: Vec<Value>,
    budget: Budget,
}

/// A value of a record: what it is, and where in the chunk.
#[derive(Debug, Clone, Copy)]
struct Value {
    kind: u8,
    begin: usize,
    end: usize,
}

impl Templates {
    /// Forgets those of another chunk.
    pub fn clear(&mut self) {
        self.known.clear();
        self.budget = Budget::default();
    }

    /// Tells an event of the binary XML of a record; `None` where it cannot be read.
    pub fn expand(&mut self, chunk: &[u8], at: usize, end: usize, event: &mut Event) -> Option<()> {
        self.values.clear();
        self.fragment(chunk, at, end, 0, event)
    }

    fn fragment(
        &mut self,
        chunk: &[u8],
        mut at: usize,
        end: usize,
        depth: usize,
        event: &mut Event,
    ) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        if chunk.get(at) == Some(&token::FRAGMENT) {
            at += 4;
        }
        if chunk.get(at) == Some(&token::TEMPLATE) {
            return self.instance(chunk, instance(chunk, at + 1, end)?, depth, event);
        }
        let program = Program::of_fragment(chunk, at, end, &mut self.budget)?;
        self.run(chunk, &program, self.values.len(), depth, event)
    }

    fn instance(
        &mut self,
        chunk: &[u8],
        instance: Instance,
        depth: usize,
        event: &mut Event,
    ) -> Option<()> {
        let program = if let Some(known) = self.known.get(&instance.definition) {
            Arc::clone(known)
        } else {
            let made = Program::of_template(chunk, instance.definition, &mut self.budget)?;
            let made = Arc::new(made);
            self.known.insert(instance.definition, Arc::clone(&made));
            made
        };
        self.budget.spend(instance.count * 4)?;
        let first = self.values.len();
        let descriptors = chunk.get(instance.descriptors..instance.values)?.as_chunks::<4>().0;
        let mut begin = instance.values;
        for descriptor in descriptors {
            let end = begin + usize::from(u16_at(descriptor, 0)?);
            self.values.push(Value { kind: descriptor[2], begin, end });
            begin = end;
        }
        self.run(chunk, &program, first, depth, event)?;
        self.values.truncate(first);
        Some(())
    }

    /// Takes the steps of a program, whose values are those from `first` on.
    fn run(
        &mut self,
        chunk: &[u8],
        program: &Program,
        first: usize,
        depth: usize,
        event: &mut Event,
    ) -> Option<()> {
        for &step in &program.steps {
            self.budget.spend(0)?;
            match step {
                Step::Open(known, text) => event.open(known, program.text(text))?,
                Step::Attribute(known) => event.attribute(known),
                Step::Body => event.body(),
                Step::Close => event.close()?,
                Step::Literal(text) => {
                    let text = program.text(text);
                    self.budget.spend(text.len())?;
                    event.literal(text);
                }
                Step::Value(number) => {
                    let Some(&value) = self.values.get(first + usize::from(number)) else {
                        continue;
                    };
                    let bytes = chunk.get(value.begin..value.end)?;
                    if value.kind != kind::XML {
                        self.budget.spend(bytes.len())?;
                        event.value(value.kind, bytes)?;
                    } else if !bytes.is_empty() {
                        self.fragment(chunk, value.begin, value.end, depth + 1, event)?;
                    }
                }
                Step::Instance(at) => {
                    let found = instance(chunk, at as usize, chunk.len())?;
                    self.instance(chunk, found, depth + 1, event)?;
                }
            }
        }
        Some(())
    }
}
