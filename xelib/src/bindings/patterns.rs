//! Python face of known wordings.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::entries::{TextColumn, py_bytes, text_column};
use crate::entries::{Pattern, Patterns};

/// Pattern, heads, fragment, and whether it has no letter beyond ASCII.
type Wording = (String, Vec<Vec<u8>>, String, bool);
/// Number of a pattern, rows (int64), and a column for each named group.
type FoundTexts = (usize, Py<PyBytes>, Vec<(String, TextColumn)>);

/// Wordings that are looked for together.
#[pyclass(frozen, module = "xelib.entries")]
pub struct Wordings {
    patterns: Patterns,
}

#[pymethods]
impl Wordings {
    #[new]
    fn new(wordings: Vec<Wording>) -> PyResult<Self> {
        let patterns = wordings.into_iter().map(|(regex, heads, fragment, is_ascii)| Pattern {
            regex,
            heads,
            fragment,
            is_ascii,
        });
        let patterns = Patterns::new(patterns.collect());
        Ok(Self { patterns: patterns.map_err(|error| PyValueError::new_err(error.to_string()))? })
    }

    /// Gives the numbers of those that a text with this beginning can be, ascending.
    fn candidates(&self, head: &[u8]) -> Vec<usize> {
        self.patterns.candidates(head, false)
    }

    /// Finds them in texts: offsets are int32, one more than there are texts.
    fn find(&self, py: Python<'_>, offsets: &[u8], data: &[u8]) -> Vec<FoundTexts> {
        let place = |offset: &[u8; 4]| i32::from_ne_bytes(*offset) as usize;
        let texts = offsets.as_chunks::<4>().0.windows(2).map(|ends| {
            let text = data.get(place(&ends[0])..place(&ends[1])).unwrap_or_default();
            std::str::from_utf8(text).unwrap_or_default()
        });
        let found = py.detach(|| self.patterns.find(texts));
        let columns = |names: Vec<String>, columns: &[_]| {
            names.into_iter().zip(columns.iter().map(|column| text_column(py, column))).collect()
        };
        found
            .into_iter()
            .map(|one| (one.pattern, py_bytes(py, &one.rows), columns(one.names, &one.columns)))
            .collect()
    }
}
