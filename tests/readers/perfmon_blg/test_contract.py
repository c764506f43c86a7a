"""The contract of every reader, for logs with every kind of block."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agtrace.readers.base import ReadOptions
from agtrace.readers.perfmon_blg import READER
from agtrace.testing import check_reader, read_all
from simulation.formats.blg import Form, write_blg
from simulation.formats.blg_blocks import (
    BULK_RATE,
    FRACTION,
    FRACTION_BASE,
    RATE,
    RAWCOUNT,
    START,
    TIMER_100NS,
    TIMER_100NS_INVERSE,
    WHOLE,
    Definition,
    Instance,
    Item,
    Many,
    Objects,
    One,
    PerfObject,
    Sample,
    filetime,
)
from tests.effort import thorough

NAMES = {230: "Process", 784: "ID Process", 6: "% Processor Time", 4: "Memory", 10: "Faults/sec"}
NAMES |= {12: "% Used"}
ITEMS = [
    Item("Processor", "% Processor Time", TIMER_100NS_INVERSE, "_Total", time_base=10_000_000),
    Item("Network Interface", "Bytes Total/sec", BULK_RATE, "*"),
    Item("Process", "*", WHOLE, "*"),
    Item("Memory", "*", WHOLE),
]
PROCESS = (Definition(6, TIMER_100NS), Definition(784, RAWCOUNT, 4))
MEMORY = (Definition(10, RATE, 4), Definition(12, FRACTION, 4), Definition(0, FRACTION_BASE, 4))


def typical_log(rows: int = 60, form: Form | None = None) -> bytes:
    """Write every kind of block; a process comes, its name repeats, and it goes again."""
    return write_blg(ITEMS, [typical_sample(n) for n in range(rows)], NAMES, form)


def typical_sample(n: int) -> Sample:
    time = START + timedelta(seconds=15 * n)
    ticks = 150_000_000 * n
    processes = [Instance("Idle", [n * 10**8, 0]), Instance("svchost", [n * 10**7, 7])]
    if 5 <= n % 20 < 15:
        processes.append(Instance("svchost", [n * 10**6, 8]))
    memory = PerfObject(4, MEMORY, None, [n * 30, n, 200], ticks)
    return Sample(
        time,
        [
            One(75_000_000 * n, filetime(time) + 8 * 36_000_000_000),
            Many([("intel[r]", 100 * n, ticks), ("lo", 300 * n, ticks)]),
            Objects([PerfObject(230, PROCESS, processes, (), ticks)], ticks),
            Objects([memory], ticks),
        ],
        offset_minutes=-480,
    )


@thorough
@pytest.mark.parametrize(
    "form",
    [
        Form(buffer_bytes=2048, piece_bytes=400),
        Form(wide=False, buffer_bytes=4096, system=(5, 2, 3790), closed=False, piece_bytes=600),
    ],
    ids=["64 bit, Windows 10", "32 bit, Server 2003, still open"],
)
def test_contract(form):
    check_reader(READER, typical_log(form=form), "log.blg", "samples", flips=4_000)


def test_series_in_front_make_no_difference_to_the_values():
    log = typical_log()
    numbered = {}
    for first in (False, True):
        tables = read_all(READER, log, "log.blg", ReadOptions(series_first=first))
        paths = tables["counters"].sort_by("counter_no")["path"].to_pylist()
        rows = tables["samples"].to_pylist()
        numbered[first] = {(paths[r["counter_no"]], r["tick"]): r["value"] for r in rows}
        assert len(numbered[first]) == len(rows)
    assert numbered[False] == numbered[True]


def test_a_slab_holds_any_number_of_rows(monkeypatch):
    monkeypatch.setattr("agtrace.readers.perfmon_blg.reader.SLAB_CELLS", 1)
    log = typical_log(form=Form(buffer_bytes=2048, piece_bytes=400))
    small = read_all(READER, log, "log.blg", ReadOptions(block_bytes=2048))
    monkeypatch.undo()
    whole = read_all(READER, log, "log.blg")
    keys = [("counter_no", "ascending"), ("tick", "ascending")]
    assert small["samples"].sort_by(keys).equals(whole["samples"].sort_by(keys))
    assert small["counters"].equals(whole["counters"])
    assert small["ticks"].equals(whole["ticks"])
