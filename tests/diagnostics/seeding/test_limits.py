"""What held a copy back: waits of both ends, saturated resources, and where they disagree."""

from __future__ import annotations

from datetime import UTC, timedelta
from unittest.mock import ANY

import pytest

from agtrace.diagnostics.seeding.analysis import Seeding
from agtrace.diagnostics.seeding.limits import DISK, NETWORK, judge
from agtrace.history.seedings.operation import SOURCE, TARGET, Operation, Side
from agtrace.measure.usage import Usage
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts, texts
from tests.diagnostics.seeding.cases import copy, request
from tests.diagnostics.tiny import START, Case, case
from tests.folded import folded

BEGIN = START.replace(tzinfo=UTC)
END = BEGIN + timedelta(seconds=100)
HOSTS = {SOURCE: "A", TARGET: "B"}


def operation(source: str, target: str) -> Operation:
    """A copy of 100 s; waits in seconds ``disk network`` of each end, "" where not captured."""

    def side(role: str, waits: str) -> Side:
        disk, network = (int(w) * 1000 for w in waits.split()) if waits else (None, None)
        return Side(
            role, HOSTS[role], copy_start=BEGIN, copy_end=END, disk_wait_ms=disk, network_wait_ms=network
        )

    return Operation(
        1, "Sales", "AG", None, side(SOURCE, source), side(TARGET, target), BEGIN, END, BEGIN, END,
        10**10, "reported", 10**10, "completed",
    )  # fmt: skip


def usages(text: str) -> list[Usage]:
    """``host resource percent, ...``"""
    rows = (part.split() for part in text.split(",") if part.strip())
    return [
        Usage(1, host, resource, "x", "%", 20, *[float(value)] * 5, 100.0) for host, resource, value in rows
    ]


NET, SRC, TGT = (NETWORK, ""), (DISK, SOURCE), (DISK, TARGET)


@folded(
    ("source", "target", "resources", "limit", "confidence"),
    [
        # Both ends: the pairs that mean one thing each.
        ("5 80", "5 80", "", NET, 0.8),
        ("5 80", "80 5", "", TGT, 0.8),
        ("80 5", "5 80", "", SRC, 0.8),
        # A saturated resource agrees.
        ("5 80", "5 80", "A card_sent_busy 97", NET, 0.95),
        ("5 80", "80 5", "B disk_busy 99", TGT, 0.95),
        ("80 5", "5 80", "A disk_busy 92", SRC, 0.95),
        # It contradicts: nothing is said.
        ("5 80", "5 80", "A disk_busy 99", None, 0),
        ("5 80", "80 5", "A card_sent_busy 97", None, 0),
        ("80 5", "5 80", "B disk_busy 97", None, 0),
        ("80 5", "5 80", "A disk_busy 97, B disk_busy 97", None, 0),
        # Both wait for their own disk: no one limit looks like that, whatever is full.
        ("80 5", "80 5", "", None, 0),
        ("80 5", "80 5", "A disk_busy 99", None, 0),
        # Waits that do not lean to a side, or that are small.
        ("40 40", "40 40", "", None, 0),
        ("5 8", "5 8", "", None, 0),
        ("5 8", "1 80", "", None, 0),
        ("5 8", "5 8", "B card_received_busy 95", NET, 0.6),
        ("5 8", "5 8", "B card_received_busy 89", None, 0),
        ("5 8", "5 8", "B disk_busy 95", TGT, 0.6),
        # One end leaves two candidates, and a full resource decides between them.
        ("5 80", "", "", None, 0),
        ("", "5 80", "", None, 0),
        ("5 80", "", "A card_sent_busy 95", NET, 0.65),
        ("5 80", "", "B disk_busy 95", TGT, 0.65),
        ("", "5 80", "A disk_busy 95", SRC, 0.65),
        ("80 5", "", "", None, 0),
        ("80 5", "", "A disk_busy 95", SRC, 0.65),
        ("80 5", "", "A card_sent_busy 95", None, 0),
        # No waits at all.
        ("", "", "", None, 0),
        ("", "", "A card_sent_busy 95", NET, 0.6),
        ("", "", "A disk_busy 95", SRC, 0.6),
        ("", "", "A disk_busy 95, A card_sent_busy 95", None, 0),
        ("", "", "A disk_busy 40, A card_sent_busy 30, A cpu 99", None, 0),
    ],
)
def test_limits(source, target, resources, limit, confidence):
    found = judge(operation(source, target), usages(resources), Thresholds())
    assert (found.limit, found.confidence) == (limit, confidence)


@pytest.mark.parametrize(("n", "covered", "limit"), [(4, 1.0, None), (5, 0.79, None), (5, 0.8, NET)])
def test_a_resource_is_full_in_enough_samples_over_enough_of_the_copy(n, covered, limit):
    seen = Usage(1, "A", "card_sent_busy", "x", "%", n, *[99.0] * 5, 100.0, covered)
    assert judge(operation("", ""), [seen], Thresholds()).limit == limit


