"""Windows event logs as JSON lines and Parquet: their times are called what they are."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pyarrow.parquet as pq
import pytest

import agtrace
from agtrace.convert import Selection, convert
from agtrace.errors import CaseError
from agtrace.moments import moment
from simulation.formats.event_log import EVENTS
from simulation.formats.evtx import evtx

LIST = (
    '"TimeGenerated","EntryType","Source","EventID","Message","MachineName"\r\n'
    '"2/28/2026 10:10:44 PM","Error","FailoverClustering","1135","gone","CONTOSO1"\r\n'
)


@pytest.fixture
def log(tmp_path):
    pytest.importorskip("evtx")
    path = tmp_path / "System.evtx"
    path.write_bytes(evtx(EVENTS, first=41))
    return path


def test_one_object_per_event_with_its_time_in_utc(log, tmp_path):
    assert convert(log, tmp_path / "out.jsonl").rows == 3
    first, *_ = map(json.loads, (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines())
    assert (first["record"], first["event_id"], first["level"]) == (41, 1135, "Error")
    assert (first["time"], first["time_local"]) == ("2026-02-28T22:10:44.000+00:00", None)


def test_a_part_of_it_as_parquet(log, tmp_path):
    first = Selection(begin=moment("2026-02-28T22:10:44", naive=True))
    assert convert(log, tmp_path / "out.parquet", first).rows == 1
    table = pq.read_table(tmp_path / "out.parquet")
    assert table["time"].to_pylist() == [datetime(2026, 2, 28, 22, 10, 44, tzinfo=UTC)]
    assert table["source"].to_pylist() == ["Microsoft-Windows-FailoverClustering"]


def test_two_are_not_merged(log, tmp_path):
    other = tmp_path / "other.evtx"
    other.write_bytes(evtx(EVENTS, first=1))
    with pytest.raises(CaseError, match="a Windows event log cannot be merged with another"):
        convert([log, other], tmp_path / "out.jsonl")


def test_read_without_a_case_it_has_the_same_columns(log, tmp_path):
    convert(log, tmp_path / "out.parquet")
    written = pq.read_table(tmp_path / "out.parquet")
    assert agtrace.read_evtx(log).equals(written)
    assert agtrace.read(log).equals(written)
    batches = [batch for name, batch in agtrace.iter_batches(log) if name == "os_events"]
    assert [batch.schema.names for batch in batches] == [written.column_names]


def test_a_list_has_local_time(tmp_path):
    path = tmp_path / "events.csv"
    path.write_text(LIST, newline="")
    table = agtrace.read_evtx(path)
    assert (table["time"].to_pylist(), table["time_local"].to_pylist()) == (
        [None], [datetime(2026, 2, 28, 22, 10, 44)],
    )  # fmt: skip
