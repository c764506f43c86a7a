"""What a support tool collected: the tool, the scenario, the nodes, and what it never collects."""

from __future__ import annotations

from unittest.mock import ANY

import pytest

from agtrace.diagnostics.overview import Overview
from agtrace.history.collected import COUNTERS, SEEDING, TCP, Folder, collected
from tests.behind import assert_facts, texts
from tests.diagnostics import tiny

STAMP = "_20260301T1015302241_"


def files(*paths: str, host: str | None = "CONTOSO1", status: str = "ingested"):
    return [
        {"path": path, "host": host, "kind": "k", "reader": "r", "status": status, "reason": "", "rows": 3}
        for path in paths
    ]  # fmt: skip


def only(rows, members=(), there=()):
    found = collected(rows, members, set(there))
    [folder] = found.folders
    return folder, found


@pytest.mark.parametrize(
    ("name", "tool"),
    [
        (f"CONTOSO1{STAMP}MiscDiagInfo.out", "SQL LogScout"),
        ("internal/##SQLLOGSCOUT.LOG", "SQL LogScout"),
        ("CONTOSO1_host_instance_SQL_Performance_Counters.out", "SQL LogScout for Linux"),
        ("CONTOSO1__SQL_Server_Perf_Stats_Startup.OUT", "PSSDIAG"),
        ("SQLDIAG.BLG", "PSSDIAG"),
        ("CONTOSO1_SALES_1033_AlwaysOn.OUT", "SDP or TSS"),
        ("Net_TCPIP_offload.txt", "SDP or TSS"),
    ],
)
def test_the_tool_is_known_by_its_names(name, tool):
    folder, _found = only(files(f"output/{name}", "output/other.csv"))
    assert (folder.path, folder.tool, len(folder.captures)) == ("output", tool, 2)


def test_a_folder_that_nobody_collected_is_none():
    assert collected(files("a/perf.csv", "a/ERRORLOG", "b/JBSAG1_ERRORLOG"), ["X"], set()).folders == []


@pytest.mark.parametrize(
    ("what", "scenario"),
    [
        ("TaskListVerbose.out", "Basic"),
        ("AlwaysOn_Data_Movement_target_0_1.xel", "AlwaysOn"),
        ("PerfStats.out", "one of the Perf scenarios"),
        ("High_IO_Perfstats.out", "IO"),
        ("VSSAdmin_Writers.out", "BackupRestore"),
        ("SQL_Server_Mem_Stats.out", "Memory"),
    ],
)
def test_the_scenario_is_known_by_what_only_it_collects(what, scenario):
    folder, _found = only(files(f"CONTOSO1{STAMP}{what}"))
    assert folder.scenarios == [scenario]


@pytest.mark.parametrize(
    ("versions", "told"), [(["7.1"], "7.1"), (["7.1", "7.1", None], "7.1"), (["7.1", "7.2"], None)]
)
def test_a_version_is_told_where_all_logs_name_one(versions, told):
    folder = Folder("", "SQL LogScout", logs=[{"tool_version": version} for version in versions])
    assert folder.version == told


def test_a_node_of_which_only_the_log_of_the_cluster_is_there_is_absent():
    rows = files(f"CONTOSO1{STAMP}MiscDiagInfo.out") + files("CONTOSO2_cluster.log", host="CONTOSO2")
    folder, found = only(rows, members=["CONTOSO1", "CONTOSO3"])
    assert folder.hosts == ["CONTOSO1"]
    assert found.absent == ["CONTOSO2", "CONTOSO3"]


@pytest.mark.parametrize(
    ("name", "there", "lacking"),
    [
        (f"CONTOSO1{STAMP}x.out", (), [TCP, SEEDING]),
        (f"CONTOSO1{STAMP}x.out", (TCP,), [SEEDING]),
        (f"CONTOSO1{STAMP}x.out", (TCP, SEEDING), []),
        ("CONTOSO1_TCPIP_OFFLOAD.TXT", (TCP,), [SEEDING, COUNTERS]),
    ],
)
def test_what_the_tool_never_collects_is_lacking_unless_somebody_else_captured_it(name, there, lacking):
    assert list(only(files(name), there=there)[1].lacking) == lacking


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


def test_nothing_is_said_of_tools_where_none_was_used():
    overview = Overview(tiny.case(r"HOSTA | \Memory\Available MBytes | 100"))
    assert overview.say_collected() == ""
    assert len(overview.tbl_collected()) == 0


def test_an_errorlog_without_its_middle_is_a_gap():
    facts = "SQL1 | errorlog_gap | 0 | from | a | 60\nSQL1 | errorlog_gap | 0 | to | b | 3660"
    case = tiny.case(facts=facts)
    case.insert(
        "captures",
        [
            {
                "capture_id": "c",
                "content_id": "errorlog_gap-SQL1",
                "host_id": "SQL1",
                "path": "SQL1_ERRORLOG.1_Head_and_Tail_Only",
                "status": "ingested",
            }
        ],
    )
    [finding] = [f for f in Overview(case).findings() if f.id == "quality.gap"]
    assert_facts(finding, captures=1, host="SQL1", missing=3600.0)
    assert [(e.label, e.value, e.unit, e.source) for e in finding.evidence] == [
        ("not collected from 2024-03-05 12:01:00 to 2024-03-05 13:01:00", 3600, "s",
         "SQL1_ERRORLOG.1_Head_and_Tail_Only")
    ]  # fmt: skip
