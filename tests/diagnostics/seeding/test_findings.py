"""What became of each seeding: events in text, the findings beside them."""

from __future__ import annotations

from datetime import UTC
from unittest.mock import ANY

import pytest

from agtrace.diagnostics.seeding.analysis import Seeding
from tests.behind import assert_facts, texts
from tests.diagnostics.seeding.cases import MB, copy, request
from tests.diagnostics.tiny import START, Case, case

WAY = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 0.2 SENDING_FILE_LIST, 1 SEEDING, 101 CATCHUP, 110 COMPLETED"
DONE = (
    request("A", "source", WAY, success=True)
    + request("B", "target", WAY, remote="r1", success=True)
    + copy("A", "source", 1, 101, remote="B")
    + copy("B", "target", 1, 101, guids="b a", remote="A")
)
LATER = "A | 1801 | error_reported | error_number=1\n"
"""An event long after, so that the capture is known to go on."""


def told(made: Case, **narrowed) -> list[tuple[str, str, str]]:
    return [(f.severity, f.id, f.title) for f in Seeding(made, **narrowed).findings()]


def one(made: Case, wanted: str, **narrowed):
    (finding,) = [f for f in Seeding(made, **narrowed).findings() if f.id == wanted]
    return finding


def test_nothing_captured():
    empty = Seeding(case())
    assert empty.findings() == []
    assert_facts(texts(empty.say_summary)["summary.md"], n=0)


def test_a_completed_seeding():
    assert told(case(events=DONE)) == [("info", "seeding.completed", ANY)]
    finding = one(case(events=DONE), "seeding.completed")
    assert finding.subject == {"database": "Sales", "source": "A", "target": "B"}
    assert finding.window == {"start": "2024-03-05T12:00:00Z", "end": "2024-03-05T12:01:50Z"}
    assert_facts(finding, unseen=[["perfmon", "A", "source"], ["perfmon", "B", "target"]])
    values = {e.label: (e.value, e.unit) for e in finding.evidence}
    assert values["time from request to end"] == (110.0, "s")
    assert values["bytes of the database copied"] == (1000 * MB, "B")
    assert values["time in CATCHUP"] == (9.0, "s")
    assert values["network waits of the target"] == (200, "ms")


def test_redo_after_the_copy():
    perfmon = r"""
    A | \Processor(_Total)\% Processor Time                 | 40
    B | \Processor(_Total)\% Processor Time                 | 60
    B | \SQLServer:Database Replica(Sales)\Redone Bytes/sec | 21x0, 12000000
    B | \SQLServer:Database Replica(Sales)\Recovery Queue   | 21x0, 3x5000, 0
    """
    messages = "B | 102 | parallel_redo | 49930 | event=started; database=Sales; pool_size=4"
    assert_facts(
        one(case(perfmon, messages, events=DONE), "seeding.completed"),
        catchup=9.0,
        operation=True,
        processors=[3, 3],
    )


def test_reason_215():
    states = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 1 SEEDING, 30 FAILED"
    events = request("B", "target", states, remote="r1", failure="215 Seeding")
    events += copy("B", "target", 1, 31, guids="b a", remote="A", ended=False)
    finding = one(case(events=events), "seeding.failed")
    assert finding.severity == "critical"
    assert_facts(finding, n=1, reasons=1, unseen=[["itself", "A", "source"]])


def test_a_failure_that_a_later_seeding_mends_is_a_warning():
    states = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 1 SEEDING, 30 FAILED"
    events = request("B", "target", states, remote="r1", failure="215 Seeding", operation="op0")
    events += copy("B", "target", 1, 31, guids="d c", remote="A", ended=False)
    again = WAY.replace("0 PENDING", "200 PENDING").replace("0.1 ", "200.1 ").replace("0.2 ", "200.2 ")
    again = again.replace("1 SEEDING", "201 SEEDING").replace("101 ", "301 ").replace("110 ", "310 ")
    events += request("B", "target", again, remote="r1", success=True)
    events += copy("B", "target", 201, 301, guids="b a", remote="A")
    findings = Seeding(case(events=events)).findings()
    assert [(f.severity, f.id) for f in findings] == [
        ("warning", "seeding.failed"),
        ("info", "seeding.completed"),
    ]
    assert_facts(findings[0], n=1, reasons=1, mended=True)


