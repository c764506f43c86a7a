//! What was met that could not be read as it stands, and where an assumption was made.

use crate::pdh_text::Tally;

macro_rules! faults {
    ($($(#[$meaning:meta])* $name:ident => $text:literal,)*) => {
        /// Everything that is counted. The names that start with `Assumed` mark paths for which no
        /// real log has been seen: the sensible thing was done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Fault {
            $($(#[$meaning])* $name,)*
        }

        const NAMES: &[&str] = &[$($text,)*];
    };
}

faults! {
    /// The file ends inside a buffer.
    TornBuffer => "torn_buffer",
    /// The header counts more buffers than the file holds.
    MissingBuffers => "missing_buffers",
    /// A buffer that does not begin like one.
    BadBuffer => "bad_buffer",
    /// A buffer of zeros: the file was made longer and never written there.
    UnwrittenBuffer => "unwritten_buffer",
    /// An event whose header or size is impossible: the rest of its buffer is not read.
    BadEvent => "bad_event",
    /// Events of other providers.
    ForeignEvent => "foreign_event",
    /// Events of a type that performance logs do not have.
    UnknownEvent => "unknown_event",
    /// The writer says that it lost events or buffers.
    EventsLost => "events_lost",
    /// A sample of which a piece is missing.
    TornSample => "torn_sample",
    /// A sample with an impossible time.
    BadTime => "bad_time",
    /// A sample dated so near the end of the calendar that its UTC may lie beyond it: kept.
    FarTime => "far_time",
    /// A sample that does not begin like one, or whose blocks end before it does.
    BadSample => "bad_sample",
    /// A sample with more or fewer blocks than the catalogue has items.
    BlockCount => "block_count",
    /// A block of an unknown kind.
    UnknownBlock => "unknown_block",
    /// A block whose parts do not fit into it.
    BadBlock => "bad_block",
    /// A catalogue that cannot be read to its end.
    BadCatalogue => "bad_catalogue",
    /// A name table that cannot be read to its end.
    BadStringTable => "bad_string_table",
    /// Samples before the first catalogue.
    NoCatalogue => "no_catalogue",
    /// An index that the name table does not hold: the number stands for the name.
    UnnamedIndex => "unnamed_index",
    /// A counter type without a rule: its series is left out.
    UnknownType => "unknown_type",
    /// A fraction whose base does not follow: its series is left out.
    NoBase => "no_base",
    /// A series that another item delivers already.
    DuplicateSeries => "duplicate_series",
    /// More names than a file of this size can mean.
    TooManySeries => "too_many_series",
    /// Counters with an invalid status.
    InvalidStatus => "invalid_status",
    /// The logger never closed the file.
    AssumedOpenLog => "assumed_open_log",
    /// Buffers of a circular log, put into the order of their times.
    AssumedCircularOrder => "assumed_circular_order",
    /// Pieces without a beginning at the seam of a circular log.
    AssumedOverwritten => "assumed_overwritten",
    /// A catalogue in several pieces.
    AssumedCataloguePieces => "assumed_catalogue_pieces",
    /// A further catalogue replaced the one before it.
    AssumedNewCatalogue => "assumed_new_catalogue",
    /// A catalogue item that names a parent instance.
    AssumedParentName => "assumed_parent_name",
    /// A catalogue item that numbers its instance.
    AssumedInstanceIndex => "assumed_instance_index",
    /// Instances of one counter that share a name, numbered in their order.
    AssumedNumbering => "assumed_numbering",
    /// Instances that hang on an instance of another object.
    AssumedParentInstance => "assumed_parent_instance",
    /// Instances named by a number, or in an 8-bit code page.
    AssumedInstanceName => "assumed_instance_name",
    /// Data blocks of which the item's own object was chosen by name.
    AssumedObjectChoice => "assumed_object_choice",
    /// Rates of series that appeared after the first sample begin one sample later.
    AssumedFirstAppearance => "assumed_first_appearance",
    /// Rates begin anew after a sample with an invalid status.
    AssumedAfterInvalid => "assumed_after_invalid",
    /// A zero denominator, taken as zero.
    AssumedZeroBase => "assumed_zero_base",
    /// Counters of many timers, divided by their count.
    AssumedMultiTimer => "assumed_multi_timer",
    /// Local time moved against UTC inside the log.
    AssumedClockChange => "assumed_clock_change",
}

/// How often each fault was met, and at which byte of the file first.
#[derive(Debug, Clone)]
pub struct Faults {
    tallies: Vec<Tally>,
}

impl Default for Faults {
    fn default() -> Self {
        Self { tallies: vec![Tally::default(); NAMES.len()] }
    }
}

impl Faults {
    /// Counts `fault`, met at byte `at`.
    pub fn add(&mut self, fault: Fault, at: u64) {
        self.tallies[fault as usize].add(at);
    }

    /// Counts `fault` once per file.
    pub fn add_once(&mut self, fault: Fault, at: u64) {
        if self.tallies[fault as usize].count == 0 {
            self.add(fault, at);
        }
    }

    pub fn tally(&self, fault: Fault) -> Tally {
        self.tallies[fault as usize]
    }

    /// Everything that was met, by name.
    pub fn met(&self) -> impl Iterator<Item = (&'static str, Tally)> {
        let named = NAMES.iter().copied().zip(self.tallies.iter().copied());
        named.filter(|(_, tally)| tally.count > 0)
    }
}
