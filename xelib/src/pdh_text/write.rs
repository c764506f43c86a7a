//! Rows as Performance Monitor and relog write them: every cell quoted, 17 significant digits.

use std::io::Write;

use crate::calendar::civil;

const BLANK: &[u8] = b"\" \"";
/// Below it every integer has at most 17 digits.
const WHOLE: f64 = 1e17;
const DIGITS: i32 = 17;
const MICROS_PER_DAY: i64 = 86_400_000_000;

/// Rows in long form, sorted by (series, row), that are to be written.
#[derive(Debug, Clone, Copy)]
pub struct LongRows<'a> {
    /// Number and local time (microseconds since 1970) of each row to write, ascending.
    pub row_tick: &'a [[u8; 4]],
    pub row_time: &'a [[u8; 8]],
    /// Series, row and value of each value.
    pub series: &'a [[u8; 4]],
    pub tick: &'a [[u8; 4]],
    pub value: &'a [[u8; 8]],
}

/// Writes rows piece by piece.
#[derive(Debug)]
pub struct RowWriter {
    /// What is left of each series: next value and end.
    columns: Vec<(usize, usize)>,
    next_row: usize,
    separator: u8,
}

impl RowWriter {
    /// Makes ready to write rows of `width` series; None where the long form is not what it should
    /// be.
    pub fn new(rows: &LongRows<'_>, width: usize, separator: u8) -> Option<Self> {
        let count = rows.value.len();
        let fits = rows.series.len() == count
            && rows.tick.len() == count
            && rows.row_tick.len() == rows.row_time.len();
        let columns = columns(rows.series, width).filter(|_| fits)?;
        Some(Self { columns, next_row: 0, separator })
    }

    /// Writes the next rows, up to `bytes` of text and a row; nothing when all are written. `rows`
    /// are those given at the start.
    pub fn write(&mut self, rows: &LongRows<'_>, bytes: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes + bytes / 8);
        let left = rows.row_tick.iter().zip(rows.row_time).skip(self.next_row);
        for (row, time) in left {
            if out.len() >= bytes {
                break;
            }
            self.next_row += 1;
            let row = i32::from_ne_bytes(*row);
            write_time(i64::from_ne_bytes(*time), &mut out);
            for (next, end) in &mut self.columns {
                out.push(self.separator);
                while *next < *end && i32::from_ne_bytes(rows.tick[*next]) < row {
                    *next += 1;
                }
                if *next < *end && i32::from_ne_bytes(rows.tick[*next]) == row {
                    out.push(b'"');
                    write_number(f64::from_ne_bytes(rows.value[*next]), &mut out);
                    out.push(b'"');
                    *next += 1;
                } else {
                    out.extend_from_slice(BLANK);
                }
            }
            out.extend_from_slice(b"\r\n");
        }
        out
    }
}

/// Where the values of each series begin and end; None where they are not sorted or not within
/// `width`.
fn columns(series: &[[u8; 4]], width: usize) -> Option<Vec<(usize, usize)>> {
    let mut columns = vec![(0, 0); width];
    let mut rest = 0;
    for run in series.chunk_by(|a, b| a == b) {
        let number = usize::try_from(i32::from_ne_bytes(run[0])).ok()?;
        let column = columns.get_mut(number).filter(|column| column.1 == 0)?;
        *column = (rest, rest + run.len());
        rest += run.len();
    }
    Some(columns)
}

