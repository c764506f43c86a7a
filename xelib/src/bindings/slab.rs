//! Rows of a performance log as bytes objects, filled in place: no second copy of a slab.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::pdh_text::Long;

/// Numbers (int32, from `first`) and local times (int64) of consecutive rows.
pub fn row_columns(
    py: Python<'_>,
    first: usize,
    rows: usize,
    times: impl Iterator<Item = i64>,
) -> PyResult<[Py<PyBytes>; 2]> {
    let numbers = PyBytes::new_with(py, rows * 4, |bytes| {
        for (out, row) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(first..) {
            *out = (row as i32).to_ne_bytes();
        }
        Ok(())
    })?;
    let times = PyBytes::new_with(py, rows * 8, |bytes| {
        for (out, time) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(times) {
            *out = time.to_ne_bytes();
        }
        Ok(())
    })?;
    Ok([numbers.unbind(), times.unbind()])
}

/// Series, row, value and, where there are any, second values: `values` of them, put there by
/// `fill` while other threads of Python run.
pub fn long_columns(
    py: Python<'_>,
    values: usize,
    second_values: usize,
    fill: impl FnOnce(Long<'_>, &mut [u8]) + Send,
) -> PyResult<[Py<PyBytes>; 4]> {
    let (mut rows, mut numbers, mut seconds) = (None, None, None);
    let series = PyBytes::new_with(py, values * 4, |series| {
        rows = Some(PyBytes::new_with(py, values * 4, |row| {
            numbers = Some(PyBytes::new_with(py, values * 8, |value| {
                seconds = Some(PyBytes::new_with(py, second_values * 8, |second| {
                    py.detach(|| fill(Long { series, row, value }, second));
                    Ok(())
                })?);
                Ok(())
            })?);
            Ok(())
        })?);
        Ok(())
    })?;
    match (rows, numbers, seconds) {
        (Some(row), Some(value), Some(second)) => {
            Ok([series.unbind(), row.unbind(), value.unbind(), second.unbind()])
        }
        _ => Err(PyValueError::new_err("the long form was not filled")),
    }
}
