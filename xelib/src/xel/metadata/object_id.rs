//! How objects refer to each other.

/// Class, index within its package and package of an object. Indices differ from file to file.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// The type `null` of the first package: it ends the actions of a record.
pub const NULL_TYPE: ObjectId = ObjectId(0x6000_0000);

const EVENT: u32 = 0;
const MAP: u32 = 3;

impl ObjectId {
    pub fn is_event(self) -> bool {
        self.0 >> 28 == EVENT
    }

    pub fn is_map(self) -> bool {
        self.0 >> 28 == MAP
    }

    /// Index of the object in its package.
    pub fn index(self) -> usize {
        (self.0 >> 10 & 0x3_FFFF) as usize
    }

    /// Index of the package in the file: several packages can share a name.
    pub fn package(self) -> u16 {
        (self.0 & 0x3FF) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_and_package() {
        assert!(ObjectId(0x3000_E003).is_map());
        assert_eq!((ObjectId(0x3000_E003).index(), ObjectId(0x3000_E003).package()), (56, 3));
        assert!(ObjectId(0x0FFF_FFFF).is_event() && !NULL_TYPE.is_event());
    }
}
