"""Log lines with something in front of them, or in other text, are the entries of the log."""

from __future__ import annotations

import pytest

from agtrace.readers import detect
from agtrace.readers.errorlog import READER as ERRORLOG
from agtrace.readers.pasted_text import READER
from agtrace.testing import check_declared, check_empty, check_flips, check_read_twice, read_all
from tests.folded import folded
from tests.readers.pasted_text.small import DRESSED, LOG

GRID = "replica_server_name\tdatabase_name\tis_suspended\nSRV2\tSales\t1\n"
CLUSTER = "00001d4c.00002a10::2024/02/06-15:01:02.345 INFO  [RCM] rcm::RcmGroup::Move\n"


def entries(text: str) -> list[tuple]:
    reader, _found = detect(text.encode()[:65_536], "post.txt")
    rows = read_all(reader, text.encode(), "post.txt")["errorlog"].to_pylist()
    return [(row["time_local"], row["source"], row["error"], row["message"]) for row in rows]


@folded("form", list(DRESSED))
def test_lines_with_something_in_front_are_the_lines_of_the_log(form):
    reader, _found = detect(DRESSED[form].encode()[:65_536], "log.txt")
    assert reader is READER
    assert entries(DRESSED[form]) == entries(LOG)


def test_a_log_alone_is_left_to_its_own_reader():
    assert detect(LOG.encode(), "post.txt")[0] is ERRORLOG


def test_entries_have_the_lines_of_the_whole_text():
    text = f"Hello,\n\nsee below:\n> {LOG.splitlines()[0]}\n\nnext one:\n> {LOG.splitlines()[4]}\n"
    assert read_all(READER, text.encode(), "x")["errorlog"]["line"].to_pylist() == [4, 7]


@pytest.mark.parametrize("before", ["", "This is our log:\n\n"])
def test_logs_and_tables_of_one_text_are_all_read(before):
    text = f"{before}{LOG}\nof the cluster:\n\n{CLUSTER}\nthis query:\n\n{GRID}\nThanks a lot for any help!\n"
    found = read_all(detect(text.encode(), "x")[0], text.encode(), "x")
    assert found["errorlog"].num_rows == 3
    assert found["cluster_log"].num_rows == 1
    assert found["rowset_rows"]["cells"].to_pylist() == [["SRV2", "Sales", "1"]]


def test_other_text_is_counted():
    text = f"Hello,\n\nsee below:\n> {LOG.splitlines()[0]}\n"
    (issue,) = read_all(READER, text.encode(), "x")["issues"].to_pylist()
    assert (issue["kind"], issue["count"]) == ("other_text", 2)


@pytest.mark.parametrize("text", ["Hello\n", "2024-02-06 10:01:02.34 INFO started\n", "> quoted\n", ""])
def test_text_without_entries_is_none(text):
    assert READER.detect(text.encode(), "x") is None


@pytest.mark.complete
@pytest.mark.parametrize("form", DRESSED)
def test_contract(form):
    data = DRESSED[form].encode()
    check_read_twice(READER, data, "x")
    check_declared(READER, data, "x")
    check_empty(READER, "x")
    check_flips(READER, data, "x", 500)
    for place in range(0, len(data), 97):
        if READER.detect(data[:place], "x"):
            assert "errorlog" in read_all(READER, data[:place], "x")
