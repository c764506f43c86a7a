"""Which rows the queries choose: of small tables, in which one row has all that is asked for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agtrace.diagnostics import overview
from tests.diagnostics.asking import ask

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
LOCAL = NOON.replace(tzinfo=None)
CAPTURE = {
    "path": "A/log", "kind": "ERRORLOG", "reader": "errorlog", "status": "ingested", "reason": None,
    "rows": 3, "bytes": 9, "capture_id": "one", "content_id": "log", "host_id": "A",
    "host_source": "its text",
    "first_time": NOON, "last_time": NOON, "first_local": LOCAL, "last_local": LOCAL,
    "superseded_by": None,
}  # fmt: skip
COUNTER = {"content_id": "blg", "host_id": "B", "object": "SQLServer:Availability Replica",
           "instance": "AG:C", "counter": "x"}  # fmt: skip


def test_a_log_of_several_machines_is_of_those_that_its_own_series_name():
    of_two = CAPTURE | {"content_id": "blg", "host_id": None}
    series = [COUNTER, COUNTER | {"host_id": "C"}, COUNTER | {"content_id": "x", "host_id": "Z"}]
    rows = ask(overview, "captures", captures=[of_two, CAPTURE], counters=series)
    assert [row["host"] for row in rows] == ["A", "B, C"]


def test_of_the_log_of_a_tool_count_its_version_and_its_scenarios():
    rows = ask(
        overview, "collections", captures=[CAPTURE],
        collections=[{"capture_id": "one", "tool_version": "6.5", "scenarios": "IO"}],
    )  # fmt: skip
    assert rows == [{"path": "A/log", "tool_version": "6.5", "scenarios": "IO"}]


HEAD = {"capture_id": "one", "rowset": 1, "columns": [" Physical_Name", "database_name"]}
FILE = {"capture_id": "one", "rowset": 1, "host_id": "A", "line": 7, "cells": [r"e:\sales.mdf", "Sales"]}


@pytest.mark.parametrize("names", [["physical_name", "x"], ["x", "database_name"]])
def test_files_of_databases_stand_where_a_table_names_both(names):
    other = {"capture_id": "two", "columns": names}
    rows = ask(
        overview, "database_files", rowset_heads=[HEAD, HEAD | other], captures=[CAPTURE],
        rowset_rows=[FILE, FILE | {"capture_id": "two", "cells": [r"f:\x.mdf", "Stock"]},
                     FILE | {"host_id": None}, FILE | {"cells": [r"c:\master.mdf", "master"]}],
    )  # fmt: skip
    assert [(row["host"], row["volume"], row["files"], row["path"]) for row in rows] == [
        ("A", "E:", 1, "A/log")
    ]


FILTER = {"capture_id": "one", "content_id": "log", "host_id": "A", "line": 4, "filter": "WdFilter",
          "volume": "E:", "altitude": 321_000.0}  # fmt: skip


@pytest.mark.parametrize(
    "other", [{"host_id": None}, {"altitude": 319_999.0}, {"altitude": 330_000.0}, {"volume": r"\DEVICE\MUP"}]
)
def test_a_filter_of_a_drive_at_the_altitudes_of_anti_virus_is_one(other):
    rows = ask(
        overview, "filters", captures=[CAPTURE],
        filter_drivers=[FILTER, FILTER | {"capture_id": "two", "line": 1} | other],
    )  # fmt: skip
    assert [(row["filter"], row["path"], row["line"]) for row in rows] == [("WdFilter", "A/log", 4)]


def test_the_power_plan_of_a_look_at_a_host_counts():
    plan = {
        "capture_id": "one",
        "content_id": "log",
        "host_id": "A",
        "line": 4,
        "plan": "Balanced",
        "guid": None,
    }
    rows = ask(overview, "power_plans", power_plans=[plan, plan | {"host_id": None}], captures=[CAPTURE])
    assert [(row["host"], row["plan"], row["path"]) for row in rows] == [("A", "Balanced", "A/log")]


NO_HOST = {"host_id": None}


def test_machines_are_counted_beside_captures_of_no_host():
    captures = [CAPTURE | NO_HOST, CAPTURE, CAPTURE | {"host_id": "C"}]
    rows = ask(overview, "unknown_hosts", captures=captures, counters=[COUNTER | {"content_id": "blg"}])
    assert [(row["path"], row["machines"]) for row in rows] == [("A/log", 3)]


def test_machines_are_those_of_captures_and_those_that_series_name():
    blg = CAPTURE | {"content_id": "blg", "capture_id": "two", "host_id": None, "host_source": "its counters"}
    rows = ask(
        overview, "hosts", hosts=[{"host_id": "A", "aliases": ["a1"], "zone": "UTC"}],
        captures=[CAPTURE, blg], counters=[COUNTER, COUNTER | NO_HOST],
    )  # fmt: skip
    assert [(row["host"], row["captures"], row["known_from"]) for row in rows] == [
        ("A", 1, "its text"),
        ("B", 1, "its counters"),
    ]


MESSAGE = {"topic": "connection", "fields": {"replica": "D"}, "host_id": "A"}
LOOK = {"replica": "E", "host_id": "A"}
NAMERS = {"counters": [COUNTER, COUNTER | {"instance": "_Total"},
                       COUNTER | {"object": "x", "instance": "a:F"}],
          "log_messages": [MESSAGE, MESSAGE | {"topic": "x", "fields": {"replica": "G"}},
                       MESSAGE | {"fields": {"replica": None}}],
          "replicas": [LOOK, LOOK | {"replica": None}]}  # fmt: skip


def test_replicas_are_named_by_counters_logs_and_looks():
    rows = ask(overview, "named_replicas", hosts=[{"host_id": "A"}], topology=[{"members": ["M"]}], **NAMERS)
    assert [row["replica"] for row in rows] == ["C", "D", "E"]


def test_a_machine_is_asked_for_its_own_perfmon_and_errorlog():
    known = {"names": ["C", "D", "E", "F", "G"], "hosts": ["C", "D", "E", "F", "G"]}
    rows = ask(
        overview, "kinds_by_host", known, captures=[CAPTURE],
        log_entries=[{"host_id": "D", "source": "ERRORLOG"}, {"host_id": "B", "source": "Extended Events"}],
        network_facts=[{"host_id": "E", "topic": "tcp_global"}], **NAMERS,
    )  # fmt: skip
    assert {row["host"]: (row["perfmon"], row["errorlog"], row["tcp_settings"]) for row in rows} == {
        "B": (True, False, False),
        "C": (False, False, False),
        "D": (False, True, False),
        "E": (False, False, True),
    }


def test_a_counter_has_no_name_of_ours_where_its_object_or_itself_has_none():
    series = {"object": "O", "counter": "c", "object_written": "o", "host_id": "A", "path": "p"}
    lacking = [{"counter": None}, {"object": None}, {"object": None, "counter": None}]
    rows = [series | {"counter_written": str(n)} | each for n, each in enumerate([{}, *lacking])]
    assert [row["counter"] for row in ask(overview, "unmapped", counters=rows)] == ["1", "2", "3"]
