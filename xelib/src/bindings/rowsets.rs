//! Python face of the decoder of rowsets.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::rowsets::{Decoder, Measure, Output};

/// Decoder of the rowsets of one text.
#[pyclass(module = "xelib.rowsets")]
pub struct RowsetDecoder {
    decoder: Decoder,
}

/// Rows of rowsets, or their heads, each with a list of texts.
#[pyclass(frozen, get_all, module = "xelib.rowsets")]
pub struct RowsetSlab {
    rows: usize,
    rowset: Py<PyBytes>,
    row: Py<PyBytes>,
    line: Py<PyBytes>,
    offset: Py<PyBytes>,
    time: Py<PyBytes>,
    time_valid: Py<PyBytes>,
    name_offsets: Py<PyBytes>,
    name_bytes: Py<PyBytes>,
    name_valid: Py<PyBytes>,
    begins: Py<PyBytes>,
    texts: usize,
    text_offsets: Py<PyBytes>,
    text_bytes: Py<PyBytes>,
    text_valid: Py<PyBytes>,
}

type Fault = (&'static str, u32, u64, u64, u64, String);

#[pymethods]
impl RowsetDecoder {
    #[new]
    #[pyo3(signature = (*, measure = "bytes", offset = 0))]
    fn new(measure: &str, offset: u64) -> PyResult<Self> {
        let measure = match measure {
            "bytes" => Measure::Bytes,
            "units" => Measure::Units,
            "columns" => Measure::Columns,
            _ => return Err(PyValueError::new_err("measure must be bytes, units or columns")),
        };
        Ok(Self { decoder: Decoder::new(measure, offset) })
    }

    /// Decodes the next block; gives about how many bytes are held for the next slab.
    fn feed(&mut self, py: Python<'_>, block: &[u8]) -> usize {
        py.detach(|| self.decoder.feed(block));
        self.decoder.held()
    }

    /// Tells that the text has ended.
    fn finish(&mut self) {
        self.decoder.finish();
    }

    /// Gives heads and rows since they were taken last.
    fn take(&mut self, py: Python<'_>) -> (RowsetSlab, RowsetSlab) {
        let Output { heads, rows } = self.decoder.take();
        (slab(py, &heads), slab(py, &rows))
    }

    /// What was met beside rowsets: kind, number, count, first line, its offset, text.
    fn faults(&self) -> Vec<Fault> {
        let found = self.decoder.faults().iter();
        found.map(|f| (f.kind, f.number, f.count, f.line, f.offset, f.text.clone())).collect()
    }
}

fn slab(py: Python<'_>, lists: &crate::rowsets::Lists) -> RowsetSlab {
    let bytes = |bytes: &[u8]| PyBytes::new(py, bytes).unbind();
    RowsetSlab {
        rows: lists.len(),
        rowset: bytes(&lists.rowset),
        row: bytes(&lists.row),
        line: bytes(&lists.line),
        offset: bytes(&lists.offset),
        time: bytes(&lists.time),
        time_valid: bytes(&lists.time_valid.bytes),
        name_offsets: bytes(&lists.names.offsets),
        name_bytes: bytes(&lists.names.bytes),
        name_valid: bytes(&lists.names.valid.bytes),
        begins: bytes(&lists.begins),
        texts: lists.texts.len(),
        text_offsets: bytes(&lists.texts.offsets),
        text_bytes: bytes(&lists.texts.bytes),
        text_valid: bytes(&lists.texts.valid.bytes),
    }
}
