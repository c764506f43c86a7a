"""The battery, and what is no output of sqlcmd."""

from __future__ import annotations

import pytest

from agtrace.readers import detect
from agtrace.readers.base import Source
from agtrace.readers.query_results import READER
from agtrace.testing import check_reader
from simulation.formats import rowsets as make
from tests.effort import thorough
from tests.folded import folded
from tests.readers.query_results.small import LOOKED, MISC, PERF
from tests.readers.real_texts import real_texts

LINUX = make.rowset("replicas", make.REPLICAS[:5], [("AG1", "SRV1", "SRV1", make.A, make.AG)] * 9, 80)


@thorough
@folded("text", [PERF, MISC, LOOKED, LINUX])
@folded("encoding", ["utf-8", "utf-16"])
def test_contract(text, encoding):
    check_reader(READER, text.encode(encoding), "capture.out", "rowset_rows")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello\n",
        "Summary\n-------\nnothing\n",
        "Date Time           Type/Level       Computer Name\n" + "-" * 230 + "\n2026 Error SRV1\n",
        "Name     State Type\n----     ----- ----\nSRV1     Up    Node\n",
        "-----------------\nROBOCOPY     ::     Robust File Copy\n-----------------\n",
    ],
)
def test_other_texts_are_none(text):
    assert READER.detect(text.encode(), "capture.out") is None


def test_real_captures_of_other_kinds_are_none():
    for data in real_texts():
        assert READER.detect(data, "capture.txt") is None


@pytest.mark.parametrize("text", [PERF, MISC, LOOKED])
def test_it_is_known_by_what_it_holds(text):
    reader, hit = detect(text.encode(), "anything")
    assert (reader.name, hit.readable) == ("query_results", True)


def test_rowsets_may_begin_late_in_a_file_that_a_script_wrote():
    text = "x" * 100 + "\r\n"
    head = (text * 1000).encode()[: 64 * 1024]
    assert READER.detect(head, "SRV1_20260301T1015302250_AlwaysOnDiagScript.out") is not None
    assert READER.detect(head, "notes.txt") is None


def test_a_script_that_found_nothing_is_read_without_rows():
    text = "Starting Redo Tasks Performance Statistics Collection at: '2026-03-01T10:15:55.880'\r\n"
    assert READER.detect(text.encode(), "x.out") is not None
    assert list(READER.read(Source.of_bytes(text.encode(), "x.out"))) == []
