"""Readable secondaries from captures as customers send them: perfmon, ERRORLOG, and LogScout's outputs."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

import agtrace
from simulation.formats import rowsets
from simulation.formats.errorlog import Log
from simulation.formats.pdh_text import write_pdh
from simulation.groups.words import role
from tests.behind import assert_facts
from tests.shared import CAPTURES, needs_captures

NOON = datetime(2024, 3, 5, 12)
COUNTERS = ("Version Store Size (KB)", "Free Space in tempdb (KB)", "Longest Transaction Running Time")
ROLE = role("AG", "RESOLVING_NORMAL", "SECONDARY_NORMAL", "availability replica is coming online")
VERSIONS = (
    ("runtime", 23), ("transaction_id", -20), ("elapsed_time_seconds", -20), ("is_snapshot", -11),
    ("session_id", -10), ("statement_text", 80),
)  # fmt: skip


def perfmon(host="SQL2", instance="SQLServer"):
    paths = [rf"\\{host}\{instance}:Transactions\{name}" for name in COUNTERS]
    rows = [(100_000 + 16_000 * n, 8_000_000, 15 * n) for n in range(120)]
    times = [NOON + timedelta(seconds=15 * n) for n in range(120)]
    return write_pdh(paths, rows, zone=" (UTC)(0)", times=times)


def errorlog(*entries):
    made = Log(NOON - timedelta(hours=1), timedelta(0)).start("SQL2", utc="0:00")
    made.add("spid30s", ROLE, at=NOON - timedelta(minutes=50))
    for minute, number, text in entries:
        made.time = NOON + timedelta(minutes=minute)
        made.error("spid60", number, 17, 1, text)
    return made.windows()


def tempdb():
    row = ("2024-03-05 12:25:00.000", 77, 1500, 1, 88, "SELECT * FROM dbo.Orders")
    return rowsets.rowset("version store transactions", VERSIONS, [row]).encode()


def put(folder, **files):
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name.replace("__", ".")).write_bytes(data)


def findings(folder, **files):
    put(folder, **files)
    with agtrace.open_case(folder) as case:
        return [each for each in case.readable.findings() if each.id == "readable.version_store"]


@pytest.mark.complete
def test_a_growing_version_store_and_its_oldest_reader(tmp_path):
    output = {"SQL2_20240305T1225000000_TempDB_and_Tran_Analysis__out": tempdb()}
    (found,) = findings(tmp_path, perfmon__csv=perfmon(), ERRORLOG=errorlog(), **output)
    assert_facts(found, host="SQL2", growth=3932160000.0, full_in=7500.0, oldest=True)
    assert found.window == {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:29:45+00:00"}


@pytest.mark.complete
@pytest.mark.parametrize("cut", [0.3, 0.9, 0.99])
def test_captures_that_were_cut_break_nothing(tmp_path, cut):
    data = perfmon()
    put(tmp_path, perfmon__csv=data[: int(len(data) * cut)], ERRORLOG=errorlog())
    with agtrace.open_case(tmp_path) as case:
        assert case.findings()


@needs_captures
def test_captures_of_others_tell_nothing_of_readable_secondaries(tmp_path):
    """None of them shows a secondary whose version store grew: a finding would be a false one."""
    folder = CAPTURES / "support_folder" / "output"
    with agtrace.open_case(folder, store=tmp_path / "store") as case:
        assert case.readable.findings() == []
