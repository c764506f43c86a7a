//! Row-wise matrix to long form: one row per value, sorted by (series, row), blanks left out.

use super::chunk::Chunk;

/// Columns that are turned together: enough that each visit to a row's memory pays.
const BAND: usize = 32;

/// The three columns of the long form, as bytes in Arrow's layout (native byte order).
pub struct Long<'a> {
    /// int32: position of the series among the wanted ones.
    pub series: &'a mut [u8],
    /// int32: row number in the file.
    pub row: &'a mut [u8],
    /// float64.
    pub value: &'a mut [u8],
}

/// Rows of several chunks, and how many values each series has in them.
pub struct Plan<'a> {
    chunks: &'a [Chunk],
    width: usize,
    first_row: i32,
    counts: Vec<usize>,
}

impl<'a> Plan<'a> {
    /// Counts the values of each of `width` series.
    pub fn new(chunks: &'a [Chunk], width: usize, first_row: i32) -> Self {
        let mut counts = vec![0; width];
        let mut plan = Self { chunks, width, first_row, counts: Vec::new() };
        for (_, row) in plan.rows() {
            for (count, value) in counts.iter_mut().zip(row) {
                *count += usize::from(!value.is_nan());
            }
        }
        plan.counts = counts;
        plan
    }

    /// Every row that has cells, with its number.
    fn rows(&self) -> impl Iterator<Item = (i32, &'a [f64])> + use<'a> {
        let rows = self.chunks.iter().flat_map({
            let width = self.width.max(1);
            move |chunk| chunk.values.chunks_exact(width)
        });
        (self.first_row..).zip(rows)
    }

    /// How many values there are in all.
    pub fn values(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Fills `out`, whose slices must hold exactly [`Plan::values`] entries, on `threads` threads.
    pub fn fill(&self, mut out: Long<'_>, threads: usize) {
        let share = self.width.div_ceil(threads.max(1)).next_multiple_of(BAND).max(BAND);
        std::thread::scope(|scope| {
            for first in (0..self.width).step_by(share) {
                let last = (first + share).min(self.width);
                let mine = out.split_off_front(self.counts[first..last].iter().sum());
                if last == self.width {
                    self.fill_columns(first, last, mine);
                } else {
                    scope.spawn(move || self.fill_columns(first, last, mine));
                }
            }
        });
    }

    fn fill_columns(&self, first: usize, last: usize, mut out: Long<'_>) {
        for start in (first..last).step_by(BAND) {
            let end = (start + BAND).min(last);
            let band = out.split_off_front(self.counts[start..end].iter().sum());
            self.fill_band(start, end, band);
        }
    }

    fn fill_band(&self, start: usize, end: usize, out: Long<'_>) {
        let series = out.series.as_chunks_mut::<4>().0;
        let rows = out.row.as_chunks_mut::<4>().0;
        let values = out.value.as_chunks_mut::<8>().0;
        let mut next = [0; BAND];
        let mut begin = 0;
        for (column, place) in (start..end).zip(&mut next) {
            *place = begin;
            begin += self.counts[column];
            series[*place..begin].fill((column as i32).to_ne_bytes());
        }
        for (row_no, row) in self.rows() {
            let row_bytes = row_no.to_ne_bytes();
            for (value, place) in row[start..end].iter().zip(&mut next) {
                if !value.is_nan() {
                    values[*place] = value.to_ne_bytes();
                    rows[*place] = row_bytes;
                    *place += 1;
                }
            }
        }
    }
}

impl<'a> Long<'a> {
    /// Takes the first `values` entries away.
    fn split_off_front(&mut self, values: usize) -> Long<'a> {
        let take = |column: &mut &'a mut [u8], bytes: usize| {
            let (front, back) = std::mem::take(column).split_at_mut(bytes);
            *column = back;
            front
        };
        Long {
            series: take(&mut self.series, values * 4),
            row: take(&mut self.row, values * 4),
            value: take(&mut self.value, values * 8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdh_text::chunk::ABSENT;

    fn chunk(values: &[f64], rows: usize) -> Chunk {
        Chunk { times: vec![0; rows], values: values.to_vec(), ..Chunk::default() }
    }

    fn long(
        chunks: &[Chunk],
        width: usize,
        first_row: i32,
        threads: usize,
    ) -> Vec<(i32, i32, f64)> {
        let plan = Plan::new(chunks, width, first_row);
        let n = plan.values();
        let (mut series, mut row, mut value) = (vec![0; n * 4], vec![0; n * 4], vec![0; n * 8]);
        plan.fill(Long { series: &mut series, row: &mut row, value: &mut value }, threads);
        let int = |bytes: &[u8], i: usize| i32::from_ne_bytes(bytes.as_chunks::<4>().0[i]);
        (0..n)
            .map(|i| {
                (int(&series, i), int(&row, i), f64::from_ne_bytes(value.as_chunks::<8>().0[i]))
            })
            .collect()
    }

    #[test]
    fn sorted_by_series_then_row_without_blanks() {
        let chunks = [chunk(&[1.0, ABSENT, 3.0, 4.0], 2), chunk(&[5.0, 6.0], 1)];
        assert_eq!(
            long(&chunks, 2, 7, 1),
            [(0, 7, 1.0), (0, 8, 3.0), (0, 9, 5.0), (1, 8, 4.0), (1, 9, 6.0)]
        );
    }

    #[test]
    fn any_number_of_threads_gives_the_same() {
        let (width, rows) = (37, 11);
        let values: Vec<f64> =
            (0..width * rows).map(|i| if i % 5 == 0 { ABSENT } else { i as f64 }).collect();
        let chunks = [chunk(&values, rows)];
        let one = long(&chunks, width, 0, 1);
        assert_eq!(one.len(), values.iter().filter(|v| !v.is_nan()).count());
        assert!(one.is_sorted_by_key(|&(series, row, _)| (series, row)));
        for threads in [2, 3, 64] {
            assert_eq!(long(&chunks, width, 0, threads), one);
        }
    }

    #[test]
    fn nothing_wanted_or_nothing_there() {
        assert_eq!(long(&[], 3, 0, 2), []);
        assert_eq!(long(&[chunk(&[], 4)], 0, 0, 2), []);
    }
}
