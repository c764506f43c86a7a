//! Columns in Arrow's memory layout, as they grow row by row.

/// Rows of one column. A row that is never pushed is null: it costs nothing until a later row comes.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    rows: usize,
    nulls: usize,
    /// One bit per row, from the lowest; empty while there is no null.
    validity: Vec<u8>,
    values: Values,
}

#[derive(Debug, Clone, PartialEq)]
enum Values {
    Bits(Vec<u8>),
    /// Little-endian.
    Fixed {
        width: usize,
        bytes: Vec<u8>,
    },
    Bytes(Items),
    /// Lists of texts.
    Lists {
        ends: Ends,
        texts: Items,
    },
}

/// Where each item ends, after a zero: Arrow's 32-bit offsets.
#[derive(Debug, Default, Clone, PartialEq)]
struct Ends(Vec<u8>);

#[derive(Debug, Default, Clone, PartialEq)]
struct Items {
    ends: Ends,
    bytes: Vec<u8>,
}

/// What Arrow needs of a column; of one that holds only nulls, nothing.
#[derive(Debug, PartialEq)]
pub struct Buffers {
    pub nulls: usize,
    /// Empty where there is no null.
    pub validity: Vec<u8>,
    /// After the validity, in Arrow's order; those of a list's items follow those of the list.
    pub values: Vec<Vec<u8>>,
    /// Items of all lists.
    pub items: usize,
}

impl Ends {
    fn push(&mut self, end: usize) {
        if self.0.is_empty() {
            self.0.extend_from_slice(&[0; 4]);
        }
        // Offsets hold: a run of blocks has a budget far below two gigabytes.
        self.0.extend_from_slice(&(end as i32).to_le_bytes());
    }

    fn items(&self) -> usize {
        (self.0.len() / 4).saturating_sub(1)
    }

    fn repeat_last(&mut self, n: usize) {
        let last = self.0.last_chunk::<4>().copied().unwrap_or_default();
        let n = n + usize::from(self.0.is_empty());
        self.0.reserve(4 * n);
        (0..n).for_each(|_| self.0.extend_from_slice(&last));
    }
}

impl Items {
    fn push(&mut self, append: impl FnOnce(&mut Vec<u8>)) {
        append(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }
}

impl Column {
    /// A column for a format string of Arrow's C data interface.
    pub fn new(arrow: &str) -> Self {
        let fixed = |width| Values::Fixed { width, bytes: Vec::new() };
        let values = match arrow {
            "b" => Values::Bits(Vec::new()),
            "c" | "C" => fixed(1),
            "s" | "S" => fixed(2),
            "i" | "I" | "f" => fixed(4),
            "u" | "z" => Values::Bytes(Items::default()),
            "+l" => Values::Lists { ends: Ends::default(), texts: Items::default() },
            _ => fixed(8),
        };
        Self { rows: 0, nulls: 0, validity: Vec::new(), values }
    }

    /// Bytes that a null fills, at most.
    pub fn null_bytes(arrow: &str) -> usize {
        match Self::new(arrow).values {
            Values::Fixed { width, .. } => width + 1,
            Values::Bits(_) => 2,
            Values::Bytes(_) | Values::Lists { .. } => 5,
        }
    }

    /// Makes ready for a value of `row`; false where it has one.
    #[inline]
    fn begin(&mut self, row: usize) -> bool {
        if row != self.rows {
            if row < self.rows {
                return false;
            }
            self.nulls_up_to(row);
        }
        if self.nulls > 0 {
            push_bit(&mut self.validity, self.rows, true);
        }
        self.rows += 1;
        true
    }

    fn nulls_up_to(&mut self, rows: usize) {
        let missing = rows.saturating_sub(self.rows);
        if missing == 0 {
            return;
        }
        if self.nulls == 0 {
            self.validity = vec![0xFF; self.rows / 8];
            if !self.rows.is_multiple_of(8) {
                self.validity.push((1 << (self.rows % 8)) - 1);
            }
        }
        self.validity.resize(rows.div_ceil(8), 0);
        match &mut self.values {
            Values::Bits(bits) => bits.resize(rows.div_ceil(8), 0),
            Values::Fixed { width, bytes } => bytes.resize(rows * *width, 0),
            Values::Bytes(items) => items.ends.repeat_last(missing),
            Values::Lists { ends, .. } => ends.repeat_last(missing),
        }
        self.nulls += missing;
        self.rows = rows;
    }

    /// Pushes `value` to the width of the column, with zeros or sign.
    #[inline]
    pub fn push_fixed<const N: usize>(&mut self, row: usize, value: [u8; N]) {
        if self.begin(row)
            && let Values::Fixed { width, bytes } = &mut self.values
        {
            debug_assert_eq!(*width, N);
            bytes.extend_from_slice(&value);
        }
    }

    pub fn push_bool(&mut self, row: usize, value: bool) {
        if self.begin(row)
            && let Values::Bits(bits) = &mut self.values
        {
            push_bit(bits, row, value);
        }
    }

