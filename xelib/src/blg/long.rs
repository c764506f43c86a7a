//! Rows as they are decoded, and their long form: one entry per value, sorted by (series, row).

use crate::pdh_text::Long;

/// Columns that are turned together: their values of one row share a cache line.
const BAND: usize = 8;

/// Whether values are cooked or raw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Values {
    #[default]
    Cooked,
    /// Both raw values of each sample, as int64.
    Raw,
    /// None: only names are wanted.
    None,
}

/// Consecutive rows whose values belong to the same series in the same order.
#[derive(Debug, Default)]
struct Chunk {
    first_row: usize,
    rows: usize,
    series: Vec<u32>,
    /// Where its cells begin among those of the slab.
    start: usize,
}

impl Chunk {
    fn cells<'a>(&self, cells: &'a [u64]) -> &'a [u64] {
        let end = self.start + self.rows * self.series.len();
        cells.get(self.start..end).unwrap_or_default()
    }
}

/// Bits that no value has: a NaN of its own where values are cooked.
pub const MISSING: u64 = 0x7ff8_dead_0000_0000;

/// Rows held for the next slab.
#[derive(Debug, Default)]
pub struct Rows {
    values: Values,
    first_row: usize,
    times: Vec<i64>,
    /// In the order of the rows; a row without values has none.
    chunks: Vec<Chunk>,
    /// Bits of the values, row after row; a cooked value that is missing is [`MISSING`].
    first: Vec<u64>,
    second: Vec<u64>,
    /// Series of the row that is being read, whose values stand last in `first`.
    row_series: Vec<u32>,
}

impl Rows {
    pub fn new(values: Values) -> Self {
        Self { values, ..Self::default() }
    }

    /// Adds a value to the row that is being read. A series comes at most once in a row.
    pub fn push_cooked(&mut self, series: u32, value: f64) {
        self.row_series.push(series);
        self.first.push(if value.is_nan() { MISSING } else { value.to_bits() });
    }

    pub fn push_raw(&mut self, series: u32, first: i64, second: i64) {
        self.row_series.push(series);
        self.first.push(first as u64);
        self.second.push(second as u64);
    }

    /// Forgets the row that is being read.
    pub fn drop_row(&mut self) {
        let row = self.row_series.len();
        self.first.truncate(self.first.len().saturating_sub(row));
        if self.values == Values::Raw {
            self.second.truncate(self.second.len().saturating_sub(row));
        }
        self.row_series.clear();
    }

    /// Ends the row that is being read.
    pub fn end_row(&mut self, time: i64) {
        let row = self.times.len();
        self.times.push(time);
        match self.chunks.last_mut() {
            Some(chunk)
                if chunk.first_row + chunk.rows == row && chunk.series == self.row_series =>
            {
                chunk.rows += 1;
            }
            _ if self.row_series.is_empty() => {}
            _ => {
                let start = self.first.len() - self.row_series.len();
                let series = self.row_series.clone();
                self.chunks.push(Chunk { first_row: row, rows: 1, series, start });
            }
        }
        self.row_series.clear();
    }

    pub fn held(&self) -> usize {
        self.times.len()
    }

    pub fn held_cells(&self) -> usize {
        self.first.len()
    }

    /// Number of the first row held.
    pub fn first_row(&self) -> usize {
        self.first_row
    }

    /// Local times of the rows held, microseconds since 1970.
    pub fn times(&self) -> &[i64] {
        &self.times
    }

    /// Forgets the rows held; the next one is the first of the next slab.
    pub fn clear(&mut self) {
        self.first_row += self.times.len();
        self.times.clear();
        self.chunks.clear();
        self.first.clear();
        self.second.clear();
    }

    fn is_value(&self, bits: u64) -> bool {
        self.values != Values::Cooked || bits != MISSING
    }

    /// Counts how many values each of the first `series` series has.
    pub fn plan(&self, series: usize) -> Plan<'_> {
        let mut counts = vec![0; series];
        let mut columns = Vec::new();
        for chunk in &self.chunks {
            let width = chunk.series.len();
            columns.clear();
            columns.resize(width, 0_usize);
            for row in chunk.cells(&self.first).chunks_exact(width) {
                for (count, &bits) in columns.iter_mut().zip(row) {
                    *count += usize::from(self.is_value(bits));
                }
            }
            for (&number, &count) in chunk.series.iter().zip(&columns) {
                counts[number as usize] += count;
            }
        }
        Plan { rows: self, counts }
    }
}

/// The rows of a slab, and how many values each series has in it.
#[derive(Debug)]
pub struct Plan<'a> {
    rows: &'a Rows,
    counts: Vec<usize>,
}

