//! What the table of events keeps of the binary XML of a record, as it goes by.

use super::program::Known;
use super::value::{self, kind};
use crate::calendar::midnight;
use crate::entries::KEPT_BYTES;

/// Elements in one another.
const DEEPEST: usize = 64;
/// Values of an event that are kept.
const MOST_VALUES: usize = 1001;

/// Texts of an event's System, each once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Source,
    EventId,
    Level,
    Task,
    Keywords,
    Record,
    Log,
    Computer,
    User,
}
const FIELDS: usize = 9;

/// Where in an event an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Event,
    System,
    Provider,
    Created,
    Security,
    Field(Field),
    Rendered,
    Message,
    /// EventData or UserData.
    Part(usize),
    /// An element in one of these.
    Inner(usize),
    Other,
}

#[derive(Debug)]
struct Element {
    role: Role,
    is_data: bool,
    has_attributes: bool,
    has_children: bool,
    /// Where its name begins among the names, and its text among the texts.
    name: usize,
    text: usize,
}

/// Values as a message, in front of which their names stand.
#[derive(Debug, Default)]
struct Values {
    text: Vec<u8>,
    count: usize,
}

/// An event; used again for the next one.
#[derive(Debug, Default)]
pub struct Event {
    open: Vec<Element>,
    names: Vec<u8>,
    texts: Vec<u8>,
    /// What an attribute is called, and where its text begins.
    attribute: Option<(Known, usize)>,
    is_event: bool,
    fields: [Vec<u8>; FIELDS],
    created: Option<i64>,
    rendered: Vec<u8>,
    values: [Values; 2],
}

impl Event {
    pub fn clear(&mut self) {
        self.open.clear();
        self.names.clear();
        self.texts.clear();
        self.attribute = None;
        self.is_event = false;
        self.fields.iter_mut().for_each(Vec::clear);
        self.created = None;
        self.rendered.clear();
        for values in &mut self.values {
            values.text.clear();
            values.count = 0;
        }
    }

    /// Tells whether it was an event, with what every event has.
    pub fn is_event(&self) -> bool {
        self.is_event
    }

    /// When it was created: microseconds since 1970.
    pub fn created(&self) -> Option<i64> {
        self.created
    }

    /// The text of a field; `None` where there is none.
    pub fn text(&self, field: Field) -> Option<&[u8]> {
        let text = &*self.fields[field as usize];
        (!text.is_empty()).then_some(text)
    }

    /// The number that a field is.
    pub fn number(&self, field: Field) -> Option<i64> {
        let text = self.text(field)?;
        text.iter().all(u8::is_ascii_digit).then(|| std::str::from_utf8(text).ok()?.parse().ok())?
    }

    /// Appends what the writer made of its message, or the values that it carries.
    pub fn append_message(&self, out: &mut Vec<u8>) {
        let begin = out.len();
        if self.rendered.is_empty() {
            let [data, user] = &self.values;
            out.extend_from_slice(&data.text);
            if data.count > 0 && user.count > 0 {
                out.extend_from_slice(b"; ");
            }
            out.extend_from_slice(&user.text);
        } else {
            out.extend_from_slice(&self.rendered);
        }
        if out.len() - begin > KEPT_BYTES {
            let mut end = begin + KEPT_BYTES;
            while out[end] & 0xC0 == 0x80 {
                end -= 1;
            }
            out.truncate(end);
        }
    }

    /// Tells of the beginning of an element; `None` where too many are open.
    pub fn open(&mut self, known: Known, name: &[u8]) -> Option<()> {
        self.end_attribute();
        let role = match self.open.last_mut() {
            None if known == Known::Event => Role::Event,
            None => Role::Other,
            Some(parent) => {
                parent.has_children = true;
                role(parent.role, known)
            }
        };
        self.open.push(Element {
            role,
            is_data: known == Known::Data,
            has_attributes: false,
            has_children: false,
            name: self.names.len(),
            text: self.texts.len(),
        });
        if matches!(role, Role::Inner(_)) && known != Known::Data {
            self.names.extend_from_slice(name);
        }
        (self.open.len() <= DEEPEST).then_some(())
    }

    pub fn attribute(&mut self, known: Known) {
        self.end_attribute();
        self.attribute = Some((known, self.texts.len()));
    }

    pub fn body(&mut self) {
        self.end_attribute();
    }

