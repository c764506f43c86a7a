//! What the caller asks for.

use super::catalogue::Selection;

#[derive(Debug, Clone)]
pub struct Options {
    pub selection: Selection,
    pub threads: usize,
    /// The file is still being written: its last block is left alone until it is whole.
    pub live: bool,
    pub pace: Pace,
}

/// How much at a time; results do not depend on it.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Bytes of the file that a thread decodes at a time, which bounds memory; more where little
    /// comes of them.
    pub run: usize,
    /// Records of so many bytes on average are passed over, not read, when they are not wanted.
    pub skim: usize,
}

impl Default for Pace {
    /// Asking for bytes at another place costs as much as reading about 16 KB.
    fn default() -> Self {
        Self { run: 4 << 20, skim: 16 << 10 }
    }
}
