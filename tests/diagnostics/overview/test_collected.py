"""What a support tool collected: the tool, the scenario, the nodes, and what it never collects."""

from __future__ import annotations

from unittest.mock import ANY

import pytest

from agtrace.diagnostics.overview import Overview
from tests.behind import assert_facts, texts
from tests.diagnostics import tiny

STAMP = "_20260301T1015302241_"


def files(*paths: str, host: str | None = "CONTOSO1", status: str = "ingested"):
    return [
        {"path": path, "host": host, "kind": "k", "reader": "r", "status": status, "reason": "", "rows": 3}
        for path in paths
    ]  # fmt: skip


def case_of(*rows: dict) -> tiny.Case:
    case = tiny.case()
    case.insert(
        "captures",
        [
            {"capture_id": row["path"], "content_id": row["path"], "path": row["path"], "rows": row["rows"],
             "host_id": row["host"], "status": row["status"], "kind": row["kind"], "reader": row["reader"],
             "reason": "a list of one moment" if row["status"] == "recognised" else ""}
            for row in rows
        ],
    )  # fmt: skip
    return case


def test_the_overview_opens_with_what_was_collected():
    rows = files(f"CONTOSO1{STAMP}MiscDiagInfo.out")
    rows += files(f"CONTOSO1{STAMP}TaskListVerbose.out", status="recognised")
    rows += files("CONTOSO2.contoso.lan_cluster.log", host="CONTOSO2")
    overview = Overview(case_of(*rows))
    assert_facts(texts(overview.say_summary)["collected.md"], tools=1, lacking=2, absent=["CONTOSO2"])
    gave = dict(zip(overview.tbl_collected()["path"], overview.tbl_collected()["gave"], strict=True))
    assert gave == {
        f"CONTOSO1{STAMP}MiscDiagInfo.out": "3 rows",
        f"CONTOSO1{STAMP}TaskListVerbose.out": "a list of one moment",
        "CONTOSO2.contoso.lan_cluster.log": "3 rows",
    }


LINUX = "CONTOSO1_host_instance_SQL_Performance_Counters.out"


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        (f"CONTOSO1{STAMP}MiscDiagInfo.out", "TCP settings", "seeding events"),
        (LINUX, "TCP settings", "seeding events"),
        ("CONTOSO1_SALES_1033_AlwaysOn.OUT", "seeding events", "counters over time"),
    ],
)
def test_what_is_never_collected_is_a_finding(name, first, second):
    overview = Overview(case_of(*files(name)))
    found = [f for f in overview.findings() if f.subject.get("what")]
    told = [f for f in found if f.subject["what"] in (first, second)]
    assert [(f.id, f.severity, f.title) for f in told] == [
        ("quality.not_captured", "info", ANY),
        ("quality.not_captured", "info", ANY),
    ]


def test_an_errorlog_without_its_middle_is_a_gap():
    facts = "SQL1 | errorlog_gap | 0 | from | a | 60\nSQL1 | errorlog_gap | 0 | to | b | 3660"
    case = tiny.case(facts=facts)
    case.insert(
        "captures",
        [
            {
                "capture_id": "c", "content_id": "errorlog_gap-SQL1", "host_id": "SQL1",
                "path": "SQL1_ERRORLOG.1_Head_and_Tail_Only", "status": "ingested",
            }
        ],
    )  # fmt: skip
    [finding] = [f for f in Overview(case).findings() if f.id == "quality.gap"]
    assert_facts(finding, captures=1, host="SQL1", missing=3600.0)
    assert [(e.label, e.value, e.unit, e.source) for e in finding.evidence] == [
        ("not collected from 2024-03-05 12:01:00 to 2024-03-05 13:01:00", 3600, "s",
         "SQL1_ERRORLOG.1_Head_and_Tail_Only")
    ]  # fmt: skip