impl Plan<'_> {
    /// How many values there are in all.
    pub fn values(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Fills `out`, whose slices must hold exactly [`Plan::values`] entries; `second` takes the
    /// second raw values, and is empty where values are cooked.
    pub fn fill(&self, out: Long<'_>, second: &mut [u8]) {
        let series = out.series.as_chunks_mut::<4>().0;
        let rows = out.row.as_chunks_mut::<4>().0;
        let values = out.value.as_chunks_mut::<8>().0;
        let second = second.as_chunks_mut::<8>().0;
        let mut next = Vec::with_capacity(self.counts.len());
        let mut begin = 0;
        for (number, &count) in self.counts.iter().enumerate() {
            next.push(begin);
            series[begin..begin + count].fill((number as i32).to_ne_bytes());
            begin += count;
        }
        for chunk in &self.rows.chunks {
            let width = chunk.series.len();
            let first = chunk.cells(&self.rows.first);
            let also = chunk.cells(&self.rows.second);
            for start in (0..width).step_by(BAND) {
                let end = (start + BAND).min(width);
                let numbers = &chunk.series[start..end];
                for row in 0..chunk.rows {
                    let number = (self.rows.first_row + chunk.first_row + row) as i32;
                    let number = number.to_ne_bytes();
                    let at = row * width;
                    for (column, &series) in (at + start..at + end).zip(numbers) {
                        let bits = first[column];
                        if !self.rows.is_value(bits) {
                            continue;
                        }
                        let place = &mut next[series as usize];
                        values[*place] = bits.to_ne_bytes();
                        rows[*place] = number;
                        if let Some(bits) = also.get(column) {
                            second[*place] = bits.to_ne_bytes();
                        }
                        *place += 1;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(rows: &Rows, series: usize) -> Vec<(i32, i32, u64, u64)> {
        let plan = rows.plan(series);
        let n = plan.values();
        let (mut numbers, mut row, mut value) = (vec![0; n * 4], vec![0; n * 4], vec![0; n * 8]);
        let mut second = vec![0; if rows.values == Values::Raw { n * 8 } else { 0 }];
        plan.fill(Long { series: &mut numbers, row: &mut row, value: &mut value }, &mut second);
        let int = |bytes: &[u8], i: usize| i32::from_ne_bytes(bytes.as_chunks::<4>().0[i]);
        let bits = |bytes: &[u8], i: usize| {
            bytes.as_chunks::<8>().0.get(i).map_or(0, |b| u64::from_ne_bytes(*b))
        };
        (0..n)
            .map(|i| (int(&numbers, i), int(&row, i), bits(&value, i), bits(&second, i)))
            .collect()
    }

    #[test]
    fn rows_of_any_shape_come_out_by_series_then_row() {
        let mut rows = Rows::new(Values::Cooked);
        let shapes: [&[(u32, f64)]; 4] =
            [&[(0, 1.0), (1, f64::NAN)], &[(0, 2.0), (1, 3.0)], &[], &[(2, 9.0), (0, 4.0)]];
        for (time, row) in shapes.iter().enumerate() {
            for &(series, value) in *row {
                rows.push_cooked(series, value);
            }
            rows.end_row(time as i64);
        }
        let got: Vec<_> =
            long(&rows, 3).iter().map(|&(s, r, v, _)| (s, r, f64::from_bits(v))).collect();
        assert_eq!(got, [(0, 0, 1.0), (0, 1, 2.0), (0, 3, 4.0), (1, 1, 3.0), (2, 3, 9.0)]);
        assert_eq!((rows.held(), rows.held_cells()), (4, 6));
        rows.clear();
        rows.push_cooked(1, 5.0);
        rows.end_row(4);
        assert_eq!(long(&rows, 3), [(1, 4, 5.0_f64.to_bits(), 0)]);
    }

    #[test]
    fn raw_values_keep_both_numbers_and_every_bit() {
        let mut rows = Rows::new(Values::Raw);
        rows.push_raw(1, MISSING as i64, -1);
        rows.push_raw(0, 2, 3);
        rows.end_row(0);
        assert_eq!(long(&rows, 2), [(0, 0, 2, 3), (1, 0, MISSING, u64::MAX)]);
    }

    #[test]
    fn many_rows_stay_in_order_whatever_comes_and_goes() {
        let mut rows = Rows::new(Values::Cooked);
        let width = 1000;
        for time in 0..60 {
            for series in (0..width).filter(|series| (series + time / 7) % 9 > 0) {
                rows.push_cooked(series, f64::from(series) + f64::from(time) / 1000.0);
            }
            if time == 30 {
                rows.drop_row();
            }
            rows.end_row(i64::from(time));
        }
        let got = long(&rows, width as usize);
        assert_eq!(got.len(), rows.held_cells());
        assert!(got.is_sorted_by_key(|&(series, row, ..)| (series, row)));
        assert!(got.iter().all(|&(series, row, bits, _)| row != 30
            && f64::from_bits(bits) == f64::from(series) + f64::from(row) / 1000.0));
    }
}
