//! Python faces of the decoders of logs of lines.

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::entry_slab::{EntrySlab, number_columns, py_bytes, text_columns, word_column};
use super::patterns::{FoundTexts, Wordings};
use super::trace::TraceParser;
use crate::entries::{
    Assembler, ClusterLog, Column, Cut, Errorlog, EventList, Heads, Layout, Section, to_utf8,
};

/// Name of a section, its line, and rows in front of it.
type Title = (String, u64, usize);
/// Lines, entries, lines in front of the first entry, entries of which not all is kept.
type Counts = (u64, u64, u64, u64);

/// Decoder of a cluster log.
#[pyclass(module = "xelib.entries")]
pub struct ClusterLogDecoder {
    assembler: Assembler<ClusterLog>,
}

#[pymethods]
impl ClusterLogDecoder {
    #[new]
    fn new() -> Self {
        Self { assembler: Assembler::new(ClusterLog::default(), 0) }
    }

    /// Decodes the next block of whole lines.
    fn feed(&mut self, py: Python<'_>, block: &[u8]) {
        py.detach(|| self.assembler.feed(block));
    }

    /// Tells that the log has ended.
    fn finish(&mut self) {
        self.assembler.finish();
    }

    /// Gives rows since they were taken last; with them the titles of sections (name, line, rows in
    /// front of it), a bitmap of the rows that a search tool has numbered, and the rows (int64) that
    /// may be samples of a lease.
    fn take(&mut self, py: Python<'_>) -> (EntrySlab, Vec<Title>, Py<PyBytes>, Py<PyBytes>) {
        let log = &self.assembler.layout;
        let slab = EntrySlab {
            rows: log.rows,
            numbers: number_columns(
                py,
                [
                    ("line", &log.line),
                    ("time", &log.time),
                    ("process", &log.process),
                    ("thread", &log.thread),
                ],
            ),
            texts: text_columns(
                py,
                [
                    ("section", &log.section),
                    ("channel", &log.channel),
                    ("level", &log.level),
                    ("component", &log.component),
                    ("resource", &log.resource),
                    ("text", &log.text),
                ],
            ),
            words: HashMap::new(),
        };
        let title = |title: &Section| (title.name.clone(), title.line, title.rows_before);
        let sections = log.sections.iter().map(title).collect();
        let taken = (slab, sections, py_bytes(py, &log.numbered.bytes), py_bytes(py, &log.samples));
        self.assembler.layout.clear();
        taken
    }

    /// Lines, entries and sections, lines in front of the first, and those that were cut.
    #[getter]
    fn counts(&self) -> Counts {
        counts(&self.assembler)
    }
}

/// Decoder of an ERRORLOG.
#[pyclass(module = "xelib.entries")]
pub struct ErrorlogDecoder {
    log: Errorlog,
}

#[pymethods]
impl ErrorlogDecoder {
    #[new]
    #[pyo3(signature = (*, newest_first = false))]
    fn new(newest_first: bool) -> Self {
        Self { log: Errorlog::new(newest_first) }
    }

    /// Decodes the next block of whole lines, and gives where in it the first entry begins that is
    /// dated where no UTC can be given.
    #[pyo3(signature = (block, *, is_last = false))]
    fn feed(&mut self, py: Python<'_>, block: &[u8], is_last: bool) -> Option<usize> {
        py.detach(|| self.log.feed(block, is_last))
    }

    /// Passes a line that stands for missing ones.
    fn part(&mut self) {
        self.log.part();
    }

    /// Tells that the log has ended.
    fn finish(&mut self) {
        self.log.finish();
    }

    /// Gives rows since they were taken last, and the wordings found in their messages; a parser of
    /// trace flags' text takes them, too.
    fn take(
        &mut self,
        py: Python<'_>,
        wordings: &Wordings,
        mut trace: PyRefMut<'_, TraceParser>,
    ) -> (EntrySlab, Vec<FoundTexts>) {
        let log = self.log.columns();
        let trace = &mut *trace;
        let found = py.detach(|| {
            trace.see(log);
            wordings.find_in(log.message.iter())
        });
        let numbers = number_columns(
            py,
            [
                ("line", &log.line),
                ("time", &log.time),
                ("spid", &log.spid),
                ("error", &log.error),
                ("severity", &log.severity),
                ("state", &log.state),
                ("continuation_lines", &log.continuation_lines),
            ],
        );
        let texts = text_columns(py, [("source", &log.source), ("message", &log.message)]);
        let slab = EntrySlab::of(log.rows, numbers, texts);
        self.log.clear();
        (slab, Wordings::given(py, found))
    }

