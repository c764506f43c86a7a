"""What the overview says of a case: its captures, its damage, its clocks."""

from __future__ import annotations

from datetime import datetime, timedelta
from unittest.mock import ANY

import pyarrow as pa

from agtrace.diagnostics.overview import Overview
from agtrace.errors import RESAVED
from agtrace.say import figures
from tests.behind import assert_facts, behind, texts
from tests.diagnostics import tiny

START = tiny.START
QUIET = r"HOSTA | \Memory\Available MBytes | 100"


def only(overview: Overview, wanted: str):
    [finding] = [finding for finding in overview.findings() if finding.id == wanted]
    return finding


def with_spans(case: tiny.Case) -> tiny.Case:
    """Return the case with the spans of ingest."""
    case.run("""
        update captures set first_local = t.a, last_local = t.b, first_time = t.c, last_time = t.d
        from (select content_id, min(time_local) a, max(time_local) b, min(time) c, max(time) d
              from ticks group by all) t where t.content_id = captures.content_id
    """)
    return case


def without_rows(case: tiny.Case, *stretches: tuple[int, int]) -> tiny.Case:
    """Take rows out of every perfmon capture."""
    for first, last in stretches:
        case.run(f"delete from ticks where tick between {first} and {last}")
    return case


def test_clock_skew_names_who_is_ahead():
    skew = (("HOSTA", "HOSTB", -2500.0), ("HOSTA", "HOSTC", 900.0), ("HOSTB", "HOSTC", 75_000.0))
    case = tiny.case(QUIET, skew=skew, settings={"thresholds": {"skew_ms": 1000}})
    found = [f for f in Overview(case).findings() if f.id == "quality.clock_skew"]
    assert found[0].subject == {"host": "HOSTB", "other_host": "HOSTA"}
    assert [(e.value, e.unit, e.source) for e in found[0].evidence] == [
        (2500, "ms", "test, n = 9"),
        (1, "ms", "test, n = 9"),
    ]
    assert_facts(texts(Overview(case).say_summary)["clocks.md"], apart=2)


def set_back(case: tiny.Case, seconds: int) -> tiny.Case:
    for column in ("time", "time_local"):
        case.run(f"update ticks set {column} = {column} - interval {seconds} second where tick >= 60")
    return case


def test_a_clock_that_went_backwards_is_named():
    finding = only(Overview(set_back(tiny.case(QUIET), 605)), "quality.clock_skew")
    assert finding.severity == "warning"
    assert_facts(finding, host="HOSTA", rows=1, back=600.0, before="2024-03-05T12:04:55+00:00")
    assert finding.subject == {"host": "HOSTA"}
    assert [(e.label, e.value, e.unit, e.source) for e in finding.evidence] == [
        ("set back after 2024-03-05 12:04:55", 600.0, "s", "HOSTA.csv")
    ]


def test_an_unknown_time_zone_is_named_per_host_with_the_remedy():
    case = tiny.case(QUIET + "\n" + r"HOSTB | \Memory\Pages/sec | 1", zone_unknown=("HOSTB",))
    finding = only(Overview(case), "quality.time_zone_unknown")
    assert finding.severity == "warning"
    assert finding.subject == {"host": "HOSTB"}
    assert_facts(finding, host="HOSTB", captures=1, unknown=120, total=120)
    assert finding.window == {"start": "2024-03-05T12:00:00", "end": "2024-03-05T12:09:55", "local": True}
    assert finding.evidence[0].value == 120


def test_an_unknown_host_is_a_finding_and_a_log_of_several_machines_is_none():
    case = tiny.case(QUIET)
    case.insert(
        "captures",
        [
            {"capture_id": "t", "content_id": "t", "path": "x/tcp.txt", "status": "ingested",
             "host_source": "tie: captures of HOSTA, HOSTB lie in the same folder"},
            {"capture_id": "n", "content_id": "n", "path": "notes.docx", "status": "not_understood"},
        ],
    )  # fmt: skip
    case.run(
        "update captures set host_id = null, host_source = 'several machines in one log' where path = "
        "'HOSTA.csv'"
    )
    finding = only(Overview(case), "quality.host_unknown")
    assert_facts(finding, n=1, kept=0, strange=[])
    assert [(e.value, e.source) for e in finding.evidence] == [
        ("tie: captures of HOSTA, HOSTB lie in the same folder", "x/tcp.txt")
    ]


def unknown(*rows):
    """Return the finding on captures of an unknown host: path and what is known."""
    case = tiny.case(QUIET)
    case.insert(
        "captures",
        [
            {"capture_id": path, "content_id": path, "path": path, "status": "ingested", "host_id": host,
             "host_source": source}
            for path, host, source in rows
        ],
    )  # fmt: skip
    return only(Overview(case), "quality.host_unknown")


