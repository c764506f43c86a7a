//! Damaged and growing Extended Events files: everything readable comes out, every fault is told.

mod xel_sample;

use xel_sample::*;
use xelib::xel::{Position, ReadError};

fn numbers(range: std::ops::Range<u32>) -> Vec<u32> {
    range.collect()
}

#[test]
fn a_whole_file_has_no_faults() {
    let given = given(&file(3, 10));
    assert_eq!(given, Given { numbers: numbers(0..30), faults: vec![] });
}

#[test]
fn the_size_of_the_pieces_does_not_matter() {
    let bytes = file(4, 5);
    for piece in [1, 7, 511, 512, 513, 4096] {
        let mut reader = open(&bytes, false, piece).unwrap();
        assert_eq!(drain(&mut reader).numbers, numbers(0..20), "{piece}");
    }
}

#[test]
fn a_file_of_another_kind_or_version_is_an_error() {
    for (at, value, what) in [
        (0, 0x50, "magic of an Extended Events file"),
        (4, 9, "file version"),
        (4, 11, "file version"),
    ] {
        let mut bytes = file(1, 1);
        bytes[at] = value;
        let Err(ReadError::Format(error)) = open(&bytes, false, usize::MAX) else { panic!() };
        assert_eq!((error.what, error.offset), (what, at as u64));
    }
    assert!(matches!(open(&[], false, 1), Err(ReadError::Format(_))));
}

#[test]
fn a_cut_file_gives_the_whole_records_before_the_cut() {
    let bytes = file(2, 4);
    let data = head().len();
    let second = data + data_block(1, &[numbered(0), numbered(1), numbered(2), numbered(3)]).len();
    let ends: Vec<usize> =
        (4..=8).map(|n| second + 0x4D + (4..n).map(|n| numbered(n).len()).sum::<usize>()).collect();
    for end in second + 1..bytes.len() {
        let whole = 4 + ends[1..].iter().filter(|&&record| record <= end).count() as u32;
        let given = given(&bytes[..end]);
        assert_eq!(given.numbers, numbers(0..whole), "{end}");
        let kind = match end - second {
            // Of the header, only zeros are there yet.
            ..=8 => "zero_tail",
            _ if end < ends[4] => "truncated_tail",
            _ => "cut_padding",
        };
        assert_eq!(given.faults, [(kind, second as u64)], "{end}");
    }
}

#[test]
fn a_wrong_checksum_is_told_and_the_events_are_delivered() {
    let mut bytes = file(3, 2);
    let second = head().len() + SECTOR;
    bytes[second + 0x1C] ^= 1;
    assert_eq!(
        given(&bytes),
        Given { numbers: numbers(0..6), faults: vec![("bad_checksum", second as u64)] }
    );
}

#[test]
fn garbage_between_blocks_is_skipped() {
    for garbage in [vec![0xAB; 512], vec![0; 1024], vec![10; 77]] {
        let bytes = [head(), data_block(1, &[numbered(0)]), garbage, data_block(2, &[numbered(1)])];
        let at = (head().len() + SECTOR) as u64;
        let expected = Given { numbers: numbers(0..2), faults: vec![("bad_block", at)] };
        assert_eq!(given(&bytes.concat()), expected);
    }
}

#[test]
fn tails_of_zeros_and_of_garbage() {
    let bytes = file(1, 1);
    let at = bytes.len() as u64;
    for (tail, kind) in [
        (vec![0; 4096], "zero_tail"),
        (vec![0; 10], "zero_tail"),
        (vec![0xAB; 4096], "garbage_tail"),
        (vec![0xAB; 10], "truncated_tail"),
    ] {
        let expected = Given { numbers: vec![0], faults: vec![(kind, at)] };
        assert_eq!(given(&[bytes.clone(), tail].concat()), expected);
    }
}

#[test]
fn a_block_whose_header_is_damaged_costs_itself() {
    let second = head().len() + SECTOR;
    for (at, value) in [(0x0C, 9), (0x0E, 2), (0x10, 1), (0x16, 0)] {
        let mut bytes = file(3, 2);
        bytes[second + at] = value;
        let expected =
            Given { numbers: vec![0, 1, 4, 5], faults: vec![("bad_block", second as u64)] };
        assert_eq!(given(&bytes), expected, "{at:#x}");
    }
}

#[test]
fn a_size_that_is_too_large_does_not_swallow_what_follows() {
    let second = head().len() + SECTOR;
    for size in [1024u32, 1536, 4096, 1 << 20, 1 << 27] {
        let mut bytes = file(4, 2);
        bytes[second + 0x10..second + 0x14].copy_from_slice(&size.to_le_bytes());
        let faults = vec![("bad_block_size", second as u64)];
        assert_eq!(given(&bytes), Given { numbers: numbers(0..8), faults }, "{size}");
    }
}

#[test]
fn a_torn_block_gives_the_records_before_the_next_block() {
    let records: Vec<_> = (0..40).map(numbered).collect();
    let torn = &data_block(1, &records)[..1024];
    let bytes = [&head()[..], torn, &data_block(2, &[numbered(40)])].concat();
    let given = given(&bytes);
    let whole = (0..40)
        .take_while(|&n| 0x4D + records[..=n].iter().map(Vec::len).sum::<usize>() <= 1024)
        .count() as u32;
    assert_eq!(given.numbers, [numbers(0..whole), vec![40]].concat());
    assert_eq!(given.faults, [("torn_block", head().len() as u64)]);
}

