"""Logs of which only the head and the tail were collected."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers.base import ReadOptions
from agtrace.readers.errorlog import READER
from agtrace.readers.errorlog.pieces import MOST_GAPS
from agtrace.testing import contract

NAME = "CONTOSO1_ERRORLOG.1_Head_and_Tail_Only"
HEAD = """2026-02-28 22:09:58.11 Server      UTC adjustment: -5:00
2026-02-28 22:10:00.00 spid51      Error: 35206, Severity: 16, State: 1.
"""
MARK = """
   <<... middle part of file not captured because the file is too large (>1 GB) ...>>

"""
TAIL = """\tthe end of an entry that is missing
2026-02-28 22:10:00.00 spid51      A connection timeout has occurred.
2026-03-01 10:01:00.33 spid44s     Recovery of database 'Sales' is complete.
"""


def head_and_tail() -> bytes:
    return f"{HEAD}{MARK}{TAIL}".replace("\n", "\r\n").encode("cp1252")


def read(block_bytes: int | None = None) -> contract.Tables:
    return contract.read_all(READER, head_and_tail(), NAME, ReadOptions(block_bytes=block_bytes))


def test_the_gap_is_an_issue_with_its_place_and_its_bounds():
    (row,) = read()["issues"].to_pylist()
    assert row == {
        "offset": head_and_tail().index(b"   <<..."),
        "severity": "data_loss",
        "kind": "middle_missing",
        "message": "the collector kept the first and the last lines of a large file only: nothing is "
        "known from 2026-02-28 22:10:00 to 2026-02-28 22:10:00",
        "count": 1,
    }


def test_the_gap_is_a_fact():
    gaps = [row for row in read()["facts"].to_pylist() if row["topic"] == "errorlog_gap"]
    at = datetime(2026, 2, 28, 22, 10)
    assert [(row["key"], row["time_local"]) for row in gaps] == [("from", at), ("to", at)]


def test_nothing_is_joined_across_it():
    rows = read()["errorlog"].to_pylist()
    assert [(row["line"], row["error"], row["message"].strip()) for row in rows] == [
        (1, None, "UTC adjustment: -5:00"),
        (2, 35206, "Error: 35206, Severity: 16, State: 1."),
        (7, None, "A connection timeout has occurred."),
        (8, None, "Recovery of database 'Sales' is complete."),
    ]


@pytest.mark.parametrize("block_bytes", [1, 7, 64, 4096])
def test_the_same_in_any_block_size(block_bytes):
    contract.check_same(read(block_bytes), read())


def test_a_gap_at_the_end_has_no_second_bound():
    tables = contract.read_all(READER, (HEAD + MARK).encode(), NAME)
    messages = [row["message"] for row in tables["issues"].to_pylist()]
    assert messages[0].endswith("nothing is known from 2026-02-28 22:10:00")


def test_a_gap_in_front_of_another_ends_with_the_entries_between_them():
    between = "2026-03-01 10:01:00.33 spid44s     Recovery of database 'Sales' is complete.\n"
    tables = contract.read_all(READER, (HEAD + MARK + between + MARK).encode(), NAME)
    told = [row["message"] for row in tables["issues"].to_pylist() if row["kind"] == "middle_missing"]
    assert told[0].endswith("nothing is known from 2026-02-28 22:10:00 to 2026-03-01 10:01:00")


def test_a_file_of_gaps_is_read_as_far_as_a_log_can_have_them():
    data = head_and_tail() * (MOST_GAPS + 2)
    tables = contract.read_all(READER, data, NAME)
    told = [(row["kind"], row["offset"]) for row in tables["issues"].to_pylist()]
    beyond = len(head_and_tail()) * MOST_GAPS + head_and_tail().index(b"   <<...")
    assert told[0] == ("too_many_gaps", beyond)
    assert [kind for kind, _offset in told].count("middle_missing") == MOST_GAPS
    assert tables["errorlog"].num_rows == 4 * MOST_GAPS + 2
