//! Binary XML as steps that can be taken again and again with other values.

use super::budget::Budget;
use crate::bytes::{array_at, len_at, u16_at};
use crate::utf16::append_utf16;

/// Names that the table of events asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    Event,
    System,
    Provider,
    EventId,
    Level,
    Task,
    Keywords,
    TimeCreated,
    EventRecordId,
    Channel,
    Computer,
    Security,
    EventData,
    UserData,
    RenderingInfo,
    Message,
    Data,
    Name,
    SystemTime,
    UserId,
    Other,
}

impl Known {
    fn of(name: &[u8]) -> Self {
        match name {
            b"Event" => Self::Event,
            b"System" => Self::System,
            b"Provider" => Self::Provider,
            b"EventID" => Self::EventId,
            b"Level" => Self::Level,
            b"Task" => Self::Task,
            b"Keywords" => Self::Keywords,
            b"TimeCreated" => Self::TimeCreated,
            b"EventRecordID" => Self::EventRecordId,
            b"Channel" => Self::Channel,
            b"Computer" => Self::Computer,
            b"Security" => Self::Security,
            b"EventData" => Self::EventData,
            b"UserData" => Self::UserData,
            b"RenderingInfo" => Self::RenderingInfo,
            b"Message" => Self::Message,
            b"Data" => Self::Data,
            b"Name" => Self::Name,
            b"SystemTime" => Self::SystemTime,
            b"UserID" => Self::UserId,
            _ => Self::Other,
        }
    }
}

/// Where a text of a program lies among its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    begin: u32,
    end: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Open(Known, Text),
    Attribute(Known),
    /// The attributes of an element end.
    Body,
    Close,
    Literal(Text),
    /// The value of this number.
    Value(u16),
    /// A template with its values, at this place of the chunk.
    Instance(u32),
}

/// Steps, and the texts that they name.
#[derive(Debug, Default)]
pub struct Program {
    pub steps: Vec<Step>,
    texts: Vec<u8>,
}

/// A template with its values.
#[derive(Debug, Clone, Copy)]
pub struct Instance {
    /// Where its definition is.
    pub definition: usize,
    /// Four bytes for each of its values: size, type and a zero.
    pub descriptors: usize,
    pub count: usize,
    /// Where the values begin, and where what follows the last one does.
    pub values: usize,
    pub end: usize,
}

/// Next definition, identifier and size, in front of the binary XML of a template.
const DEFINITION: usize = 24;
const FRAGMENT: usize = 4;
/// Elements in one another.
const DEEPEST: usize = 64;

pub mod token {
    pub const END: u8 = 0x00;
    pub const OPEN: u8 = 0x01;
    pub const BODY: u8 = 0x02;
    pub const CLOSE_EMPTY: u8 = 0x03;
    pub const CLOSE: u8 = 0x04;
    pub const VALUE: u8 = 0x05;
    pub const ATTRIBUTE: u8 = 0x06;
    pub const CDATA: u8 = 0x07;
    pub const CHARACTER: u8 = 0x08;
    pub const ENTITY: u8 = 0x09;
    pub const INSTRUCTION: u8 = 0x0A;
    pub const INSTRUCTION_DATA: u8 = 0x0B;
    pub const TEMPLATE: u8 = 0x0C;
    pub const SUBSTITUTION: u8 = 0x0D;
    pub const OPTIONAL: u8 = 0x0E;
    pub const FRAGMENT: u8 = 0x0F;
    /// Set where attributes follow the name, or more of the same follows.
    pub const MORE: u8 = 0x40;
}

impl Program {
    pub fn text(&self, text: Text) -> &[u8] {
        &self.texts[text.begin as usize..text.end as usize]
    }

    /// Makes a program of the template whose definition begins at a place of a chunk.
    pub fn of_template(chunk: &[u8], at: usize, budget: &mut Budget) -> Option<Self> {
        let (begin, end) = definition(chunk, at)?;
        let mut program = Self::default();
        program.fill(Reader { chunk, at: begin, end, is_template: true }, budget)?;
        Some(program)
    }

    /// Makes a program of the binary XML at a place of a chunk that belongs to no template.
    pub fn of_fragment(chunk: &[u8], at: usize, end: usize, budget: &mut Budget) -> Option<Self> {
        let mut program = Self::default();
        program.fill(Reader { chunk, at, end, is_template: false }, budget)?;
        Some(program)
    }

    fn fill(&mut self, mut reader: Reader<'_>, budget: &mut Budget) -> Option<()> {
        let mut depth = 0_usize;
        while reader.at < reader.end {
            budget.spend(0)?;
            match reader.u8()? {
                token::END => break,
                token::FRAGMENT => reader.skip(FRAGMENT - 1)?,
                open if open & !token::MORE == token::OPEN => {
                    depth += 1;
                    if depth > DEEPEST {
                        return None;
                    }
                    let (known, text) = self.open(&mut reader, open, budget)?;
                    self.steps.push(Step::Open(known, text));
                }
                token::BODY => self.steps.push(Step::Body),
                token::CLOSE | token::CLOSE_EMPTY => {
                    depth = depth.checked_sub(1)?;
                    self.steps.push(Step::Close);
                }
                other => self.content(&mut reader, other & !token::MORE, budget)?,
            }
        }
        (depth == 0).then_some(())
    }

