"""How hosts are set up: power plan, anti-virus filters on the drives of databases, teamed cards."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.overview import Overview
from tests.behind import assert_facts
from tests.diagnostics import tiny

BALANCED = "381b4222-f694-41f0-9685-ff5bb260df2e"
HIGH = "8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c"


def findings(case: tiny.Case):
    return [f for f in Overview(case).findings() if f.id.startswith("settings.")]


def plan(name: str, guid: str = "", host: str = "SQL1") -> str:
    told = f"{host} | power_plan | 0 | active | {name}"
    return told + (f"\n{host} | power_plan | 0 | guid | {guid}" if guid else "")


def test_a_plan_that_slows_processors_down_is_a_notice():
    (found,) = findings(tiny.case(facts=plan("Balanced")))
    assert (found.id, found.severity, found.subject) == ("settings.power_plan", "notice", {"host": "SQL1"})
    assert_facts(found, host="SQL1", plan="Balanced")
    assert [(e.label, e.value, e.source) for e in found.evidence] == [
        ("power plan", "Balanced", "power_plan-SQL1")
    ]


def test_the_guid_tells_in_every_language():
    (found,) = findings(tiny.case(facts=plan("Höchstleistung (alt)", BALANCED)))
    assert_facts(found, host="SQL1", plan="Balanced")
    assert found.confidence == 0.9


@pytest.mark.parametrize(
    "told",
    [
        plan("High performance"),
        plan("Balanced", HIGH),
        plan("Höchstleistung"),
        plan("Our own plan"),
        plan("Our own plan", "0f0f0f0f-0000-4000-8000-000000000000"),
        plan("Balanced") + "\n" + plan("High performance", host="SQL1@later"),
        "",
    ],
)
def test_a_fast_an_unknown_or_a_changed_plan_is_none(told):
    assert findings(tiny.case(facts=told)) == []


def watched(volume: str, name: str = "WdFilter", altitude: str = "328010", host: str = "SQL1"):
    return "\n".join(
        f"{host} | filter_instance | {ord(volume[0])} | {key} | {value}"
        for key, value in (("filter", name), ("volume", volume), ("altitude", altitude))
    )


FILES = (("Sales", "D:\\data\\sales.mdf"), ("Sales", "l:\\log\\sales.ldf"), ("HR", "D:\\data\\hr.mdf"),
         ("tempdb", "T:\\tempdb.mdf"), ("Far", "\\\\share\\far.mdf"))  # fmt: skip


def with_files(facts: str, host: str = "SQL1", files=FILES) -> tiny.Case:
    """Give a case in which MiscDiagInfo lists the files of the host's databases."""
    case = tiny.case(facts=facts)
    head = {"capture_id": "m", "content_id": "m", "rowset": 3, "line": 90, "host_id": host}
    rows = [
        {"capture_id": "m", "content_id": "m", "rowset": 3, "row": n, "line": 92 + n, "host_id": host,
         "cells": ["5", database, "sales", path]}
        for n, (database, path) in enumerate(files)
    ]  # fmt: skip
    columns = ["database_id", "Database_name", "name", "physical_name"]
    for name, made in (
        ("rowset_heads", [{**head, "name": "database files", "columns": columns}]),
        ("rowset_rows", rows),
    ):
        case.insert(name, made)
    return case


def test_an_antivirus_filter_on_the_drives_of_databases_is_a_notice():
    facts = "\n".join([watched("C:"), watched("D:"), watched("L:"), watched("T:")])
    (found,) = findings(with_files(facts))
    assert (found.id, found.severity) == ("settings.antivirus", "notice")
    assert_facts(found, host="SQL1", files=3, filters=["WdFilter"], volumes=["D:", "L:"])
    assert [(e.label, e.value, e.unit) for e in found.evidence] == [
        ("altitude of WdFilter on D:", 328010.0, ""),
        ("altitude of WdFilter on L:", 328010.0, ""),
        ("files of databases on D:", 2, "files"),
        ("files of databases on L:", 1, "files"),
    ]


@pytest.mark.parametrize(
    "case",
    [
        lambda: with_files(watched("C:")),
        lambda: with_files(watched("D:", "storqosflt", "244000")),
        lambda: with_files(watched("D:", "edge", "330000")),
        lambda: with_files(watched("D:"), host="SQL2"),
        lambda: with_files(""),
        lambda: tiny.case(facts=watched("D:")),
    ],
    ids=["other drive", "other filter", "other range", "other host", "no filters", "no files"],
)
def test_a_filter_elsewhere_or_of_another_kind_is_none(case):
    assert findings(case()) == []


TEAM = "Microsoft Network Adapter Multiplexor Driver"
CARD = r"\Network Interface(%s)\%s"


def cards(*told: tuple[str, str, str]) -> tiny.Case:
    return tiny.case("\n".join(f"SQL1 | {CARD % (card, counter)} | {value}" for card, counter, value in told))


def test_a_team_of_cards_is_a_notice():
    case = cards(
        (TEAM, "Current Bandwidth", "20000000000"),
        (TEAM, "Bytes Sent/sec", "1000"),
        ("one", "Current Bandwidth", "10000000000"),
        ("one", "Bytes Sent/sec", "700"),
        ("idle", "Current Bandwidth", "1000000000"),
        ("idle", "Bytes Sent/sec", "0"),
    )
    (found,) = findings(case)
    assert (found.id, found.severity, found.subject) == ("settings.teamed_cards", "notice", {"host": "SQL1"})
    assert [(e.label, e.value, e.unit, e.source) for e in found.evidence] == [
        (f"bandwidth of {TEAM}", 20e9, "bit/s", "SQL1.csv"),
        ("bandwidth of one", 10e9, "bit/s", "SQL1.csv"),
    ]


@pytest.mark.parametrize(
    "case",
    [
        lambda: cards(("one", "Bytes Sent/sec", "700"), ("two", "Bytes Sent/sec", "300")),
        lambda: cards((TEAM, "Bytes Sent/sec", "0"), ("one", "Bytes Sent/sec", "300")),
        lambda: tiny.case(),
    ],
    ids=["no team", "an idle team", "no cards"],
)
def test_cards_that_are_no_team_are_none(case):
    assert findings(case()) == []