def test_a_card_that_is_full_the_other_way_does_not_hold_the_copy_back():
    rows = usages("A card_received_busy 99, B card_sent_busy 99")
    assert judge(operation("", ""), rows, Thresholds()).limit is None


@pytest.mark.parametrize(
    ("source", "target", "candidates"),
    [
        ("5 80", "", (NET, TGT)),
        ("", "5 80", (NET, SRC)),
        ("80 5", "", (SRC,)),
        ("5 80", "5 80", ()),
        ("5 8", "", ()),
    ],
)
def test_candidates_of_one_end(source, target, candidates):
    assert judge(operation(source, target), [], Thresholds()).candidates == candidates


def test_the_user_s_thresholds_hold():
    waits = operation("40 50", "40 50")
    assert judge(waits, [], Thresholds()).limit is None
    assert judge(waits, [], Thresholds(seeding_wait_dominance=0.55)).limit == NET
    assert judge(operation("1 15", "1 15"), [], Thresholds()).limit is None
    assert judge(operation("1 15", "1 15"), [], Thresholds(seeding_wait_share=0.1)).limit == NET
    full = usages("A card_sent_busy 60")
    assert judge(operation("", ""), full, Thresholds(seeding_card_share=0.5)).limit == NET
    busy = usages("B disk_busy 60")
    assert judge(operation("", ""), busy, Thresholds(seeding_disk_busy_share=0.5)).limit == TGT


# From events and perfmon to findings.

WAY = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 1 SEEDING, 101 CATCHUP, 110 COMPLETED"


def made(source: str, target: str, perfmon: str = "", ends: str = "AB") -> Case:
    """A copy of 10 GB in 100 s (100 MB/s); waits in seconds ``disk network``."""
    events = ""
    if "A" in ends:
        events += request("A", "source", WAY, success=True)
        events += copy("A", "source", 1, 101, remote="B", size=10**10, waits=_ms(source))
    if "B" in ends:
        events += request("B", "target", WAY, remote="r1", success=True)
        events += copy("B", "target", 1, 101, guids="b a", remote="A", size=10**10, waits=_ms(target))
    return case(perfmon, events=events)


def _ms(waits: str) -> str:
    return " ".join(str(int(w) * 1000) for w in waits.split())


def ids(view: Case) -> set[str]:
    return {f.id for f in Seeding(view).findings()}


CARD = r"""
A | \Network Interface(nic)\Bytes Sent/sec     | 102000000, 20x102000000, 0
A | \Network Interface(nic)\Current Bandwidth  | {bandwidth}
"""
READS = r"""
A | \LogicalDisk(D:)\Disk Read Bytes/sec | 21x{rate}, 0
A | \LogicalDisk(D:)\% Idle Time         | 21x{idle}, 100
"""


def test_the_network_limits_although_the_card_is_not_full():
    view = made("3 80", "3 80", CARD.format(bandwidth=10_000_000_000))
    (finding,) = [f for f in Seeding(view).findings() if f.id == "seeding.network_limited"]
    assert_facts(
        finding, database="Sales", source="A", target="B", begun="2024-03-05T12:00:00+00:00", idle=[]
    )
    assert finding.severity == "notice"
    assert_facts(finding, card_end="A", is_full=False, card=True, idle=[])


def test_a_full_card_without_waits():
    view = made("1 2", "1 2", CARD.format(bandwidth=850_000_000))
    (finding,) = [f for f in Seeding(view).findings() if f.id == "seeding.network_limited"]
    assert finding.confidence == 0.6
    assert_facts(finding, card=True, busy=True, is_full=True)


def test_the_source_s_disk():
    view = made("80 3", "3 80", READS.format(rate=100_000_000, idle=1))
    (finding,) = [f for f in Seeding(view).findings() if f.id == "seeding.disk_limited"]
    assert_facts(finding, database="Sales", source="A", target="B", begun="2024-03-05T12:00:00+00:00")
    assert finding.subject["host"] == "A"
    assert finding.confidence == 0.95
    assert_facts(finding, end="A", role="source", moved=True)


def test_the_target_s_disk():
    (finding,) = [f for f in Seeding(made("3 80", "80 3")).findings() if f.id == "seeding.disk_limited"]
    assert_facts(
        finding, database="Sales", source="A", target="B", begun="2024-03-05T12:00:00+00:00", end="B"
    )