    /// Reads the head of an element.
    fn open(
        &mut self,
        reader: &mut Reader<'_>,
        open: u8,
        budget: &mut Budget,
    ) -> Option<(Known, Text)> {
        if reader.is_template {
            // Which value the element depends on.
            reader.skip(2)?;
        }
        reader.skip(4)?;
        let text = self.name(reader, budget)?;
        if open & token::MORE != 0 {
            reader.skip(4)?;
        }
        Some((Known::of(self.text(text)), text))
    }

    fn content(&mut self, reader: &mut Reader<'_>, token: u8, budget: &mut Budget) -> Option<()> {
        match token {
            token::ATTRIBUTE => {
                let begin = self.texts.len();
                let text = self.name(reader, budget)?;
                self.steps.push(Step::Attribute(Known::of(self.text(text))));
                self.texts.truncate(begin);
            }
            token::VALUE => {
                // The type: UTF-16.
                (reader.u8()? == 1).then_some(())?;
                self.literal(reader, budget)?;
            }
            token::CDATA => self.literal(reader, budget)?,
            token::CHARACTER => {
                let unit = reader.take(2)?;
                let begin = self.texts.len();
                append_utf16(unit, &mut self.texts);
                self.push_literal(begin);
            }
            token::ENTITY => self.entity(reader, budget)?,
            token::INSTRUCTION => {
                let begin = self.texts.len();
                self.name(reader, budget)?;
                self.texts.truncate(begin);
            }
            token::INSTRUCTION_DATA => {
                reader.sized()?;
            }
            token::SUBSTITUTION | token::OPTIONAL => {
                let number = u16_at(reader.take(2)?, 0)?;
                reader.skip(1)?;
                self.steps.push(Step::Value(number));
            }
            token::TEMPLATE => {
                self.steps.push(Step::Instance(reader.at as u32));
                reader.at = instance(reader.chunk, reader.at, reader.end)?.end;
            }
            _ => return None,
        }
        Some(())
    }

    fn literal(&mut self, reader: &mut Reader<'_>, budget: &mut Budget) -> Option<()> {
        let units = reader.sized()?;
        budget.spend(units.len())?;
        let begin = self.texts.len();
        append_utf16(units, &mut self.texts);
        self.push_literal(begin);
        Some(())
    }

    fn entity(&mut self, reader: &mut Reader<'_>, budget: &mut Budget) -> Option<()> {
        let begin = self.texts.len();
        let name = self.name(reader, budget)?;
        let character: &[u8] = match self.text(name) {
            b"amp" => b"&",
            b"lt" => b"<",
            b"gt" => b">",
            b"quot" => b"\"",
            b"apos" => b"'",
            _ => return None,
        };
        self.texts.truncate(begin);
        self.texts.extend_from_slice(character);
        self.push_literal(begin);
        Some(())
    }

    fn push_literal(&mut self, begin: usize) {
        let text = self.since(begin);
        self.steps.push(Step::Literal(text));
    }

    fn since(&self, begin: usize) -> Text {
        Text { begin: begin as u32, end: self.texts.len() as u32 }
    }

    /// Reads a name, which stands here or elsewhere in the chunk.
    fn name(&mut self, reader: &mut Reader<'_>, budget: &mut Budget) -> Option<Text> {
        let at = reader.len()?;
        // The next name of its kind, and a hash.
        let units_at = at.checked_add(6)?;
        let size = usize::from(u16_at(reader.chunk, units_at)?) * 2;
        let units = reader.chunk.get(units_at + 2..units_at + 2 + size)?;
        if at == reader.at {
            // A zero ends it.
            reader.skip(8 + size + 2)?;
        }
        budget.spend(size)?;
        let begin = self.texts.len();
        append_utf16(units, &mut self.texts);
        Some(self.since(begin))
    }
}

/// Finds the binary XML of a template.
fn definition(chunk: &[u8], at: usize) -> Option<(usize, usize)> {
    let size = len_at(chunk, at.checked_add(DEFINITION - 4)?)?;
    let begin = at + DEFINITION;
    let end = begin.checked_add(size).filter(|&end| end <= chunk.len())?;
    Some((begin, end))
}

/// Reads the head of a template with its values, behind its token.
pub fn instance(chunk: &[u8], at: usize, end: usize) -> Option<Instance> {
    let mut reader = Reader { chunk, at, end, is_template: false };
    // A version, and the identifier of the template.
    reader.skip(1 + 4)?;
    let definition_at = reader.len()?;
    if definition_at == reader.at {
        reader.at = definition(chunk, definition_at)?.1;
    }
    let count = reader.len()?;
    let descriptors = reader.at;
    reader.skip(count.checked_mul(4)?)?;
    let values = reader.at;
    for descriptor in chunk.get(descriptors..values)?.as_chunks::<4>().0 {
        reader.skip(usize::from(u16_at(descriptor, 0)?))?;
    }
    Some(Instance { definition: definition_at, descriptors, count, values, end: reader.at })
}

/// Reads on from a place of a chunk to the end of what it belongs to.
struct Reader<'a> {
    chunk: &'a [u8],
    at: usize,
    end: usize,
    is_template: bool,
}

impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(bytes).filter(|&end| end <= self.end)?;
        let taken = self.chunk.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.take(bytes).map(|_| ())
    }

    fn u8(&mut self) -> Option<u8> {
        array_at(self.take(1)?, 0).map(|[byte]| byte)
    }

    fn len(&mut self) -> Option<usize> {
        len_at(self.take(4)?, 0)
    }

    /// Code units behind their number.
    fn sized(&mut self) -> Option<&'a [u8]> {
        let units = u16_at(self.take(2)?, 0)?;
        self.take(usize::from(units) * 2)
    }
}