def test_a_file_of_no_known_host_in_a_case_of_one_machine_is_no_warning():
    case = tiny.case("HOSTA | \\Processor(_Total)\\% Processor Time | 5")
    case.insert("captures", [{"capture_id": "n", "content_id": "n", "path": "cluster.txt",
        "status": "ingested",
                              "host_source": "no evidence"}])  # fmt: skip
    assert only(Overview(case), "quality.host_unknown").severity == "info"


def test_a_stranger_is_a_warning_that_says_why():
    why = "not of HOSTA, whose folder it lies in: it is of Linux, that host of Windows"
    finding = unknown(("a/ERRORLOG", None, why))
    assert finding.severity == "warning"
    assert_facts(finding, n=1, kept=0)
    assert [(row.path, row.why) for row in behind(finding)["strange"]] == [("a/ERRORLOG", why)]


def test_a_log_without_a_name_is_said_to_be_kept_as_of_a_host_of_its_own():
    finding = unknown(("ERRORLOG.3", "an unnamed host (ERRORLOG.3)", "placeholder: no evidence"))
    assert_facts(finding, n=1, kept=1, strange=[])
    assert [e.value for e in finding.evidence] == ["no evidence"]


def test_lost_data_and_unreadable_files_are_one_warning_and_open_the_narrative():
    case = tiny.case(QUIET)
    case.insert(
        "issues",
        [
            {"content_id": "perfmon-HOSTA", "path": "HOSTA.csv", "offset": 4711, "severity": "data_loss",
             "kind": "cut", "message": "the last row is cut short", "count": 1},
            {"content_id": "perfmon-HOSTA", "path": "HOSTA.csv", "offset": 5, "severity": "warning",
             "kind": "header", "message": "short header", "count": 2},
        ],
    )  # fmt: skip
    case.insert(
        "captures", [{"capture_id": "b", "path": "b_1.csv", "status": "failed", "reason": "not UTF-8"}]
    )
    overview = Overview(case)
    finding = only(overview, "quality.truncated")
    assert finding.severity == "warning"
    assert_facts(finding, failed=1, damaged=["b_1.csv", "HOSTA.csv"])
    assert [(e.label, e.value, e.source) for e in finding.evidence] == [
        ("failed", "not UTF-8", "b_1.csv"),
        ("cut: the last row is cut short", 1, "HOSTA.csv, from offset 4,711"),
    ]
    assert_facts(texts(overview.say_damage)["damage.md"], lost=1, not_read=["b_1.csv"])
    assert overview.tbl_issues()["severity"].tolist() == ["data_loss", "warning"]


def test_a_log_that_a_spreadsheet_saved_again_is_told_by_itself():
    case = tiny.case(QUIET)
    reason = f"perf.csv: {RESAVED}: the time stamps are whole minutes"
    case.insert("captures", [{"capture_id": "b", "path": "perf.csv", "status": "failed", "reason": reason}])
    finding = only(Overview(case), "quality.truncated")
    assert (finding.subject, finding.severity) == ({"kind": "resaved"}, "warning")


HEAD_AND_TAIL = {
    "content_id": "c", "path": "SQL1_ERRORLOG.1_Head_and_Tail_Only", "offset": 4711, "severity": "data_loss",
    "kind": "middle_missing", "message": "the collector kept the first and the last lines", "count": 1,
}  # fmt: skip


def test_a_log_that_its_collector_cut_is_to_be_taken_whole():
    case = tiny.case(QUIET)
    case.insert("issues", [HEAD_AND_TAIL])
    finding = only(Overview(case), "quality.truncated")
    assert_facts(finding, cut=["SQL1_ERRORLOG.1_Head_and_Tail_Only"])


def test_what_is_damaged_and_what_was_cut_are_told_apart():
    case = tiny.case(QUIET)
    torn = HEAD_AND_TAIL | {"path": "SQL1_ERRORLOG.2", "kind": "line_too_long"}
    case.insert("issues", [HEAD_AND_TAIL, torn])
    finding = only(Overview(case), "quality.truncated")
    assert_facts(finding, failed=0, damaged=["SQL1_ERRORLOG.2"], cut=["SQL1_ERRORLOG.1_Head_and_Tail_Only"])


GROUP = r"""
HOSTA | \SQLServer:Availability Replica(AG:1:HOSTB)\Bytes Sent to Replica/sec   | 1
HOSTA | \SQLServer:Availability Replica(AG:1:HOSTC\X)\Bytes Sent to Replica/sec | 1
HOSTA | \SQLServer:Availability Replica(_Total)\Bytes Sent to Replica/sec       | 2
HOSTB | \SQLServer:Database Replica(db)\Recovery Queue                          | 1
"""


