"""Real ERRORLOGs against figures and lines found by an independent, simple script."""

from __future__ import annotations

import datetime as dt
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from agtrace.readers.base import Source
from agtrace.readers.errorlog import READER
from agtrace.testing import Tables, read_all
from tests.folded import folded
from tests.shared import CAPTURES, needs_captures

pytestmark = [needs_captures, pytest.mark.complete]


class Figures(NamedTuple):
    """What the figures beside the captures say of one log."""

    name: str
    encoding: str
    entries: int
    continuations: int
    pairs: int
    empty: int
    adjustment: str


ROW = re.compile(
    r"\| ((?:errorlog|failover_2017)/\S+) \| \d+ \| (.+?) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\S+) \|"
)


def figures() -> list[Figures]:
    if not CAPTURES.is_dir():
        return []
    text = (CAPTURES / "FIGURES.md").read_text("utf-8")
    return [Figures(m[1], m[2], *(int(n) for n in m.groups()[2:6]), m[7]) for m in ROW.finditer(text)]


LOGS = figures()
each_log = pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name.replace("/", " "))


@cache
def read(name: str) -> Tables:
    return read_all(READER, (CAPTURES / name).read_bytes(), name)


def file_facts(name: str) -> dict[str, str]:
    rows = read(name)["facts"].to_pylist()
    return {row["key"]: row["value"] for row in rows if row["topic"] == "errorlog_file"}


def adjustments(name: str) -> list[str]:
    rows = read(name)["facts"].to_pylist()
    return [row["value"] for row in rows if row["key"] == "utc_adjustment_minutes"]


def plain_text(name: str) -> str:
    data = (CAPTURES / name).read_bytes()
    return data.decode("utf-16") if data.startswith(b"\xff\xfe") else data.decode("utf-8")


@each_log
def test_every_figure_holds(log):
    found = file_facts(log.name)
    assert found == {
        "entries": str(log.entries),
        "continuation_lines": str(log.continuations),
        "error_pairs": str(log.pairs),
        "empty_messages": str(log.empty),
        "encoding": {"UTF-8": "utf-8", "UTF-16LE BOM": "utf-16-le"}[log.encoding],
    }
    assert read(log.name)["errorlog"].num_rows == log.entries - log.pairs
    hours, minutes = log.adjustment.split(":")
    sign = -1 if hours.startswith("-") else 1
    assert adjustments(log.name) == [str(int(hours) * 60 + sign * int(minutes))]


def test_the_totals_hold():
    totals = [
        sum(int(file_facts(log.name)[key]) for log in LOGS)
        for key in ("entries", "continuation_lines", "error_pairs", "empty_messages")
    ]
    assert totals == [9_623, 8_303, 409, 977]
    assert sum(len(adjustments(log.name)) for log in LOGS) == 47


@each_log
def test_first_and_last_entry_are_where_a_simple_script_finds_them(log):
    lines = plain_text(log.name).split("\n")
    headers = [
        (number, match)
        for number, line in enumerate(lines, 1)
        if (match := re.match(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d\d) (\S+) *(.*?)\r?$", line))
    ]
    rows = read(log.name)["errorlog"].to_pylist()
    for (number, match), row in ((headers[0], rows[0]), (headers[-1], rows[-1])):
        if row["error"] is None:
            assert row["line"] == number
        assert row["time_local"] == dt.datetime.fromisoformat(match[1] + "0")
        assert row["source"] == match[2]
        assert row["message"].split("\n")[0] == match[3]


@each_log
def test_every_line_is_in_one_entry(log):
    rows = read(log.name)["errorlog"].to_pylist()
    covered = sum(1 + row["continuation_lines"] for row in rows) + log.pairs
    assert covered == len(plain_text(log.name).rstrip("\n").split("\n"))


@each_log
def test_no_backup_is_invented(log):
    text = plain_text(log.name)
    rows = read(log.name)["messages"].to_pylist()
    assert sum(row["topic"] == "backup" for row in rows) == len(re.findall(r" backed up\. Database: ", text))
    assert sum(row["topic"] == "restore" for row in rows) == len(
        re.findall(r" restored[:.] Database: ", text)
    )
    assert sum(row["topic"] == "backup_rate" for row in rows) == text.count(" successfully processed ")
    assert not [row for row in rows if row["topic"] in ("phase", "buffer_configuration")]


@folded(
    ("topic", "fragment"),
    [
        ("role_change", " is changing roles from "),
        ("replica_state", "The state of the local availability replica in availability group "),
        ("sync_state", "DbMgrPartnerCommitPolicy::Set"),
        ("state_information", "State information for database "),
        ("memory_paged_out", "A significant part of sql server process memory has been paged out"),
        ("parallel_redo", "Parallel redo is "),
        ("recovery_lsn", "The recovery LSN "),
        ("ready", "SQL Server is now ready for client connections"),
        ("connection", " availability replica 'ZE-2016-"),
    ],
)
def test_every_message_of_a_kind_is_recognised(topic, fragment):
    for log in LOGS:
        rows = read(log.name)["messages"].to_pylist()
        found = sum(row["topic"] == topic for row in rows)
        text = plain_text(log.name)
        expected = text.count(fragment)
        if topic == "connection":
            expected = len(
                re.findall(r"\n\S+ \S+ \S+ +A connection (?:timeout|for availability group)", text)
            )
        assert found == expected, log.name


def test_servers_are_named():
    for number in (1, 2):
        rows = read(f"failover_2017/ze-2016-v{number}/ERRORLOG.2")["facts"].to_pylist()
        facts = {row["key"]: row["value"] for row in rows}
        assert facts["server_name"] == rf"ZE-2016-V{number}\SQL17RTM01"
        assert facts["sql_instance"] == "SQL17RTM01"
        assert facts["product_version"] == "14.0.1000.169"


def test_a_spanish_server_writes_its_error_lines_in_spanish():
    name = "errorlog/desarrollo789+dabases__MSSQL__Log__ERRORLOG"
    rows = [row for row in read(name)["errorlog"].to_pylist() if row["error"] == 8310]
    assert [(row["severity"], row["state"]) for row in rows] == [(16, 1)]
    assert rows[0]["message"].startswith("Cannot create (or open) named file mapping object")


def test_excerpts_without_headers_are_left_to_others():
    known = {
        path.name
        for path in sorted((CAPTURES / "errorlog_excerpts").iterdir())
        if READER.detect(Source.of_path(path).head(), path.name)
    }
    assert known == {
        "ag_dblevel_health_sql2016_sqldocs.txt",
        "tf3004_3014_3213_sql2016_sqldocs.txt",
        "tf3004_createdb_sql2017plus_xp_readerrorlog.txt",
        "tf3004_restore_sql2012_ssc31889.txt",
        "tf3014_sql2008r2_mssqltrek.txt",
        "tf3213_sql2005sp2_psssql.txt",
        "tf3213_sql2012_azure_seed004.txt",
    }


def test_every_real_log_is_known_by_its_content():
    for log in LOGS:
        source = Source.of_path(Path(CAPTURES / log.name))
        assert READER.detect(source.head(), "x") is not None, log.name
