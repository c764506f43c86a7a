"""The contract of every reader, and that what is written is read back bit for bit."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agtrace.readers.base import ReadOptions
from agtrace.readers.pdh_text import READER
from agtrace.testing import check_reader, read_all
from simulation.formats.pdh_text import BLANK, write_pdh
from tests.effort import thorough

PATHS = [rf"\\HOST\PhysicalDisk({n} C:)\Avg. Disk Queue Length" for n in range(6)]


def typical_log(**how) -> bytes:
    rows = [[BLANK, BLANK, 3]] + [[n, n / 7, BLANK if n % 5 == 0 else 10.0**n] for n in range(1, 30)]
    return write_pdh(PATHS[:3], rows, **how)


@thorough
@pytest.mark.parametrize(
    "how",
    [{}, {"kind": "TSV", "encoding": "utf-16-le", "quote": "", "line_end": "\n", "zone": " (RTZ 2 ("}],
    ids=["as perfmon writes", "re-encoded and unquoted"],
)
def test_contract(how):
    check_reader(READER, typical_log(**how), "log.csv", "samples")


FORMS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["CSV", "TSV"]),
        "quote": st.sampled_from(['"', ""]),
        "line_end": st.sampled_from(["\r\n", "\n"]),
        "blank": st.sampled_from([" ", ""]),
        "encoding": st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "cp1251"]),
    }
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 2**53).map(float)


@pytest.mark.complete
@settings(max_examples=300, deadline=None)
@given(data=st.data(), form=FORMS, block_bytes=st.sampled_from([None, 1, 3, 100]))
def test_what_is_written_is_read_back_bit_for_bit(data, form, block_bytes):
    width = data.draw(st.integers(1, len(PATHS)))
    row = st.lists(st.none() | NUMBERS, min_size=width, max_size=width)
    rows = data.draw(st.lists(row, max_size=6))
    log = write_pdh(PATHS[:width], rows, **form)
    tables = read_all(READER, log, "log.csv", ReadOptions(block_bytes=block_bytes))
    expected = {
        (column, tick): struct.pack("<d", value)
        for tick, row in enumerate(rows)
        for column, value in enumerate(row)
        if value is not None
    }
    got = tables["samples"].to_pylist() if "samples" in tables else []
    assert {(r["counter_no"], r["tick"]): struct.pack("<d", r["value"]) for r in got} == expected
    assert len(got) == len(expected)
    assert "issues" not in tables
