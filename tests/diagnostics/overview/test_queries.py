"""Which rows the queries choose: of small tables, in which one row has all that is asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

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
FACT = {"capture_id": "one", "content_id": "log", "host_id": "A", "item": "1", "line": 4}


def test_a_log_of_several_machines_is_of_those_that_its_own_series_name():
    of_two = CAPTURE | {"content_id": "blg", "host_id": None}
    series = [COUNTER, COUNTER | {"host_id": "C"}, COUNTER | {"content_id": "x", "host_id": "Z"}]
    rows = ask(overview, "captures", captures=[of_two, CAPTURE], counters=series)
    assert [row["host"] for row in rows] == ["A", "B, C"]


def test_of_the_log_of_a_tool_count_its_version_and_its_scenarios():
    told = FACT | {"topic": "collection", "key": "tool_version", "value": "6.5"}
    others = [{"topic": "power_plan", "capture_id": "two"}, {"key": "x", "capture_id": "three"}]
    captures = [CAPTURE | {"capture_id": each, "path": each} for each in ("one", "two", "three")]
    rows = ask(overview, "collections", facts=[told, *(told | each for each in others)], captures=captures)
    assert rows == [{"path": "one", "tool_version": "6.5", "scenarios": None}]


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


def filter_instance(altitude="321000", volume="E:", **more):
    values = {"filter": "WdFilter", "volume": volume, "altitude": altitude}
    return [
        FACT | {"topic": "filter_instance", "key": key, "value": value} | more
        for key, value in values.items()
    ]


@pytest.mark.parametrize(
    "other",
    [{"topic": "x"}, {"host_id": None}, {"altitude": "319999"}, {"altitude": "330000"},
     {"volume": r"\Device\Mup"}],
)  # fmt: skip
def test_a_filter_of_a_drive_at_the_altitudes_of_anti_virus_is_one(other):
    rows = ask(
        overview, "filters", captures=[CAPTURE],
        facts=[*filter_instance(), *filter_instance(**other, item="2", capture_id="two", line=1)],
    )  # fmt: skip
    assert [(row["filter"], row["path"], row["line"]) for row in rows] == [("WdFilter", "A/log", 4)]


def test_the_power_plan_of_a_look_at_a_host_counts():
    plan = FACT | {"topic": "power_plan", "key": "active", "value": "Balanced"}
    others = [plan | {"topic": "x", "host_id": "B"}, plan | {"host_id": None}]
    rows = ask(overview, "power_plans", facts=[plan, *others], captures=[CAPTURE])
    assert [(row["host"], row["plan"], row["path"]) for row in rows] == [("A", "Balanced", "A/log")]


def gaps(*steps, factor=2.0):
    moments = [NOON]
    for step in steps:
        moments.append(moments[-1] + timedelta(seconds=step))
    ticks = [{"content_id": "log", "tick": n, "time": at, "time_local": None} for n, at in enumerate(moments)]
    # A row that is not chosen keeps the types of local times.
    ticks.append({"content_id": "x", "tick": 0, "time": None, "time_local": LOCAL})
    captures = [CAPTURE, CAPTURE | {"content_id": "x", "superseded_by": "log"}]
    found = ask(overview, "gaps", {"factor": factor}, ticks=ticks, captures=captures, counters=[COUNTER])
    return [(row["missing_s"], row["missing_rows"]) for row in found]


@pytest.mark.parametrize(
    ("longest", "factor", "found"),
    [
        (40, 2.0, [(30.0, 3)]),
        (30, 2.0, []),  # two rows are missing, no more
        (40, 4.0, []),  # no longer than so many steps
        (41, 4.0, [(31.0, 3)]),
    ],
)
def test_a_gap_is_longer_than_some_steps_and_misses_more_than_two_rows(longest, factor, found):
    assert gaps(10, 10, longest, 10, 10, factor=factor) == found


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
          "messages": [MESSAGE, MESSAGE | {"topic": "x", "fields": {"replica": "G"}},
                       MESSAGE | {"fields": {"replica": None}}],
          "replicas": [LOOK, LOOK | {"replica": None}]}  # fmt: skip


def test_replicas_are_named_by_counters_logs_and_looks():
    rows = ask(overview, "named_replicas", hosts=[{"host_id": "A"}], topology=[{"members": ["M"]}], **NAMERS)
    assert [row["replica"] for row in rows] == ["C", "D", "E"]


def test_a_machine_is_asked_for_its_own_perfmon_and_errorlog():
    known = {"names": ["C", "D", "E", "F", "G"], "hosts": ["C", "D", "E", "F", "G"]}
    rows = ask(
        overview, "kinds_by_host", known, captures=[CAPTURE], errorlog=[{"host_id": "D"}],
        facts=[{"host_id": "E", "topic": "tcp_global"}], **NAMERS,
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