WAITING = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 0.2 SENDING_FILE_LIST, 1 LIMIT_CONCURRENT_BACKUPS"


def test_stalled_for_a_slot_that_nothing_holds():
    made = case(events=request("A", "source", WAITING, remote="r2") + LATER)
    finding = one(made, "seeding.stalled")
    assert (finding.severity, finding.window["end"]) == ("critical", "2024-03-05T12:30:01Z")
    assert_facts(finding, stall=True, host_name="A", is_logged=False, is_hushed=False)
    assert finding.confidence == 0.5
    assert {f.id for f in Seeding(made).findings()} == {"seeding.stalled"}


def test_a_slot_that_nothing_in_the_errorlog_holds():
    messages = "A | 0 | ready | 17126 | x=1"
    made = case(messages=messages, events=request("A", "source", WAITING) + LATER)
    finding = one(made, "seeding.stalled")
    assert_facts(finding, stall=True, is_logged=True)
    assert finding.confidence == 0.7


def test_a_slot_of_a_server_that_does_not_log_its_backups_is_judged_as_without_a_log():
    made = case(
        messages="A | 0 | ready | 17126 | x=1",
        facts="A | trace_flag | 0 | 3226 | on | -60",
        events=request("A", "source", WAITING) + LATER,
    )
    finding = one(made, "seeding.stalled")
    assert_facts(finding, host_name="A", is_logged=False, stall=True, is_hushed=True)
    assert finding.confidence == 0.5


BACKUP = (
    "A | {end} | backup | 18264 | database=Other; pages=100; kind=full; devices=1; type=DISK; "
    "device_names=x.bak\n"
    "A | {end} | backup_rate | 3014 | statement=BACKUP DATABASE; operation=backup; pages=100; "
    "seconds={seconds}; mb_per_s=1"
)


def test_a_slot_that_a_backup_holds():
    messages = BACKUP.format(end=1700, seconds=1700)
    made = case(messages=messages, events=request("A", "source", WAITING, remote="r2") + LATER)
    finding = one(made, "seeding.waiting_for_slot")
    assert finding.severity == "notice"
    assert_facts(finding, host_name="A", wait=True)
    assert "seeding.stalled" not in {f.id for f in Seeding(made).findings()}


SLOT = WAY.replace("1 SEEDING", "0.3 LIMIT_CONCURRENT_BACKUPS, {} SEEDING", 1)


@pytest.mark.parametrize(
    ("seconds", "ids"),
    [
        (5, {"seeding.completed"}),
        (60, {"seeding.completed", "seeding.waiting_for_slot"}),
        (1000, {"seeding.completed", "seeding.stalled"}),
    ],
)
def test_a_slot_wait_by_its_length_with_nothing_beside_it(seconds, ids):
    states = SLOT.format(seconds).replace("101 ", f"{seconds + 100} ")
    states = states.replace("110 ", f"{seconds + 109} ")
    events = request("A", "source", states, success=True)
    events += copy("A", "source", seconds, seconds + 100, remote="B")
    found = Seeding(case(events=events)).findings()
    assert {f.id for f in found} == ids
    assert all(f.severity == "warning" for f in found if f.id == "seeding.stalled")


def test_the_user_sets_what_long_is():
    states = SLOT.format(60).replace("101 ", "160 ").replace("110 ", "169 ")
    events = request("A", "source", states, success=True) + copy("A", "source", 60, 160, remote="B")
    settings = {"thresholds": {"seeding_stalled_minutes": 0.5}}
    found = Seeding(case(events=events, settings=settings)).findings()
    assert {f.id for f in found} == {"seeding.completed", "seeding.stalled"}
    settings = {"thresholds": {"seeding_slot_s": 120}}
    found = Seeding(case(events=events, settings=settings)).findings()
    assert {f.id for f in found} == {"seeding.completed"}


def test_bytes_that_stand_still():
    events = request("A", "source", "0 PENDING, 1 SEEDING")
    events += copy("A", "source", 1, 51, remote="B", ended=False)
    at_rest = events.splitlines()[-1].split("|")
    for seconds in range(60, 1320, 60):
        events += "|".join([at_rest[0], f" {seconds} ", *at_rest[2:]]) + "\n"
    finding = one(case(events=events), "seeding.stalled")
    assert (finding.severity, finding.confidence) == ("critical", 0.8)
    assert_facts(finding, stall=True)


