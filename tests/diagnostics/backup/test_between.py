"""What the page of backups says of buffers between tested ones."""

from __future__ import annotations

from agtrace.diagnostics.backup.between import Told
from agtrace.diagnostics.backup.studies import SAID
from agtrace.replay.backups import Point, between


def point(count, rate):
    return Point((("buffer_count", count), ("max_transfer_size_kb", 1024), ("stripes", 1)), rate, 0.1, 9)


TESTED = [point(10, 80), point(40, 100)]
LEAVES_OUT = "It leaves out what runs at the same time, and cold disks."


def said(**facts):
    return SAID.page("between", facts).strip().splitlines()


def test_without_neighbours_nothing_is_estimated():
    lines = said(told=[], predicted=0, run=1, worst=None, unsettled=0)
    assert lines[0].startswith("No configuration lies between tested ones closely enough")
    assert lines[-1] == LEAVES_OUT


def test_an_estimate_lies_between_its_neighbours_with_its_band():
    found = between({"buffer_count": 20, "max_transfer_size_kb": 1024, "stripes": 1}, TESTED)
    assert round(found.mb_per_s, 1) == 92.3
    told = [Told("1 x DISK, 20 x 1,024 KB", found)]
    lines = said(told=told, predicted=2, run=9, worst=0.049, unsettled=0)
    assert next(line for line in lines if line.startswith("- ")).startswith(
        "- 1 x DISK, 20 x 1,024 KB: **92.3 MB/s** (90 % band "
    )
    assert any("2 of the 9 configurations" in line and "4.9 %" in line for line in lines)


def test_an_estimate_that_nothing_can_be_held_against_is_told_apart():
    lines = said(told=[], predicted=2, run=9, worst=0.049, unsettled=1)
    assert any("Of 1 more there is an estimate that nothing can be held against" in line for line in lines)
