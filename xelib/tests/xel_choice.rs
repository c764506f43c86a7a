//! However a file is read, it gives the same; and a choice of events is all of them, the others left out.

mod xel_fuzzing;
mod xel_rows;
mod xel_sample;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use xel_fuzzing::{Random, Seed, TARGETS};
use xel_rows::*;
use xel_sample::{NUMBERED, data_block, head, metadata, metadata_block, numbered, record, stacked};
use xelib::xel::{FaultKind, Pace, Position, Reader};

/// At any offset: parts so small that they end in the middle of blocks, and everything that is not
/// wanted is passed over.
fn anywhere(threads: usize, run: usize) -> Way {
    Way { anywhere: true, threads, pace: Pace { run, skim: 0 }, ..THROUGH }
}

const WAYS: [(usize, usize); 5] = [(1, 300), (2, 600), (3, 1000), (2, 5000), (4, 1 << 20)];

/// Events of both kinds, of 50 bytes to 4 KB, in blocks of one to nine sectors.
fn mixed(blocks: u32) -> Vec<u8> {
    let mut bytes = head();
    for block in 0..blocks {
        let mut records = vec![numbered(block)];
        let frames = (block as usize * 97) % 500;
        records.extend((0..block % 3).map(|n| stacked(&vec![u64::from(n) + 1; frames])));
        records.extend((1..block % 4).map(|n| numbered(100 * block + n)));
        bytes.extend(data_block(block + 1, &records));
    }
    bytes
}

fn seeds() -> Vec<Seed> {
    Seed::samples().into_iter().chain([Seed::new(mixed(12))]).collect()
}

/// Faults inside an event that is not wanted are not looked for: its values are not.
fn within_an_event(kind: FaultKind) -> bool {
    use FaultKind::{BadValue, FarTime, OutOfProportion, ShortPayload, UnknownAction, UnknownType};
    matches!(
        kind,
        BadValue | FarTime | OutOfProportion | ShortPayload | UnknownAction | UnknownType
    )
}

fn check(bytes: Vec<u8>) -> usize {
    check_ways(bytes, &WAYS)
}

fn check_ways(bytes: Vec<u8>, ways: &[(usize, usize)]) -> usize {
    let bytes = Arc::new(bytes);
    let Some(all) = told(&bytes, THROUGH, None) else { return 0 };
    for (threads, run) in ways.iter().copied() {
        assert_eq!(told(&bytes, anywhere(threads, run), None).unwrap(), all, "{threads} {run}");
    }
    let mut events = 0;
    for event in ["numbered", "stacked"] {
        let rows: Vec<_> = all.rows.iter().filter(|row| row.event == event).cloned().collect();
        let others: Vec<_> = all.rows.iter().filter(|row| row.event != event).collect();
        // The column after four others is the offset in the file.
        let of_others = |offset: u64| {
            let offset = Some(offset.to_le_bytes().to_vec());
            others.iter().any(|row| row.values[4] == offset)
        };
        let chosen = told(&bytes, THROUGH, Some(event)).unwrap();
        assert_eq!((&chosen.rows, chosen.position), (&rows, all.position), "{event}");
        // Beyond a hundred of a kind, faults are only counted.
        if all.faults.iter().all(|fault| fault.count == 1) {
            let mut faults = all.faults.clone();
            faults.retain(|fault| !(within_an_event(fault.kind) && of_others(fault.offset)));
            assert_eq!(chosen.faults, faults, "{event}");
        }
        for (threads, run) in ways.iter().copied() {
            let found = told(&bytes, anywhere(threads, run), Some(event)).unwrap();
            assert_eq!(found, chosen, "{event} {threads} {run}");
        }
        events += rows.len();
    }
    events
}

#[test]
fn whole_files() {
    for blocks in [0, 1, 2, 7, 40] {
        let numbered: u32 = (0..blocks).map(|n: u32| 1 + (n % 4).saturating_sub(1)).sum();
        let stacked: u32 = (0..blocks).map(|n| n % 3).sum();
        assert_eq!(check(mixed(blocks)) as u32, numbered + stacked, "{blocks}");
    }
}

