//! What the bytes of a column or an action mean, and how Arrow holds them.

use std::sync::Arc;

use super::metadata::{Map, Type};

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Integer {
        width: usize,
        signed: bool,
    },
    Float {
        width: usize,
    },
    Boolean {
        width: usize,
    },
    /// Hundreds of nanoseconds since 1601-01-01, UTC.
    Filetime,
    Pointer {
        width: usize,
    },
    Unicode,
    Ansi,
    Guid,
    Binary,
    CallStack,
    /// A guid and a number.
    ActivityId,
    Map(Arc<Map>),
    /// A fixed size whose meaning is not known.
    Opaque {
        width: usize,
    },
    /// Not even the size is known: always null.
    Undefined,
}

/// Bytes of an activity id.
pub const ACTIVITY_ID_BYTES: usize = 20;

impl Kind {
    /// By name: a name means the same in every build, an index does not.
    pub fn of_type(definition: &Type) -> Self {
        let width = usize::from(definition.size);
        let whole = matches!(width, 1 | 2 | 4 | 8);
        match (&*definition.name, width) {
            ("int8" | "int16" | "int32" | "int64", _) if whole => {
                Self::Integer { width, signed: true }
            }
            ("float32" | "float64", 4 | 8) => Self::Float { width },
            ("boolean", 1..=8) => Self::Boolean { width },
            ("filetime", 8) => Self::Filetime,
            ("ptr" | "ansi_string_ptr" | "unicode_string_ptr" | "guid_ptr", 1..=8) => {
                Self::Pointer { width }
            }
            ("unicode_string" | "xml", 0) => Self::Unicode,
            ("ansi_string", 0) => Self::Ansi,
            ("guid", 0 | 16) => Self::Guid,
            ("callstack", 0) => Self::CallStack,
            ("activity_id" | "activity_id_xfer", ACTIVITY_ID_BYTES) => Self::ActivityId,
            (_, 0) => Self::Binary,
            _ if whole => Self::Integer { width, signed: false },
            _ => Self::Opaque { width },
        }
    }

    pub fn of_map(map: &Arc<Map>) -> Self {
        match usize::from(map.key_size) {
            0 => Self::Undefined,
            1..=8 => Self::Map(Arc::clone(map)),
            width => Self::Opaque { width },
        }
    }

    /// How Arrow holds the value: the format string of Arrow's C data interface.
    pub fn arrow(&self) -> &'static str {
        match self {
            Self::Integer { width, signed } => integer(*width, *signed),
            Self::Float { width: 4 } => "f",
            Self::Float { .. } => "g",
            Self::Boolean { .. } => "b",
            Self::Filetime => "l",
            Self::Pointer { .. }
            | Self::Unicode
            | Self::Ansi
            | Self::Guid
            | Self::ActivityId
            | Self::Map(_) => "u",
            Self::CallStack => "+l",
            Self::Binary | Self::Opaque { .. } | Self::Undefined => "z",
        }
    }

    /// How Arrow holds the key of a map.
    pub fn key_arrow(map: &Map) -> &'static str {
        integer(usize::from(map.key_size).next_power_of_two(), false)
    }
}

fn integer(width: usize, signed: bool) -> &'static str {
    match (width, signed) {
        (1, true) => "c",
        (2, true) => "s",
        (4, true) => "i",
        (_, true) => "l",
        (1, false) => "C",
        (2, false) => "S",
        (4, false) => "I",
        (_, false) => "L",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xel::metadata::ObjectId;

    fn kind(name: &str, size: u8) -> Kind {
        Kind::of_type(&Type { id: ObjectId(0), name: name.into(), size })
    }

    #[test]
    fn every_type_of_the_first_package() {
        let arrow = [
            ("int8", 1, "c"),
            ("int16", 2, "s"),
            ("int32", 4, "i"),
            ("int64", 8, "l"),
            ("uint8", 1, "C"),
            ("uint16", 2, "S"),
            ("uint32", 4, "I"),
            ("uint64", 8, "L"),
            ("float32", 4, "f"),
            ("float64", 8, "g"),
            ("cpu_cycle", 8, "L"),
            ("filetime", 8, "l"),
            ("ptr", 8, "u"),
            ("guid_ptr", 8, "u"),
            ("char", 1, "C"),
            ("wchar", 2, "S"),
            ("ansi_string", 0, "u"),
            ("unicode_string", 0, "u"),
            ("guid", 0, "u"),
            ("binary_data", 0, "z"),
            ("callstack", 0, "+l"),
            ("activity_id", 20, "u"),
            ("activity_id_xfer", 20, "u"),
            ("boolean", 1, "b"),
            ("xml", 0, "u"),
        ];
        for (name, size, expected) in arrow {
            assert_eq!(kind(name, size).arrow(), expected, "{name}");
        }
    }

    #[test]
    fn a_pointer_of_a_32_bit_server() {
        assert_eq!(kind("ptr", 4), Kind::Pointer { width: 4 });
    }

    #[test]
    fn unknown_types_by_their_size() {
        assert_eq!(kind("novel", 4), Kind::Integer { width: 4, signed: false });
        assert_eq!(kind("novel", 0), Kind::Binary);
        assert_eq!(kind("novel", 12), Kind::Opaque { width: 12 });
        assert_eq!(kind("int32", 3), Kind::Opaque { width: 3 });
        assert_eq!(kind("unicode_string", 8), Kind::Integer { width: 8, signed: false });
    }
}
