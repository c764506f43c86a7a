//! Damages Extended Events files at random and holds the reader to its promises.

#![allow(dead_code)] // each test crate uses its part

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use xelib::xel::Pace;

use super::xel_rows::{THROUGH, Way, open};
use super::xel_sample;

/// Counts what a thread holds, to see memory that grows out of proportion.
pub struct Counting;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

fn count(bytes: i64) {
    let held = HELD.get() + bytes;
    HELD.set(held);
    PEAK.set(PEAK.get().max(held));
}

// SAFETY: everything is passed on to the system's allocator as it is; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        unsafe { System.dealloc(memory, layout) }
    }
}

/// The same numbers for the same seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// Numbers that sizes, counts and offsets are damaged to.
const TELLING: [u32; 14] = [
    0,
    1,
    2,
    3,
    8,
    0x4D,
    0x7F,
    0xFF,
    0x200,
    0xFFFF,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFE,
    u32::MAX,
];

/// What is damaged: the headers, the definitions, the events, or anything.
pub const TARGETS: [&str; 4] = ["header", "metadata", "data", "any"];

/// A file to damage, and where its parts lie.
pub struct Seed {
    bytes: Vec<u8>,
    targets: [Vec<std::ops::Range<usize>>; 4],
}

impl Seed {
    pub fn new(bytes: Vec<u8>) -> Self {
        let word = |at: usize| {
            let word = bytes.get(at..at + 4).and_then(|word| word.first_chunk());
            word.map_or(0, |&word| u32::from_le_bytes(word) as usize)
        };
        let mut at = word(6) & 0xFFFF;
        let mut headers: Vec<_> = std::iter::once(0..24).collect();
        let (mut metadata, mut data) = (vec![], vec![]);
        while at + 0x4D < bytes.len() && word(at + 0x10) > 0 {
            headers.push(at..at + 0x4D);
            let payload = at + (word(at + 0x16) & 0xFFFF);
            let end = bytes.len().min(payload + word(at + 0x18));
            if bytes[at + 0x0E] == 1 { &mut metadata } else { &mut data }.push(payload..end);
            at += word(at + 0x10);
        }
        let any = std::iter::once(0..bytes.len()).collect();
        Self { bytes, targets: [headers, metadata, data, any] }
    }

    pub fn samples() -> Vec<Self> {
        let mut long = xel_sample::head();
        let stacked = |n: usize| xel_sample::stacked(&vec![0x7FF8_CC8A_1B95; n]);
        long.extend(xel_sample::data_block(1, &[stacked(9), stacked(0), xel_sample::numbered(4)]));
        vec![Self::new(xel_sample::file(2, 6)), Self::new(long)]
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The file, damaged in one to four ways within a part.
    pub fn damaged(&self, target: usize, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for _ in 0..=random.below(4) {
            let ranges = &self.targets[target];
            let Some(range) = ranges.get(random.below(ranges.len())) else { break };
            let at = range.start + random.below(range.len());
            damage(&mut bytes, at, random);
        }
        bytes
    }
}

fn damage(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let at = at.min(bytes.len().saturating_sub(1));
    let length = random.below(40).min(bytes.len() - at);
    let telling = TELLING[random.below(TELLING.len())].to_le_bytes();
    match random.below(9) {
        0 | 1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes[at] = random.next() as u8,
        3 | 4 => bytes[at..].iter_mut().zip(telling).for_each(|(byte, new)| *byte = new),
        5 => bytes[at..].iter_mut().zip(&telling[..2]).for_each(|(byte, new)| *byte = *new),
        6 => drop(bytes.drain(at..at + length)),
        7 => {
            let piece = bytes[at..at + length].to_vec();
            let to = random.below(bytes.len());
            drop(bytes.splice(to..to, piece));
        }
        _ => bytes.truncate(at.max(1)),
    }
    if bytes.is_empty() {
        bytes.push(0);
    }
}

/// Beyond this, reading a file of so many bytes holds too much memory.
fn allowed(bytes: usize) -> i64 {
    (16 << 20) + 128 * bytes as i64
}

/// Reads all of a file, as the Python package does; gives how many events there were.
fn read(bytes: &Arc<Vec<u8>>, way: Way, events: Option<&str>) -> usize {
    let Ok(mut reader) = open(bytes, way, events) else { return 0 };
    let mut rows = 0;
    while let Ok(Some(batches)) = reader.next_group() {
        for batch in &batches {
            rows += batch.rows;
            assert_eq!(batch.columns.len(), 5 + batch.plan.outputs.len());
            for (column, output) in batch.columns[5..].iter().zip(&batch.plan.outputs) {
                if output.arrow == "u" && !column.values.is_empty() {
                    assert!(std::str::from_utf8(&column.values[1]).is_ok());
                    assert_eq!(column.values[0].len(), 4 * (batch.rows + 1));
                }
            }
        }
    }
    rows
}

/// Reads a damaged file and panics where that takes too long or too much, or where it matters how
/// the file is read. Gives how many events there were.
pub fn check(bytes: Vec<u8>) -> usize {
    let bytes = Arc::new(bytes);
    let held = |way, events| {
        PEAK.set(HELD.get());
        let (before, begin) = (HELD.get(), Instant::now());
        let rows = read(&bytes, way, events);
        let (took, peak) = (begin.elapsed(), PEAK.get() - before);
        assert!(took < Duration::from_secs(1), "{} bytes took {took:?}", bytes.len());
        assert!(peak < allowed(bytes.len()), "{} bytes held {peak}", bytes.len());
        rows
    };
    let rows = held(THROUGH, None);
    // Parts of one or a few blocks, whose events are passed over where they are not wanted.
    let pace = Pace { run: 512 << (bytes.len() % 4), skim: 0 };
    let way = Way { anywhere: true, pace, ..THROUGH };
    assert_eq!(held(way, None), rows);
    assert_eq!(held(way, Some("numbered")), held(THROUGH, Some("numbered")));
    rows
}
