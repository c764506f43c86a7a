//! Chunks of random binary XML: rows or a record that is left out, never a panic, and in bounded time.

use std::time::{Duration, Instant};

use xelib::evtx::{Columns, Decoder, NoEventLog};

const CHUNK: usize = 64 << 10;
const RECORDS: usize = 512;
const RUNS: u64 = 400;
/// Far more than any of them takes, also without optimisation.
const LONGEST: Duration = Duration::from_secs(5);
const NAMES: [&str; 10] = [
    "Event",
    "System",
    "Provider",
    "Name",
    "EventID",
    "TimeCreated",
    "SystemTime",
    "EventData",
    "Data",
    "Other",
];

struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// Writes a chunk in which little is wrong: tokens in an order that may be, and now and then none.
struct Writer {
    chance: Chance,
    chunk: Vec<u8>,
    templates: Vec<usize>,
}

impl Writer {
    fn new(seed: u64) -> Self {
        Self { chance: Chance(seed), chunk: vec![0; RECORDS], templates: Vec::new() }
    }

    fn number(&mut self, number: usize) {
        self.chunk.extend_from_slice(&(number as u32).to_le_bytes());
    }

    fn name(&mut self, name: &str) {
        if self.chance.one_in(200) {
            let anywhere = self.chance.below(CHUNK);
            return self.number(anywhere);
        }
        self.number(self.chunk.len() + 4);
        self.chunk.extend_from_slice(&[0; 6]);
        self.sized(name);
        self.chunk.extend_from_slice(&[0; 2]);
    }

    fn sized(&mut self, text: &str) {
        self.chunk.extend_from_slice(&(text.len() as u16).to_le_bytes());
        self.chunk.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    }

    fn element(&mut self, name: &str, depth: usize, is_template: bool) {
        let has_attribute = self.chance.one_in(2);
        self.chunk.push(if has_attribute { 0x41 } else { 0x01 });
        if is_template {
            self.chunk.extend_from_slice(&[0xFF; 2]);
        }
        self.number(0);
        self.name(name);
        if has_attribute {
            self.number(0);
            self.chunk.push(0x06);
            let name = NAMES[self.chance.below(NAMES.len())];
            self.name(name);
            self.content(depth, is_template);
        }
        self.chunk.push(0x02);
        if name == "Event" && depth < 6 {
            self.element("System", depth + 1, is_template);
        }
        for _ in 0..self.chance.below(4) {
            self.content(depth, is_template);
        }
        self.chunk.push(0x04);
    }

    fn content(&mut self, depth: usize, is_template: bool) {
        match self.chance.below(9) {
            0 | 1 if depth < 6 => {
                let name = NAMES[self.chance.below(NAMES.len())];
                self.element(name, depth + 1, is_template);
            }
            2 | 3 if is_template => {
                let number = self.chance.below(5) as u8;
                self.chunk.extend_from_slice(&[0x0D, number, 0, 1]);
            }
            4 if depth < 4 && !is_template => self.instance(depth + 1),
            5 if self.chance.one_in(20) => {
                let byte = self.chance.below(256) as u8;
                self.chunk.push(byte);
            }
            _ => {
                self.chunk.extend_from_slice(&[0x05, 0x01]);
                self.sized("2026-03-01T03:10:44Z");
            }
        }
    }

    fn instance(&mut self, depth: usize) {
        self.chunk.extend_from_slice(&[0x0C, 1]);
        self.number(7);
        if let Some(&known) = self.templates.last()
            && self.chance.one_in(2)
        {
            self.number(known);
        } else {
            let at = self.chunk.len() + 4;
            self.templates.push(at);
            self.number(at);
            self.chunk.extend_from_slice(&[0; 24]);
            self.chunk.extend_from_slice(&[0x0F, 1, 1, 0]);
            self.element(if depth == 0 { "Event" } else { "EventData" }, depth, true);
            self.chunk.push(0);
            let size = (self.chunk.len() - at - 24) as u32;
            self.chunk[at + 20..at + 24].copy_from_slice(&size.to_le_bytes());
        }
        let values = self.chance.below(5);
        self.number(values);
        let kinds: Vec<_> = (0..values).map(|_| self.kind()).collect();
        let descriptors = self.chunk.len();
        kinds.iter().for_each(|&kind| self.chunk.extend_from_slice(&[0, 0, kind, 0]));
        for (number, kind) in kinds.into_iter().enumerate() {
            let begin = self.chunk.len();
            if kind == 0x21 && depth < 4 {
                self.fragment(depth + 1);
            } else {
                let bytes = self.chance.below(40);
                self.chunk.extend((0..bytes).map(|n| (n % 3) as u8));
            }
            let size = (self.chunk.len() - begin) as u16;
            let at = descriptors + number * 4;
            self.chunk[at..at + 2].copy_from_slice(&size.to_le_bytes());
        }
    }

