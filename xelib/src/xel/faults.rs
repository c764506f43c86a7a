//! What was met that is not as the format has it. Reading goes on.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Info,
    Warning,
    DataLoss,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::DataLoss => "data_loss",
        }
    }
}

macro_rules! kinds {
    ($($(#[$meaning:meta])* $kind:ident = $name:literal, $severity:ident;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum FaultKind { $($(#[$meaning])* $kind,)* }

        impl FaultKind {
            const COUNT: usize = [$($name),*].len();

            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            pub fn severity(self) -> Severity {
                match self { $(Self::$kind => Severity::$severity,)* }
            }
        }
    };
}

kinds! {
    /// The checksum of a block is not that of its payload; what could be read of it was delivered.
    BadChecksum = "bad_checksum", Warning;
    /// Bytes that are no block, before one that is.
    BadBlock = "bad_block", DataLoss;
    /// A block that ends early: another begins inside it.
    TornBlock = "torn_block", DataLoss;
    /// Sizes of a block and its payload that contradict each other.
    BadBlockSize = "bad_block_size", Warning;
    /// The file ends inside a block; the whole records before were delivered.
    TruncatedTail = "truncated_tail", DataLoss;
    /// The file ends after the payload of its last block, within the padding: nothing is lost.
    CutPadding = "cut_padding", Info;
    /// Bytes after the last block that are no block.
    GarbageTail = "garbage_tail", Warning;
    /// Nothing but zeros after the last block.
    ZeroTail = "zero_tail", Info;
    /// Another file begins inside the file; its events follow.
    SecondFile = "second_file", Warning;
    /// A definition that cannot be read; those before it were.
    BadMetadata = "bad_metadata", DataLoss;
    /// An object is defined again in another way; the first definition counts.
    Redefined = "redefined", Warning;
    /// A column or an action of a type that is not defined: null.
    UnknownType = "unknown_type", DataLoss;
    /// An event that is not defined: left out.
    UnknownEvent = "unknown_event", DataLoss;
    /// An action that is not defined: left out.
    UnknownAction = "unknown_action", DataLoss;
    /// Bytes of a block that are no event.
    BadRecord = "bad_record", DataLoss;
    /// The actions of an event cannot be followed to their end; those before were delivered.
    BadActions = "bad_actions", DataLoss;
    /// An event without room for all its columns: those missing are null.
    ShortPayload = "short_payload", DataLoss;
    /// A value outside its event, or of a wrong length: null.
    BadValue = "bad_value", DataLoss;
    /// An event at the end of the calendar or beyond it: its time is null, its ticks are exact.
    FarTime = "far_time", Warning;
    /// Values that would fill far more memory than the file has bytes: left out.
    OutOfProportion = "out_of_proportion", DataLoss;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// Byte offset in the file.
    pub offset: u64,
    pub message: String,
    /// How many more of the kind, not listed one by one, this stands for, itself included.
    pub count: u64,
}

/// So many faults of a kind are listed one by one; one more stands for all that follow.
const LISTED: usize = 100;

/// All that was met, in the order of the file.
#[derive(Debug, Default, Clone)]
pub struct Faults {
    faults: Vec<Fault>,
    listed: [usize; FaultKind::COUNT],
}

impl Faults {
    /// The message is only made where it is kept.
    pub fn add(&mut self, kind: FaultKind, offset: u64, message: impl fmt::Display) {
        self.merge(kind, offset, 1, || message.to_string());
    }

    /// Adds what was met after everything in `self`.
    pub fn append(&mut self, later: Faults) {
        for Fault { kind, offset, message, count } in later.faults {
            self.merge(kind, offset, count, || message);
        }
    }

    pub fn list(&self) -> &[Fault] {
        &self.faults
    }

    fn merge(
        &mut self,
        kind: FaultKind,
        offset: u64,
        count: u64,
        message: impl FnOnce() -> String,
    ) {
        let listed = &mut self.listed[kind as usize];
        if *listed > LISTED {
            if let Some(last) = self.faults.iter_mut().rfind(|fault| fault.kind == kind) {
                last.count += count;
            }
            return;
        }
        *listed += 1;
        let message = if *listed > LISTED { "more of the same".into() } else { message() };
        self.faults.push(Fault { kind, offset, message, count });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_one_kind_is_counted_and_hides_no_other() {
        let mut faults = Faults::default();
        for offset in 0..1000 {
            faults.add(FaultKind::BadValue, offset, "value");
        }
        faults.add(FaultKind::BadChecksum, 5000, "block");
        let list = faults.list();
        assert_eq!(list.len(), 102);
        assert_eq!((list[99].offset, list[99].count, &*list[99].message), (99, 1, "value"));
        assert_eq!((list[100].offset, list[100].count), (100, 900));
        assert_eq!((list[101].kind, list[101].offset), (FaultKind::BadChecksum, 5000));
    }

    #[test]
    fn lists_of_blocks_become_one() {
        let (mut first, mut second) = (Faults::default(), Faults::default());
        for offset in 0..60 {
            first.add(FaultKind::BadRecord, offset, "a");
            second.add(FaultKind::BadRecord, 100 + offset, "b");
        }
        first.append(second);
        let counted: u64 = first.list().iter().map(|fault| fault.count).sum();
        assert_eq!((first.list().len(), counted), (101, 120));
        assert_eq!(first.list()[60].offset, 100);
    }
}