/// Writes `"MM/DD/YYYY HH:MM:SS.mmm"`.
fn write_time(micros: i64, out: &mut Vec<u8>) {
    let days = micros.div_euclid(MICROS_PER_DAY);
    let millis = micros.rem_euclid(MICROS_PER_DAY) / 1000;
    let (year, month, day) = civil(days);
    let (seconds, milli) = (millis / 1000, millis % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    // Writing to memory cannot fail.
    let _ = write!(
        out,
        "\"{month:02}/{day:02}/{year:04} {hour:02}:{minute:02}:{second:02}.{milli:03}\""
    );
}

/// Writes a finite number as C's `%.17g` does.
pub fn write_number(value: f64, out: &mut Vec<u8>) {
    if value.fract() == 0.0 && value.abs() < WHOLE {
        if value.is_sign_negative() {
            out.push(b'-');
        }
        write_integer(value.abs() as u64, out);
        return;
    }
    let mut text = [0; 32];
    let mut rest = &mut text[..];
    let _ = write!(rest, "{value:.16e}");
    let length = 32 - rest.len();
    write_general(&text[..length], out);
}

fn write_integer(mut value: u64, out: &mut Vec<u8>) {
    let mut digits = [b'0'; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Turns `-d.dddddddddddddddde-5` into the shorter of fixed and exponential form.
fn write_general(scientific: &[u8], out: &mut Vec<u8>) {
    let (sign, body) = match scientific.split_first() {
        Some((b'-', body)) => (&b"-"[..], body),
        _ => (&b""[..], scientific),
    };
    let Some(mark) = body.iter().position(|&b| b == b'e') else {
        return out.extend_from_slice(scientific);
    };
    let exponent = std::str::from_utf8(&body[mark + 1..]).ok().and_then(|text| text.parse().ok());
    let exponent: i32 = exponent.unwrap_or_default();
    let mut digits = [0; DIGITS as usize];
    let all = body[..mark].iter().filter(|&&b| b != b'.');
    for (digit, &byte) in digits.iter_mut().zip(all) {
        *digit = byte;
    }
    let kept = digits.iter().rposition(|&digit| digit != b'0').map_or(1, |last| last + 1);
    let digits = &digits[..kept];
    out.extend_from_slice(sign);
    if !(-4..DIGITS).contains(&exponent) {
        out.push(digits[0]);
        if digits.len() > 1 {
            out.push(b'.');
            out.extend_from_slice(&digits[1..]);
        }
        let _ = write!(out, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
    } else if exponent < 0 {
        out.extend_from_slice(b"0.");
        out.resize(out.len() + (-exponent - 1) as usize, b'0');
        out.extend_from_slice(digits);
    } else {
        let whole = exponent as usize + 1;
        if digits.len() > whole {
            out.extend_from_slice(&digits[..whole]);
            out.push(b'.');
            out.extend_from_slice(&digits[whole..]);
        } else {
            out.extend_from_slice(digits);
            out.resize(out.len() + whole - digits.len(), b'0');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64) -> String {
        let mut out = Vec::new();
        write_number(value, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_those_of_printf() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-42.0, "-42"),
            (0.1, "0.10000000000000001"),
            (20.913042441624498, "20.913042441624498"),
            (2345.3290343446924, "2345.3290343446924"),
            (5.759411303626314, "5.7594113036263144"),
            (0.0001, "0.0001"),
            (0.00012345, "0.00012344999999999999"),
            (0.00001, "1.0000000000000001e-05"),
            (-2.5e-7, "-2.4999999999999999e-07"),
            (9007199254740993.0, "9007199254740992"),
            (99999999999999984.0, "99999999999999984"),
            (1e17, "1e+17"),
            (1.5e300, "1.5000000000000001e+300"),
            (5e-324, "4.9406564584124654e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (0.5, "0.5"),
            (1234.5, "1234.5"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn times_are_american_with_milliseconds() {
        for (micros, text) in [
            (0, "\"01/01/1970 00:00:00.000\""),
            (1_480_167_990_874_999, "\"11/26/2016 13:46:30.874\""),
            (951_782_400_000_000, "\"02/29/2000 00:00:00.000\""),
            (-1, "\"12/31/1969 23:59:59.999\""),
        ] {
            let mut out = Vec::new();
            write_time(micros, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }

    fn written(rows: &[(i32, i64)], values: &[(i32, i32, f64)], width: usize) -> Option<String> {
        let int = |n: i32| n.to_ne_bytes();
        let rows = LongRows {
            row_tick: &rows.iter().map(|r| int(r.0)).collect::<Vec<_>>(),
            row_time: &rows.iter().map(|r| r.1.to_ne_bytes()).collect::<Vec<_>>(),
            series: &values.iter().map(|v| int(v.0)).collect::<Vec<_>>(),
            tick: &values.iter().map(|v| int(v.1)).collect::<Vec<_>>(),
            value: &values.iter().map(|v| v.2.to_ne_bytes()).collect::<Vec<_>>(),
        };
        let mut writer = RowWriter::new(&rows, width, b',')?;
        let (first, rest) = (writer.write(&rows, 1), writer.write(&rows, 1 << 20));
        assert!(writer.write(&rows, 1).is_empty());
        Some(String::from_utf8([first, rest].concat()).unwrap())
    }

    #[test]
    fn rows_have_a_cell_for_every_series() {
        let values = [(0, 3, 1.5), (0, 4, 2.0), (2, 4, 0.25)];
        assert_eq!(
            written(&[(3, 0), (4, 1000)], &values, 3).unwrap(),
            "\"01/01/1970 00:00:00.000\",\"1.5\",\" \",\" \"\r\n\
             \"01/01/1970 00:00:00.001\",\"2\",\" \",\"0.25\"\r\n"
        );
        assert_eq!(
            written(&[(4, 0)], &values, 3).unwrap(),
            "\"01/01/1970 00:00:00.000\",\"2\",\" \",\"0.25\"\r\n"
        );
        assert_eq!(written(&[(3, 0)], &values, 2), None);
        assert_eq!(written(&[(3, 0)], &[(1, 3, 1.0), (0, 3, 1.0), (1, 4, 1.0)], 2), None);
    }
}
