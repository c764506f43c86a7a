//! Rows of entries in Arrow's memory layout, as Python gets them.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::entries::{Numbers, Words};
use crate::texts::Texts;

/// int64 and their validity.
pub(super) type NumberColumn = (Py<PyBytes>, Py<PyBytes>);
/// Offsets, UTF-8 and validity.
pub(super) type TextColumn = (Py<PyBytes>, Py<PyBytes>, Py<PyBytes>);
/// int32, their validity, and the words that they number.
pub(super) type WordColumn = (Py<PyBytes>, Py<PyBytes>, Vec<String>);
/// Rows of entries, column by column.
#[pyclass(frozen, get_all, module = "xelib.entries")]
pub struct EntrySlab {
    pub(super) rows: usize,
    pub(super) numbers: HashMap<&'static str, NumberColumn>,
    pub(super) texts: HashMap<&'static str, TextColumn>,
    pub(super) words: HashMap<&'static str, WordColumn>,
}

impl EntrySlab {
    pub(super) fn of(
        rows: usize,
        numbers: HashMap<&'static str, NumberColumn>,
        texts: HashMap<&'static str, TextColumn>,
    ) -> Self {
        Self { rows, numbers, texts, words: HashMap::new() }
    }
}

pub(super) fn py_bytes(py: Python<'_>, bytes: &[u8]) -> Py<PyBytes> {
    PyBytes::new(py, bytes).unbind()
}

pub(super) fn number_columns<const N: usize>(
    py: Python<'_>,
    columns: [(&'static str, &Numbers); N],
) -> HashMap<&'static str, NumberColumn> {
    let column =
        |numbers: &Numbers| (py_bytes(py, &numbers.values), py_bytes(py, &numbers.valid.bytes));
    columns.into_iter().map(|(name, numbers)| (name, column(numbers))).collect()
}

pub(super) fn text_columns<const N: usize>(
    py: Python<'_>,
    columns: [(&'static str, &Texts); N],
) -> HashMap<&'static str, TextColumn> {
    columns.into_iter().map(|(name, texts)| (name, text_column(py, texts))).collect()
}

pub(super) fn text_column(py: Python<'_>, texts: &Texts) -> TextColumn {
    let bytes = [&texts.offsets, &texts.bytes, &texts.valid.bytes];
    let [offsets, text, valid] = bytes.map(|bytes| py_bytes(py, bytes));
    (offsets, text, valid)
}

pub(super) fn word_column(py: Python<'_>, words: &Words) -> WordColumn {
    (py_bytes(py, &words.codes), py_bytes(py, &words.valid.bytes), words.words.clone())
}