def test_already_present():
    states = "0 PENDING, 0.05 CHECK_IF_SEEDING_NEEDED, 0.1 CATCHUP, 0.2 COMPLETED"
    made = case(
        events=request("A", "source", states, success=False)
        + request("B", "target", states, remote="r1", success=False)
    )
    (finding,) = Seeding(made).findings()
    assert (finding.severity, finding.id) == ("info", "seeding.completed")
    assert_facts(finding, database="database db1", source="A", target="B", begun="2024-03-05T12:00:00+00:00")


def test_cut_off_by_a_restart():
    states = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 1 SEEDING"
    events = request("A", "source", states) + copy("A", "source", 1, 101, remote="B", ended=False)
    facts = """
    A | startup | 0 | utc_adjustment_minutes | 0 | 200
    """
    finding = one(case(facts=facts, events=events), "seeding.failed")
    assert finding.severity == "critical"
    assert_facts(finding, database="Sales", source="A", target="B", n=1, reasons=[])


def test_an_end_that_was_not_captured():
    events = request("A", "source", "0 PENDING, 1 SEEDING")
    events += copy("A", "source", 1, 101, remote="B", ended=False)
    assert told(case(events=events)) == [("info", "quality.not_captured", ANY)]


def test_only_the_database_and_the_time_asked_for():
    made = case(events=DONE)
    assert told(made, database="SALES") == told(made)
    assert told(made, database="Other") == []
    late = START.replace(tzinfo=UTC, hour=13)
    assert told(made, start=late) == []
    assert told(made, end=late) == told(made)
    assert told(made, end=START.replace(tzinfo=UTC)) == []


def test_names_from_captures_cannot_break_the_page():
    events = DONE.replace("database_name=Sales", "database_name=<b>*Sales*</b>")
    said = Seeding(case(events=events)).say_summary()
    assert "<b>" not in said
    assert "*Sales*" not in said


def failing(times: int, text: str = "121 Seeding Check Message Timeout", every: int = 300) -> str:
    events = ""
    for n in range(times):
        begin = n * every
        states = f"{begin} PENDING, {begin + 1} CHECK_IF_SEEDING_NEEDED, {begin + 30} FAILED"
        events += request("A", "source", states, operation=f"op{n}", failure=text)
    return events


@pytest.mark.complete
def test_a_weekend_of_failures_is_one_finding():
    made = case(events=failing(300))
    (finding,) = Seeding(made).findings()
    assert finding.severity == "critical"
    assert finding.window == {"start": "2024-03-05T12:00:00Z", "end": "2024-03-06T12:55:30Z"}
    assert_facts(
        finding, n=300, reasons=1, first="2024-03-05T12:00:00+00:00", last="2024-03-06T12:55:30+00:00"
    )
    assert (finding.evidence[0].label, finding.evidence[0].value) == ("failed in this way", 300)


def test_failures_for_another_reason_or_mended_ones_are_told_apart():
    way = WAY.replace("0 PENDING", "2900 PENDING")
    for moment in ("0.1 ", "0.2 ", "1 ", "101 ", "110 "):
        way = way.replace(f" {moment}", f" {2900 + float(moment)} ")
    mended = request("A", "source", way, operation="good", success=True)
    later = failing(17).splitlines(keepends=True)
    events = failing(6) + mended + "".join(line for line in later if float(line.split("|")[1]) >= 3600)
    found = [(f.severity, f.title.split(": ", 1)[1][:23]) for f in Seeding(case(events=events)).findings()]
    assert found == [
        ("critical", "seeding failed 5 times "),
        ("warning", "seeding failed 6 times "),
        ("info", "seeded in 1 min 50 s"),
    ]


def test_times_without_a_zone_are_utc():
    made = case(events=DONE)
    assert told(made, start=START, end=START.replace(hour=13))
    assert told(made, end=START) == []


def test_counters_that_go_on_do_not_make_a_stall():
    made = case(r"A | \Processor(_Total)\% Processor Time | 5", events=request("A", "source", WAITING))
    made.run(
        "update captures set last_time = $t where kind = 'pdh'", {"t": START.replace(hour=20, tzinfo=UTC)}
    )
    assert [f.id for f in Seeding(made).findings()] == ["quality.not_captured"]