    /// Pushes what `append` appends: UTF-8 where the column is text.
    #[inline]
    pub fn push_bytes(&mut self, row: usize, append: impl FnOnce(&mut Vec<u8>)) {
        if self.begin(row)
            && let Values::Bytes(items) = &mut self.values
        {
            items.push(append);
        }
    }

    /// Pushes a list of as many texts as `appends` has.
    pub fn push_list<A: FnOnce(&mut Vec<u8>)>(
        &mut self,
        row: usize,
        appends: impl Iterator<Item = A>,
    ) {
        if self.begin(row)
            && let Values::Lists { ends, texts } = &mut self.values
        {
            appends.for_each(|append| texts.push(append));
            ends.push(texts.ends.items());
        }
    }

    /// Gives the buffers, with nulls for the rows that were never pushed.
    pub fn finish(mut self, rows: usize) -> Buffers {
        if self.rows == self.nulls {
            return Buffers { nulls: rows, validity: Vec::new(), values: Vec::new(), items: 0 };
        }
        self.nulls_up_to(rows);
        let mut items = 0;
        let values = match self.values {
            Values::Bits(bytes) | Values::Fixed { bytes, .. } => vec![bytes],
            Values::Bytes(items) => vec![items.ends.0, items.bytes],
            Values::Lists { ends, mut texts } => {
                items = texts.ends.items();
                if items == 0 {
                    texts.ends.repeat_last(0);
                }
                vec![ends.0, texts.ends.0, texts.bytes]
            }
        };
        Buffers { nulls: self.nulls, validity: self.validity, values, items }
    }
}

fn push_bit(bits: &mut Vec<u8>, at: usize, bit: bool) {
    if at.is_multiple_of(8) {
        bits.push(0);
    }
    if let Some(last) = bits.last_mut() {
        *last |= u8::from(bit) << (at % 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn le(numbers: &[i32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    #[test]
    fn numbers_without_nulls_have_no_validity() {
        let mut column = Column::new("i");
        column.push_fixed(0, 7i32.to_le_bytes());
        column.push_fixed(1, (-7i32).to_le_bytes());
        let buffers = column.finish(2);
        let expected = Buffers { nulls: 0, validity: vec![], values: vec![le(&[7, -7])], items: 0 };
        assert_eq!(buffers, expected);
    }

    #[test]
    fn rows_that_were_not_pushed_are_null() {
        let mut column = Column::new("u");
        for row in [0, 3, 9] {
            column.push_bytes(row, |out| out.extend_from_slice(row.to_string().as_bytes()));
        }
        let buffers = column.finish(11);
        assert_eq!(buffers.nulls, 8);
        assert_eq!(buffers.validity, [0b0000_1001, 0b0000_0010]);
        assert_eq!(buffers.values, [le(&[0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3]), b"039".to_vec()]);
    }

    #[test]
    fn nulls_that_begin_after_whole_and_part_bytes_of_values() {
        for values in 1..20 {
            let mut column = Column::new("C");
            (0..values).for_each(|row| column.push_fixed(row, [1]));
            let buffers = column.finish(20);
            let valid: u32 = buffers.validity.iter().map(|byte| byte.count_ones()).sum();
            assert_eq!((valid as usize, buffers.nulls), (values, 20 - values));
            assert_eq!((buffers.validity.len(), buffers.values[0].len()), (3, 20));
        }
    }

    #[test]
    fn booleans_are_bits() {
        let mut column = Column::new("b");
        (0..10).for_each(|row| column.push_bool(row, row % 3 == 0));
        assert_eq!(column.finish(10).values, [vec![0b0100_1001, 0b0000_0010]]);
    }

    #[test]
    fn lists_of_texts() {
        let mut column = Column::new("+l");
        let append = |text: &'static str| move |out: &mut Vec<u8>| out.extend(text.as_bytes());
        column.push_list(0, [append("a"), append("bc")].into_iter());
        column.push_list(2, std::iter::empty::<fn(&mut Vec<u8>)>());
        let buffers = column.finish(3);
        assert_eq!((buffers.nulls, buffers.items), (1, 2));
        assert_eq!(buffers.values, [le(&[0, 2, 2, 2]), le(&[0, 1, 3]), b"abc".to_vec()]);
    }

    #[test]
    fn lists_that_are_all_empty() {
        let mut column = Column::new("+l");
        column.push_list(0, std::iter::empty::<fn(&mut Vec<u8>)>());
        assert_eq!(column.finish(1).values, [le(&[0, 0]), le(&[0]), vec![]]);
    }

    #[test]
    fn a_column_of_nulls_takes_no_memory() {
        let buffers = Column::new("l").finish(1_000_000);
        assert_eq!((buffers.nulls, buffers.values.len()), (1_000_000, 0));
    }

    #[test]
    fn a_second_value_for_a_row_is_left_out() {
        let mut column = Column::new("C");
        column.push_fixed(0, [1]);
        column.push_fixed(0, [2]);
        assert_eq!(column.finish(1).values, [vec![1]]);
    }
}
