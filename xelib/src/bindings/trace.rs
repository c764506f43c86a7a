//! Python face of the parser of trace flags' text.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::entry_slab::{
    EntrySlab, TextColumn, number_columns, py_bytes, text_column, text_columns,
};
use super::patterns::Wordings;
use crate::entries::{ErrorlogColumns, Line, Phase, TraceRows, TraceText};
use crate::texts::texts_in;

/// Name, topic, fields that the wording states, whether it is only taken with an operation in front,
/// and whether it starts or ends one.
type PhaseOf = (String, String, Vec<(String, String)>, bool, bool, bool);
/// Rows; and of their maps offsets (int32), names and values.
type Rows = (EntrySlab, Py<PyBytes>, TextColumn, TextColumn);
/// Stands for a time that is missing.
const NO_TIME: i64 = i64::MIN;

/// The parser: what is open stays open from one call to the next.
#[pyclass(module = "xelib.entries")]
pub struct TraceParser {
    parser: TraceText,
}

#[pymethods]
impl TraceParser {
    #[new]
    #[pyo3(signature = (wordings, phases, *, prefixes, keys, heads, title))]
    fn new(
        wordings: &Wordings,
        phases: Vec<PhaseOf>,
        prefixes: Vec<Vec<u8>>,
        keys: Vec<(String, String)>,
        heads: Vec<Vec<u8>>,
        title: Vec<u8>,
    ) -> Self {
        let phases = phases.into_iter().map(|(name, topic, says, only_prefixed, starts, ends)| {
            Phase { name, topic, says, only_prefixed, starts, ends }
        });
        let patterns = Arc::clone(&wordings.patterns);
        Self { parser: TraceText::new(patterns, phases.collect(), prefixes, keys, heads, title) }
    }

    /// Takes the next lines.
    #[pyo3(signature = (line, time, source, message, operation = None, database = None))]
    #[expect(clippy::too_many_arguments, reason = "a column each")]
    fn feed(
        &mut self,
        py: Python<'_>,
        line: &[u8],
        time: &[u8],
        source: (&[u8], &[u8]),
        message: (&[u8], &[u8]),
        operation: Option<(&[u8], &[u8])>,
        database: Option<(&[u8], &[u8])>,
    ) {
        py.detach(|| {
            let mut operations = operation.map(|(offsets, bytes)| texts_in(offsets, bytes));
            let mut databases = database.map(|(offsets, bytes)| texts_in(offsets, bytes));
            let texts = texts_in(source.0, source.1).zip(texts_in(message.0, message.1));
            for ((line, time), (source, message)) in int64s(line).zip(int64s(time)).zip(texts) {
                self.parser.see(&Line {
                    line,
                    time: (time != NO_TIME).then_some(time),
                    source,
                    message,
                    operation: operations.as_mut().and_then(Iterator::next).unwrap_or_default(),
                    database: databases.as_mut().and_then(Iterator::next).unwrap_or_default(),
                });
            }
        });
    }

    /// Tells that the log has ended.
    fn finish(&mut self) {
        self.parser.finish();
    }

    /// Gives the steps since they were taken last, then the buffer configurations that ended.
    fn take(&mut self, py: Python<'_>) -> Rows {
        let TraceRows { rows, line, time, source, topic, fields } = self.parser.give();
        let slab = EntrySlab::of(
            rows,
            number_columns(py, [("line", &line), ("time", &time)]),
            text_columns(py, [("source", &source), ("topic", &topic)]),
        );
        let [names, values] = [&fields.names, &fields.values].map(|texts| text_column(py, texts));
        (slab, py_bytes(py, &fields.offsets), names, values)
    }
}

impl TraceParser {
    /// Takes the entries of an ERRORLOG.
    pub fn see(&mut self, log: &ErrorlogColumns) {
        let numbers = int64s(&log.line.values).zip(int64s(&log.time.values));
        let texts = log.source.iter().zip(log.message.iter());
        for ((line, time), (source, message)) in numbers.zip(texts) {
            self.parser.see(&Line { line, time: Some(time), source, message, ..Line::default() });
        }
    }
}

fn int64s(bytes: &[u8]) -> impl Iterator<Item = i64> {
    bytes.as_chunks::<8>().0.iter().map(|bytes| i64::from_ne_bytes(*bytes))
}
