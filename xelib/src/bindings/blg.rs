//! Python face of the decoder of binary performance logs.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use super::slab::{long_columns, row_columns};
use crate::blg::trace_header::{self, Sniffed, TraceHeader, Zone};
use crate::blg::{Decoder, Options, Refused, Values, clock};

/// Decoder of one log.
#[pyclass(module = "xelib.blg")]
pub struct BlgDecoder {
    decoder: Decoder,
}

/// Consecutive rows in long form.
#[pyclass(frozen, get_all, module = "xelib.blg")]
pub struct BlgSlab {
    first_tick: usize,
    rows: usize,
    values: usize,
    row_tick: Py<PyBytes>,
    row_time: Py<PyBytes>,
    counter_no: Py<PyBytes>,
    tick: Py<PyBytes>,
    value: Py<PyBytes>,
    second: Py<PyBytes>,
}

#[pymethods]
impl BlgDecoder {
    #[new]
    #[pyo3(signature = (*, counters = Vec::new(), begin = None, end = None, values = "cooked", order = Vec::new()))]
    fn new(
        counters: Vec<String>,
        begin: Option<i64>,
        end: Option<i64>,
        values: &str,
        order: Vec<u32>,
    ) -> PyResult<Self> {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted.iter().zip(0..).any(|(&number, place)| number != place) {
            return Err(PyValueError::new_err("order must hold each number below its length once"));
        }
        let values = match values {
            "cooked" => Values::Cooked,
            "raw" => Values::Raw,
            "none" => Values::None,
            _ => return Err(PyValueError::new_err("values must be cooked, raw or none")),
        };
        Ok(Self { decoder: Decoder::new(Options { counters, begin, end, values, order }) })
    }

    /// Decodes the next bytes; gives how many cells are held for the next slab.
    fn feed(&mut self, py: Python<'_>, block: &[u8]) -> PyResult<usize> {
        py.detach(|| self.decoder.feed(block)).map_err(|error| raised(py, error))?;
        Ok(self.decoder.held_cells())
    }

    /// Decodes one whole buffer that lies at `offset`.
    fn feed_buffer(&mut self, py: Python<'_>, buffer: &[u8], offset: u64) -> PyResult<usize> {
        py.detach(|| self.decoder.feed_buffer(buffer, offset))
            .map_err(|error| raised(py, error))?;
        Ok(self.decoder.held_cells())
    }

    fn begin_survey(&mut self) {
        self.decoder.begin_survey();
    }

    fn end_survey(&mut self) -> Vec<u64> {
        self.decoder.end_survey()
    }

    /// Tells that the file has ended.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.decoder.finish()).map_err(|error| raised(py, error))
    }

    /// Gives the rows held in long form and begins the next slab; None when there are none.
    fn take(&mut self, py: Python<'_>) -> PyResult<Option<BlgSlab>> {
        if self.decoder.held_rows() == 0 {
            return Ok(None);
        }
        let slab = self.slab(py)?;
        self.decoder.drop_held();
        Ok(Some(slab))
    }

    /// The series that are new since the last call.
    fn take_series<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let series = self.decoder.take_series().into_iter().map(|series| {
            let kind = series.counter_type;
            let place = (series.item, series.counter);
            (series.path, kind.code, kind.name, series.scale, series.time_base, place)
        });
        PyList::new(py, series.collect::<Vec<_>>())
    }

    #[getter]
    fn buffer_bytes(&self) -> usize {
        self.decoder.buffer_bytes()
    }

    /// What the header of the log says, by name; None where it has not been met.
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.decoder.header().map(|header| header_dict(py, header)).transpose()
    }

    /// From which tick on local time was how far from UTC: (tick, time, minutes, source).
    fn offsets(&self) -> Vec<(i32, i64, i32, &'static str)> {
        let named = |source| match source {
            clock::Source::DataBlock => "data_block",
            clock::Source::RawCounter => "raw_counter",
        };
        let offsets = self.decoder.offsets().iter();
        offsets.map(|o| (o.tick, o.time, o.minutes, named(o.source))).collect()
    }

    /// What was met, by name: (how many times, byte offset of the first).
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let faults = PyDict::new(py);
        for (name, tally) in self.decoder.faults().met() {
            faults.set_item(name, (tally.count, tally.first))?;
        }
        Ok(faults)
    }
}