    pub fn literal(&mut self, text: &[u8]) {
        if self.is_kept() {
            self.texts.extend_from_slice(text);
        }
    }

    /// Tells of a value, or of many of a kind; `None` where it is none of its kind.
    pub fn value(&mut self, kind: u8, bytes: &[u8]) -> Option<()> {
        if !self.is_kept() {
            return Some(());
        }
        if kind & kind::ARRAY != 0 {
            return self.items(kind & !kind::ARRAY, bytes);
        }
        if kind == kind::FILETIME && self.is_creation() {
            self.created = self.created.or_else(|| value::moment(bytes));
            return Some(());
        }
        value::append(kind, bytes, &mut self.texts)
    }

    /// Tells of the end of an element; `None` where none is open.
    pub fn close(&mut self) -> Option<()> {
        self.end_attribute();
        let element = self.open.pop()?;
        let text = &self.texts[element.text..];
        match element.role {
            Role::System => self.is_event |= element.has_children || element.has_attributes,
            Role::Field(field) => set(&mut self.fields[field as usize], text),
            Role::Message => set(&mut self.rendered, text),
            Role::Part(_) | Role::Inner(_) => {
                let begin = element.text;
                self.keep(&element, begin);
            }
            _ => {}
        }
        self.texts.truncate(element.text);
        self.names.truncate(element.name);
        Some(())
    }

    /// Tells whether anything is made of the text that comes.
    fn is_kept(&self) -> bool {
        match self.open.last().map(|element| element.role) {
            Some(Role::Field(_) | Role::Message) => self.attribute.is_none(),
            Some(Role::Part(part) | Role::Inner(part)) => {
                let values = &self.values[part];
                values.text.len() <= KEPT_BYTES && values.count < MOST_VALUES
            }
            Some(Role::Provider | Role::Created | Role::Security) => self.attribute.is_some(),
            // That there is one.
            Some(Role::System) => true,
            _ => false,
        }
    }

    fn is_creation(&self) -> bool {
        let role = self.open.last().map(|element| element.role);
        role == Some(Role::Created)
            && matches!(self.attribute, Some((Known::SystemTime, begin)) if begin == self.texts.len())
    }

    fn end_attribute(&mut self) {
        let (Some((known, begin)), Some(element)) = (self.attribute.take(), self.open.last_mut())
        else {
            return;
        };
        let text = &self.texts[begin..];
        match (element.role, known) {
            (Role::Provider, Known::Name) => set(&mut self.fields[Field::Source as usize], text),
            (Role::Security, Known::UserId) => set(&mut self.fields[Field::User as usize], text),
            (Role::Created, Known::SystemTime) => {
                self.created = self.created.or_else(|| moment(text))
            }
            (Role::Inner(_), Known::Name) if element.is_data => {
                self.names.truncate(element.name);
                self.names.extend_from_slice(text);
            }
            _ => element.has_attributes |= !text.is_empty(),
        }
        self.texts.truncate(begin);
    }

    /// Takes the items of an array each as an element of its own, as XML has them.
    fn items(&mut self, kind: u8, bytes: &[u8]) -> Option<()> {
        let Some(size) = value::item_size(kind, bytes) else {
            if kind != kind::STRING {
                return value::append(kind, bytes, &mut self.texts);
            }
            let units = bytes.as_chunks::<2>().0;
            let ended = units.strip_suffix(&[[0, 0]]).unwrap_or(units);
            let items = ended.split(|unit| *unit == [0, 0]);
            for (number, item) in items.enumerate() {
                if number > 0 && !self.next_item() {
                    break;
                }
                value::append_string(item.as_flattened(), &mut self.texts);
            }
            return Some(());
        };
        for (number, item) in bytes.chunks(size).enumerate() {
            if number > 0 && !self.next_item() {
                break;
            }
            value::append(kind, item, &mut self.texts)?;
        }
        Some(())
    }

    /// Ends an item where another of the same element follows; false where one alone is kept.
    fn next_item(&mut self) -> bool {
        let Some(element) = self.open.pop() else {
            return false;
        };
        let is_value = matches!(element.role, Role::Part(_) | Role::Inner(_));
        if is_value && self.attribute.is_none() {
            self.keep(&element, element.text);
            self.texts.truncate(element.text);
        }
        let goes_on = is_value && self.attribute.is_none();
        self.open.push(element);
        goes_on && self.is_kept()
    }