    fn kind(&mut self) -> u8 {
        match self.chance.below(4) {
            0 => 0x21,
            1 => 0x80 | self.chance.below(0x16) as u8,
            2 => self.chance.below(0x16) as u8,
            _ => self.chance.below(256) as u8,
        }
    }

    fn fragment(&mut self, depth: usize) {
        self.chunk.extend_from_slice(&[0x0F, 1, 1, 0]);
        if self.chance.one_in(2) {
            self.instance(depth);
        } else {
            self.element(if depth == 0 { "Event" } else { "EventData" }, depth, false);
        }
        self.chunk.push(0);
    }

    fn record(&mut self, number: u64) {
        let at = self.chunk.len();
        self.chunk.extend_from_slice(&[0x2A, 0x2A, 0, 0, 0, 0, 0, 0]);
        self.chunk.extend_from_slice(&number.to_le_bytes());
        self.chunk.extend_from_slice(&134_000_000_000_000_000_u64.to_le_bytes());
        self.fragment(0);
        let size = (self.chunk.len() - at + 4) as u32;
        self.number(size as usize);
        self.chunk[at + 4..at + 8].copy_from_slice(&size.to_le_bytes());
    }

    fn log(mut self) -> Vec<u8> {
        let mut number = 0;
        while self.chunk.len() < CHUNK / 2 {
            number += 1;
            self.record(number);
        }
        let free = self.chunk.len() as u32;
        self.chunk.resize(CHUNK, 0);
        self.chunk[..8].copy_from_slice(b"ElfChnk\0");
        self.chunk[32..40].copy_from_slice(&number.to_le_bytes());
        self.chunk[48..52].copy_from_slice(&free.to_le_bytes());
        let mut log = vec![0; 4096];
        log[..8].copy_from_slice(b"ElfFile\0");
        log[40..42].copy_from_slice(&4096_u16.to_le_bytes());
        log.extend_from_slice(&self.chunk);
        log
    }
}

fn decoded(log: &[u8], block: usize) -> Result<(Columns, u64), NoEventLog> {
    let mut decoder = Decoder::default();
    for block in log.chunks(block) {
        decoder.feed(block)?;
    }
    decoder.finish()?;
    let columns = decoder.take();
    Ok((columns, decoder.counts().unread.count))
}

#[test]
fn random_binary_xml_gives_rows_or_is_left_out() {
    let (mut events, mut left_out) = (0, 0);
    for seed in 0..RUNS {
        let log = Writer::new(seed).log();
        let begun = Instant::now();
        let (columns, unread) = decoded(&log, log.len()).unwrap();
        assert!(begun.elapsed() < LONGEST, "{seed}");
        assert!(std::str::from_utf8(&columns.message.bytes).is_ok(), "{seed}");
        assert_eq!(columns.message.len(), columns.rows, "{seed}");
        (events, left_out) = (events + columns.rows, left_out + unread);
    }
    assert!(events > 1000 && left_out > 1000, "{events} events, {left_out} left out");
}

#[test]
fn blocks_of_any_size_give_the_same() {
    for seed in 0..20 {
        let log = Writer::new(seed).log();
        let (whole, unread) = decoded(&log, log.len()).unwrap();
        for block in [1, 4095, 4096, 10_007] {
            let (parts, unread_parts) = decoded(&log, block).unwrap();
            assert_eq!((parts.rows, unread_parts), (whole.rows, unread), "{seed} {block}");
            assert_eq!(parts.message.bytes, whole.message.bytes, "{seed} {block}");
        }
    }
}

#[test]
fn any_end_and_any_byte_is_survived() {
    let log = Writer::new(7).log();
    for end in (0..log.len()).step_by(509) {
        let ended = decoded(&log[..end], 4096);
        assert_eq!(ended.is_err(), end < 128, "{end}");
    }
    let mut chance = Chance(11);
    for _ in 0..RUNS {
        let mut log = log.clone();
        for _ in 0..1 + chance.below(8) {
            let at = 4096 + chance.below(CHUNK / 2);
            log[at] = chance.below(256) as u8;
        }
        assert!(decoded(&log, CHUNK).is_ok());
    }
}

#[test]
fn what_begins_as_another_file_is_refused() {
    let mut log = Writer::new(1).log();
    log[0] = b'X';
    assert_eq!(decoded(&log, 100).err(), Some(NoEventLog));
    assert_eq!(decoded(b"", 100).err(), Some(NoEventLog));
    let mut without_size = Writer::new(1).log();
    without_size[40] = 0;
    without_size[41] = 0;
    assert_eq!(decoded(&without_size, 100).err(), Some(NoEventLog));
}
