"""Whole numbers of a case are whole in its frames."""

from __future__ import annotations

import pyarrow as pa
import pytest

import agtrace
from agtrace.tables.frames import frame_of
from agtrace.tables.history import RELATIONS


@pytest.fixture(scope="module")
def case(sample_store):
    name = "failover_lease_cpu"
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name), ingest=False) as opened:
        yield opened


def test_a_number_that_is_missing_makes_no_float_of_the_others():
    large = 2**63 - 1
    frame = frame_of(
        pa.table(
            {
                "all": [1, 2],
                "some": [large, None],
                "none": pa.array([None, None], pa.int32()),
                "unsigned": pa.array([2**64 - 1, None], pa.uint64()),
                "measured": [1.5, None],
            }
        )
    )
    assert [str(kind) for kind in frame.dtypes] == ["int64", "Int64", "Int64", "UInt64", "float64"]
    assert (frame["some"][0], frame["unsigned"][0]) == (large, 2**64 - 1)
    assert frame["none"].isna().all()


def test_two_columns_of_one_name_stay_apart():
    whole = pa.array([1, None], pa.int64())
    frame = frame_of(pa.Table.from_arrays([whole, pa.array(["a", "b"]), whole], ["n", "n", "n"]))
    assert [str(kind) for kind in frame.dtypes] == ["Int64", "str", "Int64"]


@pytest.mark.parametrize("name", ["timeline", "failovers", "coverage", "log_entries", "component_health"])
def test_relations_keep_their_types(case, name):
    frame = case[name]
    assert len(frame)
    whole = [field.name for field in RELATIONS[name] if pa.types.is_integer(field.type)]
    assert {column: frame[column].dtype.kind for column in whole} == dict.fromkeys(whole, "i")


def test_logs_captures_and_events_do_so_too(case):
    frames = {
        "errorlog": case.errorlog()[["line", "error", "severity"]],
        "captures": case.captures[["rows", "bytes"]],
        "events": case.events("error_reported")[["error_number", "severity"]],
        "around": case.around("2024-02-06 14:45")[["line"]],
        "counters": case.counters()[["captures"]],
    }
    for name, frame in frames.items():
        assert [kind.kind for kind in frame.dtypes] == ["i"] * frame.shape[1], name
    assert frames["errorlog"]["error"].isna().any()
