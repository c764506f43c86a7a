"""Copies of ERRORLOG entries count once, whatever part of a log they are."""

from __future__ import annotations

import pytest

import agtrace
from tests.ingest import texts
from tests.ready import copy_captures


def lines(text: bytes) -> list[str]:
    return text.decode("utf-16").splitlines()


def utf_16(found: list[str]) -> bytes:
    return ("\r\n".join(found) + "\r\n").encode("utf-16")


LOG = lines(texts.errorlog(100))


@pytest.fixture
def logons(tmp_path):
    """Return how many log-ons a case of some logs holds, and which logs are superseded."""

    def count(**logs: bytes) -> tuple[int, list[str]]:
        folder = tmp_path / "JBSAG3"
        folder.mkdir()
        for name, data in logs.items():
            (folder / name.replace("_", ".")).write_bytes(data)
        with agtrace.open_case(tmp_path) as case:
            superseded = case.view.rows(
                "select path from captures where superseded_by is not null order by path"
            )
            return len(case.errorlog(like="Login number*")), [row["path"] for row in superseded]

    return count


def test_the_end_of_a_log_counts_once(logons):
    assert logons(ERRORLOG=utf_16(LOG), tail_log=utf_16(LOG[-30:])) == (100, ["JBSAG3/tail.log"])


def test_the_middle_of_a_log_counts_once(logons):
    assert logons(ERRORLOG=utf_16(LOG), middle_log=utf_16(LOG[-60:-20])) == (100, ["JBSAG3/middle.log"])


def test_a_cut_entry_at_the_end_of_a_copy_counts_once(logons):
    torn = [*LOG[-60:-20], LOG[-20][:40]]
    assert logons(ERRORLOG=utf_16(LOG), middle_log=utf_16(torn)) == (100, ["JBSAG3/middle.log"])


def test_a_copy_in_another_encoding_counts_once(logons):
    again = "\r\n".join(LOG).encode()
    assert logons(ERRORLOG=utf_16(LOG), again_log=again)[0] == 100


def test_the_time_that_two_parts_of_a_log_share_counts_once(logons):
    assert logons(ERRORLOG=utf_16(LOG[:-30]), later_log=utf_16(LOG[-60:])) == (100, [])


def test_a_log_concatenated_with_itself_counts_once(logons):
    assert logons(ERRORLOG=utf_16(LOG + LOG)) == (100, [])


def test_a_log_concatenated_with_itself_beside_the_log_counts_once(logons):
    assert logons(ERRORLOG=utf_16(LOG + LOG), plain_log=utf_16(LOG)) == (100, ["JBSAG3/plain.log"])


def test_equal_entries_of_one_moment_all_count(logons):
    assert logons(ERRORLOG=utf_16([*LOG, LOG[-1], LOG[-1]])) == (102, [])


def test_messages_count_once_too(tmp_path):
    (tmp_path / "ERRORLOG").write_bytes(utf_16(LOG + LOG))
    with agtrace.open_case(tmp_path) as case:
        rows = case.view.rows("select topic, count(*) as n from messages group by all having n > 1")
        assert rows == []


@pytest.mark.complete
def test_the_end_of_a_log_adds_no_failover(tmp_path):
    folder = copy_captures(agtrace.sample("failover_planned"), tmp_path / "case")
    with agtrace.open_case(folder) as case:
        before = case.view.rows("select ag, start from failovers")
    for log in sorted(folder.rglob("ERRORLOG")):
        data = log.read_bytes()
        text = data.decode("utf-16" if data[:2] == b"\xff\xfe" else "utf-8").splitlines()
        (log.parent / "end.log").write_bytes(utf_16(text[len(text) // 3 :]))
    with agtrace.open_case(folder) as case:
        assert case.view.rows("select path from captures where superseded_by is not null") != []
        assert case.view.rows("select ag, start from failovers") == before
