//! Python face of known wordings.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::entry_slab::{TextColumn, py_bytes, text_column};
use crate::entries::{Found, Pattern, Patterns};
use crate::texts::texts_in;

/// Pattern, heads, fragment, and whether it has no letter beyond ASCII.
pub type Wording = (String, Vec<Vec<u8>>, String, bool);
/// Number of a pattern, rows (int64), and a column for each named group.
pub type FoundTexts = (usize, Py<PyBytes>, Vec<(String, TextColumn)>);

/// Wordings that are looked for together.
#[pyclass(frozen, module = "xelib.entries")]
pub struct Wordings {
    pub patterns: Arc<Patterns>,
}

#[pymethods]
impl Wordings {
    #[new]
    fn new(wordings: Vec<Wording>) -> PyResult<Self> {
        Ok(Self { patterns: Arc::new(patterns_of(wordings)?) })
    }

    /// Gives the numbers of those that a text with this beginning can be, ascending.
    fn candidates(&self, head: &[u8]) -> Vec<usize> {
        self.patterns.candidates(head, false)
    }

    /// Finds them in texts: offsets are int32, one more than there are texts.
    fn find(&self, py: Python<'_>, offsets: &[u8], data: &[u8]) -> Vec<FoundTexts> {
        Self::given(py, py.detach(|| self.find_in(texts_in(offsets, data))))
    }
}

impl Wordings {
    /// Finds them in texts.
    pub fn find_in<'a>(&self, texts: impl Iterator<Item = &'a str>) -> Vec<Found> {
        self.patterns.find(texts)
    }

    /// Gives to Python what was found.
    pub fn given(py: Python<'_>, found: Vec<Found>) -> Vec<FoundTexts> {
        let columns = |names: Vec<String>, columns: &[_]| {
            names.into_iter().zip(columns.iter().map(|column| text_column(py, column))).collect()
        };
        found
            .into_iter()
            .map(|one| (one.pattern, py_bytes(py, &one.rows), columns(one.names, &one.columns)))
            .collect()
    }
}

/// Makes patterns of wordings.
fn patterns_of(wordings: Vec<Wording>) -> PyResult<Patterns> {
    let patterns = wordings.into_iter().map(|(regex, heads, fragment, is_ascii)| Pattern {
        regex,
        heads,
        fragment,
        is_ascii,
    });
    let patterns = Patterns::new(patterns.collect());
    patterns.map_err(|error| PyValueError::new_err(error.to_string()))
}
