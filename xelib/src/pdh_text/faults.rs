//! What was met that could not be read as it stands.

/// How often something was met, and where first.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    pub count: u64,
    /// Position in code units fed, from the start of the first feed.
    pub first: u64,
}

impl Tally {
    pub fn add(&mut self, at: u64) {
        if self.count == 0 {
            self.first = at;
        }
        self.count += 1;
    }

    /// Adds what was met after everything in `self`.
    pub fn append(&mut self, later: Tally) {
        if self.count == 0 {
            self.first = later.first;
        }
        self.count += later.count;
    }
}

/// All that was met, in the order of the file.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Faults {
    /// Rows with another number of cells than the header, or an unclosed quote.
    pub torn_row: Tally,
    /// Rows without a readable time stamp.
    pub bad_time: Tally,
    /// Rows dated so near the end of the calendar that their UTC may lie beyond it: kept.
    pub far_time: Tally,
    /// Rows that a spreadsheet left without a date, met before any good row.
    pub no_date: Tally,
    /// Cells that are neither a number nor blank.
    pub bad_value: Tally,
    /// Cells with a decimal comma, read as a decimal point.
    pub decimal_comma: Tally,
    /// Lines of the program that printed the log.
    pub noise: Tally,
    /// The header again.
    pub repeated_header: Tally,
    /// Another header: nothing after it is read.
    pub other_header: Tally,
    /// A last row without line end whose last cell is closed: kept.
    pub no_line_end: Tally,
}

impl Faults {
    /// Adds what was met after everything in `self`.
    pub fn append(&mut self, later: &Faults) {
        self.torn_row.append(later.torn_row);
        self.bad_time.append(later.bad_time);
        self.far_time.append(later.far_time);
        self.no_date.append(later.no_date);
        self.bad_value.append(later.bad_value);
        self.decimal_comma.append(later.decimal_comma);
        self.noise.append(later.noise);
        self.repeated_header.append(later.repeated_header);
        self.other_header.append(later.other_header);
        self.no_line_end.append(later.no_line_end);
    }

    /// Every tally with its name.
    pub fn named(&self) -> [(&'static str, Tally); 10] {
        [
            ("torn_row", self.torn_row),
            ("bad_time", self.bad_time),
            ("far_time", self.far_time),
            ("no_date", self.no_date),
            ("bad_value", self.bad_value),
            ("decimal_comma", self.decimal_comma),
            ("noise", self.noise),
            ("repeated_header", self.repeated_header),
            ("other_header", self.other_header),
            ("no_line_end", self.no_line_end),
        ]
    }
}
