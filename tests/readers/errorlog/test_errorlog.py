"""The grammar of docs/formats/errorlog.md, section 2: headers, continuation lines, error pairs."""

from __future__ import annotations

import datetime as dt

import pytest

from agtrace.errors import CaptureError
from agtrace.readers.errorlog import READER
from tests.folded import folded
from tests.readers.errorlog.errorlog_rows import entries, facts, issues, tables


def test_a_header_is_time_source_and_text():
    [row] = entries("2024-01-25 10:06:27.84 spid51      Starting up database 'x'.\n")
    assert row == {
        "line": 1,
        "time_local": dt.datetime(2024, 1, 25, 10, 6, 27, 840_000),
        "source": "spid51",
        "spid": 51,
        "error": None,
        "severity": None,
        "state": None,
        "message": "Starting up database 'x'.",
        "continuation_lines": 0,
    }


@pytest.mark.parametrize(
    ("source", "spid"),
    [("Server", None), ("Logon", None), ("Backup", None), ("spid51", 51), ("spid7s", 7), ("DAC", None)],
)
def test_a_session_number_is_taken_from_spid_sources_only(source, spid):
    rows = entries(f"2024-01-25 10:06:27.84 Server      a\n2024-01-25 10:06:27.84 {source.ljust(12)}b\n")
    assert (rows[1]["source"], rows[1]["spid"]) == (source, spid)


def test_a_source_longer_than_its_column_is_followed_by_one_blank():
    [row] = entries("2024-01-25 10:06:27.84 spid1234567890s text\n")
    assert (row["source"], row["message"]) == ("spid1234567890s", "text")


def test_padding_may_be_long_or_made_of_tabs():
    rows = entries(
        "2024-01-25 10:06:27.84 spid5" + " " * 60 + "far\n2024-01-25 10:06:27.840\tspid5\t\tnear\n"
    )
    assert [row["message"] for row in rows] == ["far", "near"]


def test_three_digits_of_the_second_are_milliseconds():
    [row] = entries("2024-01-25 10:06:27.123 spid5       x\n")
    assert row["time_local"] == dt.datetime(2024, 1, 25, 10, 6, 27, 123_000)


def test_a_message_may_be_empty():
    rows = entries("2024-01-25 10:06:27.84 spid145     \n2024-01-25 10:06:27.84 spid145\n")
    assert [row["message"] for row in rows] == ["", ""]
    assert ("errorlog_file", 0, "empty_messages", "2") in facts(
        "2024-01-25 10:06:27.84 spid145     \n2024-01-25 10:06:27.84 spid145\n"
    )


@folded(
    "line",
    [
        "2024-02-30 10:06:27.84 spid5       no such date",
        "2024-01-25 24:06:27.84 spid5       no such hour",
        "2024-01-25 10:60:27.84 spid5       no such minute",
        "2024-01-25 10:06:27.8 spid5       one digit",
        "2024-01-25 10:06:27.84",
        "2024-01-25 10:06:27.84   ",
        "2024-01-25T10:06:27.84 spid5       not a blank",
        " 2024-01-25 10:06:27.84 spid5       indented",
    ],
)
def test_what_is_no_header_continues_the_entry_before(line):
    [row] = entries(f"2024-01-25 10:06:27.84 spid5       first\n{line}\n")
    assert row["message"] == f"first\n{line}"
    assert row["continuation_lines"] == 1


def test_the_last_day_of_february_in_a_leap_year_is_a_date():
    assert len(entries("2024-02-29 10:06:27.84 spid5       x\n")) == 1


def test_blank_lines_belong_to_the_entry_but_not_the_end_of_the_file():
    rows = entries(
        "2024-01-25 10:06:27.84 Server      a\r\n\tb\r\n\r\n2024-01-25 10:06:27.84 Server      c\r\n"
    )
    assert [(row["line"], row["message"], row["continuation_lines"]) for row in rows] == [
        (1, "a\n\tb\n", 2),
        (4, "c", 0),
    ]


def test_entries_keep_the_order_of_the_file_when_time_steps_back():
    rows = entries(
        "2024-01-25 10:06:27.84 spid5       a\n2024-01-25 10:06:27.33 spid6       b\n"
        "2024-01-25 10:06:27.85 spid5       c\n"
    )
    assert [row["message"] for row in rows] == ["a", "b", "c"]


def test_an_error_pair_is_one_row_with_the_text_of_its_second_line():
    rows = entries(
        "2024-01-25 10:06:27.84 Logon       Error: 18456, Severity: 14, State: 38.\n"
        "2024-01-25 10:06:27.84 Logon       Login failed for user 'x'.\n"
        "2024-01-25 10:06:27.84 Logon       Another.\n"
    )
    assert [(r["line"], r["error"], r["severity"], r["state"], r["message"]) for r in rows] == [
        (1, 18456, 14, 38, "Login failed for user 'x'."),
        (3, None, None, None, "Another."),
    ]


@pytest.mark.parametrize(
    "second",
    [
        "2024-01-25 10:06:27.85 Logon       another time",
        "2024-01-25 10:06:27.84 spid51      another source",
        "2024-01-25 10:06:27.84 Logon       Error: 4060, Severity: 11, State: 1.",
    ],
)
def test_an_error_line_without_its_text_stays_alone_and_keeps_its_numbers(second):
    rows = entries(f"2024-01-25 10:06:27.84 Logon       Error: 18456, Severity: 14, State: 38.\n{second}\n")
    assert len(rows) == 2
    assert (rows[0]["error"], rows[0]["message"]) == (18456, "Error: 18456, Severity: 14, State: 38.")


