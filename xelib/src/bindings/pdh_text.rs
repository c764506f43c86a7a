//! Python face of the PDH text decoder.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::slab::{long_columns, row_columns};
use crate::pdh_text::{self, CodeUnits, Decoder, Layout, LongRows, MAX_LINE, Options, RowWriter};

/// Decoder of the rows after a PDH header.
#[pyclass(module = "xelib.pdh_text")]
pub struct PdhTextDecoder {
    decoder: Decoder,
    threads: usize,
}

/// Consecutive rows in long form.
#[pyclass(frozen, get_all, module = "xelib.pdh_text")]
pub struct PdhSlab {
    first_tick: usize,
    rows: usize,
    values: usize,
    row_tick: Py<PyBytes>,
    row_time: Py<PyBytes>,
    counter_no: Py<PyBytes>,
    tick: Py<PyBytes>,
    value: Py<PyBytes>,
}

#[pymethods]
impl PdhTextDecoder {
    #[new]
    #[pyo3(signature = (cells, wanted, *, separator = ",", header = None, encoding = "bytes", threads = 2, first_row = 0))]
    fn new(
        cells: usize,
        wanted: Vec<u32>,
        separator: &str,
        header: Option<&[u8]>,
        encoding: &str,
        threads: usize,
        first_row: usize,
    ) -> PyResult<Self> {
        if !wanted.is_sorted_by(|a, b| a < b)
            || wanted.iter().any(|&n| n == 0 || n as usize >= cells)
        {
            return Err(PyValueError::new_err("wanted must ascend strictly within 1..cells"));
        }
        let units = match encoding {
            "bytes" => CodeUnits::Bytes,
            "utf-16-le" => CodeUnits::Utf16 { big_endian: false },
            "utf-16-be" => CodeUnits::Utf16 { big_endian: true },
            _ => {
                return Err(PyValueError::new_err(
                    "encoding must be bytes, utf-16-le or utf-16-be",
                ));
            }
        };
        let separator = one_byte(separator)?;
        let layout =
            Layout { cells, separator, wanted, header: units.narrow(header.unwrap_or_default()) };
        let options = Options { layout, units, threads, max_line: MAX_LINE, first_row };
        Ok(Self { decoder: Decoder::new(options), threads })
    }

    /// Decodes the next bytes; gives how many cells are held for the next slab.
    fn feed(&mut self, py: Python<'_>, block: &[u8]) -> PyResult<usize> {
        py.detach(|| self.decoder.feed(block));
        self.check_rows()?;
        Ok(self.decoder.held_cells())
    }

    /// Tells that the file has ended.
    fn finish(&mut self) -> PyResult<()> {
        self.decoder.finish();
        self.check_rows()
    }

    /// Gives the rows held in long form and begins the next slab; None when there are none.
    fn take(&mut self, py: Python<'_>) -> PyResult<Option<PdhSlab>> {
        if self.decoder.held_rows() == 0 {
            return Ok(None);
        }
        let slab = self.slab(py)?;
        self.decoder.drop_held();
        Ok(Some(slab))
    }

    /// True when nothing that follows can be part of this log.
    #[getter]
    fn stopped(&self) -> bool {
        self.decoder.stopped()
    }

    /// What was met, by name: (how many times, byte offset of the first).
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let faults = PyDict::new(py);
        for (name, tally) in self.decoder.faults().named() {
            if tally.count > 0 {
                let offset = tally.first * self.decoder.unit_bytes();
                faults.set_item(name, (tally.count, offset))?;
            }
        }
        Ok(faults)
    }
}

impl PdhTextDecoder {
    fn check_rows(&self) -> PyResult<()> {
        let rows = self.decoder.first_row() + self.decoder.held_rows();
        match i32::try_from(rows) {
            Ok(_) => Ok(()),
            Err(_) => Err(PyOverflowError::new_err("more rows than ticks can number")),
        }
    }

    fn slab(&self, py: Python<'_>) -> PyResult<PdhSlab> {
        let decoder = &self.decoder;
        let (first, rows) = (decoder.first_row(), decoder.held_rows());
        let plan = py.detach(|| decoder.plan());
        let values = plan.values();
        let [counter_no, tick, value, _] =
            long_columns(py, values, 0, |out, _| plan.fill(out, self.threads))?;
        let [row_tick, row_time] = row_columns(py, first, rows, decoder.times())?;
        Ok(PdhSlab { first_tick: first, rows, values, row_tick, row_time, counter_no, tick, value })
    }
}

fn one_byte(separator: &str) -> PyResult<u8> {
    match separator.as_bytes() {
        [byte] if !matches!(byte, b'"' | b'\r' | b'\n') => Ok(*byte),
        _ => Err(PyValueError::new_err("separator must be one ASCII character")),
    }
}

/// Splits a header line into the texts of its cells; raises ValueError beyond `limit` cells.
#[pyfunction]
pub fn split_cells(line: &str, separator: &str, limit: usize) -> PyResult<Vec<String>> {
    pdh_text::split_cells(line, one_byte(separator)?, limit)
        .ok_or_else(|| PyValueError::new_err(format!("more than {limit} cells in a line")))
}

/// Rows in long form, written piece by piece as the lines of a PDH text log.
#[pyclass(module = "xelib.pdh_text")]
pub struct PdhRowWriter {
    writer: RowWriter,
    row_tick: Py<PyBytes>,
    row_time: Py<PyBytes>,
    counter_no: Py<PyBytes>,
    tick: Py<PyBytes>,
    value: Py<PyBytes>,
}

#[pymethods]
impl PdhRowWriter {
    #[new]
    #[pyo3(signature = (row_tick, row_time, counter_no, tick, value, *, width, separator))]
    #[expect(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        row_tick: Py<PyBytes>,
        row_time: Py<PyBytes>,
        counter_no: Py<PyBytes>,
        tick: Py<PyBytes>,
        value: Py<PyBytes>,
        width: usize,
        separator: &str,
    ) -> PyResult<Self> {
        let rows = LongRows {
            row_tick: row_tick.as_bytes(py).as_chunks().0,
            row_time: row_time.as_bytes(py).as_chunks().0,
            series: counter_no.as_bytes(py).as_chunks().0,
            tick: tick.as_bytes(py).as_chunks().0,
            value: value.as_bytes(py).as_chunks().0,
        };
        let writer = RowWriter::new(&rows, width, one_byte(separator)?).ok_or_else(|| {
            PyValueError::new_err("values are not sorted by series, or not in width")
        })?;
        Ok(Self { writer, row_tick, row_time, counter_no, tick, value })
    }

    /// Gives the next lines, about `size` bytes of them; nothing when all are written.
    fn read<'py>(&mut self, py: Python<'py>, size: usize) -> Bound<'py, PyBytes> {
        let Self { writer, row_tick, row_time, counter_no, tick, value } = self;
        let rows = LongRows {
            row_tick: row_tick.as_bytes(py).as_chunks().0,
            row_time: row_time.as_bytes(py).as_chunks().0,
            series: counter_no.as_bytes(py).as_chunks().0,
            tick: tick.as_bytes(py).as_chunks().0,
            value: value.as_bytes(py).as_chunks().0,
        };
        let text = py.detach(|| writer.write(&rows, size));
        PyBytes::new(py, &text)
    }
}
