//! The payload of metadata blocks: packages, one after the other.

mod action;
mod event;
mod map;
mod object_id;
mod package;
mod type_;

pub use action::Action;
pub use event::{Event, Value};
pub use map::Map;
pub use object_id::{NULL_TYPE, ObjectId};
pub use package::Package;
pub use type_::Type;

use super::error::FormatError;

/// Reads the packages of a payload, and what is wrong with them.
pub fn read(payload: &[u8], offset: u64) -> (Vec<Package>, Vec<FormatError>) {
    let (mut packages, mut errors) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < payload.len() {
        let (rest, offset) = (&payload[at..], offset + at as u64);
        // Without a length that can be trusted, the rest belongs to this package.
        let length = Package::length(rest, offset).unwrap_or_else(|error| {
            errors.push(error);
            rest.len()
        });
        let (package, outcome) = Package::read(&rest[..length], offset);
        errors.extend(outcome.err());
        packages.push(package);
        at += length;
    }
    (packages, errors)
}