    /// Keeps the text of an element as a value of the message.
    fn keep(&mut self, element: &Element, begin: usize) {
        let (Role::Part(part) | Role::Inner(part)) = element.role else {
            return;
        };
        let text = &self.texts[begin..];
        let is_leaf = !element.has_children;
        if text.is_empty()
            && !(element.is_data && is_leaf && matches!(element.role, Role::Inner(_)))
        {
            return;
        }
        let values = &mut self.values[part];
        if values.count > 0 {
            values.text.extend_from_slice(b"; ");
        }
        values.count += 1;
        let name = &self.names[element.name..];
        // A text beside attributes or elements is not what the element is called after.
        let is_named = element.is_data || (is_leaf && !element.has_attributes);
        if is_named && !name.is_empty() {
            values.text.extend_from_slice(name);
            values.text.extend_from_slice(b": ");
        }
        values.text.extend_from_slice(text);
    }
}

fn role(parent: Role, known: Known) -> Role {
    match (parent, known) {
        (Role::Event, Known::System) => Role::System,
        (Role::Event, Known::EventData) => Role::Part(0),
        (Role::Event, Known::UserData) => Role::Part(1),
        (Role::Event, Known::RenderingInfo) => Role::Rendered,
        (Role::Rendered, Known::Message) => Role::Message,
        (Role::Part(part) | Role::Inner(part), _) => Role::Inner(part),
        (Role::System, known) => match known {
            Known::Provider => Role::Provider,
            Known::EventId => Role::Field(Field::EventId),
            Known::Level => Role::Field(Field::Level),
            Known::Task => Role::Field(Field::Task),
            Known::Keywords => Role::Field(Field::Keywords),
            Known::TimeCreated => Role::Created,
            Known::EventRecordId => Role::Field(Field::Record),
            Known::Channel => Role::Field(Field::Log),
            Known::Computer => Role::Field(Field::Computer),
            Known::Security => Role::Security,
            _ => Role::Other,
        },
        _ => Role::Other,
    }
}

/// Sets what was not set before.
fn set(field: &mut Vec<u8>, text: &[u8]) {
    if field.is_empty() {
        field.extend_from_slice(text);
    }
}

/// Reads `2026-03-01T03:10:44.1234567Z`, with any fraction or none.
fn moment(text: &[u8]) -> Option<i64> {
    let number = |from: usize, to: usize| {
        let digits = text.get(from..to)?;
        let add = |number, digit: &u8| number * 10 + i64::from(digit - b'0');
        digits.iter().all(u8::is_ascii_digit).then(|| digits.iter().fold(0, add))
    };
    let marks = [4, 7, 13, 16].map(|at| text.get(at).copied());
    if marks != [b'-', b'-', b':', b':'].map(Some) || !matches!(text.get(10), Some(b'T' | b' ')) {
        return None;
    }
    let days = midnight(number(0, 4)?, number(5, 7)?, number(8, 10)?)?;
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let fraction = text.get(19..).filter(|rest| rest.first() == Some(&b'.'));
    let fraction = fraction.map_or(&[][..], |rest| &rest[1..]);
    let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit());
    let digits = digits.map(|digit| i64::from(digit - b'0')).chain(std::iter::repeat(0));
    let micros = digits.take(6).fold(0, |number, digit| number * 10 + digit);
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000 + micros)
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn times_with_any_fraction() {
        let micros = Some(1_772_334_644_123_456);
        for text in [
            "2026-03-01T03:10:44.123456Z",
            "2026-03-01 03:10:44.1234569",
            "2026-03-01T03:10:44.12345678Z",
        ] {
            assert_eq!(moment(text.as_bytes()), micros, "{text}");
        }
        assert_eq!(moment(b"2026-03-01T03:10:44Z"), micros.map(|micros| micros - 123_456));
        assert_eq!(moment(b"2026-03-01T03:10:44.5"), micros.map(|micros| micros + 376_544));
    }

    #[test]
    fn what_is_no_time() {
        for text in [
            "",
            "2026-03-01",
            "2026-02-29T03:10:44Z",
            "2026-03-01T24:10:44Z",
            "2026-03-01T03:1x:44",
        ] {
            assert_eq!(moment(text.as_bytes()), None, "{text}");
        }
    }
}
