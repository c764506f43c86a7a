use super::*;

struct Read {
    heads: Vec<(Option<String>, Vec<String>)>,
    rows: Vec<(i32, Vec<Option<String>>)>,
    faults: Vec<(&'static str, u32, u64)>,
}

fn ints(bytes: &[u8]) -> Vec<i32> {
    bytes.as_chunks::<4>().0.iter().map(|chunk| i32::from_ne_bytes(*chunk)).collect()
}

fn texts(texts: &crate::texts::Texts) -> Vec<Option<String>> {
    let offsets = ints(&texts.offsets);
    (0..texts.len())
        .map(|at| {
            let valid = texts.valid.bytes[at / 8] >> (at % 8) & 1 == 1;
            let bytes = &texts.bytes[offsets[at] as usize..offsets[at + 1] as usize];
            valid.then(|| String::from_utf8(bytes.to_vec()).unwrap())
        })
        .collect()
}

fn read_in(text: &str, block: usize) -> Read {
    let mut decoder = Decoder::new(Measure::Bytes, 0);
    for part in text.as_bytes().chunks(block) {
        decoder.feed(part);
    }
    decoder.finish();
    let output = decoder.take();
    let names = texts(&output.heads.names);
    let columns = texts(&output.heads.texts);
    let begins = ints(&output.heads.begins);
    let heads = names
        .into_iter()
        .enumerate()
        .map(|(at, name)| {
            let own = &columns[begins[at] as usize..begins[at + 1] as usize];
            (name, own.iter().map(|text| text.clone().unwrap()).collect())
        })
        .collect();
    let cells = texts(&output.rows.texts);
    let begins = ints(&output.rows.begins);
    let rows = ints(&output.rows.rowset)
        .into_iter()
        .enumerate()
        .map(|(at, rowset)| (rowset, cells[begins[at] as usize..begins[at + 1] as usize].to_vec()))
        .collect();
    let faults = decoder.faults().iter().map(|f| (f.kind, f.number, f.count)).collect();
    Read { heads, rows, faults }
}

fn read(text: &str) -> Read {
    read_in(text, usize::MAX)
}

fn row(rowset: i32, cells: &[&str]) -> (i32, Vec<Option<String>>) {
    let cells = cells.iter().map(|&cell| (cell != "NULL").then(|| cell.to_owned())).collect();
    (rowset, cells)
}

const PLAIN: &str = "-- a b --\r\nid          name  \r\n----------- ------\r\n          1 one   \r\n       NULL two x \r\n\r\n";

#[test]
fn rows_under_dashes_in_any_blocks() {
    for block in [1, 2, 7, 4096] {
        let found = read_in(PLAIN, block);
        assert_eq!(found.heads, [(Some("a b".into()), vec!["id".into(), "name".into()])]);
        assert_eq!(found.rows, [row(0, &["1", "one"]), row(0, &["NULL", "two x"])]);
        assert_eq!(found.faults, []);
    }
}

#[test]
fn a_rowset_without_rows_and_two_of_one_name() {
    let found = read(&format!("-- a --\nid  n \n--- --\n\n{PLAIN}{PLAIN}"));
    assert_eq!(found.heads.len(), 3);
    assert_eq!(found.rows.len(), 4);
    assert_eq!(found.rows[2].0, 2);
}

#[test]
fn titles_between_rulers() {
    let found = read("=====\nReplica, State\n=====\n\nid  n \n--- --\n  1 b \n");
    assert_eq!(found.heads[0].0.as_deref(), Some("Replica, State"));
    assert_eq!(found.rows, [row(0, &["1", "b"])]);
}

#[test]
fn an_error_in_the_middle_is_no_row() {
    let text = "-- a --\nid  name\n--- ------\n  1 one   \nMsg 8134, Level 16, State 1, Server X, Line 3\nDivide by zero error encountered.\n  2 two   \n\n";
    let found = read(text);
    assert_eq!(found.rows, [row(0, &["1", "one"]), row(0, &["2", "two"])]);
    assert_eq!(found.faults, [("server_error", 8134, 1)]);
}

#[test]
fn lines_broken_at_the_width_of_the_screen() {
    // Ten characters a line: a column of 12 and one of 5.
    let text = "-- a --\nname      \n   id   \n----------\n-- -----\nabcdefghij\nkl    7\n          \n       8\n\n";
    let found = read(text);
    assert_eq!(found.heads[0].1, ["name", "id"]);
    assert_eq!(found.rows, [row(0, &["abcdefghijkl", "7"]), row(0, &["", "8"])]);
    assert_eq!(found.faults, []);
}

#[test]
fn lines_broken_between_columns_whose_blank_is_lost() {
    let text = "id name\nnumber\n-- ----\n------\n 1 abcd\n     7\n 2 x\n     8\n\n";
    let found = read(text);
    assert_eq!(found.heads[0].1, ["id", "name", "number"]);
    assert_eq!(found.rows, [row(0, &["1", "abcd", "7"]), row(0, &["2", "x", "8"])]);
}

#[test]
fn a_name_broken_at_the_width_of_the_screen() {
    let (left, right) = ("n".repeat(76), "ame");
    let text = format!(
        "-- a --\nid  {left}\n{right}\n--- {}\n---\n  1 {:76}\n   \n\n",
        "-".repeat(76),
        "x"
    );
    let found = read(&text);
    assert_eq!(found.heads[0].1, ["id".to_owned(), format!("{left}{right}")]);
    assert_eq!(found.rows, [row(0, &["1", "x"])]);
}

#[test]
fn a_line_end_in_a_value() {
    let text = "-- a --\r\nid  text       n   \r\n--- ---------- ----\r\n  1 ab\r\ncd        5\r\n  2 x             6\r\n\r\n";
    let found = read(text);
    assert_eq!(found.rows, [row(0, &["1", "ab\r\ncd", "5"]), row(0, &["2", "x", "6"])]);
    assert_eq!(found.faults, []);
}

#[test]
fn a_line_that_is_no_row_is_counted_and_those_around_it_are_read() {
    let text = "-- a --\nid  name  \n--- ------\n  1 one   \nrubbish\n  2 two   \n\n-- b --\nid  name  \n--- ------\n  3 three \n";
    let found = read(text);
    assert_eq!(found.rows, [row(0, &["1", "one"]), row(0, &["2", "two"]), row(1, &["3", "three"])]);
    assert_eq!(found.faults, [("damaged_row", 0, 1)]);
}

#[test]
fn names_in_characters_and_in_columns() {
    let text = "-- a --\nname   id \n------ ---\nBüro     1\n日本     2\n";
    let found = read(text);
    // The second row is filled up by the columns of a console.
    assert_eq!(found.rows, [row(0, &["Büro", "1"]), row(0, &["日本", "2"])]);
}

#[test]
fn a_cut_row_is_told() {
    let found = read(&PLAIN[..PLAIN.len() - 10]);
    assert_eq!(found.rows, [row(0, &["1", "one"])]);
    assert_eq!(found.faults, [("no_line_end", 0, 1), ("truncated", 0, 1)]);
}

#[test]
fn the_underline_of_a_title_is_no_rowset() {
    let found = read("Summary\n-------\nsome text\n\n-------\nmore\n");
    assert_eq!(found.heads, []);
    assert_eq!(found.rows, []);
}

#[test]
fn rows_that_are_not_filled_up() {
    let text = "-- a --\nName     Value\n-------- -----\nx        1\nlong one 23456789\n";
    let found = read(text);
    assert_eq!(found.rows[0], row(0, &["x", "1"]));
}