    /// What was met in the whole log.
    #[getter]
    fn counts(&self) -> HashMap<&'static str, u64> {
        let counts = self.log.counts();
        HashMap::from([
            ("lines", counts.lines),
            ("entries", counts.entries),
            ("continuation_lines", counts.continuation_lines),
            ("error_pairs", counts.error_pairs),
            ("empty_messages", counts.empty_messages),
            ("orphans", counts.orphans),
            ("capped", counts.capped),
            ("far", counts.far),
        ])
    }
}

/// Decoder of a list or table of events.
#[pyclass(module = "xelib.entries")]
pub struct EventListDecoder {
    assembler: Assembler<EventList>,
}

#[pymethods]
impl EventListDecoder {
    #[new]
    #[pyo3(signature = (layout, *, columns = Vec::new(), widths = Vec::new(), separator = ",", header_lines = 0))]
    fn new(
        layout: &str,
        columns: Vec<Option<String>>,
        widths: Vec<usize>,
        separator: &str,
        header_lines: u64,
    ) -> PyResult<Self> {
        let known =
            columns.iter().map(|name| column(name.as_deref())).collect::<PyResult<Vec<_>>>()?;
        let &[separator] = separator.as_bytes() else {
            return Err(PyValueError::new_err("separator must be one character of ASCII"));
        };
        let (heads, cut) = match layout {
            "quoted" => (Heads::QuotedLevel, Cut::Quoted),
            "table" => {
                let columns = known.into_iter().flatten().zip(widths).collect();
                (Heads::Date, Cut::table(columns))
            }
            "list" => (Heads::of_list(&known, separator), Cut::list(known, separator)),
            _ => return Err(PyValueError::new_err("layout must be quoted, table or list")),
        };
        Ok(Self { assembler: Assembler::new(EventList::new(heads, cut), header_lines) })
    }

    /// Decodes the next block of whole lines.
    fn feed(&mut self, py: Python<'_>, block: &[u8]) {
        py.detach(|| self.assembler.feed(block));
    }

    /// Tells that the log has ended.
    fn finish(&mut self) {
        self.assembler.finish();
    }

    /// Gives rows since they were taken last; how many were left out as damaged; and of times of day
    /// whether they have a word for the half of the day, and the lowest and the highest hour.
    fn take(&mut self, py: Python<'_>) -> (EntrySlab, usize, bool, Option<i64>, Option<i64>) {
        let log = self.assembler.layout.give();
        let slab = EntrySlab {
            rows: log.rows,
            numbers: number_columns(
                py,
                [
                    ("line", &log.line),
                    ("clock", &log.clock),
                    ("event_id", &log.event_id),
                    ("record", &log.record),
                ],
            ),
            texts: text_columns(
                py,
                [
                    ("log", &log.log),
                    ("source", &log.source),
                    ("computer", &log.computer),
                    ("category", &log.category),
                    ("user", &log.user),
                    ("message", &log.message),
                ],
            ),
            words: HashMap::from([
                ("day", word_column(py, &log.day)),
                ("level", word_column(py, &log.level)),
            ]),
        };
        let clocks = log.clocks;
        (slab, log.damaged, clocks.has_half, clocks.lowest_hour, clocks.highest_hour)
    }

    /// Lines, events, lines in front of the first, and events that were cut.
    #[getter]
    fn counts(&self) -> Counts {
        counts(&self.assembler)
    }
}

/// Turns UTF-16 into UTF-8, up to a position; gives with it how many characters were none and became
/// U+FFFD.
#[pyfunction]
#[pyo3(signature = (text, end, *, big_endian = false))]
pub fn utf8_of_utf16(
    py: Python<'_>,
    text: &[u8],
    end: usize,
    big_endian: bool,
) -> (Py<PyBytes>, usize) {
    let mut out = Vec::new();
    let replaced = py.detach(|| to_utf8(&text[..end.min(text.len())], big_endian, &mut out));
    (py_bytes(py, &out), replaced)
}

fn column(name: Option<&str>) -> PyResult<Option<Column>> {
    let Some(name) = name else { return Ok(None) };
    let found = Column::of_name(name);
    found.map(Some).ok_or_else(|| PyValueError::new_err(format!("no column of events: {name}")))
}

fn counts<L: Layout>(assembler: &Assembler<L>) -> Counts {
    (assembler.lines, assembler.entries, assembler.orphans, assembler.capped)
}