#[test]
fn damaged_files() {
    for (target, name) in TARGETS.iter().enumerate() {
        let mut random = Random::new(target as u64 + 99);
        let mut rows = 0;
        for seed in seeds() {
            for n in 0..50 {
                rows += check_ways(seed.damaged(target, &mut random), &WAYS[n % WAYS.len()..][..1]);
            }
        }
        assert!(rows > 500, "{name}: {rows} events");
    }
}

#[test]
fn files_that_are_cut_anywhere() {
    let bytes = mixed(9);
    for end in (head().len()..bytes.len()).step_by(397) {
        check(bytes[..end].to_vec());
    }
}

#[test]
fn two_files_in_one_and_definitions_between_blocks() {
    let second = [mixed(5), mixed(7)].concat();
    assert_eq!(check(second), check(mixed(5)) + check(mixed(7)));
    let between: Vec<_> = (0..20)
        .flat_map(|n| [metadata_block(&metadata()), data_block(n + 1, &[numbered(n)])].concat())
        .collect();
    assert_eq!(check([head(), between].concat()), 20);
}

#[test]
fn a_file_within_an_event_is_no_part_of_the_file() {
    let inner = mixed(3);
    let value: Vec<u8> = [1u32, 20, inner.len() as u32, 0, 0].map(u32::to_le_bytes).concat();
    let record = record(NUMBERED, 0, &[value, inner].concat(), &[]);
    let mut bytes = mixed(4);
    bytes.extend(data_block(5, &[record]));
    bytes.extend(data_block(6, &[numbered(6), numbered(7)]));
    assert_eq!(check(bytes), check(mixed(4)) + 3);
}

#[test]
fn checksums_of_blocks_without_chosen_events_are_checked() {
    let mut bytes = head();
    for n in 0..20 {
        bytes.extend(data_block(n + 1, &[stacked(&[7; 400]), stacked(&[8; 400])]));
    }
    let block = (bytes.len() - head().len()) / 20;
    let damaged = head().len() + 15 * block;
    bytes[damaged + block - 600] ^= 1;
    let told = told(&Arc::new(bytes), anywhere(1, 2 * block), Some("numbered")).unwrap();
    let faults: Vec<_> = told.faults.iter().map(|fault| (fault.kind, fault.offset)).collect();
    assert_eq!(faults, [(FaultKind::BadChecksum, damaged as u64)]);
    assert_eq!(told.position.seq, 40);
}

#[test]
fn what_is_passed_over_is_not_read() {
    let large = stacked(&[7; 100_000]);
    let mut bytes = head();
    for n in 0..10 {
        bytes.extend(data_block(n + 1, &[numbered(n), large.clone(), numbered(100 + n)]));
    }
    let (bytes, way) = (Arc::new(bytes), Way { anywhere: true, ..THROUGH });
    let source = Anywhere::new(&bytes);
    let read = source.counter();
    let options = way.options(Some("numbered"));
    let told = rest(&mut Reader::open(Box::new(source), options).unwrap());
    let seqs: Vec<_> = told.rows.iter().map(|row| row.seq).collect();
    assert_eq!(seqs, (0..10).flat_map(|n| [3 * n, 3 * n + 2]).collect::<Vec<_>>());
    // The definitions and the first blocks, before it is known how large events are.
    let read = read.load(Ordering::Relaxed);
    assert!(read < bytes.len() / 3, "{read} of {} bytes", bytes.len());
}

#[test]
fn a_growing_file_is_read_on_from_where_it_ended() {
    let whole = Arc::new(mixed(9));
    let all = told(&whole, THROUGH, None).unwrap();
    for (threads, run) in WAYS {
        let way = Way { live: true, ..anywhere(threads, run) };
        let (mut position, mut rows) = (Position::default(), Vec::new());
        for end in (head().len()..whole.len()).step_by(211).chain([whole.len()]) {
            let part = Arc::new(whole[..end].to_vec());
            let mut reader = open(&part, way, None).unwrap();
            reader.resume(position).unwrap();
            let told = rest(&mut reader);
            assert_eq!(told.faults, [], "{end}");
            rows.extend(told.rows);
            position = told.position;
        }
        assert_eq!((rows, position), (all.rows.clone(), all.position), "{threads} {run}");
    }
}
