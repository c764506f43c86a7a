"""Event views over definitions that drift between builds."""

from __future__ import annotations

import pyarrow as pa
import pytest

from agtrace.errors import CaseError
from agtrace.ingest import ingest
from agtrace.readers.base import Detection
from tests.ingest.test_ingest import put


class EventsReader:
    """Stands for a reader of events: one event ``e`` whose column type the file's text names."""

    name = "events"
    version = 1

    def detect(self, head, name):
        return Detection("events") if head.startswith(b"EV") else None

    def read(self, source, options=None):
        kind, values = source.head().decode()[3:].split(":")
        column = [None if v == "-" else (v if kind == "string" else int(v)) for v in values.split(",")]
        fields = {
            "_seq": pa.array(range(len(column)), pa.int64()),
            "_time": pa.array(range(len(column)), pa.timestamp("us", tz="UTC")),
            "_ticks": pa.array(range(len(column)), pa.int64()),
        }
        if kind != "absent":
            fields["x"] = pa.array(column, pa.type_for_alias(kind))
        yield "events/e", pa.RecordBatch.from_pydict(fields)


@pytest.fixture
def events(tmp_path, monkeypatch):
    monkeypatch.setattr("agtrace.readers.readers", lambda: (EventsReader(),))
    monkeypatch.setattr("agtrace.ingest.job.readers", lambda: (EventsReader(),))

    def open_with(*files: bytes):
        import agtrace

        put(tmp_path, **{f"f{number}__xel": data for number, data in enumerate(files)})
        return agtrace.open_case(tmp_path)

    return open_with


def united(case) -> tuple[str, list]:
    relation = case.sql("SELECT x FROM events_e ORDER BY try_cast(x AS DOUBLE) NULLS LAST")
    return str(relation.types[0]), [row[0] for row in relation.fetchall()]


@pytest.mark.parametrize(
    ("files", "type_", "values"),
    [
        ((b"EV int64:1,2",), "BIGINT", [1, 2]),
        ((b"EV int32:1", b"EV uint32:2"), "BIGINT", [1, 2]),
        ((b"EV int64:-1", b"EV uint64:18446744073709551615"), "DECIMAL(20,0)", [-1, 18446744073709551615]),
        ((b"EV int64:1", b"EV double:2"), "DOUBLE", [1.0, 2.0]),
        ((b"EV int64:1", b"EV string:two"), "VARCHAR", ["1", "two"]),
        ((b"EV int64:1", b"EV absent:-"), "BIGINT", [1, None]),
    ],
)
def test_types_that_drift_are_united(events, files, type_, values):
    assert united(events(*files)) == (type_, values)


def test_a_number_that_meets_text_is_an_issue(events):
    issues = (
        events(b"EV int64:1", b"EV string:two").view.table("SELECT kind, message FROM issues").to_pylist()
    )
    assert issues == [
        {
            "kind": "field_type_drift",
            "message": "e.x is int64 and string in different captures; shown as text",
        }
    ]


def test_an_event_that_was_not_captured_names_those_that_were(events):
    with pytest.raises(CaseError, match="no Extended Event 'f' was captured - there are: e"):
        events(b"EV int64:1").events("f")


def test_rows_of_events_count(events, tmp_path):
    events(b"EV int64:1,2,3")
    assert [capture.rows for capture in ingest(tmp_path).captures] == [3]