#[test]
fn a_bad_event_costs_itself() {
    let records = [numbered(0), numbered(1), numbered(2)];
    let at = 0x4D + records[0].len();
    for (field, value) in [(3, 0x10), (4, 11), (22, 0xFF)] {
        let mut block = data_block(1, &records);
        block[at + field] = value;
        let offset = (head().len() + at) as u64;
        let given = given(&[head(), block].concat());
        assert_eq!(given.numbers, [0, 2], "{field}");
        let faults = given.faults.iter().filter(|fault| fault.0 == "bad_record");
        assert_eq!(faults.collect::<Vec<_>>(), [&("bad_record", offset)]);
    }
}

#[test]
fn actions_without_end_cost_themselves() {
    let records = [numbered(0), numbered(2), numbered(4)];
    let mut block = data_block(1, &records);
    let value = 0x4D + 2 * records[0].len() - 8 - 4 - 4; // length of the action's value
    block[value + 2] = 0xFF;
    let given = given(&[head(), block].concat());
    assert_eq!(given.numbers, [0, 2, 4]);
    assert_eq!(given.faults.iter().filter(|fault| fault.0 == "bad_actions").count(), 1);
}

#[test]
fn events_and_actions_that_are_not_defined_are_skipped() {
    let unknown = record(0x0000_0C00, 0, b"payload", &[(WHO, b"1234")]);
    let action = record(NUMBERED, 0, &[7; 20], &[(0x1000_0C00, b"x"), (WHO, b"1234")]);
    let records = [numbered(0), unknown, action];
    let block = data_block(1, &records);
    let mut reader = open(&[head(), block].concat(), false, usize::MAX).unwrap();
    let batches = reader.next_group().unwrap().unwrap();
    assert_eq!(column(&batches[0], "action_who"), [0, u32::from_le_bytes(*b"1234")]);
    let faults: Vec<_> = reader.faults().list().iter().map(|fault| fault.kind.name()).collect();
    assert_eq!(faults, ["unknown_event", "bad_value", "unknown_action"]);
}

#[test]
fn a_payload_without_room_for_all_columns_gives_those_it_has() {
    let block = data_block(1, &[record(NUMBERED, 0, &7u32.to_le_bytes(), &[]), numbered(1)]);
    let mut reader = open(&[head(), block].concat(), false, usize::MAX).unwrap();
    let batches = reader.next_group().unwrap().unwrap();
    assert_eq!(column(&batches[0], "number"), [7, 1]);
    let nulls: Vec<_> = batches[0].columns[5..].iter().map(|column| column.nulls).collect();
    assert_eq!(nulls, [0, 1, 1, 1, 1, 1, 2]);
    assert_eq!(reader.faults().list()[0].kind.name(), "short_payload");
}

#[test]
fn a_second_file_is_read_with_its_own_definitions() {
    let first = file(1, 2);
    let at = first.len() as u64;
    let given = given(&[first, file(1, 3)].concat());
    assert_eq!(given, Given { numbers: vec![0, 1, 0, 1, 2], faults: vec![("second_file", at)] });
}

#[test]
fn the_first_definition_counts() {
    let mut other = metadata();
    let name = other.windows(2).position(|pair| pair == b"n\0").unwrap();
    other[name] = b'N'; // the event is now called "Numbered"
    let blocks = [head(), data_block(1, &[numbered(0)]), metadata_block(&other)];
    let bytes = [blocks.concat(), data_block(2, &[numbered(1)])].concat();
    let mut reader = open(&bytes, false, usize::MAX).unwrap();
    assert_eq!(drain(&mut reader).numbers, [0, 1]);
    let names: Vec<_> = reader.catalogue().events().map(|event| &*event.name).collect();
    assert_eq!(names, ["numbered", "stacked"]);
    assert_eq!(reader.faults().list()[0].kind.name(), "redefined");
}

#[test]
fn a_growing_file_is_read_on_from_where_it_ended() {
    let whole = file(6, 3);
    let mut position = Position::default();
    let mut all = Vec::new();
    for end in (head().len()..=whole.len()).step_by(100).chain([whole.len()]) {
        let mut reader = open(&whole[..end], true, usize::MAX).unwrap();
        reader.resume(position).unwrap();
        let given = drain(&mut reader);
        assert_eq!(given.faults, [], "{end}");
        all.extend(given.numbers);
        position = reader.position();
        assert_eq!(position.seq, all.len() as i64);
    }
    assert_eq!(all, numbers(0..18));
    assert_eq!(position.offset, whole.len() as u64);
}

#[test]
fn a_cut_block_is_read_again_when_the_file_has_grown() {
    let whole = file(2, 8);
    let mut reader = open(&whole[..whole.len() - 700], false, usize::MAX).unwrap();
    let first = drain(&mut reader).numbers;
    assert!(first.len() > 8 && first.len() < 16);
    assert_eq!(reader.position().seq, 8);
    let position = reader.position();
    let mut reader = open(&whole, false, usize::MAX).unwrap();
    reader.resume(position).unwrap();
    assert_eq!(drain(&mut reader).numbers, numbers(8..16));
}