def test_an_error_in_terse_mode_carries_its_text_on_the_same_line():
    terse = "Error: 824, Severity: 24, State: 2. (Params:x). The error is printed in terse mode"
    rows = entries(
        f"2024-01-25 10:06:27.84 spid51      {terse}\n2024-01-25 10:06:27.84 spid51      Another entry.\n"
    )
    assert [(row["error"], row["message"]) for row in rows] == [(824, terse), (None, "Another entry.")]


def test_continuation_lines_of_both_lines_of_a_pair_are_counted():
    [row] = entries(
        "2024-01-25 10:06:27.84 spid51      Error: 1205, Severity: 13, State: 51.\n"
        "2024-01-25 10:06:27.84 spid51      Deadlock\nvictim\n"
    )
    assert (row["message"], row["continuation_lines"]) == ("Deadlock\nvictim", 1)


def test_an_entry_keeps_64_continuation_lines_and_counts_all():
    log = "2024-01-25 10:06:27.84 spid145     \n" + "".join(f"line {n}\n" for n in range(7000))
    for block_bytes in (None, 100):
        [row] = tables(log, block_bytes)["errorlog"].to_pylist()
        assert row["continuation_lines"] == 7000
        assert row["message"].split("\n")[1:] == [f"line {n}" for n in range(64)]
    assert issues(log) == {"continuation_capped": 1}


def test_an_entry_keeps_16_kib_of_continuation_text():
    log = "2024-01-25 10:06:27.84 spid145     x\n" + ("é" * 2999 + "\n") * 5
    for block_bytes in (None, 1000):
        [row] = tables(log, block_bytes)["errorlog"].to_pylist()
        assert row["message"] == "x" + ("\n" + "é" * 2999) * 2
        assert row["continuation_lines"] == 5


def test_exactly_as_much_as_is_kept_is_no_issue():
    log = "2024-01-25 10:06:27.84 spid145     x\n" + "y\n" * 64
    assert issues(log) == {}


def test_the_file_is_counted_in_the_terms_of_the_format():
    log = (
        "2024-01-25 10:06:27.84 Server      a\n\tb\n"
        "2024-01-25 10:06:27.84 Logon       Error: 1, Severity: 2, State: 3.\n"
        "2024-01-25 10:06:27.84 Logon       text\n"
        "2024-01-25 10:06:27.84 spid145     \n"
    )
    assert facts(log) == [
        ("errorlog_file", 0, "entries", "4"),
        ("errorlog_file", 0, "continuation_lines", "1"),
        ("errorlog_file", 0, "error_pairs", "1"),
        ("errorlog_file", 0, "empty_messages", "1"),
        ("errorlog_file", 0, "encoding", "utf-8"),
    ]


def test_lines_before_the_first_entry_are_reported():
    log = "cut off text\nmore\n2024-01-25 10:06:27.84 Server      a\n"
    assert [(row["line"], row["message"]) for row in entries(log)] == [(3, "a")]
    assert issues(log) == {"lines_before_first_entry": 2}


def test_a_last_line_without_end_is_read_and_reported():
    log = "2024-01-25 10:06:27.84 Server      a\n2024-01-25 10:06:27.84 Server      b"
    assert [row["message"] for row in entries(log)] == ["a", "b"]
    [row] = tables(log)["issues"].to_pylist()
    assert (row["kind"], row["offset"], row["severity"]) == ("last_line_torn", 37, "warning")


def test_bytes_that_are_no_text_are_replaced_and_counted():
    log = (
        b"2024-01-25 10:06:27.84 Server      a\n" * 2000 + b"2024-01-25 10:06:27.84 Server      b\xff\xfec\n"
    )
    assert entries(log)[-1]["message"] == "b\ufffd\ufffdc"
    assert issues(log) == {"undecodable_text": 2}


def test_a_file_without_any_entry_is_refused():
    with pytest.raises(CaptureError, match="no line is an ERRORLOG entry"):
        tables("nothing of the kind\n")


def test_an_empty_file_gives_nothing():
    assert tables(b"") == {}


def known(head: str) -> bool:
    return READER.detect(head.encode(), "anything.txt") is not None


def test_an_errorlog_is_known_by_its_first_line_whatever_its_name():
    assert known("2024-01-25 10:06:27.84 Server      Microsoft SQL Server 2022\n")
    assert known("\r\n2024-01-25 10:06:27.840\tspid51\tx\r\n")
    assert known("LogDate                 ProcessInfo  Text\n2024-01-25 10:06:27.840 spid51 x\n")


def test_a_single_word_is_a_source_when_others_are_known_ones():
    assert known("2024-01-25 10:06:27.84 DAC         x\n2024-01-25 10:06:27.84 Server      y\n")
    assert not known("2024-01-25 10:06:27.84 DAC         x\n2024-01-25 10:06:27.84 Other       y\n")


@pytest.mark.parametrize(
    "head",
    [
        "",
        "2024-01-25 10:06:27.84 INFO started\n2024-01-25 10:06:27.84 WARN Server is slow\n",
        "2019-03-14 22:45:14 - ? [100] Microsoft SQLServerAgent version 12.0\n",
        "2019-03-14 21:52:29.415\tMSSQLFDLauncher$X service received control message.\n",
        "BackupDatabase: Database AdventureWorks\nBackup: Media open\n",
        "998:# 2022-02-21 01:09:53.48 spid62s     grepped\n",
        "some text\n2024-01-25 10:06:27.84 Server      x\n",
    ],
)
def test_other_files_are_not_taken_for_it(head):
    assert not known(head)
