//! Python face of the Extended Events decoder.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::xel::{
    Batch, Buffers, Catalogue, Event, FormatError, Map, ObjectId, Options, Pace, Plan, Position,
    ReadAt, ReadError, Reader, Role, Selection, Source, Value,
};

/// Reader of one file.
#[pyclass(module = "xelib.xel")]
pub struct XelReader {
    reader: Reader,
}

/// Events of one kind.
#[pyclass(frozen, module = "xelib.xel")]
pub struct XelBatch {
    plan: Arc<Plan>,
    #[pyo3(get)]
    generation: u32,
    #[pyo3(get)]
    rows: usize,
    #[pyo3(get)]
    columns: Py<PyList>,
}

/// A file of the file system.
struct Path {
    file: Arc<Regular>,
    at: u64,
}

impl Path {
    fn open(path: std::path::PathBuf) -> io::Result<Box<dyn Source>> {
        let file = File::open(path)?;
        // Pipes have names, too.
        let regular = file.metadata()?.is_file();
        Ok(if regular {
            Box::new(Self { file: Arc::new(Regular(file)), at: 0 })
        } else {
            Box::new(Pipe(file))
        })
    }
}

impl Source for Path {
    fn read(&mut self, limit: usize, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let mut file = &self.file.0;
        // Reading at other offsets moves the cursor on some systems.
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.take(limit as u64).read_to_end(buffer)?;
        self.at += read as u64;
        Ok(read)
    }

    fn skip(&mut self, bytes: u64) -> io::Result<u64> {
        let left = self.file.size()?.saturating_sub(self.at).min(bytes);
        self.at += left;
        Ok(left)
    }

    fn positioned(&self) -> Option<Arc<dyn ReadAt>> {
        Some(self.file.clone())
    }
}

struct Regular(File);

impl ReadAt for Regular {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.0, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.0, buffer, offset)
    }
}

/// What has a name, but can only be read from its beginning to its end.
struct Pipe(File);

impl Source for Pipe {
    fn read(&mut self, limit: usize, buffer: &mut Vec<u8>) -> io::Result<usize> {
        self.0.by_ref().take(limit as u64).read_to_end(buffer)
    }
}

/// Any object with `read(n)`: a member of an archive, a download.
struct FileObject(Py<PyAny>);

impl Source for FileObject {
    fn read(&mut self, limit: usize, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let read = Python::attach(|py| {
            let bytes = self.0.bind(py).call_method1("read", (limit,))?;
            let bytes = bytes.cast::<PyBytes>()?.as_bytes();
            buffer.extend_from_slice(bytes);
            Ok(bytes.len())
        });
        read.map_err(|error: PyErr| io::Error::other(error))
    }
}

#[pymethods]
impl XelReader {
    #[new]
    #[pyo3(signature = (source, *, events = None, columns = None, positions = false, threads = 2, live = false, resume = None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        source: Bound<'_, PyAny>,
        events: Option<Vec<String>>,
        columns: Option<Vec<String>>,
        positions: bool,
        threads: usize,
        live: bool,
        resume: Option<(u64, i64)>,
    ) -> PyResult<Self> {
        let source: Box<dyn Source> = if source.hasattr("read")? {
            Box::new(FileObject(source.unbind()))
        } else {
            Path::open(source.extract::<std::path::PathBuf>()?)?
        };
        let selection = Selection {
            events: events.map(|names| names.into_iter().collect()),
            columns: columns.map(|names| names.into_iter().collect()),
            positions,
        };
        let options = Options { selection, threads, live, pace: Pace::default() };
        let opened = py.detach(|| Reader::open(source, options));
        let mut reader = opened.map_err(|error| raised(py, error))?;
        if let Some((offset, seq)) = resume {
            py.detach(|| reader.resume(Position { offset, seq }))?;
        }
        Ok(Self { reader })
    }

    /// Decodes the next blocks; None at the end.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Vec<XelBatch>>> {
        let Some(batches) = py.detach(|| self.reader.next_group())? else { return Ok(None) };
        let generation = self.reader.generation();
        let batches = batches.into_iter().map(|batch| XelBatch::new(py, batch, generation));
        batches.collect::<PyResult<_>>().map(Some)
    }

    #[getter]
    fn guid(&self) -> String {
        self.reader.header().guid.to_string()
    }

    #[getter]
    fn session_runs(&self) -> Vec<String> {
        self.reader.session_runs().iter().map(ToString::to_string).collect()
    }

    #[getter]
    fn position(&self) -> (u64, i64) {
        let Position { offset, seq } = self.reader.position();
        (offset, seq)
    }

    #[getter]
    fn generation(&self) -> u32 {
        self.reader.generation()
    }

    /// Each as (offset, kind, severity, message, count), by offset.
    fn faults(&self) -> Vec<(u64, &str, &str, &str, u64)> {
        let faults = self.reader.faults().list().iter();
        let mut faults: Vec<_> = faults
            .map(|fault| {
                let (kind, severity) = (fault.kind.name(), fault.kind.severity().name());
                (fault.offset, kind, severity, &*fault.message, fault.count)
            })
            .collect();
        faults.sort_by_key(|&(offset, ..)| offset);
        faults
    }

    /// All that the metadata read so far defines.
    fn definitions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let catalogue = self.reader.catalogue();
        let all = PyDict::new(py);
        let events = catalogue.events().map(|event| event_dict(py, event, catalogue));
        all.set_item("events", events.collect::<PyResult<Vec<_>>>()?)?;
        let actions = catalogue.actions().iter().map(|action| {
            let object = (&*action.name, action.type_id, &*action.description);
            column_dict(py, object, catalogue)
        });
        all.set_item("actions", actions.collect::<PyResult<Vec<_>>>()?)?;
        let maps = PyDict::new(py);
        for map in catalogue.maps() {
            maps.set_item(map.id.0, map_dict(py, map)?)?;
        }
        all.set_item("maps", maps)?;
        Ok(all)
    }
}

