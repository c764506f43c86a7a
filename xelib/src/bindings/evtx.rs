//! Python face of the decoder of binary event logs.

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::entry_slab::{EntrySlab, number_columns, text_columns};
use crate::evtx::{Decoder, NoEventLog};

/// Decoder of an event log in binary form.
#[pyclass(module = "xelib.evtx")]
pub struct EvtxDecoder {
    decoder: Decoder,
}

#[pymethods]
impl EvtxDecoder {
    #[new]
    fn new() -> Self {
        Self { decoder: Decoder::default() }
    }

    /// Decodes the next block; gives how many events are held, and about how many bytes of them.
    fn feed(&mut self, py: Python<'_>, block: &[u8]) -> PyResult<(usize, usize)> {
        py.detach(|| self.decoder.feed(block)).map_err(refused)?;
        Ok(self.decoder.held())
    }

    /// Tells that the log has ended.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.decoder.finish()).map_err(refused)
    }

    /// Gives events since they were taken last.
    fn take(&mut self, py: Python<'_>) -> EntrySlab {
        let events = self.decoder.take();
        EntrySlab {
            rows: events.rows,
            numbers: number_columns(
                py,
                [
                    ("line", &events.line),
                    ("time", &events.time),
                    ("event_id", &events.event_id),
                    ("record", &events.record),
                ],
            ),
            texts: text_columns(
                py,
                [
                    ("log", &events.log),
                    ("level", &events.level),
                    ("source", &events.source),
                    ("computer", &events.computer),
                    ("category", &events.category),
                    ("user", &events.user),
                    ("message", &events.message),
                ],
            ),
            words: HashMap::new(),
        }
    }

    /// How many records (`unread`, `moved`) and chunks (`changed`) something is wrong with, and for
    /// those that were not read or were changed where the first of them begins.
    #[getter]
    fn counts(&self) -> HashMap<&'static str, (u64, Option<u64>)> {
        let counts = self.decoder.counts();
        HashMap::from([
            ("unread", (counts.unread.count, counts.unread.first)),
            ("changed", (counts.changed.count, counts.changed.first)),
            ("moved", (counts.moved, None)),
        ])
    }
}

fn refused(_: NoEventLog) -> PyErr {
    PyValueError::new_err("it does not begin as an event log")
}