impl BlgDecoder {
    fn slab(&self, py: Python<'_>) -> PyResult<BlgSlab> {
        let decoder = &self.decoder;
        let (first, rows) = (decoder.first_row(), decoder.held_rows());
        let plan = py.detach(|| decoder.plan());
        let values = plan.values();
        let second_values = if decoder.values() == Values::Raw { values } else { 0 };
        let [counter_no, tick, value, second] =
            long_columns(py, values, second_values, |out, second| plan.fill(out, second))?;
        let [row_tick, row_time] = row_columns(py, first, rows, decoder.times().iter().copied())?;
        Ok(BlgSlab {
            first_tick: first,
            rows,
            values,
            row_tick,
            row_time,
            counter_no,
            tick,
            value,
            second,
        })
    }
}

fn header_dict<'py>(py: Python<'py>, header: &TraceHeader) -> PyResult<Bound<'py, PyDict>> {
    let TraceHeader { zone, .. } = header;
    let dict = PyDict::new(py);
    dict.set_item("os", format!("{}.{}.{}", header.os_major, header.os_minor, header.os_build))?;
    dict.set_item("pointer_bytes", header.pointer_bytes)?;
    dict.set_item("start", clock::micros(header.start).filter(|_| header.start > 0))?;
    dict.set_item("end", clock::micros(header.end).filter(|_| header.end > 0))?;
    dict.set_item("boot", clock::micros(header.boot).filter(|_| header.boot > 0))?;
    dict.set_item("perf_frequency", header.perf_frequency)?;
    dict.set_item("mode", header.mode)?;
    dict.set_item("is_circular", header.is_circular())?;
    dict.set_item("buffers_written", header.buffers_written)?;
    dict.set_item("events_lost", header.events_lost)?;
    dict.set_item("buffers_lost", header.buffers_lost)?;
    dict.set_item("logger", &header.logger)?;
    dict.set_item("file", &header.file)?;
    dict.set_item("zone", zone_dict(py, zone)?)?;
    Ok(dict)
}

fn zone_dict<'py>(py: Python<'py>, zone: &Zone) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("bias", zone.bias)?;
    dict.set_item("standard_name", &zone.standard_name)?;
    dict.set_item("standard_date", zone.standard_date)?;
    dict.set_item("standard_bias", zone.standard_bias)?;
    dict.set_item("daylight_name", &zone.daylight_name)?;
    dict.set_item("daylight_date", zone.daylight_date)?;
    dict.set_item("daylight_bias", zone.daylight_bias)?;
    Ok(dict)
}

fn raised(py: Python<'_>, refused: Refused) -> PyErr {
    let Refused { what, offset, need, have } = refused;
    // The class is written in Python: the stable ABI cannot give an exception attributes.
    let class = py.import("xelib.errors").and_then(|errors| errors.getattr("FormatError"));
    match class.and_then(|class| class.call1((what, offset, need, have))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Tells what a file is from its first bytes: "performance log", "other trace" or "no trace".
#[pyfunction]
pub fn sniff_trace(head: &[u8]) -> &'static str {
    match trace_header::sniff(head) {
        Sniffed::PerformanceLog => "performance log",
        Sniffed::OtherTrace => "other trace",
        Sniffed::NoTrace => "no trace",
    }
}

/// What the header of a log says, from the first bytes of the file; None where it is cut.
#[pyfunction]
pub fn read_trace_header<'py>(
    py: Python<'py>,
    head: &[u8],
) -> PyResult<Option<Bound<'py, PyDict>>> {
    trace_header::find(head).map(|header| header_dict(py, &header)).transpose()
}