impl XelBatch {
    fn new(py: Python<'_>, batch: Batch, generation: u32) -> PyResult<Self> {
        let columns = batch.columns.into_iter().map(|column| {
            let Buffers { nulls, validity, values, items } = column;
            let validity = (!validity.is_empty()).then(|| PyBytes::new(py, &validity));
            let values: Vec<_> =
                values.into_iter().map(|buffer| PyBytes::new(py, &buffer)).collect();
            (nulls, items, validity, values)
        });
        let columns = PyList::new(py, columns.collect::<Vec<_>>())?.unbind();
        Ok(Self { plan: batch.plan, generation, rows: batch.rows, columns })
    }
}

#[pymethods]
impl XelBatch {
    /// Id of the event in the file.
    #[getter]
    fn event(&self) -> u32 {
        self.plan.event.0
    }

    /// (name, package, guid of the package, uuid, description) of the event.
    fn about(&self) -> (&str, &str, String, Option<String>, &str) {
        let Plan { name, description, uuid, package, .. } = &*self.plan;
        let (package, guid) =
            package.as_ref().map_or(("", String::new()), |(name, guid)| (name, guid.to_string()));
        (name, package, guid, uuid.map(|uuid| uuid.to_string()), description)
    }

    /// The columns after the leading ones:
    /// (name, source, is an action, is a key, type, map, description, Arrow format).
    #[allow(clippy::type_complexity)]
    fn outputs(&self) -> Vec<(&str, &str, bool, bool, &str, Option<&str>, &str, &str)> {
        let outputs = self.plan.outputs.iter();
        let outputs = outputs.map(|it| {
            let (action, map) = (it.role == Role::Action, it.map.as_deref());
            let (type_name, description) = (&*it.type_name, &*it.description);
            (&*it.name, &*it.source, action, it.key, type_name, map, description, it.arrow)
        });
        outputs.collect()
    }
}

fn event_dict<'py>(
    py: Python<'py>,
    event: &Event,
    catalogue: &Catalogue,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let package = catalogue.package_of(event.id);
    dict.set_item("id", event.id.0)?;
    dict.set_item("name", &event.name)?;
    dict.set_item("description", &event.description)?;
    dict.set_item("package", package.map(|package| &*package.name))?;
    dict.set_item("package_guid", package.map(|package| package.guid.to_string()))?;
    dict.set_item("module_guid", package.map(|package| package.module.to_string()))?;
    dict.set_item("uuid", event.uuid().map(|uuid| uuid.to_string()))?;
    let constants = PyDict::new(py);
    for constant in &event.constants {
        match constant.value {
            Value::Guid(guid) => constants.set_item(&constant.name, guid.to_string())?,
            Value::Number(number) => match catalogue.map(constant.type_id) {
                Some(map) => constants.set_item(&constant.name, map.render(number))?,
                None => constants.set_item(&constant.name, number)?,
            },
        }
    }
    dict.set_item("constants", constants)?;
    let columns = event.columns.iter().map(|column| {
        let object = (&*column.name, column.type_id, &*column.description);
        let dict = column_dict(py, object, catalogue)?;
        dict.set_item("optional", column.optional)?;
        Ok(dict)
    });
    dict.set_item("fields", columns.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

fn column_dict<'py>(
    py: Python<'py>,
    (name, type_id, description): (&str, ObjectId, &str),
    catalogue: &Catalogue,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", name)?;
    dict.set_item("type", catalogue.kind(type_id).1)?;
    dict.set_item("map", type_id.is_map().then_some(type_id.0))?;
    dict.set_item("description", description)?;
    Ok(dict)
}

fn map_dict<'py>(py: Python<'py>, map: &Map) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", &map.name)?;
    dict.set_item("description", &map.description)?;
    dict.set_item("flags", map.flags)?;
    let texts = PyDict::new(py);
    for (key, text) in &map.texts {
        texts.set_item(key, text)?;
    }
    dict.set_item("texts", texts)?;
    Ok(dict)
}

fn raised(py: Python<'_>, error: ReadError) -> PyErr {
    match error {
        ReadError::Io(error) => error.into(),
        ReadError::Format(FormatError { offset, what, need, have }) => {
            // The class is written in Python: the stable ABI cannot give an exception attributes.
            let class = py.import("xelib.errors").and_then(|errors| errors.getattr("FormatError"));
            match class.and_then(|class| class.call1((what, offset, need, have))) {
                Ok(error) => PyErr::from_value(error),
                Err(error) => error,
            }
        }
    }
}