@pytest.mark.parametrize(
    ("source", "target", "perfmon", "ends", "wanted"),
    [
        ("1 2", "1 2", CARD.format(bandwidth=10**10) + READS.format(rate=10**8, idle=60), "AB", set()),
        ("3 80", "3 80", READS.format(rate=10**8, idle=1), "AB", set()),
        ("3 80", "", "", "A", {"quality.not_captured"}),
        ("", "3 80", "", "B", {"quality.not_captured"}),
        ("3 80", "", CARD.format(bandwidth=850_000_000), "A", {"seeding.network_limited"}),
    ],
)  # fmt: skip
def test_no_limit_is_claimed_without_support(source, target, perfmon, ends, wanted):
    found = ids(made(source, target, perfmon, ends))
    assert found - {"seeding.completed", "seeding.compression"} == wanted


def test_one_end_names_both_candidates():
    (finding,) = [f for f in Seeding(made("3 80", "", ends="A")).findings() if f.id == "quality.not_captured"]
    assert_facts(finding, candidates=[["network", ""], ["disk", "target"]])


def test_a_card_without_a_bandwidth_is_told_without_a_share():
    view = made("3 80", "3 80", CARD.format(bandwidth=0))
    (finding,) = [f for f in Seeding(view).findings() if f.id == "seeding.network_limited"]
    assert_facts(finding, card_end="A", card=True, idle=[])


def test_a_copy_of_a_moment_tells_neither_of_a_limit_nor_of_a_rate():
    events = request("A", "source", "0 PENDING, 0.1 SEEDING, 1 COMPLETED", success=True)
    events += copy("A", "source", 0.2, 0.9, remote="B", size=10**6, waits="10 600")
    events += copy("B", "target", 0.2, 0.9, guids="b a", remote="A", size=10**6, waits="10 600")
    seeding = Seeding(case(events=events))
    assert [f.id for f in seeding.findings()] == ["seeding.completed"]
    assert_facts(texts(seeding.say_estimate)["estimate.md"], estimates=[])


RECEIVED = r"""
B | \Network Interface(nic)\Bytes Received/sec     | 102000000, 20x102000000, 0
B | \Network Interface(nic)\Current Bandwidth      | 820000000
"""


@pytest.mark.complete
def test_the_end_that_only_perfmon_saw_is_the_one_that_the_other_end_names():
    (limited,) = [
        f
        for f in Seeding(made("3 80", "", RECEIVED, ends="A")).findings()
        if f.id == "seeding.network_limited"
    ]
    assert limited.subject["target"] == "B"
    assert limited.confidence == 0.65
    found = ids(made("3 80", "", RECEIVED.replace("B |", "C |"), ends="A"))
    assert found == {"seeding.completed", "quality.not_captured"}


# Figures that cannot all be true.


def contradictions(view: Case) -> list[tuple[str, str]]:
    return [
        (f.severity, f.title.split(": ", 1)[1])
        for f in Seeding(view).findings()
        if f.id == "seeding.contradiction"
    ]


def test_disks_that_deliver_less_than_was_copied():
    view = made("80 3", "3 80", READS.format(rate=70_000_000, idle=1))
    assert contradictions(view) == [("warning", ANY)]
    (limited,) = [f for f in Seeding(view).findings() if f.id == "seeding.disk_limited"]
    assert limited.confidence == 0.75
    assert_facts(limited, doubted=True)


@pytest.mark.parametrize("rate", [95_000_000, 125_000_000])
def test_disks_that_deliver_about_what_was_copied(rate):
    assert contradictions(made("1 2", "1 2", READS.format(rate=rate, idle=50))) == []


def test_disks_that_deliver_much_more():
    view = made("1 2", "1 2", READS.format(rate=150_000_000, idle=50))
    assert contradictions(view) == [("notice", ANY)]


def test_a_stream_smaller_than_the_database_with_the_flag_off():
    perfmon = r"A | \Network Interface(nic)\Bytes Sent/sec | 21x50000000, 0"
    view = made("1 2", "1 2", perfmon)
    facts = [
        {"content_id": "log", "host_id": "A", "topic": "startup", "item": 0, "line": 1,
         "key": "startup_parameter", "value": "-dmaster.mdf", "time": BEGIN - timedelta(hours=1)}
    ]  # fmt: skip
    view.insert("facts", facts)
    view.insert("captures", [{"content_id": "log", "path": "A/ERRORLOG"}])
    assert contradictions(view) == [("warning", ANY)]


def test_ends_that_report_different_amounts():
    events = request("A", "source", WAY, success=True)
    events += copy("A", "source", 1, 101, remote="B", size=10**10)
    events += request("B", "target", WAY, remote="r1", success=True)
    events += copy("B", "target", 1, 101, guids="b a", remote="A", size=7 * 10**9)
    assert contradictions(case(events=events)) == [("warning", ANY)]


def test_the_margin_is_the_user_s():
    view = made("1 2", "1 2", READS.format(rate=70_000_000, idle=50))
    view.settings = {"thresholds": {"seeding_contradiction_share": 0.4}}
    assert contradictions(view) == []