def test_what_a_transport_analysis_lacks_is_named_per_machine():
    facts = "HOSTB | tcp_global | 0 | autotuning | normal"
    found = [f for f in Overview(tiny.case(GROUP, facts=facts)).findings() if f.id == "quality.not_captured"]
    assert [(f.subject.get("host"), f.severity, f.title) for f in found] == [
        ("HOSTA", "info", ANY),
        ("HOSTB", "info", ANY),
        ("HOSTC", "notice", ANY),
        (None, "info", ANY),
    ]
    assert_facts(
        found[2],
        named_by="replica AG:1:HOSTC\\X in a perfmon log of HOSTA",
        kinds=["perfmon", "errorlog", "tcp_settings"],
        names=["perfmon log", "ERRORLOG", "TCP settings"],
    )


def test_of_a_host_of_linux_nothing_is_wanted_that_windows_alone_has():
    banner = "HOSTC | startup | 1 | os | Linux (Ubuntu 22.04.3 LTS) <X64>"
    found = Overview(tiny.case(GROUP, facts=banner)).findings()
    (of_c,) = [f for f in found if f.id == "quality.not_captured" and f.subject.get("host") == "HOSTC"]
    assert_facts(
        of_c,
        host="HOSTC",
        kinds=["linux_perfmon", "linux_errorlog"],
        names=["counters of SQL Server", "ERRORLOG"],
    )


def test_tables_show_every_capture_and_clock():
    case = with_spans(tiny.case(QUIET + "\n" + r"HOSTB | \Memory\Pages/sec | 1", zone_unknown=("HOSTB",)))
    case.insert(
        "clocks",
        [{"capture_id": "perfmon-HOSTA", "content_id": "perfmon-HOSTA", "offset_minutes": -330,
         "confidence": 1.0,
          "source": "bias in the header", "local_from": datetime(1, 1, 1), "local_to": datetime(9999, 1, 1)}],
    )  # fmt: skip
    overview = Overview(case)
    captures = overview.tbl_captures()
    assert captures[["host", "path", "clock", "first", "rows"]].values.tolist() == [
        ["HOSTA", "HOSTA.csv", "UTC", "2024-03-05 12:00:00", 120],
        ["HOSTB", "HOSTB.csv", "local", "2024-03-05 12:00:00", 120],
    ]
    assert overview.tbl_clocks().values.tolist() == [
        ["HOSTA.csv", "HOSTA", "-05:30", "bias in the header", 1.0, "2024-03-05 12:00:00",
         "2024-03-05 12:09:55"]
    ]  # fmt: skip
    assert overview.tbl_hosts()[["host", "captures", "first_time"]].values.tolist() == [
        ["HOSTA", 1, "2024-03-05 12:00:00"],
        ["HOSTB", 1, ""],
    ]
    assert overview.tbl_hosts()[["cores", "memory_mb"]].values.tolist() == [["", ""], ["", ""]]
    assert overview.tbl_skew().empty
    assert overview.tbl_issues().empty


def test_the_figure_has_a_bar_per_capture_and_leaves_gaps_empty():
    case = with_spans(tiny.case(QUIET + "\n" + r"HOST<B> | \Memory\Pages/sec | 1", zone_unknown=("HOST<B>",)))
    fig = Overview(without_rows(case, (50, 69))).fig_captures()
    assert [(t.name, len(t.x), t.marker.pattern.shape) for t in fig.data] == [
        ("pdh", 2, ""),
        ("pdh, local time (zone not known)", 2, "/"),
    ]
    assert list(fig.layout.yaxis.ticktext) == [
        "<b>HOST&lt;B&gt;</b>", "HOST&lt;B&gt;.csv", "<b>HOSTA</b>", "HOSTA.csv",
    ]  # fmt: skip
    starts, lengths = fig.data[0].base, fig.data[0].x
    assert [s.replace(tzinfo=None) for s in starts] == [START, START + timedelta(seconds=350)]
    assert list(lengths) == [245_000, 245_000]
    assert figures.describe(fig) == "pdh: 2 bars\npdh, local time (zone not known): 2 bars"


def test_many_captures_share_a_lane_per_host_and_kind():
    case = tiny.case(QUIET)
    case.run("delete from captures")
    moment = pa.scalar(START, pa.timestamp("us", "UTC")).as_py()
    case.insert(
        "captures",
        [
            {"capture_id": str(n), "content_id": str(n), "path": f"{n}.csv", "kind": "pdh",
             "host_id": "HOSTA",
             "status": "ingested", "first_time": moment + timedelta(hours=n),
             "last_time": moment + timedelta(hours=n + 1)}
            for n in range(100)
        ],
    )  # fmt: skip
    fig = Overview(case).fig_captures()
    assert list(fig.layout.yaxis.ticktext) == ["<b>HOSTA</b>", "pdh"]
    assert figures.describe(fig) == "pdh: 100 bars"
