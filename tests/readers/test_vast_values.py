"""Values that no counter can have are left out, and an issue says where they stood."""

from __future__ import annotations

import pytest

import agtrace
from agtrace.describe import describe
from agtrace.readers.vast_values import without_vast
from agtrace.tables import SAMPLES
from tests.ingest import texts

pa = pytest.importorskip("pyarrow")


def samples(*values: float) -> pa.RecordBatch:
    rows = [{"counter_no": 2, "tick": n, "value": value} for n, value in enumerate(values)]
    return pa.RecordBatch.from_pylist(rows, SAMPLES)


def read(*values: float) -> tuple[list[float], list[str]]:
    found, told = [], []
    for table, batch in without_vast([("samples", samples(*values))]):
        if table == "samples":
            found += batch["value"].to_pylist()
        else:
            told += [f"{row['severity']} {row['count']} {row['message']}" for row in batch.to_pylist()]
    return found, told


def test_what_a_counter_can_have_stays():
    values = [0.0, -0.0, 1.0, -(2.0**64), 1e30, -1e30, 1e-30]
    assert read(*values) == (values, [])


@pytest.mark.parametrize("value", [1e308, -1e308, 1.01e30, 5e-324, -1e-31, float("inf"), float("nan")])
def test_what_none_can_have_is_left_out(value):
    assert read(1.0, value, value, 2.0) == (
        [1.0, 2.0],
        [
            "data_loss 2 values that no counter has (beyond 1e+30, or within 1e-30 of 0 and not 0): left "
            "out, the "
            "first of series 2 in row 2"
        ],
    )


def test_a_store_does_not_hold_it_and_an_issue_names_its_series_and_row(tmp_path):
    lines = texts.perfmon(5).split(b"\r\n")
    cells = lines[3].split(b",")
    lines[3] = b",".join([cells[0], b'"1e308"', *cells[2:]])
    (tmp_path / "perf.csv").write_bytes(b"\r\n".join(lines))
    with agtrace.open_case(tmp_path) as case:
        assert case.sql("select max(value) < 1e30, count(*) from samples").fetchall() == [(True, 9)]
        ((message,),) = case.sql("select message from issues where kind = 'vast_value'").fetchall()
    assert message.endswith("in row 3")
    assert "\\\\" in message
    assert "vast_value" in [issue["kind"] for issue in describe(tmp_path / "perf.csv")[0].issues]


def test_a_conversion_keeps_what_was_written(tmp_path):
    data = texts.perfmon(2).replace(b'"0"', b'"1e308"', 1)
    (tmp_path / "perf.csv").write_bytes(data)
    table = agtrace.read_pdh(tmp_path / "perf.csv")
    assert (1e308 in table["value"].to_pylist()) == (b'"1e308"' in data)
