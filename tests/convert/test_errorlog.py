"""ERRORLOG entries as JSON lines and Parquet."""

from __future__ import annotations

import json
from datetime import datetime

import pyarrow.parquet as pq
import pytest

from agtrace.convert import Selection, convert

LOG = (
    "2026-03-14 09:00:00.10 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) \r\n"
    "\tOct  8 2022 05:58:25 \r\n"
    "2026-03-14 09:00:00.11 Server      UTC adjustment: -6:00\r\n"
    "2026-03-14 09:30:00.00 Logon       Error: 18456, Severity: 14, State: 8.\r\n"
    "2026-03-14 09:30:00.00 Logon       Login failed for user 'Ñandú'.\r\n"
)

LOGIN = {
    "time_local": "2026-03-14T09:30:00.000",
    "utc_offset_minutes": -360,
    "source": "Logon",
    "error": 18456,
    "severity": 14,
    "state": 8,
    "message": "Login failed for user 'Ñandú'.",
}


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "ERRORLOG"
    path.write_bytes(LOG.encode("utf-16"))
    return path


def test_one_object_per_entry(log, tmp_path):
    assert convert(log, tmp_path / "log.jsonl").rows == 3
    lines = (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()
    first, second, third = (json.loads(line) for line in lines)
    assert list(first) == list(LOGIN)
    assert first["message"].splitlines()[1] == "\tOct  8 2022 05:58:25 "
    assert (second["message"], second["error"]) == ("UTC adjustment: -6:00", None)
    assert third == LOGIN


def test_offset_is_null_where_the_log_does_not_say(log, tmp_path):
    log.write_bytes(LOG.replace("UTC adjustment: -6:00", "Server process ID is 7.").encode("utf-16"))
    convert(log, tmp_path / "log.jsonl")
    lines = (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["utc_offset_minutes"] for line in lines] == [None] * 3


def test_times_selected(log, tmp_path):
    convert(log, tmp_path / "log.jsonl", Selection(begin=datetime(2026, 3, 14, 9, 30)))
    assert json.loads((tmp_path / "log.jsonl").read_text(encoding="utf-8")) == LOGIN


def test_parquet(log, tmp_path):
    convert(log, tmp_path / "log.parquet")
    rows = pq.read_table(tmp_path / "log.parquet").to_pylist()
    assert len(rows) == 3
    assert rows[2] == LOGIN | {"time_local": datetime(2026, 3, 14, 9, 30)}
