//! Blocks, threads, last lines, and lines that never end.

use super::*;
use crate::pdh_text::long::Long;

fn decoder(units: CodeUnits, max_line: usize, threads: usize) -> Decoder {
    let layout = Layout {
        cells: 3,
        separator: b',',
        wanted: vec![1, 2],
        header: b"\"(PDH-CSV 4.0)\",\"a\",\"b\"".to_vec(),
    };
    Decoder::new(Options { layout, units, threads, max_line, first_row: 0 })
}

fn bytes_decoder() -> Decoder {
    decoder(CodeUnits::Bytes, 1_000, 1)
}

fn rows(numbers: std::ops::Range<usize>) -> String {
    numbers.map(|n| format!("\"01/01/1970 00:00:{:02}.000\",\"{n}\",\" \"\r\n", n % 60)).collect()
}

fn values(decoder: &Decoder) -> Vec<f64> {
    let plan = decoder.plan();
    let n = plan.values();
    let (mut series, mut row, mut value) = (vec![0; n * 4], vec![0; n * 4], vec![0; n * 8]);
    plan.fill(Long { series: &mut series, row: &mut row, value: &mut value }, 1);
    value.as_chunks::<8>().0.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect()
}

fn fed(mut decoder: Decoder, data: &[u8], block: usize) -> Decoder {
    data.chunks(block).for_each(|part| decoder.feed(part));
    decoder.finish();
    decoder
}

#[test]
fn rows_after_others_are_numbered_on() {
    let options = Options { first_row: 7, ..bytes_decoder().options };
    let mut later = fed(Decoder::new(options), rows(7..9).as_bytes(), 100);
    assert_eq!((later.first_row(), later.held_rows()), (7, 2));
    later.drop_held();
    assert_eq!(later.first_row(), 9);
}

#[test]
fn blocks_of_any_size_give_the_same() {
    let text = rows(0..9) + "torn\n5,\n" + &rows(9..20) + "\"01/01/19";
    let whole = fed(bytes_decoder(), text.as_bytes(), text.len());
    assert_eq!(values(&whole), (0..20).map(|n| n as f64).collect::<Vec<_>>());
    assert_eq!(whole.faults().torn_row.count, 2);
    for block in [1, 2, 7, 50, 64] {
        let other = fed(bytes_decoder(), text.as_bytes(), block);
        assert_eq!(values(&other), values(&whole), "{block}");
        assert_eq!(other.faults(), whole.faults(), "{block}");
        assert!(other.times().eq(whole.times()), "{block}");
    }
}

#[test]
fn threads_give_the_same() {
    let text = rows(0..50_000) + "5,\n" + &rows(0..50_000);
    let one = fed(decoder(CodeUnits::Bytes, 1_000, 1), text.as_bytes(), text.len());
    let four = fed(decoder(CodeUnits::Bytes, 1_000, 4), text.as_bytes(), text.len());
    assert_eq!(one.held_rows(), 100_000);
    assert_eq!(values(&one), values(&four));
    assert_eq!(one.faults(), four.faults());
    assert_eq!(four.faults().torn_row.first, rows(0..50_000).len() as u64);
}

#[test]
fn utf16_in_blocks_of_any_size() {
    let text = rows(0..5) + "\u{444}\u{44b},x\n";
    for big_endian in [false, true] {
        let bytes: Vec<u8> = text
            .encode_utf16()
            .flat_map(|u| if big_endian { u.to_be_bytes() } else { u.to_le_bytes() })
            .collect();
        for block in [1, 3, 1_000] {
            let units = CodeUnits::Utf16 { big_endian };
            let got = fed(decoder(units, 1_000, 1), &bytes, block);
            assert_eq!(values(&got), [0.0, 1.0, 2.0, 3.0, 4.0]);
            assert_eq!(got.faults().noise.first, rows(0..5).len() as u64);
        }
    }
}

#[test]
fn a_last_row_without_line_end() {
    let last = |text: &str| {
        let got = fed(bytes_decoder(), (rows(0..1) + text).as_bytes(), 1_000);
        (got.held_rows(), got.faults().no_line_end.count, got.faults().torn_row.count)
    };
    let row = "\"01/01/1970 00:00:01.000\",\"1\",\"23\"";
    assert_eq!(last(row), (2, 1, 0));
    assert_eq!(last(&format!("{row}\r")), (2, 1, 0));
    assert_eq!(last(&row[..row.len() - 1]), (1, 0, 1));
    assert_eq!(last(&row[..row.len() - 3]), (1, 0, 1));
    assert_eq!(last("01/01/1970 00:00:01.000,1,23"), (1, 0, 1));
    assert_eq!(last("01/01/1970 00:00:01.000,1,23\r"), (2, 1, 0));
    assert_eq!(last("Exiting, pl"), (1, 0, 0));
}

#[test]
fn half_a_character_at_the_end_is_a_torn_row() {
    let text = rows(0..1);
    let mut bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.push(b'"');
    let got = fed(decoder(CodeUnits::Utf16 { big_endian: false }, 1_000, 1), &bytes, 1_000);
    assert_eq!((got.held_rows(), got.faults().torn_row.count), (1, 1));
}

#[test]
fn a_line_that_never_ends_is_skipped() {
    let text = rows(0..1) + &"x".repeat(5_000) + "\n" + &rows(1..2);
    for block in [1, 999, 2_500] {
        let got = fed(bytes_decoder(), text.as_bytes(), block);
        assert_eq!(values(&got), [0.0, 1.0]);
        assert_eq!(got.faults().torn_row, Tally { count: 1, first: rows(0..1).len() as u64 });
    }
}

#[test]
fn slabs_go_on_where_the_last_ended() {
    let mut decoder = bytes_decoder();
    decoder.feed(rows(0..3).as_bytes());
    assert_eq!((decoder.first_row(), decoder.held_rows(), decoder.held_cells()), (0, 3, 6));
    decoder.drop_held();
    decoder.feed(rows(3..5).as_bytes());
    assert_eq!((decoder.first_row(), values(&decoder)), (3, vec![3.0, 4.0]));
}

#[test]
fn nothing_is_read_after_another_header() {
    let text = rows(0..2) + "\"(PDH-CSV 4.0)\",\"c\",\"d\"\n" + &rows(2..40_000);
    for threads in [1, 2] {
        let got = fed(decoder(CodeUnits::Bytes, 1_000, threads), text.as_bytes(), text.len());
        assert!(got.stopped());
        assert_eq!(got.held_rows(), 2);
    }
}
